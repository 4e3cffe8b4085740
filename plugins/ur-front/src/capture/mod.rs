//! Capture: the commands of a queue are recorded into a graph, and run when the graph runs.
//!
//! A queue begins a capture. Each command enqueued to it is recorded ([`recorded`]), and its event represents its node
//! in the graph ([`event`]). A queue that waits for such an event joins the capture. The resulting graph ([`graph`])
//! can be made executable any number of times.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

pub(crate) mod event;
pub(crate) mod graph;
pub(crate) mod recorded;
pub(crate) mod slot;

use std::sync::Arc;

use sycl_pi_backend::types::{DeviceInfo, ErrorCode};
use sycl_pi_backend::{Backend, Counted, Error, Result, Shared, view as neutral};
use sycl_ur_core::*;

use crate::convert::error;
use crate::handle::{Handle, origin};
use crate::query;
use crate::view::{object, slice};

use event::GraphEvent;
use graph::Graph;
use recorded::{Capture, ToRecord, capture_error, internal_event};

/// The participation of a queue in a capture.
pub(crate) struct Participation<B: Backend> {
    pub capture: Arc<Capture<B>>,
    /// The queue's number in the capture; 0 for the queue that began it.
    number: usize,
    /// The graph, for the queue that began the capture.
    graph: Option<Shared<Graph<B>>>,
    /// Whether the capture creates the graph, which is returned at its end.
    makes_graph: bool,
}

impl<B: Backend> Drop for Participation<B> {
    fn drop(&mut self) {
        if self.graph.is_some() {
            self.capture.abandon();
        }
    }
}

/// The length and the start of a wait list.
pub(crate) type WaitList = (u32, *const ur_event_handle_t);

/// Returns the capture that a queue participates in.
pub(crate) fn participation<B: Backend>(queue: &Handle<B::Queue>) -> Option<Arc<Participation<B>>> {
    queue.kept().get(|part: &Participation<B>| !part.capture.is_open())
}

/// Returns whether a queue does not run commands of the host, because they are recorded into a graph or because it is
/// an on-device queue.
pub(crate) fn is_captured<B: Backend>(queue: &Handle<B::Queue>) -> bool {
    #[inline(never)]
    fn is_open<B: Backend>(queue: &Handle<B::Queue>) -> bool {
        queue.kept().is_on_device() || participation::<B>(queue).is_some()
    }
    queue.kept().is_taken() && is_open::<B>(queue)
}

/// Refuses, for a queue that is being captured, operations that only a running queue can do.
pub(crate) fn check_runs<B: Backend>(queue: &Handle<B::Queue>, what: &'static str) -> Result<()> {
    #[inline(never)]
    fn refused<B: Backend>(queue: &Handle<B::Queue>, what: &'static str) -> Error {
        if let Err(error) = check_takes_commands::<B>(queue) {
            return error;
        }
        let text = format!("hQueue is being captured: {what} is not possible until the capture has ended");
        capture_error(origin(queue), UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text)
    }
    if is_captured::<B>(queue) { Err(refused::<B>(queue, what)) } else { Ok(()) }
}

/// Refuses an on-device queue. Intel's CPU runtime terminates the process on a host command in one.
pub(crate) fn check_takes_commands<B: Backend>(queue: &Handle<B::Queue>) -> Result<()> {
    if queue.kept().is_on_device() {
        let text = "hQueue is a queue on the device: kernels fill it, and it takes no commands of the host";
        return Err(Error::new(ErrorCode::INVALID_QUEUE, text));
    }
    Ok(())
}

/// Begins a capture into `graph`, or into a new one.
pub(crate) fn begin<B: Backend>(queue: &Handle<B::Queue>, graph: Option<&Counted<Graph<B>>>) -> Result<()> {
    check_takes_commands::<B>(queue)?;
    if is_captured::<B>(queue) {
        return Err(error(UR_RESULT_ERROR_INVALID_OPERATION, "hQueue: the queue is already being captured"));
    }
    check_graphs::<B>(B::queue_device(queue)?)?;
    let makes_graph = graph.is_none();
    let graph = graph.map_or_else(|| new_graph::<B>(queue), |graph| Ok(graph.share()))?;
    let handle = graph.handle().expose_provenance();
    let capture = graph.begin(B::queue_context(queue)?, || Capture::begin(queue, handle))?;
    queue.kept().set(Arc::new(Participation { capture, number: 0, graph: Some(graph), makes_graph }));
    Ok(())
}

/// Refuses a device that does not support graphs, which are command buffers.
pub(crate) fn check_graphs<B: Backend>(device: &B::Device) -> Result<()> {
    if query::flag::<B>(device, DeviceInfo::COMMAND_BUFFER_SUPPORT) {
        return Ok(());
    }
    Err(Error::unsupported("the device has no graphs, as it has no command buffers"))
}

/// Creates a graph for a capture that was given none.
fn new_graph<B: Backend>(queue: &Handle<B::Queue>) -> Result<Shared<Graph<B>>> {
    let handle = Counted::create_with_front_word(origin(queue).word, Graph::<B>::new(None)).into_raw();
    // SAFETY: the handle was just created, so it is live.
    let graph = unsafe { neutral::object::<Counted<Graph<B>>>(handle, "the new graph")? };
    let shared = graph.share();
    // SAFETY: this is the reference that no caller receives.
    unsafe { graph.release() };
    Ok(shared)
}

/// Ends the capture that a queue has begun. Returns the graph; a new one is owned by the caller.
pub(crate) fn end<B: Backend>(queue: &Handle<B::Queue>) -> Result<ur_exp_graph_handle_t> {
    let origin = origin(queue);
    let not_capturing = |text: &str| capture_error(origin, UR_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING, text);
    let part =
        participation::<B>(queue).ok_or_else(|| not_capturing("hQueue: the queue is not being captured"))?;
    let Some(graph) = &part.graph else {
        return Err(not_capturing("hQueue: another queue has begun the capture, and has to end it"));
    };
    let ended = part.capture.end(origin);
    // This frees the queue's slot.
    participation::<B>(queue);
    ended?;
    if part.makes_graph {
        graph.retain();
    }
    Ok(graph.handle())
}

/// Returns, for each entry of a wait list, its event if that belongs to a captured command.
///
/// # Safety
///
/// If the length is not 0, the list must be null or contain that many handles of events.
unsafe fn internal_events<'a, B: Backend>(
    (count, list): WaitList,
) -> Result<Vec<Option<&'a Counted<GraphEvent<B>>>>> {
    // SAFETY: guaranteed by the caller.
    let events = unsafe { slice(count as usize, list, "phEventWaitList")? };
    // SAFETY: the entries are handles of events, or null.
    Ok(events.iter().map(|event| unsafe { GraphEvent::find(*event) }).collect())
}

/// Returns whether a refused wait list contains an event of a captured command.
///
/// # Safety
///
/// Same as for [`internal_events`].
#[inline(never)]
pub(crate) unsafe fn has_internal_event<B: Backend>(waits: WaitList) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { internal_events::<B>(waits) }.is_ok_and(|events| events.iter().any(Option::is_some))
}

/// Records an operation of a queue into its own capture, or into the capture of the events that it waits for, which it
/// then joins.
///
/// # Safety
///
/// Same as for [`internal_events`]; `event` must be null or writable.
pub(crate) unsafe fn record<B: Backend>(
    queue: &Handle<B::Queue>, waits: WaitList, event: *mut ur_event_handle_t, what: ToRecord<'_, B>,
) -> Result<()> {
    check_takes_commands::<B>(queue)?;
    let (origin, part) = (origin(queue), participation::<B>(queue));
    // SAFETY: guaranteed by the caller.
    let internal = unsafe { internal_events::<B>(waits)? };
    let of_events = internal.iter().flatten().map(|event| &event.capture);
    let Some(capture) = part.iter().map(|part| &part.capture).chain(of_events).next().cloned() else {
        // Another thread has just ended the capture.
        return Err(internal_event(origin));
    };
    // SAFETY: guaranteed by the caller.
    let nodes = unsafe { nodes(queue, &capture, waits, &internal)? };
    let number = part.as_ref().map(|part| part.number);
    let (node, number) = capture.record(queue, number, &nodes, what)?;
    if part.is_none() {
        let capture = capture.clone();
        queue.kept().set(Arc::new(Participation::<B> { capture, number, graph: None, makes_graph: false }));
    }
    if !event.is_null() {
        let new = Counted::create_with_front_word(origin.word, GraphEvent { capture, node, origin });
        // SAFETY: the pointer is not null, so it is writable.
        unsafe { event.write(new.into_raw()) };
    }
    Ok(())
}

/// Returns the error of a command that graphs cannot contain.
///
/// # Safety
///
/// Same as for [`internal_events`].
pub(crate) unsafe fn refuse<B: Backend>(queue: &Handle<B::Queue>, waits: WaitList) -> Error {
    let recorded =
        // SAFETY: guaranteed by the caller; no event is wanted.
        unsafe { record::<B>(queue, waits, std::ptr::null_mut(), ToRecord::Refused("the command")) };
    recorded.err().unwrap_or_else(|| internal_event(origin(queue)))
}

/// Returns the nodes of the events in a wait list.
///
/// # Safety
///
/// Same as for [`internal_events`], which must have returned `internal`.
unsafe fn nodes<B: Backend>(
    queue: &Handle<B::Queue>, capture: &Arc<Capture<B>>, (_, list): WaitList,
    internal: &[Option<&Counted<GraphEvent<B>>>],
) -> Result<Vec<usize>> {
    let origin = origin(queue);
    let node = |(place, event): (usize, &Option<&Counted<GraphEvent<B>>>)| match event {
        Some(event) if Arc::ptr_eq(&event.capture, capture) => Ok(event.node),
        Some(event) if event.capture.is_open() => {
            let text = "phEventWaitList: an event belongs to another capture, which is open too";
            Err(capture_error(origin, UR_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT, text))
        }
        Some(_) => Err(internal_event(origin)),
        None => {
            // SAFETY: the list has as many entries as `internal`.
            let event = unsafe { *list.add(place) };
            // SAFETY: the entry is a handle of an event, or null.
            unsafe { object::<B::Event>(event, "phEventWaitList") }
                .map_err(|error| error.with_code(ErrorCode::INVALID_EVENT_WAIT_LIST))?;
            let text = "phEventWaitList: an event belongs to a command outside of the capture";
            Err(capture_error(origin, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text))
        }
    };
    internal.iter().enumerate().map(node).collect()
}
