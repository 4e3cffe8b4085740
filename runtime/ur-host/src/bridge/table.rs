//! The functions of the table, each in its slot.

use std::ffi::c_void;

use sycl_pi_core::Version;
use sycl_pi_loader::Table;

use super::*;

/// The PI version whose table is offered.
pub const VERSION: Version = Version::NEWEST;

/// Gives a function the type that it has in the table.
fn typed<F>(_field: impl Fn(&Table) -> Option<F>) -> impl Fn(F) -> F {
    |function| function
}

macro_rules! functions {
    ($($module:ident { $($name:ident)* })*) => {
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

functions! {
    adapter {
        piPluginGetLastError
        piTearDown
        piPluginGetBackendOption
    }
    command_buffer {
        piextCommandBufferCreate
        piextCommandBufferRetain
        piextCommandBufferRelease
        piextCommandBufferFinalize
        piextCommandBufferMemcpyUSM
        piextCommandBufferMemBufferCopy
        piextCommandBufferMemBufferCopyRect
        piextCommandBufferMemBufferWrite
        piextCommandBufferMemBufferWriteRect
        piextCommandBufferMemBufferRead
        piextCommandBufferMemBufferReadRect
        piextCommandBufferMemBufferFill
        piextCommandBufferFillUSM
        piextCommandBufferPrefetchUSM
        piextCommandBufferAdviseUSM
        piextCommandBufferNDRangeKernel
        piextEnqueueCommandBuffer
    }
    context {
        piContextCreate
        piContextGetInfo
        piContextRetain
        piContextRelease
        piextContextSetExtendedDeleter
        piextContextGetNativeHandle
        piextContextCreateWithNativeHandle
    }
    device {
        piDevicesGet
        piDeviceGetInfo
        piDeviceRetain
        piDeviceRelease
        piDevicePartition
        piextDeviceSelectBinary
        piextDeviceGetNativeHandle
        piextDeviceCreateWithNativeHandle
        piGetDeviceAndHostTimer
    }
    enqueue {
        piEnqueueEventsWait
        piEnqueueMemBufferRead
        piEnqueueMemBufferWrite
        piEnqueueMemBufferCopy
        piEnqueueMemBufferFill
        piEnqueueMemUnmap
        piEnqueueEventsWaitWithBarrier
        piEnqueueMemBufferReadRect
        piEnqueueMemBufferWriteRect
        piEnqueueMemBufferCopyRect
        piEnqueueMemImageRead
        piEnqueueMemImageWrite
        piEnqueueMemImageCopy
        piEnqueueMemBufferMap
    }
    event {
        piEventGetInfo
        piEventGetProfilingInfo
        piEventsWait
        piEventSetCallback
        piEventRetain
        piEventRelease
        piextEventGetNativeHandle
        piextEventCreateWithNativeHandle
    }
    kernel {
        piKernelCreate
        piKernelSetArg
        piextKernelSetArgPointer
        piextKernelSetArgMemObj
        piextKernelSetArgSampler
        piKernelGetInfo
        piKernelGetGroupInfo
        piKernelGetSubGroupInfo
        piKernelRetain
        piKernelRelease
        piKernelSetExecInfo
        piextKernelCreateWithNativeHandle
        piextKernelGetNativeHandle
        piextKernelSuggestMaxCooperativeGroupCount
    }
    launch {
        piEnqueueKernelLaunch
        piextEnqueueCooperativeKernelLaunch
    }
    mem {
        piMemBufferCreate
        piMemImageCreate
        piMemGetInfo
        piMemImageGetInfo
        piMemRetain
        piMemRelease
        piMemBufferPartition
        piextMemGetNativeHandle
        piextMemCreateWithNativeHandle
        piextMemImageCreateWithNativeHandle
    }
    peer {
        piextEnablePeerAccess
        piextDisablePeerAccess
        piextPeerAccessGetInfo
    }
    platform {
        piPlatformsGet
        piPlatformGetInfo
        piextPlatformGetNativeHandle
        piextPlatformCreateWithNativeHandle
    }
    program {
        piProgramCreate
        piProgramCreateWithBinary
        piProgramGetInfo
        piProgramBuild
        piProgramLink
        piProgramGetBuildInfo
        piProgramRetain
        piProgramRelease
        piextProgramSetSpecializationConstant
        piextProgramGetNativeHandle
        piextProgramCreateWithNativeHandle
        piextGetDeviceFunctionPointer
        piextGetGlobalVariablePointer
        piProgramCompile
    }
    queue {
        piQueueCreate
        piextQueueCreate
        piQueueGetInfo
        piQueueFinish
        piQueueFlush
        piQueueRetain
        piQueueRelease
        piextQueueGetNativeHandle
        piextQueueCreateWithNativeHandle
    }
    sampler {
        piSamplerCreate
        piSamplerGetInfo
        piSamplerRetain
        piSamplerRelease
    }
    symbol {
        piextEnqueueDeviceGlobalVariableWrite
        piextEnqueueDeviceGlobalVariableRead
        piextEnqueueReadHostPipe
        piextEnqueueWriteHostPipe
    }
    usm {
        piextUSMHostAlloc
        piextUSMDeviceAlloc
        piextUSMSharedAlloc
        piextUSMPitchedAlloc
        piextUSMFree
        piextUSMGetMemAllocInfo
        piextUSMEnqueueMemset
        piextUSMEnqueueMemcpy
        piextUSMEnqueuePrefetch
        piextUSMEnqueueMemAdvise
        piextUSMEnqueueFill2D
        piextUSMEnqueueMemset2D
        piextUSMEnqueueMemcpy2D
        piextUSMImport
        piextUSMRelease
    }
}
