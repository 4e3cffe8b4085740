//! Entry points that are a jump to the driver's own function.
//!
//! A function that looks at the driver's answer has a frame, which costs 0.3 to 1.2 ns, and 13 to 28 ns where the driver
//! enters the system: what comes back from there has lost the processor's predictions of returns
//! (`benches/programs/frames.c`).

use std::ffi::c_void;

use pi_core::*;
use pi_plugin::api::Jump;

use super::driver::{open_to_jumps, stop_jumps};
use super::finish;
use super::waits::may_release;

/// The jumps.
pub struct Jumps;

macro_rules! jumps {
    ($($pi:ident($object:ident: $object_ty:ty $(, $arg:ident: $ty:ty)*) $(if $fits:expr)? => $cl:ident $(by $way:path)?;)*) => {
        #[allow(clippy::too_many_arguments)]
        impl Jump for Jumps {
            fn stop() {
                stop_jumps();
            }
            $(
                #[inline(always)]
                #[allow(unused_variables, clippy::type_complexity, reason = "a signature of PI")]
                fn $pi(
                    $object: $object_ty $(, $arg: $ty)*
                ) -> Option<unsafe extern "C" fn($object_ty $(, $ty)*) -> pi_result> {
                    if !likely(!$object.is_null()) $(|| !$fits)? {
                        return None;
                    }
                    open_to_jumps($object.cast()).and_then(|driver| way!(driver, $cl $(, $way)?)).map(renamed)
                }
            )*
        }

        /// The driver's functions that entry points jump to.
        pub(super) const FUNCTIONS: &[&str] = &[$(stringify!($cl)),*];
    };
}

/// The driver's function, or what `$way` has in its place.
macro_rules! way {
    ($driver:ident, $cl:ident) => {
        Some($driver.cl().$cl)
    };
    ($driver:ident, $cl:ident, $way:path) => {
        $way($driver)
    };
}

/// A function pointer of a function that takes and answers whole numbers and addresses.
trait Function: Copy {
    /// Bytes of the answer and of each argument.
    const SIZES: &'static [usize];
}

macro_rules! functions {
    ($($($arg:ident)+;)*) => { $(
        impl<R, $($arg),+> Function for unsafe extern "C" fn($($arg),+) -> R {
            const SIZES: &'static [usize] = &[size_of::<R>(), $(size_of::<$arg>()),+];
        }
    )* };
}
functions! {
    A;
    A B C D;
    A B C D E;
    A B C D E F;
}

/// OpenCL's function under PI's types: objects are the driver's, numbers, enumerators and codes are OpenCL's.
#[inline(always)]
fn renamed<Cl: Function, Pi: Function>(function: Cl) -> Pi {
    const {
        let (mut at, same) = (0, Cl::SIZES.len() == Pi::SIZES.len());
        assert!(same && size_of::<Cl>() == size_of::<Pi>());
        while at < Cl::SIZES.len() {
            assert!(Cl::SIZES[at] == Pi::SIZES[at]);
            at += 1;
        }
    }
    // SAFETY: pointers to functions whose arguments and answers are passed in the same registers.
    unsafe { std::mem::transmute_copy(&function) }
}

/// Whether an answer has room. What an info query without any means, and which are refused, the plugin says.
#[inline(always)]
fn has_room(size: usize, value: *mut c_void) -> bool {
    likely(size != 0) && likely(!value.is_null())
}

/// Keeps conditions apart that nearly always hold: a branch for each takes fewer instructions than one for all of them.
#[inline(always)]
fn likely(condition: bool) -> bool {
    #[cold]
    fn hint() {}
    if !condition {
        hint();
    }
    condition
}

/// Whether that is one of the times that OpenCL knows too.
#[inline(always)]
pub(crate) fn is_time(name: pi_profiling_info) -> bool {
    (PI_PROFILING_INFO_COMMAND_QUEUED..=PI_PROFILING_INFO_COMMAND_END).contains(&name)
}

/// More arguments than a kernel has (SPIR-V allows 255): Intel's CPU runtime ends the process over some numbers.
pub(crate) const TOO_MANY_ARGUMENTS: u32 = 1 << 16;

jumps! {
    piDeviceRetain(device: pi_device) => clRetainDevice;
    piDeviceRelease(device: pi_device) => clReleaseDevice;
    piContextRetain(context: pi_context) => clRetainContext;
    piContextRelease(context: pi_context) => clReleaseContext;
    piContextGetInfo(context: pi_context, name: pi_context_info, size: usize, value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(matches!(name, PI_CONTEXT_INFO_DEVICES | PI_CONTEXT_INFO_NUM_DEVICES)))
        => clGetContextInfo;
    piQueueRetain(queue: pi_queue) => clRetainCommandQueue;
    piQueueRelease(queue: pi_queue) if may_release() => clReleaseCommandQueue;
    piQueueFinish(queue: pi_queue) => clFinish by finish::of_driver;
    piQueueFlush(queue: pi_queue) => clFlush;
    piQueueGetInfo(queue: pi_queue, name: pi_queue_info, size: usize, value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(name != PI_EXT_ONEAPI_QUEUE_INFO_EMPTY)) => clGetCommandQueueInfo;
    piMemRetain(mem: pi_mem) => clRetainMemObject;
    piMemRelease(mem: pi_mem) => clReleaseMemObject;
    piMemGetInfo(mem: pi_mem, name: pi_mem_info, size: usize, value: *mut c_void, size_ret: *mut usize)
        if has_room(size, value) => clGetMemObjectInfo;
    piMemImageGetInfo(image: pi_mem, name: pi_image_info, size: usize, value: *mut c_void, size_ret: *mut usize)
        if has_room(size, value) => clGetImageInfo;
    piProgramRetain(program: pi_program) => clRetainProgram;
    piProgramRelease(program: pi_program) => clReleaseProgram;
    // From the binaries on, the plugin has answers of its own.
    piProgramGetInfo(program: pi_program, name: pi_program_info, size: usize, value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(name < PI_PROGRAM_INFO_BINARIES)) => clGetProgramInfo;
    piProgramGetBuildInfo(program: pi_program, device: pi_device, name: pi_program_build_info, size: usize,
        value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(!device.is_null())) => clGetProgramBuildInfo;
    piKernelRetain(kernel: pi_kernel) => clRetainKernel;
    piKernelRelease(kernel: pi_kernel) => clReleaseKernel;
    piKernelGetInfo(kernel: pi_kernel, name: pi_kernel_info, size: usize, value: *mut c_void, size_ret: *mut usize)
        if has_room(size, value) => clGetKernelInfo;
    piKernelGetGroupInfo(kernel: pi_kernel, device: pi_device, name: pi_kernel_group_info, size: usize,
        value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(!device.is_null()) && likely(name != PI_KERNEL_GROUP_INFO_NUM_REGS))
        => clGetKernelWorkGroupInfo;
    piKernelSetArg(kernel: pi_kernel, index: pi_uint32, size: usize, value: *const c_void)
        if (index < TOO_MANY_ARGUMENTS) => clSetKernelArg;
    piEventRetain(event: pi_event) => clRetainEvent;
    piEventRelease(event: pi_event) => clReleaseEvent;
    piEventGetInfo_until_12_27(event: pi_event, name: pi_event_info, size: usize, value: *mut c_void,
        size_ret: *mut usize)
        if has_room(size, value) => clGetEventInfo;
    piEventGetProfilingInfo(event: pi_event, name: pi_profiling_info, size: usize, value: *mut c_void,
        size_ret: *mut usize)
        if (has_room(size, value) && likely(is_time(name)))
        => clGetEventProfilingInfo;
    piSamplerRetain(sampler: pi_sampler) => clRetainSampler;
    piSamplerRelease(sampler: pi_sampler) => clReleaseSampler;
    // OpenCL refuses an empty list that has an address.
    piEnqueueEventsWait(queue: pi_queue, count: pi_uint32, events: *const pi_event, event: *mut pi_event)
        if (likely(count == 0) && likely(events.is_null()) && likely(!event.is_null())) => clEnqueueMarkerWithWaitList;
    piEnqueueEventsWaitWithBarrier(queue: pi_queue, count: pi_uint32, events: *const pi_event, event: *mut pi_event)
        if (likely(count == 0) && likely(events.is_null()) && likely(!event.is_null())) => clEnqueueBarrierWithWaitList;
}
