//! One device of a context, which is a CUDA context with its pools of events and streams and its staging memory.

use std::sync::atomic::Ordering;

use sycl_pi_backend::{Counted, Result, Shared};

use crate::device::device_object::Device;
use crate::event::event_pool::EventPool;
use crate::memory::driver_handle::{self, Owner};
use crate::memory::staging::Staging;
use crate::memory::usm_memory;
use crate::queue::stream_pool::StreamPool;
use crate::sys::{CUcontext, CurrentContext, DriverHandle, cuda, make_current};

/// One device of a context.
pub(crate) struct DeviceContext {
    pub(crate) device: Shared<Device>,
    pub(crate) raw: DriverHandle<CUcontext>,
    pub(crate) events: EventPool,
    pub(crate) streams: StreamPool,
    pub(crate) staging: Staging,
    ownership: Ownership,
}

/// How a CUDA context is owned, and so how it is released.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ownership {
    /// One reference to the primary context.
    Primary,
    /// The context itself.
    Owned,
    /// Nothing, because the caller owns the context.
    Borrowed,
}

impl DeviceContext {
    /// Returns the device's primary context.
    pub(crate) fn primary(device: &Counted<Device>) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        cuda()?.cuDevicePrimaryCtxRetain(&mut raw, device.raw)?;
        Ok(Self::new(device, DriverHandle::new(raw), Ownership::Primary))
    }

    pub(crate) fn new(device: &Counted<Device>, raw: DriverHandle<CUcontext>, ownership: Ownership) -> Self {
        let (device, events) = (device.share(), EventPool::new(raw));
        Self { device, raw, events, streams: StreamPool::default(), staging: Staging::default(), ownership }
    }

    /// Returns what identifies it as the owner of driver objects.
    pub(crate) fn identity(&self) -> Owner {
        Owner { address: std::ptr::from_ref(self).addr(), context: self.raw }
    }

    /// Makes the CUDA context current on the calling thread.
    #[inline]
    pub(crate) fn enter(&self) -> Result<CurrentContext> {
        make_current(self.raw)
    }
}

impl Drop for DeviceContext {
    fn drop(&mut self) {
        usm_memory::release_freed(Some(self.raw));
        if self.ownership != Ownership::Primary {
            // The primary context lives on, with the memory of other contexts of the device.
            usm_memory::forget(self.raw);
        }
        // With the last reference, the driver destroys everything left in a primary context.
        driver_handle::forget_of(self.identity());
        if let Ok(_current) = self.enter() {
            self.streams.clear();
            self.events.clear();
            self.staging.clear();
            self.device.clock.forget(self.raw);
        }
        let Ok(cuda) = cuda() else { return };
        // A lost context returns errors here as well, but is destroyed anyway.
        let _ = match self.ownership {
            Ownership::Primary => self.release_primary(),
            Ownership::Owned => cuda.cuCtxDestroy_v2(self.raw.get()),
            Ownership::Borrowed => Ok(()),
        };
    }
}

impl DeviceContext {
    /// Releases the reference to the primary context. One reference per device is kept, because the driver takes 160 ms
    /// to create a primary context.
    fn release_primary(&self) -> Result<()> {
        if self.device.keeps_primary.swap(true, Ordering::AcqRel) {
            return cuda()?.cuDevicePrimaryCtxRelease_v2(self.device.raw);
        }
        Ok(())
    }
}
