//! Contexts.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_core::*;

use super::handle::Handle;
use super::queue_commands::QueueCommands;
use super::{Device, Plugin};
use crate::error::{Error, Result, WithObject};

/// A context of devices; programs, memory and queues belong to it.
#[derive(Clone)]
pub struct Context(Arc<ContextInner>);

struct ContextInner {
    plugin: Plugin,
    raw: Handle<_pi_context>,
    devices: Vec<Device>,
    /// The queues that must be finished before memory is freed. Each is listed until its commands are complete.
    queues: Mutex<Vec<Arc<QueueCommands>>>,
}

impl Context {
    /// Creates a context of these devices, which belong to one plugin and platform.
    ///
    /// # Errors
    /// Fails if there are no devices, if they belong to several plugins, or if the plugin refuses.
    pub fn new(devices: &[Device]) -> Result<Self> {
        let Some(first) = devices.first() else {
            return Err(Error::invalid("a context needs a device"));
        };
        let plugin = first.plugin();
        if devices.iter().any(|device| device.plugin() != plugin) {
            return Err(Error::invalid("the devices of a context must belong to one plugin"));
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

    /// Returns its plugin.
    pub fn plugin(&self) -> Plugin {
        self.0.plugin
    }

    /// Returns its devices.
    pub fn devices(&self) -> &[Device] {
        &self.0.devices
    }

    pub(super) fn add_queue(&self, queue: &Arc<QueueCommands>) {
        self.0.queues.lock().push(queue.clone());
    }

    /// Removes a queue, whose commands must be complete.
    pub(super) fn remove_queue(&self, queue: &Arc<QueueCommands>) {
        self.0.queues.lock().retain(|other| !Arc::ptr_eq(other, queue));
    }

    /// Waits until no queue has unfinished commands. Returns `false` if waiting for a queue fails; memory that its
    /// commands use must then not be freed.
    #[must_use]
    pub(super) fn finish_queues(&self) -> bool {
        let queues = self.0.queues.lock().clone();
        // All queues are waited for, even after one has failed.
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
        // The remaining queues are those for which waiting failed; they belong to the context.
        self.queues.get_mut().clear();
        // SAFETY: the handle belongs to this object. Its children no longer exist, since they keep this object alive.
        let _ = unsafe { self.plugin.table().piContextRelease(self.raw.get()) };
    }
}
