//! Functions, variables and host pipes, looked up in a program by the name of a symbol.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piextGetDeviceFunctionPointer<B: Backend>(
    device: pi_device, program: pi_program, function_name: *const c_char,
    function_pointer_ret: *mut pi_uint64,
) -> Result<()> {
    // SAFETY: `device` and `program` are null or live handles.
    let (device, program) = unsafe { (object(device, "device")?, object(program, "program")?) };
    // SAFETY: `function_name` is null or what its type says.
    let name = unsafe { c_str(function_name, "function_name")? };
    // The address is set to 0 until one is found, because callers read it even after an error.
    address(function_pointer_ret, "function_pointer_ret")?;
    // SAFETY: `function_pointer_ret` is not null, so it is writable.
    unsafe { function_pointer_ret.write(0) };
    // SAFETY: `function_pointer_ret` is null or writable.
    unsafe {
        put(function_pointer_ret, "function_pointer_ret", || {
            B::device_function_pointer(device, program, name)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextGetGlobalVariablePointer<B: Backend>(
    device: pi_device, program: pi_program, name: *const c_char, size: *mut usize, pointer: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `device` and `program` are null or live handles.
    let (device, program) = unsafe { (object(device, "Device")?, object(program, "Program")?) };
    // SAFETY: `name` is null or what its type says.
    let name = unsafe { c_str(name, "GlobalVariableName")? };
    // SAFETY: `pointer` is null or writable.
    unsafe {
        put(pointer, "GlobalVariablePointerRet", || {
            let (bytes, address) = B::global_variable_pointer(device, program, name)?;
            if let Some(out) = out_or_null(size) {
                *out = bytes;
            }
            Ok(address)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextEnqueueDeviceGlobalVariableRead<B: Backend>(
    queue: pi_queue, program: pi_program, name: *const c_char, blocking_read: pi_bool, count: usize,
    offset: usize, dst: *mut c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `program` are null or live handles.
    let (queue, program) = unsafe { (object(queue, "queue")?, object(program, "program")?) };
    B::enqueue_device_global_variable_read(
        queue,
        program,
        // SAFETY: `name` is null or what its type says.
        unsafe { c_str(name, "name")? },
        blocking_read != 0,
        count,
        offset,
        address(dst, "dst")?,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextEnqueueDeviceGlobalVariableWrite<B: Backend>(
    queue: pi_queue, program: pi_program, name: *const c_char, blocking_write: pi_bool, count: usize,
    offset: usize, src: *const c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `program` are null or live handles.
    let (queue, program) = unsafe { (object(queue, "queue")?, object(program, "program")?) };
    B::enqueue_device_global_variable_write(
        queue,
        program,
        // SAFETY: `name` is null or what its type says.
        unsafe { c_str(name, "name")? },
        blocking_write != 0,
        count,
        offset,
        address(src, "src")?,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextEnqueueReadHostPipe<B: Backend>(
    queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void,
    size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `program` are null or live handles.
    let (queue, program) = unsafe { (object(queue, "queue")?, object(program, "program")?) };
    B::enqueue_read_host_pipe(
        queue,
        program,
        // SAFETY: `pipe_symbol` is null or what its type says.
        unsafe { c_str(pipe_symbol, "pipe_symbol")? },
        blocking != 0,
        address(ptr, "ptr")?,
        size,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextEnqueueWriteHostPipe<B: Backend>(
    queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void,
    size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `program` are null or live handles.
    let (queue, program) = unsafe { (object(queue, "queue")?, object(program, "program")?) };
    B::enqueue_write_host_pipe(
        queue,
        program,
        // SAFETY: `pipe_symbol` is null or what its type says.
        unsafe { c_str(pipe_symbol, "pipe_symbol")? },
        blocking != 0,
        address(ptr, "ptr")?,
        size,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}
