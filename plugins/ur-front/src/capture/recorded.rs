//! What is recorded between the begin and the end of a capture.
//!
//! Commands go into a command buffer of the backend. Beside it stands a list of nodes: one for each command that was
//! captured, and one for each wait or barrier, which the command buffer has no command for. A node knows the nodes
//! before it, and the sync points that a command behind it waits for.

use std::fmt::Write;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::api::CommandToRecord;
use sycl_pi_backend::types::{ErrorCode, KernelInfo, QueueFlags, QueueInfo, SyncPoint};
use sycl_pi_backend::{Backend, Error, Info, Result, SyncPointDependencies, room};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::{Handle, Origin, Reference, origin};
use crate::info::read;
use crate::own_queue::of_queue;

/// What a capturing queue is asked to do.
pub(crate) enum ToRecord<'a, B: Backend> {
    /// One command, in pieces that run side by side.
    Commands(Vec<CommandToRecord<'a, B>>),
    /// An event behind the wait list, or behind everything before it.
    Wait,
    /// As above; commands after it wait for it.
    Barrier,
    /// What no graph can have.
    Refused(&'static str),
    /// What could not be taken in; the capture goes on.
    Failed(Error),
}

impl<'a, B: Backend> ToRecord<'a, B> {
    /// A command that the caller waits for.
    pub(crate) const BLOCKING: Self = Self::Refused("a blocking command");

    /// A command, unless the caller waits for it.
    pub(crate) fn unless_blocking(blocking: u8, command: CommandToRecord<'a, B>) -> Self {
        if blocking == 0 { command.into() } else { Self::BLOCKING }
    }
}

impl<'a, B: Backend> ToRecord<'a, B> {
    /// A command for each of so many rows.
    pub(crate) fn rows(count: usize, row: impl FnMut(usize) -> CommandToRecord<'a, B>) -> Self {
        match room(count) {
            Ok(mut commands) => {
                commands.extend((0..count).map(row));
                Self::Commands(commands)
            }
            Err(error) => Self::Failed(error),
        }
    }
}

impl<'a, B: Backend> From<CommandToRecord<'a, B>> for ToRecord<'a, B> {
    fn from(command: CommandToRecord<'a, B>) -> Self {
        Self::Commands(vec![command])
    }
}

/// A captured command, wait or barrier.
struct Node {
    label: String,
    /// The number of the queue that it was put into.
    queue: usize,
    /// The nodes that it waits for.
    after: Vec<usize>,
    /// The sync points that stand for it: its own, or those of the commands before a wait.
    points: Vec<SyncPoint>,
    is_command: bool,
}

/// What the next command of a queue waits for.
struct QueueOrder {
    is_in_order: bool,
    /// The last command in order, or the last barrier.
    last: Option<usize>,
    /// What was recorded since then, without an order.
    since: Vec<usize>,
}

/// How far a capture is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Commands are added.
    Open,
    /// A command could not be added: the capture has to be ended, and gives no graph.
    Invalid,
    /// The capture has ended well.
    Complete,
    /// The capture has ended, and there is no graph.
    Failed,
}

/// A capture, shared by its graph, the queues that take part, their events and the executable graphs.
pub(crate) struct Capture<B: Backend> {
    /// The graph's handle, which is live while the capture is open.
    graph: usize,
    state: Mutex<State<B>>,
}

struct State<B: Backend> {
    phase: Phase,
    nodes: Vec<Node>,
    /// The first one began the capture.
    queues: Vec<QueueOrder>,
    /// Made for the first command, with the address of its device.
    buffer: Option<(Arc<Reference<B::CommandBuffer>>, usize)>,
    is_finalized: bool,
}

/// An error of captures. Layouts before 2026.2 have no numbers for most of them.
pub(crate) fn capture_error(origin: Origin, result: ur_result_t, text: impl Into<String>) -> Error {
    let result = if origin.layout < Layout::V2026_2 { UR_RESULT_ERROR_INVALID_OPERATION } else { result };
    error(result, text.into())
}

impl<B: Backend> Capture<B> {
    /// An empty capture that nobody records into.
    pub(crate) fn new() -> Self {
        let state = State {
            phase: Phase::Complete,
            nodes: Vec::new(),
            queues: Vec::new(),
            buffer: None,
            is_finalized: false,
        };
        Self { graph: 0, state: Mutex::new(state) }
    }

    /// A capture that `queue` has just begun, of the graph with that handle.
    pub(crate) fn begin(queue: &Handle<B::Queue>, graph: usize) -> Result<Self> {
        let capture = Self { graph, ..Self::new() };
        let mut state = capture.state.lock();
        state.phase = Phase::Open;
        state.queues.push(QueueOrder::for_queue::<B>(queue)?);
        drop(state);
        Ok(capture)
    }

    /// Whether the capture has not been ended.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state.lock().phase, Phase::Open | Phase::Invalid)
    }

    /// The graph's handle, without a reference of its own.
    pub(crate) fn graph(&self) -> ur_exp_graph_handle_t {
        std::ptr::with_exposed_provenance_mut(self.graph)
    }

    /// Whether nothing was recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.state.lock().nodes.is_empty()
    }

    /// Refuses a capture that has no graph.
    pub(crate) fn check_complete(&self) -> Result<()> {
        let text = match self.state.lock().phase {
            Phase::Complete => return Ok(()),
            Phase::Open | Phase::Invalid => "hGraph: a queue is still captured into it",
            Phase::Failed => "hGraph: its capture has failed",
        };
        Err(error(UR_RESULT_ERROR_INVALID_GRAPH, text))
    }

    /// Records what `queue` is asked to do, behind the nodes in `waits`. `number` is the queue's in this capture; a queue
    /// without one joins. Gives the new node, and the queue's number.
    pub(crate) fn record(
        &self,
        queue: &Handle<B::Queue>,
        number: Option<usize>,
        waits: &[usize],
        what: ToRecord<'_, B>,
    ) -> Result<(usize, usize)> {
        let state = &mut *self.state.lock();
        match state.phase {
            Phase::Open => {}
            Phase::Invalid => return Err(invalidated(origin(queue))),
            Phase::Complete | Phase::Failed => return Err(internal_event(origin(queue))),
        }
        if let Some(number) = number {
            return Ok((state.record(queue, number, waits, what)?, number));
        }
        let number = state.queues.len();
        state.queues.push(QueueOrder::for_queue::<B>(queue)?);
        match state.record(queue, number, waits, what) {
            Ok(node) => Ok((node, number)),
            Err(error) => {
                state.queues.pop();
                Err(error)
            }
        }
    }

    /// Ends the capture.
    pub(crate) fn end(&self, origin: Origin) -> Result<()> {
        let state = &mut *self.state.lock();
        let was_open = state.phase == Phase::Open;
        state.phase = Phase::Failed;
        if !was_open {
            return Err(invalidated(origin));
        }
        let joined = state.joined();
        for queue in 1..state.queues.len() {
            let mut of_queue = state.nodes.iter().zip(&joined).filter(|(node, _)| node.queue == queue);
            // A wait or barrier may stay without one that waits for it, if the queue has joined before.
            let left = of_queue.clone().any(|(node, is_joined)| node.is_command && !is_joined);
            if left || !of_queue.any(|(_, is_joined)| *is_joined) {
                let text =
                    "hQueue: another queue has joined the capture, and no command of this queue waits for it";
                return Err(capture_error(origin, UR_RESULT_ERROR_GRAPH_UNJOINED_FORKS, text));
            }
        }
        state.phase = Phase::Complete;
        Ok(())
    }

    /// Ends the capture of a queue that goes.
    pub(crate) fn abandon(&self) {
        let mut state = self.state.lock();
        if matches!(state.phase, Phase::Open | Phase::Invalid) {
            state.phase = Phase::Failed;
        }
    }

    /// The command buffer, ready to run; none where only waits and barriers were captured.
    pub(crate) fn finalized(&self) -> Result<Option<Arc<Reference<B::CommandBuffer>>>> {
        let state = &mut *self.state.lock();
        let Some((buffer, _)) = &state.buffer else { return Ok(None) };
        if !state.is_finalized {
            B::command_buffer_finalize(buffer)?;
            state.is_finalized = true;
        }
        Ok(Some(buffer.clone()))
    }

    /// The command buffer as it is; none before the first command.
    pub(crate) fn buffer(&self) -> Option<Arc<Reference<B::CommandBuffer>>> {
        self.state.lock().buffer.as_ref().map(|(buffer, _)| buffer.clone())
    }

    /// The nodes as a graph in the language DOT.
    pub(crate) fn dot(&self, id: u64) -> String {
        let mut text = format!("digraph graph_{id} {{\n");
        for (number, node) in self.state.lock().nodes.iter().enumerate() {
            let Node { label, queue, after, .. } = node;
            let shape = if node.is_command { "box" } else { "ellipse" };
            let label = label.replace(['\\', '"'], "_");
            // Writing to a text does not fail.
            let _ = writeln!(
                text,
                "  node_{number} [shape={shape}, label=\"{number}: {label}\\nqueue {queue}\"];"
            );
            for before in after {
                let _ = writeln!(text, "  node_{before} -> node_{number};");
            }
        }
        text + "}\n"
    }
}

impl<B: Backend> State<B> {
    /// Adds a node for what the queue of that number is asked to do.
    fn record(
        &mut self,
        queue: &Handle<B::Queue>,
        number: usize,
        waits: &[usize],
        what: ToRecord<'_, B>,
    ) -> Result<usize> {
        let after = self.queues[number].after(waits, matches!(what, ToRecord::Commands(_)));
        let mut points: Vec<SyncPoint> =
            after.iter().flat_map(|node| &self.nodes[*node].points).copied().collect();
        points.sort_unstable();
        points.dedup();
        let (label, is_command, is_barrier) = match what {
            ToRecord::Wait => ("Wait".to_owned(), false, false),
            ToRecord::Barrier => ("Barrier".to_owned(), false, true),
            ToRecord::Commands(commands) => {
                let label = commands.first().map_or_else(String::new, label);
                points = self.add(queue, commands, &points)?;
                (label, true, false)
            }
            ToRecord::Failed(error) => return Err(error),
            ToRecord::Refused(what) => {
                self.phase = Phase::Invalid;
                let text = format!("{what} cannot be captured into a graph; the capture is invalid now");
                return Err(capture_error(origin(queue), UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text));
            }
        };
        let node = self.nodes.len();
        self.queues[number].follow(node, is_barrier, waits.is_empty());
        self.nodes.push(Node { label, queue: number, after, points, is_command });
        Ok(node)
    }

    /// Puts the pieces of a command into the command buffer, behind `points`. Gives their own.
    fn add(
        &mut self,
        queue: &Handle<B::Queue>,
        commands: Vec<CommandToRecord<'_, B>>,
        points: &[SyncPoint],
    ) -> Result<Vec<SyncPoint>> {
        let (context, device) = of_queue::<B>(queue)?;
        let address = std::ptr::from_ref(device).addr();
        let (buffer, of_device) = match &self.buffer {
            Some(buffer) => buffer,
            None => {
                let new = B::command_buffer_create(context, device)?;
                let buffer = Reference::from_new(new, origin(queue))
                    .ok_or_else(|| Error::new(ErrorCode::UNKNOWN, "the backend made no command buffer"))?;
                self.buffer.insert((Arc::new(buffer), address))
            }
        };
        if *of_device != address {
            let text = "hQueue: a graph has commands of one device, and this queue is of another one";
            return Err(capture_error(origin(queue), UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text));
        }
        let mut own = Vec::with_capacity(commands.len());
        for command in commands {
            let mut point = 0;
            let dependencies = SyncPointDependencies { waits: points, point: Some(&mut point) };
            if let Err(error) = B::command_buffer_record(buffer, command, dependencies) {
                if !own.is_empty() {
                    self.phase = Phase::Invalid;
                }
                return Err(error);
            }
            own.push(point);
        }
        Ok(own)
    }

    /// Which nodes the first queue's nodes wait for, at whatever distance, or are themselves.
    fn joined(&self) -> Vec<bool> {
        let mut joined: Vec<bool> = self.nodes.iter().map(|node| node.queue == 0).collect();
        for number in (0..self.nodes.len()).rev() {
            if joined[number] {
                self.nodes[number].after.iter().for_each(|before| joined[*before] = true);
            }
        }
        joined
    }
}

impl QueueOrder {
    fn for_queue<B: Backend>(queue: &B::Queue) -> Result<Self> {
        let flags = read(&|info: Info<'_>| B::queue_info(queue, QueueInfo::PROPERTIES, info))?;
        let is_out_of_order = flags
            .first()
            .is_some_and(|bits| *bits & QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE.bits() as u8 != 0);
        Ok(Self { is_in_order: !is_out_of_order, last: None, since: Vec::new() })
    }

    /// What the next node of this queue waits for. A wait or barrier without a list waits for everything before it.
    fn after(&self, waits: &[usize], is_command: bool) -> Vec<usize> {
        let mut after: Vec<usize> = waits.iter().copied().chain(self.last).collect();
        if waits.is_empty() && !is_command {
            after.extend(&self.since);
        }
        after.sort_unstable();
        after.dedup();
        after
    }

    /// Takes a new node into the order.
    fn follow(&mut self, node: usize, is_barrier: bool, is_without_list: bool) {
        if self.is_in_order || is_barrier {
            self.last = Some(node);
        } else {
            self.since.push(node);
        }
        if is_barrier && is_without_list {
            self.since.clear();
        }
    }
}

/// What a command is, and of which kernel.
fn label<B: Backend>(command: &CommandToRecord<'_, B>) -> String {
    let CommandToRecord::KernelLaunch { kernel, .. } = command else { return format!("{command:?}") };
    let name = read(&|info: Info<'_>| B::kernel_info(kernel, KernelInfo::FUNCTION_NAME, info));
    let name = name.unwrap_or_default();
    format!("{command:?} {}", String::from_utf8_lossy(&name).trim_end_matches('\0'))
}

fn invalidated(origin: Origin) -> Error {
    let text = "hQueue: the capture is invalid, as a command before could not be captured; end it";
    capture_error(origin, UR_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED, text)
}

/// The error of waiting for an event that stands for a place in a graph.
pub(crate) fn internal_event(origin: Origin) -> Error {
    let text = "the event is of a captured command, and its capture has ended; it is never signalled";
    capture_error(origin, UR_RESULT_ERROR_GRAPH_INTERNAL_EVENT, text)
}

#[cfg(test)]
mod tests {
    use super::QueueOrder;

    fn order(is_in_order: bool) -> QueueOrder {
        QueueOrder { is_in_order, last: None, since: Vec::new() }
    }

    #[test]
    fn commands_in_order_follow_the_one_before_and_their_list() {
        let mut order = order(true);
        assert!(order.after(&[], true).is_empty());
        order.follow(0, false, true);
        order.follow(3, false, true);
        assert_eq!(order.after(&[], true), [3]);
        assert_eq!(order.after(&[1, 3, 1], true), [1, 3]);
    }

    #[test]
    fn commands_without_order_follow_their_list_and_the_last_barrier() {
        let mut order = order(false);
        order.follow(0, false, true);
        order.follow(1, false, true);
        assert!(order.after(&[], true).is_empty());
        assert_eq!(order.after(&[], false), [0, 1]);
        assert_eq!(order.after(&[1], false), [1]);
        // A barrier with a list leaves what it does not name to the next one.
        order.follow(2, true, false);
        assert_eq!(order.after(&[], true), [2]);
        assert_eq!(order.after(&[], false), [0, 1, 2]);
        order.follow(3, true, true);
        assert_eq!(order.after(&[], false), [3]);
    }
}
