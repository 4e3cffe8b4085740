//! Creation, execution and queries of command buffers. The commands that they record are in the files next to this one.

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, CommandHandle, CreatedWith, command_buffer};

#[entry]
pub unsafe extern "C" fn urCommandBufferCreateExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
    pCommandBufferDesc: *const ur_exp_command_buffer_desc_t,
    phCommandBuffer: *mut ur_exp_command_buffer_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { of_backend::<B::Device>(hDevice, "hDevice")? };
    let created_with =
        // SAFETY: `pCommandBufferDesc` is null or points to what its type says.
        unsafe { pCommandBufferDesc.as_ref() }.map_or_else(CreatedWith::default, |desc| CreatedWith {
            is_updatable: desc.isUpdatable != 0,
            is_in_order: desc.isInOrder != 0,
            enable_profiling: desc.enableProfiling != 0,
        });
    if created_with.is_updatable && !query::flag::<B>(device, DeviceInfo::LAUNCH_UPDATE_SUPPORT) {
        return Err(Error::unsupported(format!(
            "pCommandBufferDesc->isUpdatable: the {} backend cannot change recorded launches",
            B::BACKEND
        )));
    }
    // SAFETY: `phCommandBuffer` is null or writable.
    unsafe {
        put(phCommandBuffer, "phCommandBuffer", || {
            CommandBuffer::<B>::create(
                B::command_buffer_create(context, device)?,
                created_with,
                origin(context),
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferRetainExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    unsafe { command_buffer::<B>(hCommandBuffer)? }.retain();
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urCommandBufferReleaseExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    unsafe { command_buffer::<B>(hCommandBuffer)?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urCommandBufferFinalizeExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    B::command_buffer_finalize(unsafe { command_buffer::<B>(hCommandBuffer)? }.of_backend())
}

#[entry]
pub unsafe extern "C" fn urEnqueueCommandBufferExp<B: Backend>(
    hQueue: ur_queue_handle_t, hCommandBuffer: ur_exp_command_buffer_handle_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hCommandBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, command_buffer::<B>(hCommandBuffer)?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_command_buffer(buffer.of_backend(), queue, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferEnqueueExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hQueue: ur_queue_handle_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hCommandBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, command_buffer::<B>(hCommandBuffer)?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_command_buffer(buffer.of_backend(), queue, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferGetInfoExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, propName: ur_exp_command_buffer_info_t, propSize: usize,
    pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let buffer = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    match propName {
        UR_EXP_COMMAND_BUFFER_INFO_REFERENCE_COUNT => answer.value(buffer.reference_count()),
        UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR => answer.bytes(&descriptor(buffer.created_with)),
        _ => Err(unknown_query(propName, false)),
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferRetainCommandExp<B: Backend>(
    hCommand: ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommand` is null or a live handle.
    unsafe { counted::<CommandHandle>(hCommand, "hCommand")? }.retain();
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urCommandBufferReleaseCommandExp<B: Backend>(
    hCommand: ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommand` is null or a live handle.
    unsafe { counted::<CommandHandle>(hCommand, "hCommand")?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urCommandBufferCommandGetInfoExp<B: Backend>(
    hCommand: ur_exp_command_buffer_command_handle_t, propName: ur_exp_command_buffer_command_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hCommand` is null or a live handle.
    let command = unsafe { counted::<CommandHandle>(hCommand, "hCommand")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    match propName {
        // The command buffer itself holds one reference.
        UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT => answer.value(command.reference_count() - 1),
        _ => Err(unknown_query(propName, false)),
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendNativeCommandExp<B: Backend>(
    _hCommandBuffer: ur_exp_command_buffer_handle_t,
    _pfnNativeCommand: ur_exp_command_buffer_native_command_function_t, _pData: *mut c_void,
    _hChildCommandBuffer: ur_exp_command_buffer_handle_t, _numSyncPointsInWaitList: u32,
    _pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    _pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> Result<()> {
    no_such_function::<B>()
}

#[entry]
pub unsafe extern "C" fn urCommandBufferUpdateSignalEventExp<B: Backend>(
    _hCommand: ur_exp_command_buffer_command_handle_t, _phSignalEvent: *mut ur_event_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

#[entry]
pub unsafe extern "C" fn urCommandBufferUpdateWaitEventsExp<B: Backend>(
    _hCommand: ur_exp_command_buffer_command_handle_t, _numEventsInWaitList: u32,
    _phEventWaitList: *const ur_event_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

#[entry]
pub unsafe extern "C" fn urCommandBufferGetNativeHandleExp<B: Backend>(
    _hCommandBuffer: ur_exp_command_buffer_handle_t, _phNativeCommandBuffer: *mut ur_native_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

/// Returns the `ur_exp_command_buffer_desc_t` of a command buffer as bytes.
fn descriptor(created_with: CreatedWith) -> [u8; size_of::<ur_exp_command_buffer_desc_t>()] {
    use core::mem::offset_of;
    let mut bytes = [0; size_of::<ur_exp_command_buffer_desc_t>()];
    bytes[..4].copy_from_slice(&UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC.to_ne_bytes());
    bytes[offset_of!(ur_exp_command_buffer_desc_t, isUpdatable)] = created_with.is_updatable.into();
    bytes[offset_of!(ur_exp_command_buffer_desc_t, isInOrder)] = created_with.is_in_order.into();
    bytes[offset_of!(ur_exp_command_buffer_desc_t, enableProfiling)] = created_with.enable_profiling.into();
    bytes
}
