//! Queues that are captured into graphs: the effects of the graphs when they run.

use std::ptr::{null, null_mut};

use sycl_pi_core::pi_kernel;
use sycl_ur_core::*;
use testing_ur_host::Layout;

use super::captured::{COUNT, Captured, Event, Room, instantiate, need_capture, new_graph};
use crate::case::{Case, case};
use crate::env::{Env, Owned, ramp};
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::{InWords, UrResult};

pub(super) const CASES: &[Case] = &[
    case("UR-49", "urQueueBeginGraphCaptureExp", in_order),
    case("UR-50", "urQueueBeginCaptureIntoGraphExp", out_of_order),
    case("UR-51", "urEnqueueUSMMemcpy", memory),
    case("UR-52", "urQueueIsGraphCaptureEnabledExp", forks),
    case("UR-53", "urGraphInstantiateGraphExp", executables),
    case("UR-54", "urEnqueueGraphExp", runs),
];

/// Commands of an in-order queue need no events because each follows the previous one. Nothing runs until the graph
/// runs.
fn in_order(f: &Env) -> Verdict {
    need_capture(f)?;
    let own = f.new_queue(0)?;
    let q = Captured::new(f, *own)?;
    let (add, multiply) = (f.kernel(c"add_value")?, f.kernel(c"mul_value")?);
    let (mem, out) = (f.buffer(&[-1_i32; COUNT])?, Room::new());
    same("before", false, q.captures()?)?;
    q.begin()?;
    same("while", true, q.captures()?)?;
    q.fill(*mem, 5, &[])?;
    for number in [1, 2] {
        q.launch(*add, *mem, number, &[])?;
        q.wait(true, &[])?;
        q.launch(*multiply, *mem, 3, &[])?;
    }
    q.read(*mem, out, &[])?;
    let graph = q.end()?;
    same("afterwards", false, q.captures()?)?;
    let executable = instantiate(&graph)?;
    same("before the first run", vec![-1; COUNT], f.read::<i32>(*mem, COUNT)?)?;
    for run in ["the first run", "the second run"] {
        out.set(0);
        q.run(&executable)?;
        same(run, vec![((5 + 1) * 3 + 2) * 3; COUNT], out.numbers())?;
    }
    // The queue itself runs commands again.
    q.launch(*add, *mem, 1, &[])?;
    same("a launch after the capture", vec![61; COUNT], f.read_on::<i32>(*own, *mem, 0, COUNT)?)
}

/// Unordered commands wait for events, and for barriers.
fn out_of_order(f: &Env) -> Verdict {
    need_capture(f)?;
    let own = f.out_of_order()?;
    let q = Captured::new(f, *own)?;
    let (add, multiply) = (f.kernel(c"add_value")?, f.kernel(c"mul_value")?);
    let (one, two) = (f.buffer(&[0_i32; COUNT])?, f.buffer(&[0_i32; COUNT])?);
    let (slow, scratch) = (f.kernel(c"slow")?, [f.buffer(&[0_i32; COUNT])?, f.buffer(&[0_i32; COUNT])?]);
    let (out, other, slowly) = (Room::new(), Room::new(), [Room::new(), Room::new()]);
    let graph = new_graph(f)?;
    // SAFETY: live handles.
    let code = unsafe { q.calls.urQueueBeginCaptureIntoGraphExp(q.queue, graph.1) };
    same_code("urQueueBeginCaptureIntoGraphExp", UR_RESULT_SUCCESS, code)?;
    let filled = [q.fill(*one, 7, &[])?, q.fill(*two, 9, &[])?];
    let added = q.launch(*add, *one, 1, &[&filled[0]])?;
    q.launch(*multiply, *one, 2, &[&added])?;
    let is_done = q.launch_slow(*slow, *scratch[0], &[])?;
    q.read(*scratch[0], slowly[0], &[&is_done])?;
    q.launch_slow(*slow, *scratch[1], &[])?;
    // After everything so far, without an event.
    q.wait(true, &[])?;
    q.read(*scratch[1], slowly[1], &[])?;
    let again = q.launch(*add, *one, 4, &[])?;
    let both = q.wait(false, &[&again, &filled[1]])?;
    q.read(*one, out, &[&both])?;
    q.read(*two, other, &[&both])?;
    let mut ended = null_mut();
    // SAFETY: a live queue, and room for the graph.
    let code = unsafe { q.calls.urQueueEndGraphCaptureExp(q.queue, &mut ended) };
    same("code and graph of the end", (UrResult(UR_RESULT_SUCCESS), graph.1), (UrResult(code), ended))?;
    let executable = instantiate(&graph)?;
    for run in 1..=3 {
        out.set(0);
        other.set(0);
        q.run(&executable)?;
        let slowly = slowly.map(|room| room.numbers()[0]);
        same("what took long, behind its event and behind the barrier", [run; 2], slowly)?;
        same("what was computed", vec![(7 + 1) * 2 + 4; COUNT], out.numbers())?;
        same("what was filled", vec![9; COUNT], other.numbers())?;
    }
    Ok(())
}

/// Copies and fills unified shared memory, in whole ranges and in rows.
fn memory(f: &Env) -> Verdict {
    need_capture(f)?;
    let own = f.new_queue(0)?;
    let q = Captured::new(f, *own)?;
    let (from, to) = (f.host(256)?, f.host(256)?);
    let device = f.on_device(256)?;
    let (start, end) = (from.ptr.cast::<u8>(), to.ptr.cast::<u8>());
    let bytes = ramp(256);
    q.begin()?;
    let (queue, none) = (q.queue, null_mut());
    // SAFETY: live handles, and memory of 256 bytes each.
    let codes = unsafe {
        [
            q.calls.urEnqueueUSMMemcpy(queue, 0, device.ptr, from.ptr, 256, 0, null(), none),
            q.calls.urEnqueueUSMFill(
                queue,
                device.ptr,
                4,
                [1_u8, 2, 3, 4].as_ptr().cast(),
                16,
                0,
                null(),
                none,
            ),
            q.calls.urEnqueueUSMFill(
                queue,
                device.ptr.byte_add(16),
                1,
                [9_u8].as_ptr().cast(),
                8,
                0,
                null(),
                none,
            ),
            q.calls.urEnqueueUSMPrefetch(
                queue,
                device.ptr,
                256,
                UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE,
                0,
                null(),
                none,
            ),
            q.calls.urEnqueueUSMAdvise(queue, device.ptr, 256, 0, none),
            // The start of two rows.
            q.calls.urEnqueueUSMFill2D(
                queue,
                device.ptr.byte_add(96),
                32,
                1,
                [7_u8].as_ptr().cast(),
                4,
                2,
                0,
                null(),
                none,
            ),
            // The left half of 8 rows, which are closer to each other in the copy.
            q.calls.urEnqueueUSMMemcpy2D(queue, 0, to.ptr, 24, device.ptr, 32, 16, 8, 0, null(), none),
        ]
    };
    same("codes", [UrResult(UR_RESULT_SUCCESS); 7], codes.map(UrResult))?;
    let executable = instantiate(&q.end()?)?;
    // The graph copies the content that the source has when it runs.
    // SAFETY: memory of the host that no command uses now.
    unsafe {
        start.copy_from(bytes.as_ptr(), 256);
        end.write_bytes(0, 256);
    }
    q.run(&executable)?;
    let mut on_device = bytes;
    on_device[..16].copy_from_slice(&[1, 2, 3, 4].repeat(4));
    on_device[16..24].fill(9);
    for start in [96, 128] {
        on_device[start..start + 4].fill(7);
    }
    let mut expected = vec![0; 256];
    for row in 0..8 {
        expected[row * 24..row * 24 + 16].copy_from_slice(&on_device[row * 32..row * 32 + 16]);
    }
    // SAFETY: the host's memory, which is unused because the run is over.
    same("bytes", expected, unsafe { std::slice::from_raw_parts(end, 256) }.to_vec())
}

/// A queue that waits for a captured event is captured too, until the first queue ends the capture.
fn forks(f: &Env) -> Verdict {
    need_capture(f)?;
    let (own, other, third) = (f.new_queue(0)?, f.new_queue(0)?, f.new_queue(0)?);
    let [one, two, three] = [*own, *other, *third].map(|queue| Captured::new(f, queue));
    let (one, two, three) = (one?, two?, three?);
    let (add, multiply) = (f.kernel(c"add_value")?, f.kernel(c"mul_value")?);
    let (left, right) = (f.buffer(&[0_i32; COUNT])?, f.buffer(&[0_i32; COUNT])?);
    let (out, of_fork) = (Room::new(), Room::new());
    // Earlier commands of a queue are not part of the graph.
    two.fill(*right, 1, &[])?.wait()?;
    one.begin()?;
    let start = one.fill(*left, 10, &[])?;
    same("before the fork", [true, false], [one.captures()?, two.captures()?])?;
    two.launch(*add, *right, 1, &[&start])?;
    same("after the fork", [true, true], [one.captures()?, two.captures()?])?;
    // No event is needed in order.
    let right_done = two.launch(*multiply, *right, 10, &[])?;
    let left_done = one.launch(*add, *left, 5, &[])?;
    // Joins through another queue.
    let joined = three.wait(true, &[&right_done, &left_done])?;
    let end = three.launch(*multiply, *left, 2, &[&joined])?;
    one.read(*right, of_fork, &[&end])?;
    one.read(*left, out, &[])?;
    // A barrier may follow the last command that the first queue waits for.
    three.wait(true, &[])?;
    let graph = one.end()?;
    let capturing = [one.captures()?, two.captures()?, three.captures()?];
    same("after the end", [false; 3], capturing)?;
    let executable = instantiate(&graph)?;
    one.run(&executable)?;
    same("the first queue's", vec![30; COUNT], out.numbers())?;
    same("the fork's", vec![20; COUNT], of_fork.numbers())?;
    one.run(&executable)?;
    same("the fork's, again", vec![210; COUNT], of_fork.numbers())?;
    // The queues themselves run commands again.
    two.fill(*right, 3, &[])?;
    same("a fill after the capture", vec![3; COUNT], f.read_on::<i32>(*other, *right, 0, COUNT)?)
}

/// Several executables of one graph keep what they need: the graph, the kernel and its arguments may be released.
fn executables(f: &Env) -> Verdict {
    need_capture(f)?;
    let own = f.new_queue(0)?;
    let q = Captured::new(f, *own)?;
    let mem = f.buffer(&[0_i32; COUNT])?;
    q.begin()?;
    {
        let kernel = f.kernel(c"add_value")?;
        q.launch(*kernel, *mem, 3, &[])?;
        if q.calls.layout() < Layout::V2026_2 {
            f.set_arg(*kernel, 1, 1000)?;
        }
    }
    let graph = q.end()?;
    let (first, second) = (instantiate(&graph)?, instantiate(&graph)?);
    check("", first.1 != second.1, "two handles", format!("{} twice", first.1.in_words()))?;
    q.run(&first)?;
    q.run(&second)?;
    same("a run of each", vec![6; COUNT], f.read::<i32>(*mem, COUNT)?)?;
    drop((graph, first));
    q.run(&second)?;
    same("without the graph", vec![9; COUNT], f.read::<i32>(*mem, COUNT)?)?;
    // Waits and barriers are enough for a graph.
    q.begin()?;
    q.wait(true, &[])?;
    q.wait(false, &[])?;
    q.run(&instantiate(&q.end()?)?)?;
    // An empty graph cannot be made executable.
    let (empty, mut executable) = (new_graph(f)?, null_mut());
    // SAFETY: a live graph, and room for the executable one.
    let code = unsafe { q.calls.urGraphInstantiateGraphExp(empty.1, &mut executable) };
    same(
        "an empty graph",
        (UrResult(UR_RESULT_ERROR_INVALID_ARGUMENT), true),
        (UrResult(code), executable.is_null()),
    )
}

/// A run waits for its wait list, follows the queue's order, and has a separate event.
fn runs(f: &Env) -> Verdict {
    need_capture(f)?;
    let (own, other) = (f.new_queue(0)?, f.new_queue(0)?);
    let (q, before) = (Captured::new(f, *own)?, Captured::new(f, *other)?);
    let (add, mem) = (f.kernel(c"add_value")?, f.buffer(&[0_i32; COUNT])?);
    q.begin()?;
    q.launch(*add, *mem, 1, &[])?;
    let executable = instantiate(&q.end()?)?;
    let busy: Owned<'_, pi_kernel> = f.busy(*mem, 3_000_000)?;
    let slow = Event(q.calls, f.launch_on(*other, *busy, 1)?.cast());
    let filled = before.fill(*mem, 40, &[&slow])?;
    let first = q.enqueue(&executable, &[&filled])?;
    let second = q.enqueue(&executable, &[])?;
    let mut kind = 0_u32;
    let place = (&raw mut kind).cast();
    // SAFETY: a live event, and room for a number.
    let code = unsafe { q.calls.urEventGetInfo(first.1, UR_EVENT_INFO_COMMAND_TYPE, 4, place, null_mut()) };
    let expected = (UrResult(UR_RESULT_SUCCESS), UR_COMMAND_ENQUEUE_GRAPH_EXP);
    same("code and type of the event", expected, (UrResult(code), kind))?;
    second.wait()?;
    same("behind the fill, twice", vec![42; COUNT], f.read::<i32>(*mem, COUNT)?)?;
    // So is a graph that has no command.
    q.begin()?;
    q.wait(false, &[])?;
    let waits = instantiate(&q.end()?)?;
    let slow = Event(q.calls, f.launch_on(*other, *busy, 1)?.cast());
    q.enqueue(&waits, &[&slow])?.wait()?;
    let mut status = u32::MAX;
    let (query, place) = (UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, (&raw mut status).cast());
    // SAFETY: a live event, and room for a number.
    let code = unsafe { q.calls.urEventGetInfo(slow.1, query, 4, place, null_mut()) };
    let complete = (UrResult(UR_RESULT_SUCCESS), UR_EVENT_STATUS_COMPLETE);
    same("what a graph of waits is behind", complete, (UrResult(code), status))
}
