//! Commands on buffers and images.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::answer::narrow;
use super::rect::{self, there};
use super::stubs::stubs;

/// UR has no specific code for two images that do not match.
fn mismatch(result: ur_result_t) -> ur_result_t {
    match result {
        UR_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT => UR_RESULT_ERROR_INVALID_MEM_OBJECT,
        other => other,
    }
}

stubs! { ur;
    fn piEnqueueEventsWait(command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE]
    {
        ur.calls.urEnqueueEventsWait(command_queue.cast(), num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemBufferRead(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urEnqueueMemBufferRead(queue.cast(), buffer.cast(), u8::from(blocking_read != 0), offset, size, ptr, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemBufferWrite(command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urEnqueueMemBufferWrite(command_queue.cast(), buffer.cast(), u8::from(blocking_write != 0), offset, size, ptr, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemBufferCopy(command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, src_buffer PI_ERROR_INVALID_MEM_OBJECT, dst_buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urEnqueueMemBufferCopy(command_queue.cast(), src_buffer.cast(), dst_buffer.cast(), src_offset, dst_offset, size, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemBufferFill(command_queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urEnqueueMemBufferFill(command_queue.cast(), buffer.cast(), pattern, pattern_size, offset, size, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemUnmap(command_queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, memobj PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urEnqueueMemUnmap(command_queue.cast(), memobj.cast(), mapped_ptr, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueEventsWaitWithBarrier(command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE]
    {
        // The runtime calls the form with properties if it exists.
        let (queue, events, event) = (command_queue.cast(), event_wait_list.cast(), event.cast());
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urEnqueueEventsWaitWithBarrier(queue, num_events_in_wait_list, events, event)
        } else {
            let flags = ur_exp_enqueue_ext_properties_t { stype: UR_STRUCTURE_TYPE_EXP_ENQUEUE_EXT_PROPERTIES, pNext: null_mut(), flags: 0 };
            ur.calls.urEnqueueEventsWaitWithBarrierExt(queue, &flags, num_events_in_wait_list, events, event)
        }
    }
    fn piEnqueueMemBufferReadRect(command_queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (buffer_offset, host_offset, r_region) = there!(rect::origin(buffer_offset), rect::origin(host_offset), rect::region(region));
        ur.calls.urEnqueueMemBufferReadRect(command_queue.cast(), buffer.cast(), u8::from(blocking_read != 0), buffer_offset, host_offset, r_region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemBufferWriteRect(command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (buffer_offset, host_offset, r_region) = there!(rect::origin(buffer_offset), rect::origin(host_offset), rect::region(region));
        ur.calls.urEnqueueMemBufferWriteRect(command_queue.cast(), buffer.cast(), u8::from(blocking_write != 0), buffer_offset, host_offset, r_region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr.cast_mut(), num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemBufferCopyRect(command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, src_buffer PI_ERROR_INVALID_MEM_OBJECT, dst_buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (src_origin, dst_origin, r_region) = there!(rect::origin(src_origin), rect::origin(dst_origin), rect::region(region));
        ur.calls.urEnqueueMemBufferCopyRect(command_queue.cast(), src_buffer.cast(), dst_buffer.cast(), src_origin, dst_origin, r_region, src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemImageRead(command_queue: pi_queue, image: pi_mem, blocking_read: pi_bool, origin: pi_image_offset, region: pi_image_region, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, image PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (r_origin, r_region) = there!(rect::image_origin(origin), rect::image_region(region));
        ur.calls.urEnqueueMemImageRead(command_queue.cast(), image.cast(), u8::from(blocking_read != 0), r_origin, r_region, row_pitch, slice_pitch, ptr, num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemImageWrite(command_queue: pi_queue, image: pi_mem, blocking_write: pi_bool, origin: pi_image_offset, region: pi_image_region, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, image PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (r_origin, r_region) = there!(rect::image_origin(origin), rect::image_region(region));
        ur.calls.urEnqueueMemImageWrite(command_queue.cast(), image.cast(), u8::from(blocking_write != 0), r_origin, r_region, input_row_pitch, input_slice_pitch, ptr.cast_mut(), num_events_in_wait_list, event_wait_list.cast(), event.cast())
    }
    fn piEnqueueMemImageCopy(command_queue: pi_queue, src_image: pi_mem, dst_image: pi_mem, src_origin: pi_image_offset, dst_origin: pi_image_offset, region: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_queue PI_ERROR_INVALID_QUEUE, src_image PI_ERROR_INVALID_MEM_OBJECT, dst_image PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (src_origin, dst_origin, r_region) = there!(rect::image_origin(src_origin), rect::image_origin(dst_origin), rect::image_region(region));
        mismatch(ur.calls.urEnqueueMemImageCopy(command_queue.cast(), src_image.cast(), dst_image.cast(), src_origin, dst_origin, r_region, num_events_in_wait_list, event_wait_list.cast(), event.cast()))
    }
    fn piEnqueueMemBufferMap(command_queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event, ret_map: *mut *mut c_void)
        [command_queue PI_ERROR_INVALID_QUEUE, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urEnqueueMemBufferMap(command_queue.cast(), buffer.cast(), u8::from(blocking_map != 0), narrow(map_flags), offset, size, num_events_in_wait_list, event_wait_list.cast(), event.cast(), ret_map)
    }
}
