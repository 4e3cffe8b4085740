//! Functions, variables and host pipes, looked up in a program by the name of a symbol.

stubs! {
    piextGetDeviceFunctionPointer(device: pi_device, program: pi_program, function_name: *const c_char,
        function_pointer_ret: *mut pi_uint64) {
        let (device, program) = (object(device, "device")?, object(program, "program")?);
        let name = c_str(function_name, "function_name")?;
        // The address is set to 0 until one is found, because callers read it even after an error.
        address(function_pointer_ret, "function_pointer_ret")?;
        function_pointer_ret.write(0);
        put(function_pointer_ret, "function_pointer_ret", || B::device_function_pointer(device, program, name))
    };

    piextGetGlobalVariablePointer(device: pi_device, program: pi_program, name: *const c_char, size: *mut usize,
        pointer: *mut *mut c_void) {
        let (device, program) = (object(device, "Device")?, object(program, "Program")?);
        let name = c_str(name, "GlobalVariableName")?;
        put(pointer, "GlobalVariablePointerRet", || {
            let (bytes, address) = B::global_variable_pointer(device, program, name)?;
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
        B::enqueue_device_global_variable_read(queue, program, c_str(name, "name")?, blocking_read != 0, count,
            offset, address(dst, "dst")?, dependencies(num_events, events, event)?)
    };

    piextEnqueueDeviceGlobalVariableWrite(queue: pi_queue, program: pi_program, name: *const c_char,
        blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::enqueue_device_global_variable_write(queue, program, c_str(name, "name")?, blocking_write != 0, count,
            offset, address(src, "src")?, dependencies(num_events, events, event)?)
    };

    piextEnqueueReadHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool,
        ptr: *mut c_void, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::enqueue_read_host_pipe(queue, program, c_str(pipe_symbol, "pipe_symbol")?, blocking != 0,
            address(ptr, "ptr")?, size, dependencies(num_events, events, event)?)
    };

    piextEnqueueWriteHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool,
        ptr: *mut c_void, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, program) = (object(queue, "queue")?, object(program, "program")?);
        B::enqueue_write_host_pipe(queue, program, c_str(pipe_symbol, "pipe_symbol")?, blocking != 0,
            address(ptr, "ptr")?, size, dependencies(num_events, events, event)?)
    };
}
