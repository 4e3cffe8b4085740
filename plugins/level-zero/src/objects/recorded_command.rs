//! The commands that a command buffer stores, so that its list can be recorded again when a launch is updated.

use sycl_pi_backend::api::{LaunchUpdate, NewArg};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, NdRange, OwnedRange, Result, Shared};

use super::argument::{ArgumentValue, SetArguments};
use super::device::Device;
use super::kernel::{Kernel, KernelHandle};
use super::queue::CommandResources;
use crate::submission::AppendTarget;
use crate::sys::{Address, ze_command_list_handle_t, ze_event_handle_t};
use crate::{LevelZero, launch};

/// A command, the events that it waits for, and the one that it signals.
pub(crate) struct RecordedCommand {
    pub(super) event: ze_event_handle_t,
    pub(super) waits: Vec<ze_event_handle_t>,
    pub(super) work: RecordedWork,
}

impl RecordedCommand {
    /// Appends the command to a list.
    pub(super) fn append(&self, list: ze_command_list_handle_t, device: &Device) -> Result<()> {
        let mut waits = self.waits.clone();
        let target = AppendTarget::new(list, self.event, &mut waits);
        match &self.work {
            RecordedWork::Launch(launch) => launch.append(device, target),
            RecordedWork::Fixed(append, _) => append(target),
        }
    }
}

/// The operation of a command.
pub(crate) enum RecordedWork {
    Launch(RecordedLaunch),
    /// An operation that never changes: a function that appends it, and the objects that it needs.
    Fixed(
        Box<dyn Fn(AppendTarget) -> Result<()> + Send>,
        #[expect(dead_code, reason = "held for its drop")] CommandResources,
    ),
}

impl RecordedWork {
    /// Returns a command that never changes, with the objects that it needs.
    pub(crate) fn fixed(
        resources: CommandResources,
        append: impl Fn(AppendTarget) -> Result<()> + Send + 'static,
    ) -> Self {
        Self::Fixed(Box::new(append), resources)
    }
}

/// A kernel with the arguments and the index space of a launch.
pub(crate) struct RecordedLaunch {
    kernel: Shared<Kernel>,
    arguments: SetArguments,
    range: OwnedRange,
}

impl RecordedLaunch {
    /// Captures the kernel with its current arguments.
    pub(crate) fn new(kernel: &KernelHandle, range: NdRange<'_>) -> Result<Self> {
        let arguments = kernel.arguments.lock();
        launch::check_set(kernel, arguments.unset)?;
        let arguments = arguments.set.clone();
        Ok(Self { kernel: kernel.share(), arguments, range: OwnedRange::new(range) })
    }

    /// Returns the launch with an update applied.
    pub(super) fn updated(&self, update: &LaunchUpdate<'_, LevelZero>, device: &Device) -> Result<Self> {
        let range = OwnedRange::new(update.range.unwrap_or_else(|| self.range.view()));
        let mut updated = match update.kernel {
            Some(kernel) => {
                let arguments = kernel.arguments.lock().set.clone();
                Self { kernel: kernel.share(), arguments, range }
            }
            None => Self { kernel: self.kernel.clone(), arguments: self.arguments.clone(), range },
        };
        for (index, arg) in update.args {
            let (value, mem) = match arg {
                NewArg::Plain(arg) => (ArgumentValue::new(*arg), None),
                NewArg::Pointer(pointer) => (ArgumentValue::address(Address::new(*pointer)), None),
                NewArg::Mem(_, mem) => (ArgumentValue::mem(*mem), *mem),
            };
            updated.kernel.arguments.lock().check(&updated.kernel, *index, value.size)?;
            updated.arguments.put(*index, value, mem, None);
        }
        updated.check(device)?;
        Ok(updated)
    }

    /// Refuses a launch that cannot be recorded again.
    fn check(&self, device: &Device) -> Result<()> {
        let missing = self.arguments.values.iter().filter(|value| value.is_none()).count();
        if missing > 0 {
            return Err(Error::new(
                ErrorCode::INVALID_KERNEL_ARGS,
                format!("{missing} arguments of kernel {:?} were never set here", self.kernel.name),
            ));
        }
        let (index, driver_kernel) = self.kernel.for_device(device)?;
        let shape = &mut self.kernel.arguments.lock().shapes[index];
        launch::prepare(&self.kernel, driver_kernel, shape, device, &self.range.view()).map(drop)
    }

    /// Appends the launch. The kernel temporarily has the launch's arguments, and its own ones afterwards.
    fn append(&self, device: &Device, target: AppendTarget) -> Result<()> {
        let mut current = self.kernel.arguments.lock();
        let (index, driver_kernel) = self.kernel.for_device(device)?;
        let differs = |index: &usize| self.arguments.values[*index] != current.set.values[*index];
        let differing: Vec<usize> = (0..self.arguments.values.len()).filter(differs).collect();
        let set = |values: &[Option<ArgumentValue>]| {
            differing.iter().try_for_each(|index| match &values[*index] {
                Some(value) => self.kernel.set_on(driver_kernel, *index as u32, value),
                None => Ok(()),
            })
        };
        let appended = set(&self.arguments.values).and_then(|()| {
            let shape = &mut current.shapes[index];
            match launch::prepare(&self.kernel, driver_kernel, shape, device, &self.range.view())? {
                Some(launch) => target.launch(driver_kernel, launch::group_count(&launch)),
                None => target.barrier(),
            }
        });
        appended.and(set(&current.set.values))
    }
}
