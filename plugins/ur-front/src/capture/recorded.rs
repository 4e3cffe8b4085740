//! The commands recorded between the begin and the end of a capture.
//!
//! Commands are recorded into a command buffer of the backend. In addition, a list of nodes has one for each captured
//! command, and one for each wait or barrier, which have no command in the command buffer. A node stores its
//! predecessors, and the sync points that a subsequent command waits for.

use std::fmt::Write;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::api::Command;
use sycl_pi_backend::types::{ErrorCode, KernelInfo, QueueFlags, SyncPoint};
use sycl_pi_backend::{Backend, Error, Info, Result, SyncPointDependencies, room};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::{Handle, Origin, Reference, origin};
use crate::info::read;

/// An operation of a queue that is being captured.
pub(crate) enum ToRecord<'a, B: Backend> {
    /// One command, split into pieces that run concurrently.
    Commands(Vec<Command<'a, B>>),
    /// An event that completes after the wait list, or after everything before it.
    Wait,
    /// A wait that all subsequent commands also wait for.
    Barrier,
    /// An operation that graphs cannot contain.
    Refused(&'static str),
    /// An operation that could not be recorded. The capture continues.
    Failed(Error),
}

impl<'a, B: Backend> ToRecord<'a, B> {
    /// Returns a command for each of `count` rows.
    pub(crate) fn rows(count: usize, row: impl FnMut(usize) -> Command<'a, B>) -> Self {
        match room(count) {
            Ok(mut commands) => {
                commands.extend((0..count).map(row));
                Self::Commands(commands)
            }
            Err(error) => Self::Failed(error),
        }
    }
}

impl<'a, B: Backend> From<Command<'a, B>> for ToRecord<'a, B> {
    fn from(command: Command<'a, B>) -> Self {
        Self::Commands(vec![command])
    }
}

/// A captured command, wait or barrier.
struct Node {
    label: String,
    /// The number of the queue that it was enqueued to.
    queue: usize,
    /// The nodes that it waits for.
    after: Vec<usize>,
    /// The sync points that represent it, which are its own, or those of the commands before a wait.
    points: Vec<SyncPoint>,
    is_command: bool,
}

/// The nodes that the next command of a queue waits for.
struct QueueOrder {
    is_in_order: bool,
    /// The last in-order command, or the last barrier.
    last: Option<usize>,
    /// The unordered nodes recorded since then.
    since: Vec<usize>,
}

/// The state of a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Commands can be added.
    Open,
    /// A command could not be added. The capture must be ended and yields no graph.
    Invalid,
    /// The capture ended successfully.
    Complete,
    /// The capture ended, but yields no graph.
    Failed,
}

/// A capture, shared by its graph, the participating queues, their events and the executable graphs.
pub(crate) struct Capture<B: Backend> {
    /// The graph's handle, which is live while the capture is open.
    graph: usize,
    state: Mutex<State<B>>,
}

struct State<B: Backend> {
    phase: Phase,
    nodes: Vec<Node>,
    /// The first one is the queue that began the capture.
    queues: Vec<QueueOrder>,
    /// The command buffer, created for the first command, with the address of its device.
    buffer: Option<(Arc<Reference<B::CommandBuffer>>, usize)>,
    is_finalized: bool,
}

/// Creates an error of a capture. Layouts before 2026.2 have no numbers for most of them.
pub(crate) fn capture_error(origin: Origin, result: ur_result_t, text: impl Into<String>) -> Error {
    let result = if origin.layout < Layout::V2026_2 { UR_RESULT_ERROR_INVALID_OPERATION } else { result };
    error(result, text.into())
}

impl<B: Backend> Capture<B> {
    /// Creates an empty capture that nothing is recorded into.
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

    /// Creates the capture that `queue` has just begun, for the graph with the given handle.
    pub(crate) fn begin(queue: &Handle<B::Queue>, graph: usize) -> Result<Self> {
        let capture = Self { graph, ..Self::new() };
        let mut state = capture.state.lock();
        state.phase = Phase::Open;
        state.queues.push(QueueOrder::for_queue::<B>(queue)?);
        drop(state);
        Ok(capture)
    }

    /// Returns whether the capture is still in progress.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state.lock().phase, Phase::Open | Phase::Invalid)
    }

    /// Returns the graph's handle without adding a reference.
    pub(crate) fn graph(&self) -> ur_exp_graph_handle_t {
        std::ptr::with_exposed_provenance_mut(self.graph)
    }

    /// Returns whether nothing was recorded.
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

    /// Records an operation of `queue`, ordered after the nodes in `waits`. `number` is the queue's number in this
    /// capture; a queue without one joins it. Returns the new node and the queue's number.
    pub(crate) fn record(
        &self, queue: &Handle<B::Queue>, number: Option<usize>, waits: &[usize], what: ToRecord<'_, B>,
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
            // Nothing needs to wait for a wait or barrier, provided that the queue has joined before.
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

    /// Ends the capture of a queue that is being destroyed.
    pub(crate) fn abandon(&self) {
        let mut state = self.state.lock();
        if matches!(state.phase, Phase::Open | Phase::Invalid) {
            state.phase = Phase::Failed;
        }
    }

    /// Returns the command buffer, ready to run, or `None` if only waits and barriers were captured.
    pub(crate) fn finalized(&self) -> Result<Option<Arc<Reference<B::CommandBuffer>>>> {
        let state = &mut *self.state.lock();
        let Some((buffer, _)) = &state.buffer else { return Ok(None) };
        if !state.is_finalized {
            B::command_buffer_finalize(buffer)?;
            state.is_finalized = true;
        }
        Ok(Some(buffer.clone()))
    }

    /// Returns the command buffer in its current state, or `None` before the first command.
    pub(crate) fn buffer(&self) -> Option<Arc<Reference<B::CommandBuffer>>> {
        self.state.lock().buffer.as_ref().map(|(buffer, _)| buffer.clone())
    }

    /// Returns the nodes as a graph in the DOT language.
    pub(crate) fn dot(&self, id: u64) -> String {
        let mut text = format!("digraph graph_{id} {{\n");
        for (number, node) in self.state.lock().nodes.iter().enumerate() {
            let Node { label, queue, after, .. } = node;
            let shape = if node.is_command { "box" } else { "ellipse" };
            let label = label.replace(['\\', '"'], "_");
            // Writing to a string cannot fail.
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
    /// Adds a node for an operation of the queue with the given number.
    fn record(
        &mut self, queue: &Handle<B::Queue>, number: usize, waits: &[usize], what: ToRecord<'_, B>,
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

    /// Records the pieces of a command into the command buffer, ordered after `points`. Returns their sync points.
    fn add(
        &mut self, queue: &Handle<B::Queue>, commands: Vec<Command<'_, B>>, points: &[SyncPoint],
    ) -> Result<Vec<SyncPoint>> {
        let device = B::queue_device(queue)?;
        let address = std::ptr::from_ref(device).addr();
        let (buffer, of_device) = match &self.buffer {
            Some(buffer) => buffer,
            None => {
                let new = B::command_buffer_create(B::queue_context(queue)?, device)?;
                let buffer = Reference::from_new(new, origin(queue))
                    .ok_or_else(|| Error::new(ErrorCode::UNKNOWN, "the backend made no command buffer"))?;
                self.buffer.insert((Arc::new(buffer), address))
            }
        };
        if *of_device != address {
            let text = "hQueue: a graph has commands of one device, and this queue belongs to another one";
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

    /// Returns for each node whether it belongs to the first queue, or a node of that queue waits for it directly or
    /// indirectly.
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
        let is_out_of_order = B::queue_flags(queue)?.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        Ok(Self { is_in_order: !is_out_of_order, last: None, since: Vec::new() })
    }

    /// Returns the nodes that the next node of this queue waits for. A wait or barrier without a list waits for
    /// everything before it.
    fn after(&self, waits: &[usize], is_command: bool) -> Vec<usize> {
        let mut after: Vec<usize> = waits.iter().copied().chain(self.last).collect();
        if waits.is_empty() && !is_command {
            after.extend(&self.since);
        }
        after.sort_unstable();
        after.dedup();
        after
    }

    /// Updates the order with a new node.
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

/// Returns a label with the type of a command and the name of its kernel.
fn label<B: Backend>(command: &Command<'_, B>) -> String {
    let Command::KernelLaunch { kernel, .. } = command else { return format!("{command:?}") };
    let name = read(&|info: Info<'_>| B::kernel_info(kernel, KernelInfo::FUNCTION_NAME, info));
    let name = name.unwrap_or_default();
    format!("{command:?} {}", String::from_utf8_lossy(&name).trim_end_matches('\0'))
}

fn invalidated(origin: Origin) -> Error {
    let text = "hQueue: the capture is invalid, because an earlier command could not be captured; end it";
    capture_error(origin, UR_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED, text)
}

/// Returns the error of waiting for an event that represents a node of a graph.
pub(crate) fn internal_event(origin: Origin) -> Error {
    let text = "the event belongs to a captured command, and its capture has ended; it is never signalled";
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
        // A barrier with a list leaves the nodes that it does not name to the next barrier.
        order.follow(2, true, false);
        assert_eq!(order.after(&[], true), [2]);
        assert_eq!(order.after(&[], false), [0, 1, 2]);
        order.follow(3, true, true);
        assert_eq!(order.after(&[], false), [3]);
    }
}
