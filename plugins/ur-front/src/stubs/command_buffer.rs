//! Creation, execution and queries of command buffers. The commands that they record are in the files next to this one.

use super::prelude::*;
use crate::command_buffer::{Command, CommandBuffer, CreatedWith, command_buffer};

stubs! {
    urCommandBufferCreateExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pCommandBufferDesc: *const
        ur_exp_command_buffer_desc_t, phCommandBuffer: *mut ur_exp_command_buffer_handle_t) {
        let (context, device) = (object::<B::Context>(hContext, "hContext")?, of_backend::<B::Device>(hDevice, "hDevice")?);
        let created_with = pCommandBufferDesc.as_ref().map_or_else(CreatedWith::default, |desc| CreatedWith {
            is_updatable: desc.isUpdatable != 0,
            is_in_order: desc.isInOrder != 0,
            enable_profiling: desc.enableProfiling != 0,
        });
        if created_with.is_updatable && !query::flag::<B>(device, DeviceInfo::LAUNCH_UPDATE_SUPPORT) {
            return Err(Error::unsupported(format!(
                "pCommandBufferDesc->isUpdatable: the {} backend cannot change recorded launches", B::BACKEND
            )));
        }
        put(phCommandBuffer, "phCommandBuffer", || {
            CommandBuffer::<B>::create(B::command_buffer_create(context, device)?, created_with, origin(context))
        })
    };

    urCommandBufferRetainExp(hCommandBuffer: ur_exp_command_buffer_handle_t) {
        command_buffer::<B>(hCommandBuffer)?.retain();
        Ok(())
    };

    urCommandBufferReleaseExp(hCommandBuffer: ur_exp_command_buffer_handle_t) {
        command_buffer::<B>(hCommandBuffer)?.release();
        Ok(())
    };

    urCommandBufferFinalizeExp(hCommandBuffer: ur_exp_command_buffer_handle_t) B::command_buffer_finalize(command_buffer::<B>(hCommandBuffer)?.of_backend());

    urEnqueueCommandBufferExp(hQueue: ur_queue_handle_t, hCommandBuffer: ur_exp_command_buffer_handle_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, command_buffer::<B>(hCommandBuffer)?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_command_buffer(buffer.of_backend(), queue, dependencies))
    };

    urCommandBufferEnqueueExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hQueue: ur_queue_handle_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, command_buffer::<B>(hCommandBuffer)?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_command_buffer(buffer.of_backend(), queue, dependencies))
    };

    urCommandBufferGetInfoExp(hCommandBuffer: ur_exp_command_buffer_handle_t, propName: ur_exp_command_buffer_info_t,
        propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize) {
        let buffer = command_buffer::<B>(hCommandBuffer)?;
        let answer = Answer::new(propSize, pPropValue, pPropSizeRet)?;
        match propName {
            UR_EXP_COMMAND_BUFFER_INFO_REFERENCE_COUNT => answer.value(buffer.reference_count()),
            UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR => answer.bytes(&descriptor(buffer.created_with)),
            _ => Err(unknown_query(propName, false)),
        }
    };

    urCommandBufferRetainCommandExp(hCommand: ur_exp_command_buffer_command_handle_t) {
        counted::<Command>(hCommand, "hCommand")?.retain();
        Ok(())
    };

    urCommandBufferReleaseCommandExp(hCommand: ur_exp_command_buffer_command_handle_t) {
        counted::<Command>(hCommand, "hCommand")?.release();
        Ok(())
    };

    urCommandBufferCommandGetInfoExp(hCommand: ur_exp_command_buffer_command_handle_t, propName:
        ur_exp_command_buffer_command_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize) {
        let command = counted::<Command>(hCommand, "hCommand")?;
        let answer = Answer::new(propSize, pPropValue, pPropSizeRet)?;
        match propName {
            // The command buffer itself holds one reference.
            UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT => answer.value(command.reference_count() - 1),
            _ => Err(unknown_query(propName, false)),
        }
    };
}

absent! {
    urCommandBufferAppendNativeCommandExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pfnNativeCommand:
        ur_exp_command_buffer_native_command_function_t, pData: *mut c_void, hChildCommandBuffer:
        ur_exp_command_buffer_handle_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
    urCommandBufferUpdateSignalEventExp(hCommand: ur_exp_command_buffer_command_handle_t, phSignalEvent: *mut
        ur_event_handle_t);
    urCommandBufferUpdateWaitEventsExp(hCommand: ur_exp_command_buffer_command_handle_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t);
    urCommandBufferGetNativeHandleExp(hCommandBuffer: ur_exp_command_buffer_handle_t, phNativeCommandBuffer: *mut
        ur_native_handle_t);
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
