//! The functions of the table, each in its slot.

use std::ffi::c_void;

use sycl_pi_core::Version;
use sycl_pi_loader::Table;
use sycl_ur_core::Layout;

use super::{
    adapter, command_buffer, context, device, enqueue, event, kernel, launch, mem, peer, platform, program,
    queue, sampler, symbol, usm,
};

/// The PI version whose table is offered.
pub const VERSION: Version = Version::NEWEST;

/// Gives a function the type that it has in the table.
fn typed<F>(_field: impl Fn(&Table) -> Option<F>) -> impl Fn(F) -> F {
    |function| function
}

macro_rules! functions {
    ($($module:ident { $($name:ident => $ur:ident $(since $layout:ident $newer:ident)*;)* })*) => {
        /// The functions of PI with those of UR that they call, each with the first layout that has it.
        const COUNTERPARTS: &[(&str, &[(Layout, &str)])] = &[$($(
            (stringify!($name), &[(Layout::V2025_0, stringify!($ur)) $(, (Layout::$layout, stringify!($newer)))*])
        ),*),*];

        /// Returns the slot and pointer of every function that has a counterpart in UR.
        pub(super) fn functions() -> impl Iterator<Item = (u16, *const c_void)> {
            let all = [$($((stringify!($name), typed(|table| table.$name)($module::$name) as *const c_void)),*),*];
            all.into_iter().filter_map(|(name, function)| {
                let entry = sycl_pi_core::table::entry_point(name)?;
                Some((entry.slot(VERSION)?, function))
            })
        }
    };
}

/// Returns the function of UR that a function of PI calls in a layout, or that takes its arguments there.
/// Returns `None` if UR has no counterpart.
pub fn counterpart(function: &str, layout: Layout) -> Option<&'static str> {
    let (_, names) = COUNTERPARTS.iter().find(|(name, _)| *name == function)?;
    names.iter().rfind(|(since, _)| *since <= layout).map(|(_, name)| *name)
}

functions! {
    adapter {
        piPluginGetLastError => urAdapterGetLastError;
        piTearDown => urAdapterRelease;
        piPluginGetBackendOption => urPlatformGetBackendOption;
    }
    command_buffer {
        piextCommandBufferCreate => urCommandBufferCreateExp;
        piextCommandBufferRetain => urCommandBufferRetainExp;
        piextCommandBufferRelease => urCommandBufferReleaseExp;
        piextCommandBufferFinalize => urCommandBufferFinalizeExp;
        piextCommandBufferMemcpyUSM => urCommandBufferAppendUSMMemcpyExp;
        piextCommandBufferMemBufferCopy => urCommandBufferAppendMemBufferCopyExp;
        piextCommandBufferMemBufferCopyRect => urCommandBufferAppendMemBufferCopyRectExp;
        piextCommandBufferMemBufferWrite => urCommandBufferAppendMemBufferWriteExp;
        piextCommandBufferMemBufferWriteRect => urCommandBufferAppendMemBufferWriteRectExp;
        piextCommandBufferMemBufferRead => urCommandBufferAppendMemBufferReadExp;
        piextCommandBufferMemBufferReadRect => urCommandBufferAppendMemBufferReadRectExp;
        piextCommandBufferMemBufferFill => urCommandBufferAppendMemBufferFillExp;
        piextCommandBufferFillUSM => urCommandBufferAppendUSMFillExp;
        piextCommandBufferPrefetchUSM => urCommandBufferAppendUSMPrefetchExp;
        piextCommandBufferAdviseUSM => urCommandBufferAppendUSMAdviseExp;
        piextCommandBufferNDRangeKernel => urCommandBufferAppendKernelLaunchExp since V2026_2 urCommandBufferAppendKernelLaunchWithArgsExp;
        piextEnqueueCommandBuffer => urCommandBufferEnqueueExp since V2025_2 urEnqueueCommandBufferExp;
    }
    context {
        piContextCreate => urContextCreate;
        piContextGetInfo => urContextGetInfo;
        piContextRetain => urContextRetain;
        piContextRelease => urContextRelease;
        piextContextSetExtendedDeleter => urContextSetExtendedDeleter;
        piextContextGetNativeHandle => urContextGetNativeHandle;
        piextContextCreateWithNativeHandle => urContextCreateWithNativeHandle;
    }
    device {
        piDevicesGet => urDeviceGet;
        piDeviceGetInfo => urDeviceGetInfo;
        piDeviceRetain => urDeviceRetain;
        piDeviceRelease => urDeviceRelease;
        piDevicePartition => urDevicePartition;
        piextDeviceSelectBinary => urDeviceSelectBinary;
        piextDeviceGetNativeHandle => urDeviceGetNativeHandle;
        piextDeviceCreateWithNativeHandle => urDeviceCreateWithNativeHandle;
        piGetDeviceAndHostTimer => urDeviceGetGlobalTimestamps;
    }
    enqueue {
        piEnqueueEventsWait => urEnqueueEventsWait;
        piEnqueueMemBufferRead => urEnqueueMemBufferRead;
        piEnqueueMemBufferWrite => urEnqueueMemBufferWrite;
        piEnqueueMemBufferCopy => urEnqueueMemBufferCopy;
        piEnqueueMemBufferFill => urEnqueueMemBufferFill;
        piEnqueueMemUnmap => urEnqueueMemUnmap;
        piEnqueueEventsWaitWithBarrier => urEnqueueEventsWaitWithBarrier since V2025_1 urEnqueueEventsWaitWithBarrierExt;
        piEnqueueMemBufferReadRect => urEnqueueMemBufferReadRect;
        piEnqueueMemBufferWriteRect => urEnqueueMemBufferWriteRect;
        piEnqueueMemBufferCopyRect => urEnqueueMemBufferCopyRect;
        piEnqueueMemImageRead => urEnqueueMemImageRead;
        piEnqueueMemImageWrite => urEnqueueMemImageWrite;
        piEnqueueMemImageCopy => urEnqueueMemImageCopy;
        piEnqueueMemBufferMap => urEnqueueMemBufferMap;
    }
    event {
        piEventGetInfo => urEventGetInfo;
        piEventGetProfilingInfo => urEventGetProfilingInfo;
        piEventsWait => urEventWait;
        piEventSetCallback => urEventSetCallback;
        piEventRetain => urEventRetain;
        piEventRelease => urEventRelease;
        piextEventGetNativeHandle => urEventGetNativeHandle;
        piextEventCreateWithNativeHandle => urEventCreateWithNativeHandle;
    }
    kernel {
        piKernelCreate => urKernelCreate;
        piKernelSetArg => urKernelSetArgValue since V2026_1_1 urEnqueueKernelLaunchWithArgsExp;
        piextKernelSetArgPointer => urKernelSetArgPointer since V2026_1_1 urEnqueueKernelLaunchWithArgsExp;
        piextKernelSetArgMemObj => urKernelSetArgMemObj since V2026_1_1 urEnqueueKernelLaunchWithArgsExp;
        piextKernelSetArgSampler => urKernelSetArgSampler since V2026_1_1 urEnqueueKernelLaunchWithArgsExp;
        piKernelGetInfo => urKernelGetInfo;
        piKernelGetGroupInfo => urKernelGetGroupInfo;
        piKernelGetSubGroupInfo => urKernelGetSubGroupInfo;
        piKernelRetain => urKernelRetain;
        piKernelRelease => urKernelRelease;
        piKernelSetExecInfo => urKernelSetExecInfo;
        piextKernelCreateWithNativeHandle => urKernelCreateWithNativeHandle;
        piextKernelGetNativeHandle => urKernelGetNativeHandle;
        piextKernelSuggestMaxCooperativeGroupCount => urKernelSuggestMaxCooperativeGroupCountExp since V2025_3 urKernelSuggestMaxCooperativeGroupCount;
    }
    launch {
        piEnqueueKernelLaunch => urEnqueueKernelLaunch since V2026_1_1 urEnqueueKernelLaunchWithArgsExp;
        piextEnqueueCooperativeKernelLaunch => urEnqueueCooperativeKernelLaunchExp since V2025_3 urEnqueueKernelLaunch since V2026_1_1 urEnqueueKernelLaunchWithArgsExp;
    }
    mem {
        piMemBufferCreate => urMemBufferCreate;
        piMemImageCreate => urMemImageCreate;
        piMemGetInfo => urMemGetInfo;
        piMemImageGetInfo => urMemImageGetInfo;
        piMemRetain => urMemRetain;
        piMemRelease => urMemRelease;
        piMemBufferPartition => urMemBufferPartition;
        piextMemGetNativeHandle => urMemGetNativeHandle;
        piextMemCreateWithNativeHandle => urMemBufferCreateWithNativeHandle;
        piextMemImageCreateWithNativeHandle => urMemImageCreateWithNativeHandle;
    }
    peer {
        piextEnablePeerAccess => urUsmP2PEnablePeerAccessExp;
        piextDisablePeerAccess => urUsmP2PDisablePeerAccessExp;
        piextPeerAccessGetInfo => urUsmP2PPeerAccessGetInfoExp;
    }
    platform {
        piPlatformsGet => urPlatformGet;
        piPlatformGetInfo => urPlatformGetInfo;
        piextPlatformGetNativeHandle => urPlatformGetNativeHandle;
        piextPlatformCreateWithNativeHandle => urPlatformCreateWithNativeHandle;
    }
    program {
        piProgramCreate => urProgramCreateWithIL;
        piProgramCreateWithBinary => urProgramCreateWithBinary;
        piProgramGetInfo => urProgramGetInfo;
        piProgramBuild => urProgramBuildExp;
        piProgramLink => urProgramLinkExp;
        piProgramGetBuildInfo => urProgramGetBuildInfo;
        piProgramRetain => urProgramRetain;
        piProgramRelease => urProgramRelease;
        piextProgramSetSpecializationConstant => urProgramSetSpecializationConstants;
        piextProgramGetNativeHandle => urProgramGetNativeHandle;
        piextProgramCreateWithNativeHandle => urProgramCreateWithNativeHandle;
        piextGetDeviceFunctionPointer => urProgramGetFunctionPointer;
        piextGetGlobalVariablePointer => urProgramGetGlobalVariablePointer;
        piProgramCompile => urProgramCompileExp;
    }
    queue {
        piQueueCreate => urQueueCreate;
        piextQueueCreate => urQueueCreate;
        piQueueGetInfo => urQueueGetInfo;
        piQueueFinish => urQueueFinish;
        piQueueFlush => urQueueFlush;
        piQueueRetain => urQueueRetain;
        piQueueRelease => urQueueRelease;
        piextQueueGetNativeHandle => urQueueGetNativeHandle;
        piextQueueCreateWithNativeHandle => urQueueCreateWithNativeHandle;
    }
    sampler {
        piSamplerCreate => urSamplerCreate;
        piSamplerGetInfo => urSamplerGetInfo;
        piSamplerRetain => urSamplerRetain;
        piSamplerRelease => urSamplerRelease;
    }
    symbol {
        piextEnqueueDeviceGlobalVariableWrite => urEnqueueDeviceGlobalVariableWrite;
        piextEnqueueDeviceGlobalVariableRead => urEnqueueDeviceGlobalVariableRead;
        piextEnqueueReadHostPipe => urEnqueueReadHostPipe;
        piextEnqueueWriteHostPipe => urEnqueueWriteHostPipe;
    }
    usm {
        piextUSMHostAlloc => urUSMHostAlloc;
        piextUSMDeviceAlloc => urUSMDeviceAlloc;
        piextUSMSharedAlloc => urUSMSharedAlloc;
        piextUSMPitchedAlloc => urUSMPitchedAllocExp;
        piextUSMFree => urUSMFree;
        piextUSMGetMemAllocInfo => urUSMGetMemAllocInfo;
        piextUSMEnqueueMemset => urEnqueueUSMFill;
        piextUSMEnqueueMemcpy => urEnqueueUSMMemcpy;
        piextUSMEnqueuePrefetch => urEnqueueUSMPrefetch;
        piextUSMEnqueueMemAdvise => urEnqueueUSMAdvise;
        piextUSMEnqueueFill2D => urEnqueueUSMFill2D;
        piextUSMEnqueueMemset2D => urEnqueueUSMFill2D;
        piextUSMEnqueueMemcpy2D => urEnqueueUSMMemcpy2D;
        piextUSMImport => urUSMImportExp;
        piextUSMRelease => urUSMReleaseExp;
    }
}

#[cfg(test)]
mod tests {
    use std::any::type_name;
    use std::ffi::{c_int, c_uint};
    use std::process::Command;

    use super::super::*;
    use super::*;
    use sycl_pi_core::*;

    use super::super::recorded::take_failed;
    use crate::Calls;

    /// The variable that names the layout in a process of its own, because a process has one bridge.
    const LAYOUT: &str = "UR_HOST_TEST_LAYOUT";

    /// A function of PI that asks UR for the device before the call. There is none, so the question fails.
    const ASKS_BEFORE: (&str, &str) = ("piextKernelSuggestMaxCooperativeGroupCount", "urKernelGetInfo");

    #[test]
    fn the_names_of_counterparts_are_those_of_the_calls_in_every_layout() {
        if let Ok(name) = std::env::var(LAYOUT) {
            return compare(crate::layout_of_name(&name).unwrap());
        }
        for layout in Layout::ALL {
            let mut child = Command::new(std::env::current_exe().unwrap());
            let test = "the_names_of_counterparts_are_those_of_the_calls_in_every_layout";
            let output = child.arg(test).env(LAYOUT, layout.name()).output().unwrap();
            assert!(output.status.success(), "{layout:?}: {}", String::from_utf8_lossy(&output.stdout));
        }
    }

    /// Calls each function of the table with nothing behind it, and compares the call that fails with the list.
    fn compare(layout: Layout) {
        let block: Vec<*mut c_void> = vec![std::ptr::null_mut(); layout.slot_count()];
        // SAFETY: there are no functions in the block.
        let calls = Box::leak(Box::new(unsafe { Calls::new(layout, &block) }));
        let adapter = AtomicPtr::new(room().cast());
        assert!(BRIDGE.set(Bridge { calls: RecordedCalls(calls), adapter }).is_ok());
        let mut wrong = Vec::new();
        let mut called = 0;
        let mut check = |name: &'static str, code: pi_result| {
            let failed = result::failed_call(name, code).or_else(take_failed);
            let (got, listed) = (failed.map(|call| call.function), counterpart(name, layout));
            let asked = got.is_some_and(|got| ASKS_BEFORE == (name, got));
            // A function that calls nothing keeps its arguments for the launch.
            let kept = got.is_none() && name.contains("KernelSetArg");
            if got != listed && !asked && !kept {
                wrong.push(format!("{name}: calls {got:?}, listed {listed:?}"));
            }
            called += 1;
        };
        macro_rules! call_all {
            (() $([$family:ident] $name:ident $slots:tt ($($arg:ident: $ty:ty),*)
                $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => { $(
                if let Some(function) = function_of(stringify!($name)) {
                    let _ = take_failed();
                    // SAFETY: the slot's function has this signature, and the bridge takes zeros for its arguments.
                    let code = unsafe {
                        std::mem::transmute::<*const c_void, unsafe extern "C" fn($($ty),*) -> pi_result>(function)(
                            $(argument::<$ty>(stringify!($arg))),*
                        )
                    };
                    check(stringify!($name), code);
                }
            )* };
        }
        sycl_pi_core::for_each_entry_point!(call_all);
        assert!(wrong.is_empty(), "{layout:?}: {wrong:#?}");
        assert_eq!(called, COUNTERPARTS.len());
    }

    fn function_of(name: &str) -> Option<*const c_void> {
        let slot = sycl_pi_core::table::entry_point(name).unwrap().slot(VERSION)?;
        functions().find(|(its, _)| *its == slot).map(|(_, function)| function)
    }

    fn room() -> *mut u64 {
        Box::leak(Box::new([0_u64; 512])).as_mut_ptr()
    }

    /// Returns an address of zeros for a pointer, one device for a count of devices, and zero otherwise.
    fn argument<T>(name: &str) -> T {
        let word = match name {
            "num_devices" if !type_name::<T>().starts_with('*') => 1,
            // The bridge has no callbacks of builds.
            "user_data" => 0,
            _ if type_name::<T>().starts_with('*') => room() as u64,
            _ => 0,
        };
        assert!(size_of::<T>() <= size_of_val(&word));
        // SAFETY: all arguments are addresses, numbers or optional functions, for which zero is valid.
        unsafe { std::mem::transmute_copy(&word) }
    }

    #[test]
    fn a_code_of_pi_has_those_of_ur_that_mean_it() {
        assert_eq!(result::results_of("PI_SUCCESS"), ["UR_RESULT_SUCCESS"]);
        assert_eq!(result::results_of("PI_ERROR_INVALID_MEM_OBJECT"), ["UR_RESULT_ERROR_INVALID_MEM_OBJECT"]);
        let values = result::results_of("PI_ERROR_INVALID_VALUE");
        assert_eq!(values.first(), Some(&"UR_RESULT_ERROR_INVALID_VALUE"));
        assert!(values.contains(&"UR_RESULT_ERROR_INVALID_NULL_HANDLE"), "{values:?}");
        assert_eq!(crate::result_name(0x7fff_0000), None);
    }
}
