//! Counts how often each command calls the driver, so that removed calls do not return.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{devices, wait};
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("commands_wait_in_the_driver_only_where_they_must", waits),
    ("events_that_are_given_back_are_used_again", events),
    ("queues_ask_the_driver_only_while_it_may_have_work", queues),
    ("an_out_of_order_queue_is_empty_only_if_each_of_its_streams_is", empty_streams),
    ("managed_memory_alone_gets_hints", hints),
    ("maps_copy_only_what_is_read_or_written", maps),
    ("rows_start_where_the_elements_need_them", pitches),
    ("local_memory_beyond_the_usual_is_asked_for_once", local_memory),
    ("a_launch_with_an_offset_may_have_as_much_local_memory_as_one_without", local_memory_at_an_offset),
    ("an_out_of_order_queue_has_a_bounded_number_of_streams", streams),
    ("a_queue_without_commands_calls_the_driver_for_nothing", unused_queue),
    ("streams_of_dropped_queues_are_used_again", streams_again),
    ("a_stream_whose_handle_was_given_away_is_not_used_again", shared_stream),
    ("a_copy_that_is_waited_for_twice_waits_in_the_driver_once", waited_twice),
    ("waiting_for_a_device_waits_in_the_driver", device_wait),
    ("devices_of_one_context_reach_each_other_from_the_first_copy_on", peers),
];

/// Launches an empty kernel in a queue after these events, and returns its event.
pub(super) fn launch_behind(queue: pi_queue, kernel: pi_kernel, waits: &[pi_event]) -> pi_event {
    let (mut event, count, list) = (null_mut(), waits.len() as u32, waits.as_ptr());
    let list = if waits.is_empty() { null() } else { list };
    ok!(piEnqueueKernelLaunch(queue, kernel, 1, null(), &8, &8, count, list, &mut event));
    event
}

/// Counts how often a stream has to wait, and an event is recorded, during the work.
fn recorded(work: impl FnOnce()) -> [u64; 2] {
    software::inject("");
    work();
    ["cuStreamWaitEvent", "cuEventRecord"].map(software::calls)
}

fn waits() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let (one, other) = (fixture.queue, fixture.queue(0));
    let both = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let out_of_order = fixture.queue(both);
    // Functions and events are created on first use.
    for queue in [one, other, out_of_order] {
        wait(&[launch_behind(queue, kernel.raw, &[])]);
    }
    let first = launch_behind(one, kernel.raw, &[]);
    let mut second = null_mut();
    let of_its_queue = recorded(|| second = launch_behind(one, kernel.raw, &[first]));
    assert_eq!(of_its_queue, [0, 1], "behind the last command of an in-order queue, whose event is held");
    let of_another = recorded(|| wait(&[launch_behind(other, kernel.raw, &[second])]));
    assert_eq!(of_another, [1, 1], "behind the last command of another queue");
    ok!(piEventsWait(2, [first, second].as_ptr()));
    let complete = recorded(|| wait(&[launch_behind(other, kernel.raw, &[first, second])]));
    assert_eq!(complete, [0, 0], "behind what is complete");
    wait(&[first, second]);

    let first = launch_behind(out_of_order, kernel.raw, &[]);
    let mut rest = Vec::new();
    let chain = recorded(|| rest.push(launch_behind(out_of_order, kernel.raw, &[first])));
    assert_eq!(chain, [0, 1], "behind the last command of a stream: in that stream");
    let fork = recorded(|| rest.push(launch_behind(out_of_order, kernel.raw, &[first])));
    assert_eq!(fork[0], 1, "behind a command that is not its stream's last: in another stream");
    rest.push(first);
    wait(&rest);

    // A barrier waits for the streams that have work, and later commands of other streams wait for it once.
    let mut barrier = null_mut();
    ok!(piEnqueueEventsWaitWithBarrier(out_of_order, 0, null(), &mut barrier));
    let mut events = vec![barrier];
    for _ in 0..16 {
        events.push(launch_behind(out_of_order, kernel.raw, &[]));
    }
    let later = recorded(|| events.extend((0..16).map(|_| launch_behind(out_of_order, kernel.raw, &[]))));
    assert_eq!(later[0], 0, "each stream has waited for the barrier");
    wait(&events);
    for queue in [other, out_of_order] {
        ok!(piQueueRelease(queue));
    }
}

fn events() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let counted = |work: &mut dyn FnMut()| {
        software::inject("");
        work();
        ["cuEventCreate", "cuEventRecord", "cuEventDestroy_v2"].map(software::calls)
    };
    for (flags, records) in [(0, 0), (PI_QUEUE_FLAG_PROFILING_ENABLE, 2)] {
        let queue = fixture.queue(flags);
        let complete = launch_behind(queue, kernel.raw, &[]);
        ok!(piEventsWait(1, &complete));
        // Nothing is recorded for a completed command.
        let launched = counted(&mut || {
            let event = launch_behind(queue, kernel.raw, &[]);
            ok!(piEventsWait(1, &event));
            ok!(piEventRelease(event));
        });
        assert_eq!(launched[1], records, "{flags}");
        // The next command reuses a free event.
        let again = counted(&mut || wait(&[launch_behind(queue, kernel.raw, &[])]));
        assert_eq!(again, [0, records, 0], "{flags}");
        ok!(piEventRelease(complete));
        let released = counted(&mut || ok!(piQueueRelease(queue)));
        assert_eq!(released, [0; 3], "the context keeps them: {flags}");
        let other = fixture.queue(flags);
        let first = counted(&mut || wait(&[launch_behind(other, kernel.raw, &[])]));
        assert_eq!(first, [0, records, 0], "another queue uses them: {flags}");
        ok!(piQueueRelease(other));
    }
}

pub(super) fn is_empty(queue: pi_queue) -> bool {
    let mut empty: pi_bool = 7;
    let room = (&raw mut empty).cast();
    ok!(piQueueGetInfo(queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY, 4, room, null_mut()));
    assert!(empty <= 1);
    empty == 1
}

fn queues() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let asked = |work: &dyn Fn()| {
        software::inject("");
        work();
        ["cuStreamSynchronize", "cuStreamQuery"].map(software::calls)
    };
    let finish = || fixture.finish();
    let ask = || assert!(is_empty(fixture.queue));
    fixture.launch(kernel.raw, &[8], None);
    assert_eq!(asked(&finish), [1, 0]);
    assert_eq!((asked(&finish), asked(&ask)), ([0, 0], [0, 0]), "everything is known to be complete");
    fixture.launch(kernel.raw, &[8], None);
    assert_eq!(asked(&finish), [1, 0], "there is more");
    let gate = testing_support::Gate::new(&fixture);
    let held = launch_behind(fixture.queue, kernel.raw, &[gate.0]);
    assert!(!is_empty(fixture.queue));
    gate.open();
    wait(&[held]);
    fixture.finish();
    // Others may submit to the stream from now on.
    let (mut native, mut kind) = (0, 0);
    ok!(piextQueueGetNativeHandle(fixture.queue, &mut native, &mut kind));
    assert!(native > 1);
    assert_eq!((asked(&finish), asked(&ask)), ([1, 0], [0, 1]));
    // The caller's stream is never known to be complete.
    let mut borrowed = null_mut();
    ok!(piextQueueCreateWithNativeHandle(
        native,
        0,
        fixture.context,
        fixture.device,
        0,
        null_mut(),
        &mut borrowed
    ));
    let finish = || ok!(piQueueFinish(borrowed));
    assert_eq!((asked(&finish), asked(&finish)), ([1, 0], [1, 0]));
    ok!(piQueueRelease(borrowed));
    fixture.finish();
}

fn empty_streams() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let queue = fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let gate = testing_support::Gate::new(&fixture);
    let held = launch_behind(queue, kernel.raw, &[gate.0]);
    // It takes the next stream.
    wait(&[launch_behind(queue, kernel.raw, &[])]);
    let early = is_empty(queue);
    gate.open();
    wait(&[held]);
    assert!(!early, "the first stream had a command");
    assert!(is_empty(queue));
    ok!(piQueueRelease(queue));
}

fn hints() {
    // Advice of the interface, and of the driver as in cuda.h: read mostly 1 and 2, place 3 and 4, access 5 and 6.
    // -1 is the host.
    const HOST: u32 = u32::MAX;
    let fixture = Fixture::new();
    let (shared, device) = (fixture.shared_memory(4096), fixture.device_memory(4096));
    let hints = |start, size, advice| {
        software::inject("");
        ok!(piextUSMEnqueueMemAdvise(fixture.queue, start, size, advice, null_mut()));
        software::calls("cuMemAdvise")
    };
    for (advice, hint, place) in [
        (PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY, 1, 0),
        (PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY, 2, 0),
        (PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION, 3, 0),
        (PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION, 4, 0),
        (PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY, 5, 0),
        (PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY, 6, 0),
        (PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST, 3, HOST),
        (PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION_HOST, 4, HOST),
        (PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST, 5, HOST),
        (PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY_HOST, 6, HOST),
    ] {
        assert_eq!(hints(shared.start, 4096, advice), 1, "{advice:#x}");
        assert_eq!(software::noted("cuMemAdvise"), hint << 32 | u64::from(place), "{advice:#x}");
    }
    let two = PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY;
    assert_eq!(hints(shared.start, 4096, two), 2);
    assert_eq!(hints(shared.start, 4096, PI_MEM_ADVICE_RESET), 5, "each that takes another back");
    assert_eq!(software::noted("cuMemAdvise"), 6 << 32 | u64::from(HOST), "the last of them");
    assert_eq!(hints(shared.start, 4096, PI_MEM_ADVICE_UNKNOWN), 0);
    // A part of the memory.
    let range = |function: &str| {
        ["start", "size"].map(|what| software::noted(&format!("{function}'s {what}")) as usize)
    };
    let part = [shared.start.addr() + 1024, 512];
    for advice in [PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY, PI_MEM_ADVICE_RESET] {
        hints(shared.at(1024), 512, advice);
        assert_eq!(range("cuMemAdvise"), part, "{advice:#x}");
    }
    let prefetches = |start, size| {
        software::inject("");
        ok!(piextUSMEnqueuePrefetch(fixture.queue, start, size, 0, 0, null(), null_mut()));
        software::calls("cuMemPrefetchAsync")
    };
    assert_eq!((prefetches(shared.at(1024), 512), range("cuMemPrefetchAsync")), (1, part));
    let one = PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY;
    assert_eq!(
        (prefetches(shared.start, 4096), prefetches(shared.start, 0), prefetches(device.start, 4096)),
        (1, 0, 0)
    );
    assert_eq!((hints(shared.start, 0, one), hints(device.start, 4096, one)), (0, 0));
    // A device that does not migrate pages.
    software::set_attributes("89=0");
    assert_eq!((prefetches(shared.start, 4096), hints(shared.start, 4096, one)), (0, 0));
    software::set_attributes("");
    fixture.finish();
}

fn maps() {
    let fixture = Fixture::new();
    let (mut bytes, queue) = ((0..64).collect::<Vec<u8>>(), fixture.queue);
    let mem = fixture.buffer(&mut bytes);
    for (flags, there, back) in [
        (PI_MAP_READ, 1, 0),
        (PI_MAP_WRITE, 1, 1),
        (PI_MAP_READ | PI_MAP_WRITE, 1, 1),
        (PI_MAP_WRITE_INVALIDATE_REGION, 0, 1),
    ] {
        software::inject("");
        let mut address = null_mut();
        ok!(piEnqueueMemBufferMap(queue, mem, 1, flags, 4, 8, 0, null(), null_mut(), &mut address));
        if there == 1 {
            // SAFETY: 8 bytes are mapped there.
            let mapped = unsafe { std::slice::from_raw_parts(address.cast::<u8>(), 8) };
            assert_eq!(mapped, &bytes[4..12], "{flags}");
        }
        // SAFETY: the same as above.
        unsafe { address.cast::<u8>().write_bytes(0x40 | flags as u8, 8) };
        ok!(piEnqueueMemUnmap(queue, mem, address, 0, null(), null_mut()));
        fixture.finish();
        let copies = ["cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2"].map(software::calls);
        assert_eq!(copies, [there, back], "{flags}");
        if back == 1 {
            bytes[4..12].fill(0x40 | flags as u8);
        }
        let mut now = [0_u8; 64];
        ok!(piEnqueueMemBufferRead(queue, mem, 1, 0, 64, now.as_mut_ptr().cast(), 0, null(), null_mut()));
        assert_eq!(now, bytes[..], "{flags}");
    }
    let mut address = null_mut();
    for (flags, size) in [(0, 8), (8, 8), (PI_MAP_READ | 8, 8), (PI_MAP_READ, 0), (PI_MAP_READ, 61)] {
        fails!(
            piEnqueueMemBufferMap(queue, mem, 1, flags, 4, size, 0, null(), null_mut(), &mut address),
            PI_ERROR_INVALID_VALUE
        );
    }
    ok!(piMemRelease(mem));

    // The caller's memory is mapped itself, also in a part of the buffer.
    let mut pages = vec![0_u8; 8192];
    let (mut mem, mut part, start) = (null_mut(), null_mut(), pages.as_mut_ptr());
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE;
    ok!(piMemBufferCreate(fixture.context, flags, 8192, start.cast(), &mut mem, null()));
    let mut region = pi_buffer_region_struct { origin: 4096, size: 4096 };
    let (create, region) = (PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast());
    ok!(piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW, create, region, &mut part));
    let (mut address, map) = (null_mut(), PI_MAP_READ | PI_MAP_WRITE);
    ok!(piEnqueueMemBufferMap(queue, part, 1, map, 100, 8, 0, null(), null_mut(), &mut address));
    assert_eq!(address, start.wrapping_add(4196).cast());
    ok!(piEnqueueMemUnmap(queue, part, address, 0, null(), null_mut()));
    fixture.finish();
    for mem in [part, mem] {
        ok!(piMemRelease(mem));
    }
}

/// The driver supports elements of 4, 8 and 16 bytes.
fn pitches() {
    let fixture = Fixture::new();
    for (element, expected) in [(1, 512), (4, 512), (5, 1024), (8, 1024), (9, 2048), (16, 2048)] {
        let (mut start, mut pitch) = (null_mut(), 0);
        let (context, device) = (fixture.context, fixture.device);
        ok!(piextUSMPitchedAlloc(&mut start, &mut pitch, context, device, null_mut(), 10, 3, element));
        assert_eq!(pitch, expected, "elements of {element} bytes");
        ok!(piextUSMFree(context, start));
        for (width, height) in [(0, 3), (10, 0)] {
            let why = fails!(
                piextUSMPitchedAlloc(
                    &mut start,
                    &mut pitch,
                    context,
                    device,
                    null_mut(),
                    width,
                    height,
                    element
                ),
                PI_ERROR_INVALID_VALUE
            );
            assert!(why.contains("is empty or exceeds the address space"), "{why}");
        }
    }
    let mut start = null_mut();
    for (alignment, expected) in [(256, PI_SUCCESS), (512, PI_ERROR_INVALID_VALUE)] {
        let (context, device) = (fixture.context, fixture.device);
        assert_eq!(
            code!(piextUSMDeviceAlloc(&mut start, context, device, null_mut(), 64, alignment)),
            expected
        );
    }
    ok!(piextUSMFree(fixture.context, start));
}

/// In cuda.h, attribute 8 is the size for every kernel, and 97 the size that a kernel may request.
fn local_memory() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let [usual, most] = [8, 97].map(|name| {
        let ask: unsafe extern "C" fn(*mut i32, i32, i32) -> u32 = software::function("cuDeviceGetAttribute");
        let mut value = 0;
        // SAFETY: room for a number, and the first device.
        assert_eq!(unsafe { ask(&mut value, name, 0) }, 0);
        value as usize
    });
    let asked = |size: usize| {
        ok!(piKernelSetArg(kernel.raw, 0, size, null()));
        software::inject("");
        let (queue, raw) = (fixture.queue, kernel.raw);
        let code = code!(piEnqueueKernelLaunch(queue, raw, 1, null(), &8, &8, 0, null(), null_mut()));
        (code, software::calls("cuFuncSetAttribute"))
    };
    let ok = PI_SUCCESS;
    assert_eq!([usual, usual + 2, usual + 2, usual + 1].map(asked), [(ok, 0), (ok, 1), (ok, 0), (ok, 0)]);
    assert_eq!([most, most + 1].map(asked), [(ok, 1), (PI_ERROR_PLUGIN_SPECIFIC_ERROR, 0)]);
    // This kernel declares 16 bytes itself, which count.
    let (kernel, memory) = (program.kernel("reverse"), fixture.device_memory(4));
    let (mut declared, name) = (0_u64, PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE);
    let room = (&raw mut declared).cast();
    ok!(piKernelGetGroupInfo(kernel.raw, fixture.device, name, 8, room, null_mut()));
    assert_eq!(declared, 16);
    let asked = |size: usize| {
        kernel.pointer(0, memory.start).local(1, size - 4).local(2, 4);
        software::inject("");
        let (queue, raw) = (fixture.queue, kernel.raw);
        let code = code!(piEnqueueKernelLaunch(queue, raw, 1, null(), &1, &1, 0, null(), null_mut()));
        (code, software::calls("cuFuncSetAttribute"))
    };
    assert_eq!([usual - 16, usual].map(asked), [(ok, 0), (ok, 1)]);
    assert_eq!([most - 16, most].map(asked), [(ok, 1), (PI_ERROR_PLUGIN_SPECIFIC_ERROR, 0)]);
    let kernel = program.kernel("noop");
    for config in [0, 1, 2] {
        let value = (&raw const config).cast();
        software::inject("");
        ok!(piKernelSetExecInfo(kernel.raw, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, 4, value));
        assert_eq!(software::calls("cuFuncSetCacheConfig"), 1);
    }
    let (unknown, name) = (77_u32, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG);
    fails!(piKernelSetExecInfo(kernel.raw, name, 4, (&raw const unknown).cast()), PI_ERROR_INVALID_VALUE);
    fixture.finish();
}

/// The driver has another function for launches with an offset.
fn local_memory_at_an_offset() {
    let fixture = Fixture::new();
    let mut most = 0_u64;
    ok!(piDeviceGetInfo(
        fixture.device,
        PI_DEVICE_INFO_LOCAL_MEM_SIZE,
        8,
        (&raw mut most).cast(),
        null_mut()
    ));
    for offsets in [[0, 3], [3, 0]] {
        let program = fixture.program("kernels");
        let kernel = program.kernel("in_local");
        ok!(piKernelSetArg(kernel.raw, 0, most as usize, null()));
        for offset in offsets {
            let (queue, raw) = (fixture.queue, kernel.raw);
            let code = code!(piEnqueueKernelLaunch(queue, raw, 1, &offset, &8, &8, 0, null(), null_mut()));
            assert_eq!(code, PI_SUCCESS, "offset {offset}");
        }
        fixture.finish();
    }
}

/// 16 for kernels and 4 for copies, so that copies run concurrently with kernels.
fn streams() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let (kernel, memory) = (program.kernel("noop"), fixture.device_memory(64));
    software::inject("");
    let queue = fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let made = || software::calls("cuStreamCreateWithPriority");
    assert_eq!(made(), 0);
    let mut counts = Vec::new();
    for _ in 0..40 {
        wait(&[launch_behind(queue, kernel.raw, &[])]);
        counts.push(made());
    }
    assert_eq!(counts, [(1..=16).collect(), vec![16; 24]].concat());
    counts.clear();
    for _ in 0..10 {
        ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 64, 0, null(), null_mut()));
        counts.push(made());
    }
    assert_eq!(counts, [vec![17, 18, 19, 20], vec![20; 6]].concat());
    software::inject("");
    ok!(piQueueFinish(queue));
    assert_eq!(software::calls("cuStreamSynchronize"), 4, "each that was not waited for yet");
    ok!(piQueueRelease(queue));
}

/// Counts driver calls while a queue is created, used by `work`, and released.
fn of_a_queue(fixture: &Fixture, flags: pi_queue_properties, work: &dyn Fn(pi_queue)) -> [u64; 4] {
    software::inject("");
    let queue = fixture.queue(flags);
    work(queue);
    ok!(piQueueRelease(queue));
    ["*", "cuStreamCreateWithPriority", "cuStreamSynchronize", "cuStreamDestroy_v2"].map(software::calls)
}

const IN_ORDER: pi_queue_properties = 0;
const KINDS: [pi_queue_properties; 3] =
    [IN_ORDER, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE, PI_QUEUE_FLAG_PROFILING_ENABLE];
const PRIORITIES: [pi_queue_properties; 2] =
    [PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW, PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH];

fn unused_queue() {
    let fixture = Fixture::new();
    for flags in KINDS.into_iter().chain(PRIORITIES) {
        assert_eq!(of_a_queue(&fixture, flags, &|_| ()), [0; 4], "{flags}");
        let ask = |queue| assert!(is_empty(queue));
        assert_eq!(of_a_queue(&fixture, flags, &ask), [0; 4], "{flags}");
        let finish = |queue| ok!(piQueueFinish(queue));
        assert_eq!(of_a_queue(&fixture, flags, &finish), [0; 4], "{flags}");
    }
}

fn streams_again() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let launch = |queue| ok!(piEventRelease(launch_behind(queue, kernel.raw, &[])));
    // The first queue with profiling reads the device's clock.
    of_a_queue(&fixture, PI_QUEUE_FLAG_PROFILING_ENABLE, &launch);
    for flags in KINDS {
        assert_eq!(of_a_queue(&fixture, flags, &launch)[1..], [0, 1, 0], "{flags}");
    }
    // Queues of another priority have separate streams.
    for priority in PRIORITIES {
        assert_eq!(of_a_queue(&fixture, priority, &launch)[1..], [1, 1, 0]);
        assert_eq!(of_a_queue(&fixture, priority, &launch)[1..], [0, 1, 0]);
    }
    // The driver's range is 0 to -5.
    assert_eq!(
        [IN_ORDER, PRIORITIES[0], PRIORITIES[1]].map(|flags| priority_of(&fixture, flags)),
        [0, 0, -5]
    );
    // Two queues at the same time have two streams.
    let both = of_a_queue(&fixture, IN_ORDER, &|queue| {
        launch(queue);
        assert_eq!(of_a_queue(&fixture, IN_ORDER, &launch)[1], 1);
    });
    assert_eq!(both[3], 0);
}

/// Returns the driver's priority of the stream of a new queue.
fn priority_of(fixture: &Fixture, flags: pi_queue_properties) -> i32 {
    let ask: unsafe extern "C" fn(usize, *mut i32) -> u32 = software::function("cuStreamGetPriority");
    let (queue, mut priority) = (fixture.queue(flags), 1);
    let (mut native, mut kind) = (0, 0);
    ok!(piextQueueGetNativeHandle(queue, &mut native, &mut kind));
    // SAFETY: a live stream, and room for a number.
    assert_eq!(unsafe { ask(native, &mut priority) }, 0);
    ok!(piQueueRelease(queue));
    priority
}

fn shared_stream() {
    let fixture = Fixture::new();
    let native = |queue| {
        let (mut native, mut kind) = (0, 0);
        ok!(piextQueueGetNativeHandle(queue, &mut native, &mut kind));
    };
    assert_eq!(of_a_queue(&fixture, IN_ORDER, &native)[1..], [1, 1, 1]);
    assert_eq!(of_a_queue(&fixture, IN_ORDER, &native)[1..], [1, 1, 1]);
}

fn waited_twice() {
    let fixture = Fixture::new();
    let (memory, mut value) = (fixture.device_memory(64), [0_u8; 8]);
    let to = value.as_mut_ptr().cast();
    for _ in 0..2 {
        software::inject("");
        let mut event = null_mut();
        ok!(piextUSMEnqueueMemcpy(fixture.queue, 0, to, memory.start, 8, 0, null(), &mut event));
        wait(&[event]);
        fixture.finish();
        assert_eq!(software::calls("cuStreamSynchronize"), 1, "by the event, and not again by the queue");
    }
}

fn device_wait() {
    let host = super::unified_runtime::newest();
    software::inject("");
    // SAFETY: a live handle.
    assert_eq!(unsafe { host.calls.urDeviceWaitExp(host.device) }, sycl_ur_core::UR_RESULT_SUCCESS);
    assert_eq!(software::calls("cuCtxSynchronize"), 1);
}

fn peers() {
    let all = devices();
    let (mut context, mut queue) = (null_mut(), null_mut());
    let pair = [all[0], all[1]];
    ok!(piContextCreate(null(), 2, pair.as_ptr(), None, null_mut(), &mut context));
    let mut properties = [PI_QUEUE_FLAGS, 0, 0];
    ok!(piextQueueCreate(context, pair[0], properties.as_mut_ptr(), &mut queue));
    let mut memory = null_mut();
    ok!(piextUSMDeviceAlloc(&mut memory, context, pair[1], null_mut(), 64, 0));
    let enabled = |queue| {
        software::inject("");
        let mut bytes = [1_u8; 64];
        ok!(piextUSMEnqueueMemcpy(queue, 1, memory, bytes.as_mut_ptr().cast(), 64, 0, null(), null_mut()));
        ["cuDeviceCanAccessPeer", "cuCtxEnablePeerAccess"].map(software::calls)
    };
    assert_eq!((enabled(queue), enabled(queue)), ([2, 2], [0, 0]));
    assert_eq!(enabled(Fixture::new().queue), [0, 0]);
    ok!(piextUSMFree(context, memory));
    ok!(piQueueRelease(queue));
    ok!(piContextRelease(context));
    // Copies of rows too.
    ok!(piContextCreate(null(), 2, pair.as_ptr(), None, null_mut(), &mut context));
    ok!(piextQueueCreate(context, pair[0], properties.as_mut_ptr(), &mut queue));
    ok!(piextUSMDeviceAlloc(&mut memory, context, pair[1], null_mut(), 64, 0));
    software::inject("");
    let (bytes, none) = ([1_u8; 64], null_mut());
    let from = bytes.as_ptr().cast();
    ok!(piextUSMEnqueueMemcpy2D(queue, 1, memory, 16, from, 16, 8, 4, 0, null(), none));
    assert_eq!(software::calls("cuCtxEnablePeerAccess"), 2);
    ok!(piextUSMFree(context, memory));
    ok!(piQueueRelease(queue));
    ok!(piContextRelease(context));
}
