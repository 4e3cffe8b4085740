//! Two devices: contexts of both, copies between them, peer access.

use std::ptr::{null, null_mut};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::Case;
use crate::fixture::{devices, is_software, wait};
use crate::{fails, ok};
use sycl_pi_core::*;
use testing_support::Gate;

pub(crate) const CASES: &[Case] = &[
    ("two_devices_peer_copies_take_the_link", link),
    ("two_devices_order_by_events", events),
    ("two_devices_peer_access_is_switched", switched),
    ("two_devices_move_a_buffer_without_a_wait_of_the_host", moved),
    ("two_devices_move_a_buffer_to_a_command_buffers_run", moved_to_run),
];

/// A context of the first two devices, with a queue for each.
struct Pair {
    devices: [pi_device; 2],
    context: pi_context,
    queues: [pi_queue; 2],
}

impl Pair {
    fn new() -> Self {
        let [first, second, ..] = devices()[..] else { panic!("two devices are needed") };
        let devices = [first, second];
        let mut context = null_mut();
        ok!(piContextCreate(null(), 2, devices.as_ptr(), None, null_mut(), &mut context));
        let queues = devices.map(|device| {
            let (mut queue, mut properties) = (null_mut(), [PI_QUEUE_FLAGS, 0, 0]);
            ok!(piextQueueCreate(context, device, properties.as_mut_ptr(), &mut queue));
            queue
        });
        Self { devices, context, queues }
    }

    fn buffer(&self, content: &[u8]) -> pi_mem {
        let (flags, start) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, content.as_ptr());
        let mut buffer = null_mut();
        let start = start.cast_mut().cast();
        ok!(piMemBufferCreate(self.context, flags, content.len(), start, &mut buffer, null()));
        buffer
    }

    /// Fills a buffer on a device after an event.
    fn fill(&self, device: usize, buffer: pi_mem, value: u8, size: usize, after: pi_event) -> pi_event {
        let (queue, pattern, mut event) = (self.queues[device], (&raw const value).cast(), null_mut());
        ok!(piEnqueueMemBufferFill(queue, buffer, pattern, 1, 0, size, 1, &after, &mut event));
        event
    }

    /// Copies from the first buffer to the second on a device after an event.
    fn copy(&self, device: usize, [from, to]: [pi_mem; 2], size: usize, after: pi_event) -> pi_event {
        let (queue, mut event) = (self.queues[device], null_mut());
        ok!(piEnqueueMemBufferCopy(queue, from, to, 0, 0, size, 1, &after, &mut event));
        event
    }

    /// Reads the whole buffer on a device after these events.
    fn read(&self, device: usize, buffer: pi_mem, size: usize, waits: &[pi_event]) -> Vec<u8> {
        let mut content = vec![0; size];
        let (queue, start, count) = (self.queues[device], content.as_mut_ptr().cast(), waits.len() as u32);
        ok!(piEnqueueMemBufferRead(queue, buffer, 1, 0, size, start, count, waits.as_ptr(), null_mut()));
        content
    }

    fn memory(&self, device: usize, size: usize) -> *mut std::ffi::c_void {
        let mut start = null_mut();
        ok!(piextUSMDeviceAlloc(&mut start, self.context, self.devices[device], null_mut(), size, 0));
        start
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        for queue in self.queues {
            ok!(piQueueRelease(queue));
        }
        ok!(piContextRelease(self.context));
    }
}

fn link() {
    let pair = Pair::new();
    let mut supported = 0_i32;
    let room = (&raw mut supported).cast();
    let [first, second] = pair.devices;
    ok!(piextPeerAccessGetInfo(first, second, PI_PEER_ACCESS_SUPPORTED, 4, room, null_mut()));
    let size = if is_software() { 1 << 16 } else { 1 << 28 };
    let (here, there) = (pair.memory(0, size), pair.memory(1, size));
    let queue = pair.queues[0];
    ok!(piextUSMEnqueueMemset(queue, here, 0x5a, size, 0, null(), null_mut()));
    ok!(piextUSMEnqueueMemset(pair.queues[1], there, 0, size, 0, null(), null_mut()));
    ok!(piQueueFinish(pair.queues[1]));
    ok!(piextUSMEnqueueMemcpy(queue, 1, there, here, size, 0, null(), null_mut()));
    let mut rates = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        ok!(piextUSMEnqueueMemcpy(queue, 1, there, here, size, 0, null(), null_mut()));
        rates.push(size as f64 / start.elapsed().as_nanos() as f64);
    }
    rates.sort_by(f64::total_cmp);
    println!("peer access {supported}, device to device {:.1} GB/s", rates[2]);
    let mut back = vec![0_u8; size];
    ok!(piextUSMEnqueueMemcpy(
        pair.queues[1],
        1,
        back.as_mut_ptr().cast(),
        there,
        size,
        0,
        null(),
        null_mut()
    ));
    assert!(back.iter().all(|byte| *byte == 0x5a));
    // The bus alone provides at most 64.
    assert!(is_software() || supported == 0 || rates[2] > 80.0, "{rates:?} GB/s is not the link's speed");
    ok!(piextUSMFree(pair.context, here));
    ok!(piextUSMFree(pair.context, there));
}

/// A command on one device waits for a command on the other.
fn events() {
    let pair = Pair::new();
    let size = 4 << 20;
    let (here, there) = (pair.memory(0, size), pair.memory(1, size));
    for round in 0..10 {
        let (mut filled, mut copied, mut last) = (null_mut(), null_mut(), 0xff_u8);
        ok!(piextUSMEnqueueMemset(pair.queues[0], here, round, size, 0, null(), &mut filled));
        ok!(piextUSMEnqueueMemcpy(pair.queues[1], 0, there, here, size, 1, &filled, &mut copied));
        let end = there.wrapping_byte_add(size - 1);
        let to = (&raw mut last).cast();
        ok!(piextUSMEnqueueMemcpy(pair.queues[0], 1, to, end, 1, 1, &copied, null_mut()));
        assert_eq!(i32::from(last), round);
        wait(&[filled, copied]);
    }
    ok!(piextUSMFree(pair.context, here));
    ok!(piextUSMFree(pair.context, there));
}

fn switched() {
    let pair = Pair::new();
    let [first, second] = pair.devices;
    let mut supported = 0_i32;
    let room = (&raw mut supported).cast();
    ok!(piextPeerAccessGetInfo(first, second, PI_PEER_ACCESS_SUPPORTED, 4, room, null_mut()));
    if supported != 0 {
        ok!(piextEnablePeerAccess(first, second));
        // Enabling it twice is the same as once.
        ok!(piextEnablePeerAccess(first, second));
        ok!(piextDisablePeerAccess(first, second));
    }
    fails!(piextPeerAccessGetInfo(first, second, 0x7777, 4, room, null_mut()), PI_ERROR_INVALID_VALUE);
}

/// The bytes depend on an event that the host sets only after all calls.
fn moved() {
    let (pair, size) = (Pair::new(), 1 << 16);
    let [buffer, first, second] = [1, 2, 3].map(|value| pair.buffer(&vec![value; size]));
    let gate = Gate::in_context(pair.context);
    let (address, (done, calls)) = (gate.0.expose_provenance(), channel());
    // A call that waits gets its event, and the test fails.
    let opener = std::thread::spawn(move || {
        let ended = calls.recv_timeout(Duration::from_secs(30));
        Gate(std::ptr::with_exposed_provenance_mut(address)).open();
        ended
    });
    let filled = pair.fill(0, buffer, 4, size, gate.0);
    let copied = pair.copy(1, [buffer, first], size, filled);
    let filled_again = pair.fill(0, buffer, 5, size, copied);
    let copied_again = pair.copy(1, [buffer, second], size, filled_again);
    let _ = done.send(());
    opener.join().unwrap().expect("a call waited for the event");
    assert!(pair.read(1, second, size, &[copied_again]) == vec![5; size]);
    assert!(pair.read(0, first, size, &[]) == vec![4; size]);
    wait(&[filled, copied, filled_again, copied_again]);
    for buffer in [buffer, first, second] {
        ok!(piMemRelease(buffer));
    }
}

fn moved_to_run() {
    let pair = Pair::new();
    let size = 1 << 16;
    let (buffer, other) = (pair.buffer(&vec![1; size]), pair.buffer(&vec![2; size]));
    let mut recorded = null_mut();
    ok!(piextCommandBufferCreate(pair.context, pair.devices[1], null(), &mut recorded));
    ok!(piextCommandBufferMemBufferCopy(recorded, buffer, other, 0, 0, size, 0, null(), null_mut()));
    ok!(piextCommandBufferFinalize(recorded));
    let mut run = null_mut();
    ok!(piEnqueueEventsWait(pair.queues[0], 0, null(), &mut run));
    for value in [3, 4] {
        let (before, filled) = (run, pair.fill(0, buffer, value, size, run));
        ok!(piextEnqueueCommandBuffer(recorded, pair.queues[1], 1, &filled, &mut run));
        assert!(pair.read(0, other, size, &[run]) == vec![value; size]);
        wait(&[before, filled]);
    }
    wait(&[run]);
    ok!(piextCommandBufferRelease(recorded));
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}
