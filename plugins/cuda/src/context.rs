//! Contexts: the primary CUDA context of each device, or a CUDA context of the caller.

use core::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::Properties;
use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result};

use crate::Cuda;
use crate::device::device_context::{DeviceContext, Ownership};
use crate::device::device_object::Device;
use crate::device_info::{memory_orders, memory_scopes};
use crate::opencl;
use crate::peer;
use crate::platform::device_of;
use crate::platform::platform;
use crate::sys::{self, CUcontext, DriverHandle, cuda, make_current};

/// A context, with one CUDA context per device.
pub struct Context {
    pub(crate) devices: Vec<DeviceContext>,
    /// Whether the devices may access each other's memory.
    peers_enabled: AtomicBool,
    deleters: Mutex<Vec<Deleter>>,
}

sycl_pi_backend::counted_kinds!(Context: RawContext, INVALID_CONTEXT, "context";);

struct Deleter {
    function: unsafe extern "C" fn(*mut c_void),
    user_data: usize,
}

impl Drop for Context {
    fn drop(&mut self) {
        for deleter in self.deleters.get_mut().drain(..) {
            sys::call_context_deleter(deleter.function, deleter.user_data);
        }
    }
}

impl Context {
    fn new(devices: Vec<DeviceContext>) -> Self {
        Self { devices, peers_enabled: AtomicBool::new(false), deleters: Mutex::new(Vec::new()) }
    }

    /// Allows the context's devices to access each other's memory. Done only once, before a copy that may be between
    /// devices, because it makes every allocation slower.
    #[inline]
    pub(crate) fn enable_peer_access(&self) {
        if self.devices.len() > 1 && !self.peers_enabled.load(Ordering::Relaxed) {
            self.enable_peer_access_now();
        }
    }

    #[cold]
    fn enable_peer_access_now(&self) {
        if !self.peers_enabled.swap(true, Ordering::Relaxed)
            && let Err(error) = peer::enable_between(&self.devices)
        {
            // Copies then go through host memory.
            log::warn!("devices of a context cannot reach each other: {error}");
        }
    }

    /// Returns the index of a device in the context.
    pub(crate) fn index_of(&self, device: &Counted<Device>) -> Result<usize> {
        self.devices
            .iter()
            .position(|known| std::ptr::eq(&*known.device, device))
            .ok_or_else(Error::device_of_another_context)
    }

    /// Returns the first device, which is used if none is specified.
    pub(crate) fn first(&self) -> Result<&DeviceContext> {
        self.devices
            .first()
            .ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "the context has no device"))
    }

    /// Returns the CUDA context of a device.
    pub(crate) fn of_device(&self, device: &Counted<Device>) -> Result<&DeviceContext> {
        Ok(&self.devices[self.index_of(device)?])
    }
}

impl ContextApi for Cuda {
    fn context_create(
        properties: Properties<'_, isize>,
        devices: &[&Counted<Device>],
        _: ContextNotify,
    ) -> Result<New<Counted<Context>>> {
        /// libsycl requests the primary context with this. The primary context is always used.
        const CUDA_PRIMARY: isize = 0xff02;
        for (key, _) in properties.pairs() {
            if key != ContextInfo::PLATFORM.0 as isize && key != CUDA_PRIMARY {
                return Err(Error::new(
                    ErrorCode::INVALID_PROPERTY,
                    format!("unknown context property {key:#x}"),
                ));
            }
        }
        let mut contexts: Vec<DeviceContext> = Vec::with_capacity(devices.len());
        for device in devices {
            if !contexts.iter().any(|known| std::ptr::eq(&*known.device, *device)) {
                contexts.push(DeviceContext::primary(device)?);
            }
        }
        Ok(Counted::create(Context::new(contexts)))
    }

    fn context_first_device(context: &Counted<Context>) -> Result<&Counted<Device>> {
        Ok(&context.first()?.device)
    }

    fn context_info(context: &Counted<Context>, name: ContextInfo, info: Info<'_>) -> Result<()> {
        match name {
            ContextInfo::NUM_DEVICES => info.value(context.devices.len() as u32),
            ContextInfo::DEVICES => {
                let devices: Vec<_> = context.devices.iter().map(|known| known.device.handle()).collect();
                info.slice(&devices)
            }
            ContextInfo::PLATFORM => info.value(platform()?.handle()),
            ContextInfo::PROPERTIES => info.bytes(&[]),
            ContextInfo::REFERENCE_COUNT => info.value(context.reference_count()),
            ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES | ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
                info.value(memory_orders(&context.first()?.device))
            }
            ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES | ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
                info.value(memory_scopes(&context.first()?.device))
            }
            // libsycl passes pitch and width in elements for fills of rows, but in bytes for copies and memsets. If the
            // answer is no, it uses its own kernel.
            ContextInfo::USM_FILL2D_SUPPORT => info.bool(false),
            ContextInfo::USM_MEMSET2D_SUPPORT | ContextInfo::USM_MEMCPY2D_SUPPORT => info.bool(true),
            _ => Err(Error::unknown_query("context", name)),
        }
    }

    fn context_set_extended_deleter(
        context: &Counted<Context>,
        function: unsafe extern "C" fn(*mut c_void),
        user_data: *mut c_void,
    ) -> Result<()> {
        context.deleters.lock().push(Deleter { function, user_data: user_data.expose_provenance() });
        Ok(())
    }

    fn context_native_handle(context: &Counted<Context>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        Ok(context.first()?.raw.addr())
    }

    fn context_create_with_native_handle(
        native: NativeHandle,
        devices: &[&Counted<Device>],
        owned: bool,
    ) -> Result<New<Counted<Context>>> {
        opencl::refuse_native_handles()?;
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_VALUE, "a CUcontext"));
        }
        let raw: DriverHandle<CUcontext> = sys::from_native(native);
        let mut number = 0;
        {
            let _current = make_current(raw)?;
            cuda()?.cuCtxGetDevice(&mut number)?;
        }
        let device = device_of(number)?;
        if devices.iter().any(|other| !std::ptr::eq(*other, &**device)) {
            return Err(Error::new(ErrorCode::INVALID_DEVICE, "the CUcontext belongs to another device"));
        }
        let ownership = if owned { Ownership::Owned } else { Ownership::Borrowed };
        Ok(Counted::create(Context::new(vec![DeviceContext::new(device, raw, ownership)])))
    }
}
