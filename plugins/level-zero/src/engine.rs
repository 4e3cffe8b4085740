//! Where a queue's commands go.
//!
//! The plugin's own queues append to immediate command lists: one driver call puts a command to work, no batch has to be
//! closed for an event to make progress, and nothing polls. Batched regular lists win only where many tiny commands
//! follow each other without anybody waiting, and they cost every other program latency; so there is one kind. How many a
//! queue has, `tracks.rs` says. A driver's queue from outside takes regular lists of one command each.

use std::ptr::null;

use sycl_pi_backend::Result;
use sycl_pi_backend::types::*;

use crate::pool::log_failure;
use crate::sys::{ze, *};
use crate::{context, device};

/// Takes commands.
pub(crate) enum Engine {
    Immediate {
        list: ze_command_list_handle_t,
        owned: bool,
    },
    Outside {
        queue: ze_command_queue_handle_t,
        owned: bool,
        ordinal: u32,
        idle: Vec<ze_command_list_handle_t>,
    },
}

/// The engine's place on a device, and how it is to work.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) ordinal: u32,
    pub(crate) index: u32,
    pub(crate) priority: ze_command_queue_priority_t,
    pub(crate) in_order: bool,
}

impl Place {
    fn desc(self) -> ze_command_queue_desc_t {
        ze_command_queue_desc_t {
            ordinal: self.ordinal,
            index: self.index,
            flags: if self.in_order { ZE_COMMAND_QUEUE_FLAG_IN_ORDER } else { 0 },
            mode: ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
            priority: self.priority,
            pNext: null(),
            ..Default::default()
        }
    }

    /// A driver's queue of the same place, for what takes closed lists and for callers who ask for one.
    pub(crate) fn queue(
        self,
        context: &context::Body,
        device: &device::Body,
    ) -> Result<ze_command_queue_handle_t> {
        let mut queue = ze_command_queue_handle_t::NULL;
        let desc = Self { in_order: false, ..self }.desc();
        ze()?.zeCommandQueueCreate(context.ze, device.ze, &desc, &mut queue)?;
        Ok(queue)
    }
}

/// The priority that flags ask for.
pub(crate) fn priority(flags: QueueFlags) -> ze_command_queue_priority_t {
    if flags.contains(QueueFlags::PRIORITY_LOW) {
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW
    } else if flags.contains(QueueFlags::PRIORITY_HIGH) {
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
    } else {
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL
    }
}

impl Engine {
    /// An immediate list.
    pub(crate) fn immediate(context: &context::Body, device: &device::Body, place: Place) -> Result<Self> {
        let mut list = ze_command_list_handle_t::NULL;
        ze()?.zeCommandListCreateImmediate(context.ze, device.ze, &place.desc(), &mut list)?;
        Ok(Self::Immediate { list, owned: true })
    }

    /// A list to append the next command to.
    #[inline(always)]
    pub(crate) fn open(
        &mut self,
        context: &context::Body,
        device: &device::Body,
    ) -> Result<ze_command_list_handle_t> {
        match self {
            Self::Immediate { list, .. } => Ok(*list),
            Self::Outside { ordinal, idle, .. } => match idle.pop() {
                Some(list) => Ok(list),
                None => regular(context, device, *ordinal),
            },
        }
    }

    /// Puts the appended command to work. A list that waits for its end comes back, for [`Engine::recycle`].
    #[inline(always)]
    pub(crate) fn close(
        &mut self,
        list: ze_command_list_handle_t,
    ) -> Result<Option<ze_command_list_handle_t>> {
        let Self::Outside { queue, .. } = self else { return Ok(None) };
        let ze = ze()?;
        ze.zeCommandListClose(list)?;
        ze.zeCommandQueueExecuteCommandLists(*queue, 1, &mut { list }, ze_fence_handle_t::NULL)?;
        Ok(Some(list))
    }

    /// Takes back a list whose command is done, or was not appended.
    pub(crate) fn recycle(&mut self, list: ze_command_list_handle_t) {
        if let Self::Outside { idle, .. } = self {
            match ze().and_then(|ze| ze.zeCommandListReset(list)) {
                Ok(()) => idle.push(list),
                Err(error) => log::warn!("a command list is lost: {error}"),
            }
        }
    }

    /// Destroys what is the plugin's. Nothing is at work any more.
    pub(crate) fn destroy(&mut self) {
        let Ok(ze) = ze() else { return };
        match self {
            Self::Immediate { list, owned } => {
                if *owned {
                    log_failure(ze.zeCommandListDestroy(*list));
                }
            }
            Self::Outside { queue, owned, idle, .. } => {
                for list in idle.drain(..) {
                    log_failure(ze.zeCommandListDestroy(list));
                }
                if *owned {
                    log_failure(ze.zeCommandQueueDestroy(*queue));
                }
            }
        }
    }
}

/// A regular list.
pub(crate) fn regular(
    context: &context::Body,
    device: &device::Body,
    ordinal: u32,
) -> Result<ze_command_list_handle_t> {
    let desc = ze_command_list_desc_t { commandQueueGroupOrdinal: ordinal, ..Default::default() };
    let mut list = ze_command_list_handle_t::NULL;
    ze()?.zeCommandListCreate(context.ze, device.ze, &desc, &mut list)?;
    Ok(list)
}
