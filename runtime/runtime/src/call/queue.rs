//! Queues, and waiting for their commands before memory is freed.

use std::fmt;
use std::sync::Arc;

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use super::queue_commands::QueueCommands;
use super::{Context, Device};
use crate::error::{Error, Result, WithObject};

/// Options of a queue. By default commands run in order and events have no times.
///
/// ```
/// use sycl_pi_runtime::QueueOptions;
/// let options = QueueOptions::new().out_of_order(true).profiling(true);
/// assert!(options.is_out_of_order() && options.has_profiling());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct QueueOptions {
    out_of_order: bool,
    profiling: bool,
}

impl QueueOptions {
    /// Creates options for an in-order queue without profiling.
    pub const fn new() -> Self {
        Self { out_of_order: false, profiling: false }
    }

    /// Sets whether only events order commands.
    pub const fn out_of_order(mut self, yes: bool) -> Self {
        self.out_of_order = yes;
        self
    }

    /// Sets whether events have times.
    pub const fn profiling(mut self, yes: bool) -> Self {
        self.profiling = yes;
        self
    }

    /// Returns whether only events order commands.
    pub const fn is_out_of_order(self) -> bool {
        self.out_of_order
    }

    /// Returns whether events have times.
    pub const fn has_profiling(self) -> bool {
        self.profiling
    }
}

/// A queue of a device.
#[derive(Clone)]
pub struct Queue(Arc<QueueInner>);

struct QueueInner {
    context: Context,
    device: Device,
    commands: Arc<QueueCommands>,
    options: QueueOptions,
}

impl Queue {
    /// Creates a queue of a device of the context, in order unless the options differ.
    ///
    /// # Errors
    /// Fails if the device does not belong to the context, or if the plugin refuses.
    pub fn new(context: &Context, device: &Device, options: QueueOptions) -> Result<Self> {
        if !context.devices().contains(device) {
            return Err(Error::invalid(format!("{device:?} does not belong to the {context:?}")));
        }
        let mut flags: pi_queue_properties = 0;
        if options.out_of_order {
            flags |= PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        }
        if options.profiling {
            flags |= PI_QUEUE_FLAG_PROFILING_ENABLE;
        }
        let table = context.plugin().table();
        let mut raw: pi_queue = std::ptr::null_mut();
        let done = if table.piextQueueCreate.is_some() {
            let mut properties: [pi_queue_properties; 3] = [PI_QUEUE_FLAGS, flags, 0];
            let list = properties.as_mut_ptr();
            // SAFETY: the handles are the plugin's, the list ends with 0, `raw` is valid.
            unsafe { table.piextQueueCreate(context.raw(), device.raw(), list, &mut raw) }
        } else {
            // SAFETY: the handles are the plugin's, and `raw` is valid.
            unsafe { table.piQueueCreate(context.raw(), device.raw(), flags, &mut raw) }
        };
        done.with_object(|| format!("queue of {device:?}"))?;
        let commands = Arc::new(QueueCommands::new(context.plugin(), raw));
        context.add_queue(&commands);
        let (context, device) = (context.clone(), device.clone());
        Ok(Self(Arc::new(QueueInner { context, device, commands, options })))
    }

    pub(super) fn raw(&self) -> pi_queue {
        self.0.commands.raw()
    }

    /// Calls a function that submits a command, and marks the queue as busy, so that memory that the command uses is
    /// freed only after a wait for the queue. The mark must follow the command, since a wait in between would clear it.
    pub(super) fn submit<T>(&self, call: impl FnOnce(&'static Table, pi_queue) -> T) -> T {
        let result = call(self.context().plugin().table(), self.raw());
        self.0.commands.mark_busy();
        result
    }

    /// Returns its context.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns its device.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Returns its options.
    pub fn options(&self) -> QueueOptions {
        self.0.options
    }

    /// Waits until all its commands are complete.
    ///
    /// # Errors
    /// Returns the plugin's error.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: the queue is alive.
        unsafe { self.context().plugin().table().piQueueFinish(self.raw()) }
            .with_object(|| format!("{self:?}"))
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "queue of {:?}", self.0.device)
    }
}

impl Drop for QueueInner {
    fn drop(&mut self) {
        // A queue for which waiting fails stays in the list, so no memory is freed while its commands may run.
        if self.commands.finish_if_busy() {
            self.context.remove_queue(&self.commands);
        }
    }
}
