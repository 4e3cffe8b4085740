//! Recording: a list of commands that grows until it is finalized.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::recording::{not_finalized, other_context, other_device};
use sycl_pi_backend::{Error, Dependencies, SyncPointDependencies, Recording, Result};
use sycl_pi_backend::types::*;

use super::command::{Command, Work};
use super::native::Native;
use super::replay::Sequence;
use crate::sys::{self, Context, Device, Event, Owned, Queue, cl};

/// A command buffer: first recorded, then run.
pub struct Recorder {
    recording: Mutex<Recording<Command>>,
    /// Set by `piextCommandBufferFinalize`; unchanged from then on.
    sequence: OnceLock<Sequence>,
    /// Whether the driver has taken every command once: PoCL ends the process over a launch that it would refuse, if that
    /// is recorded in a command buffer of its own.
    proven: AtomicBool,
    /// The driver's own command buffer, made for the queue of the second run.
    native: OnceLock<Option<Native>>,
    device: Owned<Device>,
    context: Owned<Context>,
}

impl Recorder {
    /// An empty one.
    pub(super) fn new(context: &Context, device: &Device) -> Result<Self> {
        if !context.devices()?.iter().any(|of_context| of_context.cl() == device.cl()) {
            return Err(Error::new(
                ErrorCode::INVALID_DEVICE,
                "device (or dev, device_list) is not one of the context's",
            ));
        }
        Ok(Self {
            recording: Mutex::new(Recording::default()),
            sequence: OnceLock::new(),
            proven: AtomicBool::new(false),
            native: OnceLock::new(),
            device: Owned::retain(device)?,
            context: Owned::retain(context)?,
        })
    }

    /// Adds the command that `work` makes.
    pub(super) fn record(&self, dependencies: SyncPointDependencies<'_>, work: impl FnOnce() -> Result<Work>) -> Result<()> {
        let waits = dependencies.waits;
        self.recording.lock().add(dependencies, |_| Ok(Command { work: work()?, waits: waits.into() }))
    }

    /// Ends recording.
    pub(super) fn finalize(&self) -> Result<()> {
        self.recording.lock().finalize(|commands| {
            // Cannot be set yet: that happens only here, once.
            let _ = self.sequence.set(Sequence::new(std::mem::take(commands)));
            Ok(())
        })
    }

    /// Runs the commands on a queue.
    pub(super) fn enqueue(&self, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        let sequence = self.sequence.get().ok_or_else(not_finalized)?;
        self.check_context(queue.context()?, "queue")?;
        if ask::<usize>(queue, sys::CL_QUEUE_DEVICE)? != self.device.cl().addr() {
            return Err(other_device());
        }
        if self.proven.load(Ordering::Acquire)
            && let Some(native) = self.native.get_or_init(|| Native::build(sequence, queue, &self.device))
            && let Some(event) = native.enqueue(queue, dependencies.waits)?
        {
            // Not wanted by the caller: given back.
            drop(dependencies.event.put(event).map(Owned::from));
            return Ok(());
        }
        let properties = ask::<sys::cl_command_queue_properties>(queue, sys::CL_QUEUE_PROPERTIES)?;
        sequence.replay(queue, properties & sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0, dependencies)?;
        self.proven.store(true, Ordering::Release);
        Ok(())
    }

    /// Refuses objects of other contexts.
    pub(super) fn check_context(&self, context: &Context, name: &str) -> Result<()> {
        if context.cl() == self.context.cl() {
            return Ok(());
        }
        Err(other_context(name))
    }
}

/// A number that the driver tells of a queue.
fn ask<T: Default>(queue: &Queue, name: sys::cl_command_queue_info) -> Result<T> {
    let mut value = T::default();
    let room = (&raw mut value).cast();
    cl().clGetCommandQueueInfo(queue.cl(), name, size_of::<T>(), room, std::ptr::null_mut())?;
    Ok(value)
}
