//! Tests of out-of-order queues, whose commands alternate between several lists: what waits, what overtakes, and what
//! one event implies for others.

use std::ptr::{null, null_mut};
use std::thread;
use std::time::{Duration, Instant};

use super::Case;
use super::costs::count;
use crate::fixture::KERNELS;
use crate::operations::Bench;
use crate::{Fixture, Soft, Usm, fixture, ok};
use sycl_pi_core::*;
use testing_support::{Gate, status};

pub(crate) const CASES: &[Case] = &[
    ("a_barrier_holds_back_what_comes_on_every_list", holds_back),
    ("each_barrier_holds_back_the_copies_behind_it", holds_back_copies),
    ("finish_waits_for_every_list", finish),
    ("commands_keep_the_order_that_their_wait_lists_say", chains),
];

/// Skips the test unless the driver has in-order lists. On older drivers a queue has one list, on which a waiting
/// command blocks those after it.
pub(crate) const SEVERAL_LISTS: &[Case] = &[
    ("a_command_passes_those_that_wait_for_the_host", passes),
    ("a_command_passes_those_behind_one_that_waits_for_the_host", passes_what_is_behind),
    ("a_marker_holds_nothing_back", marker),
    ("a_queue_is_empty_only_if_each_of_its_lists_is", empty),
    ("an_event_tells_of_those_before_it_on_its_list", tells),
    ("a_chain_of_launches_stays_on_one_list", chain),
    ("launches_take_as_many_lists_as_the_device_has_sub_slices_up_to_four", lists),
];

const OUT_OF_ORDER: pi_queue_properties = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
/// How long to wait for something that must not happen.
const LOOK: Duration = Duration::from_millis(100);
/// The limit for something that must happen on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// More commands than a queue has lists.
const COMMANDS: usize = 40;

/// Shared memory with numbers, and an out-of-order queue that copies them one by one.
struct Numbers {
    memory: Usm,
    /// The last field, because a context must be released after its objects.
    fixture: Fixture,
}

impl Numbers {
    fn new(values: &[i32]) -> Self {
        let fixture = Fixture::with(fixture::plugin(), OUT_OF_ORDER);
        let memory = fixture.shared_memory(values.len() * 4);
        let numbers = Self { memory, fixture };
        for (at, value) in values.iter().enumerate() {
            // SAFETY: inside the block, which no command uses yet.
            unsafe { numbers.at(at).write(*value) };
        }
        numbers
    }

    fn at(&self, index: usize) -> *mut i32 {
        self.memory.start.cast::<i32>().wrapping_add(index)
    }

    /// Returns the number, whose command is complete.
    fn value(&self, index: usize) -> i32 {
        // SAFETY: inside the block, and nothing writes there anymore.
        unsafe { self.at(index).read_volatile() }
    }

    fn copy(&self, to: usize, from: usize, waits: &[pi_event]) -> pi_event {
        let (queue, mut event) = (self.fixture.queue, null_mut());
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        let (to, from, count) = (self.at(to).cast(), self.at(from).cast(), waits.len() as u32);
        ok!(self.fixture.pi, piextUSMEnqueueMemcpy(queue, 0, to, from, 4, count, list, &mut event));
        event
    }

    fn is_complete(&self, event: pi_event) -> bool {
        status(self.fixture.pi, event) == PI_EVENT_COMPLETE
    }

    /// Checks that all are complete, without waiting in the driver.
    fn come(&self, events: &[pi_event]) {
        let until = Instant::now() + PATIENCE;
        for (number, event) in events.iter().enumerate() {
            while !self.is_complete(*event) {
                assert!(Instant::now() < until, "command {number} of {} is stuck", events.len());
                thread::yield_now();
            }
        }
    }

    /// Checks that none is complete.
    fn stay(&self, events: &[pi_event]) {
        let until = Instant::now() + LOOK;
        while Instant::now() < until {
            let done = events.iter().position(|event| self.is_complete(*event));
            assert_eq!(done, None, "a command is done that has to wait");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn passes() {
    let numbers = Numbers::new(&[7; 2 * COMMANDS]);
    let gate = Gate::new(&numbers.fixture);
    let waiting: Vec<pi_event> = (1..COMMANDS).map(|to| numbers.copy(to, 0, &[gate.0])).collect();
    let free: Vec<pi_event> = (COMMANDS..2 * COMMANDS).map(|to| numbers.copy(to, 0, &[])).collect();
    numbers.come(&free);
    numbers.stay(&waiting);
    gate.open();
    numbers.fixture.wait(&[waiting, free].concat());
}

fn passes_what_is_behind() {
    let numbers = Numbers::new(&[7; 3 * COMMANDS]);
    let gate = Gate::new(&numbers.fixture);
    // Each waits for the previous one, the first for the host. Some go through an in-order queue.
    let in_order = numbers.fixture.queue(0);
    let mut waiting = vec![numbers.copy(1, 0, &[gate.0])];
    for to in 2..COMMANDS {
        let last = *waiting.last().unwrap();
        if to % 5 == 0 {
            let mut event = null_mut();
            ok!(numbers.fixture.pi, piEnqueueEventsWait(in_order, 1, &last, &mut event));
            ok!(numbers.fixture.pi, piEventRelease(event));
            ok!(numbers.fixture.pi, piEnqueueEventsWait(in_order, 0, null(), &mut event));
            waiting.push(event);
        } else {
            waiting.push(numbers.copy(to, to - 1, &[last]));
        }
    }
    let free: Vec<pi_event> = (2 * COMMANDS..3 * COMMANDS).map(|to| numbers.copy(to, 0, &[])).collect();
    numbers.come(&free);
    numbers.stay(&waiting);
    gate.open();
    numbers.fixture.wait(&[waiting, free].concat());
    ok!(numbers.fixture.pi, piQueueRelease(in_order));
}

fn holds_back() {
    let mut values = [0; COMMANDS + 2];
    values[0] = 5;
    for by_host in [true, false] {
        let numbers = Numbers::new(&values);
        let gate = Gate::new(&numbers.fixture);
        let (queue, mut barrier) = (numbers.fixture.queue, null_mut());
        let first = if by_host {
            numbers.copy(1, 0, &[gate.0])
        } else {
            // A chain that takes a while, without waiting for the host.
            let mut last = numbers.copy(1, 0, &[]);
            for _ in 0..200 {
                let next = numbers.copy(1, 0, &[last]);
                ok!(numbers.fixture.pi, piEventRelease(last));
                last = next;
            }
            last
        };
        ok!(numbers.fixture.pi, piEnqueueEventsWaitWithBarrier(queue, 0, null(), &mut barrier));
        let behind: Vec<pi_event> = (2..COMMANDS + 2).map(|to| numbers.copy(to, 1, &[])).collect();
        if by_host {
            numbers.stay(&behind);
        }
        gate.open();
        numbers.come(&behind);
        assert!(numbers.is_complete(first) && numbers.is_complete(barrier));
        assert!((2..COMMANDS + 2).all(|at| numbers.value(at) == 5), "a command has passed the barrier");
        numbers.fixture.wait(&[behind, vec![first, barrier]].concat());
    }
}

/// Copies may have a list of their own, with an engine for copies.
fn holds_back_copies() {
    // So many work-items take longer than the calls that follow, however fast the driver is.
    const MANY: usize = 1 << 20;
    let numbers = Numbers::new(&vec![1; MANY]);
    let fixture = &numbers.fixture;
    let barrier = || ok!(fixture.pi, piEnqueueEventsWaitWithBarrier(fixture.queue, 0, null(), null_mut()));
    barrier();
    let mut events = vec![numbers.copy(1, 0, &[])];
    let program = fixture.program(KERNELS);
    let scale = program.kernel("scale");
    scale.pointer(0, numbers.at(0).cast()).local(2, 4 << 10);
    // A chain that takes a while, and changes the number at its end.
    for (factor, items) in [(1_i32, MANY); 10].into_iter().chain([(7, 1)]) {
        scale.set(1, factor);
        events.push(fixture.launch(fixture.queue, &scale, items, &events[events.len() - 1..]));
    }
    barrier();
    let behind: Vec<pi_event> = (2..COMMANDS).map(|to| numbers.copy(to, 0, &[])).collect();
    numbers.come(&behind);
    assert!((2..COMMANDS).all(|at| numbers.value(at) == 7), "a copy has passed the second barrier");
    fixture.wait(&[events, behind].concat());
}

fn marker() {
    let numbers = Numbers::new(&[7; COMMANDS + 2]);
    let gate = Gate::new(&numbers.fixture);
    let (queue, mut marker) = (numbers.fixture.queue, null_mut());
    let first = numbers.copy(1, 0, &[gate.0]);
    ok!(numbers.fixture.pi, piEnqueueEventsWait(queue, 0, null(), &mut marker));
    let free: Vec<pi_event> = (2..COMMANDS + 2).map(|to| numbers.copy(to, 0, &[])).collect();
    numbers.come(&free);
    numbers.stay(&[first, marker]);
    gate.open();
    numbers.fixture.wait(&[free, vec![first, marker]].concat());
}

fn finish() {
    let mut values = [0; COMMANDS + 1];
    values[0] = 9;
    let numbers = Numbers::new(&values);
    let pi = numbers.fixture.pi;
    for round in 0..50 {
        // Without events, the driver's events are not visible to the host.
        for to in 1..COMMANDS {
            let (to, from) = (numbers.at(to).cast(), numbers.at(0).cast());
            ok!(pi, piextUSMEnqueueMemcpy(numbers.fixture.queue, 0, to, from, 4, 0, null(), null_mut()));
        }
        ok!(pi, piQueueFinish(numbers.fixture.queue));
        assert!((1..COMMANDS).all(|at| numbers.value(at) == 9), "round {round}");
        let mut empty: pi_bool = 0;
        let room = (&raw mut empty).cast();
        let queue = numbers.fixture.queue;
        ok!(fixture::newest(), piQueueGetInfo(queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY, 4, room, null_mut()));
        assert_eq!(empty, 1);
        (1..COMMANDS).for_each(|at| {
            // SAFETY: inside the block, and the queue is empty.
            unsafe { numbers.at(at).write(0) }
        });
    }
}

fn chains() {
    const COUNT: usize = 600;
    let mut values = vec![0; COUNT];
    values[0] = 3;
    let numbers = Numbers::new(&values);
    let mut random = 0x5eed_u64;
    let mut number = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let mut events = vec![numbers.copy(0, 0, &[])];
    for to in 1..COUNT {
        // Often waits for the previous one, so that chains stay on one list. Others are on any list.
        let from = if number(2) == 0 { to - 1 } else { number(to) };
        let other = number(to);
        let waits = [events[from], events[other]];
        events.push(numbers.copy(to, from, &waits[..1 + number(2)]));
    }
    let order: Vec<usize> = (0..COUNT).map(|turn| turn * 7 % COUNT).collect();
    for at in order {
        ok!(numbers.fixture.pi, piEventsWait(1, &events[at]));
        assert_eq!(numbers.value(at), 3, "command {at} is said to be done");
    }
    numbers.fixture.wait(&events);
}

fn tells() {
    let soft = Soft::find().unwrap();
    let mut bench = Bench::new(fixture::plugin(), OUT_OF_ORDER);
    for _ in 0..3 {
        let used = count(&mut bench, &soft, "event wait", 100);
        // Newest first, so that each list is checked once.
        assert!(used <= 16, "{used} hundredths of a driver call for the wait for an event");
    }
}

fn lists() {
    let soft = Soft::find().unwrap();
    let mut bench = Bench::new(fixture::plugin(), OUT_OF_ORDER);
    let made = || soft.report().calls.get("zeCommandListCreateImmediate").copied().unwrap_or(0);
    let before = made();
    // Far more than the device has completed before the next one comes, and the queue's first.
    bench.prepare("event wait", 100);
    bench.settle();
    assert_eq!(made() - before, u64::from(sub_slices().min(4)));
}

/// A launch that waits for the last one of a list needs no other list, and no event to wait for.
fn chain() {
    let soft = Soft::find().unwrap();
    let fixture = Fixture::with(fixture::plugin(), OUT_OF_ORDER);
    let program = fixture.program(KERNELS);
    let nothing = program.kernel("nothing");
    soft.reset();
    let mut events: Vec<pi_event> = Vec::new();
    for _ in 0..10 {
        events.push(fixture.launch(fixture.queue, &nothing, 1, &events[events.len().saturating_sub(1)..]));
    }
    let report = soft.report();
    assert_eq!((report.calls["zeCommandListCreateImmediate"], report.awaited), (1, 0));
    // Another one goes to the next list.
    events.push(fixture.launch(fixture.queue, &nothing, 1, &[]));
    assert_eq!(soft.report().calls["zeCommandListCreateImmediate"], 2);
    fixture.wait(&events);
}

/// Queries the first device.
fn sub_slices() -> u32 {
    let fixture = Fixture::with(fixture::newest(), 0);
    let number = |name| {
        let mut number = 0_u32;
        let room = (&raw mut number).cast();
        ok!(fixture.pi, piDeviceGetInfo(fixture.device, name, 4, room, null_mut()));
        number
    };
    number(PI_DEVICE_INFO_GPU_SLICES) * number(PI_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE)
}

fn empty() {
    let numbers = Numbers::new(&[7; 16]);
    let (pi, queue) = (numbers.fixture.pi, numbers.fixture.queue);
    let is_empty = || {
        let mut empty: pi_bool = 7;
        let room = (&raw mut empty).cast();
        ok!(pi, piQueueGetInfo(queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY, 4, room, null_mut()));
        empty == 1
    };
    let program = numbers.fixture.program(KERNELS);
    let nothing = program.kernel("nothing");
    // The command that waits is the first one, or the last.
    for first in [true, false] {
        let gate = Gate::new(&numbers.fixture);
        let mut events = Vec::new();
        if first {
            events.push(numbers.copy(1, 0, &[gate.0]));
        }
        let done = [numbers.copy(2, 0, &[]), numbers.fixture.launch(queue, &nothing, 1, &[])];
        numbers.come(&done);
        if !first {
            events.push(numbers.copy(1, 0, &[gate.0]));
        }
        let early = is_empty();
        gate.open();
        events.extend(done);
        numbers.fixture.wait(&events);
        assert!(!early, "a command waits, first: {first}");
        assert!(is_empty());
    }
}
