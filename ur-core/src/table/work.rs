//! The second part of the list: functions that move data and start work, and the extensions.

/// The rows of work, which follow those of the first part. Passes all rows to the consumer.
#[doc(hidden)]
#[macro_export]
macro_rules! functions_of_work {
    ({$($consumer:tt)*} ($($extra:tt)*) $($rows:tt)*) => {
        $($consumer)*! { ($($extra)*)
            $($rows)*

            // Symbol
            [Symbol] urProgramGetFunctionPointer Program [7 7 7 7 7 7 7]
                (hDevice: ur_device_handle_t, hProgram: ur_program_handle_t, pFunctionName: *const c_char, ppFunctionPointer: *mut *mut c_void);
            [Symbol] urProgramGetGlobalVariablePointer Program [8 8 8 8 8 8 8]
                (hDevice: ur_device_handle_t, hProgram: ur_program_handle_t, pGlobalVariableName: *const c_char, pGlobalVariableSizeRet: *mut usize, ppGlobalVariablePointerRet: *mut *mut c_void);
            [Symbol] urEnqueueDeviceGlobalVariableWrite Enqueue [21 21 21 21 21 21 20]
                (hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, name: *const c_char, blockingWrite: u8, count: usize, offset: usize, pSrc: *const c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Symbol] urEnqueueDeviceGlobalVariableRead Enqueue [22 22 22 22 22 22 21]
                (hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, name: *const c_char, blockingRead: u8, count: usize, offset: usize, pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Symbol] urEnqueueReadHostPipe Enqueue [23 23 23 23 23 23 22]
                (hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, pipe_symbol: *const c_char, blocking: u8, pDst: *mut c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Symbol] urEnqueueWriteHostPipe Enqueue [24 24 24 24 24 24 23]
                (hQueue: ur_queue_handle_t, hProgram: ur_program_handle_t, pipe_symbol: *const c_char, blocking: u8, pSrc: *mut c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);

            // Peer
            [Peer] urUsmP2PEnablePeerAccessExp UsmP2PExp [0 0 0 0 0 0 0]
                (commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t);
            [Peer] urUsmP2PDisablePeerAccessExp UsmP2PExp [1 1 1 1 1 1 1]
                (commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t);
            [Peer] urUsmP2PPeerAccessGetInfoExp UsmP2PExp [2 2 2 2 2 2 2]
                (commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t, propName: ur_exp_peer_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);

            // Ipc
            [Ipc] urIPCGetMemHandleExp IPCExp [_ _ _ _ 0 0 0]
                (hContext: ur_context_handle_t, pMem: *mut c_void, ppIPCMemHandleData: *mut *mut c_void, pIPCMemHandleDataSizeRet: *mut usize);
            [Ipc] urIPCPutMemHandleExp IPCExp [_ _ _ _ 1 1 1]
                (hContext: ur_context_handle_t, pIPCMemHandleData: *mut c_void);
            [Ipc] urIPCOpenMemHandleExp IPCExp [_ _ _ _ 2 2 2]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pIPCMemHandleData: *mut c_void, ipcMemHandleDataSize: usize, ppMem: *mut *mut c_void);
            [Ipc] urIPCCloseMemHandleExp IPCExp [_ _ _ _ 3 3 3]
                (hContext: ur_context_handle_t, pMem: *mut c_void);
            [Ipc] urIPCGetPhysMemHandleExp IPCExp [_ _ _ _ _ _ 4]
                (hContext: ur_context_handle_t, hPhysMem: ur_physical_mem_handle_t, ppIPCPhysMemHandleData: *mut *mut c_void, pIPCPhysMemHandleDataSizeRet: *mut usize);
            [Ipc] urIPCPutPhysMemHandleExp IPCExp [_ _ _ _ _ _ 5]
                (hContext: ur_context_handle_t, pIPCPhysMemHandleData: *const c_void);
            [Ipc] urIPCOpenPhysMemHandleExp IPCExp [_ _ _ _ _ _ 6]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pIPCPhysMemHandleData: *const c_void, ipcPhysMemHandleDataSize: usize, phPhysMem: *mut ur_physical_mem_handle_t);
            [Ipc] urIPCClosePhysMemHandleExp IPCExp [_ _ _ _ _ _ 7]
                (hContext: ur_context_handle_t, hPhysMem: ur_physical_mem_handle_t);
            [Ipc] urIPCGetEventHandleExp IPCExp [_ _ _ _ _ _ 8]
                (hEvent: ur_event_handle_t, ppIPCEventHandleData: *mut *mut c_void, pIPCEventHandleDataSizeRet: *mut usize);
            [Ipc] urIPCPutEventHandleExp IPCExp [_ _ _ _ _ _ 9]
                (hContext: ur_context_handle_t, pIPCEventHandleData: *mut c_void);
            [Ipc] urIPCOpenEventHandleExp IPCExp [_ _ _ _ _ _ 10]
                (hContext: ur_context_handle_t, pIPCEventHandleData: *const c_void, ipcEventHandleDataSize: usize, phEvent: *mut ur_event_handle_t);

            // MemoryExport
            [MemoryExport] urMemoryExportAllocExportableMemoryExp MemoryExportExp [_ _ _ 0 0 0 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, alignment: usize, size: usize, handleTypeToExport: ur_exp_external_mem_type_t, ppMem: *mut *mut c_void);
            [MemoryExport] urMemoryExportFreeExportableMemoryExp MemoryExportExp [_ _ _ 1 1 1 1]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut c_void);
            [MemoryExport] urMemoryExportExportMemoryHandleExp MemoryExportExp [_ _ _ 2 2 2 2]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, handleTypeToExport: ur_exp_external_mem_type_t, pMem: *mut c_void, pMemHandleRet: *mut c_void);

            // TensorMap
            [TensorMap] urTensorMapEncodeIm2ColExp TensorMapExp [_ 0 _ _ _ _ _]
                (hDevice: ur_device_handle_t, TensorMapType: ur_exp_tensor_map_data_type_flags_t, TensorRank: u32, GlobalAddress: *mut c_void, GlobalDim: *const u64, GlobalStrides: *const u64, PixelBoxLowerCorner: *const c_int, PixelBoxUpperCorner: *const c_int, ChannelsPerPixel: u32, PixelsPerColumn: u32, ElementStrides: *const u32, Interleave: ur_exp_tensor_map_interleave_flags_t, Swizzle: ur_exp_tensor_map_swizzle_flags_t, L2Promotion: ur_exp_tensor_map_l2_promotion_flags_t, OobFill: ur_exp_tensor_map_oob_fill_flags_t, hTensorMap: *mut ur_exp_tensor_map_handle_t);
            [TensorMap] urTensorMapEncodeTiledExp TensorMapExp [_ 1 _ _ _ _ _]
                (hDevice: ur_device_handle_t, TensorMapType: ur_exp_tensor_map_data_type_flags_t, TensorRank: u32, GlobalAddress: *mut c_void, GlobalDim: *const u64, GlobalStrides: *const u64, BoxDim: *const u32, ElementStrides: *const u32, Interleave: ur_exp_tensor_map_interleave_flags_t, Swizzle: ur_exp_tensor_map_swizzle_flags_t, L2Promotion: ur_exp_tensor_map_l2_promotion_flags_t, OobFill: ur_exp_tensor_map_oob_fill_flags_t, hTensorMap: *mut ur_exp_tensor_map_handle_t);

            // Enqueue
            [Enqueue] urEnqueueEventsWait Enqueue [1 1 1 1 1 1 0]
                (hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueKernelLaunch Enqueue [0 0 0 0 0 0 _]
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, launchPropList: *const ur_kernel_launch_ext_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t)
                until V2025_2 => urEnqueueKernelLaunch_until_2025_2
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t)
                until V2025_3 => urEnqueueKernelLaunch_until_2025_3
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32, launchPropList: *const ur_kernel_launch_property_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueEventsWaitWithBarrier Enqueue [2 2 2 2 2 2 1]
                (hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferRead Enqueue [3 3 3 3 3 3 2]
                (hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingRead: u8, offset: usize, size: usize, pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferWrite Enqueue [4 4 4 4 4 4 3]
                (hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingWrite: u8, offset: usize, size: usize, pSrc: *const c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferReadRect Enqueue [5 5 5 5 5 5 4]
                (hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingRead: u8, bufferOrigin: ur_rect_offset_t, hostOrigin: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferWriteRect Enqueue [6 6 6 6 6 6 5]
                (hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingWrite: u8, bufferOrigin: ur_rect_offset_t, hostOrigin: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferCopy Enqueue [7 7 7 7 7 7 6]
                (hQueue: ur_queue_handle_t, hBufferSrc: ur_mem_handle_t, hBufferDst: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferCopyRect Enqueue [8 8 8 8 8 8 7]
                (hQueue: ur_queue_handle_t, hBufferSrc: ur_mem_handle_t, hBufferDst: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferFill Enqueue [9 9 9 9 9 9 8]
                (hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void, patternSize: usize, offset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemImageRead Enqueue [10 10 10 10 10 10 9]
                (hQueue: ur_queue_handle_t, hImage: ur_mem_handle_t, blockingRead: u8, origin: ur_rect_offset_t, region: ur_rect_region_t, rowPitch: usize, slicePitch: usize, pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemImageWrite Enqueue [11 11 11 11 11 11 10]
                (hQueue: ur_queue_handle_t, hImage: ur_mem_handle_t, blockingWrite: u8, origin: ur_rect_offset_t, region: ur_rect_region_t, rowPitch: usize, slicePitch: usize, pSrc: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemImageCopy Enqueue [12 12 12 12 12 12 11]
                (hQueue: ur_queue_handle_t, hImageSrc: ur_mem_handle_t, hImageDst: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueMemBufferMap Enqueue [13 13 13 13 13 13 12]
                (hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingMap: u8, mapFlags: ur_map_flags_t, offset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t, ppRetMap: *mut *mut c_void);
            [Enqueue] urEnqueueMemUnmap Enqueue [14 14 14 14 14 14 13]
                (hQueue: ur_queue_handle_t, hMem: ur_mem_handle_t, pMappedPtr: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueEventsWaitWithBarrierExt Enqueue [_ 25 25 25 25 25 24]
                (hQueue: ur_queue_handle_t, pProperties: *const ur_exp_enqueue_ext_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueKernelLaunchCustomExp EnqueueExp [0 0 0 _ _ _ _]
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32, launchPropList: *const ur_exp_launch_property_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t)
                until V2025_0 => urEnqueueKernelLaunchCustomExp_until_2025_0
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32, launchPropList: *const ur_exp_launch_property_t_until_2025_0, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueKernelLaunchWithArgsExp EnqueueExp [_ _ _ _ 0 0 0]
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numArgs: u32, pArgs: *const ur_exp_kernel_arg_properties_t, launchPropList: *const ur_kernel_launch_ext_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueTimestampRecordingExp EnqueueExp [2 2 7 5 6 6 5]
                (hQueue: ur_queue_handle_t, blocking: u8, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueCooperativeKernelLaunchExp EnqueueExp [1 1 6 _ _ _ _]
                (hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueHostTaskExp EnqueueExp [_ _ _ _ 7 7 7]
                (hQueue: ur_queue_handle_t, pfnHostTask: ur_exp_host_task_function_t, data: *mut c_void, pProperties: *const ur_exp_host_task_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Enqueue] urEnqueueNativeCommandExp EnqueueExp [3 3 8 7 8 8 8]
                (hQueue: ur_queue_handle_t, pfnNativeEnqueue: ur_exp_enqueue_native_command_function_t, data: *mut c_void, numMemsInMemList: u32, phMemList: *const ur_mem_handle_t, pProperties: *const ur_exp_enqueue_native_command_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);

            // Usm
            [Usm] urEnqueueUSMFill Enqueue [15 15 15 15 15 15 14]
                (hQueue: ur_queue_handle_t, pMem: *mut c_void, patternSize: usize, pPattern: *const c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMMemcpy Enqueue [16 16 16 16 16 16 15]
                (hQueue: ur_queue_handle_t, blocking: u8, pDst: *mut c_void, pSrc: *const c_void, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMPrefetch Enqueue [17 17 17 17 17 17 16]
                (hQueue: ur_queue_handle_t, pMem: *const c_void, size: usize, flags: ur_usm_migration_flags_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMAdvise Enqueue [18 18 18 18 18 18 17]
                (hQueue: ur_queue_handle_t, pMem: *const c_void, size: usize, advice: ur_usm_advice_flags_t, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMFill2D Enqueue [19 19 19 19 19 19 18]
                (hQueue: ur_queue_handle_t, pMem: *mut c_void, pitch: usize, patternSize: usize, pPattern: *const c_void, width: usize, height: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMMemcpy2D Enqueue [20 20 20 20 20 20 19]
                (hQueue: ur_queue_handle_t, blocking: u8, pDst: *mut c_void, dstPitch: usize, pSrc: *const c_void, srcPitch: usize, width: usize, height: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMDeviceAllocExp EnqueueExp [_ _ 1 0 1 1 1]
                (hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, size: usize, pProperties: *const ur_exp_async_usm_alloc_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, ppMem: *mut *mut c_void, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMSharedAllocExp EnqueueExp [_ _ 2 1 2 2 2]
                (hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, size: usize, pProperties: *const ur_exp_async_usm_alloc_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, ppMem: *mut *mut c_void, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMHostAllocExp EnqueueExp [_ _ 3 2 3 3 3]
                (hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, size: usize, pProperties: *const ur_exp_async_usm_alloc_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, ppMem: *mut *mut c_void, phEvent: *mut ur_event_handle_t);
            [Usm] urEnqueueUSMFreeExp EnqueueExp [_ _ 4 3 4 4 4]
                (hQueue: ur_queue_handle_t, pPool: ur_usm_pool_handle_t, pMem: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Usm] urUSMHostAlloc USM [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, pUSMDesc: *const ur_usm_desc_t, pool: ur_usm_pool_handle_t, size: usize, ppMem: *mut *mut c_void);
            [Usm] urUSMDeviceAlloc USM [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pUSMDesc: *const ur_usm_desc_t, pool: ur_usm_pool_handle_t, size: usize, ppMem: *mut *mut c_void);
            [Usm] urUSMSharedAlloc USM [2 2 2 2 2 2 2]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pUSMDesc: *const ur_usm_desc_t, pool: ur_usm_pool_handle_t, size: usize, ppMem: *mut *mut c_void);
            [Usm] urUSMFree USM [3 3 3 3 3 3 3]
                (hContext: ur_context_handle_t, pMem: *mut c_void);
            [Usm] urUSMGetMemAllocInfo USM [4 4 4 4 4 4 4]
                (hContext: ur_context_handle_t, pMem: *const c_void, propName: ur_usm_alloc_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Usm] urUSMPoolCreate USM [5 5 5 5 5 5 5]
                (hContext: ur_context_handle_t, pPoolDesc: *mut ur_usm_pool_desc_t, ppPool: *mut ur_usm_pool_handle_t);
            [Usm] urUSMPoolRetain USM [6 6 6 6 6 6 6]
                (pPool: ur_usm_pool_handle_t);
            [Usm] urUSMPoolRelease USM [7 7 7 7 7 7 7]
                (pPool: ur_usm_pool_handle_t);
            [Usm] urUSMPoolGetInfo USM [8 8 8 8 8 8 8]
                (hPool: ur_usm_pool_handle_t, propName: ur_usm_pool_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Usm] urUSMPoolCreateExp USMExp [_ _ 0 0 0 0 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pPoolDesc: *mut ur_usm_pool_desc_t, pPool: *mut ur_usm_pool_handle_t);
            [Usm] urUSMPoolDestroyExp USMExp [_ _ 1 1 1 1 1]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t);
            [Usm] urUSMPoolGetDefaultDevicePoolExp USMExp [_ _ 3 2 2 2 2]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pPool: *mut ur_usm_pool_handle_t);
            [Usm] urUSMPoolSetThresholdExp USMExp [_ _ 2 _ _ _ _]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t, newThreshold: usize);
            [Usm] urUSMPoolGetInfoExp USMExp [_ _ 4 3 3 3 3]
                (hPool: ur_usm_pool_handle_t, propName: ur_usm_pool_info_t, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Usm] urUSMPoolSetInfoExp USMExp [_ _ _ 4 4 4 4]
                (hPool: ur_usm_pool_handle_t, propName: ur_usm_pool_info_t, pPropValue: *mut c_void, propSize: usize);
            [Usm] urUSMPoolSetDevicePoolExp USMExp [_ _ 5 5 5 5 5]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t);
            [Usm] urUSMPoolGetDevicePoolExp USMExp [_ _ 6 6 6 6 6]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pPool: *mut ur_usm_pool_handle_t);
            [Usm] urUSMPoolTrimToExp USMExp [_ _ 7 7 7 7 7]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t, minBytesToKeep: usize);
            [Usm] urUSMPitchedAllocExp USMExp [0 0 8 8 8 8 8]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pUSMDesc: *const ur_usm_desc_t, pool: ur_usm_pool_handle_t, widthInBytes: usize, height: usize, elementSizeBytes: usize, ppMem: *mut *mut c_void, pResultPitch: *mut usize);
            [Usm] urUSMContextMemcpyExp USMExp [_ _ _ 9 9 9 9]
                (hContext: ur_context_handle_t, pDst: *mut c_void, pSrc: *const c_void, size: usize);
            [Usm] urUSMHostAllocUnregisterExp USMExp [_ _ _ _ _ _ 10]
                (hContext: ur_context_handle_t, pHostMem: *mut c_void);
            [Usm] urUSMHostAllocRegisterExp USMExp [_ _ _ _ _ _ 11]
                (hContext: ur_context_handle_t, pHostMem: *mut c_void, size: usize, pProperties: *const ur_exp_usm_host_alloc_register_properties_t);
            [Usm] urUSMImportExp USMExp [1 1 9 10 10 10 12]
                (hContext: ur_context_handle_t, pMem: *mut c_void, size: usize);
            [Usm] urUSMReleaseExp USMExp [2 2 10 11 11 11 13]
                (hContext: ur_context_handle_t, pMem: *mut c_void);

            // Bindless
            [Bindless] urBindlessImagesUnsampledImageHandleDestroyExp BindlessImagesExp [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImage: ur_exp_image_native_handle_t);
            [Bindless] urBindlessImagesSampledImageHandleDestroyExp BindlessImagesExp [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImage: ur_exp_image_native_handle_t);
            [Bindless] urBindlessImagesImageAllocateExp BindlessImagesExp [2 2 2 2 2 2 2]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, phImageMem: *mut ur_exp_image_mem_native_handle_t);
            [Bindless] urBindlessImagesImageFreeExp BindlessImagesExp [3 3 3 3 3 3 3]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t);
            [Bindless] urBindlessImagesUnsampledImageCreateExp BindlessImagesExp [4 4 4 4 4 4 4]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, phImage: *mut ur_exp_image_native_handle_t);
            [Bindless] urBindlessImagesSampledImageCreateExp BindlessImagesExp [5 5 5 5 5 5 5]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, pSamplerDesc: *const ur_sampler_desc_t, phImage: *mut ur_exp_image_native_handle_t)
                until V2025_2 => urBindlessImagesSampledImageCreateExp_until_2025_2
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, hSampler: ur_sampler_handle_t, phImage: *mut ur_exp_image_native_handle_t);
            [Bindless] urBindlessImagesImageCopyExp BindlessImagesExp [6 6 6 6 6 6 6]
                (hQueue: ur_queue_handle_t, pSrc: *const c_void, pDst: *mut c_void, pSrcImageDesc: *const ur_image_desc_t, pDstImageDesc: *const ur_image_desc_t, pSrcImageFormat: *const ur_image_format_t, pDstImageFormat: *const ur_image_format_t, pCopyRegion: *mut ur_exp_image_copy_region_t, imageCopyFlags: ur_exp_image_copy_flags_t, imageCopyInputTypes: ur_exp_image_copy_input_types_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t)
                until V2025_3 => urBindlessImagesImageCopyExp_until_2025_3
                (hQueue: ur_queue_handle_t, pSrc: *const c_void, pDst: *mut c_void, pSrcImageDesc: *const ur_image_desc_t, pDstImageDesc: *const ur_image_desc_t, pSrcImageFormat: *const ur_image_format_t, pDstImageFormat: *const ur_image_format_t, pCopyRegion: *mut ur_exp_image_copy_region_t, imageCopyFlags: ur_exp_image_copy_flags_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Bindless] urBindlessImagesImageGetInfoExp BindlessImagesExp [7 7 7 7 7 7 7]
                (hContext: ur_context_handle_t, hImageMem: ur_exp_image_mem_native_handle_t, propName: ur_image_info_t, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Bindless] urBindlessImagesGetImageMemoryHandleTypeSupportExp BindlessImagesExp [_ _ _ 8 8 8 8]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageDesc: *const ur_image_desc_t, pImageFormat: *const ur_image_format_t, imageMemHandleType: ur_exp_image_mem_type_t, pSupportedRet: *mut ur_bool_t);
            [Bindless] urBindlessImagesGetImageUnsampledHandleSupportExp BindlessImagesExp [_ _ _ 9 9 9 9]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageDesc: *const ur_image_desc_t, pImageFormat: *const ur_image_format_t, imageMemHandleType: ur_exp_image_mem_type_t, pSupportedRet: *mut ur_bool_t);
            [Bindless] urBindlessImagesGetImageSampledHandleSupportExp BindlessImagesExp [_ _ _ 10 10 10 10]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageDesc: *const ur_image_desc_t, pImageFormat: *const ur_image_format_t, imageMemHandleType: ur_exp_image_mem_type_t, pSupportedRet: *mut ur_bool_t);
            [Bindless] urBindlessImagesMipmapGetLevelExp BindlessImagesExp [8 8 8 11 11 11 11]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t, mipmapLevel: u32, phImageMem: *mut ur_exp_image_mem_native_handle_t);
            [Bindless] urBindlessImagesMipmapFreeExp BindlessImagesExp [9 9 9 12 12 12 12]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hMem: ur_exp_image_mem_native_handle_t);
            [Bindless] urBindlessImagesImportExternalMemoryExp BindlessImagesExp [10 10 10 13 13 13 13]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize, memHandleType: ur_exp_external_mem_type_t, pExternalMemDesc: *mut ur_exp_external_mem_desc_t, phExternalMem: *mut ur_exp_external_mem_handle_t);
            [Bindless] urBindlessImagesMapExternalArrayExp BindlessImagesExp [11 11 11 14 14 14 14]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, hExternalMem: ur_exp_external_mem_handle_t, phImageMem: *mut ur_exp_image_mem_native_handle_t);
            [Bindless] urBindlessImagesMapExternalLinearMemoryExp BindlessImagesExp [12 12 12 15 15 15 15]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, offset: u64, size: u64, hExternalMem: ur_exp_external_mem_handle_t, ppRetMem: *mut *mut c_void);
            [Bindless] urBindlessImagesReleaseExternalMemoryExp BindlessImagesExp [13 13 13 16 16 16 16]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hExternalMem: ur_exp_external_mem_handle_t);
            [Bindless] urBindlessImagesFreeMappedLinearMemoryExp BindlessImagesExp [_ _ 14 17 17 17 17]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut c_void);
            [Bindless] urBindlessImagesSupportsImportingHandleTypeExp BindlessImagesExp [_ _ _ 18 18 18 18]
                (hDevice: ur_device_handle_t, memHandleType: ur_exp_external_mem_type_t, pSupportedRet: *mut ur_bool_t);
            [Bindless] urBindlessImagesImportExternalSemaphoreExp BindlessImagesExp [14 14 15 19 19 19 19]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, semHandleType: ur_exp_external_semaphore_type_t, pExternalSemaphoreDesc: *mut ur_exp_external_semaphore_desc_t, phExternalSemaphore: *mut ur_exp_external_semaphore_handle_t);
            [Bindless] urBindlessImagesReleaseExternalSemaphoreExp BindlessImagesExp [15 15 16 20 20 20 20]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hExternalSemaphore: ur_exp_external_semaphore_handle_t);
            [Bindless] urBindlessImagesWaitExternalSemaphoreExp BindlessImagesExp [16 16 17 21 21 21 21]
                (hQueue: ur_queue_handle_t, hSemaphore: ur_exp_external_semaphore_handle_t, hasWaitValue: u8, waitValue: u64, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Bindless] urBindlessImagesSignalExternalSemaphoreExp BindlessImagesExp [17 17 18 22 22 22 22]
                (hQueue: ur_queue_handle_t, hSemaphore: ur_exp_external_semaphore_handle_t, hasSignalValue: u8, signalValue: u64, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);

            // CommandBuffer
            [CommandBuffer] urEnqueueCommandBufferExp EnqueueExp [_ _ 5 4 5 5 6]
                (hQueue: ur_queue_handle_t, hCommandBuffer: ur_exp_command_buffer_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [CommandBuffer] urCommandBufferCreateExp CommandBufferExp [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pCommandBufferDesc: *const ur_exp_command_buffer_desc_t, phCommandBuffer: *mut ur_exp_command_buffer_handle_t);
            [CommandBuffer] urCommandBufferRetainExp CommandBufferExp [1 1 1 1 1 1 1]
                (hCommandBuffer: ur_exp_command_buffer_handle_t);
            [CommandBuffer] urCommandBufferReleaseExp CommandBufferExp [2 2 2 2 2 2 2]
                (hCommandBuffer: ur_exp_command_buffer_handle_t);
            [CommandBuffer] urCommandBufferFinalizeExp CommandBufferExp [3 3 3 3 3 3 3]
                (hCommandBuffer: ur_exp_command_buffer_handle_t);
            [CommandBuffer] urCommandBufferAppendKernelLaunchExp CommandBufferExp [4 4 4 4 4 4 4]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numKernelAlternatives: u32, phKernelAlternatives: *mut ur_kernel_handle_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendKernelLaunchExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phCommand: *mut ur_exp_command_buffer_command_handle_t);
            [CommandBuffer] urCommandBufferAppendKernelLaunchWithArgsExp CommandBufferExp [_ _ _ _ _ _ 5]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numArgs: u32, pArgs: *const ur_exp_kernel_arg_properties_t, numKernelAlternatives: u32, phKernelAlternatives: *mut ur_kernel_handle_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t);
            [CommandBuffer] urCommandBufferAppendUSMMemcpyExp CommandBufferExp [5 5 5 5 5 5 6]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void, pSrc: *const c_void, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendUSMMemcpyExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void, pSrc: *const c_void, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendUSMFillExp CommandBufferExp [6 6 6 6 6 6 7]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void, pPattern: *const c_void, patternSize: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendUSMFillExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void, pPattern: *const c_void, patternSize: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferCopyExp CommandBufferExp [7 7 7 7 7 7 8]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferCopyExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferWriteExp CommandBufferExp [8 8 8 8 8 8 9]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize, pSrc: *const c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferWriteExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize, pSrc: *const c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferReadExp CommandBufferExp [9 9 9 9 9 9 10]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferReadExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferCopyRectExp CommandBufferExp [10 10 10 10 10 10 11]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferCopyRectExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferWriteRectExp CommandBufferExp [11 11 11 11 11 11 12]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferWriteRectExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferReadRectExp CommandBufferExp [12 12 12 12 12 12 13]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferReadRectExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendMemBufferFillExp CommandBufferExp [13 13 13 13 13 13 14]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void, patternSize: usize, offset: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendMemBufferFillExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void, patternSize: usize, offset: usize, size: usize, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendUSMPrefetchExp CommandBufferExp [14 14 14 14 14 14 15]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize, flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendUSMPrefetchExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize, flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferAppendUSMAdviseExp CommandBufferExp [15 15 15 15 15 15 16]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize, advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t)
                until V2025_0 => urCommandBufferAppendUSMAdviseExp_until_2025_0
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize, advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferEnqueueExp CommandBufferExp [16 16 _ _ _ _ _]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [CommandBuffer] urCommandBufferAppendNativeCommandExp CommandBufferExp [_ _ 16 16 16 16 17]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, pfnNativeCommand: ur_exp_command_buffer_native_command_function_t, pData: *mut c_void, hChildCommandBuffer: ur_exp_command_buffer_handle_t, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t);
            [CommandBuffer] urCommandBufferRetainCommandExp CommandBufferExp [17 17 _ _ _ _ _]
                (hCommand: ur_exp_command_buffer_command_handle_t);
            [CommandBuffer] urCommandBufferReleaseCommandExp CommandBufferExp [18 18 _ _ _ _ _]
                (hCommand: ur_exp_command_buffer_command_handle_t);
            [CommandBuffer] urCommandBufferUpdateKernelLaunchExp CommandBufferExp [19 19 17 17 17 17 18]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, numKernelUpdates: u32, pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t)
                until V2025_0 => urCommandBufferUpdateKernelLaunchExp_until_2025_0
                (hCommand: ur_exp_command_buffer_command_handle_t, pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0)
                until V2025_1 => urCommandBufferUpdateKernelLaunchExp_until_2025_1
                (hCommand: ur_exp_command_buffer_command_handle_t, pUpdateKernelLaunch: *const ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1);
            [CommandBuffer] urCommandBufferUpdateSignalEventExp CommandBufferExp [_ 20 18 18 18 18 19]
                (hCommand: ur_exp_command_buffer_command_handle_t, phSignalEvent: *mut ur_event_handle_t);
            [CommandBuffer] urCommandBufferUpdateWaitEventsExp CommandBufferExp [_ 21 19 19 19 19 20]
                (hCommand: ur_exp_command_buffer_command_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t);
            [CommandBuffer] urCommandBufferGetInfoExp CommandBufferExp [20 22 20 20 20 20 21]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, propName: ur_exp_command_buffer_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [CommandBuffer] urCommandBufferGetNativeHandleExp CommandBufferExp [_ _ 21 21 21 21 22]
                (hCommandBuffer: ur_exp_command_buffer_handle_t, phNativeCommandBuffer: *mut ur_native_handle_t);
            [CommandBuffer] urCommandBufferCommandGetInfoExp CommandBufferExp [21 23 _ _ _ _ _]
                (hCommand: ur_exp_command_buffer_command_handle_t, propName: ur_exp_command_buffer_command_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);

            // Graph
            [Graph] urQueueBeginGraphCaptureExp QueueExp [_ _ _ _ 0 0 0]
                (hQueue: ur_queue_handle_t);
            [Graph] urQueueBeginCaptureIntoGraphExp QueueExp [_ _ _ _ 1 1 1]
                (hQueue: ur_queue_handle_t, hGraph: ur_exp_graph_handle_t);
            [Graph] urQueueEndGraphCaptureExp QueueExp [_ _ _ _ 2 2 2]
                (hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t);
            [Graph] urQueueIsGraphCaptureEnabledExp QueueExp [_ _ _ _ 3 3 3]
                (hQueue: ur_queue_handle_t, pResult: *mut u8);
            [Graph] urQueueGetGraphExp QueueExp [_ _ _ _ _ 4 4]
                (hQueue: ur_queue_handle_t, phGraph: *mut ur_exp_graph_handle_t);
            [Graph] urEnqueueGraphExp EnqueueExp [_ _ _ _ 9 9 9]
                (hQueue: ur_queue_handle_t, hGraph: ur_exp_executable_graph_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
            [Graph] urGraphCreateExp GraphExp [_ _ _ _ 0 0 0]
                (hContext: ur_context_handle_t, phGraph: *mut ur_exp_graph_handle_t);
            [Graph] urGraphInstantiateGraphExp GraphExp [_ _ _ _ 1 1 1]
                (hGraph: ur_exp_graph_handle_t, phExecGraph: *mut ur_exp_executable_graph_handle_t);
            [Graph] urGraphDestroyExp GraphExp [_ _ _ _ 2 2 2]
                (hGraph: ur_exp_graph_handle_t);
            [Graph] urGraphExecutableGraphDestroyExp GraphExp [_ _ _ _ 3 3 3]
                (hExecutableGraph: ur_exp_executable_graph_handle_t);
            [Graph] urGraphIsEmptyExp GraphExp [_ _ _ _ 4 4 4]
                (hGraph: ur_exp_graph_handle_t, pResult: *mut u8);
            [Graph] urGraphGetIdExp GraphExp [_ _ _ _ _ 5 5]
                (hGraph: ur_exp_graph_handle_t, pGraphId: *mut u64);
            [Graph] urGraphSetDestructionCallbackExp GraphExp [_ _ _ _ _ 6 6]
                (hGraph: ur_exp_graph_handle_t, pfnCallback: ur_exp_graph_destruction_callback_t, pUserData: *mut c_void);
            [Graph] urGraphDumpContentsExp GraphExp [_ _ _ _ 5 7 7]
                (hGraph: ur_exp_graph_handle_t, filePath: *const c_char);
            [Graph] urGraphGetNativeHandleExp GraphExp [_ _ _ _ _ 8 8]
                (hGraph: ur_exp_graph_handle_t, phNativeGraph: *mut ur_native_handle_t);
            [Graph] urGraphExecutableGraphGetNativeHandleExp GraphExp [_ _ _ _ _ 9 9]
                (hExecutableGraph: ur_exp_executable_graph_handle_t, phNativeExecutableGraph: *mut ur_native_handle_t);
        }
    };
}
