//! Device globals and host pipes.

use super::prelude::*;

stubs! {
    urProgramGetFunctionPointer(hDevice: ur_device_handle_t, hProgram: ur_program_handle_t, pFunctionName: *const
        c_char, ppFunctionPointer: *mut *mut c_void) {
        let (device, program) = (object(hDevice, "hDevice")?, object(hProgram, "hProgram")?);
        let name = c_str(pFunctionName, "pFunctionName")?;
        put(ppFunctionPointer, "ppFunctionPointer", || {
            // Callers read the address even after a failure.
            ppFunctionPointer.write(core::ptr::null_mut());
            let address = B::device_function_pointer(device, program, name)?;
            Ok(core::ptr::with_exposed_provenance_mut(address as usize))
        })
    };

    urProgramGetGlobalVariablePointer(hDevice: ur_device_handle_t, hProgram: ur_program_handle_t, pGlobalVariableName:
        *const c_char, pGlobalVariableSizeRet: *mut usize, ppGlobalVariablePointerRet: *mut *mut c_void) {
        let (device, program) = (object(hDevice, "hDevice")?, object(hProgram, "hProgram")?);
        let name = c_str(pGlobalVariableName, "pGlobalVariableName")?;
        put(ppGlobalVariablePointerRet, "ppGlobalVariablePointerRet", || {
            let (size, address) = B::global_variable_pointer(device, program, name)?;
            if let Some(place) = out_or_null(pGlobalVariableSizeRet) {
                *place = size;
            }
            Ok(address)
        })
    };

    urEnqueueDeviceGlobalVariableWrite(hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, name: *const c_char,
        blockingWrite: u8, count: usize, offset: usize, pSrc: *const c_void, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, program) = (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?);
        let (name, pSrc) = (c_str(name, "name")?, address(pSrc, "pSrc")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_device_global_variable_write(queue, program, name, blockingWrite != 0, count, offset, pSrc, dependencies))
    };

    urEnqueueDeviceGlobalVariableRead(hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, name: *const c_char,
        blockingRead: u8, count: usize, offset: usize, pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, program) = (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?);
        let (name, pDst) = (c_str(name, "name")?, address(pDst, "pDst")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_device_global_variable_read(queue, program, name, blockingRead != 0, count, offset, pDst, dependencies))
    };

    urEnqueueReadHostPipe(hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, pipe_symbol: *const c_char,
        blocking: u8, pDst: *mut c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, program) = (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?);
        let (name, pDst) = (c_str(pipe_symbol, "pipe_symbol")?, address(pDst, "pDst")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_read_host_pipe(queue, program, name, blocking != 0, pDst, size, dependencies))
    };

    urEnqueueWriteHostPipe(hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, pipe_symbol: *const c_char,
        blocking: u8, pSrc: *mut c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, program) = (object(hQueue, "hQueue")?, object(hProgram, "hProgram")?);
        let (name, pSrc) = (c_str(pipe_symbol, "pipe_symbol")?, address(pSrc, "pSrc")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_write_host_pipe(queue, program, name, blocking != 0, pSrc, size, dependencies))
    };
}
