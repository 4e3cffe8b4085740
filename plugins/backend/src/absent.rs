//! Answers for features and kinds of objects that a backend does not support.
#![expect(unsafe_code, reason = "objects that are never made")]

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

use crate::raw::RawDevice;
use crate::types::{DeviceInfo, ErrorCode};
use crate::{Info, Object, Result};

/// Answers a query about an optional device feature for a device that does not support it: false, an empty list or no
/// device. Returns `None` for any other query, which the backend must answer itself.
pub fn absent_feature(name: DeviceInfo, info: Info<'_>) -> Option<Result<()>> {
    Some(match name {
        DeviceInfo::MATRIX_COMBINATIONS | DeviceInfo::COMPONENT_DEVICES => info.bytes(&[]),
        DeviceInfo::COMPOSITE_DEVICE => info.value::<*mut RawDevice>(null_mut()),
        DeviceInfo::CUDA_ASYNC_BARRIER
        | DeviceInfo::COMMAND_BUFFER_UPDATE_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_SHARED_USM_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_1D_USM_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_2D_USM_SUPPORT
        | DeviceInfo::MIPMAP_SUPPORT
        | DeviceInfo::MIPMAP_ANISOTROPY_SUPPORT
        | DeviceInfo::MIPMAP_LEVEL_REFERENCE_SUPPORT
        | DeviceInfo::INTEROP_MEMORY_IMPORT_SUPPORT
        | DeviceInfo::INTEROP_MEMORY_EXPORT_SUPPORT
        | DeviceInfo::INTEROP_SEMAPHORE_IMPORT_SUPPORT
        | DeviceInfo::INTEROP_SEMAPHORE_EXPORT_SUPPORT
        | DeviceInfo::CUBEMAP_SUPPORT
        | DeviceInfo::CUBEMAP_SEAMLESS_FILTERING_SUPPORT
        | DeviceInfo::NATIVE_COMMAND_SUPPORT
        | DeviceInfo::HOST_TASK_SUPPORT
        | DeviceInfo::TIMESTAMP_SUPPORT
        | DeviceInfo::DEVICE_WAIT_SUPPORT
        | DeviceInfo::VIRTUAL_MEMORY_SUPPORT
        | DeviceInfo::LAUNCH_UPDATE_SUPPORT
        | DeviceInfo::IPC_MEMORY_SUPPORT
        | DeviceInfo::HOST_MEMORY_REGISTER_SUPPORT
        | DeviceInfo::CLUSTER_LAUNCH_SUPPORT
        | DeviceInfo::LAUNCH_LOCAL_MEMORY_SUPPORT
        | DeviceInfo::DEVICE_MEMORY_EXPORT_SUPPORT
        | DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT
        | DeviceInfo::IPC_EVENT_SUPPORT
        | DeviceInfo::REUSABLE_EVENT_SUPPORT
        | DeviceInfo::COOPERATIVE_LAUNCH_SUPPORT
        | DeviceInfo::PEER_ACCESS_SUPPORT
        | DeviceInfo::NATIVE_ASSERT_SUPPORT
        | DeviceInfo::HOST_PIPE_SUPPORT
        | DeviceInfo::KERNEL_CLOCK_SUPPORT => info.bool(false),
        _ => return None,
    })
}

/// A kind of object that a backend does not support. No handle refers to one.
#[derive(Debug)]
pub struct NoObject<Raw>(Infallible, PhantomData<Raw>);

// SAFETY: `is_live` accepts no handle.
unsafe impl<Raw: 'static> Object for NoObject<Raw> {
    type Raw = Raw;
    const INVALID: ErrorCode = ErrorCode::UNSUPPORTED_FEATURE;
    const NAME: &'static str = "kind of object that this backend does not have";

    unsafe fn is_live(_: NonNull<Raw>) -> bool {
        false
    }
}
