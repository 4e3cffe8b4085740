//! Contexts.

use core::ffi::c_void;

use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, New, Properties, Result};

use crate::OpenCl;
use crate::device::distinct;
use crate::device_info::{self, AtomicCapability};
use crate::sys::{self, Context, Device, HasPlatform, Queried, cl, create};

/// Queries from this number on do not belong to OpenCL.
const FIRST_FOREIGN: ContextInfo = ContextInfo(0x1_0000);

/// Answers with the capabilities that all devices of the context have.
fn atomics(context: &Context, capability: AtomicCapability, info: Info<'_>) -> Result<()> {
    let mut common = u64::MAX;
    for device in context.devices()? {
        common &= device_info::atomic_capabilities(device, capability)?;
    }
    info.value(common)
}

impl ContextApi for OpenCl {
    fn context_create(
        properties: Properties<'_, isize>,
        devices: &[&Device],
        notify: ContextNotify,
    ) -> Result<New<Context>> {
        let devices = distinct(devices);
        let (count, list) = (devices.len() as u32, devices.as_ptr().cast());
        create(|code| {
            cl().clCreateContext(properties.as_ptr(), count, list, notify.function, notify.user_data, code)
        })
    }

    fn context_first_device(context: &Context) -> Result<&Device> {
        context.first_device()
    }

    fn context_info(context: &Context, name: ContextInfo, mut info: Info<'_>) -> Result<()> {
        match name {
            ContextInfo::PROPERTIES => {
                let (size, value, size_ret) = info.raw_parts();
                // PoCL writes the size of an empty property list to the given address, even if it is null.
                let mut unwanted = 0;
                let size_ret = if size_ret.is_null() { &raw mut unwanted } else { size_ret };
                context.query(name.0, size, value, size_ret)
            }
            // OpenCL has no 2D fills and memsets of USM, so the runtime uses its own kernels. Copies are done row by
            // row.
            ContextInfo::USM_FILL2D_SUPPORT | ContextInfo::USM_MEMSET2D_SUPPORT => info.bool(false),
            ContextInfo::USM_MEMCPY2D_SUPPORT => info.bool(true),
            ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES => {
                atomics(context, AtomicCapability::MemoryOrders, info)
            }
            ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES => {
                atomics(context, AtomicCapability::MemoryScopes, info)
            }
            ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
                atomics(context, AtomicCapability::FenceOrders, info)
            }
            ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
                atomics(context, AtomicCapability::FenceScopes, info)
            }
            ContextInfo::PLATFORM => info.value(context.platform()?.cl()),
            _ if name < FIRST_FOREIGN => context.answer(name.0, info),
            _ => Err(Error::invalid_value(format!("OpenCL does not know context query {name:#x}"))),
        }
    }

    fn context_set_extended_deleter(
        context: &Context,
        deleter: unsafe extern "C" fn(*mut c_void),
        user_data: *mut c_void,
    ) -> Result<()> {
        if context.driver()?.version < (3, 0) {
            return Err(Error::unsupported(
                "the driver is older than OpenCL 3.0 and calls nothing when a context is destroyed",
            ));
        }
        sys::set_context_deleter(context, deleter, user_data)
    }

    fn context_native_handle(context: &Context) -> Result<NativeHandle> {
        Ok(sys::native_handle(context))
    }

    fn context_create_with_native_handle(
        native: NativeHandle,
        _: &[&Device],
        owned: bool,
    ) -> Result<New<Context>> {
        sys::from_native(native, owned)
    }
}
