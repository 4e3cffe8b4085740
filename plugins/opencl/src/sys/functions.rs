//! The driver's functions: found one by one, called as `Result`s. A missing one costs the feature, not the library.

use std::ffi::{CStr, c_char, c_uchar, c_void};

use opencl_sys::*;
use sycl_pi_backend::{Error, Result};

use super::driver::{asked_last, direct, direct_platform, elsewhere, elsewhere_platform};
use super::error::check;
use super::waits;

/// Called when a build is done.
pub(crate) type ProgramCallback = Option<unsafe extern "C" fn(cl_program, *mut c_void)>;
/// Called when an event has a status.
pub(crate) type EventCallback = Option<unsafe extern "C" fn(cl_event, cl_int, *mut c_void)>;
/// `cl_command_buffer_khr`.
pub(crate) type CommandBufferKhr = *mut c_void;

/// The error of a call that the driver does not have.
#[cold]
#[inline(never)]
pub(super) fn missing(name: &'static str) -> Error {
    Error::unsupported(format!("the OpenCL driver has no {name}"))
}

/// What a stand-in for a missing function answers. No driver's code: those are small.
pub(super) const MISSING: cl_int = cl_int::MIN + 0x5049;
/// What stands for the driver's answer where no driver may be asked: there is no OpenCL library, or tear-down was.
pub(super) const REFUSED: cl_int = MISSING + 1;

/// The calls on objects. Each goes to the driver of the object: see [`direct`].
#[derive(Clone, Copy)]
pub(crate) struct Calls;

/// The driver's calls.
#[inline(always)]
pub(crate) fn cl() -> Calls {
    Calls
}

/// One call on an object: through the table of its driver if that is the one asked last, else out of line.
///
/// Nothing here can unwind, so that the stubs that this is inlined into need no frame beyond the call's own.
macro_rules! call {
    ($cl:ident, $direct:ident($key:expr), $elsewhere:ident, $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty, $refused:expr) => {{
        #[cold]
        #[inline(never)]
        extern "C" fn out_of_line($($arg: $ty),*) -> $ret {
            match $elsewhere($key) {
                // SAFETY: live objects and the caller's memory (see the module).
                Some(cl) => unsafe { (cl.$name)($($arg),*) },
                None => $refused,
            }
        }
        match $direct($key) {
            // SAFETY: live objects and the caller's memory (see the module).
            Some(cl) => unsafe { (cl.$name)($($arg),*) },
            None => out_of_line($($arg),*),
        }
    }};
}

/// Declares a table of functions. `status` functions return a code; `create` functions return an object and write the
/// code behind their last argument; `plain` ones are given out as they are. Those under `of_platform` and `of_object`
/// take their object first, and [`Calls`] has them too. `blocking` ones are commands that may wait, and do it as
/// [`waits::blocking`] says.
///
/// A missing function has a stand-in, so that calls need not look whether there is one.
macro_rules! functions {
    ($(#[$doc:meta])* struct $table:ident {
        of_platform { $($f:ident($fo:ident: $fot:ty $(, $fa:ident: $ft:ty)*);)* }
        of_object { $($o:ident($oo:ident: $oot:ty $(, $oa:ident: $ot:ty)*);)* }
        of_object_blocking { $($b:ident($bq:ident: $bqt:ty $(, $ba:ident: $bat:ty)*; $bb:ident: $bbt:ty; $($bc:ident: $bct:ty),*; $be:ident: $bet:ty);)* }
        of_object_create { $($n:ident($no:ident: $not:ty $(, $na:ident: $nt:ty)*) -> $nr:ty;)* }
        status { $($s:ident($($sa:ident: $st:ty),*);)* }
        blocking { $($x:ident($($xa:ident: $xat:ty),*; $xb:ident: $xbt:ty; $($xc:ident: $xct:ty),*; $xe:ident: $xet:ty);)* }
        create { $($c:ident($($ca:ident: $ct:ty),*) -> $cr:ty;)* }
        plain { $($p:ident($($pa:ident: $pt:ty),*) -> $pr:ty;)* }
    }) => {
        functions! {
            @table $(#[$doc])* $table
            status {
                $($f($fo: $fot $(, $fa: $ft)*);)*
                $($o($oo: $oot $(, $oa: $ot)*);)*
                $($s($($sa: $st),*);)*
            }
            blocking {
                $($b($bq: $bqt $(, $ba: $bat)*; $bb: $bbt; $($bc: $bct),*; $be: $bet);)*
                $($x($($xa: $xat),*; $xb: $xbt; $($xc: $xct),*; $xe: $xet);)*
            }
            create {
                $($n($no: $not $(, $na: $nt)*) -> $nr;)*
                $($c($($ca: $ct),*) -> $cr;)*
            }
            plain { $($p($($pa: $pt),*) -> $pr;)* }
        }

        #[allow(clippy::not_unsafe_ptr_arg_deref, clippy::too_many_arguments, dead_code, non_snake_case)]
        impl Calls {
            $(
                #[inline(always)]
                pub(crate) fn $f(self, $fo: $fot $(, $fa: $ft)*) -> Result<()> {
                    let code = call!(cl, direct_platform($fo), elsewhere_platform,
                        $f($fo: $fot $(, $fa: $ft)*) -> cl_int, REFUSED);
                    check(stringify!($f), code)
                }
            )*
            $(
                #[inline(always)]
                pub(crate) fn $o(self, $oo: $oot $(, $oa: $ot)*) -> Result<()> {
                    let code = call!(cl, direct($oo), elsewhere,
                        $o($oo: $oot $(, $oa: $ot)*) -> cl_int, REFUSED);
                    check(stringify!($o), code)
                }
            )*
            $(
                #[inline(always)]
                pub(crate) fn $b(self, $bq: $bqt $(, $ba: $bat)*, $bb: $bbt, $($bc: $bct,)* $be: $bet) -> Result<()> {
                    waits::blocking($bq, $bb, $be, move |$bb, $be| {
                        let code = call!(cl, direct($bq), elsewhere,
                            $b($bq: $bqt $(, $ba: $bat)*, $bb: $bbt, $($bc: $bct,)* $be: $bet) -> cl_int, REFUSED);
                        check(stringify!($b), code)
                    })
                }
            )*
            $(
                #[inline(always)]
                pub(crate) fn $n(self, $no: $not $(, $na: $nt)*) -> Result<$nr> {
                    let mut status = CL_SUCCESS;
                    let code: *mut cl_int = &mut status;
                    let object = call!(cl, direct($no), elsewhere,
                        $n($no: $not $(, $na: $nt)*, code: *mut cl_int) -> $nr, refuse(code));
                    check(stringify!($n), status).map(|()| object)
                }
            )*
        }
    };
    (@table $(#[$doc:meta])* $table:ident
        status { $($s:ident($($sa:ident: $st:ty),*);)* }
        blocking { $($b:ident($bq:ident: $bqt:ty $(, $ba:ident: $bat:ty)*; $bb:ident: $bbt:ty; $($bc:ident: $bct:ty),*; $be:ident: $bet:ty);)* }
        create { $($c:ident($($ca:ident: $ct:ty),*) -> $cr:ty;)* }
        plain { $($p:ident($($pa:ident: $pt:ty),*) -> $pr:ty;)* }
    ) => {
        $(#[$doc])*
        #[allow(clippy::type_complexity)]
        pub(crate) struct $table {
            $(pub(super) $s: unsafe extern "C" fn($($sa: $st),*) -> cl_int,)*
            $(pub(super) $b: unsafe extern "C" fn($bqt $(, $bat)*, $bbt $(, $bct)*, $bet) -> cl_int,)*
            $(pub(super) $c: unsafe extern "C" fn($($ca: $ct,)* code: *mut cl_int) -> $cr,)*
            $(pub(crate) $p: Option<unsafe extern "C" fn($($pa: $pt),*) -> $pr>,)*
            missing: Vec<&'static str>,
        }

        #[allow(clippy::too_many_arguments, dead_code, non_snake_case)]
        impl $table {
            /// Finds each function by name; null where there is none.
            pub(crate) fn resolve(find: impl Fn(&CStr) -> *const c_void) -> Self {
                /// # Safety
                ///
                /// `address` is null or a function of type `F`, which is pointer-sized.
                unsafe fn typed<F: Copy>(address: *const c_void) -> Option<F> {
                    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
                    // SAFETY: as demanded.
                    (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
                }
                let mut missing = Vec::new();
                let mut find = |name: &'static str| {
                    let address = CStr::from_bytes_with_nul(name.as_bytes()).map_or(std::ptr::null(), &find);
                    if address.is_null() {
                        missing.push(name.trim_end_matches('\0'));
                    }
                    address
                };
                // SAFETY: the types are those of the OpenCL specification for these names.
                unsafe {
                    Self {
                        $($s: typed(find(concat!(stringify!($s), "\0"))).unwrap_or({
                            unsafe extern "C" fn stand_in($(_: $st),*) -> cl_int {
                                MISSING
                            }
                            stand_in
                        }),)*
                        $($b: typed(find(concat!(stringify!($b), "\0"))).unwrap_or({
                            unsafe extern "C" fn stand_in(_: $bqt $(, _: $bat)*, _: $bbt $(, _: $bct)*, _: $bet) -> cl_int {
                                MISSING
                            }
                            stand_in
                        }),)*
                        $($c: typed(find(concat!(stringify!($c), "\0"))).unwrap_or({
                            unsafe extern "C" fn stand_in($(_: $ct,)* code: *mut cl_int) -> $cr {
                                // SAFETY: room for the code.
                                unsafe { code.write(MISSING) };
                                std::ptr::null_mut()
                            }
                            stand_in
                        }),)*
                        $($p: typed(find(concat!(stringify!($p), "\0"))),)*
                        missing,
                    }
                }
            }

            $(
                #[inline(always)]
                pub(crate) fn $s(&self, $($sa: $st),*) -> Result<()> {
                    // SAFETY: live objects and the caller's memory (see the module).
                    check(stringify!($s), unsafe { (self.$s)($($sa),*) })
                }
            )*
            $(
                #[inline(always)]
                pub(crate) fn $b(&self, $bq: $bqt $(, $ba: $bat)*, $bb: $bbt, $($bc: $bct,)* $be: $bet) -> Result<()> {
                    waits::blocking($bq, $bb, $be, move |$bb, $be| {
                        // SAFETY: live objects and the caller's memory (see the module).
                        check(stringify!($b), unsafe { (self.$b)($bq $(, $ba)*, $bb, $($bc,)* $be) })
                    })
                }
            )*
            $(
                #[inline(always)]
                pub(crate) fn $c(&self, $($ca: $ct),*) -> Result<$cr> {
                    let mut code = CL_SUCCESS;
                    // SAFETY: live objects and the caller's memory (see the module).
                    let object = unsafe { (self.$c)($($ca,)* &mut code) };
                    check(stringify!($c), code).map(|()| object)
                }
            )*

            /// Whether the driver has a function.
            pub(crate) fn has(&self, name: &str) -> bool {
                !self.missing.contains(&name)
            }
        }
    };
}

functions! {
    /// The functions that the OpenCL library exports.
    struct Cl {
        of_platform {
        clGetPlatformInfo(platform: cl_platform_id, name: cl_platform_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetDeviceIDs(platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint, devices: *mut cl_device_id, num_devices: *mut cl_uint);
        }
        of_object {
        clGetDeviceInfo(device: cl_device_id, name: cl_device_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clCreateSubDevices(device: cl_device_id, properties: *const cl_device_partition_property, num_devices: cl_uint, devices: *mut cl_device_id, num_ret: *mut cl_uint);
        clRetainDevice(device: cl_device_id);
        clReleaseDevice(device: cl_device_id);
        clGetDeviceAndHostTimer(device: cl_device_id, device_timestamp: *mut cl_ulong, host_timestamp: *mut cl_ulong);
        clGetHostTimer(device: cl_device_id, host_timestamp: *mut cl_ulong);
        clRetainContext(context: cl_context);
        clReleaseContext(context: cl_context);
        clGetContextInfo(context: cl_context, name: cl_context_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clSetContextDestructorCallback(context: cl_context, notify: Option<unsafe extern "C" fn(cl_context, *mut c_void)>, user_data: *mut c_void);
        clRetainCommandQueue(queue: cl_command_queue);
        clGetCommandQueueInfo(queue: cl_command_queue, name: cl_command_queue_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clFlush(queue: cl_command_queue);
        clRetainMemObject(mem: cl_mem);
        clReleaseMemObject(mem: cl_mem);
        clGetMemObjectInfo(mem: cl_mem, name: cl_mem_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetImageInfo(image: cl_mem, name: cl_image_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clRetainProgram(program: cl_program);
        clReleaseProgram(program: cl_program);
        clGetProgramInfo(program: cl_program, name: cl_program_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetProgramBuildInfo(program: cl_program, device: cl_device_id, name: cl_program_build_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clBuildProgram(program: cl_program, num_devices: cl_uint, devices: *const cl_device_id, options: *const c_char, notify: ProgramCallback, user_data: *mut c_void);
        clCompileProgram(program: cl_program, num_devices: cl_uint, devices: *const cl_device_id, options: *const c_char, num_headers: cl_uint, headers: *const cl_program, names: *const *const c_char, notify: ProgramCallback, user_data: *mut c_void);
        clSetProgramSpecializationConstant(program: cl_program, id: cl_uint, size: usize, value: *const c_void);
        clRetainKernel(kernel: cl_kernel);
        clReleaseKernel(kernel: cl_kernel);
        clSetKernelArg(kernel: cl_kernel, index: cl_uint, size: usize, value: *const c_void);
        clSetKernelArgSVMPointer(kernel: cl_kernel, index: cl_uint, value: *const c_void);
        clSetKernelExecInfo(kernel: cl_kernel, name: cl_kernel_exec_info, size: usize, value: *const c_void);
        clGetKernelInfo(kernel: cl_kernel, name: cl_kernel_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetKernelWorkGroupInfo(kernel: cl_kernel, device: cl_device_id, name: cl_kernel_work_group_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetKernelSubGroupInfo(kernel: cl_kernel, device: cl_device_id, name: cl_kernel_sub_group_info, input_size: usize, input: *const c_void, size: usize, value: *mut c_void, size_ret: *mut usize);
        clRetainEvent(event: cl_event);
        clReleaseEvent(event: cl_event);
        clGetEventInfo(event: cl_event, name: cl_event_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetEventProfilingInfo(event: cl_event, name: cl_profiling_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clSetUserEventStatus(event: cl_event, status: cl_int);
        clSetEventCallback(event: cl_event, kind: cl_int, notify: EventCallback, user_data: *mut c_void);
        clRetainSampler(sampler: cl_sampler);
        clReleaseSampler(sampler: cl_sampler);
        clGetSamplerInfo(sampler: cl_sampler, name: cl_sampler_info, size: usize, value: *mut c_void, size_ret: *mut usize);
        clEnqueueNDRangeKernel(queue: cl_command_queue, kernel: cl_kernel, dims: cl_uint, offset: *const usize, global: *const usize, local: *const usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueNativeKernel(queue: cl_command_queue, function: Option<unsafe extern "C" fn(*mut c_void)>, args: *mut c_void, size: usize, num_mems: cl_uint, mems: *const cl_mem, locations: *const *const c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueMarkerWithWaitList(queue: cl_command_queue, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueBarrierWithWaitList(queue: cl_command_queue, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueCopyBuffer(queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_offset: usize, dst_offset: usize, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueCopyBufferRect(queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_origin: *const usize, dst_origin: *const usize, region: *const usize, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueFillBuffer(queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueUnmapMemObject(queue: cl_command_queue, mem: cl_mem, ptr: *mut c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueCopyImage(queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_origin: *const usize, dst_origin: *const usize, region: *const usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueFillImage(queue: cl_command_queue, image: cl_mem, color: *const c_void, origin: *const usize, region: *const usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueSVMMemFill(queue: cl_command_queue, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueSVMUnmap(queue: cl_command_queue, ptr: *mut c_void, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        }
        of_object_blocking {
        clEnqueueReadBuffer(queue: cl_command_queue, buffer: cl_mem; blocking: cl_bool; offset: usize, size: usize, ptr: *mut c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueReadBufferRect(queue: cl_command_queue, buffer: cl_mem; blocking: cl_bool; buffer_origin: *const usize, host_origin: *const usize, region: *const usize, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueWriteBuffer(queue: cl_command_queue, buffer: cl_mem; blocking: cl_bool; offset: usize, size: usize, ptr: *const c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueWriteBufferRect(queue: cl_command_queue, buffer: cl_mem; blocking: cl_bool; buffer_origin: *const usize, host_origin: *const usize, region: *const usize, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueReadImage(queue: cl_command_queue, image: cl_mem; blocking: cl_bool; origin: *const usize, region: *const usize, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueWriteImage(queue: cl_command_queue, image: cl_mem; blocking: cl_bool; origin: *const usize, region: *const usize, row_pitch: usize, slice_pitch: usize, ptr: *const c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueSVMMemcpy(queue: cl_command_queue; blocking: cl_bool; dst: *mut c_void, src: *const c_void, size: usize, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueSVMMap(queue: cl_command_queue; blocking: cl_bool; flags: cl_map_flags, ptr: *mut c_void, size: usize, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        }
        of_object_create {
        clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties) -> cl_command_queue;
        clCreateCommandQueueWithProperties(context: cl_context, device: cl_device_id, properties: *const cl_queue_properties) -> cl_command_queue;
        clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void) -> cl_mem;
        clCreateSubBuffer(buffer: cl_mem, flags: cl_mem_flags, kind: cl_buffer_create_type, info: *const c_void) -> cl_mem;
        clCreateImage(context: cl_context, flags: cl_mem_flags, format: *const cl_image_format, desc: *const cl_image_desc, host_ptr: *mut c_void) -> cl_mem;
        clCreateSampler(context: cl_context, normalized: cl_bool, addressing: cl_addressing_mode, filter: cl_filter_mode) -> cl_sampler;
        clCreateSamplerWithProperties(context: cl_context, properties: *const cl_sampler_properties) -> cl_sampler;
        clCreateProgramWithIL(context: cl_context, il: *const c_void, length: usize) -> cl_program;
        clCreateProgramWithSource(context: cl_context, count: cl_uint, strings: *const *const c_char, lengths: *const usize) -> cl_program;
        clCreateProgramWithBinary(context: cl_context, num_devices: cl_uint, devices: *const cl_device_id, lengths: *const usize, binaries: *const *const c_uchar, status: *mut cl_int) -> cl_program;
        clCreateKernel(program: cl_program, name: *const c_char) -> cl_kernel;
        clCloneKernel(kernel: cl_kernel) -> cl_kernel;
        clCreateUserEvent(context: cl_context) -> cl_event;
        clEnqueueMapBuffer(queue: cl_command_queue, buffer: cl_mem, blocking: cl_bool, flags: cl_map_flags, offset: usize, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event) -> *mut c_void;
        }
        status {
        clGetPlatformIDs(num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint);
        clWaitForEvents(num_events: cl_uint, events: *const cl_event);
        clFinish(queue: cl_command_queue);
        clReleaseCommandQueue(queue: cl_command_queue);
        }
        blocking {}
        create {
        clCreateContext(properties: *const cl_context_properties, num_devices: cl_uint, devices: *const cl_device_id, notify: sycl_pi_backend::types::ContextCallback, user_data: *mut c_void) -> cl_context;
        }
        plain {
        clGetExtensionFunctionAddressForPlatform(platform: cl_platform_id, name: *const c_char) -> *mut c_void;
        clLinkProgram(context: cl_context, num_devices: cl_uint, devices: *const cl_device_id, options: *const c_char, num_programs: cl_uint, programs: *const cl_program, notify: ProgramCallback, user_data: *mut c_void, code: *mut cl_int) -> cl_program;
        clSVMAlloc(context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint) -> *mut c_void;
        clSVMFree(context: cl_context, ptr: *mut c_void) -> ();
        }
    }
}

functions! {
    /// Extension functions, found through a platform.
    struct Ext {
        of_platform {}
        of_object {}
        of_object_blocking {}
        of_object_create {}
        status {
        clMemFreeINTEL(context: cl_context, ptr: *mut c_void);
        clMemBlockingFreeINTEL(context: cl_context, ptr: *mut c_void);
        clGetMemAllocInfoINTEL(context: cl_context, ptr: *const c_void, name: cl_uint, size: usize, value: *mut c_void, size_ret: *mut usize);
        clSetKernelArgMemPointerINTEL(kernel: cl_kernel, index: cl_uint, value: *const c_void);
        clEnqueueMemFillINTEL(queue: cl_command_queue, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueMigrateMemINTEL(queue: cl_command_queue, ptr: *const c_void, size: usize, flags: cl_mem_migration_flags, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clEnqueueMemAdviseINTEL(queue: cl_command_queue, ptr: *const c_void, size: usize, advice: cl_uint, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clGetDeviceFunctionPointerINTEL(device: cl_device_id, program: cl_program, name: *const c_char, address: *mut cl_ulong);
        clGetDeviceGlobalVariablePointerINTEL(device: cl_device_id, program: cl_program, name: *const c_char, size: *mut usize, address: *mut *mut c_void);
        clSetProgramSpecializationConstant(program: cl_program, id: cl_uint, size: usize, value: *const c_void);
        clGetKernelSubGroupInfoKHR(kernel: cl_kernel, device: cl_device_id, name: cl_kernel_sub_group_info, input_size: usize, input: *const c_void, size: usize, value: *mut c_void, size_ret: *mut usize);
        clGetKernelSuggestedLocalWorkSizeKHR(queue: cl_command_queue, kernel: cl_kernel, dims: cl_uint, offset: *const usize, global: *const usize, local: *mut usize);
        clRetainCommandBufferKHR(buffer: CommandBufferKhr);
        clReleaseCommandBufferKHR(buffer: CommandBufferKhr);
        clFinalizeCommandBufferKHR(buffer: CommandBufferKhr);
        clEnqueueCommandBufferKHR(num_queues: cl_uint, queues: *mut cl_command_queue, buffer: CommandBufferKhr, n: cl_uint, waits: *const cl_event, event: *mut cl_event);
        clCommandNDRangeKernelKHR(buffer: CommandBufferKhr, queue: cl_command_queue, properties: *const u64, kernel: cl_kernel, dims: cl_uint, offset: *const usize, global: *const usize, local: *const usize, n: cl_uint, waits: *const cl_uint, point: *mut cl_uint, command: *mut *mut c_void);
        clCommandCopyBufferKHR(buffer: CommandBufferKhr, queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_offset: usize, dst_offset: usize, size: usize, n: cl_uint, waits: *const cl_uint, point: *mut cl_uint, command: *mut *mut c_void);
        clCommandCopyBufferRectKHR(buffer: CommandBufferKhr, queue: cl_command_queue, src: cl_mem, dst: cl_mem, src_origin: *const usize, dst_origin: *const usize, region: *const usize, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, n: cl_uint, waits: *const cl_uint, point: *mut cl_uint, command: *mut *mut c_void);
        clCommandFillBufferKHR(buffer: CommandBufferKhr, queue: cl_command_queue, mem: cl_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, n: cl_uint, waits: *const cl_uint, point: *mut cl_uint, command: *mut *mut c_void);
        }
        blocking {
        clEnqueueMemcpyINTEL(queue: cl_command_queue; blocking: cl_bool; dst: *mut c_void, src: *const c_void, size: usize, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueReadGlobalVariableINTEL(queue: cl_command_queue, program: cl_program, name: *const c_char; blocking: cl_bool; size: usize, offset: usize, ptr: *mut c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueWriteGlobalVariableINTEL(queue: cl_command_queue, program: cl_program, name: *const c_char; blocking: cl_bool; size: usize, offset: usize, ptr: *const c_void, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueReadHostPipeINTEL(queue: cl_command_queue, program: cl_program, pipe: *const c_char; blocking: cl_bool; ptr: *mut c_void, size: usize, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        clEnqueueWriteHostPipeINTEL(queue: cl_command_queue, program: cl_program, pipe: *const c_char; blocking: cl_bool; ptr: *const c_void, size: usize, n: cl_uint, waits: *const cl_event; event: *mut cl_event);
        }
        create {
        clHostMemAllocINTEL(context: cl_context, properties: *const u64, size: usize, alignment: cl_uint) -> *mut c_void;
        clDeviceMemAllocINTEL(context: cl_context, device: cl_device_id, properties: *const u64, size: usize, alignment: cl_uint) -> *mut c_void;
        clSharedMemAllocINTEL(context: cl_context, device: cl_device_id, properties: *const u64, size: usize, alignment: cl_uint) -> *mut c_void;
        clCreateBufferWithPropertiesINTEL(context: cl_context, properties: *const u64, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void) -> cl_mem;
        clCreateProgramWithILKHR(context: cl_context, il: *const c_void, length: usize) -> cl_program;
        clCreateCommandBufferKHR(num_queues: cl_uint, queues: *const cl_command_queue, properties: *const u64) -> CommandBufferKhr;
        }
        plain {}
    }
}

impl Calls {
    /// Waits for one or more events, all of one driver.
    #[inline(always)]
    pub(crate) fn clWaitForEvents(self, count: cl_uint, events: *const cl_event) -> Result<()> {
        /// The event that leads to the driver.
        #[inline(always)]
        fn first(events: *const cl_event) -> cl_event {
            // SAFETY: one event at least, as this call demands.
            unsafe { events.read() }
        }
        let call = |cl: &Cl| cl.clWaitForEvents(count, events);
        waits::wait(first(events), call, || waits::wait_for_events(count, events))
    }

    /// Lets go of a queue.
    #[inline(always)]
    pub(crate) fn clReleaseCommandQueue(self, queue: cl_command_queue) -> Result<()> {
        match asked_last(queue).filter(|_| waits::may_release()) {
            Some(driver) => driver.cl().clReleaseCommandQueue(queue),
            None => waits::release_queue(queue),
        }
    }

    /// Waits for all of a queue.
    #[inline(always)]
    pub(crate) fn clFinish(self, queue: cl_command_queue) -> Result<()> {
        waits::wait(queue, |cl| cl.clFinish(queue), || waits::finish(queue))
    }
}

/// What a creation answers where no driver may be asked.
fn refuse(code: *mut cl_int) -> *mut c_void {
    // SAFETY: room for the code.
    unsafe { code.write(REFUSED) };
    std::ptr::null_mut()
}

impl Cl {
    /// Address of an extension's function; null where the driver has none.
    pub(crate) fn extension_function(&self, platform: cl_platform_id, name: &CStr) -> *const c_void {
        match self.clGetExtensionFunctionAddressForPlatform {
            // SAFETY: a live platform and a NUL-terminated name.
            Some(function) => unsafe { function(platform, name.as_ptr()) },
            None => std::ptr::null(),
        }
    }

    /// Links; a program may come together with an error.
    pub(crate) fn link(
        &self,
        context: cl_context,
        devices: (cl_uint, *const cl_device_id),
        options: *const c_char,
        programs: (cl_uint, *const cl_program),
        notify: (ProgramCallback, *mut c_void),
    ) -> (cl_program, Result<()>) {
        let Some(function) = self.clLinkProgram else {
            return (std::ptr::null_mut(), Err(missing("clLinkProgram")));
        };
        let mut code = CL_SUCCESS;
        let (num_devices, devices) = devices;
        let (num_programs, programs) = programs;
        // SAFETY: live objects, lists of the stated lengths.
        let program = unsafe {
            function(
                context,
                num_devices,
                devices,
                options,
                num_programs,
                programs,
                notify.0,
                notify.1,
                &mut code,
            )
        };
        (program, check("clLinkProgram", code))
    }

    /// Allocates shared virtual memory; null where there is none.
    pub(crate) fn svm_alloc(
        &self,
        context: cl_context,
        flags: u64,
        size: usize,
        align: u32,
    ) -> Result<*mut c_void> {
        let function = self.clSVMAlloc.ok_or_else(|| missing("clSVMAlloc"))?;
        // SAFETY: a live context.
        Ok(unsafe { function(context, flags, size, align) })
    }

    /// Frees shared virtual memory.
    pub(crate) fn svm_free(&self, context: cl_context, ptr: *mut c_void) -> Result<()> {
        let function = self.clSVMFree.ok_or_else(|| missing("clSVMFree"))?;
        // SAFETY: an allocation of that context, as the caller promises.
        unsafe { function(context, ptr) };
        Ok(())
    }
}
