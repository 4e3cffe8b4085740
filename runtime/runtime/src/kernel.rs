//! Built kernels and their launches.
#![expect(unsafe_code, reason = "arguments as bytes")]

use std::sync::Arc;

use crate::build::BuiltProgram;
use crate::call::{Event, Queue};
use crate::error::{Error, Result};
use crate::launch::{Arg, NdRange};
use crate::state::{ProgramKernel, RuntimeState};

/// A kernel built for a device. Clones share it.
#[derive(Clone)]
pub struct Kernel {
    state: Arc<RuntimeState>,
    kernel: Arc<ProgramKernel>,
}

impl Kernel {
    pub(crate) fn new(state: &Arc<RuntimeState>, kernel: Arc<ProgramKernel>) -> Self {
        Self { state: state.clone(), kernel }
    }

    fn program(&self) -> &Arc<BuiltProgram> {
        &self.kernel.program
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        self.kernel.kernel.raw.name()
    }

    /// Returns the number of arguments in the source, including those that the compiler removed, or `None` if neither
    /// the code nor the driver reports it.
    pub fn argument_count(&self) -> Option<usize> {
        self.kernel.kernel.arguments(self.program()).ok()?.written()
    }

    /// Returns the images linked into its program, starting with its own.
    pub fn image_names(&self) -> Vec<String> {
        self.program().images.iter().map(|image| image.name().to_owned()).collect()
    }

    /// Submits the kernel to the queue.
    ///
    /// `args` has either all arguments of the source, of which those that the compiler removed are ignored, or only the
    /// others. The number, kinds and sizes of arguments are checked as far as the image describes them. The runtime
    /// does not free the memory of [`Arg::usm`] and [`Arg::buffer`] before the kernel is complete.
    ///
    /// # Errors
    /// Fails if the number, kind or size of an argument, or the range, does not match the kernel; if an object belongs
    /// to another context; or if the plugin fails.
    ///
    /// # Safety
    /// The kernel runs arbitrary code, on some devices in the memory of this process.
    /// - With these arguments and this range, it must access only memory that is reachable from its arguments, within
    ///   the bounds of each allocation.
    /// - That memory must stay allocated until the kernel is complete. The runtime ensures this for allocations that
    ///   are arguments, but not for those whose addresses are stored in memory.
    /// - If the image does not describe the arguments, which is possible for a native image, they must be those of the
    ///   kernel.
    /// - No other command or thread may access the same memory at the same time, unless all of them only read or the
    ///   accesses are atomic.
    pub unsafe fn launch(&self, queue: &Queue, range: NdRange, args: &[Arg<'_>]) -> Result<Event> {
        // SAFETY: the caller's contract is the same.
        unsafe { self.launch_after(queue, range, args, &[]) }
    }

    /// Submits the kernel to the queue, to run after these events.
    ///
    /// # Errors
    /// Returns the errors of [`launch`](Self::launch).
    ///
    /// # Safety
    /// The requirements of [`launch`](Self::launch) apply.
    pub unsafe fn launch_after(
        &self,
        queue: &Queue,
        range: NdRange,
        args: &[Arg<'_>],
        after: &[Event],
    ) -> Result<Event> {
        let (program, kernel) = (self.program(), &self.kernel.kernel);
        if *queue.device() != program.device {
            return Err(Error::invalid(format!(
                "kernel {} is built for {:?}, but launched on {queue:?}",
                self.name(),
                program.device
            )));
        }
        if queue.context() != program.raw.context() {
            return Err(Error::invalid(format!(
                "kernel {} belongs to another context than the queue",
                self.name()
            )));
        }
        let arguments = kernel.arguments(program)?;
        arguments.check_range(self.name(), &range, queue)?;
        self.state.prepare(program, queue)?;
        let setting = kernel.raw.set();
        arguments.fill(&setting, self.name(), queue.context(), args)?;
        let (global, local, offset) = range.in_driver_order();
        // SAFETY: the caller's contract is the same.
        unsafe { setting.launch(queue, range.dimensions(), &global, local.as_ref(), offset.as_ref(), after) }
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "kernel {}", self.name())
    }
}
