//! The first part of the list: functions that create, query and free objects.

/// The rows of objects, which are passed on to the second part.
#[doc(hidden)]
#[macro_export]
macro_rules! functions_of_objects {
    ({$($consumer:tt)*} ($($extra:tt)*)) => {
        $crate::functions_of_work! { {$($consumer)*} ($($extra)*)
            // Adapter
            [Adapter] urAdapterGet Adapter [0 0 0 0 0 0 0]
                (NumEntries: u32, phAdapters: *mut ur_adapter_handle_t, pNumAdapters: *mut u32);
            [Adapter] urAdapterRelease Adapter [1 1 1 1 1 1 1]
                (hAdapter: ur_adapter_handle_t);
            [Adapter] urAdapterRetain Adapter [2 2 2 2 2 2 2]
                (hAdapter: ur_adapter_handle_t);
            [Adapter] urAdapterGetLastError Adapter [3 3 3 3 3 3 3]
                (hAdapter: ur_adapter_handle_t, ppMessage: *mut *const c_char, pError: *mut i32);
            [Adapter] urAdapterGetInfo Adapter [4 4 4 4 4 4 4]
                (hAdapter: ur_adapter_handle_t, propName: ur_adapter_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Adapter] urAdapterSetLoggerCallback Adapter [_ _ _ 5 5 5 5]
                (hAdapter: ur_adapter_handle_t, pfnLoggerCallback: ur_logger_callback_t, pUserData: *mut c_void, level: ur_logger_level_t);
            [Adapter] urAdapterSetLoggerCallbackLevel Adapter [_ _ _ 6 6 6 6]
                (hAdapter: ur_adapter_handle_t, level: ur_logger_level_t);

            // Platform
            [Platform] urPlatformGet Platform [0 0 0 0 0 0 0]
                (hAdapter: ur_adapter_handle_t, NumEntries: u32, phPlatforms: *mut ur_platform_handle_t, pNumPlatforms: *mut u32)
                until V2025_2 => urPlatformGet_until_2025_2
                (phAdapters: *mut ur_adapter_handle_t, NumAdapters: u32, NumEntries: u32, phPlatforms: *mut ur_platform_handle_t, pNumPlatforms: *mut u32);
            [Platform] urPlatformGetInfo Platform [1 1 1 1 1 1 1]
                (hPlatform: ur_platform_handle_t, propName: ur_platform_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Platform] urPlatformGetNativeHandle Platform [2 2 2 2 2 2 2]
                (hPlatform: ur_platform_handle_t, phNativePlatform: *mut ur_native_handle_t);
            [Platform] urPlatformCreateWithNativeHandle Platform [3 3 3 3 3 3 3]
                (hNativePlatform: ur_native_handle_t, hAdapter: ur_adapter_handle_t, pProperties: *const ur_platform_native_properties_t, phPlatform: *mut ur_platform_handle_t);
            [Platform] urPlatformGetApiVersion Platform [4 4 4 4 4 4 4]
                (hPlatform: ur_platform_handle_t, pVersion: *mut ur_api_version_t);
            [Platform] urPlatformGetBackendOption Platform [5 5 5 5 5 5 5]
                (hPlatform: ur_platform_handle_t, pFrontendOption: *const c_char, ppPlatformOption: *mut *const c_char);

            // Device
            [Device] urDeviceGet Device [0 0 0 0 0 0 0]
                (hPlatform: ur_platform_handle_t, DeviceType: ur_device_type_t, NumEntries: u32, phDevices: *mut ur_device_handle_t, pNumDevices: *mut u32);
            [Device] urDeviceGetInfo Device [1 1 1 1 1 1 1]
                (hDevice: ur_device_handle_t, propName: ur_device_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Device] urDeviceRetain Device [2 2 2 2 2 2 2]
                (hDevice: ur_device_handle_t);
            [Device] urDeviceRelease Device [3 3 3 3 3 3 3]
                (hDevice: ur_device_handle_t);
            [Device] urDevicePartition Device [4 4 4 4 4 4 4]
                (hDevice: ur_device_handle_t, pProperties: *const ur_device_partition_properties_t, NumDevices: u32, phSubDevices: *mut ur_device_handle_t, pNumDevicesRet: *mut u32);
            [Device] urDeviceSelectBinary Device [5 5 5 5 5 5 5]
                (hDevice: ur_device_handle_t, pBinaries: *const ur_device_binary_t, NumBinaries: u32, pSelectedBinary: *mut u32);
            [Device] urDeviceGetNativeHandle Device [6 6 6 6 6 6 6]
                (hDevice: ur_device_handle_t, phNativeDevice: *mut ur_native_handle_t);
            [Device] urDeviceCreateWithNativeHandle Device [7 7 7 7 7 7 7]
                (hNativeDevice: ur_native_handle_t, hAdapter: ur_adapter_handle_t, pProperties: *const ur_device_native_properties_t, phDevice: *mut ur_device_handle_t);
            [Device] urDeviceGetGlobalTimestamps Device [8 8 8 8 8 8 8]
                (hDevice: ur_device_handle_t, pDeviceTimestamp: *mut u64, pHostTimestamp: *mut u64);
            [Device] urDeviceWaitExp DeviceExp [_ _ _ _ 0 0 0]
                (hDevice: ur_device_handle_t);

            // Context
            [Context] urContextCreate Context [0 0 0 0 0 0 0]
                (DeviceCount: u32, phDevices: *const ur_device_handle_t, pProperties: *const ur_context_properties_t, phContext: *mut ur_context_handle_t);
            [Context] urContextRetain Context [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t);
            [Context] urContextRelease Context [2 2 2 2 2 2 2]
                (hContext: ur_context_handle_t);
            [Context] urContextGetInfo Context [3 3 3 3 3 3 3]
                (hContext: ur_context_handle_t, propName: ur_context_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Context] urContextGetNativeHandle Context [4 4 4 4 4 4 4]
                (hContext: ur_context_handle_t, phNativeContext: *mut ur_native_handle_t);
            [Context] urContextCreateWithNativeHandle Context [5 5 5 5 5 5 5]
                (hNativeContext: ur_native_handle_t, hAdapter: ur_adapter_handle_t, numDevices: u32, phDevices: *const ur_device_handle_t, pProperties: *const ur_context_native_properties_t, phContext: *mut ur_context_handle_t);
            [Context] urContextSetExtendedDeleter Context [6 6 6 6 6 6 6]
                (hContext: ur_context_handle_t, pfnDeleter: ur_context_extended_deleter_t, pUserData: *mut c_void);

            // Queue
            [Queue] urQueueGetInfo Queue [0 0 0 0 0 0 0]
                (hQueue: ur_queue_handle_t, propName: ur_queue_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Queue] urQueueCreate Queue [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pProperties: *const ur_queue_properties_t, phQueue: *mut ur_queue_handle_t);
            [Queue] urQueueRetain Queue [2 2 2 2 2 2 2]
                (hQueue: ur_queue_handle_t);
            [Queue] urQueueRelease Queue [3 3 3 3 3 3 3]
                (hQueue: ur_queue_handle_t);
            [Queue] urQueueGetNativeHandle Queue [4 4 4 4 4 4 4]
                (hQueue: ur_queue_handle_t, pDesc: *mut ur_queue_native_desc_t, phNativeQueue: *mut ur_native_handle_t);
            [Queue] urQueueCreateWithNativeHandle Queue [5 5 5 5 5 5 5]
                (hNativeQueue: ur_native_handle_t, hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pProperties: *const ur_queue_native_properties_t, phQueue: *mut ur_queue_handle_t);
            [Queue] urQueueFinish Queue [6 6 6 6 6 6 6]
                (hQueue: ur_queue_handle_t);
            [Queue] urQueueFlush Queue [7 7 7 7 7 7 7]
                (hQueue: ur_queue_handle_t);

            // Mem
            [Mem] urMemImageCreate Mem [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, flags: ur_mem_flags_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, pHost: *mut c_void, phMem: *mut ur_mem_handle_t);
            [Mem] urMemBufferCreate Mem [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t, flags: ur_mem_flags_t, size: usize, pProperties: *const ur_buffer_properties_t, phBuffer: *mut ur_mem_handle_t);
            [Mem] urMemRetain Mem [2 2 2 2 2 2 2]
                (hMem: ur_mem_handle_t);
            [Mem] urMemRelease Mem [3 3 3 3 3 3 3]
                (hMem: ur_mem_handle_t);
            [Mem] urMemBufferPartition Mem [4 4 4 4 4 4 4]
                (hBuffer: ur_mem_handle_t, flags: ur_mem_flags_t, bufferCreateType: ur_buffer_create_type_t, pRegion: *const ur_buffer_region_t, phMem: *mut ur_mem_handle_t);
            [Mem] urMemGetNativeHandle Mem [5 5 5 5 5 5 5]
                (hMem: ur_mem_handle_t, hDevice: ur_device_handle_t, phNativeMem: *mut ur_native_handle_t);
            [Mem] urMemBufferCreateWithNativeHandle Mem [6 6 6 6 6 6 6]
                (hNativeMem: ur_native_handle_t, hContext: ur_context_handle_t, pProperties: *const ur_mem_native_properties_t, phMem: *mut ur_mem_handle_t);
            [Mem] urMemImageCreateWithNativeHandle Mem [7 7 7 7 7 7 7]
                (hNativeMem: ur_native_handle_t, hContext: ur_context_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, pProperties: *const ur_mem_native_properties_t, phMem: *mut ur_mem_handle_t);
            [Mem] urMemGetInfo Mem [8 8 8 8 8 8 8]
                (hMemory: ur_mem_handle_t, propName: ur_mem_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Mem] urMemImageGetInfo Mem [9 9 9 9 9 9 9]
                (hMemory: ur_mem_handle_t, propName: ur_image_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);

            // Program
            [Program] urProgramCreateWithIL Program [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, pIL: *const c_void, length: usize, pProperties: *const ur_program_properties_t, phProgram: *mut ur_program_handle_t);
            [Program] urProgramCreateWithBinary Program [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, pLengths: *mut usize, ppBinaries: *mut *const u8, pProperties: *const ur_program_properties_t, phProgram: *mut ur_program_handle_t)
                until V2025_0 => urProgramCreateWithBinary_until_2025_0
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize, pBinary: *const u8, pProperties: *const ur_program_properties_t, phProgram: *mut ur_program_handle_t);
            [Program] urProgramBuild Program [2 2 2 2 2 2 2]
                (hContext: ur_context_handle_t, hProgram: ur_program_handle_t, pOptions: *const c_char);
            [Program] urProgramCompile Program [3 3 3 3 3 3 3]
                (hContext: ur_context_handle_t, hProgram: ur_program_handle_t, pOptions: *const c_char);
            [Program] urProgramLink Program [4 4 4 4 4 4 4]
                (hContext: ur_context_handle_t, count: u32, phPrograms: *const ur_program_handle_t, pOptions: *const c_char, phProgram: *mut ur_program_handle_t);
            [Program] urProgramRetain Program [5 5 5 5 5 5 5]
                (hProgram: ur_program_handle_t);
            [Program] urProgramRelease Program [6 6 6 6 6 6 6]
                (hProgram: ur_program_handle_t);
            [Program] urProgramGetInfo Program [9 9 9 9 9 9 9]
                (hProgram: ur_program_handle_t, propName: ur_program_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Program] urProgramGetBuildInfo Program [10 10 10 10 10 10 10]
                (hProgram: ur_program_handle_t, hDevice: ur_device_handle_t, propName: ur_program_build_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Program] urProgramSetSpecializationConstants Program [11 11 11 11 11 11 11]
                (hProgram: ur_program_handle_t, count: u32, pSpecConstants: *const ur_specialization_constant_info_t);
            [Program] urProgramGetNativeHandle Program [12 12 12 12 12 12 12]
                (hProgram: ur_program_handle_t, phNativeProgram: *mut ur_native_handle_t);
            [Program] urProgramCreateWithNativeHandle Program [13 13 13 13 13 13 13]
                (hNativeProgram: ur_native_handle_t, hContext: ur_context_handle_t, pProperties: *const ur_program_native_properties_t, phProgram: *mut ur_program_handle_t);
            [Program] urProgramDynamicLinkExp ProgramExp [_ _ _ _ 0 0 0]
                (hContext: ur_context_handle_t, count: u32, phPrograms: *const ur_program_handle_t);
            [Program] urProgramBuildExp ProgramExp [0 0 0 0 1 1 1]
                (hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, flags: ur_exp_program_flags_t, pOptions: *const c_char)
                until V2025_3 => urProgramBuildExp_until_2025_3
                (hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, pOptions: *const c_char);
            [Program] urProgramCompileExp ProgramExp [1 1 1 1 2 2 2]
                (hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, flags: ur_exp_program_flags_t, pOptions: *const c_char)
                until V2025_3 => urProgramCompileExp_until_2025_3
                (hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, pOptions: *const c_char);
            [Program] urProgramLinkExp ProgramExp [2 2 2 2 3 3 3]
                (hContext: ur_context_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, flags: ur_exp_program_flags_t, count: u32, phPrograms: *const ur_program_handle_t, pOptions: *const c_char, phProgram: *mut ur_program_handle_t)
                until V2025_3 => urProgramLinkExp_until_2025_3
                (hContext: ur_context_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, count: u32, phPrograms: *const ur_program_handle_t, pOptions: *const c_char, phProgram: *mut ur_program_handle_t);

            // Kernel
            [Kernel] urKernelSuggestMaxCooperativeGroupCountExp KernelExp [0 0 0 _ _ _ _]
                (hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, workDim: u32, pLocalWorkSize: *const usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32)
                until V2025_0 => urKernelSuggestMaxCooperativeGroupCountExp_until_2025_0
                (hKernel: ur_kernel_handle_t, localWorkSize: usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32)
                until V2025_1 => urKernelSuggestMaxCooperativeGroupCountExp_until_2025_1
                (hKernel: ur_kernel_handle_t, workDim: u32, pLocalWorkSize: *const usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32);
            [Kernel] urKernelCreate Kernel [0 0 0 0 0 0 0]
                (hProgram: ur_program_handle_t, pKernelName: *const c_char, phKernel: *mut ur_kernel_handle_t);
            [Kernel] urKernelGetInfo Kernel [1 1 1 1 1 1 1]
                (hKernel: ur_kernel_handle_t, propName: ur_kernel_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Kernel] urKernelGetGroupInfo Kernel [2 2 2 2 2 2 2]
                (hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, propName: ur_kernel_group_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Kernel] urKernelGetSubGroupInfo Kernel [3 3 3 3 3 3 3]
                (hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, propName: ur_kernel_sub_group_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Kernel] urKernelRetain Kernel [4 4 4 4 4 4 4]
                (hKernel: ur_kernel_handle_t);
            [Kernel] urKernelRelease Kernel [5 5 5 5 5 5 5]
                (hKernel: ur_kernel_handle_t);
            [Kernel] urKernelGetNativeHandle Kernel [6 6 6 6 6 6 6]
                (hKernel: ur_kernel_handle_t, phNativeKernel: *mut ur_native_handle_t);
            [Kernel] urKernelCreateWithNativeHandle Kernel [7 7 7 7 7 7 7]
                (hNativeKernel: ur_native_handle_t, hContext: ur_context_handle_t, hProgram: ur_program_handle_t, pProperties: *const ur_kernel_native_properties_t, phKernel: *mut ur_kernel_handle_t);
            [Kernel] urKernelGetSuggestedLocalWorkSize Kernel [8 8 8 8 8 8 8]
                (hKernel: ur_kernel_handle_t, hQueue: ur_queue_handle_t, numWorkDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pSuggestedLocalWorkSize: *mut usize);
            [Kernel] urKernelGetSuggestedLocalWorkSizeWithArgs Kernel [_ _ _ _ _ _ 9]
                (hKernel: ur_kernel_handle_t, hQueue: ur_queue_handle_t, numWorkDim: u32, pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, numArgs: u32, pArgs: *const ur_exp_kernel_arg_properties_t, pSuggestedLocalWorkSize: *mut usize);
            [Kernel] urKernelSetArgValue Kernel [9 9 9 9 9 9 _]
                (hKernel: ur_kernel_handle_t, argIndex: u32, argSize: usize, pProperties: *const ur_kernel_arg_value_properties_t, pArgValue: *const c_void);
            [Kernel] urKernelSetArgLocal Kernel [10 10 10 10 10 10 _]
                (hKernel: ur_kernel_handle_t, argIndex: u32, argSize: usize, pProperties: *const ur_kernel_arg_local_properties_t);
            [Kernel] urKernelSetExecInfo Kernel [12 12 12 12 12 12 10]
                (hKernel: ur_kernel_handle_t, propName: ur_kernel_exec_info_t, propSize: usize, pProperties: *const ur_kernel_exec_info_properties_t, pPropValue: *const c_void);
            [Kernel] urKernelSetArgPointer Kernel [11 11 11 11 11 11 _]
                (hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const ur_kernel_arg_pointer_properties_t, pArgValue: *const c_void);
            [Kernel] urKernelSetSpecializationConstants Kernel [15 15 15 15 15 15 11]
                (hKernel: ur_kernel_handle_t, count: u32, pSpecConstants: *const ur_specialization_constant_info_t);
            [Kernel] urKernelSuggestMaxCooperativeGroupCount Kernel [_ _ _ 16 16 16 12]
                (hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, workDim: u32, pLocalWorkSize: *const usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32);
            [Kernel] urKernelSetArgSampler Kernel [13 13 13 13 13 13 _]
                (hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const ur_kernel_arg_sampler_properties_t, hArgValue: ur_sampler_handle_t);
            [Kernel] urKernelSetArgMemObj Kernel [14 14 14 14 14 14 _]
                (hKernel: ur_kernel_handle_t, argIndex: u32, pProperties: *const ur_kernel_arg_mem_obj_properties_t, hArgValue: ur_mem_handle_t);

            // Event
            [Event] urEventGetInfo Event [0 0 0 0 0 0 0]
                (hEvent: ur_event_handle_t, propName: ur_event_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Event] urEventGetProfilingInfo Event [1 1 1 1 1 1 1]
                (hEvent: ur_event_handle_t, propName: ur_profiling_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Event] urEventWait Event [2 2 2 2 2 2 2]
                (numEvents: u32, phEventWaitList: *const ur_event_handle_t);
            [Event] urEventRetain Event [3 3 3 3 3 3 3]
                (hEvent: ur_event_handle_t);
            [Event] urEventRelease Event [4 4 4 4 4 4 4]
                (hEvent: ur_event_handle_t);
            [Event] urEventGetNativeHandle Event [5 5 5 5 5 5 5]
                (hEvent: ur_event_handle_t, phNativeEvent: *mut ur_native_handle_t);
            [Event] urEventCreateWithNativeHandle Event [6 6 6 6 6 6 6]
                (hNativeEvent: ur_native_handle_t, hContext: ur_context_handle_t, pProperties: *const ur_event_native_properties_t, phEvent: *mut ur_event_handle_t);
            [Event] urEventSetCallback Event [7 7 7 7 7 7 7]
                (hEvent: ur_event_handle_t, execStatus: ur_execution_info_t, pfnNotify: ur_event_callback_t, pUserData: *mut c_void);
            [Event] urEventCreateExp EventExp [_ _ _ _ _ _ 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pEventDesc: *const ur_exp_event_desc_t, phEvent: *mut ur_event_handle_t);

            // Sampler
            [Sampler] urSamplerCreate Sampler [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, pDesc: *const ur_sampler_desc_t, phSampler: *mut ur_sampler_handle_t);
            [Sampler] urSamplerRetain Sampler [1 1 1 1 1 1 1]
                (hSampler: ur_sampler_handle_t);
            [Sampler] urSamplerRelease Sampler [2 2 2 2 2 2 2]
                (hSampler: ur_sampler_handle_t);
            [Sampler] urSamplerGetInfo Sampler [3 3 3 3 3 3 3]
                (hSampler: ur_sampler_handle_t, propName: ur_sampler_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [Sampler] urSamplerGetNativeHandle Sampler [4 4 4 4 4 4 4]
                (hSampler: ur_sampler_handle_t, phNativeSampler: *mut ur_native_handle_t);
            [Sampler] urSamplerCreateWithNativeHandle Sampler [5 5 5 5 5 5 5]
                (hNativeSampler: ur_native_handle_t, hContext: ur_context_handle_t, pProperties: *const ur_sampler_native_properties_t, phSampler: *mut ur_sampler_handle_t);

            // PhysicalMem
            [PhysicalMem] urPhysicalMemCreate PhysicalMem [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize, pProperties: *const ur_physical_mem_properties_t, phPhysicalMem: *mut ur_physical_mem_handle_t);
            [PhysicalMem] urPhysicalMemRetain PhysicalMem [1 1 1 1 1 1 1]
                (hPhysicalMem: ur_physical_mem_handle_t);
            [PhysicalMem] urPhysicalMemRelease PhysicalMem [2 2 2 2 2 2 2]
                (hPhysicalMem: ur_physical_mem_handle_t);
            [PhysicalMem] urPhysicalMemGetInfo PhysicalMem [_ _ 3 3 3 3 3]
                (hPhysicalMem: ur_physical_mem_handle_t, propName: ur_physical_mem_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);

            // VirtualMem
            [VirtualMem] urVirtualMemGranularityGetInfo VirtualMem [0 0 0 0 0 0 0]
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, allocationSize: usize, propName: ur_virtual_mem_granularity_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize)
                until V2025_2 => urVirtualMemGranularityGetInfo_until_2025_2
                (hContext: ur_context_handle_t, hDevice: ur_device_handle_t, propName: ur_virtual_mem_granularity_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
            [VirtualMem] urVirtualMemReserve VirtualMem [1 1 1 1 1 1 1]
                (hContext: ur_context_handle_t, pStart: *const c_void, size: usize, ppStart: *mut *mut c_void);
            [VirtualMem] urVirtualMemFree VirtualMem [2 2 2 2 2 2 2]
                (hContext: ur_context_handle_t, pStart: *const c_void, size: usize);
            [VirtualMem] urVirtualMemMap VirtualMem [3 3 3 3 3 3 3]
                (hContext: ur_context_handle_t, pStart: *const c_void, size: usize, hPhysicalMem: ur_physical_mem_handle_t, offset: usize, flags: ur_virtual_mem_access_flags_t);
            [VirtualMem] urVirtualMemUnmap VirtualMem [4 4 4 4 4 4 4]
                (hContext: ur_context_handle_t, pStart: *const c_void, size: usize);
            [VirtualMem] urVirtualMemSetAccess VirtualMem [5 5 5 5 5 5 5]
                (hContext: ur_context_handle_t, pStart: *const c_void, size: usize, flags: ur_virtual_mem_access_flags_t);
            [VirtualMem] urVirtualMemGetInfo VirtualMem [6 6 6 6 6 6 6]
                (hContext: ur_context_handle_t, pStart: *const c_void, size: usize, propName: ur_virtual_mem_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
        }
    };
}
