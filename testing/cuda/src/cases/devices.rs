//! Two devices: contexts of both, copies between them, peer access.

use std::ptr::{null, null_mut};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Case;
use crate::fixture::{devices, image, is_software, wait};
use crate::{fails, ok, software};
use sycl_pi_core::*;
use testing_support::{Gate, image_desc};

pub(crate) const CASES: &[Case] = &[
    ("two_devices_peer_copies_take_the_link", link),
    ("two_devices_order_by_events", events),
    ("two_devices_peer_access_is_switched", switched),
    ("two_devices_move_a_buffer_without_a_wait_of_the_host", moved),
    ("two_devices_move_a_buffer_to_a_command_buffers_run", moved_to_run),
    ("two_devices_see_the_fill_of_a_command_buffers_run", filled_by_run),
    ("two_devices_use_a_buffer_while_a_read_of_it_waits", read_that_waits),
    ("two_devices_give_out_the_address_of_a_buffer_beside_a_stream_that_waits", given_out),
    ("two_devices_read_a_buffer_while_a_kernel_that_reads_it_waits", kernel_that_reads),
    ("two_devices_see_what_a_kernel_writes_that_has_the_buffer_twice", kernel_with_a_buffer_twice),
    ("two_devices_have_a_variable_of_a_program_each", variables),
    ("two_devices_tell_the_atomics_of_their_link_apart_from_its_copies", atomics),
    ("two_devices_know_the_one_of_a_stream", of_a_stream),
    ("two_devices_know_the_one_of_a_context_and_of_an_image", of_another),
    ("two_devices_see_what_is_written_to_the_address_of_a_buffer", written_address),
    ("two_devices_do_not_wait_for_frees_of_each_others_memory", not_waiting),
];

/// A context of the first two devices, with a queue for each.
pub(super) struct Pair {
    pub(super) devices: [pi_device; 2],
    pub(super) context: pi_context,
    pub(super) queues: [pi_queue; 2],
}

impl Pair {
    pub(super) fn new() -> Self {
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

    pub(super) fn buffer(&self, content: &[u8]) -> pi_mem {
        let (flags, start) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, content.as_ptr());
        let mut buffer = null_mut();
        let start = start.cast_mut().cast();
        ok!(piMemBufferCreate(self.context, flags, content.len(), start, &mut buffer, null()));
        buffer
    }

    /// Fills a buffer on a device after an event.
    pub(super) fn fill(
        &self,
        device: usize,
        buffer: pi_mem,
        value: u8,
        size: usize,
        after: pi_event,
    ) -> pi_event {
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
    pub(super) fn read(&self, device: usize, buffer: pi_mem, size: usize, waits: &[pi_event]) -> Vec<u8> {
        let mut content = vec![0; size];
        let (queue, start, count) = (self.queues[device], content.as_mut_ptr().cast(), waits.len() as u32);
        ok!(piEnqueueMemBufferRead(queue, buffer, 1, 0, size, start, count, waits.as_ptr(), null_mut()));
        content
    }

    pub(super) fn memory(&self, device: usize, size: usize) -> *mut std::ffi::c_void {
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

/// The software driver's link has copies and no atomics.
fn atomics() {
    let [first, second, ..] = devices()[..] else { panic!("two devices are needed") };
    let answer = |query| {
        let mut supported = 7_i32;
        let room = (&raw mut supported).cast();
        ok!(piextPeerAccessGetInfo(first, second, query, 4, room, null_mut()));
        supported
    };
    let [access, atomics] = [PI_PEER_ACCESS_SUPPORTED, PI_PEER_ATOMICS_SUPPORTED].map(answer);
    assert!(access >= atomics, "{access}, {atomics}");
    assert!(!is_software() || (access, atomics) == (1, 0), "{access}, {atomics}");
}

/// An allocation waits while the program frees memory, which must be the same device's.
fn not_waiting() {
    let pair = Pair::new();
    let there = pair.memory(1, 4 << 20);
    // For the first try, and for the one after freed memory is returned.
    software::inject("cuMemAlloc_v2:1:2;cuMemAlloc_v2:2:2");
    let (context, device, mut here, begin) = (pair.context, pair.devices[0], null_mut(), Instant::now());
    fails!(
        piextUSMDeviceAlloc(&mut here, context, device, null_mut(), (1 << 20) + 1, 0),
        PI_ERROR_OUT_OF_RESOURCES
    );
    let time = begin.elapsed();
    software::inject("");
    assert!(time < Duration::from_millis(150), "{time:?}");
    ok!(piextUSMFree(pair.context, there));
}

/// Other writers of the address are known only by their events, and the copy to the other device waits for these.
fn written_address() {
    let (pair, size) = (Pair::new(), 1 << 16);
    let (buffer, other) = (pair.buffer(&vec![1; size]), pair.buffer(&vec![2; size]));
    assert!(pair.read(0, buffer, size, &[]) == vec![1; size]);
    let (mut native, mut written) = (0, null_mut());
    ok!(piextMemGetNativeHandle(buffer, pair.devices[1], &mut native));
    let start = std::ptr::with_exposed_provenance_mut(native);
    let gate = Watched::new(&pair);
    ok!(piextUSMEnqueueMemset(pair.queues[1], start, 7, size, 1, &gate.event, &mut written));
    let copied = pair.copy(0, [buffer, other], size, written);
    gate.open();
    assert!(pair.read(0, other, size, &[copied]) == vec![7; size]);
    wait(&[written, copied]);
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}

fn of_another() {
    let pair = Pair::new();
    let (mut first, mut native, mut out) = (null_mut(), 0, null_mut());
    ok!(piContextCreate(null(), 1, &pair.devices[0], None, null_mut(), &mut first));
    ok!(piextContextGetNativeHandle(first, &mut native));
    fails!(
        piextContextCreateWithNativeHandle(native, 1, &pair.devices[1], 0, &mut out),
        PI_ERROR_INVALID_DEVICE
    );
    ok!(piContextRelease(first));
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
    };
    let (flags, desc) = (PI_MEM_FLAGS_ACCESS_RW, image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]));
    let (context, mut image, queue) = (pair.context, null_mut(), pair.queues[1]);
    ok!(piMemImageCreate(context, flags, &format, &desc, null_mut(), &mut image));
    let (color, start, region) = ([1_u32; 4], [0_usize; 3], [4_usize, 4, 1]);
    let (color, start, region) = (color.as_ptr().cast(), start.as_ptr(), region.as_ptr());
    let why = fails!(
        piEnqueueMemImageFill(queue, image, color, start, region, 0, null(), null_mut()),
        PI_ERROR_INVALID_OPERATION,
        PI_ERROR_UNSUPPORTED_FEATURE
    );
    assert!(why.contains("first device"), "{why}");
    ok!(piMemRelease(image));
}

fn of_a_stream() {
    let pair = Pair::new();
    let (mut native, mut kind, mut queue) = (0, 0, null_mut());
    ok!(piextQueueGetNativeHandle(pair.queues[1], &mut native, &mut kind));
    let (context, none) = (pair.context, null_mut());
    ok!(piextQueueCreateWithNativeHandle(native, kind, context, none, 0, null_mut(), &mut queue));
    let mut device: pi_device = null_mut();
    let (size, room) = (size_of_val(&device), (&raw mut device).cast());
    ok!(piQueueGetInfo(queue, PI_QUEUE_INFO_DEVICE, size, room, null_mut()));
    assert_eq!(device, pair.devices[1]);
    ok!(piQueueRelease(queue));
}

/// An event that the host sets once it is told that no call waits for it.
pub(super) struct Watched {
    pub(super) event: pi_event,
    told: Sender<()>,
    opener: JoinHandle<bool>,
}

impl Watched {
    pub(super) fn new(pair: &Pair) -> Self {
        let gate = Gate::in_context(pair.context);
        ok!(piEventRetain(gate.0));
        let (event, address, (told, calls)) = (gate.0, gate.0.expose_provenance(), channel());
        // A call that waits gets its event, and the test fails.
        let opener = std::thread::spawn(move || {
            let in_time = calls.recv_timeout(Duration::from_secs(30)).is_ok();
            Gate(std::ptr::with_exposed_provenance_mut(address)).open();
            in_time
        });
        Self { event, told, opener }
    }

    /// Sets the event. Fails if a call waited for it.
    pub(super) fn open(self) {
        let _ = self.told.send(());
        assert!(self.opener.join().unwrap(), "a call waited for the event");
        ok!(piEventRelease(self.event));
    }
}

/// The bytes depend on an event that the host sets only after all calls.
fn moved() {
    let (pair, size) = (Pair::new(), 1 << 16);
    let [buffer, first, second] = [1, 2, 3].map(|value| pair.buffer(&vec![value; size]));
    let gate = Watched::new(&pair);
    let filled = pair.fill(0, buffer, 4, size, gate.event);
    let copied = pair.copy(1, [buffer, first], size, filled);
    let filled_again = pair.fill(0, buffer, 5, size, copied);
    let copied_again = pair.copy(1, [buffer, second], size, filled_again);
    gate.open();
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
    fails!(
        piextEnqueueCommandBuffer(recorded, pair.queues[0], 0, null(), null_mut()),
        PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR
    );
    wait(&[run]);
    ok!(piextCommandBufferRelease(recorded));
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}

fn filled_by_run() {
    let pair = Pair::new();
    let size = 1 << 16;
    let (buffer, mut recorded, pattern) = (pair.buffer(&vec![1; size]), null_mut(), [2_u8]);
    ok!(piextCommandBufferCreate(pair.context, pair.devices[1], null(), &mut recorded));
    let from = pattern.as_ptr().cast();
    ok!(piextCommandBufferMemBufferFill(recorded, buffer, from, 1, 64, size - 64, 0, null(), null_mut()));
    ok!(piextCommandBufferFinalize(recorded));
    assert!(pair.read(0, buffer, size, &[]) == vec![1; size]);
    let mut run = null_mut();
    ok!(piextEnqueueCommandBuffer(recorded, pair.queues[1], 0, null(), &mut run));
    let bytes = pair.read(0, buffer, size, &[run]);
    assert!(bytes[..64] == [1; 64] && bytes[64..].iter().all(|byte| *byte == 2));
    wait(&[run]);
    ok!(piextCommandBufferRelease(recorded));
    ok!(piMemRelease(buffer));
}

/// One thread reads into pageable memory, which waits on the host for an event. Another one uses a different part of the
/// buffer before it sets the event.
fn read_that_waits() {
    let (pair, size) = (Pair::new(), 16 << 20);
    let buffer = pair.buffer(&vec![1; size + 64]);
    let gate = Watched::new(&pair);
    // The reader may still be in its call when the event is set.
    ok!(piEventRetain(gate.event));
    let address = |object: *mut std::ffi::c_void| object.expose_provenance();
    let addresses = [pair.queues[0].cast(), buffer.cast(), gate.event.cast()].map(address);
    let reader = std::thread::spawn(move || {
        let [queue, buffer, gate] = addresses.map(std::ptr::with_exposed_provenance_mut::<std::ffi::c_void>);
        let (mut content, gate) = (vec![0_u8; size], gate.cast());
        let (queue, buffer, start) = (queue.cast(), buffer.cast(), content.as_mut_ptr().cast());
        ok!(piEnqueueMemBufferRead(queue, buffer, 1, 0, size, start, 1, &gate, null_mut()));
        ok!(piEventRelease(gate));
        content
    });
    // By now, the other thread waits. Nothing shows that it does.
    std::thread::sleep(Duration::from_millis(500));
    let (queue, pattern, mut filled) = (pair.queues[1], [7_u8], null_mut());
    let pattern = pattern.as_ptr().cast();
    ok!(piEnqueueMemBufferFill(queue, buffer, pattern, 1, size, 64, 0, null(), &mut filled));
    gate.open();
    assert!(reader.join().unwrap() == vec![1; size]);
    let whole = pair.read(0, buffer, size + 64, &[filled]);
    assert!(whole[..size] == vec![1; size] && whole[size..] == [7; 64]);
    wait(&[filled]);
    ok!(piMemRelease(buffer));
}

/// A command waits in the default stream, while nothing of the buffer moves.
fn given_out() {
    let (pair, size) = (Pair::new(), 64);
    let (buffer, other) = (pair.buffer(&vec![1; size]), pair.buffer(&vec![2; size]));
    let (device, mut queue) = (pair.devices[0], null_mut());
    ok!(piextQueueCreateWithNativeHandle(0, 0, pair.context, device, 0, null_mut(), &mut queue));
    let gate = Watched::new(&pair);
    let (pattern, mut filled, mut native) = ([3_u8], null_mut(), 0);
    let pattern = pattern.as_ptr().cast();
    ok!(piEnqueueMemBufferFill(queue, other, pattern, 1, 0, size, 1, &gate.event, &mut filled));
    ok!(piextMemGetNativeHandle(buffer, device, &mut native));
    gate.open();
    assert_ne!(native, 0);
    assert!(pair.read(0, other, size, &[filled]) == vec![3; size]);
    wait(&[filled]);
    ok!(piQueueRelease(queue));
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}

/// Returns the kernel that multiplies numbers by a factor, for the first device, with its program.
fn scale(pair: &Pair) -> (pi_program, pi_kernel) {
    let (bytes, device) = (image("kernels"), pair.devices[0]);
    let (length, start, status) = (bytes.len(), bytes.as_ptr(), null_mut());
    let (mut program, mut kernel) = (null_mut(), null_mut());
    ok!(piProgramCreateWithBinary(
        pair.context,
        1,
        &device,
        &length,
        &start,
        0,
        null(),
        status,
        &mut program
    ));
    ok!(piProgramBuild(program, 1, &device, c"".as_ptr(), None, null_mut()));
    ok!(piKernelCreate(program, c"scale".as_ptr(), &mut kernel));
    (program, kernel)
}

pub(super) fn access(mem_access: pi_mem_obj_access) -> pi_mem_obj_property {
    pi_mem_obj_property { type_: PI_KERNEL_ARG_MEM_OBJ_ACCESS, pNext: null_mut(), mem_access }
}

/// A kernel that only reads a buffer waits on one device, while the other device needs the buffer.
fn kernel_that_reads() {
    let (pair, size) = (Pair::new(), 64);
    let (buffer, other) = (pair.buffer(&vec![1; size]), pair.buffer(&vec![2; size]));
    let (program, kernel) = scale(&pair);
    let factor = 3_u32;
    ok!(piKernelSetArg(kernel, 0, 4, (&raw const factor).cast()));
    ok!(piextKernelSetArgMemObj(kernel, 1, &access(PI_ACCESS_READ_ONLY), &buffer));
    ok!(piextKernelSetArgMemObj(kernel, 2, &access(PI_ACCESS_WRITE_ONLY), &other));
    let (gate, items, mut scaled) = (Watched::new(&pair), size / 4, null_mut());
    let (queue, held) = (pair.queues[0], &raw const gate.event);
    ok!(piEnqueueKernelLaunch(queue, kernel, 1, null(), &items, null(), 1, held, &mut scaled));
    assert!(pair.read(1, buffer, size, &[]) == vec![1; size]);
    gate.open();
    assert!(pair.read(1, other, size, &[scaled]) == vec![3; size]);
    wait(&[scaled]);
    ok!(piKernelRelease(kernel));
    ok!(piProgramRelease(program));
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}

/// The buffer is written whatever the last argument that names it says.
fn kernel_with_a_buffer_twice() {
    let (pair, size) = (Pair::new(), 64);
    let buffer = pair.buffer(&vec![1; size]);
    let (program, kernel) = scale(&pair);
    assert!(pair.read(1, buffer, size, &[]) == vec![1; size]);
    let factor = 3_u32;
    ok!(piKernelSetArg(kernel, 0, 4, (&raw const factor).cast()));
    ok!(piextKernelSetArgMemObj(kernel, 2, &access(PI_ACCESS_WRITE_ONLY), &buffer));
    ok!(piextKernelSetArgMemObj(kernel, 1, &access(PI_ACCESS_READ_ONLY), &buffer));
    let (items, mut scaled) = (size / 4, null_mut());
    ok!(piEnqueueKernelLaunch(pair.queues[0], kernel, 1, null(), &items, null(), 0, null(), &mut scaled));
    assert!(pair.read(1, buffer, size, &[scaled]) == vec![3; size]);
    wait(&[scaled]);
    ok!(piKernelRelease(kernel));
    ok!(piProgramRelease(program));
    ok!(piMemRelease(buffer));
}

fn variables() {
    let pair = Pair::new();
    let (bytes, mut program, mut outcomes) = (image("kernels"), null_mut(), [0; 2]);
    let (lengths, starts, outcomes) = ([bytes.len(); 2], [bytes.as_ptr(); 2], outcomes.as_mut_ptr());
    let (devices, lengths, starts) = (pair.devices.as_ptr(), lengths.as_ptr(), starts.as_ptr());
    let (count, context) = (2, pair.context);
    ok!(piProgramCreateWithBinary(
        context,
        count,
        devices,
        lengths,
        starts,
        0,
        null(),
        outcomes,
        &mut program
    ));
    ok!(piProgramBuild(program, count, devices, c"".as_ptr(), None, null_mut()));
    let name = c"counter".as_ptr();
    for (queue, value) in pair.queues.into_iter().zip([20_i32, 30]) {
        let from = (&raw const value).cast();
        ok!(piextEnqueueDeviceGlobalVariableWrite(
            queue,
            program,
            name,
            1,
            4,
            0,
            from,
            0,
            null(),
            null_mut()
        ));
    }
    let values = pair.queues.map(|queue| {
        let mut value = 0_i32;
        let to = (&raw mut value).cast();
        ok!(piextEnqueueDeviceGlobalVariableRead(queue, program, name, 1, 4, 0, to, 0, null(), null_mut()));
        value
    });
    assert_eq!(values, [20, 30]);
    ok!(piProgramRelease(program));
}
