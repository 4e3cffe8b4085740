//! Contexts.

use std::ffi::c_void;

use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Properties, Result};

use crate::driver::DriverContext;
use crate::objects::{Context, ContextHandle, DeviceHandle, raw_handle};
use crate::sys::{self, ze_context_handle_t};
use crate::{LevelZero, device_info};

impl ContextApi for LevelZero {
    fn context_create(
        properties: Properties<'_, isize>,
        devices: &[&DeviceHandle],
        _: ContextNotify,
    ) -> Result<New<ContextHandle>> {
        if let Some((key, _)) = properties.pairs().next() {
            return Err(Error::new(
                ErrorCode::INVALID_PROPERTY,
                format!("unknown context property {key:#x}"),
            ));
        }
        Ok(Counted::create(Context::new(devices, DriverContext::create)?))
    }

    fn context_first_device(context: &ContextHandle) -> Result<&DeviceHandle> {
        let first = context.devices.first();
        Ok(first.ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "the context has no device"))?)
    }

    fn context_info(context: &ContextHandle, name: ContextInfo, info: Info<'_>) -> Result<()> {
        match name {
            ContextInfo::DEVICES => {
                let handles: Vec<_> = context.devices.iter().map(|device| raw_handle(device)).collect();
                info.slice(&handles)
            }
            ContextInfo::NUM_DEVICES => info.value(context.devices.len() as u32),
            ContextInfo::PLATFORM => info.value(raw_handle(&context.platform)),
            ContextInfo::PROPERTIES => info.bytes(&[]),
            ContextInfo::REFERENCE_COUNT => info.value(context.reference_count()),
            // Level Zero has copies of rows, but no fills of rows. The runtime uses its own kernels for them.
            ContextInfo::USM_FILL2D_SUPPORT | ContextInfo::USM_MEMSET2D_SUPPORT => info.bool(false),
            ContextInfo::USM_MEMCPY2D_SUPPORT => info.bool(true),
            ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES | ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
                info.value(device_info::ORDERS)
            }
            ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES | ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
                info.value(device_info::SCOPES)
            }
            _ => Err(Error::unknown_query("context", name)),
        }
    }

    fn context_set_extended_deleter(
        _: &ContextHandle,
        _: unsafe extern "C" fn(*mut c_void),
        _: *mut c_void,
    ) -> Result<()> {
        Err(Error::unsupported("context deleters are not supported by Level Zero"))
    }

    fn context_native_handle(context: &ContextHandle) -> Result<NativeHandle> {
        Ok(context.ze.0.expose_provenance())
    }

    fn context_create_with_native_handle(
        native: NativeHandle,
        devices: &[&DeviceHandle],
        owned: bool,
    ) -> Result<New<ContextHandle>> {
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_CONTEXT, "a context"));
        }
        let ze = ze_context_handle_t(sys::Address::from_number(native).get());
        Ok(Counted::create(Context::new(devices, |_| Ok(DriverContext::adopt(ze, owned)))?))
    }
}
