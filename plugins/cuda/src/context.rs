//! Contexts: the primary CUDA context of each device, or a CUDA context of the caller's.

use core::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::device::{Device, of_raw};
use crate::mark::Marks;
use crate::peer;
use crate::platform::{handle, platform};
use crate::staging::Staging;
use crate::sys::{self, CUcontext, Current, Raw, cuda, make_current};

/// Behind `*mut RawContext`.
pub struct Context {
    pub(crate) places: Vec<Place>,
    /// Whether the devices were let reach each other's memory.
    linked: AtomicBool,
    deleters: Mutex<Vec<Deleter>>,
}

crate::kind!(Context, RawContext, ErrorCode::INVALID_CONTEXT, "*mut RawContext");

/// A device in a context.
pub(crate) struct Place {
    pub(crate) device: Shared<Device>,
    pub(crate) raw: Raw<CUcontext>,
    pub(crate) marks: Marks,
    pub(crate) staging: Staging,
    kept: Kept,
}

/// What the plugin owes the driver for a CUDA context.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    /// One reference to the primary context.
    Primary,
    /// The context itself.
    Owned,
    /// Nothing: it is the caller's.
    Callers,
}

struct Deleter {
    function: unsafe extern "C" fn(*mut c_void),
    user_data: usize,
}

impl Place {
    fn primary(device: &Counted<Device>) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        cuda()?.cuDevicePrimaryCtxRetain(&mut raw, device.raw)?;
        Ok(Self::new(device, Raw::new(raw), Kept::Primary))
    }

    fn new(device: &Counted<Device>, raw: Raw<CUcontext>, kept: Kept) -> Self {
        Self { device: device.share(), raw, marks: Marks::new(raw), staging: Staging::default(), kept }
    }

    /// Makes the CUDA context the calling thread's.
    #[inline(always)]
    pub(crate) fn enter(&self) -> Result<Current> {
        make_current(self.raw)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Ok(current) = self.enter() {
            self.marks.clear();
            self.staging.clear();
            self.device.clock.forget(self.raw);
            drop(current);
        }
        let Ok(cuda) = cuda() else { return };
        // A lost context answers errors here as well, and is gone all the same.
        let _ = match self.kept {
            Kept::Primary => cuda.cuDevicePrimaryCtxRelease_v2(self.device.raw),
            Kept::Owned => cuda.cuCtxDestroy_v2(self.raw.get()),
            Kept::Callers => Ok(()),
        };
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for deleter in self.deleters.get_mut().drain(..) {
            sys::call_context_deleter(deleter.function, deleter.user_data);
        }
    }
}

impl Context {
    fn new(places: Vec<Place>) -> Self {
        Self { places, linked: AtomicBool::new(false), deleters: Mutex::new(Vec::new()) }
    }

    /// Before a copy that may be from one device to another: the first one lets the context's devices reach each other's
    /// memory. Not done earlier, as every allocation then takes longer.
    #[inline(always)]
    pub(crate) fn link(&self) {
        if self.places.len() > 1 && !self.linked.load(Ordering::Relaxed) {
            self.link_now();
        }
    }

    #[cold]
    #[inline(never)]
    fn link_now(&self) {
        if !self.linked.swap(true, Ordering::Relaxed)
            && let Err(error) = peer::link(&self.places)
        {
            // Copies go through the host's memory then.
            log::warn!("devices of a context cannot reach each other: {error}");
        }
    }

    /// Where a device stands in the context.
    pub(crate) fn index_of(&self, device: &Counted<Device>) -> Result<usize> {
        self.places.iter().position(|place| std::ptr::eq(&*place.device, device)).ok_or_else(|| {
            Error::new(ErrorCode::INVALID_DEVICE, "device (or dev, device_list) is not one of the context's")
        })
    }

    /// The first device, which serves where none is named.
    pub(crate) fn first(&self) -> Result<&Place> {
        self.places.first().ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "the context has no device"))
    }

    /// The place of a device.
    pub(crate) fn place_of(&self, device: &Counted<Device>) -> Result<&Place> {
        Ok(&self.places[self.index_of(device)?])
    }
}

impl ContextApi for Cuda {
    fn context_create(
        properties: Properties<'_, isize>,
        devices: &[&Counted<Device>],
        _: ContextNotify,
    ) -> Result<New<Counted<Context>>> {
        /// `__SYCL_PI_CONTEXT_PROPERTIES_CUDA_PRIMARY`, which libsycl sends; the primary context is used whatever it says.
        const CUDA_PRIMARY: isize = 0xff02;
        for (key, _) in properties.pairs() {
            if key != ContextInfo::PLATFORM as isize && key != CUDA_PRIMARY {
                return Err(Error::new(
                    ErrorCode::INVALID_PROPERTY,
                    format!("properties: unknown context property {key:#x}"),
                ));
            }
        }
        let mut places: Vec<Place> = Vec::with_capacity(devices.len());
        for device in devices {
            if !places.iter().any(|place| std::ptr::eq(&*place.device, *device)) {
                places.push(Place::primary(device)?);
            }
        }
        Ok(Counted::create(Context::new(places)))
    }

    fn context_info(context: &Counted<Context>, name: ContextInfo, info: Info<'_>) -> Result<()> {
        match name {
            ContextInfo::NUM_DEVICES => info.value(context.places.len() as u32),
            ContextInfo::DEVICES => {
                let devices: Vec<_> = context.places.iter().map(|place| handle(&*place.device)).collect();
                info.slice(&devices)
            }
            ContextInfo::PLATFORM => info.value(handle(&**platform()?)),
            ContextInfo::PROPERTIES => info.bytes(&[]),
            ContextInfo::REFERENCE_COUNT => info.value(context.reference_count()),
            ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES
            | ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
                info.value(crate::device_info::memory_orders(&context.first()?.device))
            }
            ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES
            | ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
                info.value(crate::device_info::memory_scopes(&context.first()?.device))
            }
            ContextInfo::USM_FILL2D_SUPPORT
            | ContextInfo::USM_MEMSET2D_SUPPORT
            | ContextInfo::USM_MEMCPY2D_SUPPORT => info.bool(true),
            _ => Err(Error::invalid_value(format!("param_name: unknown context query {name:#x}"))),
        }
    }

    fn context_retain(context: &Counted<Context>) -> Result<()> {
        context.retain();
        Ok(())
    }

    fn context_release(context: &Counted<Context>) -> Result<()> {
        context.release();
        Ok(())
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
        Ok(context.first()?.raw.addr())
    }

    fn context_create_with_native_handle(
        native: NativeHandle,
        devices: &[&Counted<Device>],
        owned: bool,
    ) -> Result<New<Counted<Context>>> {
        if native == 0 {
            return Err(Error::invalid_value("nativeHandle is null; a CUcontext is needed"));
        }
        let raw: Raw<CUcontext> = sys::from_native(native);
        let mut number = 0;
        let current = make_current(raw)?;
        cuda()?.cuCtxGetDevice(&mut number)?;
        drop(current);
        let device = of_raw(number)?;
        if devices.iter().any(|other| !std::ptr::eq(*other, &**device)) {
            return Err(Error::new(
                ErrorCode::INVALID_DEVICE,
                "nativeHandle: the CUcontext is of another device",
            ));
        }
        let kept = if owned { Kept::Owned } else { Kept::Callers };
        let places = vec![Place::new(device, raw, kept)];
        Ok(Counted::create(Context::new(places)))
    }
}
