//! The command lists that a queue's commands are appended to.
//!
//! The backend's own queues append to immediate command lists. One driver call starts a command, no batch has to be
//! closed for an event to make progress, and nothing polls. Batched regular lists are faster only for many tiny
//! commands in a row without any wait, and they add latency to every other program. Therefore only immediate lists are
//! used. A queue created from a native handle uses regular lists with one command each.

use std::ptr::null;

use sycl_pi_backend::Result;
use sycl_pi_backend::types::QueueFlags;

use crate::sys::{log_failure, ze, *};

/// An engine of a device, with its properties.
#[derive(Clone, Copy)]
pub(crate) struct EngineDesc {
    pub(crate) context: ze_context_handle_t,
    pub(crate) device: ze_device_handle_t,
    pub(crate) ordinal: u32,
    pub(crate) index: u32,
    pub(crate) priority: ze_command_queue_priority_t,
    /// Whether the driver keeps an immediate list in order.
    pub(crate) in_order: bool,
}

impl EngineDesc {
    fn queue_desc(self) -> ze_command_queue_desc_t {
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

    /// Creates a driver queue on the engine, for closed lists and for callers who request one.
    pub(crate) fn command_queue(self) -> Result<ze_command_queue_handle_t> {
        let mut queue = ze_command_queue_handle_t::NULL;
        let desc = Self { in_order: false, ..self }.queue_desc();
        ze()?.zeCommandQueueCreate(self.context, self.device, &desc, &mut queue)?;
        Ok(queue)
    }

    /// Creates a regular list for the engine.
    pub(crate) fn regular_list(self) -> Result<ze_command_list_handle_t> {
        let desc = ze_command_list_desc_t { commandQueueGroupOrdinal: self.ordinal, ..Default::default() };
        let mut list = ze_command_list_handle_t::NULL;
        ze()?.zeCommandListCreate(self.context, self.device, &desc, &mut list)?;
        Ok(list)
    }

    fn immediate_list(self) -> Result<ze_command_list_handle_t> {
        let mut list = ze_command_list_handle_t::NULL;
        ze()?.zeCommandListCreateImmediate(self.context, self.device, &self.queue_desc(), &mut list)?;
        Ok(list)
    }
}

/// Returns the priority that the flags request.
pub(crate) fn queue_priority(flags: QueueFlags) -> ze_command_queue_priority_t {
    if flags.contains(QueueFlags::PRIORITY_LOW) {
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW
    } else if flags.contains(QueueFlags::PRIORITY_HIGH) {
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
    } else {
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL
    }
}

/// A destination of commands.
pub(crate) enum CommandList {
    Immediate {
        list: ze_command_list_handle_t,
        owned: bool,
    },
    /// A driver queue from a native handle.
    Queue {
        queue: ze_command_queue_handle_t,
        owned: bool,
        engine: EngineDesc,
        /// Regular lists that can be reused.
        idle: Vec<ze_command_list_handle_t>,
    },
}

impl CommandList {
    /// Returns a list to append the next command to.
    pub(crate) fn open(&mut self) -> Result<ze_command_list_handle_t> {
        match self {
            Self::Immediate { list, .. } => Ok(*list),
            Self::Queue { engine, idle, .. } => idle.pop().map_or_else(|| engine.regular_list(), Ok),
        }
    }

    /// Starts the appended command. Returns the list if it is a regular one; it must be passed to
    /// [`CommandList::recycle`] once the command is complete.
    pub(crate) fn submit(
        &mut self,
        list: ze_command_list_handle_t,
    ) -> Result<Option<ze_command_list_handle_t>> {
        let Self::Queue { queue, .. } = self else { return Ok(None) };
        let ze = ze()?;
        ze.zeCommandListClose(list)?;
        ze.zeCommandQueueExecuteCommandLists(*queue, 1, &mut { list }, ze_fence_handle_t::NULL)?;
        Ok(Some(list))
    }

    /// Takes back a regular list whose command is complete or was not appended.
    pub(crate) fn recycle(&mut self, list: ze_command_list_handle_t) {
        if let Self::Queue { idle, .. } = self {
            match ze().and_then(|ze| ze.zeCommandListReset(list)) {
                Ok(()) => idle.push(list),
                Err(error) => log::warn!("a command list is lost: {error}"),
            }
        }
    }

    fn destroy(&mut self) {
        let Ok(ze) = ze() else { return };
        match self {
            Self::Immediate { list, owned: true } => log_failure(ze.zeCommandListDestroy(*list)),
            Self::Immediate { owned: false, .. } => {}
            Self::Queue { queue, owned, idle, .. } => {
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

/// A command list that is created for the first command, because many queues never use one.
pub(crate) struct LazyList {
    engine: EngineDesc,
    list: Option<CommandList>,
}

impl LazyList {
    /// Creates an immediate list on an engine.
    pub(crate) fn new(engine: EngineDesc) -> Self {
        Self { engine, list: None }
    }

    /// Wraps a list from a native handle.
    pub(crate) fn adopt(engine: EngineDesc, list: CommandList) -> Self {
        Self { engine, list: Some(list) }
    }

    /// Returns the list, which is created at its first use.
    pub(crate) fn get(&mut self) -> Result<&mut CommandList> {
        match &mut self.list {
            Some(list) => Ok(list),
            empty => {
                let list = self.engine.immediate_list()?;
                Ok(empty.insert(CommandList::Immediate { list, owned: true }))
            }
        }
    }

    /// Destroys the backend's part of the list. No command may be running any more.
    pub(crate) fn destroy(&mut self) {
        if let Some(mut list) = self.list.take() {
            list.destroy();
        }
    }
}
