//! Command buffers.

use super::prelude::*;

absent! {
    urEnqueueCommandBufferExp(hQueue: ur_queue_handle_t, hCommandBuffer: ur_exp_command_buffer_handle_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
    urCommandBufferCreateExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pCommandBufferDesc: *const
        ur_exp_command_buffer_desc_t, phCommandBuffer: *mut ur_exp_command_buffer_handle_t);
    urCommandBufferRetainExp(hCommandBuffer: ur_exp_command_buffer_handle_t);
    urCommandBufferReleaseExp(hCommandBuffer: ur_exp_command_buffer_handle_t);
    urCommandBufferFinalizeExp(hCommandBuffer: ur_exp_command_buffer_handle_t);
    urCommandBufferAppendKernelLaunchExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t,
        workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
        numKernelAlternatives: u32, phKernelAlternatives: *mut ur_kernel_handle_t, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut
        ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendKernelLaunchExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel:
        ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize,
        pLocalWorkSize: *const usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendKernelLaunchWithArgsExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel:
        ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize,
        pLocalWorkSize: *const usize, numArgs: u32, pArgs: *const ur_exp_kernel_arg_properties_t,
        numKernelAlternatives: u32, phKernelAlternatives: *mut ur_kernel_handle_t, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut
        ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendUSMMemcpyExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void, pSrc: *const
        c_void, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendUSMMemcpyExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void,
        pSrc: *const c_void, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendUSMFillExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void, pPattern:
        *const c_void, patternSize: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendUSMFillExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void,
        pPattern: *const c_void, patternSize: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList:
        *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferCopyExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t,
        hDstMem: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut
        ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferCopyExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem:
        ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferWriteExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t,
        offset: usize, size: usize, pSrc: *const c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferWriteExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, offset: usize, size: usize, pSrc: *const c_void, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferReadExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t,
        offset: usize, size: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferReadExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, offset: usize, size: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferCopyRectExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem:
        ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region:
        ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferCopyRectExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem:
        ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region:
        ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferWriteRectExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferWriteRectExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferReadRectExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferReadRectExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendMemBufferFillExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t,
        pPattern: *const c_void, patternSize: usize, offset: usize, size: usize, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut
        ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendMemBufferFillExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, pPattern: *const c_void, patternSize: usize, offset: usize, size: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendUSMPrefetchExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size:
        usize, flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendUSMPrefetchExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const
        c_void, size: usize, flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
    urCommandBufferAppendUSMAdviseExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size:
        usize, advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t);
    urCommandBufferAppendUSMAdviseExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const
        c_void, size: usize, advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
    urCommandBufferEnqueueExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hQueue: ur_queue_handle_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
    urCommandBufferAppendNativeCommandExp(hCommandBuffer: ur_exp_command_buffer_handle_t, pfnNativeCommand:
        ur_exp_command_buffer_native_command_function_t, pData: *mut c_void, hChildCommandBuffer:
        ur_exp_command_buffer_handle_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
    urCommandBufferRetainCommandExp(hCommand: ur_exp_command_buffer_command_handle_t);
    urCommandBufferReleaseCommandExp(hCommand: ur_exp_command_buffer_command_handle_t);
    urCommandBufferUpdateKernelLaunchExp(hCommandBuffer: ur_exp_command_buffer_handle_t, numKernelUpdates: u32,
        pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t);
    urCommandBufferUpdateKernelLaunchExp_until_2025_0(hCommand: ur_exp_command_buffer_command_handle_t,
        pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0);
    urCommandBufferUpdateKernelLaunchExp_until_2025_1(hCommand: ur_exp_command_buffer_command_handle_t,
        pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1);
    urCommandBufferUpdateSignalEventExp(hCommand: ur_exp_command_buffer_command_handle_t, phSignalEvent: *mut
        ur_event_handle_t);
    urCommandBufferUpdateWaitEventsExp(hCommand: ur_exp_command_buffer_command_handle_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t);
    urCommandBufferGetInfoExp(hCommandBuffer: ur_exp_command_buffer_handle_t, propName: ur_exp_command_buffer_info_t,
        propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
    urCommandBufferGetNativeHandleExp(hCommandBuffer: ur_exp_command_buffer_handle_t, phNativeCommandBuffer: *mut
        ur_native_handle_t);
    urCommandBufferCommandGetInfoExp(hCommand: ur_exp_command_buffer_command_handle_t, propName:
        ur_exp_command_buffer_command_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
}
