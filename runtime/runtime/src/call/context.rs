//! Contexts.

use std::fmt;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use sycl_pi_core::*;

use super::handle::Handle;
use super::queue::QueueInner;
use super::{Device, Plugin};
use crate::error::{Error, Result, WithObject};

/// A context of devices; programs, memory and queues belong to it.
#[derive(Clone)]
pub struct Context(Arc<ContextInner>);

struct ContextInner {
    plugin: Plugin,
    raw: Handle<_pi_context>,
    devices: Vec<Device>,
    /// The queues that have to be empty before memory is freed.
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
        let plugin = first.plugin();
        if devices.iter().any(|device| device.plugin() != plugin) {
            return Err(Error::invalid("the devices of a context are of one plugin"));
        }
        let handles: Vec<pi_device> = devices.iter().map(Device::raw).collect();
        let mut raw: pi_context = std::ptr::null_mut();
        let count = handles.len() as pi_uint32;
        let null = std::ptr::null_mut();
        // SAFETY: `handles` are `count` devices of this plugin; `raw` is valid; no callback is given.
        let done = unsafe {
            plugin.table().piContextCreate(std::ptr::null(), count, handles.as_ptr(), None, null, &mut raw)
        };
        done.with_object(|| format!("context of {first:?}"))?;
        let (raw, devices) = (Handle::new(raw), devices.to_vec());
        Ok(Self(Arc::new(ContextInner { plugin, raw, devices, queues: Mutex::default() })))
    }

    pub(super) fn raw(&self) -> pi_context {
        self.0.raw.get()
    }

    /// Its plugin.
    pub fn plugin(&self) -> Plugin {
        self.0.plugin
    }

    /// Its devices.
    pub fn devices(&self) -> &[Device] {
        &self.0.devices
    }

    pub(super) fn register_queue(&self, queue: &Arc<QueueInner>) {
        let mut queues = self.0.queues.lock();
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Arc::downgrade(queue));
    }

    /// Waits until no queue has work, so that memory can be freed.
    pub(super) fn finish_queues(&self) {
        let queues: Vec<Arc<QueueInner>> = self.0.queues.lock().iter().filter_map(Weak::upgrade).collect();
        queues.iter().for_each(|queue| queue.finish_if_busy());
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

impl Drop for ContextInner {
    fn drop(&mut self) {
        // SAFETY: the handle is this object's own; its children are gone, since they keep this object alive.
        let _ = unsafe { self.plugin.table().piContextRelease(self.raw.get()) };
    }
}
