//! Synchronous copies, for the initial contents of buffers and images.

use std::ptr::{null, null_mut};
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use super::context::DriverContext;
use crate::sys::{Address, log_failure, ze, *};

/// Command lists whose commands are complete when their call returns. There is one per device, created at its first
/// use.
pub(crate) struct SynchronousLists {
    lists: Mutex<Vec<(ze_device_handle_t, ze_command_list_handle_t)>>,
    /// Last field, because lists must be destroyed before their context.
    context: Arc<DriverContext>,
}

impl SynchronousLists {
    pub(crate) fn new(context: Arc<DriverContext>) -> Self {
        Self { lists: Mutex::default(), context }
    }

    /// Returns the list of a device whose compute engines are the group `ordinal`.
    pub(crate) fn list(&self, device: ze_device_handle_t, ordinal: u32) -> Result<ze_command_list_handle_t> {
        let mut lists = self.lists.lock();
        if let Some((_, list)) = lists.iter().find(|(of, _)| *of == device) {
            return Ok(*list);
        }
        let desc = ze_command_queue_desc_t {
            ordinal,
            mode: ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
            pNext: null(),
            ..Default::default()
        };
        let mut list = ze_command_list_handle_t::NULL;
        ze()?.zeCommandListCreateImmediate(self.context.ze, device, &desc, &mut list)?;
        lists.push((device, list));
        Ok(list)
    }

    /// Copies bytes.
    pub(crate) fn copy(
        &self,
        device: ze_device_handle_t,
        ordinal: u32,
        dst: Address,
        src: Address,
        size: usize,
    ) -> Result<()> {
        let list = self.list(device, ordinal)?;
        let none = ze_event_handle_t::NULL;
        ze()?.zeCommandListAppendMemoryCopy(list, dst.get(), src.get(), size, none, 0, null_mut())
    }
}

impl Drop for SynchronousLists {
    fn drop(&mut self) {
        for (_, list) in self.lists.get_mut().drain(..) {
            log_failure(ze().and_then(|ze| ze.zeCommandListDestroy(list)));
        }
    }
}
