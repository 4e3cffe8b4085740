//! Contexts.

use std::fmt;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use sycl_pi_core::*;

use super::queue::QueueInner;
use super::raw::Raw;
use super::{Backend, Device};
use crate::error::{About, Error, Result};

/// A context: what programs, memory and queues belong to.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    backend: Backend,
    raw: Raw<_pi_context>,
    devices: Vec<Device>,
    /// The queues, for those who must wait for all work before they free memory.
    queues: Mutex<Vec<Weak<QueueInner>>>,
}

impl Context {
    /// A context of these devices, which are of one plugin and platform.
    ///
    /// # Errors
    /// There is no device, they are of several plugins, or the plugin refuses.
    pub fn new(devices: &[Device]) -> Result<Self> {
        let Some(first) = devices.first() else {
            return Err(Error::invalid("a context needs a device"));
        };
        let backend = first.backend();
        if devices.iter().any(|device| !device.backend().same(backend)) {
            return Err(Error::invalid("the devices of a context are of one plugin"));
        }
        let handles: Vec<pi_device> = devices.iter().map(Device::raw).collect();
        let mut raw: pi_context = std::ptr::null_mut();
        let count = handles.len() as pi_uint32;
        let null = std::ptr::null_mut();
        // SAFETY: `handles` are this plugin's, as many as told; `raw` is valid; no callback is given.
        let done = unsafe {
            backend.table().piContextCreate(std::ptr::null(), count, handles.as_ptr(), None, null, &mut raw)
        };
        done.about(|| format!("context of {first:?}"))?;
        let (raw, devices) = (Raw::new(raw), devices.to_vec());
        Ok(Self(Arc::new(Inner { backend, raw, devices, queues: Mutex::default() })))
    }

    pub(super) fn raw(&self) -> pi_context {
        self.0.raw.get()
    }

    /// Its plugin.
    pub fn backend(&self) -> Backend {
        self.0.backend
    }

    /// Its devices.
    pub fn devices(&self) -> &[Device] {
        &self.0.devices
    }

    pub(super) fn enter(&self, queue: &Arc<QueueInner>) {
        let mut queues = self.0.queues.lock();
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Arc::downgrade(queue));
    }

    /// Waits until no queue has work, so that memory can be freed.
    pub(super) fn settle(&self) {
        let queues: Vec<Arc<QueueInner>> = self.0.queues.lock().iter().filter_map(Weak::upgrade).collect();
        queues.iter().for_each(|queue| queue.settle());
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Context {}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "context of {:?}", self.0.devices)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: the handle is this object's own, and all that was made of it is gone: it kept this object alive.
        let _ = unsafe { self.backend.table().piContextRelease(self.raw.get()) };
    }
}
