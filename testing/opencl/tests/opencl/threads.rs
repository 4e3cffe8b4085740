//! Tests of threads that wait at the same time. Intel's CPU runtime on its own locks up when two do
//! (`plugins/opencl/src/sys/serialize.rs`), and that of 2023 breaks when two allocate and free.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::thread;
use std::time::Duration;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "threads",
        [
            wait_for_their_own_events_at_once,
            finish_their_own_queues_at_once,
            read_and_write_blocking_at_once,
            map_blocking_at_once,
            copy_usm_blocking_at_once,
            allocate_and_free_usm_at_once,
            release_their_own_queues_at_once,
            release_a_queue_while_another_wait_lasts,
            wait_while_another_wait_lasts,
            finish_while_another_wait_lasts,
            block_while_another_wait_lasts,
            free_while_another_wait_lasts,
            hear_of_a_failed_command_while_another_wait_lasts,
            wait_for_events_of_two_contexts_to_the_end_although_one_has_failed,
        ]
    );
}

const THREADS: usize = 4;
const BYTES: usize = 4096;

/// The objects of one thread: a context, an out-of-order queue, a buffer.
struct Own {
    f: Fixture,
    queue: pi_queue,
    mem: pi_mem,
}

impl Own {
    fn new() -> Self {
        let f = Fixture::new();
        let queue = f.queue_with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let flags = PI_MEM_FLAGS_ACCESS_RW;
        let mem = made!(f.pi, |out| piMemBufferCreate(f.context, flags, BYTES, null_mut(), out, null()));
        Self { f, queue, mem }
    }

    fn write(&self, blocking: bool, from: &[u8], event: *mut pi_event) {
        let (size, start, blocking) = (from.len(), from.as_ptr().cast(), blocking.into());
        ok!(
            self.f.pi,
            piEnqueueMemBufferWrite(self.queue, self.mem, blocking, 0, size, start, 0, null(), event)
        );
    }

    fn read(&self, blocking: bool, to: &mut [u8], event: *mut pi_event) {
        let (size, start, blocking) = (to.len(), to.as_mut_ptr().cast(), blocking.into());
        ok!(
            self.f.pi,
            piEnqueueMemBufferRead(self.queue, self.mem, blocking, 0, size, start, 0, null(), event)
        );
    }

    fn shared(&self) -> *mut c_void {
        made!(self.f.pi, |out| piextUSMSharedAlloc(out, self.f.context, self.f.device, null_mut(), BYTES, 0))
    }

    fn free(&self, ptr: *mut c_void) {
        ok!(self.f.pi, piextUSMFree(self.f.context, ptr));
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // If the test is already failing, its own message tells more.
        let _ = call!(self.f.pi, piMemRelease(self.mem));
        let _ = call!(self.f.pi, piQueueRelease(self.queue));
    }
}

/// Runs rounds in several threads, each with its own objects.
fn at_once(rounds: usize, round: fn(&Own, u8)) {
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                let own = Own::new();
                (0..rounds).for_each(|number| round(&own, (number + thread) as u8));
            });
        }
    });
}

fn wait_for_their_own_events_at_once() {
    at_once(1000, |own, value| {
        let (from, mut to, mut event) = ([value; BYTES], [!value; BYTES], null_mut());
        own.write(false, &from, &mut event);
        own.f.wait(event);
        own.read(false, &mut to, &mut event);
        own.f.wait(event);
        assert_eq!(from, to);
    });
}

fn finish_their_own_queues_at_once() {
    at_once(1000, |own, value| {
        let (from, mut to) = ([value; BYTES], [!value; BYTES]);
        own.write(false, &from, null_mut());
        ok!(own.f.pi, piQueueFinish(own.queue));
        own.read(false, &mut to, null_mut());
        ok!(own.f.pi, piQueueFinish(own.queue));
        assert_eq!(from, to);
    });
}

fn read_and_write_blocking_at_once() {
    at_once(1000, |own, value| {
        let (from, mut to, mut event) = ([value; BYTES], [!value; BYTES], null_mut());
        own.write(true, &from, null_mut());
        own.read(true, &mut to, &mut event);
        assert_eq!(from, to);
        let status = get!(own.f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32);
        assert_eq!(status, PI_EVENT_COMPLETE);
        own.f.wait(event);
    });
}

fn map_blocking_at_once() {
    at_once(500, |own, value| {
        own.write(true, &[value; BYTES], null_mut());
        let (queue, mem, none) = (own.queue, own.mem, null_mut());
        let mapped: *mut c_void = made!(own.f.pi, |out| piEnqueueMemBufferMap(
            queue,
            mem,
            1,
            PI_MAP_READ,
            0,
            BYTES,
            0,
            null(),
            none,
            out
        ));
        // SAFETY: a finished mapping of that many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(mapped.cast::<u8>(), BYTES) };
        assert_eq!(bytes, [value; BYTES]);
        ok!(own.f.pi, piEnqueueMemUnmap(queue, mem, mapped, 0, null(), null_mut()));
        ok!(own.f.pi, piQueueFinish(queue));
    });
}

fn copy_usm_blocking_at_once() {
    at_once(500, |own, value| {
        let (one, two) = (own.shared(), own.shared());
        let (queue, mut event) = (own.queue, null_mut());
        ok!(own.f.pi, piextUSMEnqueueMemset(queue, one, value.into(), BYTES, 0, null(), &mut event));
        ok!(own.f.pi, piextUSMEnqueueMemcpy(queue, 1, two, one, BYTES, 1, &event, null_mut()));
        ok!(own.f.pi, piEventRelease(event));
        // SAFETY: shared memory of that size, which no command uses anymore.
        let bytes = unsafe { std::slice::from_raw_parts(two.cast::<u8>(), BYTES) };
        assert_eq!(bytes, [value; BYTES]);
        own.free(one);
        own.free(two);
    });
}

fn allocate_and_free_usm_at_once() {
    let f = Fixture::new();
    let (pi, context, device) = (f.pi, f.context.addr(), f.device.addr());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(move || {
                let (context, device) = (context as pi_context, device as pi_device);
                for round in 0..2000 {
                    let size = 64 << (round % 8);
                    let ptr: *mut c_void =
                        made!(pi, |out| piextUSMSharedAlloc(out, context, device, null_mut(), size, 0));
                    let known = get!(pi, piextUSMGetMemAllocInfo(context, ptr, PI_MEM_ALLOC_SIZE) as usize);
                    assert_eq!(known, size);
                    ok!(pi, piextUSMFree(context, ptr));
                }
            });
        }
    });
}

/// Releases an out-of-order queue as soon as its commands are seen complete.
fn release_a_queue(own: &Own) {
    let queue = own.f.queue_with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for _ in 0..3 {
        let from = [3; BYTES];
        let (start, mut event) = (from.as_ptr().cast(), null_mut());
        ok!(own.f.pi, piEnqueueMemBufferWrite(queue, own.mem, 0, 0, BYTES, start, 0, null(), &mut event));
        own.f.wait(event);
    }
    ok!(own.f.pi, piQueueRelease(queue));
}

fn release_their_own_queues_at_once() {
    at_once(200, |own, _| release_a_queue(own));
}

fn release_a_queue_while_another_wait_lasts() {
    beside_a_wait(|own| (0..10).for_each(|_| release_a_queue(own)));
}

/// Runs `work` while another thread waits for an event of its own context, which completes only afterwards.
fn beside_a_wait(work: impl FnOnce(&Own)) {
    let (waiting, own) = (Fixture::new(), Own::new());
    let event = user_event(&waiting);
    let address = event.addr();
    let waiter = thread::spawn(move || {
        let event = address as pi_event;
        // Twice, so that this thread has waited before.
        ok!(under_test(Version::NEWEST), piEventsWait(1, &event));
        ok!(under_test(Version::NEWEST), piEventsWait(1, &event));
    });
    thread::sleep(Duration::from_millis(20));
    work(&own);
    assert!(!waiter.is_finished(), "the other wait returned before its event");
    ok!(under_test(Version::V9_11), piEventSetStatus(event, PI_EVENT_COMPLETE));
    waiter.join().expect("the other thread failed");
    ok!(waiting.pi, piEventRelease(event));
}

fn wait_while_another_wait_lasts() {
    beside_a_wait(|own| {
        let mut event = null_mut();
        own.write(false, &[7; BYTES], &mut event);
        own.f.wait(event);
    });
}

fn finish_while_another_wait_lasts() {
    beside_a_wait(|own| {
        own.write(false, &[7; BYTES], null_mut());
        ok!(own.f.pi, piQueueFinish(own.queue));
        let mut read = [0; BYTES];
        own.read(true, &mut read, null_mut());
        assert_eq!(read, [7; BYTES]);
    });
}

fn block_while_another_wait_lasts() {
    beside_a_wait(|own| {
        let (mut read, mut event) = ([0; BYTES], null_mut());
        own.write(true, &[9; BYTES], null_mut());
        own.read(true, &mut read, &mut event);
        assert_eq!(read, [9; BYTES]);
        own.f.wait(event);
    });
}

fn free_while_another_wait_lasts() {
    beside_a_wait(|own| {
        let ptr = own.shared();
        own.free(ptr);
    });
}

fn hear_of_a_failed_command_while_another_wait_lasts() {
    beside_a_wait(|own| {
        // In order, because releasing an out-of-order queue with a failed command ends the process in Intel's runtimes
        // on their own (`testing/robustness/programs/opencl_faults.c`, `failed-command`).
        let (gate, queue) = (user_event(&own.f), own.f.queue);
        let event: pi_event = made!(own.f.pi, |out| piEnqueueEventsWait(queue, 1, &gate, out));
        ok!(under_test(Version::V9_11), piEventSetStatus(gate, -5));
        refused!(own.f.pi, piEventsWait(1, &event), PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        ok!(own.f.pi, piEventRelease(event));
        ok!(own.f.pi, piEventRelease(gate));
    });
}

/// A driver takes events of one context, so that such a wait is several.
fn wait_for_events_of_two_contexts_to_the_end_although_one_has_failed() {
    let (failing, other) = (Fixture::new(), Fixture::new());
    let (failed, open) = (user_event(&failing), user_event(&other));
    ok!(under_test(Version::V9_11), piEventSetStatus(failed, -5));
    let events = [failed, open];
    let address = open.addr();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(200));
            ok!(under_test(Version::V9_11), piEventSetStatus(address as pi_event, PI_EVENT_COMPLETE));
        });
        refused!(
            failing.pi,
            piEventsWait(2, events.as_ptr()),
            PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
        );
        let status = get!(other.pi, piEventGetInfo(events[1], PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32);
        assert_eq!(status, PI_EVENT_COMPLETE, "the wait ended before the second event");
    });
    for event in events {
        ok!(failing.pi, piEventRelease(event));
    }
}
