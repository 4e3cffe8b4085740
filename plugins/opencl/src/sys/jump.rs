//! Entry points that are a jump to the driver's own function.
//!
//! A function that looks at the driver's answer has a frame, which costs 0.3 to 1.2 ns, and 13 to 28 ns where the driver
//! enters the system: what comes back from there has lost the processor's predictions of returns
//! (`benches/programs/frames.c`).

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::api::{Jump, Way};
use sycl_pi_backend::types::*;

use crate::check::{is_pattern, is_range, is_work_group, tiles};

use super::driver::{open_to_jumps, stop_jumps};
use super::jump_back;
use super::waits::may_release;

/// The jumps.
pub struct Jumps;

/// Declares the jumps: of which object, if not of the first argument; on which conditions; to which function of the driver, which
/// may wait where it is said when.
macro_rules! jumps {
    ($($pi:ident($first:ident: $first_ty:ty $(, $arg:ident: $ty:ty)*) $(of $object:tt)? $(if $fits:expr)?
        => $cl:ident $(waiting if $waits:expr)?;)*) => {
        #[allow(clippy::too_many_arguments)]
        impl Jump for Jumps {
            fn stop() {
                stop_jumps();
            }
            $(
                #[inline(always)]
                #[allow(unused_variables, clippy::type_complexity, reason = "a signature of PI")]
                fn $pi($first: $first_ty $(, $arg: $ty)*) -> Way<unsafe extern "C" fn($first_ty $(, $ty)*) -> ErrorCode> {
                    let object: *mut c_void = either!([$($object)?] $first.cast());
                    if !likely(!object.is_null()) $(|| !$fits)? {
                        return Way::Longer;
                    }
                    match open_to_jumps(object).and_then(|driver| way!(driver, $cl $(, $waits)?)) {
                        Some(function) => Way::Jump(renamed(function)),
                        None => Way::Longer,
                    }
                }
            )*
        }

        /// The driver's functions that entry points jump to.
        pub(super) const FUNCTIONS: &[&str] = &[$(stringify!($cl)),*];
    };
}

/// The first of two that is given.
macro_rules! either {
    ([] $default:expr) => {
        $default
    };
    ([$given:expr] $default:expr) => {
        $given
    };
}

/// The driver's function, or what [`jump_back`] has in its place.
macro_rules! way {
    ($driver:ident, $cl:ident) => {
        Some($driver.cl().$cl)
    };
    ($driver:ident, $cl:ident, $waits:expr) => {
        jump_back::$cl($driver, $waits)
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
    A B;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G H;
    A B C D E F G H I;
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
pub(super) fn likely(condition: bool) -> bool {
    #[cold]
    fn hint() {}
    if !condition {
        hint();
    }
    condition
}

/// The first of some events; null if there are none, or one is null.
#[inline(always)]
fn first_of(count: u32, events: *const *mut RawEvent) -> *mut c_void {
    if !likely(count != 0) || !likely(!events.is_null()) || !is_list(count, events) {
        return null_mut();
    }
    // SAFETY: the caller's list of at least one event.
    unsafe { events.read() }.cast()
}

/// Whether the driver takes that as a wait list: OpenCL refuses an empty one that has an address. Lists of more than one event
/// go the longer way.
#[inline(always)]
fn is_list(count: u32, events: *const *mut RawEvent) -> bool {
    if likely(count == 0) {
        return likely(events.is_null());
    }
    // SAFETY: the caller's list of one event, if it has an address.
    likely(count == 1) && likely(!events.is_null()) && likely(!unsafe { events.read() }.is_null())
}

/// Whether there is a work-group size that the driver may have. What has none, the plugin may try twice.
#[inline(always)]
fn has_work_group(dims: u32, local: *const usize) -> bool {
    // SAFETY: the caller's list of `dims` sizes, if it has an address.
    let is_size = |dims| likely(is_work_group(unsafe { std::slice::from_raw_parts(local, dims) }));
    likely(!local.is_null())
        && match dims {
            1 => is_size(1),
            2 => is_size(2),
            3 => is_size(3),
            _ => false,
        }
}

/// Whether that is one of the times that OpenCL knows too.
#[inline(always)]
pub(crate) fn is_time(name: ProfilingInfo) -> bool {
    (ProfilingInfo::COMMAND_QUEUED..=ProfilingInfo::COMMAND_END).contains(&name)
}

/// More arguments than a kernel has (SPIR-V allows 255): Intel's CPU runtime ends the process over some numbers.
pub(crate) const TOO_MANY_ARGUMENTS: u32 = 1 << 16;

jumps! {
    piDeviceRetain(device: *mut RawDevice) => clRetainDevice;
    piDeviceRelease(device: *mut RawDevice) => clReleaseDevice;
    piContextRetain(context: *mut RawContext) => clRetainContext;
    piContextRelease(context: *mut RawContext) => clReleaseContext;
    piContextGetInfo(context: *mut RawContext, name: ContextInfo, size: usize, value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(matches!(name, ContextInfo::DEVICES | ContextInfo::NUM_DEVICES)))
        => clGetContextInfo;
    piQueueRetain(queue: *mut RawQueue) => clRetainCommandQueue;
    piQueueRelease(queue: *mut RawQueue) if may_release() => clReleaseCommandQueue;
    piQueueFinish(queue: *mut RawQueue) => clFinish waiting if true;
    piQueueFlush(queue: *mut RawQueue) => clFlush;
    piQueueGetInfo(queue: *mut RawQueue, name: QueueInfo, size: usize, value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(name != QueueInfo::EMPTY)) => clGetCommandQueueInfo;
    piMemRetain(mem: *mut RawMem) => clRetainMemObject;
    piMemRelease(mem: *mut RawMem) => clReleaseMemObject;
    piMemGetInfo(mem: *mut RawMem, name: MemInfo, size: usize, value: *mut c_void, size_ret: *mut usize)
        if has_room(size, value) => clGetMemObjectInfo;
    piMemImageGetInfo(image: *mut RawMem, name: ImageInfo, size: usize, value: *mut c_void, size_ret: *mut usize)
        if has_room(size, value) => clGetImageInfo;
    piProgramRetain(program: *mut RawProgram) => clRetainProgram;
    piProgramRelease(program: *mut RawProgram) => clReleaseProgram;
    // From the binaries on, the plugin has answers of its own.
    piProgramGetInfo(program: *mut RawProgram, name: ProgramInfo, size: usize, value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(name < ProgramInfo::BINARIES)) => clGetProgramInfo;
    piProgramGetBuildInfo(program: *mut RawProgram, device: *mut RawDevice, name: ProgramBuildInfo, size: usize,
        value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(!device.is_null())) => clGetProgramBuildInfo;
    piKernelRetain(kernel: *mut RawKernel) => clRetainKernel;
    piKernelRelease(kernel: *mut RawKernel) => clReleaseKernel;
    piKernelGetInfo(kernel: *mut RawKernel, name: KernelInfo, size: usize, value: *mut c_void, size_ret: *mut usize)
        if has_room(size, value) => clGetKernelInfo;
    piKernelGetGroupInfo(kernel: *mut RawKernel, device: *mut RawDevice, name: KernelGroupInfo, size: usize,
        value: *mut c_void, size_ret: *mut usize)
        if (has_room(size, value) && likely(!device.is_null()) && likely(name != KernelGroupInfo::NUM_REGS))
        => clGetKernelWorkGroupInfo;
    piKernelSetArg(kernel: *mut RawKernel, index: u32, size: usize, value: *const c_void)
        if likely(index < TOO_MANY_ARGUMENTS) => clSetKernelArg;
    piEventRetain(event: *mut RawEvent) => clRetainEvent;
    piEventRelease(event: *mut RawEvent) => clReleaseEvent;
    piEventGetInfo_until_12_27(event: *mut RawEvent, name: EventInfo, size: usize, value: *mut c_void,
        size_ret: *mut usize)
        if has_room(size, value) => clGetEventInfo;
    piEventGetProfilingInfo(event: *mut RawEvent, name: ProfilingInfo, size: usize, value: *mut c_void,
        size_ret: *mut usize)
        if (has_room(size, value) && likely(is_time(name)))
        => clGetEventProfilingInfo;
    piSamplerRetain(sampler: *mut RawSampler) => clRetainSampler;
    piSamplerRelease(sampler: *mut RawSampler) => clReleaseSampler;
    // OpenCL refuses an empty list that has an address.
    piEnqueueEventsWait(queue: *mut RawQueue, count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(count == 0) && likely(events.is_null()) && likely(!event.is_null())) => clEnqueueMarkerWithWaitList;
    piEnqueueEventsWaitWithBarrier(queue: *mut RawQueue, count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(count == 0) && likely(events.is_null()) && likely(!event.is_null())) => clEnqueueBarrierWithWaitList;
    piEventsWait(count: u32, events: *const *mut RawEvent) of { first_of(count, events) } => clWaitForEvents waiting if true;
    piEnqueueKernelLaunch(queue: *mut RawQueue, kernel: *mut RawKernel, dims: u32, offset: *const usize, global: *const usize,
        local: *const usize, count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(!kernel.is_null()) && likely(!global.is_null()) && has_work_group(dims, local) && is_list(count, events))
        => clEnqueueNDRangeKernel;
    piEnqueueMemBufferRead(queue: *mut RawQueue, buffer: *mut RawMem, blocking: u32, offset: usize, size: usize,
        ptr: *mut c_void, count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(!buffer.is_null()) && likely(!ptr.is_null()) && likely(is_range(offset, size)) && is_list(count, events)
            && likely(blocking <= PI_TRUE))
        => clEnqueueReadBuffer waiting if blocking != PI_FALSE;
    piEnqueueMemBufferWrite(queue: *mut RawQueue, buffer: *mut RawMem, blocking: u32, offset: usize, size: usize,
        ptr: *const c_void, count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(!buffer.is_null()) && likely(!ptr.is_null()) && likely(is_range(offset, size)) && is_list(count, events)
            && likely(blocking <= PI_TRUE))
        => clEnqueueWriteBuffer waiting if blocking != PI_FALSE;
    piEnqueueMemBufferCopy(queue: *mut RawQueue, src: *mut RawMem, dst: *mut RawMem, src_offset: usize, dst_offset: usize, size: usize,
        count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(!src.is_null()) && likely(!dst.is_null()) && likely(is_range(src_offset, size)) && likely(is_range(dst_offset, size))
            && is_list(count, events))
        => clEnqueueCopyBuffer;
    piEnqueueMemBufferFill(queue: *mut RawQueue, buffer: *mut RawMem, pattern: *const c_void, pattern_size: usize, offset: usize,
        size: usize, count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(!buffer.is_null()) && likely(!pattern.is_null()) && likely(is_pattern(pattern_size))
            && likely(tiles(pattern_size, offset, size)) && likely(is_range(offset, size)) && is_list(count, events))
        => clEnqueueFillBuffer;
    piEnqueueMemUnmap(queue: *mut RawQueue, mem: *mut RawMem, mapped: *mut c_void, count: u32, events: *const *mut RawEvent,
        event: *mut *mut RawEvent)
        if (likely(!mem.is_null()) && likely(!mapped.is_null()) && is_list(count, events)) => clEnqueueUnmapMemObject;
    piextUSMEnqueueMemcpy(queue: *mut RawQueue, blocking: u32, dst: *mut c_void, src: *const c_void, size: usize,
        count: u32, events: *const *mut RawEvent, event: *mut *mut RawEvent)
        if (likely(!dst.is_null()) && likely(!src.is_null()) && likely(size != 0) && is_list(count, events)
            && likely(blocking <= PI_TRUE))
        => clEnqueueMemcpyINTEL waiting if blocking != PI_FALSE;
}
