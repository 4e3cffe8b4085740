//! Tests of command buffers, which run next to the list that a queue appends to, and still keep the queue's order.

use std::ptr::{null, null_mut};
use std::thread;
use std::time::{Duration, Instant};

use super::Case;
use crate::{Fixture, Soft, fails, fixture, ok};
use sycl_pi_core::*;
use testing_support::{Gate, status};

pub(crate) const CASES: &[Case] = &[
    ("a_run_comes_after_what_another_thread_enqueued_while_it_waited_for_its_turn", place_in_the_queue),
    ("a_run_comes_after_the_barrier_before_it", after_a_barrier),
    ("many_commands_of_a_command_buffer_have_an_event_each", many),
    ("a_command_buffer_takes_only_what_is_of_its_context", other_context),
    ("a_command_buffer_leaves_nothing_behind", nothing_left),
];

/// How long to wait for something that must not happen. Waits for what must happen have no limit.
const LOOK: Duration = Duration::from_millis(100);

fn create(fixture: &Fixture) -> pi_ext_command_buffer {
    let (pi, mut buffer) = (fixture::newest(), null_mut());
    // SAFETY: numbers and pointers, for which 0 is valid.
    let mut desc: pi_ext_command_buffer_desc = unsafe { std::mem::zeroed() };
    desc.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC;
    ok!(pi, piextCommandBufferCreate(fixture.context, fixture.device, &desc, &mut buffer));
    buffer
}

/// Creates a command buffer that copies 4 bytes.
fn recorded(fixture: &Fixture, to: &crate::Usm, from: &crate::Usm) -> pi_ext_command_buffer {
    let (pi, buffer) = (fixture::newest(), create(fixture));
    ok!(pi, piextCommandBufferMemcpyUSM(buffer, to.start, from.start, 4, 0, null(), null_mut()));
    ok!(pi, piextCommandBufferFinalize(buffer));
    buffer
}

fn run(buffer: pi_ext_command_buffer, queue: pi_queue, waits: &[pi_event]) -> pi_event {
    let mut event = null_mut();
    let list = if waits.is_empty() { null() } else { waits.as_ptr() };
    ok!(fixture::newest(), piextEnqueueCommandBuffer(buffer, queue, waits.len() as u32, list, &mut event));
    event
}

/// Copies 4 bytes after `waits`.
fn copy(
    fixture: &Fixture,
    queue: pi_queue,
    to: &crate::Usm,
    from: &crate::Usm,
    waits: &[pi_event],
) -> pi_event {
    let mut event = null_mut();
    let (count, list) = (waits.len() as u32, waits.as_ptr());
    ok!(fixture.pi, piextUSMEnqueueMemcpy(queue, 0, to.start, from.start, 4, count, list, &mut event));
    event
}

fn is_complete(fixture: &Fixture, event: pi_event) -> bool {
    status(fixture.pi, event) == PI_EVENT_COMPLETE
}

fn place_in_the_queue() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    soft.reset();
    let (from, to) = (fixture.shared_memory(4), fixture.shared_memory(4));
    let buffer = recorded(&fixture, &to, &from);
    let other = fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (first_gate, gate) = (Gate::new(&fixture), Gate::new(&fixture));
    let first = run(buffer, other, &[first_gate.0]);
    // A buffer has only one run at a time, so this thread waits for the previous one.
    let (queue, again) = (fixture.queue.expose_provenance(), buffer.expose_provenance());
    let second = thread::spawn(move || {
        let [queue, buffer] = [queue, again].map(std::ptr::with_exposed_provenance_mut::<()>);
        let event = run(buffer.cast(), queue.cast(), &[]);
        ok!(fixture::newest(), piEventsWait(1, &event));
        ok!(fixture::newest(), piEventRelease(event));
    });
    thread::sleep(LOOK);
    let between = copy(&fixture, fixture.queue, &to, &from, &[gate.0]);
    first_gate.open();
    let until = Instant::now() + LOOK;
    while Instant::now() < until && !second.is_finished() {
        thread::yield_now();
    }
    assert!(!second.is_finished(), "the run has passed a command before it in an in-order queue");
    assert!(!is_complete(&fixture, between), "a command is taken for done before it could begin");
    gate.open();
    second.join().unwrap();
    fixture.wait(&[first, between]);
    ok!(fixture::newest(), piextCommandBufferRelease(buffer));
    ok!(fixture.pi, piQueueRelease(other));
    let complaints = soft.report().complaints;
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn after_a_barrier() {
    let fixture = Fixture::with(fixture::plugin(), PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (from, to) = (fixture.shared_memory(4), fixture.shared_memory(4));
    let buffer = recorded(&fixture, &to, &from);
    let gate = Gate::new(&fixture);
    let (queue, mut barrier) = (fixture.queue, null_mut());
    let before = copy(&fixture, queue, &to, &from, &[gate.0]);
    ok!(fixture.pi, piEnqueueEventsWaitWithBarrier(queue, 0, null(), &mut barrier));
    let behind = run(buffer, queue, &[]);
    let until = Instant::now() + LOOK;
    while Instant::now() < until && !is_complete(&fixture, behind) {
        thread::yield_now();
    }
    assert!(!is_complete(&fixture, behind), "the run has passed a barrier");
    gate.open();
    fixture.wait(&[before, barrier, behind]);
    ok!(fixture::newest(), piextCommandBufferRelease(buffer));
}

/// Copies a number from each place to the next, one after the other.
fn many() {
    const COUNT: usize = 200;
    let (soft, pi, fixture) = (Soft::find().unwrap(), fixture::newest(), Fixture::new(fixture::newest()));
    let (memory, mut buffer, mut point) = (fixture.shared_memory(4 * (COUNT + 1)), null_mut(), 0);
    soft.reset();
    fixture.write(&memory, &[7_i32]);
    ok!(pi, piextCommandBufferCreate(fixture.context, fixture.device, null(), &mut buffer));
    for at in 0..COUNT {
        let (to, from, after) = (memory.at(4 * (at + 1)), memory.at(4 * at), point);
        let waits = u32::from(at > 0);
        ok!(pi, piextCommandBufferMemcpyUSM(buffer, to, from, 4, waits, &after, &mut point));
    }
    ok!(pi, piextCommandBufferFinalize(buffer));
    fixture.wait(&[run(buffer, fixture.queue, &[])]);
    assert_eq!(fixture.read::<i32>(&memory, COUNT + 1), [7; COUNT + 1]);
    ok!(pi, piextCommandBufferRelease(buffer));
    let complaints = soft.report().complaints;
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn other_context() {
    let (fixture, other) = (Fixture::new(fixture::plugin()), Fixture::new(fixture::plugin()));
    let (pi, buffer, none, wrong) =
        (fixture::newest(), create(&fixture), null_mut(), PI_ERROR_INVALID_CONTEXT);
    let [own, foreign] = [&fixture, &other].map(|fixture| fixture.buffer(&mut [1_u8; 64]));
    let program = other.program(fixture::KERNELS);
    let kernel = program.kernel("nothing");
    fails!(pi, piextCommandBufferNDRangeKernel(buffer, kernel.raw, 1, &0, &8, &8, 0, null(), none), wrong);
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut part = pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 8, depth_scalar: 1 };
    let (at, part, no) = (&raw mut corner, &raw mut part, null());
    for [from, to] in [[own, foreign], [foreign, own]] {
        fails!(pi, piextCommandBufferMemBufferCopy(buffer, from, to, 0, 0, 64, 0, no, none), wrong);
        fails!(
            pi,
            piextCommandBufferMemBufferCopyRect(buffer, from, to, at, at, part, 0, 0, 0, 0, 0, no, none),
            wrong
        );
    }
    let mut host = [0_u8; 64];
    let host = host.as_mut_ptr().cast();
    fails!(pi, piextCommandBufferMemBufferRead(buffer, foreign, 0, 64, host, 0, null(), none), wrong);
    fails!(pi, piextCommandBufferMemBufferWrite(buffer, foreign, 0, 64, host, 0, null(), none), wrong);
    fails!(pi, piextCommandBufferMemBufferFill(buffer, foreign, host, 1, 0, 64, 0, null(), none), wrong);
    fails!(
        pi,
        piextCommandBufferMemBufferReadRect(buffer, foreign, at, at, part, 0, 0, 0, 0, host, 0, no, none),
        wrong
    );
    fails!(
        pi,
        piextCommandBufferMemBufferWriteRect(buffer, foreign, at, at, part, 0, 0, 0, 0, host, 0, no, none),
        wrong
    );
    ok!(pi, piextCommandBufferRelease(buffer));
    ok!(pi, piMemRelease(own));
    ok!(pi, piMemRelease(foreign));
}

fn nothing_left() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::newest()));
    let (pi, memory) = (fixture.pi, fixture.device_memory(1024));
    let work = || {
        let buffer = create(&fixture);
        let (mut last, value) = (0, (&raw const *b"x").cast());
        // More than one pool of events.
        for number in 0..300 {
            let (start, count) = (memory.at(number), u32::from(number > 0));
            let waits = &raw const last;
            ok!(pi, piextCommandBufferFillUSM(buffer, start, value, 1, 1, count, waits, &mut last));
        }
        ok!(pi, piextCommandBufferFinalize(buffer));
        for _ in 0..2 {
            fixture.wait(&[run(buffer, fixture.queue, &[])]);
        }
        ok!(pi, piextCommandBufferRelease(buffer));
        ok!(pi, piQueueFinish(fixture.queue));
    };
    // The first time, the queue gets its lists and events.
    work();
    let before = soft.report().alive;
    work();
    assert_eq!(soft.report().alive, before);
}
