//! Refused calls and their codes.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use super::device_info::partition;
use crate::fixture::{KERNELS, newest};
use crate::{Fixture, Soft, code, fails, ok};
use sycl_pi_core::*;
use testing_support::{Gate, image_desc, platform, under_test};

pub(crate) const CASES: &[Case] = &[
    ("a_native_handle_of_0_is_refused_for_each_kind_of_object", null_handles),
    ("native_handles_that_the_process_does_not_have_are_refused", unknown_handles),
    ("a_context_has_no_properties", context_properties),
    ("devices_are_of_a_known_type", device_types),
    ("an_alignment_or_an_engine_beyond_the_drivers_is_refused", beyond),
    ("a_device_is_partitioned_by_a_scheme_that_it_has", schemes),
    ("a_sampler_has_a_known_mode_and_filter", sampler_modes),
    ("a_sub_buffer_takes_flags_of_access_alone", sub_buffer_flags),
    ("a_callback_is_registered_for_a_later_status_than_queued", callbacks),
    ("the_status_of_a_user_event_is_set_once", set_twice),
    ("a_queue_has_no_flags_that_exclude_each_other", queue_flags),
    ("a_queue_on_the_host_has_no_size_of_a_device_queue", device_queues),
    ("a_kernel_has_one_of_three_cache_configurations", cache_configurations),
    ("a_copy_of_a_box_stays_inside_of_both_buffers", boxes),
    ("memory_is_of_a_device_of_its_context", other_device),
    ("programs_come_from_spirv_or_binaries_alone", sources),
    ("an_image_is_no_buffer_and_a_buffer_no_image", kinds_of_memory),
    ("objects_know_the_context_and_platform_that_they_are_of", facts),
];

fn null_handles() {
    let fixture = Fixture::new(newest());
    let (pi, context, device) = (fixture.pi, fixture.context, fixture.device);
    let program = fixture.program(KERNELS);
    let mut properties: [pi_queue_properties; 1] = [0];
    let (mut queue, properties) = (null_mut(), properties.as_mut_ptr());
    fails!(
        pi,
        piextQueueCreateWithNativeHandle(0, 0, context, device, 1, properties, &mut queue),
        PI_ERROR_INVALID_QUEUE
    );
    let mut of = null_mut();
    fails!(pi, piextContextCreateWithNativeHandle(0, 1, &device, 1, &mut of), PI_ERROR_INVALID_CONTEXT);
    let mut event = null_mut();
    fails!(pi, piextEventCreateWithNativeHandle(0, context, 1, &mut event), PI_ERROR_INVALID_EVENT);
    let mut made = null_mut();
    fails!(pi, piextProgramCreateWithNativeHandle(0, context, 1, &mut made), PI_ERROR_INVALID_PROGRAM);
    let (mut kernel, raw) = (null_mut(), program.raw);
    fails!(pi, piextKernelCreateWithNativeHandle(0, context, raw, 1, &mut kernel), PI_ERROR_INVALID_KERNEL);
    // The program of a native kernel is not known.
    fails!(
        pi,
        piextKernelCreateWithNativeHandle(1 << 12, context, null_mut(), 1, &mut kernel),
        PI_ERROR_INVALID_VALUE
    );
    let mut mem = null_mut();
    fails!(pi, piextMemCreateWithNativeHandle(0, context, 1, &mut mem), PI_ERROR_INVALID_MEM_OBJECT);
    let (format, desc) = (RGBA32, image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]));
    fails!(
        pi,
        piextMemImageCreateWithNativeHandle(0, context, 1, &format, &desc, &mut mem),
        PI_ERROR_INVALID_MEM_OBJECT
    );
}

const RGBA32: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
};

fn unknown_handles() {
    let fixture = Fixture::new(newest());
    let pi = fixture.pi;
    let word = 0_u64;
    let here = (&raw const word).addr();
    let (mut of_platform, mut device, mut mem) = (null_mut(), null_mut(), null_mut());
    for native in [0, here] {
        fails!(pi, piextPlatformCreateWithNativeHandle(native, &mut of_platform), PI_ERROR_INVALID_PLATFORM);
        fails!(
            pi,
            piextDeviceCreateWithNativeHandle(native, platform(pi), &mut device),
            PI_ERROR_INVALID_DEVICE
        );
        fails!(
            pi,
            piextMemCreateWithNativeHandle(native, fixture.context, 0, &mut mem),
            PI_ERROR_INVALID_MEM_OBJECT
        );
    }
}

fn context_properties() {
    let fixture = Fixture::new(newest());
    let mut context = null_mut();
    let list: [pi_context_properties; 3] = [0xff02, 1, 0];
    fails!(
        fixture.pi,
        piContextCreate(list.as_ptr(), 1, &fixture.device, None, null_mut(), &mut context),
        PI_ERROR_INVALID_PROPERTY
    );
}

/// Level Zero promises alignments up to 64 KiB, and the software driver has four engines.
fn beyond() {
    let fixture = Fixture::new(newest());
    let (pi, context, device) = (fixture.pi, fixture.context, fixture.device);
    for (alignment, expected) in [(64 << 10, PI_SUCCESS), (128 << 10, PI_ERROR_INVALID_VALUE)] {
        let mut start = null_mut();
        let told = code!(pi, piextUSMDeviceAlloc(&mut start, context, device, null_mut(), 64, alignment));
        assert_eq!(told, expected, "{alignment}");
        if told == PI_SUCCESS {
            assert!(start.addr().is_multiple_of(alignment as usize));
            ok!(pi, piextUSMFree(context, start));
        }
    }
    let mut engines = 0_i32;
    let room = (&raw mut engines).cast();
    let name = PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES;
    ok!(pi, piDeviceGetInfo(device, name, 4, room, null_mut()));
    assert_eq!(engines, 4);
    for (index, expected) in [(0, PI_SUCCESS), (3, PI_SUCCESS), (4, PI_ERROR_INVALID_VALUE)] {
        let (mut queue, mut list) = (null_mut(), [PI_QUEUE_FLAGS, 0, PI_QUEUE_COMPUTE_INDEX, index, 0]);
        let told = code!(pi, piextQueueCreate(context, device, list.as_mut_ptr(), &mut queue));
        assert_eq!(told, expected, "{index}");
        if told == PI_SUCCESS {
            ok!(pi, piQueueRelease(queue));
        }
    }
}

/// The code is OpenCL's, of `clGetDeviceIDs`.
fn device_types() {
    let pi = newest();
    for kind in [0, 1 << 8, PI_DEVICE_TYPE_GPU | 1 << 8] {
        let mut count = 7;
        let code = code!(pi, piDevicesGet(platform(pi), kind, 0, null_mut(), &mut count));
        assert_eq!(code, PI_ERROR_INVALID_DEVICE_TYPE, "{kind:#x}");
    }
}

fn schemes() {
    let fixture = Fixture::new(newest());
    let (pi, device) = (fixture.pi, fixture.device);
    // L4 caches are no affinity domain of any device, and a number of units is no scheme of Level Zero.
    for by in
        [[PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 1, 0], [PI_DEVICE_PARTITION_EQUALLY, 1, 0], [0, 0, 0]]
    {
        let mut count = 7;
        let told = code!(pi, piDevicePartition(device, by.as_ptr(), 0, null_mut(), &mut count));
        assert_eq!(told, PI_ERROR_INVALID_VALUE, "{by:x?}");
    }
}

fn sampler_modes() {
    let fixture = Fixture::new(newest());
    let create = |addressing: u32, filter: u32| {
        let asked: [pi_sampler_properties; 7] = [
            PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
            1,
            PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
            addressing.into(),
            PI_SAMPLER_PROPERTIES_FILTER_MODE,
            filter.into(),
            0,
        ];
        let mut sampler = null_mut();
        let told = code!(fixture.pi, piSamplerCreate(fixture.context, asked.as_ptr(), &mut sampler));
        if told == PI_SUCCESS {
            ok!(fixture.pi, piSamplerRelease(sampler));
        }
        told
    };
    let (mode, filter) = (PI_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_FILTER_MODE_NEAREST);
    assert_eq!(create(mode, filter), PI_SUCCESS);
    assert_eq!(create(0x1135, filter), PI_ERROR_INVALID_VALUE);
    assert_eq!(create(mode, 0x1142), PI_ERROR_INVALID_VALUE);
    // These are for bindless images, which Level Zero's plugin does not have.
    for (name, value) in [
        (PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE, PI_SAMPLER_FILTER_MODE_LINEAR),
        (PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE, PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS),
    ] {
        let (asked, mut sampler) = ([name, value.into(), 0], null_mut());
        let told = code!(fixture.pi, piSamplerCreate(fixture.context, asked.as_ptr(), &mut sampler));
        assert_eq!(told, PI_ERROR_INVALID_VALUE, "{name:#x}");
    }
}

/// The code is OpenCL's, of `clCreateSubBuffer`.
fn sub_buffer_flags() {
    let fixture = Fixture::new(newest());
    let (pi, buffer) = (fixture.pi, fixture.buffer(&mut [1_u8; 64]));
    let mut region = pi_buffer_region_struct { origin: 0, size: 8 };
    let (region, kind) = ((&raw mut region).cast(), PI_BUFFER_CREATE_TYPE_REGION);
    let make = |flags| {
        let mut part = null_mut();
        let told = code!(pi, piMemBufferPartition(buffer, flags, kind, region, &mut part));
        if told == PI_SUCCESS {
            ok!(pi, piMemRelease(part));
        }
        told
    };
    assert_eq!([PI_MEM_FLAGS_ACCESS_RW, PI_MEM_ACCESS_READ_ONLY].map(make), [PI_SUCCESS; 2]);
    for flags in [PI_MEM_FLAGS_HOST_PTR_USE, PI_MEM_FLAGS_HOST_PTR_COPY, PI_MEM_FLAGS_HOST_PTR_ALLOC] {
        assert_eq!(make(flags), PI_ERROR_INVALID_VALUE, "{flags:#x}");
    }
    ok!(pi, piMemRelease(buffer));
}

/// # Safety
/// It uses none of its arguments.
unsafe extern "C" fn ignore(_: pi_event, _: pi_int32, _: *mut c_void) {}

/// The code is OpenCL's, of `clSetEventCallback`.
fn callbacks() {
    let fixture = Fixture::new(newest());
    let (pi, mut event) = (fixture.pi, null_mut());
    ok!(pi, piEnqueueEventsWait(fixture.queue, 0, null(), &mut event));
    for status in [PI_EVENT_QUEUED, PI_EVENT_QUEUED + 1, -1] {
        fails!(pi, piEventSetCallback(event, status, Some(ignore), null_mut()), PI_ERROR_INVALID_VALUE);
    }
    fixture.wait(&[event]);
}

/// The codes are OpenCL's, of `clSetUserEventStatus`.
fn set_twice() {
    let (fixture, old) = (Fixture::new(newest()), under_test(Version::V9_11));
    let set = |event, status| code!(old, piEventSetStatus(event, status));
    let gate = Gate::new(&fixture);
    for status in [PI_EVENT_RUNNING, PI_EVENT_SUBMITTED, PI_EVENT_QUEUED] {
        assert_eq!(set(gate.0, status), PI_ERROR_INVALID_VALUE, "{status}");
    }
    assert_eq!(set(gate.0, PI_EVENT_COMPLETE), PI_SUCCESS);
    for status in [PI_EVENT_COMPLETE, -7] {
        assert_eq!(set(gate.0, status), PI_ERROR_INVALID_OPERATION, "{status}");
    }
    ok!(fixture.pi, piEventsWait(1, &gate.0));
    ok!(fixture.pi, piEventRelease(gate.0));
}

fn queue_flags() {
    let fixture = Fixture::new(newest());
    let (pi, context, device) = (fixture.pi, fixture.context, fixture.device);
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
        let told = code!(pi, piextQueueCreate(context, device, list.as_mut_ptr(), &mut queue));
        assert_eq!(told, expected, "{flags:#x}");
        if told == PI_SUCCESS {
            ok!(pi, piQueueRelease(queue));
        }
    }
}

fn device_queues() {
    let fixture = Fixture::new(newest());
    let mut size = 0_u32;
    for name in [PI_QUEUE_INFO_SIZE, PI_QUEUE_INFO_DEVICE_DEFAULT] {
        let room = (&raw mut size).cast();
        fails!(fixture.pi, piQueueGetInfo(fixture.queue, name, 4, room, null_mut()), PI_ERROR_INVALID_QUEUE);
    }
}

fn cache_configurations() {
    let fixture = Fixture::new(newest());
    let program = fixture.program(KERNELS);
    let (pi, kernel, name) = (fixture.pi, program.kernel("nothing"), PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG);
    let soft = Soft::find().unwrap();
    let asked = |name, value: u32| {
        soft.reset();
        let told = code!(pi, piKernelSetExecInfo(kernel.raw, name, 4, (&raw const value).cast()));
        (told, soft.report().requests.into_iter().collect::<Vec<_>>())
    };
    // ZE_CACHE_CONFIG_FLAG_LARGE_SLM is bit 0, and ZE_CACHE_CONFIG_FLAG_LARGE_DATA bit 1.
    for (config, flags) in [
        (PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT, 0),
        (PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM, 1),
        (PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA, 2),
    ] {
        let expected = vec![format!("zeKernelSetCacheConfig flags {flags}")];
        assert_eq!(asked(name, config), (PI_SUCCESS, expected));
    }
    assert_eq!(asked(name, 3), (PI_ERROR_INVALID_VALUE, Vec::new()));
    // All kinds of memory: host, device and shared.
    let all = vec!["zeKernelSetIndirectAccess flags 7".to_owned()];
    assert_eq!(asked(PI_USM_INDIRECT_ACCESS, 0), (PI_SUCCESS, Vec::new()));
    assert_eq!(asked(PI_USM_INDIRECT_ACCESS, 1), (PI_SUCCESS, all));
}

/// The code is OpenCL's, of `clEnqueueCopyBufferRect`.
fn boxes() {
    let fixture = Fixture::new(newest());
    let (pi, queue, none) = (fixture.pi, fixture.queue, null_mut());
    let [large, small] = [128, 64].map(|size| fixture.buffer(&mut vec![1_u8; size]));
    let copy = |from, to, [x, y]: [usize; 2], [to_x, to_y]: [usize; 2]| {
        let mut corner = pi_buff_rect_offset_struct { x_bytes: x, y_scalar: y, z_scalar: 0 };
        let mut to_corner = pi_buff_rect_offset_struct { x_bytes: to_x, y_scalar: to_y, z_scalar: 0 };
        let mut part = pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 8, depth_scalar: 1 };
        let (at, to_at, part) = (&raw mut corner, &raw mut to_corner, &raw mut part);
        code!(pi, piEnqueueMemBufferCopyRect(queue, from, to, at, to_at, part, 8, 0, 8, 0, 0, null(), none))
    };
    let (inside, below) = ([0, 0], [0, 1]);
    assert_eq!(copy(large, small, below, inside), PI_SUCCESS);
    assert_eq!(copy(large, small, inside, below), PI_ERROR_INVALID_VALUE);
    assert_eq!(copy(small, large, below, inside), PI_ERROR_INVALID_VALUE);
    assert_eq!(copy(small, large, inside, below), PI_SUCCESS);
    fixture.finish();
    for buffer in [large, small] {
        ok!(pi, piMemRelease(buffer));
    }
}

/// A root device is not one of the devices of a context of its parts.
fn other_device() {
    let pi = newest();
    let roots = testing_support::devices(pi);
    let by_domain = PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    let next = PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE as pi_device_partition_property;
    let mut count = 0;
    let divided = [by_domain, next, 0];
    if code!(pi, piDevicePartition(roots[0], divided.as_ptr(), 0, null_mut(), &mut count)) != PI_SUCCESS {
        // Parts that are engines have the driver's device in common.
        return;
    }
    let parts = partition(roots[0], &divided);
    let (mut context, mut start, none) = (null_mut(), null_mut(), null_mut());
    ok!(pi, piContextCreate(null(), 1, &parts[0], None, none, &mut context));
    for (device, expected) in
        [(parts[0], PI_SUCCESS), (parts[1], PI_ERROR_INVALID_DEVICE), (roots[0], PI_ERROR_INVALID_DEVICE)]
    {
        let shared = code!(pi, piextUSMSharedAlloc(&mut start, context, device, none.cast(), 64, 0));
        assert_eq!(shared, expected);
        if shared == PI_SUCCESS {
            ok!(pi, piextUSMFree(context, start));
        }
        let told = code!(pi, piextUSMDeviceAlloc(&mut start, context, device, none.cast(), 64, 0));
        assert_eq!(told, expected);
        if told == PI_SUCCESS {
            ok!(pi, piextUSMFree(context, start));
        }
    }
    ok!(pi, piContextRelease(context));
    parts.iter().for_each(|part| ok!(pi, piDeviceRelease(*part)));
}

fn sources() {
    let (fixture, old) = (Fixture::new(newest()), under_test(Version::V9_11));
    let (mut made, source) = (null_mut(), c"kernel void f() {}".as_ptr());
    let context = fixture.context;
    fails!(
        old,
        piclProgramCreateWithSource(context, 1, &source, null(), &mut made),
        PI_ERROR_INVALID_OPERATION
    );
}

fn kinds_of_memory() {
    let fixture = Fixture::new(newest());
    let (pi, context, queue, none) = (fixture.pi, fixture.context, fixture.queue, null_mut());
    let (mut picture, desc) = (null_mut(), image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]));
    ok!(pi, piMemImageCreate(context, PI_MEM_FLAGS_ACCESS_RW, &RGBA32, &desc, null_mut(), &mut picture));
    let (buffer, wrong) = (fixture.buffer(&mut [1_u8; 64]), PI_ERROR_INVALID_MEM_OBJECT);
    let mut bytes = [0_u8; 64];
    let host: *mut c_void = bytes.as_mut_ptr().cast();
    fails!(pi, piEnqueueMemBufferRead(queue, picture, 1, 0, 64, host, 0, null(), none), wrong);
    fails!(pi, piEnqueueMemBufferWrite(queue, picture, 1, 0, 64, host, 0, null(), none), wrong);
    fails!(pi, piEnqueueMemBufferFill(queue, picture, host, 1, 0, 64, 0, null(), none), wrong);
    let (mut at, flags) = (null_mut(), PI_MAP_READ);
    fails!(pi, piEnqueueMemBufferMap(queue, picture, 1, flags, 0, 64, 0, null(), none, &mut at), wrong);
    for [from, to] in [[picture, buffer], [buffer, picture]] {
        fails!(pi, piEnqueueMemBufferCopy(queue, from, to, 0, 0, 64, 0, null(), none), wrong);
        let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let mut size = pi_image_region_struct { width: 4, height: 4, depth: 1 };
        let (corner, size) = (&raw mut corner, &raw mut size);
        fails!(pi, piEnqueueMemImageCopy(queue, from, to, corner, corner, size, 0, null(), none), wrong);
    }
    ok!(pi, piMemRelease(buffer));
    ok!(pi, piMemRelease(picture));
}

fn facts() {
    let fixture = Fixture::new(newest());
    let (pi, context, mut of) = (fixture.pi, fixture.context, null_mut::<c_void>());
    let room = (&raw mut of).cast();
    let expected: pi_platform = platform(pi);
    ok!(pi, piContextGetInfo(context, PI_CONTEXT_INFO_PLATFORM, 8, room, null_mut()));
    assert_eq!(of, expected.cast());
    ok!(pi, piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_PLATFORM, 8, room, null_mut()));
    assert_eq!(of, expected.cast());
    // The runtime has its own kernels for what is not there.
    for (name, expected) in [
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT, 0),
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT, 0),
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, 1),
    ] {
        let mut answer: pi_bool = 7;
        ok!(pi, piContextGetInfo(context, name, 4, (&raw mut answer).cast(), null_mut()));
        assert_eq!(answer, expected, "{name:#x}");
    }
    let (mut sampler, none) = (null_mut(), null());
    ok!(pi, piSamplerCreate(context, none, &mut sampler));
    ok!(pi, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_CONTEXT, 8, room, null_mut()));
    assert_eq!(of, context.cast());
    ok!(pi, piSamplerRelease(sampler));
    for (name, of_device) in [
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
        ),
    ] {
        let [mut answer, mut expected] = [0_u64; 2];
        let [room, room_of_device] = [&raw mut answer, &raw mut expected].map(|place| place.cast());
        ok!(pi, piContextGetInfo(context, name, 8, room, null_mut()));
        ok!(pi, piDeviceGetInfo(fixture.device, of_device, 8, room_of_device, null_mut()));
        assert_eq!(answer, expected, "{name:#x}");
        assert_ne!(expected, 0, "{name:#x}");
    }
}
