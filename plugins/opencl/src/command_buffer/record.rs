//! Recording: a list of commands that is extended until it is finalized.

use parking_lot::{Mutex, RwLock};
use sycl_pi_backend::api::LaunchUpdate;
use sycl_pi_backend::recording::{not_finalized, other_context, other_device};
use sycl_pi_backend::types::QueueFlags;
use sycl_pi_backend::{Dependencies, Error, Recording, Result, SyncPointDependencies};

use super::command::{OwnedCommand, RecordedCommand};
use super::replay::CommandSequence;
use crate::OpenCl;
use crate::sys::{Context, Device, Event, HasPlatform, Mem, Owned, Queue};

/// A command buffer, which is first recorded and then run.
pub struct CommandRecorder {
    recording: Mutex<Recording<RecordedCommand>>,
    /// Set when recording ends, and changed by updates between runs.
    runnable: RwLock<Option<CommandSequence>>,
    device: Owned<Device>,
    context: Owned<Context>,
}

impl CommandRecorder {
    /// Creates an empty command buffer.
    pub(super) fn new(context: &Context, device: &Device) -> Result<Self> {
        let driver = device.driver()?;
        if !driver.clones_kernels() {
            let (major, minor) = driver.version;
            return Err(Error::unsupported(format!(
                "the driver is OpenCL {major}.{minor}: a recorded launch needs a clone of its kernel, which OpenCL has \
                 from 2.1 on"
            )));
        }
        if !context.devices()?.iter().any(|of_context| of_context.cl() == device.cl()) {
            return Err(Error::device_of_another_context());
        }
        Ok(Self {
            recording: Mutex::new(Recording::default()),
            runnable: RwLock::new(None),
            device: Owned::retain(device)?,
            context: Owned::retain(context)?,
        })
    }

    /// Adds the command that `make` returns.
    pub(super) fn record(
        &self,
        dependencies: SyncPointDependencies<'_>,
        make: impl FnOnce() -> Result<OwnedCommand>,
    ) -> Result<()> {
        let waits = dependencies.waits;
        let make = |_: &[&RecordedCommand]| Ok(RecordedCommand { command: make()?, waits: waits.into() });
        self.recording.lock().add(dependencies, make)
    }

    /// Ends recording.
    pub(super) fn finalize(&self) -> Result<()> {
        self.recording.lock().finalize(|commands| {
            *self.runnable.write() = Some(CommandSequence::new(std::mem::take(commands)));
            Ok(())
        })
    }

    /// Updates launches for subsequent runs. After an error, some may be updated.
    pub(super) fn update(&self, updates: &[LaunchUpdate<'_, OpenCl>]) -> Result<()> {
        let mut runnable = self.runnable.write();
        let runnable = runnable.as_mut().ok_or_else(not_finalized)?;
        for update in updates {
            if let Some(kernel) = update.kernel {
                self.check_context(kernel.context()?, "kernel")?;
            }
            runnable.launch_mut(update.point)?.update(update)?;
        }
        Ok(())
    }

    /// Enqueues a run of the commands to a queue.
    pub(super) fn enqueue(&self, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let runnable = self.runnable.read();
        let sequence = runnable.as_ref().ok_or_else(not_finalized)?;
        self.check_context(queue.context()?, "queue")?;
        if queue.device()?.cl() != self.device.cl() {
            return Err(other_device());
        }
        let is_out_of_order = queue.flags()?.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        sequence.replay(queue, is_out_of_order, dependencies)
    }

    /// Refuses objects of other contexts.
    pub(super) fn check_context(&self, context: &Context, name: &str) -> Result<()> {
        if context.cl() == self.context.cl() {
            return Ok(());
        }
        Err(other_context(name))
    }

    /// Returns a reference to a buffer of this command buffer's context.
    pub(super) fn keep(&self, mem: &Mem, name: &str) -> Result<Owned<Mem>> {
        self.check_context(mem.context()?, name)?;
        Owned::retain(mem)
    }
}
