//! Tests of queues, events and memory on the software driver.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};

use super::Case;
use crate::fixture::{KERNELS, newest};
use crate::{Fixture, Soft, code, fails, fixture, ok};
use sycl_pi_core::*;
use testing_support::{Gate, image_desc, status};

pub(crate) const CASES: &[Case] = &[
    ("a_command_that_is_not_complete_has_no_times_yet", no_times),
    ("a_blocking_map_without_a_copy_waits_for_what_comes_before", blocking_map),
    ("small_blocks_share_one_allocation_of_the_driver", slabs),
    ("places_of_freed_blocks_in_a_full_allocation_are_used_again", full_slabs),
    ("a_command_that_waits_for_another_queue_runs_after_it", across_queues),
    ("a_finish_waits_for_the_queue_of_the_driver_that_the_program_has", native_queue),
    ("a_finish_waits_behind_a_command_whose_event_only_the_device_sees", device_event),
    ("a_callback_of_a_failed_event_gets_its_failure", failed_event),
    ("a_wait_for_several_events_fails_if_any_of_them_failed", failed_among_several),
    ("an_image_is_filled_with_the_color_in_its_own_format", image_fill),
    ("an_image_whose_bytes_no_number_counts_is_refused", image_without_end),
    ("an_image_has_what_it_was_made_from_on_every_queue", image_of_host_memory),
    ("a_buffer_from_the_middle_of_an_allocation_ends_with_it", native_middle),
    ("memory_of_another_context_is_not_freed", foreign_free),
    ("a_fill_with_any_pattern_stays_in_its_range", odd_pattern),
    ("fills_go_up_to_the_last_byte_of_an_allocation", last_byte),
    ("rows_that_are_not_aligned_to_the_pattern_are_filled", unaligned_rows),
    ("tear_down_returns_everything_to_the_driver", returns_everything),
    ("a_thread_that_calls_back_gets_no_signal_of_the_program", signals),
    ("a_context_goes_after_the_last_object_in_it_whatever_the_order", context_last),
];

fn slabs() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    drop(fixture.device_memory(64));
    soft.reset();
    let blocks: Vec<_> = (0..500).map(|_| fixture.device_memory(64)).collect();
    let calls = soft.report().calls.get("zeMemAllocDevice").copied().unwrap_or(0);
    assert!(calls <= 1, "{calls} allocations of the driver for 500 blocks of 64 bytes");
    let mut starts: Vec<usize> = blocks.iter().map(|block| block.start.addr()).collect();
    starts.sort_unstable();
    assert!(starts.windows(2).all(|pair| pair[1] - pair[0] >= 64), "blocks overlap");
}

fn full_slabs() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    soft.reset();
    let allocations = || soft.report().calls.get("zeMemAllocDevice").copied().unwrap_or(0);
    // Until at least two allocations are full.
    let mut blocks = Vec::new();
    while allocations() < 3 {
        blocks.extend((0..64).map(|_| fixture.device_memory(64)));
    }
    let before = (allocations(), blocks.len());
    let mut index = 0;
    blocks.retain(|_| {
        index += 1;
        index % 4 == 0
    });
    blocks.extend((blocks.len()..before.1).map(|_| fixture.device_memory(64)));
    assert_eq!((allocations(), blocks.len()), before);
    let kind = |address: *mut std::ffi::c_void| {
        let mut kind: pi_usm_type = 0;
        let (name, room) = (PI_MEM_ALLOC_TYPE, (&raw mut kind).cast());
        ok!(fixture.pi, piextUSMGetMemAllocInfo(fixture.context, address, name, 4, room, null_mut()));
        kind
    };
    let freed = blocks.swap_remove(10).start;
    assert_eq!([freed, blocks[0].start].map(kind), [PI_MEM_TYPE_UNKNOWN, PI_MEM_TYPE_DEVICE]);
    // The last one is kept for the next blocks.
    drop(blocks);
    assert_eq!(soft.report().calls.get("zeMemFree"), Some(&2));
}

fn across_queues() {
    let fixture = Fixture::new(fixture::plugin());
    let program = fixture.program(KERNELS);
    let (scale, data) = (program.kernel("scale"), fixture.device_memory(32));
    fixture.write(&data, &[1_i32; 8]);
    let other = fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let mut last: Vec<pi_event> = Vec::new();
    for round in 0..20 {
        scale.pointer(0, data.start).set(1, if round < 2 { 3_i32 } else { 1 }).local(2, 32);
        let queue = if round % 2 == 0 { fixture.queue } else { other };
        let event = fixture.launch(queue, &scale, 8, &last);
        last.drain(..).for_each(|event| ok!(fixture.pi, piEventRelease(event)));
        last.push(event);
    }
    fixture.wait(&last);
    assert_eq!(fixture.read::<i32>(&data, 8), [9; 8]);
    ok!(fixture.pi, piQueueRelease(other));
}

fn native_queue() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let waits = || {
        soft.reset();
        fixture.finish();
        soft.report().calls.get("zeCommandQueueSynchronize").copied().unwrap_or(0)
    };
    assert_eq!(waits(), 0);
    let mut native = 0;
    ok!(fixture.pi, piextQueueGetNativeHandle_until_12_27(fixture.queue, &mut native));
    assert_eq!(waits(), 1);
    // The handle is that of a command queue, as this function takes it.
    let (context, device, mut queue) = (fixture.context, fixture.device, null_mut());
    ok!(fixture.pi, piextQueueCreateWithNativeHandle_until_12_27(native, context, device, 0, &mut queue));
    soft.reset();
    ok!(fixture.pi, piEnqueueEventsWaitWithBarrier(queue, 0, null(), null_mut()));
    ok!(fixture.pi, piQueueFinish(queue));
    let executed = soft.report().calls.get("zeCommandQueueExecuteCommandLists").copied();
    assert!(executed.is_some(), "{:?}", soft.report().calls);
    ok!(fixture.pi, piQueueRelease(queue));
}

/// Takes a status into the caller's variable.
///
/// # Safety
/// `place` must be an `AtomicI32` that lives until the call.
unsafe extern "C" fn take_status(_: pi_event, status: pi_int32, place: *mut std::ffi::c_void) {
    // SAFETY: the variable of the test.
    unsafe { &*place.cast::<AtomicI32>() }.store(status, Ordering::SeqCst);
}

fn failed_event() {
    let (fixture, old) = (Fixture::new(fixture::plugin()), testing_support::under_test(Version::V9_11));
    for failure in [PI_EVENT_COMPLETE, -7] {
        let (mut event, seen) = (null_mut(), AtomicI32::new(99));
        let place = (&raw const seen).cast_mut().cast();
        ok!(old, piEventCreate_until_9_11(fixture.context, &mut event));
        ok!(old, piEventSetStatus(event, failure));
        ok!(old, piEventSetCallback(event, PI_EVENT_COMPLETE, Some(take_status), place));
        assert_eq!(seen.load(Ordering::SeqCst), failure);
        ok!(old, piEventRelease(event));
    }
}

fn failed_among_several() {
    let (fixture, old) = (Fixture::new(fixture::plugin()), testing_support::under_test(Version::V9_11));
    let [failed, complete] = [-7, PI_EVENT_COMPLETE].map(|status| {
        let mut event = null_mut();
        ok!(old, piEventCreate_until_9_11(fixture.context, &mut event));
        ok!(old, piEventSetStatus(event, status));
        event
    });
    let wait = |events: [pi_event; 3]| code!(old, piEventsWait(3, events.as_ptr()));
    assert_eq!(wait([complete; 3]), PI_SUCCESS);
    for place in 0..3 {
        let mut events = [complete; 3];
        events[place] = failed;
        assert_eq!(wait(events), PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "place {place}");
    }
    for event in [failed, complete] {
        ok!(old, piEventRelease(event));
    }
}

fn signals() {
    testing_support::signals::are_blocked_where_callbacks_run(fixture::plugin());
}

fn image_fill() {
    let fixture = Fixture::new(fixture::plugin());
    let pi = fixture.pi;
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_BGRA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNORM_INT8,
    };
    let desc = image_desc(PI_MEM_TYPE_IMAGE3D, [4, 3, 2]);
    let (mut image, flags) = (null_mut(), PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY);
    let mut pixels = [7_u8; 4 * 3 * 2 * 4];
    let start = pixels.as_mut_ptr().cast();
    ok!(pi, piMemImageCreate(fixture.context, flags, &format, &desc, start, &mut image));
    let color = [1.0_f32, 0.5, 0.0, 1.0];
    let (origin, region) = ([1_usize, 1, 0], [2_usize, 2, 2]);
    let color = color.as_ptr().cast();
    let queue = fixture.queue;
    ok!(
        pi,
        piEnqueueMemImageFill(queue, image, color, origin.as_ptr(), region.as_ptr(), 0, null(), null_mut())
    );
    let mut all = pi_image_region_struct { width: 4, height: 3, depth: 2 };
    let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
    ok!(
        pi,
        piEnqueueMemImageRead(queue, image, 1, &mut corner, &mut all, 0, 0, start, 0, null(), null_mut())
    );
    for (index, pixel) in pixels.chunks_exact(4).enumerate() {
        let (x, y) = (index % 4, index / 4 % 3);
        let inside = (1..3).contains(&x) && (1..3).contains(&y);
        let expected = if inside { [0, 128, 255, 255] } else { [7; 4] };
        assert_eq!(pixel, expected, "at {x}, {y}, {}", index / 12);
    }
    // Wider and higher than any memory.
    let mut wild = pi_image_region_struct { width: usize::MAX, height: usize::MAX, depth: 1 };
    let text = fails!(
        pi,
        piEnqueueMemImageRead(queue, image, 1, &mut corner, &mut wild, 0, 0, start, 0, null(), null_mut()),
        PI_ERROR_INVALID_VALUE
    );
    assert!(text.contains("region"), "{text}");
    ok!(pi, piMemRelease(image));
}

fn image_without_end() {
    let fixture = Fixture::new(fixture::newest());
    let (pi, context) = (fixture.pi, fixture.context);
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_FLOAT,
    };
    // This handle is never read, as its description is refused first.
    let (native, mut out) = (0x1000, null_mut());
    let wild = [
        (PI_MEM_TYPE_IMAGE1D, [usize::MAX, 1, 1], 0),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [1 << 63, 1, 1], 0),
        (PI_MEM_TYPE_IMAGE2D, [1 << 32, 1, 1], 0),
        (PI_MEM_TYPE_IMAGE3D, [0xffff_ffff, 0xffff_ffff, 0xffff_ffff], 0),
        (PI_MEM_TYPE_IMAGE3D, [4, 4, 1], usize::MAX),
    ];
    for (shape, sides, row_pitch) in wild {
        let desc = pi_image_desc { image_row_pitch: row_pitch, ..image_desc(shape, sides) };
        let text = fails!(
            pi,
            piextMemImageCreateWithNativeHandle(native, context, 0, &format, &desc, &mut out),
            if row_pitch == 0 { PI_ERROR_INVALID_IMAGE_SIZE } else { PI_ERROR_INVALID_IMAGE_DESCRIPTOR }
        );
        assert!(text.contains("ImageDesc"), "{text}");
    }
}

/// The plugin copies on a separate list, so the copy is complete for every other list when the call returns.
fn image_of_host_memory() {
    const SIDE: usize = 256;
    let fixture = Fixture::new(fixture::plugin());
    let pi = fixture.pi;
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    };
    let desc = image_desc(PI_MEM_TYPE_IMAGE2D, [SIDE, SIDE, 1]);
    for round in 1..=50_u8 {
        let mut pixels = vec![round; SIDE * SIDE * 4];
        let start = pixels.as_mut_ptr().cast();
        let (mut image, flags) = (null_mut(), PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY);
        ok!(pi, piMemImageCreate(fixture.context, flags, &format, &desc, start, &mut image));
        pixels.fill(0);
        let start = pixels.as_mut_ptr().cast();
        let mut all = pi_image_region_struct { width: SIDE, height: SIDE, depth: 1 };
        let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let queue = fixture.queue(0);
        ok!(
            pi,
            piEnqueueMemImageRead(queue, image, 1, &mut corner, &mut all, 0, 0, start, 0, null(), null_mut())
        );
        ok!(pi, piQueueRelease(queue));
        ok!(pi, piMemRelease(image));
        assert!(pixels.iter().all(|byte| *byte == round), "round {round}: {:?}", &pixels[..8]);
    }
}

fn native_middle() {
    const SIZE: usize = 4096;
    let fixture = Fixture::new(fixture::plugin());
    let (pi, context, queue) = (fixture.pi, fixture.context, fixture.queue);
    let memory = fixture.device_memory(SIZE);
    let bytes: Vec<u8> = (0..SIZE).map(|at| (at / 16) as u8).collect();
    fixture.write(&memory, &bytes);
    for skipped in [0, 1024, SIZE - 16] {
        let (native, mut mem, mut size) = (memory.start.addr() + skipped, null_mut(), 0_usize);
        ok!(pi, piextMemCreateWithNativeHandle(native, context, 0, &mut mem));
        ok!(pi, piMemGetInfo(mem, PI_MEM_SIZE, 8, (&raw mut size).cast(), null_mut()));
        assert_eq!(size, SIZE - skipped);
        let mut rest = vec![0_u8; SIZE];
        let start = rest.as_mut_ptr().cast();
        ok!(pi, piEnqueueMemBufferRead(queue, mem, 1, 0, size, start, 0, null(), null_mut()));
        assert_eq!(rest[..size], bytes[skipped..]);
        fails!(
            pi,
            piEnqueueMemBufferRead(queue, mem, 1, 16, size, start, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
        ok!(pi, piMemRelease(mem));
    }
}

fn foreign_free() {
    let (one, other) = (Fixture::new(fixture::plugin()), Fixture::new(fixture::plugin()));
    let block = one.device_memory(64);
    let text = fails!(one.pi, piextUSMFree(other.context, block.start), PI_ERROR_INVALID_VALUE);
    assert!(text.contains("context"), "{text}");
}

/// Nobody wanted the command's event, so the driver does not show its end to the host.
fn device_event() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::newest()));
    let memory = fixture.device_memory(64);
    fixture.finish();
    let barriers = |event: *mut pi_event| {
        soft.reset();
        ok!(fixture.pi, piextUSMEnqueueMemset(fixture.queue, memory.start, 0, 64, 0, null(), event));
        fixture.finish();
        soft.report().calls.get("zeCommandListAppendBarrier").copied().unwrap_or(0)
    };
    let mut event = null_mut();
    assert_eq!((barriers(null_mut()), barriers(&mut event)), (1, 0));
    ok!(fixture.pi, piEventRelease(event));
}

/// A pattern that the driver has no fill for is copied many times at once.
fn odd_pattern() {
    const PATTERN: [u8; 3] = [1, 2, 3];
    const SIZE: usize = 3 * 70_000;
    let fixture = Fixture::new(fixture::newest());
    let memory = fixture.device_memory(2 * SIZE);
    fixture.write(&memory, &vec![9_u8; 2 * SIZE]);
    let (start, pattern, queue) = (memory.at(SIZE / 2), PATTERN.as_ptr().cast(), fixture.queue);
    ok!(fixture.pi, piextUSMEnqueueFill2D(queue, start, SIZE, 3, pattern, SIZE, 1, 0, null(), null_mut()));
    fixture.finish();
    let bytes = fixture.read::<u8>(&memory, 2 * SIZE);
    assert!(bytes[SIZE / 2..][..SIZE] == PATTERN.repeat(SIZE / 3));
    let others = bytes[..SIZE / 2].iter().chain(&bytes[SIZE / 2 + SIZE..]);
    assert!(others.into_iter().all(|byte| *byte == 9), "the fill left its range");
}

/// The driver stores a pattern as a number, for which the second row is in the wrong place.
fn unaligned_rows() {
    const PATTERN: [u8; 4] = [1, 2, 3, 4];
    let fixture = Fixture::new(fixture::newest());
    let memory = fixture.device_memory(18);
    fixture.write(&memory, &[9_u8; 18]);
    let (start, pattern, queue) = (memory.start, PATTERN.as_ptr().cast(), fixture.queue);
    ok!(fixture.pi, piextUSMEnqueueFill2D(queue, start, 6, 4, pattern, 4, 3, 0, null(), null_mut()));
    fixture.finish();
    assert_eq!(fixture.read::<u8>(&memory, 18), [1, 2, 3, 4, 9, 9].repeat(3));
}

/// The allocations end where the last row does, which is no whole pitch after its start. The first one shares an
/// allocation of the driver with others.
fn last_byte() {
    const PATTERN: [u8; 1] = [5];
    let fixture = Fixture::new(fixture::newest());
    let (pi, queue) = (fixture.pi, fixture.queue);
    for pitch in [8, 1 << 20] {
        let (size, pattern) = (pitch + 4, PATTERN.as_ptr().cast());
        let memory = fixture.device_memory(size);
        let start = memory.start;
        fixture.write(&memory, &vec![9_u8; size]);
        ok!(pi, piextUSMEnqueueFill2D(queue, start, pitch, 1, pattern, 4, 2, 0, null(), null_mut()));
        fixture.finish();
        let bytes = fixture.read::<u8>(&memory, size);
        assert!(bytes[..4] == [5; 4] && bytes[pitch..] == [5; 4]);
        assert!(bytes[4..pitch].iter().all(|byte| *byte == 9));
        let text = fails!(
            pi,
            piextUSMEnqueueMemset(queue, start, 0, 1 << 24, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
        assert!(text.contains("leaves the allocation"), "{text}");
        // Nine rows have fewer bytes than the allocation, and the last one begins past it.
        let text = fails!(
            pi,
            piextUSMEnqueueFill2D(queue, start, pitch, 1, pattern, 4, 9, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
        assert!(text.contains("leaves the allocation"), "{text}");
    }
}

fn returns_everything() {
    let soft = Soft::find().unwrap();
    soft.reset();
    {
        let fixture = Fixture::with(fixture::plugin(), PI_QUEUE_FLAG_PROFILING_ENABLE);
        let program = fixture.program(KERNELS);
        let kernel = program.kernel("nothing");
        let events: Vec<pi_event> =
            (0..300).map(|_| fixture.launch(fixture.queue, &kernel, 1, &[])).collect();
        fixture.wait(&events);
        drop((0..100).map(|_| fixture.host_memory(1 << 10)).collect::<Vec<_>>());
    }
    let report = soft.report();
    let left: Vec<_> = report
        .alive
        .iter()
        .filter(|(kind, count)| **count > 0 && !["driver", "device"].contains(&kind.as_str()))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}

fn context_last() {
    let soft = Soft::find().unwrap();
    for last in ["kernel", "program", "memory", "event", "queue"] {
        soft.reset();
        let fixture = Fixture::new(fixture::plugin());
        let (pi, queue) = (fixture.pi, fixture.queue);
        let program = fixture.program(KERNELS);
        let kernel = program.kernel("nothing");
        let buffer = fixture.buffer(&mut [1_u8; 64]);
        let event = fixture.launch(queue, &kernel, 1, &[]);
        ok!(pi, piEventsWait(1, &event));
        ok!(pi, piQueueRetain(queue));
        drop(fixture);
        let mut program = Some(program);
        let mut kernel = Some(kernel);
        let mut order = vec!["queue", "event", "memory", "program", "kernel"];
        order.retain(|what| *what != last);
        order.push(last);
        for what in order {
            match what {
                "queue" => ok!(pi, piQueueRelease(queue)),
                "event" => ok!(pi, piEventRelease(event)),
                "memory" => ok!(pi, piMemRelease(buffer)),
                "program" => drop(program.take()),
                _ => drop(kernel.take()),
            }
        }
        let report = soft.report();
        assert!(report.complaints.is_empty(), "{last} last: {:?}", report.complaints);
        assert_eq!(report.alive["context"], 0, "{last} last");
    }
}

fn no_times() {
    let fixture = Fixture::new(newest());
    let (pi, memory, gate) = (fixture.pi, fixture.device_memory(64), Gate::new(&fixture));
    let (queue, mut event) = (fixture.queue(PI_QUEUE_FLAG_PROFILING_ENABLE), null_mut());
    ok!(pi, piextUSMEnqueueMemset(queue, memory.start, 1, 64, 1, &gate.0, &mut event));
    let time = |name| {
        let mut time = 0_u64;
        code!(pi, piEventGetProfilingInfo(event, name, 8, (&raw mut time).cast(), null_mut()))
    };
    let later = [PI_PROFILING_INFO_COMMAND_START, PI_PROFILING_INFO_COMMAND_END];
    let early = later.map(time);
    gate.open();
    ok!(pi, piEventsWait(1, &event));
    assert_eq!(early, [PI_ERROR_PROFILING_INFO_NOT_AVAILABLE; 2]);
    assert_eq!(later.map(time), [PI_SUCCESS; 2]);
    ok!(pi, piEventRelease(event));
    ok!(pi, piQueueRelease(queue));
}

/// The host reaches the memory itself, and a region whose old contents do not matter is not read.
fn blocking_map() {
    let fixture = Fixture::new(newest());
    let (pi, queue, context) = (fixture.pi, fixture.queue, fixture.context);
    for (kind, flags) in [(PI_MEM_FLAGS_HOST_PTR_ALLOC, PI_MAP_READ), (0, PI_MAP_WRITE_INVALIDATE_REGION)] {
        let (mut mem, mut at, mut filled) = (null_mut(), null_mut(), null_mut());
        let all = PI_MEM_FLAGS_ACCESS_RW | kind;
        ok!(pi, piMemBufferCreate(context, all, 64, null_mut(), &mut mem, null()));
        let (gate, value) = (Gate::new(&fixture), (&raw const *b"x").cast());
        ok!(pi, piEnqueueMemBufferFill(queue, mem, value, 1, 0, 64, 1, &gate.0, &mut filled));
        let event = gate.0.expose_provenance();
        let opener = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(30));
            Gate(std::ptr::with_exposed_provenance_mut(event)).open();
        });
        ok!(pi, piEnqueueMemBufferMap(queue, mem, 1, flags, 0, 64, 0, null(), null_mut(), &mut at));
        assert_eq!(status(pi, filled), PI_EVENT_COMPLETE, "{flags:#x}");
        opener.join().unwrap();
        let mut unmapped = null_mut();
        ok!(pi, piEnqueueMemUnmap(queue, mem, at, 0, null(), &mut unmapped));
        fixture.wait(&[filled, unmapped]);
        ok!(pi, piMemRelease(mem));
    }
}
