//! Refused calls, their codes, and refusals that never reach the driver.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::images::RGBA32;
use super::unified_runtime::newest;
use super::{Case, launch_properties};
use crate::fixture::{devices, image};
use crate::software::{calls, inject, set_attributes};
use crate::{Fixture, code, fails, ok};
use sycl_pi_core::*;
use sycl_ur_core::*;
use testing_support::{image_desc, under_test};
use testing_ur_host::ok as ur_ok;

pub(crate) const CASES: &[Case] = &[
    ("an_image_is_no_buffer_and_a_buffer_no_image", kinds_of_memory),
    ("a_sub_buffer_takes_flags_of_access_alone", sub_buffer_flags),
    ("commands_of_no_bytes_do_not_reach_the_driver", no_bytes),
    ("a_callback_is_registered_for_a_later_status_than_queued", callbacks),
    ("programs_are_asked_for_their_own_devices_alone", programs),
    ("a_queue_has_no_flags_that_exclude_each_other", queue_flags),
    ("a_queue_on_the_host_has_no_size_of_a_device_queue", device_queues),
    ("a_device_has_no_parts", parts),
    ("ur_addresses_that_are_no_memory_of_the_driver_are_refused", unknown_addresses),
    ("ur_exportable_memory_has_a_possible_size", exportable_sizes),
    ("ur_virtual_memory_is_mapped_without_access", no_access),
    ("ur_clusters_need_a_device_that_has_them", no_clusters),
];

fn kinds_of_memory() {
    let fixture = Fixture::new();
    let (context, queue, none) = (fixture.context, fixture.queue, null_mut());
    let (mut picture, mut other, desc) = (null_mut(), null_mut(), image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]));
    for image in [&mut picture, &mut other] {
        ok!(piMemImageCreate(context, PI_MEM_FLAGS_ACCESS_RW, &RGBA32, &desc, null_mut(), image));
    }
    let (buffer, wrong) = (fixture.buffer(&mut [1_u8; 64]), PI_ERROR_INVALID_MEM_OBJECT);
    let mut bytes = [0_u8; 64];
    let host: *mut c_void = bytes.as_mut_ptr().cast();
    fails!(piEnqueueMemBufferRead(queue, picture, 1, 0, 64, host, 0, null(), none), wrong);
    fails!(piEnqueueMemBufferWrite(queue, picture, 1, 0, 64, host, 0, null(), none), wrong);
    fails!(piEnqueueMemBufferFill(queue, picture, host, 1, 0, 64, 0, null(), none), wrong);
    let (mut at, flags) = (null_mut(), PI_MAP_READ);
    fails!(piEnqueueMemBufferMap(queue, picture, 1, flags, 0, 64, 0, null(), none, &mut at), wrong);
    for [from, to] in [[picture, buffer], [buffer, picture]] {
        fails!(piEnqueueMemBufferCopy(queue, from, to, 0, 0, 64, 0, null(), none), wrong);
        let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let mut size = pi_image_region_struct { width: 4, height: 4, depth: 1 };
        let (corner, size) = (&raw mut corner, &raw mut size);
        fails!(piEnqueueMemImageCopy(queue, from, to, corner, corner, size, 0, null(), none), wrong);
    }
    let (mut region, mut part) = (pi_buffer_region_struct { origin: 0, size: 8 }, null_mut());
    let region = (&raw mut region).cast();
    let kind = PI_BUFFER_CREATE_TYPE_REGION;
    fails!(piMemBufferPartition(picture, PI_MEM_FLAGS_ACCESS_RW, kind, region, &mut part), wrong);
    ok!(piMemBufferPartition(buffer, PI_MEM_FLAGS_ACCESS_RW, kind, region, &mut part));
    // A part has no parts.
    let mut again = null_mut();
    fails!(piMemBufferPartition(part, PI_MEM_FLAGS_ACCESS_RW, kind, region, &mut again), wrong);
    for mem in [part, buffer, picture, other] {
        ok!(piMemRelease(mem));
    }
}

/// The code is OpenCL's, of `clCreateSubBuffer`.
fn sub_buffer_flags() {
    let fixture = Fixture::new();
    let buffer = fixture.buffer(&mut [1_u8; 64]);
    let mut region = pi_buffer_region_struct { origin: 0, size: 8 };
    let (region, kind) = ((&raw mut region).cast(), PI_BUFFER_CREATE_TYPE_REGION);
    let make = |flags| {
        let mut part = null_mut();
        let code = code!(piMemBufferPartition(buffer, flags, kind, region, &mut part));
        if code == PI_SUCCESS {
            ok!(piMemRelease(part));
        }
        code
    };
    // OpenCL's flag, which PI has no name for.
    const WRITE_ONLY: pi_mem_flags = 2;
    let allowed = [0, PI_MEM_FLAGS_ACCESS_RW, PI_MEM_ACCESS_READ_ONLY, WRITE_ONLY];
    assert_eq!(allowed.map(make), [PI_SUCCESS; 4]);
    for flags in [PI_MEM_FLAGS_HOST_PTR_USE, PI_MEM_FLAGS_HOST_PTR_COPY, PI_MEM_FLAGS_HOST_PTR_ALLOC] {
        assert_eq!(make(flags), PI_ERROR_INVALID_VALUE, "{flags:#x}");
    }
    ok!(piMemRelease(buffer));
    // A buffer that kernels only read has no part that they write.
    let (mut read_only, flags, context) = (null_mut(), PI_MEM_ACCESS_READ_ONLY, fixture.context);
    ok!(piMemBufferCreate(context, flags, 64, null_mut(), &mut read_only, null()));
    for (flags, expected) in [
        (0, PI_SUCCESS),
        (PI_MEM_ACCESS_READ_ONLY, PI_SUCCESS),
        (WRITE_ONLY, PI_ERROR_INVALID_VALUE),
        (PI_MEM_FLAGS_ACCESS_RW, PI_ERROR_INVALID_VALUE),
    ] {
        let mut part = null_mut();
        assert_eq!(
            code!(piMemBufferPartition(read_only, flags, kind, region, &mut part)),
            expected,
            "{flags}"
        );
        if expected == PI_SUCCESS {
            ok!(piMemRelease(part));
        }
    }
    // A part ends inside.
    for (origin, size) in [(0, 65), (60, 5), (64, 1), (1, usize::MAX), (0, 0)] {
        let (mut region, mut part) = (pi_buffer_region_struct { origin, size }, null_mut());
        let told = code!(piMemBufferPartition(read_only, 0, kind, (&raw mut region).cast(), &mut part));
        assert_eq!(told, PI_ERROR_INVALID_BUFFER_SIZE, "{origin} {size}");
    }
    ok!(piMemRelease(read_only));
}

fn no_bytes() {
    let fixture = Fixture::new();
    let (memory, queue, none) = (fixture.device_memory(64), fixture.queue, null_mut());
    inject("");
    let mut event = null_mut();
    ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 0, 0, null(), &mut event));
    ok!(piEventsWait(1, &event));
    ok!(piEventRelease(event));
    ok!(piextUSMEnqueueMemcpy(queue, 1, memory.start, memory.at(32), 0, 0, null(), none));
    for function in ["cuMemsetD8Async", "cuMemcpyAsync", "cuMemcpyDtoDAsync_v2", "cuMemcpy3DAsync_v2"] {
        assert_eq!(calls(function), 0, "{function}");
    }
    ok!(piextUSMEnqueueMemset(queue, memory.start, 1, 1, 0, null(), none));
    assert_eq!(calls("cuMemsetD8Async"), 1);
    fixture.finish();
}

/// # Safety
/// It uses none of its arguments.
unsafe extern "C" fn ignore(_: pi_event, _: pi_int32, _: *mut c_void) {}

/// The code is OpenCL's, of `clSetEventCallback`.
fn callbacks() {
    let fixture = Fixture::new();
    let mut event = null_mut();
    ok!(piEnqueueEventsWait(fixture.queue, 0, null(), &mut event));
    for status in [PI_EVENT_QUEUED, PI_EVENT_QUEUED + 1, -1] {
        fails!(piEventSetCallback(event, status, Some(ignore), null_mut()), PI_ERROR_INVALID_VALUE);
    }
    crate::fixture::wait(&[event]);
}

fn programs() {
    let (fixture, devices) = (Fixture::new(), devices());
    let (mut made, source) = (null_mut(), c"kernel void f() {}".as_ptr());
    // Newer versions have no such call.
    let old = under_test(Version::V9_11);
    testing_support::fails!(
        old,
        piclProgramCreateWithSource(fixture.context, 1, &source, null(), &mut made),
        PI_ERROR_INVALID_OPERATION
    );
    let mut both = null_mut();
    ok!(piContextCreate(null(), devices.len() as u32, devices.as_ptr(), None, null_mut(), &mut both));
    let (bytes, first) = (image("kernels"), &raw const devices[0]);
    let (length, start, mut program) = (bytes.len(), bytes.as_ptr(), null_mut());
    ok!(piProgramCreateWithBinary(both, 1, first, &length, &start, 0, null(), null_mut(), &mut program));
    let second = devices.get(1);
    if let Some(device) = second {
        let (mut status, name) = (0, PI_PROGRAM_BUILD_INFO_STATUS);
        let room = (&raw mut status).cast::<u32>().cast();
        fails!(piProgramBuild(program, 1, device, c"".as_ptr(), None, null_mut()), PI_ERROR_INVALID_DEVICE);
        fails!(piProgramGetBuildInfo(program, *device, name, 4, room, null_mut()), PI_ERROR_INVALID_DEVICE);
    }
    ok!(piProgramRelease(program));
    ok!(piContextRelease(both));
}

fn queue_flags() {
    let fixture = Fixture::new();
    let (context, device) = (fixture.context, fixture.device);
    for (flags, expected) in [
        (PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW, PI_SUCCESS),
        (PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH, PI_SUCCESS),
        (
            PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH,
            PI_ERROR_INVALID_QUEUE_PROPERTIES,
        ),
        (1 << 40, PI_ERROR_INVALID_VALUE),
    ] {
        let (mut queue, mut list) = (null_mut(), [PI_QUEUE_FLAGS, flags, 0]);
        let told = code!(piextQueueCreate(context, device, list.as_mut_ptr(), &mut queue));
        assert_eq!(told, expected, "{flags:#x}");
        if told == PI_SUCCESS {
            ok!(piQueueRelease(queue));
        }
    }
}

fn device_queues() {
    let fixture = Fixture::new();
    let mut size = 0_u32;
    for name in [PI_QUEUE_INFO_SIZE, PI_QUEUE_INFO_DEVICE_DEFAULT] {
        let room = (&raw mut size).cast();
        fails!(piQueueGetInfo(fixture.queue, name, 4, room, null_mut()), PI_ERROR_INVALID_QUEUE);
    }
}

fn parts() {
    for device in devices() {
        let (mut count, by) = (7, [PI_DEVICE_PARTITION_EQUALLY, 1, 0]);
        fails!(piDevicePartition(device, by.as_ptr(), 0, null_mut(), &mut count), PI_ERROR_INVALID_OPERATION);
    }
}

fn unknown_addresses() {
    let host = newest();
    let (ur, context, mut word) = (host.calls, host.context, 0_u64);
    let (mut data, mut size, here) = (null_mut(), 0, (&raw mut word).cast());
    // SAFETY: live handles, room for the results, and an address that the adapter looks up.
    unsafe {
        let code = ur.urIPCGetMemHandleExp(context, here, &mut data, &mut size);
        assert_eq!(code, UR_RESULT_ERROR_INVALID_VALUE);
        let code = ur.urBindlessImagesFreeMappedLinearMemoryExp(context, host.device, here);
        assert_eq!(code, UR_RESULT_ERROR_INVALID_VALUE);
    }
}

fn exportable_sizes() {
    let host = newest();
    for (size, expected) in [
        (0, UR_RESULT_ERROR_INVALID_BUFFER_SIZE),
        (usize::MAX, UR_RESULT_ERROR_OUT_OF_RESOURCES),
        (1 << 50, UR_RESULT_ERROR_OUT_OF_RESOURCES),
    ] {
        assert_eq!(host.exportable(0, size), Err(expected), "{size:#x}");
    }
}

fn no_access() {
    let host = newest();
    let (ur, context, query) = (host.calls, host.context, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM);
    let (mut size, mut start, mut memory, mut flags) = (0_usize, null_mut(), null_mut(), 7_u32);
    let (room, room_for_flags) = ((&raw mut size).cast(), (&raw mut flags).cast());
    // SAFETY: live handles, and room for the results.
    unsafe {
        ur_ok(ur.urVirtualMemGranularityGetInfo(context, host.device, 1, query, 8, room, null_mut()));
        ur_ok(ur.urVirtualMemReserve(context, null(), size, &mut start));
        ur_ok(ur.urPhysicalMemCreate(context, host.device, size, null(), &mut memory));
        inject("");
        ur_ok(ur.urVirtualMemMap(context, start, size, memory, 0, UR_VIRTUAL_MEM_ACCESS_FLAG_NONE));
        assert_eq!((calls("cuMemMap"), calls("cuMemSetAccess")), (1, 0));
        let name = UR_VIRTUAL_MEM_INFO_ACCESS_MODE;
        ur_ok(ur.urVirtualMemGetInfo(context, start, size, name, 4, room_for_flags, null_mut()));
        assert_eq!(flags, UR_VIRTUAL_MEM_ACCESS_FLAG_NONE);
        ur_ok(ur.urVirtualMemUnmap(context, start, size));
        ur_ok(ur.urPhysicalMemRelease(memory));
        ur_ok(ur.urVirtualMemFree(context, start, size));
    }
}

/// CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH is 120.
fn no_clusters() {
    set_attributes("120=0");
    let code = launch_properties::launch_clusters();
    set_attributes("");
    assert_eq!(code, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
}
