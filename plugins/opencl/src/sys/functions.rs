//! The functions that the OpenCL library exports.
//!
//! A function that returns an object also writes a code through its last argument, which [`create`](super::create)
//! checks. Commands that read host memory take it as `*mut` if a similar command writes to it, so that both have the
//! same type.

use std::ffi::{c_char, c_uchar, c_void};

use opencl_sys::*;
use sycl_pi_backend::api::{ContextCallback, ProgramCallback};
use sycl_pi_backend::raw::RawEvent;
use sycl_pi_backend::types::EventStatus;
use sycl_pi_dynload::driver_functions;

/// Called when an event reaches a status. A handle of the interface is the driver's own, and its numbers are OpenCL's.
pub(crate) type StatusCallback = Option<unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut c_void)>;
/// Called once, before a context is destroyed.
pub(crate) type DestructorCallback = Option<unsafe extern "C" fn(cl_context, *mut c_void)>;

driver_functions! {
    /// The exported functions. Objects must be live, and memory is the caller's (see the module `sys`).
    pub(crate) struct OpenClFunctions {
        fn clGetPlatformInfo(
            platform: cl_platform_id, name: cl_platform_info, size: usize, value: *mut c_void,
            size_ret: *mut usize
        ) -> cl_int;
        fn clGetPlatformIDs(
            num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint
        ) -> cl_int;
        fn clGetExtensionFunctionAddressForPlatform(
            platform: cl_platform_id, name: *const c_char
        ) -> *mut c_void;
        fn clGetDeviceIDs(
            platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint,
            devices: *mut cl_device_id, num_devices: *mut cl_uint
        ) -> cl_int;
        fn clGetDeviceInfo(
            device: cl_device_id, name: cl_device_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clCreateSubDevices(
            device: cl_device_id, properties: *const cl_device_partition_property, num_devices: cl_uint,
            devices: *mut cl_device_id, num_ret: *mut cl_uint
        ) -> cl_int;
        fn clRetainDevice(device: cl_device_id) -> cl_int;
        fn clReleaseDevice(device: cl_device_id) -> cl_int;
        fn clGetDeviceAndHostTimer(
            device: cl_device_id, device_timestamp: *mut cl_ulong, host_timestamp: *mut cl_ulong
        ) -> cl_int;
        fn clGetHostTimer(device: cl_device_id, host_timestamp: *mut cl_ulong) -> cl_int;
        fn clRetainContext(context: cl_context) -> cl_int;
        fn clReleaseContext(context: cl_context) -> cl_int;
        fn clGetContextInfo(
            context: cl_context, name: cl_context_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clSetContextDestructorCallback(
            context: cl_context, notify: DestructorCallback,
            user_data: *mut c_void
        ) -> cl_int;
        fn clCreateContext(
            properties: *const cl_context_properties, num_devices: cl_uint, devices: *const cl_device_id,
            notify: ContextCallback, user_data: *mut c_void, code: *mut cl_int
        ) -> cl_context;
        fn clRetainCommandQueue(queue: cl_command_queue) -> cl_int;
        fn clGetCommandQueueInfo(
            queue: cl_command_queue, name: cl_command_queue_info, size: usize, value: *mut c_void,
            size_ret: *mut usize
        ) -> cl_int;
        fn clFlush(queue: cl_command_queue) -> cl_int;
        fn clCreateCommandQueue(
            context: cl_context, device: cl_device_id, properties: cl_command_queue_properties,
            code: *mut cl_int
        ) -> cl_command_queue;
        fn clCreateCommandQueueWithProperties(
            context: cl_context, device: cl_device_id, properties: *const cl_queue_properties,
            code: *mut cl_int
        ) -> cl_command_queue;
        fn clFinish(queue: cl_command_queue) -> cl_int;
        fn clReleaseCommandQueue(queue: cl_command_queue) -> cl_int;
        fn clRetainMemObject(mem: cl_mem) -> cl_int;
        fn clReleaseMemObject(mem: cl_mem) -> cl_int;
        fn clGetMemObjectInfo(
            mem: cl_mem, name: cl_mem_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clGetImageInfo(
            image: cl_mem, name: cl_image_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clCreateBuffer(
            context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void, code: *mut cl_int
        ) -> cl_mem;
        fn clCreateSubBuffer(
            buffer: cl_mem, flags: cl_mem_flags, kind: cl_buffer_create_type, info: *const c_void,
            code: *mut cl_int
        ) -> cl_mem;
        fn clCreateImage(
            context: cl_context, flags: cl_mem_flags, format: *const cl_image_format,
            desc: *const cl_image_desc, host_ptr: *mut c_void, code: *mut cl_int
        ) -> cl_mem;
        fn clSVMAlloc(
            context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint
        ) -> *mut c_void;
        fn clSVMFree(context: cl_context, ptr: *mut c_void) -> ();
        fn clRetainProgram(program: cl_program) -> cl_int;
        fn clReleaseProgram(program: cl_program) -> cl_int;
        fn clGetProgramInfo(
            program: cl_program, name: cl_program_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clGetProgramBuildInfo(
            program: cl_program, device: cl_device_id, name: cl_program_build_info, size: usize,
            value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clBuildProgram(
            program: cl_program, num_devices: cl_uint, devices: *const cl_device_id, options: *const c_char,
            notify: ProgramCallback, user_data: *mut c_void
        ) -> cl_int;
        fn clCompileProgram(
            program: cl_program, num_devices: cl_uint, devices: *const cl_device_id, options: *const c_char,
            num_headers: cl_uint, headers: *const cl_program, names: *const *const c_char,
            notify: ProgramCallback, user_data: *mut c_void
        ) -> cl_int;
        fn clSetProgramSpecializationConstant(
            program: cl_program, id: cl_uint, size: usize, value: *const c_void
        ) -> cl_int;
        fn clCreateProgramWithIL(
            context: cl_context, il: *const c_void, length: usize, code: *mut cl_int
        ) -> cl_program;
        fn clCreateProgramWithSource(
            context: cl_context, count: cl_uint, strings: *const *const c_char, lengths: *const usize,
            code: *mut cl_int
        ) -> cl_program;
        fn clCreateProgramWithBinary(
            context: cl_context, num_devices: cl_uint, devices: *const cl_device_id, lengths: *const usize,
            binaries: *const *const c_uchar, status: *mut cl_int, code: *mut cl_int
        ) -> cl_program;
        fn clLinkProgram(
            context: cl_context, num_devices: cl_uint, devices: *const cl_device_id, options: *const c_char,
            num_programs: cl_uint, programs: *const cl_program, notify: ProgramCallback,
            user_data: *mut c_void, code: *mut cl_int
        ) -> cl_program;
        fn clRetainKernel(kernel: cl_kernel) -> cl_int;
        fn clReleaseKernel(kernel: cl_kernel) -> cl_int;
        fn clSetKernelArg(kernel: cl_kernel, index: cl_uint, size: usize, value: *const c_void) -> cl_int;
        fn clSetKernelArgSVMPointer(kernel: cl_kernel, index: cl_uint, value: *const c_void) -> cl_int;
        fn clSetKernelExecInfo(
            kernel: cl_kernel, name: cl_kernel_exec_info, size: usize, value: *const c_void
        ) -> cl_int;
        fn clGetKernelInfo(
            kernel: cl_kernel, name: cl_kernel_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clGetKernelWorkGroupInfo(
            kernel: cl_kernel, device: cl_device_id, name: cl_kernel_work_group_info, size: usize,
            value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clGetKernelSubGroupInfo(
            kernel: cl_kernel, device: cl_device_id, name: cl_kernel_sub_group_info, input_size: usize,
            input: *const c_void, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clCreateKernel(program: cl_program, name: *const c_char, code: *mut cl_int) -> cl_kernel;
        fn clCloneKernel(kernel: cl_kernel, code: *mut cl_int) -> cl_kernel;
        fn clRetainEvent(event: cl_event) -> cl_int;
        fn clReleaseEvent(event: cl_event) -> cl_int;
        fn clGetEventInfo(
            event: cl_event, name: cl_event_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clGetEventProfilingInfo(
            event: cl_event, name: cl_profiling_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clSetUserEventStatus(event: cl_event, status: cl_int) -> cl_int;
        fn clSetEventCallback(
            event: cl_event, kind: cl_int, notify: StatusCallback, user_data: *mut c_void
        ) -> cl_int;
        fn clCreateUserEvent(context: cl_context, code: *mut cl_int) -> cl_event;
        fn clWaitForEvents(num_events: cl_uint, events: *const cl_event) -> cl_int;
        fn clEnqueueNDRangeKernel(
            queue: cl_command_queue, kernel: cl_kernel, dims: cl_uint, offset: *const usize,
            global: *const usize, local: *const usize, n: cl_uint, waits: *const cl_event,
            event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueNativeKernel(
            queue: cl_command_queue, function: Option<unsafe extern "C" fn(*mut c_void)>, args: *mut c_void,
            size: usize, num_mems: cl_uint, mems: *const cl_mem, locations: *const *const c_void, n: cl_uint,
            waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueMarkerWithWaitList(
            queue: cl_command_queue, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueBarrierWithWaitList(
            queue: cl_command_queue, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueCopyBuffer(
            queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_offset: usize, dst_offset: usize,
            size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueCopyBufferRect(
            queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_origin: *const usize,
            dst_origin: *const usize, region: *const usize, src_row_pitch: usize, src_slice_pitch: usize,
            dst_row_pitch: usize, dst_slice_pitch: usize, n: cl_uint, waits: *const cl_event,
            event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueFillBuffer(
            queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: usize,
            offset: usize, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueUnmapMemObject(
            queue: cl_command_queue, mem: cl_mem, ptr: *mut c_void, n: cl_uint, waits: *const cl_event,
            event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueCopyImage(
            queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_origin: *const usize,
            dst_origin: *const usize, region: *const usize, n: cl_uint, waits: *const cl_event,
            event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueFillImage(
            queue: cl_command_queue, image: cl_mem, color: *const c_void, origin: *const usize,
            region: *const usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueSVMMemFill(
            queue: cl_command_queue, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize,
            size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueReadBuffer(
            queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, offset: usize, size: usize,
            ptr: *mut c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueReadBufferRect(
            queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, buffer_origin: *const usize,
            host_origin: *const usize, region: *const usize, buffer_row_pitch: usize,
            buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void,
            n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueWriteBuffer(
            queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, offset: usize, size: usize,
            ptr: *const c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueWriteBufferRect(
            queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, buffer_origin: *const usize,
            host_origin: *const usize, region: *const usize, buffer_row_pitch: usize,
            buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void,
            n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueReadImage(
            queue: cl_command_queue, image: cl_mem, blocking: cl_bool, origin: *const usize,
            region: *const usize, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, n: cl_uint,
            waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueWriteImage(
            queue: cl_command_queue, image: cl_mem, blocking: cl_bool, origin: *const usize,
            region: *const usize, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, n: cl_uint,
            waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueSVMMap(
            queue: cl_command_queue, blocking: cl_bool, flags: cl_map_flags, ptr: *mut c_void, size: usize,
            n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueSVMUnmap(
            queue: cl_command_queue, ptr: *mut c_void, n: cl_uint, waits: *const cl_event,
            event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueSVMMemcpy(
            queue: cl_command_queue, blocking: cl_bool, dst: *mut c_void, src: *const c_void, size: usize,
            n: cl_uint, waits: *const cl_event, event: *mut cl_event
        ) -> cl_int;
        fn clEnqueueMapBuffer(
            queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, flags: cl_map_flags, offset: usize,
            size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event, code: *mut cl_int
        ) -> *mut c_void;
        fn clRetainSampler(sampler: cl_sampler) -> cl_int;
        fn clReleaseSampler(sampler: cl_sampler) -> cl_int;
        fn clGetSamplerInfo(
            sampler: cl_sampler, name: cl_sampler_info, size: usize, value: *mut c_void, size_ret: *mut usize
        ) -> cl_int;
        fn clCreateSampler(
            context: cl_context, normalized: cl_bool, addressing: cl_addressing_mode, filter: cl_filter_mode,
            code: *mut cl_int
        ) -> cl_sampler;
    }
}
