//! Contexts.

use std::ffi::c_void;

use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::copy::Stage;
use crate::pool::{Pools, log_failure};
use crate::sys::{self, ze, *};
use crate::usm_pool::UsmPool;
use crate::{Context, Device, LevelZero, device, device_info, handle, platform};

/// A driver's context over devices of one platform.
pub struct Body {
    pub(crate) ze: ze_context_handle_t,
    owned: bool,
    pub(crate) platform: Shared<platform::Body>,
    pub(crate) devices: Vec<Shared<device::Body>>,
    pub(crate) pools: Pools,
    pub(crate) usm: UsmPool,
    pub(crate) stage: Stage,
}

kind!(Body, RawContext, ErrorCode::INVALID_CONTEXT);

impl Body {
    fn new(ze: ze_context_handle_t, owned: bool, devices: &[&Device]) -> Result<Self> {
        let Some(first) = devices.first() else { return Err(Error::invalid_value("devices is empty")) };
        if devices.iter().any(|device| device.platform.driver != first.platform.driver) {
            return Err(Error::new(ErrorCode::INVALID_DEVICE, "devices are of different platforms"));
        }
        Ok(Self {
            ze,
            owned,
            platform: first.platform.clone(),
            devices: devices.iter().map(|device| device.share()).collect(),
            pools: Pools::default(),
            usm: UsmPool::default(),
            stage: Stage::default(),
        })
    }

    /// Handles of the devices, each once.
    pub(crate) fn device_handles(&self) -> Vec<ze_device_handle_t> {
        let mut handles: Vec<_> = self.devices.iter().map(|device| device.ze).collect();
        handles.sort();
        handles.dedup();
        handles
    }

    /// Whether a device is the context's, or a part of one that is.
    pub(crate) fn has(&self, device: &device::Body) -> bool {
        let own = |ze| self.devices.iter().any(|of_context| of_context.ze == ze);
        own(device.ze) || device.parent.as_ref().is_some_and(|parent| self.has(parent))
    }

    /// As [`Body::has`], as an error for the caller.
    pub(crate) fn check(&self, device: &Device) -> Result<()> {
        if self.has(device) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::INVALID_DEVICE, "device (or dev, device_list) is not one of the context's"))
    }

    /// Root devices behind the context's devices, each once.
    pub(crate) fn roots(&self) -> Vec<&device::Body> {
        let mut roots: Vec<&device::Body> = Vec::new();
        for device in &self.devices {
            let root = device.root();
            if !roots.iter().any(|known| known.ze == root.ze) {
                roots.push(root);
            }
        }
        roots
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.stage.destroy();
        self.usm.destroy(self.ze);
        self.pools.destroy();
        if self.owned {
            log_failure(ze().and_then(|ze| ze.zeContextDestroy(self.ze)));
        }
    }
}

impl ContextApi for LevelZero {
    fn context_create(
        properties: Properties<'_, isize>,
        devices: &[&Device],
        _: ContextNotify,
    ) -> Result<New<Context>> {
        if let Some((key, _)) = properties.pairs().next() {
            return Err(Error::new(
                ErrorCode::INVALID_PROPERTY,
                format!("properties: unknown property {key:#x}"),
            ));
        }
        let mut body = Body::new(ze_context_handle_t::NULL, false, devices)?;
        let desc = ze_context_desc_t::default();
        let mut ze = ze_context_handle_t::NULL;
        sys::ze()?.zeContextCreate(body.platform.driver, &desc, &mut ze)?;
        body.owned = true;
        body.ze = ze;
        Ok(Counted::create(body))
    }

    fn context_info(context: &Context, name: ContextInfo, info: Info<'_>) -> Result<()> {
        match name {
            ContextInfo::DEVICES => {
                let handles: Vec<_> =
                    context.devices.iter().map(|device| handle::<device::Body>(device)).collect();
                info.slice(&handles)
            }
            ContextInfo::NUM_DEVICES => info.value(context.devices.len() as u32),
            ContextInfo::PLATFORM => info.value(handle::<platform::Body>(&context.platform)),
            ContextInfo::PROPERTIES => info.bytes(&[]),
            ContextInfo::REFERENCE_COUNT => info.value(context.reference_count()),
            // Level Zero has no fills of rows; the runtime uses kernels of its own. Copies of rows it has.
            ContextInfo::USM_FILL2D_SUPPORT
            | ContextInfo::USM_MEMSET2D_SUPPORT => info.bool(false),
            ContextInfo::USM_MEMCPY2D_SUPPORT => info.bool(true),
            ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES
            | ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => info.value(device_info::ORDERS),
            ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES
            | ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => info.value(device_info::SCOPES),
            _ => Err(Error::invalid_value(format!("param_name: unknown context query {name:#x}"))),
        }
    }

    fn context_retain(context: &Context) -> Result<()> {
        context.retain();
        Ok(())
    }

    fn context_release(context: &Context) -> Result<()> {
        context.release();
        Ok(())
    }

    fn context_set_extended_deleter(
        _: &Context,
        _: unsafe extern "C" fn(*mut c_void),
        _: *mut c_void,
    ) -> Result<()> {
        Err(Error::unsupported("Level Zero contexts call nothing when they go"))
    }

    fn context_native_handle(context: &Context) -> Result<NativeHandle> {
        Ok(context.ze.0.expose_provenance())
    }

    fn context_create_with_native_handle(
        native: NativeHandle,
        devices: &[&Device],
        owned: bool,
    ) -> Result<New<Context>> {
        if native == 0 {
            return Err(Error::new(ErrorCode::INVALID_CONTEXT, "nativeHandle is null; a context is needed"));
        }
        let ze = ze_context_handle_t(sys::Address::from_number(native).get());
        Ok(Counted::create(Body::new(ze, owned, devices)?))
    }
}
