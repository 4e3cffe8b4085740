//! Contexts.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_core::*;

use super::handle::Handle;
use super::queue::QueueCommands;
use super::{Device, Plugin};
use crate::error::{Error, Result, WithObject};

/// A context of devices; programs, memory and queues belong to it.
#[derive(Clone)]
pub struct Context(Arc<ContextInner>);

struct ContextInner {
    plugin: Plugin,
    raw: Handle<_pi_context>,
    devices: Vec<Device>,
    /// The queues that have to be empty before memory is freed: each until its commands are complete.
    queues: Mutex<Vec<Arc<QueueCommands>>>,
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

    pub(super) fn add_queue(&self, queue: &Arc<QueueCommands>) {
        self.0.queues.lock().push(queue.clone());
    }

    /// Only for a queue whose commands are complete.
    pub(super) fn remove_queue(&self, queue: &Arc<QueueCommands>) {
        self.0.queues.lock().retain(|other| !Arc::ptr_eq(other, queue));
    }

    /// Waits until no queue has work. False if a queue cannot be waited for: what its commands use must not be freed then.
    #[must_use]
    pub(super) fn finish_queues(&self) -> bool {
        let queues = self.0.queues.lock().clone();
        // Each is waited for, also after one that could not be.
        let failed = queues.iter().filter(|queue| !queue.finish_if_busy()).count();
        failed == 0
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
        // Those that could not be waited for: they are the context's.
        self.queues.get_mut().clear();
        // SAFETY: the handle is this object's own; its children are gone, since they keep this object alive.
        let _ = unsafe { self.plugin.table().piContextRelease(self.raw.get()) };
    }
}
