//! What is found in a program by a symbol's name: functions, variables, host pipes.

use core::ffi::{CStr, c_void};

use sycl_pi_core::*;

use crate::Order;

api! {
    /// Symbols of built programs.
    trait SymbolApi {
        /// Address of a function on the device.
        fn piextGetDeviceFunctionPointer(device: &Self::Device, program: &Self::Program, name: &CStr) -> pi_uint64;
        /// Size in bytes and address of a variable on the device.
        fn piextGetGlobalVariablePointer(device: &Self::Device, program: &Self::Program, name: &CStr)
            -> (usize, *mut c_void);
        /// Device variable to host: `count` bytes from `offset` on. Also exported as `piextEnqueueDeviceVariableRead`.
        fn piextEnqueueDeviceGlobalVariableRead(queue: &Self::Queue, program: &Self::Program, name: &CStr,
            blocking: bool, count: usize, offset: usize, dst: *mut c_void, order: Order<'_, Self::Event>);
        /// Host to device variable. Also exported as `piextEnqueueDeviceVariableWrite`.
        fn piextEnqueueDeviceGlobalVariableWrite(queue: &Self::Queue, program: &Self::Program, name: &CStr,
            blocking: bool, count: usize, offset: usize, src: *const c_void, order: Order<'_, Self::Event>);
        /// Takes `size` bytes out of a host pipe.
        fn piextEnqueueReadHostPipe(queue: &Self::Queue, program: &Self::Program, pipe: &CStr, blocking: bool,
            ptr: *mut c_void, size: usize, order: Order<'_, Self::Event>);
        /// Puts `size` bytes into a host pipe.
        fn piextEnqueueWriteHostPipe(queue: &Self::Queue, program: &Self::Program, pipe: &CStr, blocking: bool,
            ptr: *mut c_void, size: usize, order: Order<'_, Self::Event>);
    }
}

stubs! {
    piextGetDeviceFunctionPointer(device: pi_device, program: pi_program, function_name: *const c_char,
        function_pointer_ret: *mut pi_uint64) {
        let (device, program) = (object(device, "device")?, object(program, "program")?);
        let name = c_str(function_name, "function_name")?;
        // The address is 0 whenever there is none: callers look at it even after an error.
        address(function_pointer_ret, "function_pointer_ret")?;
        function_pointer_ret.write(0);
        put(function_pointer_ret, "function_pointer_ret", || B::piextGetDeviceFunctionPointer(device, program, name))
    };

    piextGetGlobalVariablePointer(device: pi_device, program: pi_program, name: *const c_char, size: *mut usize,
        pointer: *mut *mut c_void) {
        let (device, program) = (object(device, "Device")?, object(program, "Program")?);
        let name = c_str(name, "GlobalVariableName")?;
        put(pointer, "GlobalVariablePointerRet", || {
            let (bytes, address) = B::piextGetGlobalVariablePointer(device, program, name)?;
            if let Some(out) = out_or_null(size) {
                *out = bytes;
            }
            Ok(address)
        })
    };

    piextEnqueueDeviceGlobalVariableRead(queue: pi_queue, program: pi_program, name: *const c_char,
        blocking_read: pi_bool, count: usize, offset: usize, dst: *mut c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::piextEnqueueDeviceGlobalVariableRead(queue, program, c_str(name, "name")?, blocking_read != 0, count,
            offset, address(dst, "dst")?, order(num_events, events, event)?)
    };

    piextEnqueueDeviceGlobalVariableWrite(queue: pi_queue, program: pi_program, name: *const c_char,
        blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::piextEnqueueDeviceGlobalVariableWrite(queue, program, c_str(name, "name")?, blocking_write != 0, count,
            offset, address(src, "src")?, order(num_events, events, event)?)
    };

    piextEnqueueReadHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool,
        ptr: *mut c_void, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::piextEnqueueReadHostPipe(queue, program, c_str(pipe_symbol, "pipe_symbol")?, blocking != 0,
            address(ptr, "ptr")?, size, order(num_events, events, event)?)
    };

    piextEnqueueWriteHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool,
        ptr: *mut c_void, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::piextEnqueueWriteHostPipe(queue, program, c_str(pipe_symbol, "pipe_symbol")?, blocking != 0,
            address(ptr, "ptr")?, size, order(num_events, events, event)?)
    };
}
