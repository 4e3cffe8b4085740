//! Errors of single driver calls, which have different meanings for the caller.

use std::ptr::{null, null_mut};

use super::Case;
use super::images::RGBA32;
use super::unified_runtime::newest;
use crate::fixture::{image, status};
use crate::software::{calls, inject, live};
use crate::{Fixture, code, fails, ok};
use sycl_pi_core::*;
use testing_support::{image_desc, under_test};

pub(crate) const CASES: &[Case] = &[
    ("builds_and_links_fail_as_the_driver_says", builds),
    ("a_kernel_that_is_not_there_is_told_from_a_driver_in_trouble", kernels),
    ("memory_that_the_driver_does_not_know_is_told_from_a_driver_in_trouble", pointers),
    ("memory_is_asked_for_again_only_where_there_was_too_little", once),
    ("memory_of_rows_and_for_export_is_asked_for_again", again),
    ("what_cannot_be_filled_is_freed_and_the_first_error_told", first_error),
    ("a_queue_whose_driver_answers_no_state_is_neither_empty_nor_full", queues),
    ("images_leave_nothing_behind_finished_or_not", images),
    ("memory_of_the_callers_that_the_driver_refuses_is_copied", unregistered),
    ("driver_memory_becomes_a_buffer_from_its_address_on", native),
    ("a_command_that_runs_succeeds_although_its_end_cannot_be_timed", untimed),
];

fn builds() {
    let fixture = Fixture::new();
    let device = &raw const fixture.device;
    // No PTX, too little memory, shut down, a failed kernel, another error.
    for (driver, build, link) in [
        (218, PI_ERROR_BUILD_PROGRAM_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE),
        (2, PI_ERROR_OUT_OF_RESOURCES, PI_ERROR_OUT_OF_RESOURCES),
        (4, PI_ERROR_UNINITIALIZED, PI_ERROR_LINK_PROGRAM_FAILURE),
        (719, PI_ERROR_COMMAND_EXECUTION_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE),
        (999, PI_ERROR_BUILD_PROGRAM_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE),
    ] {
        let program = fixture.binary(&image("kernels"), &[]);
        inject(&format!("cuModuleLoadDataEx:1:{driver}"));
        assert_eq!(
            code!(piProgramBuild(program.raw, 1, device, c"".as_ptr(), None, null_mut())),
            build,
            "{driver}"
        );
        inject(&format!("cuLinkComplete:1:{driver}"));
        let (mut linked, context) = (null_mut(), fixture.context);
        let told = code!(piProgramLink(
            context,
            1,
            device,
            c"".as_ptr(),
            1,
            &program.raw,
            None,
            null_mut(),
            &mut linked
        ));
        assert_eq!(told, link, "{driver}");
        inject("");
        if !linked.is_null() {
            ok!(piProgramRelease(linked));
        }
    }
}

fn kernels() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let mut kernel = null_mut();
    let mut create = |name: &std::ffi::CStr| code!(piKernelCreate(program.raw, name.as_ptr(), &mut kernel));
    assert_eq!(create(c"nowhere"), PI_ERROR_INVALID_KERNEL_NAME);
    inject("cuModuleGetFunction:1:2");
    assert_eq!(create(c"noop"), PI_ERROR_OUT_OF_RESOURCES);
    inject("");
    let unbuilt = fixture.binary(&image("kernels"), &[]);
    let name = c"noop".as_ptr();
    fails!(piKernelCreate(unbuilt.raw, name, &mut kernel), PI_ERROR_INVALID_PROGRAM_EXECUTABLE);
}

fn pointers() {
    let fixture = Fixture::new();
    // The plugin's own allocations are in its lists, so these queries need no driver.
    let memory = fixture.shared_memory(64);
    let ask = |faults: &str| {
        inject(faults);
        let mut kind: pi_usm_type = 0;
        let (context, room) = (fixture.context, (&raw mut kind).cast());
        let code =
            code!(piextUSMGetMemAllocInfo(context, memory.start, PI_MEM_ALLOC_TYPE, 4, room, null_mut()));
        inject("");
        (code, kind)
    };
    assert_eq!(ask(""), (PI_SUCCESS, PI_MEM_TYPE_SHARED));
    assert_eq!(ask("cuPointerGetAttributes:1:1"), (PI_SUCCESS, PI_MEM_TYPE_UNKNOWN));
    assert_eq!(ask("cuPointerGetAttributes:1:2"), (PI_ERROR_OUT_OF_RESOURCES, 0));
}

fn once() {
    let fixture = Fixture::new();
    drop(fixture.device_memory(1000));
    for (fault, expected, count) in [
        ("1:1", PI_ERROR_INVALID_VALUE, 1),
        ("1:2", PI_SUCCESS, 2),
        ("1:2;cuMemAlloc_v2:2:2", PI_ERROR_OUT_OF_RESOURCES, 1),
    ] {
        inject(&format!("cuMemAlloc_v2:{fault}"));
        let (mut start, context, device) = (null_mut(), fixture.context, fixture.device);
        // A size of which no freed block exists. The last one finds nothing to free.
        let size = 5000 + usize::try_from(count).unwrap();
        let code = code!(piextUSMDeviceAlloc(&mut start, context, device, null_mut(), size, 0));
        assert_eq!((code, calls("cuMemAlloc_v2")), (expected, count), "{fault}");
        inject("");
    }
}

/// Freed memory that the plugin keeps makes room for any kind.
fn again() {
    let (fixture, host) = (Fixture::new(), newest());
    let (context, device) = (fixture.context, fixture.device);
    drop(fixture.device_memory(1000));
    let (mut start, mut pitch) = (null_mut(), 0);
    inject("cuMemAllocPitch_v2:1:2");
    ok!(piextUSMPitchedAlloc(&mut start, &mut pitch, context, device, null_mut(), 64, 4, 4));
    assert_eq!(calls("cuMemAllocPitch_v2"), 2);
    inject("");
    ok!(piextUSMFree(context, start));
    drop(fixture.device_memory(1000));
    inject("cuMemCreate:1:2");
    let memory = host.exportable(0, 64).unwrap();
    assert_eq!(calls("cuMemCreate"), 2);
    inject("");
    // Commands may still use it.
    assert_eq!((host.free_exportable(memory), calls("cuCtxSynchronize")), (0, 1));
}

/// If a call fails after its allocation, and then the free fails too, the call's error is reported.
fn first_error() {
    let fixture = Fixture::new();
    let (context, device) = (fixture.context, fixture.device);
    let (mut start, mut mem, mut picture, mut event) = (null_mut(), null_mut(), null_mut(), null_mut());
    let mut bytes = [0_u8; 8 * 4 * 16];
    let shape = image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 1]);
    let (flags, from) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, bytes.as_mut_ptr().cast());
    let mut shared = || code!(piextUSMSharedAlloc(&mut start, context, device, null_mut(), 64, 0));
    let mut buffer = || code!(piMemBufferCreate(context, flags, 64, from, &mut mem, null()));
    let mut image = || code!(piMemImageCreate(context, flags, &RGBA32, &shape, from, &mut picture));
    // From PI 9.11, because later versions create a completed event.
    let create = under_test(Version::V9_11).piEventCreate_until_9_11.unwrap();
    // SAFETY: a live context, and room for the event.
    let mut user_event = || unsafe { create(context, &mut event) };
    let makers: [(&str, &str, &mut dyn FnMut() -> pi_result); 4] = [
        ("cuMemsetD8Async", "cuMemFree_v2", &mut shared),
        ("cuMemcpyHtoD_v2", "cuMemFree_v2", &mut buffer),
        ("cuMemcpy3D_v2", "cuArrayDestroy", &mut image),
        ("cuMemHostGetDevicePointer_v2", "cuMemFreeHost", &mut user_event),
    ];
    for (fails, free, make) in makers {
        // No memory, then an invalid value.
        for (faults, left) in [(format!("{fails}:1:2"), 0), (format!("{fails}:1:2;{free}:1:1"), 1)] {
            let before = live();
            inject(&faults);
            assert_eq!((make(), calls(free)), (PI_ERROR_OUT_OF_RESOURCES, 1), "{faults}");
            inject("");
            assert_eq!(live() - before, left, "{faults}");
        }
    }
}

fn queues() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    for (driver, expected) in [(0, PI_SUCCESS), (600, PI_SUCCESS), (719, PI_ERROR_COMMAND_EXECUTION_FAILURE)]
    {
        ok!(piextUSMEnqueueMemset(fixture.queue, memory.start, 1, 64, 0, null(), null_mut()));
        inject(&if driver == 0 { String::new() } else { format!("cuStreamQuery:1:{driver}") });
        let (mut empty, name): (pi_bool, _) = (7, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY);
        let code = code!(piQueueGetInfo(fixture.queue, name, 4, (&raw mut empty).cast(), null_mut()));
        assert_eq!(code, expected, "{driver}");
        assert!(driver != 600 || empty == 0, "it may have work");
        inject("");
        fixture.finish();
    }
}

fn images() {
    let fixture = Fixture::new();
    let before = live();
    let shape = image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 1]);
    let mut pixels = vec![7_u32; 8 * 4 * 4];
    let create = |faults: &str, from: *mut u32| {
        inject(faults);
        let (mut image, flags) = (
            null_mut(),
            PI_MEM_FLAGS_ACCESS_RW | if from.is_null() { 0 } else { PI_MEM_FLAGS_HOST_PTR_COPY },
        );
        let code = code!(piMemImageCreate(fixture.context, flags, &RGBA32, &shape, from.cast(), &mut image));
        inject("");
        (code, image)
    };
    let calls = ["cuArray3DCreate_v2", "cuSurfObjectCreate", "cuMemcpy3D_v2", "cuStreamSynchronize"];
    for faults in calls.map(|call| format!("{call}:1:2")) {
        assert_eq!(create(&faults, pixels.as_mut_ptr()).0, PI_ERROR_OUT_OF_RESOURCES, "{faults}");
        assert_eq!(live(), before, "{faults}");
    }
    let (code, image) = create("", pixels.as_mut_ptr());
    assert_eq!((code, live()), (PI_SUCCESS, before + 2));
    let mut size = 0_usize;
    ok!(piMemGetInfo(image, PI_MEM_SIZE, 8, (&raw mut size).cast(), null_mut()));
    assert_eq!(size, 8 * 4 * 16);
    ok!(piMemRelease(image));
    assert_eq!(live(), before);
    // A pitch without memory, memory with one, and unsupported parameters.
    let pitched = pi_image_desc { image_row_pitch: 256, ..shape };
    let array = pi_image_desc { image_type: PI_MEM_TYPE_IMAGE2D_ARRAY, ..shape };
    for (shape, from, expected) in [
        (pitched, null_mut(), PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
        (array, null_mut(), PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
        (pi_image_desc { image_row_pitch: 128, ..shape }, pixels.as_mut_ptr(), PI_SUCCESS),
    ] {
        let flags = PI_MEM_FLAGS_ACCESS_RW | if from.is_null() { 0 } else { PI_MEM_FLAGS_HOST_PTR_COPY };
        let mut image = null_mut();
        let code = code!(piMemImageCreate(fixture.context, flags, &RGBA32, &shape, from.cast(), &mut image));
        assert_eq!(code, expected);
        if code == PI_SUCCESS {
            ok!(piMemRelease(image));
        }
    }
    assert_eq!(live(), before);
}

/// A buffer of memory that cannot be registered still works: a map returns that memory.
fn unregistered() {
    let fixture = Fixture::new();
    let before = live();
    for (faults, registered) in
        [("", 1), ("cuMemHostRegister_v2:1:801", 0), ("cuMemHostGetDevicePointer_v2:1:801", 0)]
    {
        let mut bytes = vec![3_u8; 8192];
        let (mut mem, start) = (null_mut(), bytes.as_mut_ptr());
        let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE;
        inject(faults);
        ok!(piMemBufferCreate(fixture.context, flags, 8192, start.cast(), &mut mem, null()));
        assert_eq!(calls("cuMemAlloc_v2"), 1 - registered, "{faults}");
        inject("");
        let mut address = null_mut();
        let (queue, map) = (fixture.queue, PI_MAP_READ | PI_MAP_WRITE);
        ok!(piEnqueueMemBufferMap(queue, mem, 1, map, 16, 8, 0, null(), null_mut(), &mut address));
        assert_eq!(address, start.wrapping_add(16).cast(), "{faults}");
        // SAFETY: 8 bytes are mapped there.
        unsafe { address.cast::<u8>().write_bytes(9, 8) };
        ok!(piEnqueueMemUnmap(queue, mem, address, 0, null(), null_mut()));
        let mut back = [0_u8; 32];
        ok!(piEnqueueMemBufferRead(queue, mem, 1, 0, 32, back.as_mut_ptr().cast(), 0, null(), null_mut()));
        assert_eq!(back, [[3; 8], [3; 8], [9; 8], [3; 8]].concat()[..], "{faults}");
        ok!(piMemRelease(mem));
    }
    assert_eq!(live(), before);
}

fn native() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(4096);
    fixture.write(&memory, &(0..=255).cycle().take(4096).collect::<Vec<u8>>());
    let (handle, mut mem, mut size) = (memory.start.addr() + 1024, null_mut(), 0_usize);
    ok!(piextMemCreateWithNativeHandle(handle, fixture.context, 0, &mut mem));
    ok!(piMemGetInfo(mem, PI_MEM_SIZE, 8, (&raw mut size).cast(), null_mut()));
    assert_eq!(size, 3072);
    let mut back = [0_u8; 4];
    ok!(piEnqueueMemBufferRead(fixture.queue, mem, 1, 5, 4, back.as_mut_ptr().cast(), 0, null(), null_mut()));
    assert_eq!(back, [5, 6, 7, 8]);
    let mut again = 0;
    ok!(piextMemGetNativeHandle(mem, fixture.device, &mut again));
    assert_eq!(again, handle);
    ok!(piMemRelease(mem));
    fails!(piextMemCreateWithNativeHandle(8, fixture.context, 0, &mut mem), PI_ERROR_INVALID_MEM_OBJECT);
}

fn untimed() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let (queue, memory) = (fixture.queue, fixture.device_memory(64));
    let set = |value: i32, event: &mut pi_event| {
        code!(piextUSMEnqueueMemset(queue, memory.start, value, 64, 0, null(), event))
    };
    let end_of = |event: pi_event| {
        let (mut time, name) = (0_u64, PI_PROFILING_INFO_COMMAND_END);
        code!(piEventGetProfilingInfo(event, name, 8, (&raw mut time).cast(), null_mut()))
    };
    let [mut first, mut untimed, mut next] = [null_mut(); 3];
    // The first command of a queue reads the device's clock.
    assert_eq!(set(1, &mut first), PI_SUCCESS);
    // Of the two records, that of the end.
    inject("cuEventRecord:2:2");
    let told = set(2, &mut untimed);
    assert_eq!((told, calls("cuEventRecord")), (PI_SUCCESS, 2));
    inject("");
    ok!(piEventsWait(1, &untimed));
    assert_eq!(status(untimed), PI_EVENT_COMPLETE);
    assert_eq!(end_of(untimed), PI_ERROR_PROFILING_INFO_NOT_AVAILABLE);
    assert_eq!(fixture.read::<u8>(&memory, 64), [2; 64]);
    assert_eq!(set(3, &mut next), PI_SUCCESS);
    ok!(piEventsWait(1, &next));
    assert_eq!((end_of(first), end_of(next)), (PI_SUCCESS, PI_SUCCESS));
    for event in [first, untimed, next] {
        ok!(piEventRelease(event));
    }
    // A command that the driver refuses has no event.
    inject("cuMemsetD8Async:1:2");
    let mut none = null_mut();
    assert_eq!(set(4, &mut none), PI_ERROR_OUT_OF_RESOURCES);
    inject("");
    assert!(none.is_null());
    assert_eq!(fixture.read::<u8>(&memory, 64), [3; 64]);
}
