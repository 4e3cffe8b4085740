//! Device globals and host pipes.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urProgramGetFunctionPointer<B: Backend>(
    hDevice: ur_device_handle_t, hProgram: ur_program_handle_t, pFunctionName: *const c_char,
    ppFunctionPointer: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hDevice` and `hProgram` are null or live handles.
    let (device, program) = unsafe { (object(hDevice, "hDevice")?, object(hProgram, "hProgram")?) };
    // SAFETY: `pFunctionName` is null or what its type says.
    let name = unsafe { c_str(pFunctionName, "pFunctionName")? };
    // SAFETY: `ppFunctionPointer` is null or writable.
    unsafe {
        put(ppFunctionPointer, "ppFunctionPointer", || {
            // Callers read the address even after a failure.
            ppFunctionPointer.write(core::ptr::null_mut());
            let address = B::device_function_pointer(device, program, name)?;
            Ok(core::ptr::with_exposed_provenance_mut(address as usize))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urProgramGetGlobalVariablePointer<B: Backend>(
    hDevice: ur_device_handle_t, hProgram: ur_program_handle_t, pGlobalVariableName: *const c_char,
    pGlobalVariableSizeRet: *mut usize, ppGlobalVariablePointerRet: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hDevice` and `hProgram` are null or live handles.
    let (device, program) = unsafe { (object(hDevice, "hDevice")?, object(hProgram, "hProgram")?) };
    // SAFETY: `pGlobalVariableName` is null or what its type says.
    let name = unsafe { c_str(pGlobalVariableName, "pGlobalVariableName")? };
    // SAFETY: `ppGlobalVariablePointerRet` is null or writable.
    unsafe {
        put(ppGlobalVariablePointerRet, "ppGlobalVariablePointerRet", || {
            let (size, address) = B::global_variable_pointer(device, program, name)?;
            if let Some(place) = out_or_null(pGlobalVariableSizeRet) {
                *place = size;
            }
            Ok(address)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueDeviceGlobalVariableWrite<B: Backend>(
    hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, name: *const c_char, blockingWrite: u8,
    count: usize, offset: usize, pSrc: *const c_void, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hProgram` are null or live handles.
    let (queue, program) = unsafe { (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?) };
    // SAFETY: `name` is null or what its type says.
    let (name, pSrc) = (unsafe { c_str(name, "name")? }, address(pSrc, "pSrc")?);
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_device_global_variable_write(
                queue,
                program,
                name,
                blockingWrite != 0,
                count,
                offset,
                pSrc,
                dependencies,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueDeviceGlobalVariableRead<B: Backend>(
    hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, name: *const c_char, blockingRead: u8,
    count: usize, offset: usize, pDst: *mut c_void, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hProgram` are null or live handles.
    let (queue, program) = unsafe { (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?) };
    // SAFETY: `name` is null or what its type says.
    let (name, pDst) = (unsafe { c_str(name, "name")? }, address(pDst, "pDst")?);
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_device_global_variable_read(
                queue,
                program,
                name,
                blockingRead != 0,
                count,
                offset,
                pDst,
                dependencies,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueReadHostPipe<B: Backend>(
    hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, pipe_symbol: *const c_char, blocking: u8,
    pDst: *mut c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hProgram` are null or live handles.
    let (queue, program) = unsafe { (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?) };
    // SAFETY: `pipe_symbol` is null or what its type says.
    let (name, pDst) = (unsafe { c_str(pipe_symbol, "pipe_symbol")? }, address(pDst, "pDst")?);
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_read_host_pipe(queue, program, name, blocking != 0, pDst, size, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueWriteHostPipe<B: Backend>(
    hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, pipe_symbol: *const c_char, blocking: u8,
    pSrc: *mut c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hProgram` are null or live handles.
    let (queue, program) = unsafe { (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?) };
    // SAFETY: `pipe_symbol` is null or what its type says.
    let (name, pSrc) = (unsafe { c_str(pipe_symbol, "pipe_symbol")? }, address(pSrc, "pSrc")?);
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_write_host_pipe(queue, program, name, blocking != 0, pSrc, size, dependencies)
        })
    }
}
