//! Capture: commands of a queue go into a graph, and run when the graph runs.
//!
//! A queue begins a capture. Each command that it gets is recorded ([`recorded`]), and its event stands for its place in the
//! graph ([`event`]). A queue that waits for such an event joins the capture. The graph that comes of it ([`graph`]) is made
//! executable as often as a caller likes.
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
use crate::own_queue::of_queue;
use crate::query;
use crate::view::{object, slice};

use event::GraphEvent;
use graph::Graph;
use recorded::{Capture, ToRecord, capture_error, internal_event};

/// The part that a queue takes in a capture.
pub(crate) struct Participation<B: Backend> {
    pub capture: Arc<Capture<B>>,
    /// The queue's number in the capture; 0 for the one that began.
    number: usize,
    /// The graph of the queue that began.
    graph: Option<Shared<Graph<B>>>,
    /// Whether the capture makes the graph, and its end hands it out.
    makes_graph: bool,
}

impl<B: Backend> Drop for Participation<B> {
    fn drop(&mut self) {
        if self.graph.is_some() {
            self.capture.abandon();
        }
    }
}

/// A wait list: its length and its start.
pub(crate) type WaitList = (u32, *const ur_event_handle_t);

/// The capture that a queue takes part in.
pub(crate) fn participation<B: Backend>(queue: &Handle<B::Queue>) -> Option<Arc<Participation<B>>> {
    queue.kept().get(|part: &Participation<B>| !part.capture.is_open())
}

/// Whether a queue does not run what it is asked to do: that goes into a graph, or kernels fill the queue.
pub(crate) fn is_captured<B: Backend>(queue: &Handle<B::Queue>) -> bool {
    #[inline(never)]
    fn is_open<B: Backend>(queue: &Handle<B::Queue>) -> bool {
        queue.kept().is_on_device() || participation::<B>(queue).is_some()
    }
    queue.kept().is_taken() && is_open::<B>(queue)
}

/// Refuses for a queue that captures what only a queue that runs can do.
pub(crate) fn check_runs<B: Backend>(queue: &Handle<B::Queue>, what: &'static str) -> Result<()> {
    #[inline(never)]
    fn refused<B: Backend>(queue: &Handle<B::Queue>, what: &'static str) -> Error {
        if let Err(error) = check_takes_commands::<B>(queue) {
            return error;
        }
        let text = format!("hQueue captures: {what} is not possible until the capture has ended");
        capture_error(origin(queue), UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text)
    }
    if is_captured::<B>(queue) { Err(refused::<B>(queue, what)) } else { Ok(()) }
}

/// Refuses a queue that kernels fill: Intel's CPU runtime ends the process over a command of the host in one.
pub(crate) fn check_takes_commands<B: Backend>(queue: &Handle<B::Queue>) -> Result<()> {
    if queue.kept().is_on_device() {
        let text = "hQueue is a queue on the device: kernels fill it, and it takes no commands of the host";
        return Err(Error::new(ErrorCode::INVALID_QUEUE, text));
    }
    Ok(())
}

/// Begins a capture: into `graph`, or into a new one.
pub(crate) fn begin<B: Backend>(queue: &Handle<B::Queue>, graph: Option<&Counted<Graph<B>>>) -> Result<()> {
    check_takes_commands::<B>(queue)?;
    if is_captured::<B>(queue) {
        return Err(error(UR_RESULT_ERROR_INVALID_OPERATION, "hQueue: the queue captures already"));
    }
    let (context, device) = of_queue::<B>(queue)?;
    check_graphs::<B>(device)?;
    let makes_graph = graph.is_none();
    let graph = graph.map_or_else(|| new_graph::<B>(queue), |graph| Ok(graph.share()))?;
    let handle = graph.handle().expose_provenance();
    let capture = graph.begin(context, || Capture::begin(queue, handle))?;
    queue.kept().set(Arc::new(Participation { capture, number: 0, graph: Some(graph), makes_graph }));
    Ok(())
}

/// Refuses a device without graphs: they are command buffers.
pub(crate) fn check_graphs<B: Backend>(device: &B::Device) -> Result<()> {
    if query::flag::<B>(device, DeviceInfo::COMMAND_BUFFER_SUPPORT) {
        return Ok(());
    }
    Err(Error::unsupported("the device has no graphs, as it has no command buffers"))
}

/// A graph for a capture that is given none.
fn new_graph<B: Backend>(queue: &Handle<B::Queue>) -> Result<Shared<Graph<B>>> {
    let handle = Counted::create_with_front_word(origin(queue).word, Graph::<B>::new(None)).into_raw();
    // SAFETY: a live handle: it was just made.
    let graph = unsafe { neutral::object::<Counted<Graph<B>>>(handle, "the new graph")? };
    let shared = graph.share();
    // SAFETY: the reference that no caller gets.
    unsafe { graph.release() };
    Ok(shared)
}

/// Ends the capture that a queue has begun. Gives the graph; a new one goes to the caller.
pub(crate) fn end<B: Backend>(queue: &Handle<B::Queue>) -> Result<ur_exp_graph_handle_t> {
    let origin = origin(queue);
    let not_capturing = |text: &str| capture_error(origin, UR_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING, text);
    let part =
        participation::<B>(queue).ok_or_else(|| not_capturing("hQueue: the queue does not capture"))?;
    let Some(graph) = &part.graph else {
        return Err(not_capturing("hQueue: another queue has begun the capture, and has to end it"));
    };
    let ended = part.capture.end(origin);
    // Frees the queue's slot.
    participation::<B>(queue);
    ended?;
    if part.makes_graph {
        graph.retain();
    }
    Ok(graph.handle())
}

/// The events of a wait list that are of captured commands, each in its place.
///
/// # Safety
///
/// With a length > 0, the list is null or has so many handles of events.
unsafe fn internal_events<'a, B: Backend>(
    (count, list): WaitList,
) -> Result<Vec<Option<&'a Counted<GraphEvent<B>>>>> {
    // SAFETY: guaranteed by the caller.
    let events = unsafe { slice(count as usize, list, "phEventWaitList")? };
    // SAFETY: handles of events, or null.
    Ok(events.iter().map(|event| unsafe { GraphEvent::find(*event) }).collect())
}

/// Whether a wait list that is refused has an event of a captured command.
///
/// # Safety
///
/// Same as for [`internal_events`].
#[inline(never)]
pub(crate) unsafe fn has_internal_event<B: Backend>(waits: WaitList) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { internal_events::<B>(waits) }.is_ok_and(|events| events.iter().any(Option::is_some))
}

/// Records what a queue is asked to do: into its own capture, or into that of the events it waits for, which it joins.
///
/// # Safety
///
/// As [`internal_events`]; `event` is null or writable.
pub(crate) unsafe fn record<B: Backend>(
    queue: &Handle<B::Queue>,
    waits: WaitList,
    event: *mut ur_event_handle_t,
    what: ToRecord<'_, B>,
) -> Result<()> {
    check_takes_commands::<B>(queue)?;
    let (origin, part) = (origin(queue), participation::<B>(queue));
    // SAFETY: guaranteed by the caller.
    let internal = unsafe { internal_events::<B>(waits)? };
    let of_events = internal.iter().flatten().map(|event| &event.capture);
    let Some(capture) = part.iter().map(|part| &part.capture).chain(of_events).next().cloned() else {
        // The capture was ended by another thread just now.
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
        // SAFETY: not null, so writable.
        unsafe { event.write(new.into_raw()) };
    }
    Ok(())
}

/// The error of a command that no graph can have.
///
/// # Safety
///
/// Same as for [`internal_events`].
pub(crate) unsafe fn refuse<B: Backend>(queue: &Handle<B::Queue>, waits: WaitList) -> Error {
    // SAFETY: passed on; no event is wanted.
    let recorded =
        unsafe { record::<B>(queue, waits, std::ptr::null_mut(), ToRecord::Refused("the command")) };
    recorded.err().unwrap_or_else(|| internal_event(origin(queue)))
}

/// The nodes that the events of a wait list stand for.
///
/// # Safety
///
/// As [`internal_events`], which has given `internal`.
unsafe fn nodes<B: Backend>(
    queue: &Handle<B::Queue>,
    capture: &Arc<Capture<B>>,
    (_, list): WaitList,
    internal: &[Option<&Counted<GraphEvent<B>>>],
) -> Result<Vec<usize>> {
    let origin = origin(queue);
    let node = |(place, event): (usize, &Option<&Counted<GraphEvent<B>>>)| match event {
        Some(event) if Arc::ptr_eq(&event.capture, capture) => Ok(event.node),
        Some(event) if event.capture.is_open() => {
            let text = "phEventWaitList: an event is of another capture, which is open too";
            Err(capture_error(origin, UR_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT, text))
        }
        Some(_) => Err(internal_event(origin)),
        None => {
            // SAFETY: the list has as many entries as `internal`.
            let event = unsafe { *list.add(place) };
            // SAFETY: a handle of an event, or null.
            unsafe { object::<B::Event>(event, "phEventWaitList") }
                .map_err(|error| error.with_code(ErrorCode::INVALID_EVENT_WAIT_LIST))?;
            let text = "phEventWaitList: an event is of a command outside of the capture";
            Err(capture_error(origin, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, text))
        }
    };
    internal.iter().enumerate().map(node).collect()
}
