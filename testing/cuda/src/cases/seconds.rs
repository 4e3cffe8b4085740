//! The second of two: devices of programs and memory, events of a wait list, deleters, sync points, updates.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use sycl_ur_core::*;
use testing_ur_host::ok as ur_ok;

use super::Case;
use super::calls::is_empty;
use super::devices::{Pair, access};
use super::pairs::{build, kernel, program};
use super::unified_runtime::{newest, pair};
use crate::fixture::{image, wait};
use crate::software::{calls, inject, live, noted};
use crate::{Fixture, code, ok};
use sycl_pi_core::*;
use testing_support::Gate;

pub(crate) const CASES: &[Case] = &[
    ("two_devices_have_a_binary_of_a_program_each", binaries),
    ("two_devices_leave_nothing_of_a_program_or_a_buffer_behind", nothing_left),
    ("two_devices_free_their_memory_whatever_the_other_says", freed),
    ("two_devices_compile_and_link_a_program_each", compiled_and_linked),
    ("two_devices_see_both_buffers_of_a_command", both_buffers),
    ("two_devices_see_both_buffers_of_a_kernel", buffers_of_kernel),
    ("two_devices_are_given_exportable_memory", exportable),
    ("two_devices_are_those_of_their_context", of_context),
    ("two_devices_are_told_of_their_memory", of_memory),
    ("each_deleter_of_a_context_runs", deleters),
    ("a_queue_is_empty_once_its_last_stream_is", last_stream),
    ("a_link_has_each_of_its_programs", linked),
    ("a_work_group_is_chosen_in_each_dimension", chosen),
    ("rows_of_no_bytes_are_no_command_of_a_recording", empty_recorded),
];

/// Returns a list of one number for each device.
fn of_devices<T: Copy + Default>(program: pi_program, name: pi_program_info) -> Vec<T> {
    let mut list = vec![T::default(); 3];
    let (room, mut size) = (list.as_mut_ptr().cast(), 0);
    ok!(piProgramGetInfo(program, name, 3 * size_of::<T>(), room, &mut size));
    list.truncate(size / size_of::<T>());
    list
}

fn binaries() {
    let pair = Pair::new();
    let program = program(&pair);
    build(program, &pair.devices);
    let devices: Vec<usize> = of_devices(program, PI_PROGRAM_INFO_DEVICES);
    assert_eq!(devices, pair.devices.map(|device| device.expose_provenance()));
    let sizes: Vec<usize> = of_devices(program, PI_PROGRAM_INFO_BINARY_SIZES);
    assert_eq!(sizes, [image("kernels").len(); 2]);
    let mut binaries = [vec![0_u8; sizes[0]], vec![0_u8; sizes[1]]];
    let mut rooms = binaries.each_mut().map(|binary| binary.as_mut_ptr());
    let (list, mut size) = (rooms.as_mut_ptr().cast(), 0);
    ok!(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, 16, list, &mut size));
    assert_eq!(size, 16);
    assert!(binaries.iter().all(|binary| *binary == image("kernels")));
    // A device's room may be left out.
    let mut second = vec![0_u8; sizes[1]];
    let mut rooms = [null_mut(), second.as_mut_ptr()];
    ok!(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, 16, rooms.as_mut_ptr().cast(), null_mut()));
    assert!(second == image("kernels"));
    ok!(piProgramRelease(program));
}

fn nothing_left() {
    let pair = Pair::new();
    let work = || {
        let (program, buffer) = (program(&pair), pair.buffer(&[1; 64]));
        build(program, &pair.devices);
        for device in [0, 1] {
            pair.read(device, buffer, 64, &[]);
        }
        ok!(piProgramRelease(program));
        ok!(piMemRelease(buffer));
    };
    // The first time, the queues get their streams.
    work();
    let before = live();
    work();
    assert_eq!(live(), before);
}

fn freed() {
    let pair = Pair::new();
    let buffer = pair.buffer(&[1; 64]);
    for device in [0, 1] {
        pair.read(device, buffer, 64, &[]);
    }
    inject("cuMemFree_v2:1:2");
    let code = code!(piMemRelease(buffer));
    assert_eq!((code, calls("cuMemFree_v2")), (PI_SUCCESS, 2));
}

fn compiled_and_linked() {
    let pair = Pair::new();
    let (plain, count, list) = (program(&pair), 2, pair.devices.as_ptr());
    let status = |program, device| {
        let (mut told, name) = (77_u32, PI_PROGRAM_BUILD_INFO_BINARY_TYPE);
        ok!(piProgramGetBuildInfo(program, device, name, 4, (&raw mut told).cast(), null_mut()));
        told
    };
    let (options, none) = (c"".as_ptr(), null_mut());
    let compiled_with = c"-cl-fast-relaxed-math";
    ok!(piProgramCompile(plain, count, list, compiled_with.as_ptr(), 0, null(), null_mut(), None, none));
    for device in pair.devices {
        let (mut text, mut told) = ([0_u8; 64], 77_i32);
        let (room, room_for_status) = (text.as_mut_ptr().cast(), (&raw mut told).cast());
        ok!(piProgramGetBuildInfo(plain, device, PI_PROGRAM_BUILD_INFO_OPTIONS, 64, room, null_mut()));
        assert_eq!(std::ffi::CStr::from_bytes_until_nul(&text).unwrap(), compiled_with);
        let name = PI_PROGRAM_BUILD_INFO_STATUS;
        ok!(piProgramGetBuildInfo(plain, device, name, 4, room_for_status, null_mut()));
        assert_eq!(told, PI_PROGRAM_BUILD_STATUS_SUCCESS);
    }
    assert_eq!(pair.devices.map(|device| status(plain, device)), [PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT; 2]);
    for devices in [&pair.devices[..], &[], &pair.devices[1..]] {
        let (mut linked, count) = (null_mut(), devices.len() as u32);
        let list = if devices.is_empty() { null() } else { devices.as_ptr() };
        let context = pair.context;
        ok!(piProgramLink(context, count, list, options, 1, &plain, None, none, &mut linked));
        let of: Vec<usize> = of_devices(linked, PI_PROGRAM_INFO_DEVICES);
        let expected = if devices.is_empty() { &pair.devices } else { devices };
        assert_eq!(of, expected.iter().map(|device| device.expose_provenance()).collect::<Vec<_>>());
        for device in expected {
            assert_eq!(status(linked, *device), PI_PROGRAM_BINARY_TYPE_EXECUTABLE);
        }
        ok!(piProgramRelease(linked));
    }
    ok!(piProgramRelease(plain));
}

/// A copy on the second device needs the newest bytes of what it reads, and of what it writes in part.
fn both_buffers() {
    let pair = Pair::new();
    let (from, to) = (pair.buffer(&[1; 64]), pair.buffer(&[2; 64]));
    let mut copied = null_mut();
    ok!(piEnqueueMemBufferCopy(pair.queues[1], from, to, 0, 0, 8, 0, null(), &mut copied));
    assert!(pair.read(1, to, 64, &[copied]) == [&[1; 8][..], &[2; 56]].concat());
    assert!(pair.read(0, to, 64, &[copied]) == [&[1; 8][..], &[2; 56]].concat());
    wait(&[copied]);
    for buffer in [from, to] {
        ok!(piMemRelease(buffer));
    }
}

/// The kernel multiplies the numbers of the first buffer into the second.
fn buffers_of_kernel() {
    let pair = Pair::new();
    let program = program(&pair);
    build(program, &pair.devices);
    let (scale, factor) = (kernel(program, c"scale"), 3_u32);
    let (from, to) = (pair.buffer(&[2, 0, 0, 0].repeat(8)), pair.buffer(&[9; 32]));
    // Both devices have the old bytes.
    for (device, buffer) in [(0, from), (1, from), (0, to), (1, to)] {
        pair.read(device, buffer, 32, &[]);
    }
    let five = [5_u8, 0, 0, 0].repeat(8);
    let start = five.as_ptr().cast();
    ok!(piEnqueueMemBufferWrite(pair.queues[0], from, 1, 0, 32, start, 0, null(), null_mut()));
    ok!(piKernelSetArg(scale, 0, 4, (&raw const factor).cast()));
    ok!(piextKernelSetArgMemObj(scale, 1, &access(PI_ACCESS_READ_ONLY), &from));
    ok!(piextKernelSetArgMemObj(scale, 2, &access(PI_ACCESS_WRITE_ONLY), &to));
    let mut done = null_mut();
    ok!(piEnqueueKernelLaunch(pair.queues[1], scale, 1, null(), &8, &8, 0, null(), &mut done));
    assert!(pair.read(0, to, 32, &[done]) == [15, 0, 0, 0].repeat(8));
    wait(&[done]);
    ok!(piKernelRelease(scale));
    ok!(piProgramRelease(program));
    for buffer in [from, to] {
        ok!(piMemRelease(buffer));
    }
}

fn exportable() {
    let host = newest();
    let (ur, (context, devices)) = (host.calls, pair(host));
    let (mut start, kind) = (null_mut(), UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD);
    for device in devices {
        inject("");
        // SAFETY: live handles, and room for the address.
        unsafe {
            ur_ok(ur.urMemoryExportAllocExportableMemoryExp(context, device, 0, 64, kind, &mut start));
            assert_eq!(noted("cuMemSetAccess"), 2 << 32 | 3, "both devices read and write it");
            ur_ok(ur.urMemoryExportFreeExportableMemoryExp(context, device, start));
        }
    }
    // SAFETY: a live context.
    ur_ok(unsafe { ur.urContextRelease(context) });
}

fn of_context() {
    let pair = Pair::new();
    let (mut devices, mut size): ([pi_device; 3], _) = ([null_mut(); 3], 0);
    let room = devices.as_mut_ptr().cast();
    ok!(piContextGetInfo(pair.context, PI_CONTEXT_INFO_DEVICES, 24, room, &mut size));
    assert_eq!((&devices[..2], size), (&pair.devices[..], 16));
}

fn of_memory() {
    let pair = Pair::new();
    for (index, device) in pair.devices.into_iter().enumerate() {
        let (mut shared, context) = (null_mut(), pair.context);
        ok!(piextUSMSharedAlloc(&mut shared, context, device, null_mut(), 64, 0));
        for start in [pair.memory(index, 64), shared] {
            let mut of: pi_device = null_mut();
            let room = (&raw mut of).cast();
            ok!(piextUSMGetMemAllocInfo(context, start, PI_MEM_ALLOC_DEVICE, 8, room, null_mut()));
            assert_eq!(of, device);
            ok!(piextUSMFree(context, start));
        }
    }
}

fn deleters() {
    static SUM: AtomicUsize = AtomicUsize::new(0);
    /// # Safety
    /// The argument is a number.
    unsafe extern "C" fn add(number: *mut c_void) {
        SUM.fetch_add(number.addr(), Ordering::SeqCst);
    }
    let (devices, mut context) = (crate::fixture::devices(), null_mut());
    ok!(piContextCreate(null(), 1, devices.as_ptr(), None, null_mut(), &mut context));
    for number in [1, 20, 300] {
        ok!(piextContextSetExtendedDeleter(context, Some(add), std::ptr::without_provenance_mut(number)));
    }
    ok!(piContextRetain(context));
    ok!(piContextRelease(context));
    assert_eq!(SUM.load(Ordering::SeqCst), 0, "it is in use");
    ok!(piContextRelease(context));
    assert_eq!(SUM.load(Ordering::SeqCst), 321);
}

fn last_stream() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(64);
    let queue = fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let set = |waits: &[pi_event]| {
        let (count, list, mut event) = (waits.len() as u32, waits.as_ptr(), null_mut());
        let list = if waits.is_empty() { null() } else { list };
        ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 64, count, list, &mut event));
        event
    };
    let (done, gate) = (set(&[]), Gate::new(&fixture));
    ok!(piEventsWait(1, &done));
    // It takes the next stream.
    let held = set(&[gate.0]);
    let early = is_empty(queue);
    gate.open();
    wait(&[done, held]);
    assert!(!early, "the second stream had a command");
    assert!(is_empty(queue));
    ok!(piQueueRelease(queue));
}

/// The software driver links one image alone, and refuses the second.
fn linked() {
    let fixture = Fixture::new();
    let programs = [1, 2].map(|_| fixture.binary(&image("kernels"), &[]));
    let list = [programs[0].raw, programs[1].raw];
    let (context, device, mut linked) = (fixture.context, &raw const fixture.device, null_mut());
    let (options, none) = (c"".as_ptr(), null_mut());
    inject("");
    let told = code!(piProgramLink(context, 1, device, options, 2, list.as_ptr(), None, none, &mut linked));
    assert_eq!((told, calls("cuLinkAddData_v2")), (PI_ERROR_LINK_PROGRAM_FAILURE, 2));
    if !linked.is_null() {
        ok!(piProgramRelease(linked));
    }
}

fn chosen() {
    let host = newest();
    let kernel = super::unified_runtime::kernel(host, "kernels", c"noop");
    let suggest = |global: [usize; 3]| {
        let (mut local, at) = ([0_usize; 3], [0_usize; 3]);
        // SAFETY: live handles, and room for the sizes.
        ur_ok(unsafe {
            host.calls.urKernelGetSuggestedLocalWorkSize(
                kernel,
                host.queue,
                3,
                at.as_ptr(),
                global.as_ptr(),
                local.as_mut_ptr(),
            )
        });
        local
    };
    // Small ranges are one work-group. A device has at most 64 work-items in the third dimension.
    for (global, expected) in [
        ([8, 4, 2], [8, 4, 2]),
        ([1, 1, 64], [1, 1, 64]),
        ([2, 1, 128], [2, 1, 64]),
        // Whole warps, although 840 divides the range, too.
        ([3360, 1, 1], [672, 1, 1]),
        ([0, 4, 2], [1, 1, 1]),
        ([4, 0, 2], [1, 1, 1]),
    ] {
        assert_eq!(suggest(global), expected, "{global:?}");
    }
    // SAFETY: a live kernel.
    ur_ok(unsafe { host.calls.urKernelRelease(kernel) });
}

fn empty_recorded() {
    let fixture = Fixture::new();
    let (buffer, mut recorded, none) = (fixture.buffer(&mut [1_u8; 64]), null_mut(), null_mut());
    ok!(piextCommandBufferCreate(fixture.context, fixture.device, null(), &mut recorded));
    let mut bytes = [0_u8; 64];
    let host: *mut c_void = bytes.as_mut_ptr().cast();
    let codes = [
        code!(piextCommandBufferMemBufferRead(recorded, buffer, 0, 0, host, 0, null(), none)),
        code!(piextCommandBufferMemBufferWrite(recorded, buffer, 0, 0, host, 0, null(), none)),
        code!(piextCommandBufferMemBufferCopy(recorded, buffer, buffer, 0, 32, 0, 0, null(), none)),
    ];
    assert_eq!(codes, [PI_ERROR_INVALID_VALUE; 3], "as the commands of queues");
    // A copy of USM may have no bytes, and later commands may be behind it.
    let (memory, mut point) = (fixture.device_memory(64), 0);
    fixture.write(&memory, &[3_u8; 64]);
    let (to, start) = (memory.at(32), memory.start);
    ok!(piextCommandBufferMemcpyUSM(recorded, to, start, 0, 0, null(), &mut point));
    let value = (&raw const *b"x").cast();
    ok!(piextCommandBufferFillUSM(recorded, start, value, 1, 8, 1, &point, none));
    ok!(piextCommandBufferFinalize(recorded));
    ok!(piextEnqueueCommandBuffer(recorded, fixture.queue, 0, null(), null_mut()));
    assert_eq!(fixture.read::<u8>(&memory, 64), [[b'x'; 8].as_slice(), &[3; 56]].concat());
    ok!(piextCommandBufferRelease(recorded));
    ok!(piMemRelease(buffer));
}
