//! Queues.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_core::*;

use super::raw::Raw;
use super::{Context, Device};
use crate::error::{About, Error, Result};

/// How a queue works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueOptions {
    /// Commands may overtake each other; only events order them.
    pub out_of_order: bool,
    /// Events have times.
    pub profiling: bool,
}

/// A queue of a device.
#[derive(Clone)]
pub struct Queue(Arc<QueueInner>);

pub(super) struct QueueInner {
    context: Context,
    device: Device,
    raw: Raw<_pi_queue>,
    options: QueueOptions,
    /// Whether commands were put in since it was last waited for.
    busy: AtomicBool,
    settling: Mutex<()>,
}

impl QueueInner {
    pub(super) fn settle(&self) {
        let _one_at_a_time = self.settling.lock();
        if self.busy.swap(false, Ordering::AcqRel) {
            // SAFETY: the queue is alive. An error leaves nothing to wait for.
            let _ = unsafe { self.context.backend().table().piQueueFinish(self.raw.get()) };
        }
    }
}

impl Queue {
    /// A queue of a device of the context: in order, unless the options say otherwise.
    ///
    /// # Errors
    /// The device is not of the context, or the plugin refuses.
    pub fn new(context: &Context, device: &Device, options: QueueOptions) -> Result<Self> {
        if !context.devices().contains(device) {
            return Err(Error::invalid(format!("{device:?} is not of the {context:?}")));
        }
        let mut flags: pi_queue_properties = 0;
        if options.out_of_order {
            flags |= PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        }
        if options.profiling {
            flags |= PI_QUEUE_FLAG_PROFILING_ENABLE;
        }
        let table = context.backend().table();
        let mut raw: pi_queue = std::ptr::null_mut();
        let done = if table.piextQueueCreate.is_some() {
            let mut properties: [pi_queue_properties; 3] = [PI_QUEUE_FLAGS, flags, 0];
            let list = properties.as_mut_ptr();
            // SAFETY: the handles are the plugin's, the list ends with 0, `raw` is valid.
            unsafe { table.piextQueueCreate(context.raw(), device.raw(), list, &mut raw) }
        } else {
            // SAFETY: as above.
            unsafe { table.piQueueCreate(context.raw(), device.raw(), flags, &mut raw) }
        };
        done.about(|| format!("queue of {device:?}"))?;
        let queue = Arc::new(QueueInner {
            context: context.clone(),
            device: device.clone(),
            raw: Raw::new(raw),
            options,
            busy: AtomicBool::new(false),
            settling: Mutex::new(()),
        });
        context.enter(&queue);
        Ok(Self(queue))
    }

    pub(super) fn raw(&self) -> pi_queue {
        self.0.raw.get()
    }

    /// To be called before each command.
    pub(super) fn mark_busy(&self) {
        self.0.busy.store(true, Ordering::Release);
    }

    /// Its context.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// How it works.
    pub fn options(&self) -> QueueOptions {
        self.0.options
    }

    /// Waits until everything in it is done.
    ///
    /// # Errors
    /// The plugin's own error.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: the queue is alive.
        unsafe { self.context().backend().table().piQueueFinish(self.raw()) }.about(|| format!("{self:?}"))
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "queue of {:?}", self.0.device)
    }
}

impl Drop for QueueInner {
    fn drop(&mut self) {
        self.settle();
        // SAFETY: the handle is this object's own.
        let _ = unsafe { self.context.backend().table().piQueueRelease(self.raw.get()) };
    }
}
