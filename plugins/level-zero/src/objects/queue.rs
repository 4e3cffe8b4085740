//! Queues.

use std::any::Any;

use parking_lot::Mutex;
use sycl_pi_backend::types::QueueFlags;
use sycl_pi_backend::{Counted, Result, Shared};
use sycl_pi_host_process::outside;

use super::context::{Context, ContextHandle};
use super::device::{Device, DeviceHandle};
use super::kernel::Kernel;
use super::mem::{Mem, MemHandle};
use crate::driver::EngineDesc;
use crate::submission::{CommandTracker, Strategy};
use crate::sys::{log_failure, ze, *};

/// A queue.
pub struct Queue {
    pub(crate) commands: CommandTracker<CommandResources>,
    pub(crate) flags: QueueFlags,
    pub(crate) engine: EngineDesc,
    /// A driver queue in addition to the immediate list, once a caller requested one.
    command_queue: Mutex<Option<ze_command_queue_handle_t>>,
    pub(crate) device: Shared<Device>,
    /// Last field, because lists and events must be destroyed before their context.
    pub(crate) context: Shared<Context>,
}

pub(crate) type QueueHandle = Counted<Queue>;

sycl_pi_backend::counted_kinds!(Queue: RawQueue, INVALID_QUEUE, "queue";);

/// The objects that a command needs until it is complete, which are only held until drop.
#[derive(Default)]
#[expect(dead_code, reason = "held for their drop")]
pub(crate) struct CommandResources {
    pub(crate) kernel: Option<Shared<Kernel>>,
    pub(crate) mems: Vec<Shared<Mem>>,
    pub(crate) other: Option<Box<dyn Any + Send + Sync>>,
}

impl CommandResources {
    /// Holds memory objects.
    pub(crate) fn mems<const N: usize>(mems: [&MemHandle; N]) -> Self {
        Self { mems: mems.iter().map(|mem| mem.share()).collect(), ..Self::default() }
    }

    /// Holds any other object.
    pub(crate) fn other(other: impl Any + Send + Sync) -> Self {
        Self { other: Some(Box::new(other)), ..Self::default() }
    }

    /// Also holds another object.
    pub(crate) fn and(self, other: impl Any + Send + Sync) -> Self {
        Self { other: Some(Box::new(other)), ..self }
    }
}

impl Queue {
    pub(crate) fn new(
        context: &ContextHandle,
        device: &DeviceHandle,
        flags: QueueFlags,
        engine: EngineDesc,
        strategy: Box<dyn Strategy>,
    ) -> Self {
        let profiling = flags.contains(QueueFlags::PROFILING_ENABLE);
        Self {
            commands: CommandTracker::new(context.events.clone(), profiling, strategy),
            flags,
            engine,
            command_queue: Mutex::new(None),
            device: device.share(),
            context: context.share(),
        }
    }

    /// Waits until every command is complete, including those of the driver queue that a caller received.
    pub(crate) fn finish(&self) -> Result<()> {
        self.commands.finish()?;
        let command_queue = *self.command_queue.lock();
        match command_queue {
            Some(queue) => outside(|| ze()?.zeCommandQueueSynchronize(queue, u64::MAX)),
            None => Ok(()),
        }
    }

    /// Returns a driver queue for callers who do not know immediate lists. It is created at the first request.
    pub(crate) fn command_queue(&self) -> Result<ze_command_queue_handle_t> {
        let mut command_queue = self.command_queue.lock();
        match *command_queue {
            Some(queue) => Ok(queue),
            None => Ok(*command_queue.insert(self.engine.command_queue()?)),
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        if let Some(queue) = self.command_queue.get_mut().take() {
            log_failure(ze().and_then(|ze| ze.zeCommandQueueDestroy(queue)));
        }
        if !self.commands.close() {
            // The commands are still running and use memory of the context.
            std::mem::forget(self.context.clone());
        }
    }
}
