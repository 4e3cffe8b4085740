//! The target of an append: the driver's append calls, with the list and the events of a command.

use sycl_pi_backend::Result;

use crate::sys::{Address, ze, *};

/// The list that a command is appended to, the events that it waits for and the one that it signals.
#[derive(Clone, Copy)]
pub(crate) struct AppendTarget {
    pub(crate) list: ze_command_list_handle_t,
    pub(crate) signal: ze_event_handle_t,
    pub(crate) count: u32,
    pub(crate) waits: *mut ze_event_handle_t,
}

impl AppendTarget {
    /// Creates a target. `waits` must outlive it, because the driver reads it in each call.
    pub(crate) fn new(
        list: ze_command_list_handle_t,
        signal: ze_event_handle_t,
        waits: &mut [ze_event_handle_t],
    ) -> Self {
        let start = if waits.is_empty() { std::ptr::null_mut() } else { waits.as_mut_ptr() };
        Self { list, signal, count: waits.len() as u32, waits: start }
    }

    /// Creates a target for a command that waits for nothing and signals nothing.
    pub(crate) fn without_events(list: ze_command_list_handle_t) -> Self {
        Self::new(list, ze_event_handle_t::NULL, &mut [])
    }

    /// Returns the target for a part of a command that is not the last one and therefore signals nothing.
    pub(crate) fn without_signal(self) -> Self {
        Self { signal: ze_event_handle_t::NULL, ..self }
    }

    /// Returns the target for the last part of a command, which comes after everything before it on the list.
    fn without_waits(self) -> Self {
        Self::new(self.list, self.signal, &mut [])
    }

    /// Appends a barrier after the wait list, or after everything before it on the list if there is none.
    pub(crate) fn barrier(self) -> Result<()> {
        ze()?.zeCommandListAppendBarrier(self.list, self.signal, self.count, self.waits)
    }

    /// Appends the barrier after the parts of a command, which signals when all are complete.
    pub(crate) fn end(self) -> Result<()> {
        self.without_waits().barrier()
    }

    /// Appends an empty command.
    pub(crate) fn nothing(self) -> Result<()> {
        match self.count {
            0 => ze()?.zeCommandListAppendSignalEvent(self.list, self.signal),
            _ => self.barrier(),
        }
    }

    /// Appends a wait for the wait list.
    pub(crate) fn wait(self) -> Result<()> {
        match self.count {
            0 => Ok(()),
            count => ze()?.zeCommandListAppendWaitOnEvents(self.list, count, self.waits),
        }
    }

    /// Appends a copy of bytes.
    pub(crate) fn copy(self, dst: Address, src: Address, size: usize) -> Result<()> {
        let Self { list, signal, count, waits } = self;
        ze()?.zeCommandListAppendMemoryCopy(list, dst.get(), src.get(), size, signal, count, waits)
    }

    /// Appends a fill of bytes with a pattern that the driver can repeat.
    pub(crate) fn fill(self, start: Address, pattern: &[u8], size: usize) -> Result<()> {
        let Self { list, signal, count, waits } = self;
        let (bytes, length) = (pattern.as_ptr().cast(), pattern.len());
        ze()?.zeCommandListAppendMemoryFill(list, start.get(), bytes, length, size, signal, count, waits)
    }

    /// Appends a kernel launch.
    pub(crate) fn launch(self, kernel: ze_kernel_handle_t, groups: ze_group_count_t) -> Result<()> {
        let Self { list, signal, count, waits } = self;
        ze()?.zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, count, waits)
    }

    /// Appends a kernel launch whose work-groups run at the same time, so that they can wait for each other.
    pub(crate) fn launch_cooperative(
        self,
        kernel: ze_kernel_handle_t,
        groups: ze_group_count_t,
    ) -> Result<()> {
        let Self { list, signal, count, waits } = self;
        ze()?.zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, signal, count, waits)
    }
}
