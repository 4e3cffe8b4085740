//! Commands on unified shared memory, recorded in command buffers.

use sycl_pi_backend::api::{CommandToRecord, check_pattern};

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, Place, command_buffer};

stubs! {
    urCommandBufferAppendUSMMemcpyExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void, pSrc: *const
        c_void, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (dst, src) = (address(pDst, "pDst")?, address(pSrc, "pSrc")?);
        let command = CommandToRecord::UsmMemcpy { dst, src, size };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendUSMFillExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void, pPattern:
        *const c_void, patternSize: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let ptr = address(pMemory, "pMemory")?;
        let pattern = bytes(patternSize, pPattern, "pPattern")?;
        // libsycl omits empty fills from queues, but not from graphs.
        if size > 0 {
            check_pattern(pattern.len(), size)?;
        }
        let command = CommandToRecord::UsmFill { ptr, pattern, size };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendUSMPrefetchExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size:
        usize, flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let ptr = address(pMemory, "pMemory")?;
        known_flags(flags, UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE | UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST, "flags")?;
        let command = match flags {
            // A prefetch to the host has no counterpart, so an empty fill preserves the order instead.
            UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST => CommandToRecord::UsmFill { ptr, pattern: &[0], size: 0 },
            _ => CommandToRecord::UsmPrefetch { ptr, size, flags: UsmMigrationFlags::empty() },
        };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendUSMAdviseExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size:
        usize, advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let ptr = address(pMemory, "pMemory")?;
        let advice = convert::advice(advice)?;
        let command = CommandToRecord::UsmAdvise { ptr, length: size, advice };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };
}

without_events! {
    urCommandBufferAppendUSMMemcpyExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void,
        pSrc: *const c_void, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendUSMMemcpyExp(hCommandBuffer, pDst, pSrc, size);

    urCommandBufferAppendUSMFillExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void,
        pPattern: *const c_void, patternSize: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList:
        *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendUSMFillExp(hCommandBuffer, pMemory, pPattern, patternSize, size);

    urCommandBufferAppendUSMPrefetchExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const
        c_void, size: usize, flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendUSMPrefetchExp(hCommandBuffer, pMemory, size, flags);

    urCommandBufferAppendUSMAdviseExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const
        c_void, size: usize, advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendUSMAdviseExp(hCommandBuffer, pMemory, size, advice);
}
