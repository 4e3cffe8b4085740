//! Device globals and host pipes, which are found by name.

use std::ffi::{c_char, c_void};

use sycl_pi_core::*;

use super::stubs::stubs;

stubs! { ur;
    fn piextEnqueueDeviceGlobalVariableWrite(queue: pi_queue, program: pi_program, name: *const c_char, blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urEnqueueDeviceGlobalVariableWrite(queue.cast(), program.cast(), name, u8::from(blocking_write != 0), count, offset, src, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piextEnqueueDeviceGlobalVariableRead(queue: pi_queue, program: pi_program, name: *const c_char, blocking_read: pi_bool, count: usize, offset: usize, dst: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urEnqueueDeviceGlobalVariableRead(queue.cast(), program.cast(), name, u8::from(blocking_read != 0), count, offset, dst, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piextEnqueueReadHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urEnqueueReadHostPipe(queue.cast(), program.cast(), pipe_symbol, u8::from(blocking != 0), ptr, size, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextEnqueueWriteHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urEnqueueWriteHostPipe(queue.cast(), program.cast(), pipe_symbol, u8::from(blocking != 0), ptr, size, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
}
