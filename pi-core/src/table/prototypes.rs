//! The entry points as plain declarations: prototypes, pointer types and one table structure per version.
//!
//! Written by `cargo xtask headers` from the list. Do not edit. The assertions beside the list hold every line
//! to it; the C header is made from this file.
#![expect(unsafe_code, reason = "types of C functions")]

use core::ffi::{c_char, c_int, c_uint, c_void};

use crate::callbacks::*;
use crate::plugin::pi_plugin;
use crate::structs::*;
use crate::types::*;

unsafe extern "C" {
    /// Fills the function table of `plugin_info` for the version named in its `PiVersion`.
    ///
    /// The structure may be smaller than `pi_plugin`: it has the size of that version's. A version that the
    /// plugin does not serve is refused with `PI_ERROR_INVALID_OPERATION`, and nothing is written.
    pub fn piPluginInit(plugin_info: *mut pi_plugin) -> pi_result;
    /// Lists the platforms; with `num_entries` 0 it counts them.
    ///
    /// In every version.
    pub fn piPlatformsGet(num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32) -> pi_result;
    /// Answers a query about a platform.
    ///
    /// In every version.
    pub fn piPlatformGetInfo(platform: pi_platform, param_name: pi_platform_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Gives the driver's own handle of a platform.
    ///
    /// In every version.
    pub fn piextPlatformGetNativeHandle(platform: pi_platform, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Makes a platform of the driver's own handle.
    ///
    /// In every version.
    pub fn piextPlatformCreateWithNativeHandle(nativeHandle: pi_native_handle, platform: *mut pi_platform) -> pi_result;
    /// Lists a platform's devices of some types; with `num_entries` 0 it counts them.
    ///
    /// In every version.
    pub fn piDevicesGet(platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device, num_devices: *mut pi_uint32) -> pi_result;
    /// Answers a query about a device.
    ///
    /// In every version.
    pub fn piDeviceGetInfo(device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Splits a device; the caller releases each part.
    ///
    /// In every version.
    pub fn piDevicePartition(device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32, out_devices: *mut pi_device, out_num_devices: *mut pi_uint32) -> pi_result;
    /// Takes one more reference to a device.
    ///
    /// In every version.
    pub fn piDeviceRetain(device: pi_device) -> pi_result;
    /// Gives back one reference to a device.
    ///
    /// In every version.
    pub fn piDeviceRelease(device: pi_device) -> pi_result;
    /// Chooses the device image that fits a device best.
    ///
    /// In every version.
    pub fn piextDeviceSelectBinary(device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32, selected_binary_ind: *mut pi_uint32) -> pi_result;
    /// Gives the driver's own handle of a device.
    ///
    /// In every version.
    pub fn piextDeviceGetNativeHandle(device: pi_device, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Makes a device of the driver's own handle.
    ///
    /// In every version.
    pub fn piextDeviceCreateWithNativeHandle(nativeHandle: pi_native_handle, platform: pi_platform, device: *mut pi_device) -> pi_result;
    /// Reads the clocks of device and host together; either pointer may be null.
    ///
    /// From PI 12.27 on.
    pub fn piGetDeviceAndHostTimer(Device: pi_device, DeviceTime: *mut u64, HostTime: *mut u64) -> pi_result;
    /// Makes a context of devices; the caller releases it.
    ///
    /// In every version.
    pub fn piContextCreate(properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device, pfn_notify: pi_context_notify, user_data: *mut c_void, ret_context: *mut pi_context) -> pi_result;
    /// Answers a query about a context.
    ///
    /// In every version.
    pub fn piContextGetInfo(context: pi_context, param_name: pi_context_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Takes one more reference to a context.
    ///
    /// In every version.
    pub fn piContextRetain(context: pi_context) -> pi_result;
    /// Gives back one reference to a context.
    ///
    /// In every version.
    pub fn piContextRelease(context: pi_context) -> pi_result;
    /// Has a function called once when the context goes.
    ///
    /// In every version.
    pub fn piextContextSetExtendedDeleter(context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void) -> pi_result;
    /// Gives the driver's own handle of a context.
    ///
    /// In every version.
    pub fn piextContextGetNativeHandle(context: pi_context, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Makes a context of the driver's own handle.
    ///
    /// In every version.
    pub fn piextContextCreateWithNativeHandle(nativeHandle: pi_native_handle, numDevices: pi_uint32, devices: *const pi_device, pluginOwnsNativeHandle: pi_cxx_bool, context: *mut pi_context) -> pi_result;
    /// Makes a queue with flag bits; the caller releases it.
    ///
    /// In every version.
    pub fn piQueueCreate(context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue) -> pi_result;
    /// Makes a queue with a zero-ended list of keys and values; the caller releases it.
    ///
    /// From PI 12.21 on.
    pub fn piextQueueCreate(context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result;
    /// Answers a query about a queue.
    ///
    /// In every version.
    pub fn piQueueGetInfo(command_queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Waits until all commands of a queue are complete.
    ///
    /// In every version.
    pub fn piQueueFinish(command_queue: pi_queue) -> pi_result;
    /// Hands all commands of a queue to the device.
    ///
    /// In every version.
    pub fn piQueueFlush(command_queue: pi_queue) -> pi_result;
    /// Takes one more reference to a queue.
    ///
    /// In every version.
    pub fn piQueueRetain(command_queue: pi_queue) -> pi_result;
    /// Gives back one reference to a queue.
    ///
    /// In every version.
    pub fn piQueueRelease(command_queue: pi_queue) -> pi_result;
    /// Gives the driver's own handle of a queue, and of what kind it is.
    ///
    /// In every version.
    /// Up to PI 12.27 the table's function has parameters of its own.
    pub fn piextQueueGetNativeHandle(queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32) -> pi_result;
    /// Makes a queue of the driver's own handle.
    ///
    /// In every version.
    /// Up to PI 12.27 the table's function has parameters of its own.
    pub fn piextQueueCreateWithNativeHandle(nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, Properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result;
    /// `piextQueueCreate` under the name of PI 12.27.
    ///
    /// PI 12.27 only.
    pub fn piextQueueCreate2(context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result;
    /// `piextQueueGetNativeHandle` with a kind, under the name of PI 12.27.
    ///
    /// PI 12.27 only.
    pub fn piextQueueGetNativeHandle2(queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32) -> pi_result;
    /// `piextQueueCreateWithNativeHandle` with a kind, under the name of PI 12.27.
    ///
    /// PI 12.27 only.
    pub fn piextQueueCreateWithNativeHandle2(nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, Properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result;
    /// Makes a buffer; the caller releases it.
    ///
    /// In every version.
    pub fn piMemBufferCreate(context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void, ret_mem: *mut pi_mem, properties: *const pi_mem_properties) -> pi_result;
    /// Makes an image; the caller releases it.
    ///
    /// In every version.
    pub fn piMemImageCreate(context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format, image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem) -> pi_result;
    /// Answers a query about a buffer or image.
    ///
    /// In every version.
    pub fn piMemGetInfo(mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Answers a query about an image.
    ///
    /// In every version.
    pub fn piMemImageGetInfo(image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Takes one more reference to a buffer or image.
    ///
    /// In every version.
    pub fn piMemRetain(mem: pi_mem) -> pi_result;
    /// Gives back one reference to a buffer or image.
    ///
    /// In every version.
    pub fn piMemRelease(mem: pi_mem) -> pi_result;
    /// Makes a buffer of a part of another; the caller releases it.
    ///
    /// In every version.
    pub fn piMemBufferPartition(buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type, buffer_create_info: *mut c_void, ret_mem: *mut pi_mem) -> pi_result;
    /// Gives the driver's own handle of a buffer or image.
    ///
    /// In every version.
    /// Up to PI 14.39 the table's function has parameters of its own.
    pub fn piextMemGetNativeHandle(mem: pi_mem, dev: pi_device, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Makes a buffer of the driver's own handle.
    ///
    /// In every version.
    pub fn piextMemCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, mem: *mut pi_mem) -> pi_result;
    /// Makes an image of the driver's own handle.
    ///
    /// From PI 14.37 on.
    pub fn piextMemImageCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, ImageFormat: *const pi_image_format, ImageDesc: *const pi_image_desc, img: *mut pi_mem) -> pi_result;
    /// Makes a program of SPIR-V; the caller releases it.
    ///
    /// In every version.
    pub fn piProgramCreate(context: pi_context, il: *const c_void, length: usize, res_program: *mut pi_program) -> pi_result;
    /// Makes a program of device binaries; the caller releases it.
    ///
    /// In every version.
    pub fn piProgramCreateWithBinary(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, lengths: *const usize, binaries: *const *const u8, num_metadata_entries: usize, metadata: *const pi_device_binary_property, binary_status: *mut pi_int32, ret_program: *mut pi_program) -> pi_result;
    /// Answers a query about a program.
    ///
    /// In every version.
    pub fn piProgramGetInfo(program: pi_program, param_name: pi_program_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Compiles a program without linking it.
    ///
    /// In every version.
    pub fn piProgramCompile(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_headers: pi_uint32, input_headers: *const pi_program, header_include_names: *const *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void) -> pi_result;
    /// Compiles and links a program.
    ///
    /// In every version.
    pub fn piProgramBuild(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void) -> pi_result;
    /// Links compiled programs to one; the caller releases it.
    ///
    /// In every version.
    pub fn piProgramLink(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_programs: pi_uint32, input_programs: *const pi_program, pfn_notify: pi_program_notify, user_data: *mut c_void, ret_program: *mut pi_program) -> pi_result;
    /// Answers a query about a program's build on a device; the log among them.
    ///
    /// In every version.
    pub fn piProgramGetBuildInfo(program: pi_program, device: pi_device, param_name: pi_program_build_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Takes one more reference to a program.
    ///
    /// In every version.
    pub fn piProgramRetain(program: pi_program) -> pi_result;
    /// Gives back one reference to a program.
    ///
    /// In every version.
    pub fn piProgramRelease(program: pi_program) -> pi_result;
    /// Sets a specialization constant before the build.
    ///
    /// In every version.
    pub fn piextProgramSetSpecializationConstant(prog: pi_program, spec_id: pi_uint32, spec_size: usize, spec_value: *const c_void) -> pi_result;
    /// Gives the driver's own handle of a program.
    ///
    /// In every version.
    pub fn piextProgramGetNativeHandle(program: pi_program, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Makes a program of the driver's own handle.
    ///
    /// In every version.
    pub fn piextProgramCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, pluginOwnsNativeHandle: pi_cxx_bool, program: *mut pi_program) -> pi_result;
    /// Makes a program of OpenCL C source; the caller releases it.
    ///
    /// Up to PI 12.27.
    pub fn piclProgramCreateWithSource(context: pi_context, count: pi_uint32, strings: *const *const c_char, lengths: *const usize, ret_program: *mut pi_program) -> pi_result;
    /// Makes a kernel of a built program; the caller releases it.
    ///
    /// In every version.
    pub fn piKernelCreate(program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel) -> pi_result;
    /// Sets a kernel's argument by value.
    ///
    /// In every version.
    pub fn piKernelSetArg(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) -> pi_result;
    /// Answers a query about a kernel.
    ///
    /// In every version.
    pub fn piKernelGetInfo(kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Answers a query about a kernel's work-groups on a device.
    ///
    /// In every version.
    pub fn piKernelGetGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Answers a query about a kernel's sub-groups on a device.
    ///
    /// In every version.
    pub fn piKernelGetSubGroupInfo(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info, input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Takes one more reference to a kernel.
    ///
    /// In every version.
    pub fn piKernelRetain(kernel: pi_kernel) -> pi_result;
    /// Gives back one reference to a kernel.
    ///
    /// In every version.
    pub fn piKernelRelease(kernel: pi_kernel) -> pi_result;
    /// Sets a kernel's argument to a USM pointer; `arg_value` points to the pointer.
    ///
    /// In every version.
    pub fn piextKernelSetArgPointer(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) -> pi_result;
    /// Says how a kernel uses memory and caches.
    ///
    /// In every version.
    pub fn piKernelSetExecInfo(kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize, param_value: *const c_void) -> pi_result;
    /// Makes a kernel of the driver's own handle.
    ///
    /// In every version.
    pub fn piextKernelCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, program: pi_program, pluginOwnsNativeHandle: pi_cxx_bool, kernel: *mut pi_kernel) -> pi_result;
    /// Gives the driver's own handle of a kernel.
    ///
    /// In every version.
    pub fn piextKernelGetNativeHandle(kernel: pi_kernel, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Says how many work-groups of a cooperative kernel can run together.
    ///
    /// PI 15.47 only.
    pub fn piextKernelSuggestMaxCooperativeGroupCount(kernel: pi_kernel, local_work_size: usize, dynamic_shared_memory_size: usize, group_count_ret: *mut pi_uint32) -> pi_result;
    /// Sets a kernel's argument to a buffer or image.
    ///
    /// In every version.
    /// Up to PI 12.27 the table's function has parameters of its own.
    pub fn piextKernelSetArgMemObj(kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property, arg_value: *const pi_mem) -> pi_result;
    /// Sets a kernel's argument to a sampler.
    ///
    /// In every version.
    pub fn piextKernelSetArgSampler(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler) -> pi_result;
    /// Makes an event that is complete already; until PI 9.11, one that the caller completes.
    ///
    /// In every version.
    /// Up to PI 9.11 the table's function has a meaning of its own.
    pub fn piEventCreate(context: pi_context, ret_event: *mut pi_event) -> pi_result;
    /// Answers a query about an event.
    ///
    /// In every version.
    pub fn piEventGetInfo(event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Answers when a command was queued, submitted, started or ended.
    ///
    /// In every version.
    pub fn piEventGetProfilingInfo(event: pi_event, param_name: pi_profiling_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Waits until events are complete.
    ///
    /// In every version.
    pub fn piEventsWait(num_events: pi_uint32, event_list: *const pi_event) -> pi_result;
    /// Has a function called when an event reaches a status.
    ///
    /// In every version.
    pub fn piEventSetCallback(event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify, user_data: *mut c_void) -> pi_result;
    /// Completes an event that the caller made.
    ///
    /// In every version.
    pub fn piEventSetStatus(event: pi_event, execution_status: pi_int32) -> pi_result;
    /// Takes one more reference to an event.
    ///
    /// In every version.
    pub fn piEventRetain(event: pi_event) -> pi_result;
    /// Gives back one reference to an event.
    ///
    /// In every version.
    pub fn piEventRelease(event: pi_event) -> pi_result;
    /// Gives the driver's own handle of an event.
    ///
    /// In every version.
    pub fn piextEventGetNativeHandle(event: pi_event, nativeHandle: *mut pi_native_handle) -> pi_result;
    /// Makes an event of the driver's own handle.
    ///
    /// In every version.
    pub fn piextEventCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, event: *mut pi_event) -> pi_result;
    /// Makes a sampler of a zero-ended list of keys and values; the caller releases it.
    ///
    /// In every version.
    pub fn piSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties, result_sampler: *mut pi_sampler) -> pi_result;
    /// Answers a query about a sampler.
    ///
    /// In every version.
    pub fn piSamplerGetInfo(sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Takes one more reference to a sampler.
    ///
    /// In every version.
    pub fn piSamplerRetain(sampler: pi_sampler) -> pi_result;
    /// Gives back one reference to a sampler.
    ///
    /// In every version.
    pub fn piSamplerRelease(sampler: pi_sampler) -> pi_result;
    /// Runs a kernel.
    ///
    /// In every version.
    pub fn piEnqueueKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Runs a kernel whose work-groups wait for each other.
    ///
    /// PI 15.47 only.
    pub fn piextEnqueueCooperativeKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Puts a command into a queue that completes after other events.
    ///
    /// In every version.
    pub fn piEnqueueEventsWait(command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// The same, and later commands of the queue wait for it.
    ///
    /// In every version.
    pub fn piEnqueueEventsWaitWithBarrier(command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies from a buffer to the host.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferRead(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies a box from a buffer to the host.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferReadRect(command_queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies from the host to a buffer. Blocking means until `ptr` may be used again; other queues wait for the event.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferWrite(command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies a box from the host to a buffer. Blocking means until `ptr` may be used again; other queues wait for the event.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferWriteRect(command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies from a buffer to a buffer.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferCopy(command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies a box from a buffer to a buffer.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferCopyRect(command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Fills a buffer with a pattern.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferFill(command_queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies from an image to the host.
    ///
    /// In every version.
    pub fn piEnqueueMemImageRead(command_queue: pi_queue, image: pi_mem, blocking_read: pi_bool, origin: pi_image_offset, region: pi_image_region, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies from the host to an image. Blocking means until `ptr` may be used again; other queues wait for the event.
    ///
    /// In every version.
    pub fn piEnqueueMemImageWrite(command_queue: pi_queue, image: pi_mem, blocking_write: pi_bool, origin: pi_image_offset, region: pi_image_region, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies from an image to an image.
    ///
    /// In every version.
    pub fn piEnqueueMemImageCopy(command_queue: pi_queue, src_image: pi_mem, dst_image: pi_mem, src_origin: pi_image_offset, dst_origin: pi_image_offset, region: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Fills an image with a colour.
    ///
    /// In every version.
    pub fn piEnqueueMemImageFill(command_queue: pi_queue, image: pi_mem, fill_color: *const c_void, origin: *const usize, region: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Maps a buffer into the host's memory, until `piEnqueueMemUnmap`.
    ///
    /// In every version.
    pub fn piEnqueueMemBufferMap(command_queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event, ret_map: *mut *mut c_void) -> pi_result;
    /// Ends a mapping.
    ///
    /// In every version.
    pub fn piEnqueueMemUnmap(command_queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Runs a function of the host in a queue.
    ///
    /// Up to PI 12.27.
    pub fn piEnqueueNativeKernel(queue: pi_queue, user_func: pi_native_kernel, args: *mut c_void, cb_args: usize, num_mem_objects: pi_uint32, mem_list: *const pi_mem, args_mem_loc: *const *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Allocates memory of the host that devices reach; freed with `piextUSMFree`.
    ///
    /// In every version.
    pub fn piextUSMHostAlloc(result_ptr: *mut *mut c_void, context: pi_context, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) -> pi_result;
    /// Allocates memory of a device; freed with `piextUSMFree`.
    ///
    /// In every version.
    pub fn piextUSMDeviceAlloc(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) -> pi_result;
    /// Allocates memory that moves between host and device; freed with `piextUSMFree`.
    ///
    /// In every version.
    pub fn piextUSMSharedAlloc(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) -> pi_result;
    /// Frees USM memory.
    ///
    /// In every version.
    pub fn piextUSMFree(context: pi_context, ptr: *mut c_void) -> pi_result;
    /// Fills USM memory with a byte.
    ///
    /// In every version.
    pub fn piextUSMEnqueueMemset(queue: pi_queue, ptr: *mut c_void, value: pi_int32, count: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies USM memory.
    ///
    /// In every version.
    pub fn piextUSMEnqueueMemcpy(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Asks that USM memory be moved to the device.
    ///
    /// In every version.
    pub fn piextUSMEnqueuePrefetch(queue: pi_queue, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Gives advice on the use of USM memory; the numbers changed after PI 14.37.
    ///
    /// In every version.
    /// Up to PI 14.37 the table's function has a meaning of its own.
    pub fn piextUSMEnqueueMemAdvise(queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event) -> pi_result;
    /// Answers a query about USM memory.
    ///
    /// In every version.
    pub fn piextUSMGetMemAllocInfo(context: pi_context, ptr: *const c_void, param_name: pi_mem_alloc_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Fills rows of USM memory with a pattern.
    ///
    /// From PI 12.21 on.
    pub fn piextUSMEnqueueFill2D(queue: pi_queue, ptr: *mut c_void, pitch: usize, pattern_size: usize, pattern: *const c_void, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Fills rows of USM memory with a byte.
    ///
    /// From PI 12.21 on.
    pub fn piextUSMEnqueueMemset2D(queue: pi_queue, ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Copies rows of USM memory.
    ///
    /// From PI 12.21 on.
    pub fn piextUSMEnqueueMemcpy2D(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, dst_pitch: usize, src_ptr: *const c_void, src_pitch: usize, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Makes memory of the host known to the driver.
    ///
    /// From PI 14.37 on.
    pub fn piextUSMImport(ptr: *const c_void, size: usize, context: pi_context) -> pi_result;
    /// Ends what `piextUSMImport` began.
    ///
    /// From PI 14.37 on.
    pub fn piextUSMRelease(ptr: *const c_void, context: pi_context) -> pi_result;
    /// Allocates rows of memory with a pitch that suits images; freed with `piextUSMFree`.
    ///
    /// From PI 14.37 on.
    pub fn piextUSMPitchedAlloc(result_ptr: *mut *mut c_void, result_pitch: *mut usize, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, width_in_bytes: usize, height: usize, element_size_bytes: c_uint) -> pi_result;
    /// Gives a device function's address on a device.
    ///
    /// In every version.
    pub fn piextGetDeviceFunctionPointer(device: pi_device, program: pi_program, function_name: *const c_char, function_pointer_ret: *mut pi_uint64) -> pi_result;
    /// Gives a device global's address and size on a device.
    ///
    /// PI 15.47 only.
    pub fn piextGetGlobalVariablePointer(Device: pi_device, Program: pi_program, GlobalVariableName: *const c_char, GlobalVariableSize: *mut usize, GlobalVariablePointerRet: *mut *mut c_void) -> pi_result;
    /// Reads from a host pipe, found by its name.
    ///
    /// From PI 12.27 on.
    pub fn piextEnqueueReadHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Writes to a host pipe, found by its name.
    ///
    /// From PI 12.27 on.
    pub fn piextEnqueueWriteHostPipe(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Writes a device global, found by its name.
    ///
    /// From PI 12.27 on.
    pub fn piextEnqueueDeviceGlobalVariableWrite(queue: pi_queue, program: pi_program, name: *const c_char, blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Reads a device global, found by its name.
    ///
    /// From PI 12.27 on.
    pub fn piextEnqueueDeviceGlobalVariableRead(queue: pi_queue, program: pi_program, name: *const c_char, blocking_read: pi_bool, count: usize, offset: usize, dst: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Gives data that only this plugin knows.
    ///
    /// In every version.
    pub fn piextPluginGetOpaqueData(opaque_data_param: *mut c_void, opaque_data_return: *mut *mut c_void) -> pi_result;
    /// Gives the calling thread's last error text, which stays the plugin's.
    ///
    /// In every version.
    pub fn piPluginGetLastError(message: *mut *mut c_char) -> pi_result;
    /// Ends the plugin's work; handles are invalid afterwards.
    ///
    /// In every version.
    pub fn piTearDown(PluginParameter: *mut c_void) -> pi_result;
    /// Translates a compiler option; the text stays the plugin's.
    ///
    /// From PI 14.37 on.
    pub fn piPluginGetBackendOption(platform: pi_platform, frontend_option: *const c_char, backend_option: *mut *const c_char) -> pi_result;
    /// Lets a device use another's memory.
    ///
    /// From PI 14.37 on.
    pub fn piextEnablePeerAccess(command_device: pi_device, peer_device: pi_device) -> pi_result;
    /// Ends a device's use of another's memory.
    ///
    /// From PI 14.37 on.
    pub fn piextDisablePeerAccess(command_device: pi_device, peer_device: pi_device) -> pi_result;
    /// Answers whether a device can use another's memory.
    ///
    /// From PI 14.37 on.
    pub fn piextPeerAccessGetInfo(command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Makes a command buffer; the caller releases it.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferCreate(context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc, ret_command_buffer: *mut pi_ext_command_buffer) -> pi_result;
    /// Takes one more reference to a command buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferRetain(command_buffer: pi_ext_command_buffer) -> pi_result;
    /// Gives back one reference to a command buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferRelease(command_buffer: pi_ext_command_buffer) -> pi_result;
    /// Ends the recording of a command buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferFinalize(command_buffer: pi_ext_command_buffer) -> pi_result;
    /// Records a kernel.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferNDRangeKernel(command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy of USM memory.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemcpyUSM(command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy from a buffer to a buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemBufferCopy(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy of a box from a buffer to a buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemBufferCopyRect(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy from the host to a buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemBufferWrite(command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy of a box from the host to a buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemBufferWriteRect(command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy from a buffer to the host.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemBufferRead(command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, dst: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a copy of a box from a buffer to the host.
    ///
    /// From PI 14.37 on.
    pub fn piextCommandBufferMemBufferReadRect(command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a fill of a buffer.
    ///
    /// PI 15.47 only.
    pub fn piextCommandBufferMemBufferFill(command_buffer: pi_ext_command_buffer, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a fill of USM memory.
    ///
    /// PI 15.47 only.
    pub fn piextCommandBufferFillUSM(command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records a prefetch of USM memory.
    ///
    /// PI 15.47 only.
    pub fn piextCommandBufferPrefetchUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Records advice on USM memory.
    ///
    /// PI 15.47 only.
    pub fn piextCommandBufferAdviseUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize, advice: pi_mem_advice, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result;
    /// Runs a finalized command buffer.
    ///
    /// From PI 14.37 on.
    pub fn piextEnqueueCommandBuffer(command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Ends a handle of a bindless image without a sampler.
    ///
    /// From PI 14.37 on.
    pub fn piextMemUnsampledImageHandleDestroy(context: pi_context, device: pi_device, handle: pi_image_handle) -> pi_result;
    /// Ends a handle of a bindless image with a sampler.
    ///
    /// From PI 14.37 on.
    pub fn piextMemSampledImageHandleDestroy(context: pi_context, device: pi_device, handle: pi_image_handle) -> pi_result;
    /// Makes a sampler for bindless images.
    ///
    /// From PI 14.37 on.
    pub fn piextBindlessImageSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties, min_mipmap_level_clamp: f32, max_mipmap_level_clamp: f32, max_anisotropy: f32, result_sampler: *mut pi_sampler) -> pi_result;
    /// Allocates a bindless image's memory; freed with `piextMemImageFree`.
    ///
    /// From PI 14.37 on.
    pub fn piextMemImageAllocate(context: pi_context, device: pi_device, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_image_mem_handle) -> pi_result;
    /// Frees a bindless image's memory.
    ///
    /// From PI 14.37 on.
    pub fn piextMemImageFree(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle) -> pi_result;
    /// Makes a handle of a bindless image without a sampler.
    ///
    /// From PI 14.37 on.
    pub fn piextMemUnsampledImageCreate(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle) -> pi_result;
    /// Makes a handle of a bindless image with a sampler.
    ///
    /// From PI 14.37 on.
    pub fn piextMemSampledImageCreate(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, sampler: pi_sampler, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle) -> pi_result;
    /// Copies to, from or between bindless images.
    ///
    /// From PI 14.37 on.
    pub fn piextMemImageCopy(command_queue: pi_queue, dst_ptr: *mut c_void, src_ptr: *mut c_void, image_format: *const pi_image_format, image_desc: *const pi_image_desc, flags: pi_image_copy_flags, src_offset: pi_image_offset, dst_offset: pi_image_offset, copy_extent: pi_image_region, host_extent: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Answers a query about a bindless image's memory.
    ///
    /// From PI 14.37 on.
    pub fn piextMemImageGetInfo(mem_handle: pi_image_mem_handle, param_name: pi_image_info, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result;
    /// Gives one level of a mipmap.
    ///
    /// From PI 14.37 on.
    pub fn piextMemMipmapGetLevel(context: pi_context, device: pi_device, mip_mem: pi_image_mem_handle, level: c_uint, ret_mem: *mut pi_image_mem_handle) -> pi_result;
    /// Frees a mipmap's memory.
    ///
    /// From PI 14.37 on.
    pub fn piextMemMipmapFree(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle) -> pi_result;
    /// Imports another interface's memory by its file descriptor.
    ///
    /// From PI 14.37 on.
    pub fn piextMemImportOpaqueFD(context: pi_context, device: pi_device, size: usize, file_descriptor: c_int, ret_handle: *mut pi_interop_mem_handle) -> pi_result;
    /// Ends the use of imported memory.
    ///
    /// From PI 14.37 on.
    pub fn piextMemReleaseInterop(context: pi_context, device: pi_device, memory_handle: pi_interop_mem_handle) -> pi_result;
    /// Makes a bindless image's memory of imported memory.
    ///
    /// From PI 14.37 on.
    pub fn piextMemMapExternalArray(context: pi_context, device: pi_device, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, mem_handle: pi_interop_mem_handle, ret_mem: *mut pi_image_mem_handle) -> pi_result;
    /// Imports another interface's semaphore by its file descriptor.
    ///
    /// From PI 14.37 on.
    pub fn piextImportExternalSemaphoreOpaqueFD(context: pi_context, device: pi_device, file_descriptor: c_int, ret_handle: *mut pi_interop_semaphore_handle) -> pi_result;
    /// Ends the use of an imported semaphore.
    ///
    /// From PI 14.37 on.
    pub fn piextDestroyExternalSemaphore(context: pi_context, device: pi_device, sem_handle: pi_interop_semaphore_handle) -> pi_result;
    /// Has a queue wait for an imported semaphore.
    ///
    /// From PI 14.37 on.
    pub fn piextWaitExternalSemaphore(command_queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// Has a queue signal an imported semaphore.
    ///
    /// From PI 14.37 on.
    pub fn piextSignalExternalSemaphore(command_queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// `piextEnqueueDeviceGlobalVariableRead` under the name that its design gave it.
    pub fn piextEnqueueDeviceVariableRead(queue: pi_queue, program: pi_program, name: *const c_char, blocking_read: pi_bool, count: usize, offset: usize, dst: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
    /// `piextEnqueueDeviceGlobalVariableWrite` under the name that its design gave it.
    pub fn piextEnqueueDeviceVariableWrite(queue: pi_queue, program: pi_program, name: *const c_char, blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result;
}

/// Pointer to `piPluginInit`.
pub type piPluginInit_fn = Option<unsafe extern "C" fn(plugin_info: *mut pi_plugin) -> pi_result>;
/// Pointer to `piPlatformsGet`.
pub type piPlatformsGet_fn = Option<unsafe extern "C" fn(num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32) -> pi_result>;
/// Pointer to `piPlatformGetInfo`.
pub type piPlatformGetInfo_fn = Option<unsafe extern "C" fn(platform: pi_platform, param_name: pi_platform_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piextPlatformGetNativeHandle`.
pub type piextPlatformGetNativeHandle_fn = Option<unsafe extern "C" fn(platform: pi_platform, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextPlatformCreateWithNativeHandle`.
pub type piextPlatformCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, platform: *mut pi_platform) -> pi_result>;
/// Pointer to `piDevicesGet`.
pub type piDevicesGet_fn = Option<unsafe extern "C" fn(platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device, num_devices: *mut pi_uint32) -> pi_result>;
/// Pointer to `piDeviceGetInfo`.
pub type piDeviceGetInfo_fn = Option<unsafe extern "C" fn(device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piDevicePartition`.
pub type piDevicePartition_fn = Option<unsafe extern "C" fn(device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32, out_devices: *mut pi_device, out_num_devices: *mut pi_uint32) -> pi_result>;
/// Pointer to `piDeviceRetain`.
pub type piDeviceRetain_fn = Option<unsafe extern "C" fn(device: pi_device) -> pi_result>;
/// Pointer to `piDeviceRelease`.
pub type piDeviceRelease_fn = Option<unsafe extern "C" fn(device: pi_device) -> pi_result>;
/// Pointer to `piextDeviceSelectBinary`.
pub type piextDeviceSelectBinary_fn = Option<unsafe extern "C" fn(device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32, selected_binary_ind: *mut pi_uint32) -> pi_result>;
/// Pointer to `piextDeviceGetNativeHandle`.
pub type piextDeviceGetNativeHandle_fn = Option<unsafe extern "C" fn(device: pi_device, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextDeviceCreateWithNativeHandle`.
pub type piextDeviceCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, platform: pi_platform, device: *mut pi_device) -> pi_result>;
/// Pointer to `piGetDeviceAndHostTimer`.
pub type piGetDeviceAndHostTimer_fn = Option<unsafe extern "C" fn(Device: pi_device, DeviceTime: *mut u64, HostTime: *mut u64) -> pi_result>;
/// Pointer to `piContextCreate`.
pub type piContextCreate_fn = Option<unsafe extern "C" fn(properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device, pfn_notify: pi_context_notify, user_data: *mut c_void, ret_context: *mut pi_context) -> pi_result>;
/// Pointer to `piContextGetInfo`.
pub type piContextGetInfo_fn = Option<unsafe extern "C" fn(context: pi_context, param_name: pi_context_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piContextRetain`.
pub type piContextRetain_fn = Option<unsafe extern "C" fn(context: pi_context) -> pi_result>;
/// Pointer to `piContextRelease`.
pub type piContextRelease_fn = Option<unsafe extern "C" fn(context: pi_context) -> pi_result>;
/// Pointer to `piextContextSetExtendedDeleter`.
pub type piextContextSetExtendedDeleter_fn = Option<unsafe extern "C" fn(context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void) -> pi_result>;
/// Pointer to `piextContextGetNativeHandle`.
pub type piextContextGetNativeHandle_fn = Option<unsafe extern "C" fn(context: pi_context, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextContextCreateWithNativeHandle`.
pub type piextContextCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, numDevices: pi_uint32, devices: *const pi_device, pluginOwnsNativeHandle: pi_cxx_bool, context: *mut pi_context) -> pi_result>;
/// Pointer to `piQueueCreate`.
pub type piQueueCreate_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue) -> pi_result>;
/// Pointer to `piextQueueCreate`.
pub type piextQueueCreate_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result>;
/// Pointer to `piQueueGetInfo`.
pub type piQueueGetInfo_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piQueueFinish`.
pub type piQueueFinish_fn = Option<unsafe extern "C" fn(command_queue: pi_queue) -> pi_result>;
/// Pointer to `piQueueFlush`.
pub type piQueueFlush_fn = Option<unsafe extern "C" fn(command_queue: pi_queue) -> pi_result>;
/// Pointer to `piQueueRetain`.
pub type piQueueRetain_fn = Option<unsafe extern "C" fn(command_queue: pi_queue) -> pi_result>;
/// Pointer to `piQueueRelease`.
pub type piQueueRelease_fn = Option<unsafe extern "C" fn(command_queue: pi_queue) -> pi_result>;
/// Pointer to `piextQueueGetNativeHandle`.
pub type piextQueueGetNativeHandle_fn = Option<unsafe extern "C" fn(queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32) -> pi_result>;
/// Pointer to `piextQueueGetNativeHandle` as it is up to PI 12.27.
pub type piextQueueGetNativeHandle_until_12_27_fn = Option<unsafe extern "C" fn(queue: pi_queue, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextQueueCreateWithNativeHandle`.
pub type piextQueueCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, Properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result>;
/// Pointer to `piextQueueCreateWithNativeHandle` as it is up to PI 12.27.
pub type piextQueueCreateWithNativeHandle_until_12_27_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, queue: *mut pi_queue) -> pi_result>;
/// Pointer to `piextQueueCreate2`.
pub type piextQueueCreate2_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result>;
/// Pointer to `piextQueueGetNativeHandle2`.
pub type piextQueueGetNativeHandle2_fn = Option<unsafe extern "C" fn(queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32) -> pi_result>;
/// Pointer to `piextQueueCreateWithNativeHandle2`.
pub type piextQueueCreateWithNativeHandle2_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, Properties: *mut pi_queue_properties, queue: *mut pi_queue) -> pi_result>;
/// Pointer to `piMemBufferCreate`.
pub type piMemBufferCreate_fn = Option<unsafe extern "C" fn(context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void, ret_mem: *mut pi_mem, properties: *const pi_mem_properties) -> pi_result>;
/// Pointer to `piMemImageCreate`.
pub type piMemImageCreate_fn = Option<unsafe extern "C" fn(context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format, image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem) -> pi_result>;
/// Pointer to `piMemGetInfo`.
pub type piMemGetInfo_fn = Option<unsafe extern "C" fn(mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piMemImageGetInfo`.
pub type piMemImageGetInfo_fn = Option<unsafe extern "C" fn(image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piMemRetain`.
pub type piMemRetain_fn = Option<unsafe extern "C" fn(mem: pi_mem) -> pi_result>;
/// Pointer to `piMemRelease`.
pub type piMemRelease_fn = Option<unsafe extern "C" fn(mem: pi_mem) -> pi_result>;
/// Pointer to `piMemBufferPartition`.
pub type piMemBufferPartition_fn = Option<unsafe extern "C" fn(buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type, buffer_create_info: *mut c_void, ret_mem: *mut pi_mem) -> pi_result>;
/// Pointer to `piextMemGetNativeHandle`.
pub type piextMemGetNativeHandle_fn = Option<unsafe extern "C" fn(mem: pi_mem, dev: pi_device, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextMemGetNativeHandle` as it is up to PI 14.39.
pub type piextMemGetNativeHandle_until_14_39_fn = Option<unsafe extern "C" fn(mem: pi_mem, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextMemCreateWithNativeHandle`.
pub type piextMemCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, mem: *mut pi_mem) -> pi_result>;
/// Pointer to `piextMemImageCreateWithNativeHandle`.
pub type piextMemImageCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, ImageFormat: *const pi_image_format, ImageDesc: *const pi_image_desc, img: *mut pi_mem) -> pi_result>;
/// Pointer to `piProgramCreate`.
pub type piProgramCreate_fn = Option<unsafe extern "C" fn(context: pi_context, il: *const c_void, length: usize, res_program: *mut pi_program) -> pi_result>;
/// Pointer to `piProgramCreateWithBinary`.
pub type piProgramCreateWithBinary_fn = Option<unsafe extern "C" fn(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, lengths: *const usize, binaries: *const *const u8, num_metadata_entries: usize, metadata: *const pi_device_binary_property, binary_status: *mut pi_int32, ret_program: *mut pi_program) -> pi_result>;
/// Pointer to `piProgramGetInfo`.
pub type piProgramGetInfo_fn = Option<unsafe extern "C" fn(program: pi_program, param_name: pi_program_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piProgramCompile`.
pub type piProgramCompile_fn = Option<unsafe extern "C" fn(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_headers: pi_uint32, input_headers: *const pi_program, header_include_names: *const *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void) -> pi_result>;
/// Pointer to `piProgramBuild`.
pub type piProgramBuild_fn = Option<unsafe extern "C" fn(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void) -> pi_result>;
/// Pointer to `piProgramLink`.
pub type piProgramLink_fn = Option<unsafe extern "C" fn(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_programs: pi_uint32, input_programs: *const pi_program, pfn_notify: pi_program_notify, user_data: *mut c_void, ret_program: *mut pi_program) -> pi_result>;
/// Pointer to `piProgramGetBuildInfo`.
pub type piProgramGetBuildInfo_fn = Option<unsafe extern "C" fn(program: pi_program, device: pi_device, param_name: pi_program_build_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piProgramRetain`.
pub type piProgramRetain_fn = Option<unsafe extern "C" fn(program: pi_program) -> pi_result>;
/// Pointer to `piProgramRelease`.
pub type piProgramRelease_fn = Option<unsafe extern "C" fn(program: pi_program) -> pi_result>;
/// Pointer to `piextProgramSetSpecializationConstant`.
pub type piextProgramSetSpecializationConstant_fn = Option<unsafe extern "C" fn(prog: pi_program, spec_id: pi_uint32, spec_size: usize, spec_value: *const c_void) -> pi_result>;
/// Pointer to `piextProgramGetNativeHandle`.
pub type piextProgramGetNativeHandle_fn = Option<unsafe extern "C" fn(program: pi_program, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextProgramCreateWithNativeHandle`.
pub type piextProgramCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, context: pi_context, pluginOwnsNativeHandle: pi_cxx_bool, program: *mut pi_program) -> pi_result>;
/// Pointer to `piclProgramCreateWithSource`.
pub type piclProgramCreateWithSource_fn = Option<unsafe extern "C" fn(context: pi_context, count: pi_uint32, strings: *const *const c_char, lengths: *const usize, ret_program: *mut pi_program) -> pi_result>;
/// Pointer to `piKernelCreate`.
pub type piKernelCreate_fn = Option<unsafe extern "C" fn(program: pi_program, kernel_name: *const c_char, ret_kernel: *mut pi_kernel) -> pi_result>;
/// Pointer to `piKernelSetArg`.
pub type piKernelSetArg_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) -> pi_result>;
/// Pointer to `piKernelGetInfo`.
pub type piKernelGetInfo_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, param_name: pi_kernel_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piKernelGetGroupInfo`.
pub type piKernelGetGroupInfo_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_group_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piKernelGetSubGroupInfo`.
pub type piKernelGetSubGroupInfo_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, device: pi_device, param_name: pi_kernel_sub_group_info, input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piKernelRetain`.
pub type piKernelRetain_fn = Option<unsafe extern "C" fn(kernel: pi_kernel) -> pi_result>;
/// Pointer to `piKernelRelease`.
pub type piKernelRelease_fn = Option<unsafe extern "C" fn(kernel: pi_kernel) -> pi_result>;
/// Pointer to `piextKernelSetArgPointer`.
pub type piextKernelSetArgPointer_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, arg_index: pi_uint32, arg_size: usize, arg_value: *const c_void) -> pi_result>;
/// Pointer to `piKernelSetExecInfo`.
pub type piKernelSetExecInfo_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, value_name: pi_kernel_exec_info, param_value_size: usize, param_value: *const c_void) -> pi_result>;
/// Pointer to `piextKernelCreateWithNativeHandle`.
pub type piextKernelCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, context: pi_context, program: pi_program, pluginOwnsNativeHandle: pi_cxx_bool, kernel: *mut pi_kernel) -> pi_result>;
/// Pointer to `piextKernelGetNativeHandle`.
pub type piextKernelGetNativeHandle_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextKernelSuggestMaxCooperativeGroupCount`.
pub type piextKernelSuggestMaxCooperativeGroupCount_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, local_work_size: usize, dynamic_shared_memory_size: usize, group_count_ret: *mut pi_uint32) -> pi_result>;
/// Pointer to `piextKernelSetArgMemObj`.
pub type piextKernelSetArgMemObj_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, arg_index: pi_uint32, arg_properties: *const pi_mem_obj_property, arg_value: *const pi_mem) -> pi_result>;
/// Pointer to `piextKernelSetArgMemObj` as it is up to PI 12.27.
pub type piextKernelSetArgMemObj_until_12_27_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_mem) -> pi_result>;
/// Pointer to `piextKernelSetArgSampler`.
pub type piextKernelSetArgSampler_fn = Option<unsafe extern "C" fn(kernel: pi_kernel, arg_index: pi_uint32, arg_value: *const pi_sampler) -> pi_result>;
/// Pointer to `piEventCreate`.
pub type piEventCreate_fn = Option<unsafe extern "C" fn(context: pi_context, ret_event: *mut pi_event) -> pi_result>;
/// Pointer to `piEventCreate` as it is up to PI 9.11.
pub type piEventCreate_until_9_11_fn = Option<unsafe extern "C" fn(context: pi_context, ret_event: *mut pi_event) -> pi_result>;
/// Pointer to `piEventGetInfo`.
pub type piEventGetInfo_fn = Option<unsafe extern "C" fn(event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piEventGetProfilingInfo`.
pub type piEventGetProfilingInfo_fn = Option<unsafe extern "C" fn(event: pi_event, param_name: pi_profiling_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piEventsWait`.
pub type piEventsWait_fn = Option<unsafe extern "C" fn(num_events: pi_uint32, event_list: *const pi_event) -> pi_result>;
/// Pointer to `piEventSetCallback`.
pub type piEventSetCallback_fn = Option<unsafe extern "C" fn(event: pi_event, command_exec_callback_type: pi_int32, pfn_notify: pi_event_notify, user_data: *mut c_void) -> pi_result>;
/// Pointer to `piEventSetStatus`.
pub type piEventSetStatus_fn = Option<unsafe extern "C" fn(event: pi_event, execution_status: pi_int32) -> pi_result>;
/// Pointer to `piEventRetain`.
pub type piEventRetain_fn = Option<unsafe extern "C" fn(event: pi_event) -> pi_result>;
/// Pointer to `piEventRelease`.
pub type piEventRelease_fn = Option<unsafe extern "C" fn(event: pi_event) -> pi_result>;
/// Pointer to `piextEventGetNativeHandle`.
pub type piextEventGetNativeHandle_fn = Option<unsafe extern "C" fn(event: pi_event, nativeHandle: *mut pi_native_handle) -> pi_result>;
/// Pointer to `piextEventCreateWithNativeHandle`.
pub type piextEventCreateWithNativeHandle_fn = Option<unsafe extern "C" fn(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, event: *mut pi_event) -> pi_result>;
/// Pointer to `piSamplerCreate`.
pub type piSamplerCreate_fn = Option<unsafe extern "C" fn(context: pi_context, sampler_properties: *const pi_sampler_properties, result_sampler: *mut pi_sampler) -> pi_result>;
/// Pointer to `piSamplerGetInfo`.
pub type piSamplerGetInfo_fn = Option<unsafe extern "C" fn(sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piSamplerRetain`.
pub type piSamplerRetain_fn = Option<unsafe extern "C" fn(sampler: pi_sampler) -> pi_result>;
/// Pointer to `piSamplerRelease`.
pub type piSamplerRelease_fn = Option<unsafe extern "C" fn(sampler: pi_sampler) -> pi_result>;
/// Pointer to `piEnqueueKernelLaunch`.
pub type piEnqueueKernelLaunch_fn = Option<unsafe extern "C" fn(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextEnqueueCooperativeKernelLaunch`.
pub type piextEnqueueCooperativeKernelLaunch_fn = Option<unsafe extern "C" fn(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueEventsWait`.
pub type piEnqueueEventsWait_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueEventsWaitWithBarrier`.
pub type piEnqueueEventsWaitWithBarrier_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferRead`.
pub type piEnqueueMemBufferRead_fn = Option<unsafe extern "C" fn(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferReadRect`.
pub type piEnqueueMemBufferReadRect_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferWrite`.
pub type piEnqueueMemBufferWrite_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferWriteRect`.
pub type piEnqueueMemBufferWriteRect_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferCopy`.
pub type piEnqueueMemBufferCopy_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferCopyRect`.
pub type piEnqueueMemBufferCopyRect_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferFill`.
pub type piEnqueueMemBufferFill_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemImageRead`.
pub type piEnqueueMemImageRead_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, image: pi_mem, blocking_read: pi_bool, origin: pi_image_offset, region: pi_image_region, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemImageWrite`.
pub type piEnqueueMemImageWrite_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, image: pi_mem, blocking_write: pi_bool, origin: pi_image_offset, region: pi_image_region, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemImageCopy`.
pub type piEnqueueMemImageCopy_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, src_image: pi_mem, dst_image: pi_mem, src_origin: pi_image_offset, dst_origin: pi_image_offset, region: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemImageFill`.
pub type piEnqueueMemImageFill_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, image: pi_mem, fill_color: *const c_void, origin: *const usize, region: *const usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueMemBufferMap`.
pub type piEnqueueMemBufferMap_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags, offset: usize, size: usize, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event, ret_map: *mut *mut c_void) -> pi_result>;
/// Pointer to `piEnqueueMemUnmap`.
pub type piEnqueueMemUnmap_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piEnqueueNativeKernel`.
pub type piEnqueueNativeKernel_fn = Option<unsafe extern "C" fn(queue: pi_queue, user_func: pi_native_kernel, args: *mut c_void, cb_args: usize, num_mem_objects: pi_uint32, mem_list: *const pi_mem, args_mem_loc: *const *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMHostAlloc`.
pub type piextUSMHostAlloc_fn = Option<unsafe extern "C" fn(result_ptr: *mut *mut c_void, context: pi_context, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) -> pi_result>;
/// Pointer to `piextUSMDeviceAlloc`.
pub type piextUSMDeviceAlloc_fn = Option<unsafe extern "C" fn(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) -> pi_result>;
/// Pointer to `piextUSMSharedAlloc`.
pub type piextUSMSharedAlloc_fn = Option<unsafe extern "C" fn(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) -> pi_result>;
/// Pointer to `piextUSMFree`.
pub type piextUSMFree_fn = Option<unsafe extern "C" fn(context: pi_context, ptr: *mut c_void) -> pi_result>;
/// Pointer to `piextUSMEnqueueMemset`.
pub type piextUSMEnqueueMemset_fn = Option<unsafe extern "C" fn(queue: pi_queue, ptr: *mut c_void, value: pi_int32, count: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMEnqueueMemcpy`.
pub type piextUSMEnqueueMemcpy_fn = Option<unsafe extern "C" fn(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMEnqueuePrefetch`.
pub type piextUSMEnqueuePrefetch_fn = Option<unsafe extern "C" fn(queue: pi_queue, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMEnqueueMemAdvise`.
pub type piextUSMEnqueueMemAdvise_fn = Option<unsafe extern "C" fn(queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMEnqueueMemAdvise` as it is up to PI 14.37.
pub type piextUSMEnqueueMemAdvise_until_14_37_fn = Option<unsafe extern "C" fn(queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMGetMemAllocInfo`.
pub type piextUSMGetMemAllocInfo_fn = Option<unsafe extern "C" fn(context: pi_context, ptr: *const c_void, param_name: pi_mem_alloc_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piextUSMEnqueueFill2D`.
pub type piextUSMEnqueueFill2D_fn = Option<unsafe extern "C" fn(queue: pi_queue, ptr: *mut c_void, pitch: usize, pattern_size: usize, pattern: *const c_void, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMEnqueueMemset2D`.
pub type piextUSMEnqueueMemset2D_fn = Option<unsafe extern "C" fn(queue: pi_queue, ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMEnqueueMemcpy2D`.
pub type piextUSMEnqueueMemcpy2D_fn = Option<unsafe extern "C" fn(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, dst_pitch: usize, src_ptr: *const c_void, src_pitch: usize, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextUSMImport`.
pub type piextUSMImport_fn = Option<unsafe extern "C" fn(ptr: *const c_void, size: usize, context: pi_context) -> pi_result>;
/// Pointer to `piextUSMRelease`.
pub type piextUSMRelease_fn = Option<unsafe extern "C" fn(ptr: *const c_void, context: pi_context) -> pi_result>;
/// Pointer to `piextUSMPitchedAlloc`.
pub type piextUSMPitchedAlloc_fn = Option<unsafe extern "C" fn(result_ptr: *mut *mut c_void, result_pitch: *mut usize, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, width_in_bytes: usize, height: usize, element_size_bytes: c_uint) -> pi_result>;
/// Pointer to `piextGetDeviceFunctionPointer`.
pub type piextGetDeviceFunctionPointer_fn = Option<unsafe extern "C" fn(device: pi_device, program: pi_program, function_name: *const c_char, function_pointer_ret: *mut pi_uint64) -> pi_result>;
/// Pointer to `piextGetGlobalVariablePointer`.
pub type piextGetGlobalVariablePointer_fn = Option<unsafe extern "C" fn(Device: pi_device, Program: pi_program, GlobalVariableName: *const c_char, GlobalVariableSize: *mut usize, GlobalVariablePointerRet: *mut *mut c_void) -> pi_result>;
/// Pointer to `piextEnqueueReadHostPipe`.
pub type piextEnqueueReadHostPipe_fn = Option<unsafe extern "C" fn(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextEnqueueWriteHostPipe`.
pub type piextEnqueueWriteHostPipe_fn = Option<unsafe extern "C" fn(queue: pi_queue, program: pi_program, pipe_symbol: *const c_char, blocking: pi_bool, ptr: *mut c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextEnqueueDeviceGlobalVariableWrite`.
pub type piextEnqueueDeviceGlobalVariableWrite_fn = Option<unsafe extern "C" fn(queue: pi_queue, program: pi_program, name: *const c_char, blocking_write: pi_bool, count: usize, offset: usize, src: *const c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextEnqueueDeviceGlobalVariableRead`.
pub type piextEnqueueDeviceGlobalVariableRead_fn = Option<unsafe extern "C" fn(queue: pi_queue, program: pi_program, name: *const c_char, blocking_read: pi_bool, count: usize, offset: usize, dst: *mut c_void, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextPluginGetOpaqueData`.
pub type piextPluginGetOpaqueData_fn = Option<unsafe extern "C" fn(opaque_data_param: *mut c_void, opaque_data_return: *mut *mut c_void) -> pi_result>;
/// Pointer to `piPluginGetLastError`.
pub type piPluginGetLastError_fn = Option<unsafe extern "C" fn(message: *mut *mut c_char) -> pi_result>;
/// Pointer to `piTearDown`.
pub type piTearDown_fn = Option<unsafe extern "C" fn(PluginParameter: *mut c_void) -> pi_result>;
/// Pointer to `piPluginGetBackendOption`.
pub type piPluginGetBackendOption_fn = Option<unsafe extern "C" fn(platform: pi_platform, frontend_option: *const c_char, backend_option: *mut *const c_char) -> pi_result>;
/// Pointer to `piextEnablePeerAccess`.
pub type piextEnablePeerAccess_fn = Option<unsafe extern "C" fn(command_device: pi_device, peer_device: pi_device) -> pi_result>;
/// Pointer to `piextDisablePeerAccess`.
pub type piextDisablePeerAccess_fn = Option<unsafe extern "C" fn(command_device: pi_device, peer_device: pi_device) -> pi_result>;
/// Pointer to `piextPeerAccessGetInfo`.
pub type piextPeerAccessGetInfo_fn = Option<unsafe extern "C" fn(command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piextCommandBufferCreate`.
pub type piextCommandBufferCreate_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc, ret_command_buffer: *mut pi_ext_command_buffer) -> pi_result>;
/// Pointer to `piextCommandBufferRetain`.
pub type piextCommandBufferRetain_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer) -> pi_result>;
/// Pointer to `piextCommandBufferRelease`.
pub type piextCommandBufferRelease_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer) -> pi_result>;
/// Pointer to `piextCommandBufferFinalize`.
pub type piextCommandBufferFinalize_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer) -> pi_result>;
/// Pointer to `piextCommandBufferNDRangeKernel`.
pub type piextCommandBufferNDRangeKernel_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemcpyUSM`.
pub type piextCommandBufferMemcpyUSM_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferCopy`.
pub type piextCommandBufferMemBufferCopy_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferCopyRect`.
pub type piextCommandBufferMemBufferCopyRect_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferWrite`.
pub type piextCommandBufferMemBufferWrite_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferWriteRect`.
pub type piextCommandBufferMemBufferWriteRect_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferRead`.
pub type piextCommandBufferMemBufferRead_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, dst: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferReadRect`.
pub type piextCommandBufferMemBufferReadRect_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferMemBufferFill`.
pub type piextCommandBufferMemBufferFill_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferFillUSM`.
pub type piextCommandBufferFillUSM_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferPrefetchUSM`.
pub type piextCommandBufferPrefetchUSM_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextCommandBufferAdviseUSM`.
pub type piextCommandBufferAdviseUSM_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize, advice: pi_mem_advice, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point) -> pi_result>;
/// Pointer to `piextEnqueueCommandBuffer`.
pub type piextEnqueueCommandBuffer_fn = Option<unsafe extern "C" fn(command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextMemUnsampledImageHandleDestroy`.
pub type piextMemUnsampledImageHandleDestroy_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, handle: pi_image_handle) -> pi_result>;
/// Pointer to `piextMemSampledImageHandleDestroy`.
pub type piextMemSampledImageHandleDestroy_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, handle: pi_image_handle) -> pi_result>;
/// Pointer to `piextBindlessImageSamplerCreate`.
pub type piextBindlessImageSamplerCreate_fn = Option<unsafe extern "C" fn(context: pi_context, sampler_properties: *const pi_sampler_properties, min_mipmap_level_clamp: f32, max_mipmap_level_clamp: f32, max_anisotropy: f32, result_sampler: *mut pi_sampler) -> pi_result>;
/// Pointer to `piextMemImageAllocate`.
pub type piextMemImageAllocate_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_image_mem_handle) -> pi_result>;
/// Pointer to `piextMemImageFree`.
pub type piextMemImageFree_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle) -> pi_result>;
/// Pointer to `piextMemUnsampledImageCreate`.
pub type piextMemUnsampledImageCreate_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle) -> pi_result>;
/// Pointer to `piextMemSampledImageCreate`.
pub type piextMemSampledImageCreate_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, sampler: pi_sampler, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle) -> pi_result>;
/// Pointer to `piextMemImageCopy`.
pub type piextMemImageCopy_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, dst_ptr: *mut c_void, src_ptr: *mut c_void, image_format: *const pi_image_format, image_desc: *const pi_image_desc, flags: pi_image_copy_flags, src_offset: pi_image_offset, dst_offset: pi_image_offset, copy_extent: pi_image_region, host_extent: pi_image_region, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextMemImageGetInfo`.
pub type piextMemImageGetInfo_fn = Option<unsafe extern "C" fn(mem_handle: pi_image_mem_handle, param_name: pi_image_info, param_value: *mut c_void, param_value_size_ret: *mut usize) -> pi_result>;
/// Pointer to `piextMemMipmapGetLevel`.
pub type piextMemMipmapGetLevel_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, mip_mem: pi_image_mem_handle, level: c_uint, ret_mem: *mut pi_image_mem_handle) -> pi_result>;
/// Pointer to `piextMemMipmapFree`.
pub type piextMemMipmapFree_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle) -> pi_result>;
/// Pointer to `piextMemImportOpaqueFD`.
pub type piextMemImportOpaqueFD_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, size: usize, file_descriptor: c_int, ret_handle: *mut pi_interop_mem_handle) -> pi_result>;
/// Pointer to `piextMemReleaseInterop`.
pub type piextMemReleaseInterop_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, memory_handle: pi_interop_mem_handle) -> pi_result>;
/// Pointer to `piextMemMapExternalArray`.
pub type piextMemMapExternalArray_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, mem_handle: pi_interop_mem_handle, ret_mem: *mut pi_image_mem_handle) -> pi_result>;
/// Pointer to `piextImportExternalSemaphoreOpaqueFD`.
pub type piextImportExternalSemaphoreOpaqueFD_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, file_descriptor: c_int, ret_handle: *mut pi_interop_semaphore_handle) -> pi_result>;
/// Pointer to `piextDestroyExternalSemaphore`.
pub type piextDestroyExternalSemaphore_fn = Option<unsafe extern "C" fn(context: pi_context, device: pi_device, sem_handle: pi_interop_semaphore_handle) -> pi_result>;
/// Pointer to `piextWaitExternalSemaphore`.
pub type piextWaitExternalSemaphore_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;
/// Pointer to `piextSignalExternalSemaphore`.
pub type piextSignalExternalSemaphore_fn = Option<unsafe extern "C" fn(command_queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event) -> pi_result>;

/// The function table of PI 9.11: 106 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_9_11 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_until_12_27_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_until_12_27_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_until_14_39_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piclProgramCreateWithSource: piclProgramCreateWithSource_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piEventCreate: piEventCreate_until_9_11_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piEnqueueNativeKernel: piEnqueueNativeKernel_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_until_14_37_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_until_12_27_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
}

/// The function table of PI 11.15: 106 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_11_15 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_until_12_27_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_until_12_27_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_until_14_39_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piclProgramCreateWithSource: piclProgramCreateWithSource_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piEventCreate: piEventCreate_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piEnqueueNativeKernel: piEnqueueNativeKernel_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_until_14_37_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_until_12_27_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
}

/// The function table of PI 12.21: 110 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_12_21 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piextQueueCreate: piextQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_until_12_27_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_until_12_27_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_until_14_39_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piclProgramCreateWithSource: piclProgramCreateWithSource_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piEventCreate: piEventCreate_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piEnqueueNativeKernel: piEnqueueNativeKernel_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_until_14_37_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_until_12_27_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
    pub piextUSMEnqueueFill2D: piextUSMEnqueueFill2D_fn,
    pub piextUSMEnqueueMemset2D: piextUSMEnqueueMemset2D_fn,
    pub piextUSMEnqueueMemcpy2D: piextUSMEnqueueMemcpy2D_fn,
}

/// The function table of PI 12.27: 118 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_12_27 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piextQueueCreate: piextQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_until_12_27_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_until_12_27_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_until_14_39_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piclProgramCreateWithSource: piclProgramCreateWithSource_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piEventCreate: piEventCreate_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piEnqueueNativeKernel: piEnqueueNativeKernel_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_until_14_37_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextEnqueueReadHostPipe: piextEnqueueReadHostPipe_fn,
    pub piextEnqueueWriteHostPipe: piextEnqueueWriteHostPipe_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_until_12_27_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
    pub piextUSMEnqueueFill2D: piextUSMEnqueueFill2D_fn,
    pub piextUSMEnqueueMemset2D: piextUSMEnqueueMemset2D_fn,
    pub piextUSMEnqueueMemcpy2D: piextUSMEnqueueMemcpy2D_fn,
    pub piGetDeviceAndHostTimer: piGetDeviceAndHostTimer_fn,
    pub piextEnqueueDeviceGlobalVariableWrite: piextEnqueueDeviceGlobalVariableWrite_fn,
    pub piextEnqueueDeviceGlobalVariableRead: piextEnqueueDeviceGlobalVariableRead_fn,
    pub piextQueueCreate2: piextQueueCreate2_fn,
    pub piextQueueGetNativeHandle2: piextQueueGetNativeHandle2_fn,
    pub piextQueueCreateWithNativeHandle2: piextQueueCreateWithNativeHandle2_fn,
}

/// The function table of PI 14.37: 152 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_14_37 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piextQueueCreate: piextQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_until_14_39_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piextMemImageCreateWithNativeHandle: piextMemImageCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piEventCreate: piEventCreate_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_until_14_37_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextEnqueueReadHostPipe: piextEnqueueReadHostPipe_fn,
    pub piextEnqueueWriteHostPipe: piextEnqueueWriteHostPipe_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
    pub piextUSMEnqueueFill2D: piextUSMEnqueueFill2D_fn,
    pub piextUSMEnqueueMemset2D: piextUSMEnqueueMemset2D_fn,
    pub piextUSMEnqueueMemcpy2D: piextUSMEnqueueMemcpy2D_fn,
    pub piGetDeviceAndHostTimer: piGetDeviceAndHostTimer_fn,
    pub piextEnqueueDeviceGlobalVariableWrite: piextEnqueueDeviceGlobalVariableWrite_fn,
    pub piextEnqueueDeviceGlobalVariableRead: piextEnqueueDeviceGlobalVariableRead_fn,
    pub piPluginGetBackendOption: piPluginGetBackendOption_fn,
    pub piextEnablePeerAccess: piextEnablePeerAccess_fn,
    pub piextDisablePeerAccess: piextDisablePeerAccess_fn,
    pub piextPeerAccessGetInfo: piextPeerAccessGetInfo_fn,
    pub piextUSMImport: piextUSMImport_fn,
    pub piextUSMRelease: piextUSMRelease_fn,
    pub piextCommandBufferCreate: piextCommandBufferCreate_fn,
    pub piextCommandBufferRetain: piextCommandBufferRetain_fn,
    pub piextCommandBufferRelease: piextCommandBufferRelease_fn,
    pub piextCommandBufferFinalize: piextCommandBufferFinalize_fn,
    pub piextCommandBufferNDRangeKernel: piextCommandBufferNDRangeKernel_fn,
    pub piextCommandBufferMemcpyUSM: piextCommandBufferMemcpyUSM_fn,
    pub piextCommandBufferMemBufferCopy: piextCommandBufferMemBufferCopy_fn,
    pub piextCommandBufferMemBufferCopyRect: piextCommandBufferMemBufferCopyRect_fn,
    pub piextCommandBufferMemBufferWrite: piextCommandBufferMemBufferWrite_fn,
    pub piextCommandBufferMemBufferWriteRect: piextCommandBufferMemBufferWriteRect_fn,
    pub piextCommandBufferMemBufferRead: piextCommandBufferMemBufferRead_fn,
    pub piextCommandBufferMemBufferReadRect: piextCommandBufferMemBufferReadRect_fn,
    pub piextEnqueueCommandBuffer: piextEnqueueCommandBuffer_fn,
    pub piextUSMPitchedAlloc: piextUSMPitchedAlloc_fn,
    pub piextMemUnsampledImageHandleDestroy: piextMemUnsampledImageHandleDestroy_fn,
    pub piextMemSampledImageHandleDestroy: piextMemSampledImageHandleDestroy_fn,
    pub piextBindlessImageSamplerCreate: piextBindlessImageSamplerCreate_fn,
    pub piextMemImageAllocate: piextMemImageAllocate_fn,
    pub piextMemImageFree: piextMemImageFree_fn,
    pub piextMemUnsampledImageCreate: piextMemUnsampledImageCreate_fn,
    pub piextMemSampledImageCreate: piextMemSampledImageCreate_fn,
    pub piextMemImageCopy: piextMemImageCopy_fn,
    pub piextMemImageGetInfo: piextMemImageGetInfo_fn,
    pub piextMemMipmapGetLevel: piextMemMipmapGetLevel_fn,
    pub piextMemMipmapFree: piextMemMipmapFree_fn,
    pub piextMemImportOpaqueFD: piextMemImportOpaqueFD_fn,
    pub piextMemReleaseInterop: piextMemReleaseInterop_fn,
    pub piextMemMapExternalArray: piextMemMapExternalArray_fn,
    pub piextImportExternalSemaphoreOpaqueFD: piextImportExternalSemaphoreOpaqueFD_fn,
    pub piextDestroyExternalSemaphore: piextDestroyExternalSemaphore_fn,
    pub piextWaitExternalSemaphore: piextWaitExternalSemaphore_fn,
    pub piextSignalExternalSemaphore: piextSignalExternalSemaphore_fn,
}

/// The function table of PI 14.39: 152 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_14_39 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piextQueueCreate: piextQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_until_14_39_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piextMemImageCreateWithNativeHandle: piextMemImageCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piEventCreate: piEventCreate_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextEnqueueReadHostPipe: piextEnqueueReadHostPipe_fn,
    pub piextEnqueueWriteHostPipe: piextEnqueueWriteHostPipe_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
    pub piextUSMEnqueueFill2D: piextUSMEnqueueFill2D_fn,
    pub piextUSMEnqueueMemset2D: piextUSMEnqueueMemset2D_fn,
    pub piextUSMEnqueueMemcpy2D: piextUSMEnqueueMemcpy2D_fn,
    pub piGetDeviceAndHostTimer: piGetDeviceAndHostTimer_fn,
    pub piextEnqueueDeviceGlobalVariableWrite: piextEnqueueDeviceGlobalVariableWrite_fn,
    pub piextEnqueueDeviceGlobalVariableRead: piextEnqueueDeviceGlobalVariableRead_fn,
    pub piPluginGetBackendOption: piPluginGetBackendOption_fn,
    pub piextEnablePeerAccess: piextEnablePeerAccess_fn,
    pub piextDisablePeerAccess: piextDisablePeerAccess_fn,
    pub piextPeerAccessGetInfo: piextPeerAccessGetInfo_fn,
    pub piextUSMImport: piextUSMImport_fn,
    pub piextUSMRelease: piextUSMRelease_fn,
    pub piextCommandBufferCreate: piextCommandBufferCreate_fn,
    pub piextCommandBufferRetain: piextCommandBufferRetain_fn,
    pub piextCommandBufferRelease: piextCommandBufferRelease_fn,
    pub piextCommandBufferFinalize: piextCommandBufferFinalize_fn,
    pub piextCommandBufferNDRangeKernel: piextCommandBufferNDRangeKernel_fn,
    pub piextCommandBufferMemcpyUSM: piextCommandBufferMemcpyUSM_fn,
    pub piextCommandBufferMemBufferCopy: piextCommandBufferMemBufferCopy_fn,
    pub piextCommandBufferMemBufferCopyRect: piextCommandBufferMemBufferCopyRect_fn,
    pub piextCommandBufferMemBufferWrite: piextCommandBufferMemBufferWrite_fn,
    pub piextCommandBufferMemBufferWriteRect: piextCommandBufferMemBufferWriteRect_fn,
    pub piextCommandBufferMemBufferRead: piextCommandBufferMemBufferRead_fn,
    pub piextCommandBufferMemBufferReadRect: piextCommandBufferMemBufferReadRect_fn,
    pub piextEnqueueCommandBuffer: piextEnqueueCommandBuffer_fn,
    pub piextUSMPitchedAlloc: piextUSMPitchedAlloc_fn,
    pub piextMemUnsampledImageHandleDestroy: piextMemUnsampledImageHandleDestroy_fn,
    pub piextMemSampledImageHandleDestroy: piextMemSampledImageHandleDestroy_fn,
    pub piextBindlessImageSamplerCreate: piextBindlessImageSamplerCreate_fn,
    pub piextMemImageAllocate: piextMemImageAllocate_fn,
    pub piextMemImageFree: piextMemImageFree_fn,
    pub piextMemUnsampledImageCreate: piextMemUnsampledImageCreate_fn,
    pub piextMemSampledImageCreate: piextMemSampledImageCreate_fn,
    pub piextMemImageCopy: piextMemImageCopy_fn,
    pub piextMemImageGetInfo: piextMemImageGetInfo_fn,
    pub piextMemMipmapGetLevel: piextMemMipmapGetLevel_fn,
    pub piextMemMipmapFree: piextMemMipmapFree_fn,
    pub piextMemImportOpaqueFD: piextMemImportOpaqueFD_fn,
    pub piextMemReleaseInterop: piextMemReleaseInterop_fn,
    pub piextMemMapExternalArray: piextMemMapExternalArray_fn,
    pub piextImportExternalSemaphoreOpaqueFD: piextImportExternalSemaphoreOpaqueFD_fn,
    pub piextDestroyExternalSemaphore: piextDestroyExternalSemaphore_fn,
    pub piextWaitExternalSemaphore: piextWaitExternalSemaphore_fn,
    pub piextSignalExternalSemaphore: piextSignalExternalSemaphore_fn,
}

/// The function table of PI 15.47: 159 functions in the order of their slots.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "a field is the function of that name")]
pub struct pi_function_table_15_47 {
    pub piPlatformsGet: piPlatformsGet_fn,
    pub piPlatformGetInfo: piPlatformGetInfo_fn,
    pub piextPlatformGetNativeHandle: piextPlatformGetNativeHandle_fn,
    pub piextPlatformCreateWithNativeHandle: piextPlatformCreateWithNativeHandle_fn,
    pub piDevicesGet: piDevicesGet_fn,
    pub piDeviceGetInfo: piDeviceGetInfo_fn,
    pub piDevicePartition: piDevicePartition_fn,
    pub piDeviceRetain: piDeviceRetain_fn,
    pub piDeviceRelease: piDeviceRelease_fn,
    pub piextDeviceSelectBinary: piextDeviceSelectBinary_fn,
    pub piextGetDeviceFunctionPointer: piextGetDeviceFunctionPointer_fn,
    pub piextGetGlobalVariablePointer: piextGetGlobalVariablePointer_fn,
    pub piextDeviceGetNativeHandle: piextDeviceGetNativeHandle_fn,
    pub piextDeviceCreateWithNativeHandle: piextDeviceCreateWithNativeHandle_fn,
    pub piContextCreate: piContextCreate_fn,
    pub piContextGetInfo: piContextGetInfo_fn,
    pub piContextRetain: piContextRetain_fn,
    pub piContextRelease: piContextRelease_fn,
    pub piextContextSetExtendedDeleter: piextContextSetExtendedDeleter_fn,
    pub piextContextGetNativeHandle: piextContextGetNativeHandle_fn,
    pub piextContextCreateWithNativeHandle: piextContextCreateWithNativeHandle_fn,
    pub piQueueCreate: piQueueCreate_fn,
    pub piextQueueCreate: piextQueueCreate_fn,
    pub piQueueGetInfo: piQueueGetInfo_fn,
    pub piQueueFinish: piQueueFinish_fn,
    pub piQueueFlush: piQueueFlush_fn,
    pub piQueueRetain: piQueueRetain_fn,
    pub piQueueRelease: piQueueRelease_fn,
    pub piextQueueGetNativeHandle: piextQueueGetNativeHandle_fn,
    pub piextQueueCreateWithNativeHandle: piextQueueCreateWithNativeHandle_fn,
    pub piMemBufferCreate: piMemBufferCreate_fn,
    pub piMemImageCreate: piMemImageCreate_fn,
    pub piMemGetInfo: piMemGetInfo_fn,
    pub piMemImageGetInfo: piMemImageGetInfo_fn,
    pub piMemRetain: piMemRetain_fn,
    pub piMemRelease: piMemRelease_fn,
    pub piMemBufferPartition: piMemBufferPartition_fn,
    pub piextMemGetNativeHandle: piextMemGetNativeHandle_fn,
    pub piextMemCreateWithNativeHandle: piextMemCreateWithNativeHandle_fn,
    pub piextMemImageCreateWithNativeHandle: piextMemImageCreateWithNativeHandle_fn,
    pub piProgramCreate: piProgramCreate_fn,
    pub piProgramCreateWithBinary: piProgramCreateWithBinary_fn,
    pub piProgramGetInfo: piProgramGetInfo_fn,
    pub piProgramCompile: piProgramCompile_fn,
    pub piProgramBuild: piProgramBuild_fn,
    pub piProgramLink: piProgramLink_fn,
    pub piProgramGetBuildInfo: piProgramGetBuildInfo_fn,
    pub piProgramRetain: piProgramRetain_fn,
    pub piProgramRelease: piProgramRelease_fn,
    pub piextProgramSetSpecializationConstant: piextProgramSetSpecializationConstant_fn,
    pub piextProgramGetNativeHandle: piextProgramGetNativeHandle_fn,
    pub piextProgramCreateWithNativeHandle: piextProgramCreateWithNativeHandle_fn,
    pub piKernelCreate: piKernelCreate_fn,
    pub piKernelSetArg: piKernelSetArg_fn,
    pub piKernelGetInfo: piKernelGetInfo_fn,
    pub piKernelGetGroupInfo: piKernelGetGroupInfo_fn,
    pub piKernelGetSubGroupInfo: piKernelGetSubGroupInfo_fn,
    pub piKernelRetain: piKernelRetain_fn,
    pub piKernelRelease: piKernelRelease_fn,
    pub piextKernelSetArgPointer: piextKernelSetArgPointer_fn,
    pub piKernelSetExecInfo: piKernelSetExecInfo_fn,
    pub piextKernelCreateWithNativeHandle: piextKernelCreateWithNativeHandle_fn,
    pub piextKernelGetNativeHandle: piextKernelGetNativeHandle_fn,
    pub piextKernelSuggestMaxCooperativeGroupCount: piextKernelSuggestMaxCooperativeGroupCount_fn,
    pub piEventCreate: piEventCreate_fn,
    pub piEventGetInfo: piEventGetInfo_fn,
    pub piEventGetProfilingInfo: piEventGetProfilingInfo_fn,
    pub piEventsWait: piEventsWait_fn,
    pub piEventSetCallback: piEventSetCallback_fn,
    pub piEventSetStatus: piEventSetStatus_fn,
    pub piEventRetain: piEventRetain_fn,
    pub piEventRelease: piEventRelease_fn,
    pub piextEventGetNativeHandle: piextEventGetNativeHandle_fn,
    pub piextEventCreateWithNativeHandle: piextEventCreateWithNativeHandle_fn,
    pub piSamplerCreate: piSamplerCreate_fn,
    pub piSamplerGetInfo: piSamplerGetInfo_fn,
    pub piSamplerRetain: piSamplerRetain_fn,
    pub piSamplerRelease: piSamplerRelease_fn,
    pub piEnqueueKernelLaunch: piEnqueueKernelLaunch_fn,
    pub piextEnqueueCooperativeKernelLaunch: piextEnqueueCooperativeKernelLaunch_fn,
    pub piEnqueueEventsWait: piEnqueueEventsWait_fn,
    pub piEnqueueEventsWaitWithBarrier: piEnqueueEventsWaitWithBarrier_fn,
    pub piEnqueueMemBufferRead: piEnqueueMemBufferRead_fn,
    pub piEnqueueMemBufferReadRect: piEnqueueMemBufferReadRect_fn,
    pub piEnqueueMemBufferWrite: piEnqueueMemBufferWrite_fn,
    pub piEnqueueMemBufferWriteRect: piEnqueueMemBufferWriteRect_fn,
    pub piEnqueueMemBufferCopy: piEnqueueMemBufferCopy_fn,
    pub piEnqueueMemBufferCopyRect: piEnqueueMemBufferCopyRect_fn,
    pub piEnqueueMemBufferFill: piEnqueueMemBufferFill_fn,
    pub piEnqueueMemImageRead: piEnqueueMemImageRead_fn,
    pub piEnqueueMemImageWrite: piEnqueueMemImageWrite_fn,
    pub piEnqueueMemImageCopy: piEnqueueMemImageCopy_fn,
    pub piEnqueueMemImageFill: piEnqueueMemImageFill_fn,
    pub piEnqueueMemBufferMap: piEnqueueMemBufferMap_fn,
    pub piEnqueueMemUnmap: piEnqueueMemUnmap_fn,
    pub piextUSMHostAlloc: piextUSMHostAlloc_fn,
    pub piextUSMDeviceAlloc: piextUSMDeviceAlloc_fn,
    pub piextUSMSharedAlloc: piextUSMSharedAlloc_fn,
    pub piextUSMFree: piextUSMFree_fn,
    pub piextUSMEnqueueMemset: piextUSMEnqueueMemset_fn,
    pub piextUSMEnqueueMemcpy: piextUSMEnqueueMemcpy_fn,
    pub piextUSMEnqueuePrefetch: piextUSMEnqueuePrefetch_fn,
    pub piextUSMEnqueueMemAdvise: piextUSMEnqueueMemAdvise_fn,
    pub piextUSMGetMemAllocInfo: piextUSMGetMemAllocInfo_fn,
    pub piextEnqueueReadHostPipe: piextEnqueueReadHostPipe_fn,
    pub piextEnqueueWriteHostPipe: piextEnqueueWriteHostPipe_fn,
    pub piextKernelSetArgMemObj: piextKernelSetArgMemObj_fn,
    pub piextKernelSetArgSampler: piextKernelSetArgSampler_fn,
    pub piextPluginGetOpaqueData: piextPluginGetOpaqueData_fn,
    pub piPluginGetLastError: piPluginGetLastError_fn,
    pub piTearDown: piTearDown_fn,
    pub piextUSMEnqueueFill2D: piextUSMEnqueueFill2D_fn,
    pub piextUSMEnqueueMemset2D: piextUSMEnqueueMemset2D_fn,
    pub piextUSMEnqueueMemcpy2D: piextUSMEnqueueMemcpy2D_fn,
    pub piGetDeviceAndHostTimer: piGetDeviceAndHostTimer_fn,
    pub piextEnqueueDeviceGlobalVariableWrite: piextEnqueueDeviceGlobalVariableWrite_fn,
    pub piextEnqueueDeviceGlobalVariableRead: piextEnqueueDeviceGlobalVariableRead_fn,
    pub piPluginGetBackendOption: piPluginGetBackendOption_fn,
    pub piextEnablePeerAccess: piextEnablePeerAccess_fn,
    pub piextDisablePeerAccess: piextDisablePeerAccess_fn,
    pub piextPeerAccessGetInfo: piextPeerAccessGetInfo_fn,
    pub piextUSMImport: piextUSMImport_fn,
    pub piextUSMRelease: piextUSMRelease_fn,
    pub piextCommandBufferCreate: piextCommandBufferCreate_fn,
    pub piextCommandBufferRetain: piextCommandBufferRetain_fn,
    pub piextCommandBufferRelease: piextCommandBufferRelease_fn,
    pub piextCommandBufferFinalize: piextCommandBufferFinalize_fn,
    pub piextCommandBufferNDRangeKernel: piextCommandBufferNDRangeKernel_fn,
    pub piextCommandBufferMemcpyUSM: piextCommandBufferMemcpyUSM_fn,
    pub piextCommandBufferMemBufferCopy: piextCommandBufferMemBufferCopy_fn,
    pub piextCommandBufferMemBufferCopyRect: piextCommandBufferMemBufferCopyRect_fn,
    pub piextCommandBufferMemBufferWrite: piextCommandBufferMemBufferWrite_fn,
    pub piextCommandBufferMemBufferWriteRect: piextCommandBufferMemBufferWriteRect_fn,
    pub piextCommandBufferMemBufferRead: piextCommandBufferMemBufferRead_fn,
    pub piextCommandBufferMemBufferReadRect: piextCommandBufferMemBufferReadRect_fn,
    pub piextCommandBufferMemBufferFill: piextCommandBufferMemBufferFill_fn,
    pub piextCommandBufferFillUSM: piextCommandBufferFillUSM_fn,
    pub piextCommandBufferPrefetchUSM: piextCommandBufferPrefetchUSM_fn,
    pub piextCommandBufferAdviseUSM: piextCommandBufferAdviseUSM_fn,
    pub piextEnqueueCommandBuffer: piextEnqueueCommandBuffer_fn,
    pub piextUSMPitchedAlloc: piextUSMPitchedAlloc_fn,
    pub piextMemUnsampledImageHandleDestroy: piextMemUnsampledImageHandleDestroy_fn,
    pub piextMemSampledImageHandleDestroy: piextMemSampledImageHandleDestroy_fn,
    pub piextBindlessImageSamplerCreate: piextBindlessImageSamplerCreate_fn,
    pub piextMemImageAllocate: piextMemImageAllocate_fn,
    pub piextMemImageFree: piextMemImageFree_fn,
    pub piextMemUnsampledImageCreate: piextMemUnsampledImageCreate_fn,
    pub piextMemSampledImageCreate: piextMemSampledImageCreate_fn,
    pub piextMemImageCopy: piextMemImageCopy_fn,
    pub piextMemImageGetInfo: piextMemImageGetInfo_fn,
    pub piextMemMipmapGetLevel: piextMemMipmapGetLevel_fn,
    pub piextMemMipmapFree: piextMemMipmapFree_fn,
    pub piextMemImportOpaqueFD: piextMemImportOpaqueFD_fn,
    pub piextMemReleaseInterop: piextMemReleaseInterop_fn,
    pub piextMemMapExternalArray: piextMemMapExternalArray_fn,
    pub piextImportExternalSemaphoreOpaqueFD: piextImportExternalSemaphoreOpaqueFD_fn,
    pub piextDestroyExternalSemaphore: piextDestroyExternalSemaphore_fn,
    pub piextWaitExternalSemaphore: piextWaitExternalSemaphore_fn,
    pub piextSignalExternalSemaphore: piextSignalExternalSemaphore_fn,
}

