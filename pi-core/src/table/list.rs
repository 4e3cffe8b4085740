//! The single list of entry points.
//!
//! Each column is a version that a release of DPC++ shipped. PI had other versions in between, such as 12.20. Functions
//! introduced by such a version appear in the columns from the next shipped version on, here 12.21.
//!
//! Every function of any supported PI version appears here exactly once, with its object family, C name, slot in the
//! function table of each version (in the order of [`Version::ALL`](crate::Version::ALL); `_` if the version does not
//! have the function), and its signature as of PI 15.47. If older versions gave the function another signature or
//! meaning, `until VERSION => name (signature)` names the function in the tables up to and including that version.
//!
//! Exports, tables, trace names, host-side wrappers and coverage tests are all generated from this list. The tests of
//! this crate compare it with `golden/functions.json`.

/// Passes the whole list to the macro `consumer`, with the extra tokens in front of the rows.
///
/// `for_each_entry_point!(consumer, extra tokens)` expands to
/// `consumer! { (extra tokens) [Family] name [slots] (args) [until VERSION => old_name (old_args)]; ... }`.
#[macro_export]
macro_rules! for_each_entry_point {
    ($($consumer:ident)::+ $(, $($extra:tt)*)?) => {
        $($consumer)::+! { ($($($extra)*)?)
            // Platform
            [Platform] piPlatformsGet [0 0 0 0 0 0 0]
                (num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32);
            [Platform] piPlatformGetInfo [1 1 1 1 1 1 1]
                (platform: pi_platform, param_name: pi_platform_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Platform] piextPlatformGetNativeHandle [2 2 2 2 2 2 2]
                (platform: pi_platform, nativeHandle: *mut pi_native_handle);
            [Platform] piextPlatformCreateWithNativeHandle [3 3 3 3 3 3 3]
                (nativeHandle: pi_native_handle, platform: *mut pi_platform);

            // Device
            [Device] piDevicesGet [4 4 4 4 4 4 4]
                (platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device, num_devices: *mut pi_uint32);
            [Device] piDeviceGetInfo [5 5 5 5 5 5 5]
                (device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Device] piDevicePartition [6 6 6 6 6 6 6]
                (device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32, out_devices: *mut pi_device, out_num_devices: *mut pi_uint32);
            [Device] piDeviceRetain [7 7 7 7 7 7 7]
                (device: pi_device);
            [Device] piDeviceRelease [8 8 8 8 8 8 8]
                (device: pi_device);
            [Device] piextDeviceSelectBinary [9 9 9 9 9 9 9]
                (device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32, selected_binary_ind: *mut pi_uint32);
            [Device] piextDeviceGetNativeHandle [11 11 11 11 11 11 12]
                (device: pi_device, nativeHandle: *mut pi_native_handle);
            [Device] piextDeviceCreateWithNativeHandle [12 12 12 12 12 12 13]
                (nativeHandle: pi_native_handle, platform: pi_platform, device: *mut pi_device);
            [Device] piGetDeviceAndHostTimer [_ _ _ 112 111 111 114]
                (Device: pi_device, DeviceTime: *mut u64, HostTime: *mut u64);

            // Context
            [Context] piContextCreate [13 13 13 13 13 13 14]
                (properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device, pfn_notify: pi_context_notify, user_data: *mut c_void, ret_context: *mut pi_context);
            [Context] piContextGetInfo [14 14 14 14 14 14 15]
                (context: pi_context, param_name: pi_context_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Context] piContextRetain [15 15 15 15 15 15 16]
                (context: pi_context);
            [Context] piContextRelease [16 16 16 16 16 16 17]
                (context: pi_context);
            [Context] piextContextSetExtendedDeleter [17 17 17 17 17 17 18]
                (context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void);
            [Context] piextContextGetNativeHandle [18 18 18 18 18 18 19]
                (context: pi_context, nativeHandle: *mut pi_native_handle);
            [Context] piextContextCreateWithNativeHandle [19 19 19 19 19 19 20]
                (nativeHandle: pi_native_handle, numDevices: pi_uint32, devices: *const pi_device, pluginOwnsNativeHandle: pi_cxx_bool, context: *mut pi_context);

            // Queue
            [Queue] piQueueCreate [20 20 20 20 20 20 21]
                (context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue);
            [Queue] piextQueueCreate [_ _ 21 21 21 21 22]
                (context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue);
            [Queue] piQueueGetInfo [21 21 22 22 22 22 23]
                (command_queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Queue] piQueueFinish [22 22 23 23 23 23 24]
                (command_queue: pi_queue);
            [Queue] piQueueFlush [23 23 24 24 24 24 25]
                (command_queue: pi_queue);
            [Queue] piQueueRetain [24 24 25 25 25 25 26]
                (command_queue: pi_queue);
            [Queue] piQueueRelease [25 25 26 26 26 26 27]
                (command_queue: pi_queue);
            [Queue] piextQueueGetNativeHandle [26 26 27 27 27 27 28]
                (queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32)
                until V12_27 => piextQueueGetNativeHandle_until_12_27
                (queue: pi_queue, nativeHandle: *mut pi_native_handle);
            [Queue] piextQueueCreateWithNativeHandle [27 27 28 28 28 28 29]
                (nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, Properties: *mut pi_queue_properties, queue: *mut pi_queue)
                until V12_27 => piextQueueCreateWithNativeHandle_until_12_27
                (nativeHandle: pi_native_handle, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, queue: *mut pi_queue);
            [Queue] piextQueueCreate2 [_ _ _ 115 _ _ _]
                (context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue);
            [Queue] piextQueueGetNativeHandle2 [_ _ _ 116 _ _ _]
                (queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32);
            [Queue] piextQueueCreateWithNativeHandle2 [_ _ _ 117 _ _ _]
                (nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, Properties: *mut pi_queue_properties, queue: *mut pi_queue);

            // Mem
            [Mem] piMemBufferCreate [28 28 29 29 29 29 30]
                (context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void, ret_mem: *mut pi_mem, properties: *const pi_mem_properties);
            [Mem] piMemImageCreate [29 29 30 30 30 30 31]
                (context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format, image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem);
            [Mem] piMemGetInfo [30 30 31 31 31 31 32]
                (mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Mem] piMemImageGetInfo [31 31 32 32 32 32 33]
                (image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Mem] piMemRetain [32 32 33 33 33 33 34]
                (mem: pi_mem);
            [Mem] piMemRelease [33 33 34 34 34 34 35]
                (mem: pi_mem);
            [Mem] piMemBufferPartition [34 34 35 35 35 35 36]
                (buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type, buffer_create_info: *mut c_void, ret_mem: *mut pi_mem);
            [Mem] piextMemGetNativeHandle [35 35 36 36 36 36 37]
                (mem: pi_mem, dev: pi_device, nativeHandle: *mut pi_native_handle)
                until V14_39 => piextMemGetNativeHandle_until_14_39
                (mem: pi_mem, nativeHandle: *mut pi_native_handle);
            [Mem] piextMemCreateWithNativeHandle [36 36 37 37 37 37 38]
                (nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, mem: *mut pi_mem);
            [Mem] piextMemImageCreateWithNativeHandle [_ _ _ _ 38 38 39]
                (nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, ImageFormat: *const pi_image_format, ImageDesc: *const pi_image_desc, img: *mut pi_mem);

            // Program
            [Program] piProgramCreate [37 37 38 38 39 39 40]
                (context: pi_context, il: *const c_void, length: usize, res_program: *mut pi_program);
            [Program] piProgramCreateWithBinary [39 39 40 40 40 40 41]
                (context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, lengths: *const usize, binaries: *const *const u8, num_metadata_entries: usize, metadata: *const pi_device_binary_property, binary_status: *mut pi_int32, ret_program: *mut pi_program);
            [Program] piProgramGetInfo [40 40 41 41 41 41 42]
                (program: pi_program, param_name: pi_program_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Program] piProgramCompile [41 41 42 42 42 42 43]
                (program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_headers: pi_uint32, input_headers: *const pi_program, header_include_names: *const *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void);
            [Program] piProgramBuild [42 42 43 43 43 43 44]
                (program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void);
            [Program] piProgramLink [43 43 44 44 44 44 45]
                (context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_programs: pi_uint32, input_programs: *const pi_program, pfn_notify: pi_program_notify, user_data: *mut c_void, ret_program: *mut pi_program);
            [Program] piProgramGetBuildInfo [44 44 45 45 45 45 46]
                (program: pi_program, device: pi_device, param_name: pi_program_build_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Program] piProgramRetain [45 45 46 46 46 46 47]
                (program: pi_program);
            [Program] piProgramRelease [46 46 47 47 47 47 48]
                (program: pi_program);
            [Program] piextProgramSetSpecializationConstant [47 47 48 48 48 48 49]
                (prog: pi_program, spec_id: pi_uint32, spec_size: usize, spec_value: *const c_void);
            [Program] piextProgramGetNativeHandle [48 48 49 49 49 49 50]
                (program: pi_program, nativeHandle: *mut pi_native_handle);
            [Program] piextProgramCreateWithNativeHandle [49 49 50 50 50 50 51]
                (nativeHandle: pi_native_handle, context: pi_context, pluginOwnsNativeHandle: pi_cxx_bool, program: *mut pi_program);
            [Program] piclProgramCreateWithSource [38 38 39 39 _ _ _]
                (context: pi_context, count: pi_uint32, strings: *const *const c_char, lengths: *const usize, ret_program: *mut pi_program);

            // Kernel
            [Kernel] piKernelCreate [50 50 51 51 51 51 52]
                (program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel);
            [Kernel] piKernelSetArg [51 51 52 52 52 52 53]
                (kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void);
            [Kernel] piKernelGetInfo [52 52 53 53 53 53 54]
                (kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Kernel] piKernelGetGroupInfo [53 53 54 54 54 54 55]
                (kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Kernel] piKernelGetSubGroupInfo [54 54 55 55 55 55 56]
                (kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info, input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Kernel] piKernelRetain [55 55 56 56 56 56 57]
                (kernel: pi_kernel);
            [Kernel] piKernelRelease [56 56 57 57 57 57 58]
                (kernel: pi_kernel);
            [Kernel] piextKernelSetArgPointer [57 57 58 58 58 58 59]
                (kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void);
            [Kernel] piKernelSetExecInfo [58 58 59 59 59 59 60]
                (kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize, param_value: *const c_void);
            [Kernel] piextKernelCreateWithNativeHandle [59 59 60 60 60 60 61]
                (nativeHandle: pi_native_handle, context: pi_context, program: pi_program, pluginOwnsNativeHandle: pi_cxx_bool, kernel: *mut pi_kernel);
            [Kernel] piextKernelGetNativeHandle [60 60 61 61 61 61 62]
                (kernel: pi_kernel, nativeHandle: *mut pi_native_handle);
            [Kernel] piextKernelSuggestMaxCooperativeGroupCount [_ _ _ _ _ _ 63]
                (kernel: pi_kernel, local_work_size: usize, dynamic_shared_memory_size: usize, group_count_ret: *mut pi_uint32);
            [Kernel] piextKernelSetArgMemObj [101 101 102 104 103 103 106]
                (kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property, arg_value: *const pi_mem)
                until V12_27 => piextKernelSetArgMemObj_until_12_27
                (kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_mem);
            [Kernel] piextKernelSetArgSampler [102 102 103 105 104 104 107]
                (kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler);

            // Event
            [Event] piEventCreate [61 61 62 62 62 62 64]
                (context: pi_context, ret_event: *mut pi_event)
                until V9_11 => piEventCreate_until_9_11
                (context: pi_context, ret_event: *mut pi_event);
            [Event] piEventGetInfo [62 62 63 63 63 63 65]
                (event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Event] piEventGetProfilingInfo [63 63 64 64 64 64 66]
                (event: pi_event, param_name: pi_profiling_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Event] piEventsWait [64 64 65 65 65 65 67]
                (num_events: pi_uint32, event_list: *const pi_event);
            [Event] piEventSetCallback [65 65 66 66 66 66 68]
                (event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify, user_data: *mut c_void);
            [Event] piEventSetStatus [66 66 67 67 67 67 69]
                (event: pi_event, execution_status: pi_int32);
            [Event] piEventRetain [67 67 68 68 68 68 70]
                (event: pi_event);
            [Event] piEventRelease [68 68 69 69 69 69 71]
                (event: pi_event);
            [Event] piextEventGetNativeHandle [69 69 70 70 70 70 72]
                (event: pi_event, nativeHandle: *mut pi_native_handle);
            [Event] piextEventCreateWithNativeHandle [70 70 71 71 71 71 73]
                (nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, event: *mut pi_event);

            // Sampler
            [Sampler] piSamplerCreate [71 71 72 72 72 72 74]
                (context: pi_context, sampler_properties: *const pi_sampler_properties, result_sampler: *mut pi_sampler);
            [Sampler] piSamplerGetInfo [72 72 73 73 73 73 75]
                (sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Sampler] piSamplerRetain [73 73 74 74 74 74 76]
                (sampler: pi_sampler);
            [Sampler] piSamplerRelease [74 74 75 75 75 75 77]
                (sampler: pi_sampler);

            // Enqueue
            [Enqueue] piEnqueueKernelLaunch [75 75 76 76 76 76 78]
                (queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piextEnqueueCooperativeKernelLaunch [_ _ _ _ _ _ 79]
                (queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueEventsWait [77 77 78 78 77 77 80]
                (command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueEventsWaitWithBarrier [78 78 79 79 78 78 81]
                (command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferRead [79 79 80 80 79 79 82]
                (queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferReadRect [80 80 81 81 80 80 83]
                (command_queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferWrite [81 81 82 82 81 81 84]
                (command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferWriteRect [82 82 83 83 82 82 85]
                (command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferCopy [83 83 84 84 83 83 86]
                (command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferCopyRect [84 84 85 85 84 84 87]
                (command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferFill [85 85 86 86 85 85 88]
                (command_queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemImageRead [86 86 87 87 86 86 89]
                (command_queue: pi_queue, image: pi_mem, blocking_read: pi_bool, origin: pi_image_offset, region: pi_image_region, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemImageWrite [87 87 88 88 87 87 90]
                (command_queue: pi_queue, image: pi_mem, blocking_write: pi_bool, origin: pi_image_offset, region: pi_image_region, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemImageCopy [88 88 89 89 88 88 91]
                (command_queue: pi_queue, src_image: pi_mem, dst_image: pi_mem, src_origin: pi_image_offset, dst_origin: pi_image_offset, region: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemImageFill [89 89 90 90 89 89 92]
                (command_queue: pi_queue, image: pi_mem, fill_color: *const c_void, origin: *const usize, region: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueMemBufferMap [90 90 91 91 90 90 93]
                (command_queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event, ret_map: *mut *mut c_void);
            [Enqueue] piEnqueueMemUnmap [91 91 92 92 91 91 94]
                (command_queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Enqueue] piEnqueueNativeKernel [76 76 77 77 _ _ _]
                (queue: pi_queue, user_func: pi_native_kernel, args: *mut c_void, cb_args: usize, num_mem_objects: pi_uint32, mem_list: *const pi_mem, args_mem_loc: *const *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);

            // Usm
            [Usm] piextUSMHostAlloc [92 92 93 93 92 92 95]
                (result_ptr: *mut *mut c_void, context: pi_context, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32);
            [Usm] piextUSMDeviceAlloc [93 93 94 94 93 93 96]
                (result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32);
            [Usm] piextUSMSharedAlloc [94 94 95 95 94 94 97]
                (result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32);
            [Usm] piextUSMFree [95 95 96 96 95 95 98]
                (context: pi_context, ptr: *mut c_void);
            [Usm] piextUSMEnqueueMemset [96 96 97 97 96 96 99]
                (queue: pi_queue, ptr: *mut c_void, value: pi_int32, count: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Usm] piextUSMEnqueueMemcpy [97 97 98 98 97 97 100]
                (queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Usm] piextUSMEnqueuePrefetch [98 98 99 99 98 98 101]
                (queue: pi_queue, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Usm] piextUSMEnqueueMemAdvise [99 99 100 100 99 99 102]
                (queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event)
                until V14_37 => piextUSMEnqueueMemAdvise_until_14_37
                (queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event);
            [Usm] piextUSMGetMemAllocInfo [100 100 101 101 100 100 103]
                (context: pi_context, ptr: *const c_void, param_name: pi_mem_alloc_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Usm] piextUSMEnqueueFill2D [_ _ 107 109 108 108 111]
                (queue: pi_queue, ptr: *mut c_void, pitch: usize, pattern_size: usize, pattern: *const c_void, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Usm] piextUSMEnqueueMemset2D [_ _ 108 110 109 109 112]
                (queue: pi_queue, ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Usm] piextUSMEnqueueMemcpy2D [_ _ 109 111 110 110 113]
                (queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, dst_pitch: usize, src_ptr: *const c_void, src_pitch: usize, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Usm] piextUSMImport [_ _ _ _ 118 118 121]
                (ptr: *const c_void, size: usize, context: pi_context);
            [Usm] piextUSMRelease [_ _ _ _ 119 119 122]
                (ptr: *const c_void, context: pi_context);
            [Usm] piextUSMPitchedAlloc [_ _ _ _ 133 133 140]
                (result_ptr: *mut *mut c_void, result_pitch: *mut usize, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, width_in_bytes: usize, height: usize, element_size_bytes: c_uint);

            // Symbol
            [Symbol] piextGetDeviceFunctionPointer [10 10 10 10 10 10 10]
                (device: pi_device, program: pi_program, function_name: *const c_char, function_pointer_ret: *mut pi_uint64);
            [Symbol] piextGetGlobalVariablePointer [_ _ _ _ _ _ 11]
                (Device: pi_device, Program: pi_program, GlobalVariableName: *const c_char, GlobalVariableSize: *mut usize, GlobalVariablePointerRet: *mut *mut c_void);
            [Symbol] piextEnqueueReadHostPipe [_ _ _ 102 101 101 104]
                (queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Symbol] piextEnqueueWriteHostPipe [_ _ _ 103 102 102 105]
                (queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event);
            [Symbol] piextEnqueueDeviceGlobalVariableWrite [_ _ _ 113 112 112 115]
                (queue: pi_queue, program: pi_program, name: *const c_char, blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Symbol] piextEnqueueDeviceGlobalVariableRead [_ _ _ 114 113 113 116]
                (queue: pi_queue, program: pi_program, name: *const c_char, blocking_read: pi_bool, count: usize, offset: usize, dst: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);

            // Plugin
            [Plugin] piextPluginGetOpaqueData [103 103 104 106 105 105 108]
                (opaque_data_param: *mut c_void, opaque_data_return: *mut *mut c_void);
            [Plugin] piPluginGetLastError [104 104 105 107 106 106 109]
                (message: *mut *mut c_char);
            [Plugin] piTearDown [105 105 106 108 107 107 110]
                (PluginParameter: *mut c_void);
            [Plugin] piPluginGetBackendOption [_ _ _ _ 114 114 117]
                (platform: pi_platform, frontend_option: *const c_char, backend_option: *mut *const c_char);

            // Peer
            [Peer] piextEnablePeerAccess [_ _ _ _ 115 115 118]
                (command_device: pi_device, peer_device: pi_device);
            [Peer] piextDisablePeerAccess [_ _ _ _ 116 116 119]
                (command_device: pi_device, peer_device: pi_device);
            [Peer] piextPeerAccessGetInfo [_ _ _ _ 117 117 120]
                (command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize);

            // CommandBuffer
            [CommandBuffer] piextCommandBufferCreate [_ _ _ _ 120 120 123]
                (context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc, ret_command_buffer: *mut pi_ext_command_buffer);
            [CommandBuffer] piextCommandBufferRetain [_ _ _ _ 121 121 124]
                (command_buffer: pi_ext_command_buffer);
            [CommandBuffer] piextCommandBufferRelease [_ _ _ _ 122 122 125]
                (command_buffer: pi_ext_command_buffer);
            [CommandBuffer] piextCommandBufferFinalize [_ _ _ _ 123 123 126]
                (command_buffer: pi_ext_command_buffer);
            [CommandBuffer] piextCommandBufferNDRangeKernel [_ _ _ _ 124 124 127]
                (command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemcpyUSM [_ _ _ _ 125 125 128]
                (command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferCopy [_ _ _ _ 126 126 129]
                (command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferCopyRect [_ _ _ _ 127 127 130]
                (command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferWrite [_ _ _ _ 128 128 131]
                (command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferWriteRect [_ _ _ _ 129 129 132]
                (command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferRead [_ _ _ _ 130 130 133]
                (command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, dst: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferReadRect [_ _ _ _ 131 131 134]
                (command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferMemBufferFill [_ _ _ _ _ _ 135]
                (command_buffer: pi_ext_command_buffer, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferFillUSM [_ _ _ _ _ _ 136]
                (command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferPrefetchUSM [_ _ _ _ _ _ 137]
                (command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextCommandBufferAdviseUSM [_ _ _ _ _ _ 138]
                (command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize, advice: pi_mem_advice, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point);
            [CommandBuffer] piextEnqueueCommandBuffer [_ _ _ _ 132 132 139]
                (command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);

            // Bindless
            [Bindless] piextMemUnsampledImageHandleDestroy [_ _ _ _ 134 134 141]
                (context: pi_context, device: pi_device, handle: pi_image_handle);
            [Bindless] piextMemSampledImageHandleDestroy [_ _ _ _ 135 135 142]
                (context: pi_context, device: pi_device, handle: pi_image_handle);
            [Bindless] piextBindlessImageSamplerCreate [_ _ _ _ 136 136 143]
                (context: pi_context, sampler_properties: *const pi_sampler_properties, min_mipmap_level_clamp: f32, max_mipmap_level_clamp: f32, max_anisotropy: f32, result_sampler: *mut pi_sampler);
            [Bindless] piextMemImageAllocate [_ _ _ _ 137 137 144]
                (context: pi_context, device: pi_device, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_image_mem_handle);
            [Bindless] piextMemImageFree [_ _ _ _ 138 138 145]
                (context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle);
            [Bindless] piextMemUnsampledImageCreate [_ _ _ _ 139 139 146]
                (context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle);
            [Bindless] piextMemSampledImageCreate [_ _ _ _ 140 140 147]
                (context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, sampler: pi_sampler, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle);
            [Bindless] piextMemImageCopy [_ _ _ _ 141 141 148]
                (command_queue: pi_queue, dst_ptr: *mut c_void, src_ptr: *mut c_void, image_format: *const pi_image_format, image_desc: *const pi_image_desc, flags: pi_image_copy_flags, src_offset: pi_image_offset, dst_offset: pi_image_offset, copy_extent: pi_image_region, host_extent: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Bindless] piextMemImageGetInfo [_ _ _ _ 142 142 149]
                (mem_handle: pi_image_mem_handle, param_name: pi_image_info, param_value: *mut c_void, param_value_size_ret: *mut usize);
            [Bindless] piextMemMipmapGetLevel [_ _ _ _ 143 143 150]
                (context: pi_context, device: pi_device, mip_mem: pi_image_mem_handle, level: c_uint, ret_mem: *mut pi_image_mem_handle);
            [Bindless] piextMemMipmapFree [_ _ _ _ 144 144 151]
                (context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle);
            [Bindless] piextMemImportOpaqueFD [_ _ _ _ 145 145 152]
                (context: pi_context, device: pi_device, size: usize, file_descriptor: c_int, ret_handle: *mut pi_interop_mem_handle);
            [Bindless] piextMemReleaseInterop [_ _ _ _ 146 146 153]
                (context: pi_context, device: pi_device, memory_handle: pi_interop_mem_handle);
            [Bindless] piextMemMapExternalArray [_ _ _ _ 147 147 154]
                (context: pi_context, device: pi_device, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, mem_handle: pi_interop_mem_handle, ret_mem: *mut pi_image_mem_handle);
            [Bindless] piextImportExternalSemaphoreOpaqueFD [_ _ _ _ 148 148 155]
                (context: pi_context, device: pi_device, file_descriptor: c_int, ret_handle: *mut pi_interop_semaphore_handle);
            [Bindless] piextDestroyExternalSemaphore [_ _ _ _ 149 149 156]
                (context: pi_context, device: pi_device, sem_handle: pi_interop_semaphore_handle);
            [Bindless] piextWaitExternalSemaphore [_ _ _ _ 150 150 157]
                (command_queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
            [Bindless] piextSignalExternalSemaphore [_ _ _ _ 151 151 158]
                (command_queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event);
        }
    };
}
