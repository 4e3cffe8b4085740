//! Typed launches: the arguments are checked against the code before the driver sees any.

mod arg;
mod range;

use std::sync::{Arc, OnceLock};

pub use arg::Arg;
pub use range::NdRange;

use arg::Slots;

use crate::build::BuiltProgram;
use crate::call::{Event, Queue, RawKernel};
use crate::error::{Error, Result};
use crate::runtime::{Entry, Runtime};

/// A kernel as the cache holds it.
pub(crate) struct ReadyKernel {
    raw: RawKernel,
    /// Found out at the first launch: a program that only gets its kernels ready reads no code for it.
    slots: OnceLock<Slots>,
}

impl ReadyKernel {
    pub(crate) fn new(raw: RawKernel) -> Self {
        Self { raw, slots: OnceLock::new() }
    }
}

/// A kernel that is built for a device. Clones share it.
#[derive(Clone)]
pub struct Kernel {
    runtime: Runtime,
    entry: Arc<Entry>,
}

impl Kernel {
    pub(crate) fn new(runtime: &Runtime, entry: Arc<Entry>) -> Self {
        Self { runtime: runtime.clone(), entry }
    }

    fn raw(&self) -> &RawKernel {
        &self.entry.kernel.raw
    }

    fn slots(&self) -> &Slots {
        self.entry.kernel.slots.get_or_init(|| Slots::of(&self.entry.program, self.raw()))
    }

    pub(crate) fn program(&self) -> &Arc<BuiltProgram> {
        &self.entry.program
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.raw().name()
    }

    /// How many arguments it has as written, those that the compiler removed included; none where nothing tells.
    pub fn argument_count(&self) -> Option<usize> {
        self.slots().written()
    }

    /// The images that its program is linked of, its own first.
    pub fn image_names(&self) -> Vec<String> {
        self.program().images.iter().map(|image| image.name().to_owned()).collect()
    }

    /// Puts the kernel into the queue, after these events.
    ///
    /// The arguments are all that the kernel has as written, of which those that the compiler removed are passed over; or only
    /// those that it kept.
    ///
    /// # Errors
    /// The number, kind or size of an argument, or the range, does not fit the kernel; an object is of another context; or
    /// the plugin fails.
    pub fn launch_after(
        &self,
        queue: &Queue,
        range: NdRange,
        args: &[Arg<'_>],
        after: &[Event],
    ) -> Result<Event> {
        if *queue.device() != self.program().device {
            return Err(Error::invalid(format!(
                "kernel {} is built for {:?}, but launched on {queue:?}",
                self.name(),
                self.program().device
            )));
        }
        self.slots().check_range(self.name(), &range, queue)?;
        self.runtime.prepare(self.program(), queue)?;
        let setting = self.raw().set();
        self.slots().fill(&setting, self.name(), queue.context(), args)?;
        let (global, local, offset) = range.in_driver_order();
        setting.launch(queue, range.dimensions(), &global, local.as_ref(), offset.as_ref(), after)
    }

    /// Puts the kernel into the queue.
    ///
    /// # Errors
    /// As for [`launch_after`](Self::launch_after).
    pub fn launch(&self, queue: &Queue, range: NdRange, args: &[Arg<'_>]) -> Result<Event> {
        self.launch_after(queue, range, args, &[])
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "kernel {}", self.name())
    }
}
