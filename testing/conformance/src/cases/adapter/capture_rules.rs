//! Queues that are captured into graphs: what is refused, and queries of graphs.

use std::ffi::{CString, c_void};
use std::fs;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use sycl_ur_core::*;
use testing_ur_host::Layout;

use super::captured::{COUNT, Captured, Event, Graph, Room, instantiate, need_capture, new_graph};
use super::features::need;
use super::handles::{adapter, last_text};
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::{InWords, UrResult};

pub(super) const CASES: &[Case] = &[
    case("UR-55", "urQueueEndGraphCaptureExp", beginnings_and_ends),
    case("UR-56", "urEnqueueMemBufferRead", what_cannot_be_captured),
    case("UR-57", "urEventWait", events),
    case("UR-58", "urQueueEndGraphCaptureExp", unjoined),
    case("UR-59", "urGraphDumpContentsExp", facts),
    case("UR-60", "urGraphSetDestructionCallbackExp", callbacks),
    case("UR-61", "urQueueRelease", abandoned),
];

/// Returns the code of the layout. Those for captures were added in 2026.2.
fn own(q: &Captured<'_>, code: ur_result_t) -> ur_result_t {
    if q.calls.layout() < Layout::V2026_2 { UR_RESULT_ERROR_INVALID_OPERATION } else { code }
}

/// Checks a refusal with a code and a message that names the call.
fn refused(q: &Captured<'_>, call: &str, expected: ur_result_t, code: ur_result_t) -> Verdict {
    same_code(call, expected, code)?;
    let text = last_text(q.f)?;
    check(call, text.contains(call), "a text that names the call", text)
}

fn end_is_refused(q: &Captured<'_>, expected: ur_result_t) -> Verdict {
    let mut graph = null_mut();
    // SAFETY: a live queue, and room for the graph.
    let code = unsafe { q.calls.urQueueEndGraphCaptureExp(q.queue, &mut graph) };
    refused(q, "urQueueEndGraphCaptureExp", own(q, expected), code)?;
    check("urQueueEndGraphCaptureExp", graph.is_null(), "no graph", graph.in_words())
}

fn into(q: &Captured<'_>, graph: &Graph) -> ur_result_t {
    // SAFETY: live handles.
    unsafe { q.calls.urQueueBeginCaptureIntoGraphExp(q.queue, graph.1) }
}

fn is_empty(graph: &Graph) -> Verdict<bool> {
    let mut answer = 7;
    // SAFETY: a live graph, and room for a truth value.
    let code = unsafe { graph.0.urGraphIsEmptyExp(graph.1, &mut answer) };
    same_code("urGraphIsEmptyExp", UR_RESULT_SUCCESS, code)?;
    check("urGraphIsEmptyExp", answer <= 1, "0 or 1", answer)?;
    Ok(answer == 1)
}

/// A capture has one beginning and one end, and a graph has one capture.
fn beginnings_and_ends(f: &Env) -> Verdict {
    need_capture(f)?;
    let own_queue = f.new_queue(0)?;
    let q = Captured::new(f, *own_queue)?;
    end_is_refused(&q, UR_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING)?;
    q.begin()?;
    // SAFETY: a live queue.
    let again = unsafe { q.calls.urQueueBeginGraphCaptureExp(q.queue) };
    refused(&q, "urQueueBeginGraphCaptureExp", UR_RESULT_ERROR_INVALID_OPERATION, again)?;
    let graph = q.end()?;
    same("an empty graph", true, is_empty(&graph)?)?;
    end_is_refused(&q, UR_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING)?;
    // An empty graph may be captured into again.
    same_code("into the graph", UR_RESULT_SUCCESS, into(&q, &graph))?;
    // No other queue may use it during the capture.
    let second = f.new_queue(0)?;
    let code = into(&Captured::new(f, *second)?, &graph);
    refused(&q, "urQueueBeginCaptureIntoGraphExp", UR_RESULT_ERROR_INVALID_GRAPH, code)?;
    let mut executable = null_mut();
    // SAFETY: a live graph, and room for the executable one.
    let code = unsafe { q.calls.urGraphInstantiateGraphExp(graph.1, &mut executable) };
    refused(&q, "urGraphInstantiateGraphExp", UR_RESULT_ERROR_INVALID_GRAPH, code)?;
    q.wait(false, &[])?;
    let mut ended = null_mut();
    // SAFETY: a live queue, and room for the graph.
    let code = unsafe { q.calls.urQueueEndGraphCaptureExp(q.queue, &mut ended) };
    same("code and graph", (UrResult(UR_RESULT_SUCCESS), graph.1), (UrResult(code), ended))?;
    same("a graph with a wait", false, is_empty(&graph)?)?;
    let code = into(&q, &graph);
    refused(&q, "urQueueBeginCaptureIntoGraphExp", UR_RESULT_ERROR_INVALID_ARGUMENT, code)?;
    let other = f.new_context()?;
    let foreign = f.queue_in(*other, f.device, 0)?;
    let code = into(&Captured::new(f, *foreign)?, &new_graph(f)?);
    refused(&q, "urQueueBeginCaptureIntoGraphExp", UR_RESULT_ERROR_INVALID_CONTEXT, code)
}

/// The host cannot wait during a capture. A command that a graph cannot contain makes the capture invalid: later
/// commands are refused, and so is the end. None of it has run.
fn what_cannot_be_captured(f: &Env) -> Verdict {
    need_capture(f)?;
    let own_queue = f.new_queue(0)?;
    let q = Captured::new(f, *own_queue)?;
    let (mem, room) = (f.buffer(&[4_i32; COUNT])?, Room::new());
    let graph = new_graph(f)?;
    same_code("into the graph", UR_RESULT_SUCCESS, into(&q, &graph))?;
    // SAFETY: a live queue.
    let finish = unsafe { q.calls.urQueueFinish(q.queue) };
    refused(&q, "urQueueFinish", own(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED), finish)?;
    // SAFETY: a live queue.
    same_code("urQueueFlush", UR_RESULT_SUCCESS, unsafe { q.calls.urQueueFlush(q.queue) })?;
    q.fill(*mem, 5, &[])?;
    let mut numbers = [0_i32; COUNT];
    let place: *mut c_void = numbers.as_mut_ptr().cast();
    // SAFETY: live handles, and room for the numbers.
    let blocking = unsafe {
        q.calls.urEnqueueMemBufferRead(q.queue, (*mem).cast(), 1, 0, COUNT * 4, place, 0, null(), null_mut())
    };
    let unsupported = own(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
    refused(&q, "urEnqueueMemBufferRead", unsupported, blocking)?;
    // SAFETY: live handles, and room for the numbers.
    let after = unsafe {
        q.calls.urEnqueueMemBufferRead(q.queue, (*mem).cast(), 0, 0, COUNT * 4, place, 0, null(), null_mut())
    };
    let invalidated = own(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED);
    refused(&q, "urEnqueueMemBufferRead", invalidated, after)?;
    end_is_refused(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED)?;
    same("after the end", false, q.captures()?)?;
    same("numbers", vec![4; COUNT], f.read::<i32>(*mem, COUNT)?)?;
    let mut executable = null_mut();
    // SAFETY: a live graph, and room for the executable one.
    let code = unsafe { q.calls.urGraphInstantiateGraphExp(graph.1, &mut executable) };
    refused(&q, "urGraphInstantiateGraphExp", UR_RESULT_ERROR_INVALID_GRAPH, code)?;
    // The queue runs commands again.
    q.fill(*mem, 6, &[])?;
    q.read(*mem, room, &[])?;
    // SAFETY: a live queue.
    same_code("urQueueFinish", UR_RESULT_SUCCESS, unsafe { q.calls.urQueueFinish(q.queue) })?;
    same("numbers afterwards", vec![6; COUNT], room.numbers())
}

/// Events of a capture only order commands of that capture.
fn events(f: &Env) -> Verdict {
    need_capture(f)?;
    let (own_queue, other) = (f.new_queue(0)?, f.new_queue(0)?);
    let (q, second) = (Captured::new(f, *own_queue)?, Captured::new(f, *other)?);
    let mem = f.buffer(&[0_i32; COUNT])?;
    let outside = second.fill(*mem, 1, &[])?;
    outside.wait()?;
    q.begin()?;
    let inside = q.fill(*mem, 2, &[])?;
    let fill = |q: &Captured<'_>, event: &Event| {
        let (pattern, mut out) = (3_i32, null_mut());
        // SAFETY: live handles, and a pattern that stays during the call.
        let code = unsafe {
            q.calls.urEnqueueMemBufferFill(
                q.queue,
                (*mem).cast(),
                (&raw const pattern).cast(),
                4,
                0,
                COUNT * 4,
                1,
                &event.1,
                &mut out,
            )
        };
        check("phEvent of what is refused", out.is_null(), "no event", out.in_words()).map(|()| code)
    };
    let unsupported = own(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
    let internal = own(&q, UR_RESULT_ERROR_GRAPH_INTERNAL_EVENT);
    refused(&q, "urEnqueueMemBufferFill", unsupported, fill(&q, &outside)?)?;
    let nothing = Event(q.calls, null_mut());
    let wrong_list = UR_RESULT_ERROR_INVALID_EVENT_WAIT_LIST;
    refused(&q, "urEnqueueMemBufferFill", wrong_list, fill(&q, &nothing)?)?;
    second.begin()?;
    let merge = own(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT);
    refused(&q, "urEnqueueMemBufferFill", merge, fill(&second, &inside)?)?;
    drop(second.end()?);
    let look = |expected| {
        let (mut answer, place) = (0_u64, null_mut());
        // SAFETY: a live event, and room for the answers.
        unsafe {
            refused(&q, "urEventWait", expected, q.calls.urEventWait(1, &inside.1))?;
            let room = (&raw mut answer).cast();
            let code =
                q.calls.urEventGetInfo(inside.1, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, 4, room, place);
            refused(&q, "urEventGetInfo", expected, code)?;
            let code =
                q.calls.urEventGetProfilingInfo(inside.1, UR_PROFILING_INFO_COMMAND_END, 8, room, place);
            refused(&q, "urEventGetProfilingInfo", expected, code)?;
            let count = (&raw mut answer).cast();
            same_code("urEventRetain", UR_RESULT_SUCCESS, q.calls.urEventRetain(inside.1))?;
            let code = q.calls.urEventGetInfo(inside.1, UR_EVENT_INFO_REFERENCE_COUNT, 4, count, place);
            same("code and references", (UrResult(UR_RESULT_SUCCESS), 2), (UrResult(code), answer as u32))?;
            same_code("urEventRelease", UR_RESULT_SUCCESS, q.calls.urEventRelease(inside.1))
        }
    };
    look(unsupported)?;
    // The capture is still valid after the refused commands.
    let executable = instantiate(&q.end()?)?;
    look(internal)?;
    refused(&q, "urEnqueueMemBufferFill", internal, fill(&q, &inside)?)?;
    refused(&q, "urEnqueueMemBufferFill", internal, fill(&second, &inside)?)?;
    q.run(&executable)?;
    same("numbers", vec![2; COUNT], f.read::<i32>(*mem, COUNT)?)
}

/// The commands of a fork have to be joined.
fn unjoined(f: &Env) -> Verdict {
    need_capture(f)?;
    let (own_queue, other) = (f.new_queue(0)?, f.new_queue(0)?);
    let (q, fork) = (Captured::new(f, *own_queue)?, Captured::new(f, *other)?);
    let mem = f.buffer(&[1_i32; COUNT])?;
    for has_joined_before in [false, true] {
        q.begin()?;
        let start = q.wait(true, &[])?;
        let forked = fork.wait(true, &[&start])?;
        // Only the queue that began the capture can end it.
        end_is_refused(&fork, UR_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING)?;
        if has_joined_before {
            q.wait(true, &[&forked])?;
            fork.fill(*mem, 2, &[])?;
        }
        end_is_refused(&q, UR_RESULT_ERROR_GRAPH_UNJOINED_FORKS)?;
        same("afterwards", [false, false], [q.captures()?, fork.captures()?])?;
    }
    // A command that is refused takes no queue into the capture.
    let small = f.buffer(&[1_i32])?;
    q.begin()?;
    let start = q.wait(true, &[])?;
    same("a fill beyond the buffer is refused", true, fork.fill(*small, 2, &[&start]).is_err())?;
    same("the queue is captured", false, fork.captures()?)?;
    q.end()?;
    fork.fill(*mem, 3, &[])?;
    same("numbers", vec![3; COUNT], f.read_on::<i32>(*other, *mem, 0, COUNT)?)?;
    of_another_device(f)
}

/// A graph has commands of one device, and what is refused leaves its capture as it was.
fn of_another_device(f: &Env) -> Verdict {
    let Ok(pair) = f.pair() else { return Ok(()) };
    let devices: Vec<_> = pair.iter().take(2).map(|device| **device).collect();
    let context = f.context_of(&devices)?;
    let [one, two] = [f.queue_in(*context, devices[0], 0)?, f.queue_in(*context, devices[1], 0)?];
    let (q, other) = (Captured::new(f, *one)?, Captured::new(f, *two)?);
    let mem = f.buffer_in(*context, &[1_i32; COUNT])?;
    q.begin()?;
    let filled = q.fill(*mem, 2, &[])?;
    let (pattern, size, mut event) = (3_i32, COUNT * 4, null_mut());
    // SAFETY: live handles, and a pattern that stays during the call.
    let code = unsafe {
        let start = (&raw const pattern).cast();
        q.calls.urEnqueueMemBufferFill(two.cast(), mem.cast(), start, 4, 0, size, 1, &filled.1, &mut event)
    };
    let unsupported = own(&q, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
    refused(&q, "urEnqueueMemBufferFill", unsupported, code)?;
    same("the queue of the other device is captured", false, other.captures()?)?;
    let executable = instantiate(&q.end()?)?;
    q.run(&executable)?;
    same("numbers", vec![2; COUNT], f.read_on::<i32>(*one, *mem, 0, COUNT)?)
}

/// The graph of a queue, its number, its nodes as text, and the driver's object.
fn facts(f: &Env) -> Verdict {
    need_capture(f)?;
    let own_queue = f.new_queue(0)?;
    let q = Captured::new(f, *own_queue)?;
    let (kernel, mem) = (f.kernel(c"add_value")?, f.buffer(&[1_i32; COUNT])?);
    let tells = q.calls.layout() >= Layout::V2026_1_1;
    let current = || {
        let mut graph = null_mut();
        // SAFETY: a live queue, and room for the graph.
        let code = unsafe { q.calls.urQueueGetGraphExp(q.queue, &mut graph) };
        (UrResult(code), graph)
    };
    if tells {
        same("no graph", (UrResult(UR_RESULT_ERROR_INVALID_OPERATION), null_mut()), current())?;
    }
    q.begin()?;
    let while_open = tells.then(current);
    q.launch(*kernel, *mem, 1, &[])?;
    q.fill(*mem, 1, &[])?;
    let (graph, other) = (q.end()?, new_graph(f)?);
    if tells {
        same("the graph", Some((UrResult(UR_RESULT_SUCCESS), graph.1)), while_open)?;
        same("no graph", (UrResult(UR_RESULT_ERROR_INVALID_OPERATION), null_mut()), current())?;
        let mut ids = [0_u64; 3];
        for (id, of) in ids.iter_mut().zip([graph.1, other.1, graph.1]) {
            // SAFETY: a live graph, and room for a number.
            same_code("urGraphGetIdExp", UR_RESULT_SUCCESS, unsafe { q.calls.urGraphGetIdExp(of, id) })?;
        }
        check("", ids[0] != ids[1] && ids[0] == ids[2], "a number for each graph", ids.in_words())?;
        natives(&q, &graph)?;
    }
    let folder = std::env::temp_dir();
    let path = folder.join(format!("pi-conformance-graph-{}.dot", std::process::id()));
    let name = CString::new(path.to_string_lossy().as_bytes()).unwrap_or_default();
    // SAFETY: live graphs, and texts.
    unsafe {
        let dump = |graph: &Graph| q.calls.urGraphDumpContentsExp(graph.1, name.as_ptr());
        same_code("urGraphDumpContentsExp", UR_RESULT_SUCCESS, dump(&other))?;
        let text = fs::read_to_string(&path).unwrap_or_default();
        let is_empty = text.starts_with("digraph") && !text.contains("->") && !text.contains("label");
        check("an empty graph", is_empty, "a digraph without nodes", &text)?;
        same_code("urGraphDumpContentsExp", UR_RESULT_SUCCESS, dump(&graph))?;
        let text = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(&path);
        let is_whole = text.starts_with("digraph")
            && text.contains("add_value")
            && text.contains("Fill")
            && text.matches("->").count() == 1;
        check("a graph", is_whole, "a digraph of two nodes, one behind the other", &text)?;
        let code = q.calls.urGraphDumpContentsExp(graph.1, c"/nowhere/at/all/graph.dot".as_ptr());
        let (mut text, mut number) = (null(), 0);
        let asked = q.calls.urAdapterGetLastError(adapter(q.calls)?, &mut text, &mut number);
        // A success would be a warning for libsycl of 2025.0.5.
        same_code("urAdapterGetLastError", UR_RESULT_ERROR_ADAPTER_SPECIFIC, asked)?;
        refused(&q, "urGraphDumpContentsExp", UR_RESULT_ERROR_ADAPTER_SPECIFIC, code)
    }
}

/// The driver's graphs, if it has any, are two different objects.
fn natives(q: &Captured<'_>, graph: &Graph) -> Verdict {
    let executable = instantiate(graph)?;
    let mut natives = [0_usize; 2];
    // SAFETY: live handles, and room for the driver's.
    let codes = unsafe {
        [
            q.calls.urGraphGetNativeHandleExp(graph.1, &mut natives[0]),
            q.calls.urGraphExecutableGraphGetNativeHandleExp(executable.1, &mut natives[1]),
        ]
    };
    if q.f.backend == sycl_pi_loader::Backend::Cuda {
        same("codes", [UrResult(UR_RESULT_SUCCESS); 2], codes.map(UrResult))?;
        let [one, two] = natives;
        return check("", one != 0 && two != 0 && one != two, "two handles", natives.in_words());
    }
    same("codes", [UrResult(UR_RESULT_ERROR_UNSUPPORTED_FEATURE); 2], codes.map(UrResult))
}

/// The number of calls of a callback.
static CALLED: AtomicU32 = AtomicU32::new(0);

extern "C" fn add(number: *mut c_void) {
    CALLED.fetch_add(number as usize as u32, Ordering::Relaxed);
}

/// Each callback is called once, when the graph is destroyed.
fn callbacks(f: &Env) -> Verdict {
    need_capture(f)?;
    need(f, "urGraphSetDestructionCallbackExp")?;
    let own_queue = f.new_queue(0)?;
    let q = Captured::new(f, *own_queue)?;
    CALLED.store(0, Ordering::Relaxed);
    q.begin()?;
    let event = q.wait(true, &[])?;
    let graph = q.end()?;
    for number in [1_usize, 10] {
        let code =
            // SAFETY: a live graph, and a function that accepts any address as its data.
            unsafe { q.calls.urGraphSetDestructionCallbackExp(graph.1, Some(add), number as *mut c_void) };
        same_code("urGraphSetDestructionCallbackExp", UR_RESULT_SUCCESS, code)?;
    }
    let executable = instantiate(&graph)?;
    same("while the graph is there", 0, CALLED.load(Ordering::Relaxed))?;
    drop(graph);
    same("afterwards", 11, CALLED.load(Ordering::Relaxed))?;
    drop((executable, event));
    same("when all has gone", 11, CALLED.load(Ordering::Relaxed))?;
    // The end of a capture into a graph keeps nothing of it.
    let graph = new_graph(f)?;
    same_code("into the graph", UR_RESULT_SUCCESS, into(&q, &graph))?;
    let event = q.wait(true, &[])?;
    let mut ended = null_mut();
    // SAFETY: a live queue, and room for the graph.
    let code = unsafe { q.calls.urQueueEndGraphCaptureExp(q.queue, &mut ended) };
    same("code and graph", (UrResult(UR_RESULT_SUCCESS), graph.1), (UrResult(code), ended))?;
    let code =
        // SAFETY: a live graph, and a function that accepts any address as its data.
        unsafe { q.calls.urGraphSetDestructionCallbackExp(graph.1, Some(add), 100_usize as *mut c_void) };
    same_code("urGraphSetDestructionCallbackExp", UR_RESULT_SUCCESS, code)?;
    drop((graph, event));
    same("after a graph of the caller", 111, CALLED.load(Ordering::Relaxed))
}

/// A queue may be released during its capture. The graph is then unusable.
fn abandoned(f: &Env) -> Verdict {
    need_capture(f)?;
    let (own_queue, other) = (f.new_queue(0)?, f.new_queue(0)?);
    let (q, fork, mem) =
        (Captured::new(f, *own_queue)?, Captured::new(f, *other)?, f.buffer(&[1_i32; COUNT])?);
    let graph = new_graph(f)?;
    same_code("into the graph", UR_RESULT_SUCCESS, into(&q, &graph))?;
    let event = q.fill(*mem, 2, &[])?;
    fork.wait(true, &[&event])?;
    drop(own_queue);
    same("the fork", false, fork.captures()?)?;
    let mut executable = null_mut();
    // SAFETY: a live graph, and room for the executable one.
    let code = unsafe { fork.calls.urGraphInstantiateGraphExp(graph.1, &mut executable) };
    refused(&fork, "urGraphInstantiateGraphExp", UR_RESULT_ERROR_INVALID_GRAPH, code)?;
    fork.fill(*mem, 3, &[])?;
    same("numbers", vec![3; COUNT], f.read_on::<i32>(*other, *mem, 0, COUNT)?)
}
