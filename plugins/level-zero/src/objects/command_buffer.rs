//! Command buffers: a closed command list of the driver that runs each time it is enqueued.
//!
//! The driver's list captures everything that a launch needs when it is recorded. Commands are ordered by events of the
//! buffer itself, which only the device sees. The list ends with a barrier and resets them, so that it can run again. A
//! list runs only once at a time: a second run waits for the first one. After an update of a launch, the next run
//! records the list again.

use parking_lot::Mutex;
use sycl_pi_backend::api::LaunchUpdate;
use sycl_pi_backend::recording::{no_launch, other_context, other_device};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Error, Recording, Result, Shared, SyncPointDependencies};

use super::context::{Context, ContextHandle};
use super::device::{Device, DeviceHandle};
use super::queue::{CommandResources, QueueHandle};
use super::recorded_command::{RecordedCommand, RecordedLaunch, RecordedWork};
use crate::LevelZero;
use crate::driver::{EngineDesc, EventRef, create_event_pool};
use crate::submission::AppendTarget;
use crate::sys::{log_failure, ze, *};

/// Events per pool of a command buffer.
const EVENTS_PER_POOL: u32 = 64;

/// A command buffer, which is first recorded and then run.
pub struct CommandBuffer {
    pub(crate) engine: EngineDesc,
    recorded: Mutex<RecordedCommands>,
    pub(crate) device: Shared<Device>,
    pub(crate) context: Shared<Context>,
}

pub(crate) type CommandBufferHandle = Counted<CommandBuffer>;

sycl_pi_backend::counted_kinds!(CommandBuffer: RawCommandBuffer, INVALID_COMMAND_BUFFER_KHR, "command buffer";);

struct RecordedCommands {
    list: ze_command_list_handle_t,
    /// The commands, in the order of their sync points.
    commands: Recording<RecordedCommand>,
    pools: Vec<ze_event_pool_handle_t>,
    /// Replaced launches, which the list still contains. If there are none, the list matches the commands.
    replaced: Vec<RecordedLaunch>,
    /// The queue that runs the list, created for the first run.
    queue: Option<ze_command_queue_handle_t>,
    /// Short lists before and after a run, reused after it.
    start_and_end: Option<[ze_command_list_handle_t; 2]>,
    last_run: Option<EventRef>,
}

impl CommandBuffer {
    /// Creates an empty command buffer.
    pub(crate) fn new(context: &ContextHandle, device: &DeviceHandle) -> Result<Self> {
        context.check(device)?;
        let no_engine = || Error::new(ErrorCode::INVALID_DEVICE, "the device has no compute engine");
        let engine = EngineDesc {
            context: context.ze,
            device: device.ze,
            ordinal: device.compute_group().ok_or_else(no_engine)?,
            index: device.slice.unwrap_or_default(),
            priority: ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
            in_order: false,
        };
        let recorded = RecordedCommands {
            list: engine.regular_list()?,
            commands: Recording::default(),
            pools: Vec::new(),
            replaced: Vec::new(),
            queue: None,
            start_and_end: None,
            last_run: None,
        };
        Ok(Self { engine, recorded: Mutex::new(recorded), device: device.share(), context: context.share() })
    }

    /// Refuses an object of another context.
    pub(crate) fn check(&self, context: &Context, name: &str) -> Result<()> {
        if context.ze == self.context.ze { Ok(()) } else { Err(other_context(name)) }
    }

    /// Records one command.
    pub(crate) fn record(&self, dependencies: SyncPointDependencies<'_>, work: RecordedWork) -> Result<()> {
        let RecordedCommands { list, commands, pools, .. } = &mut *self.recorded.lock();
        let number = commands.commands().len() as u32;
        commands.add(dependencies, |waits| {
            let waits: Vec<ze_event_handle_t> = waits.iter().map(|command| command.event).collect();
            let command = RecordedCommand { event: self.event(number, pools)?, waits, work };
            if let Err(error) = command.append(*list, &self.device) {
                log_failure(ze().and_then(|ze| ze.zeEventDestroy(command.event)));
                return Err(error);
            }
            Ok(command)
        })
    }

    /// Updates a launch for subsequent runs.
    pub(crate) fn update(&self, update: &LaunchUpdate<'_, LevelZero>) -> Result<()> {
        if let Some(kernel) = update.kernel {
            self.check(&kernel.program.context, "the kernel")?;
        }
        let RecordedCommands { commands, replaced, .. } = &mut *self.recorded.lock();
        commands.check_finalized()?;
        match commands.command_mut(update.point).map(|command| &mut command.work) {
            Some(RecordedWork::Launch(launch)) => {
                let updated = launch.updated(update, &self.device)?;
                replaced.push(std::mem::replace(launch, updated));
                Ok(())
            }
            _ => Err(no_launch(update.point)),
        }
    }

    /// Returns the event of the command with the given number, counted from 0.
    fn event(&self, number: u32, pools: &mut Vec<ze_event_pool_handle_t>) -> Result<ze_event_handle_t> {
        let index = number % EVENTS_PER_POOL;
        if number / EVENTS_PER_POOL >= pools.len() as u32 {
            pools.push(create_event_pool(&self.context.driver, &[self.device.ze], 0, EVENTS_PER_POOL)?);
        }
        let no_pool = || Error::new(ErrorCode::OUT_OF_RESOURCES, "there is no event pool");
        let pool = pools.last().ok_or_else(no_pool)?;
        let scope = ZE_EVENT_SCOPE_FLAG_DEVICE;
        let desc = ze_event_desc_t { index, signal: scope, wait: scope, ..Default::default() };
        let mut event = ze_event_handle_t::NULL;
        ze()?.zeEventCreate(*pool, &desc, &mut event)?;
        Ok(event)
    }

    /// Ends recording.
    pub(crate) fn finalize(&self) -> Result<()> {
        let RecordedCommands { list, commands, .. } = &mut *self.recorded.lock();
        commands.finalize(|commands| close(*list, commands))
    }

    /// Runs the commands after `waits` and in the queue's order.
    pub(crate) fn enqueue(
        this: &CommandBufferHandle,
        queue: &QueueHandle,
        waits: impl FnOnce() -> Result<Vec<EventRef>>,
    ) -> Result<EventRef> {
        this.check(&queue.context, "the queue")?;
        if queue.device.ze != this.device.ze {
            return Err(other_device());
        }
        let mut recorded = this.recorded.lock();
        recorded.commands.check_finalized()?;
        // This does not hold the queue's lock, because it may take long.
        if let Some(last_run) = &recorded.last_run {
            last_run.wait()?;
        }
        if !recorded.replaced.is_empty() {
            recorded.record_again(&this.device)?;
        }
        let resources = CommandResources::other(this.share());
        let run = queue.commands.append_to_foreign_list(waits()?, resources, |waits, event| {
            recorded.run(this.engine, waits, event)
        })?;
        recorded.last_run = Some(run.clone());
        Ok(run)
    }
}

/// Ends a list. After the commands, their events are reset.
fn close(list: ze_command_list_handle_t, commands: &[RecordedCommand]) -> Result<()> {
    let ze = ze()?;
    AppendTarget::without_events(list).barrier()?;
    for command in commands {
        ze.zeCommandListAppendEventReset(list, command.event)?;
    }
    ze.zeCommandListClose(list)
}

impl RecordedCommands {
    /// Records the current commands into the list again. The last run must be over.
    fn record_again(&mut self, device: &Device) -> Result<()> {
        ze()?.zeCommandListReset(self.list)?;
        let commands = self.commands.commands();
        commands.iter().try_for_each(|command| command.append(self.list, device))?;
        close(self.list, commands)?;
        self.replaced.clear();
        Ok(())
    }

    /// Submits the list after `waits`, followed by `event`. The last run must be over.
    fn run(&mut self, engine: EngineDesc, waits: &[EventRef], event: &EventRef) -> Result<()> {
        let ze = ze()?;
        let queue = match self.queue {
            Some(queue) => queue,
            None => *self.queue.insert(engine.command_queue()?),
        };
        let [start, end] = match self.start_and_end {
            Some(lists) => {
                lists.iter().try_for_each(|list| ze.zeCommandListReset(*list))?;
                lists
            }
            None => *self.start_and_end.insert([engine.regular_list()?, engine.regular_list()?]),
        };
        let mut waits: Vec<ze_event_handle_t> = waits.iter().map(|event| event.ze).collect();
        AppendTarget::new(start, ze_event_handle_t::NULL, &mut waits).wait()?;
        AppendTarget::new(end, event.ze, &mut []).barrier()?;
        ze.zeCommandListClose(start)?;
        ze.zeCommandListClose(end)?;
        let mut lists = [start, self.list, end];
        ze.zeCommandQueueExecuteCommandLists(queue, 3, lists.as_mut_ptr(), ze_fence_handle_t::NULL)
    }
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        let recorded = self.recorded.get_mut();
        if let Some(last_run) = &recorded.last_run
            && let Err(error) = last_run.wait()
        {
            log::warn!("a command buffer's last run: {error}");
        }
        let Ok(ze) = ze() else { return };
        for list in recorded.start_and_end.into_iter().flatten().chain([recorded.list]) {
            log_failure(ze.zeCommandListDestroy(list));
        }
        if let Some(queue) = recorded.queue {
            log_failure(ze.zeCommandQueueDestroy(queue));
        }
        for command in recorded.commands.commands() {
            log_failure(ze.zeEventDestroy(command.event));
        }
        for pool in &recorded.pools {
            log_failure(ze.zeEventPoolDestroy(*pool));
        }
    }
}
