//! Tests of buffers and parts of them on the software driver.

use std::ptr::{null, null_mut};

use super::Case;
use super::device_info::partition;
use crate::{Fixture, Soft, code, fixture, ok};
use sycl_pi_core::*;
use testing_support::{Gate, devices};

pub(crate) const CASES: &[Case] = &[
    ("a_part_of_a_buffer_keeps_the_whole", whole),
    ("a_buffer_is_where_all_devices_of_its_context_reach_it", several_devices),
    ("memory_of_a_map_is_its_own_until_the_unmap_is_complete", two_maps),
    ("a_map_that_discards_the_bytes_copies_none", discarded),
    ("a_map_of_a_part_of_the_programs_memory_is_that_part", lent),
    ("an_unmap_that_is_refused_leaves_the_buffer_mapped", refused_unmap),
];

/// Creates a part of a buffer.
fn part(fixture: &Fixture, buffer: pi_mem, origin: usize, size: usize) -> pi_mem {
    let (mut region, mut part) = (pi_buffer_region_struct { origin, size }, null_mut());
    let (flags, kind, info) =
        (PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast());
    ok!(fixture.pi, piMemBufferPartition(buffer, flags, kind, info, &mut part));
    part
}

fn whole() {
    // Too large to be kept for the next buffer.
    const SIZE: usize = 8 << 20;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let whole = fixture.buffer(&mut vec![7_u8; SIZE]);
    let part = part(&fixture, whole, 4096, 64);
    soft.reset();
    let frees = || soft.report().calls.get("zeMemFree").copied().unwrap_or(0);
    ok!(fixture.pi, piMemRelease(whole));
    assert_eq!(frees(), 0, "the part is still there");
    ok!(fixture.pi, piMemRelease(part));
    assert_eq!(frees(), 1);
}

/// Memory of a device is within reach of its parts, and memory of the host within that of every device.
fn several_devices() {
    const SIZE: usize = 4096;
    let pi = fixture::newest();
    let roots = devices(pi);
    let next = PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE as pi_device_partition_property;
    let by_domain = [PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, next, 0];
    let scheme = if is_divided() { &by_domain[..] } else { &[PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE, 0] };
    let parts = partition(roots[0], scheme);
    let mut cases =
        vec![(roots[..1].to_vec(), PI_MEM_TYPE_DEVICE), (parts[..2].to_vec(), PI_MEM_TYPE_DEVICE)];
    if roots.len() > 1 {
        cases.push((roots[..2].to_vec(), PI_MEM_TYPE_HOST));
    }
    for (devices, expected) in cases {
        let (mut context, mut buffer, mut native, none) = (null_mut(), null_mut(), 0, null_mut());
        let count = devices.len() as u32;
        ok!(pi, piContextCreate(null(), count, devices.as_ptr(), None, none, &mut context));
        let flags = PI_MEM_FLAGS_ACCESS_RW;
        ok!(pi, piMemBufferCreate(context, flags, SIZE, none, &mut buffer, null()));
        ok!(pi, piextMemGetNativeHandle(buffer, devices[0], &mut native));
        let address = std::ptr::without_provenance(native);
        let (mut kind, mut device): (pi_usm_type, pi_device) = (0, null_mut());
        let room = (&raw mut kind).cast();
        ok!(pi, piextUSMGetMemAllocInfo(context, address, PI_MEM_ALLOC_TYPE, 4, room, null_mut()));
        let room = (&raw mut device).cast();
        ok!(pi, piextUSMGetMemAllocInfo(context, address, PI_MEM_ALLOC_DEVICE, 8, room, null_mut()));
        assert_eq!(kind, expected, "{count} devices");
        assert_eq!(device, if kind == PI_MEM_TYPE_HOST { null_mut() } else { roots[0] });
        ok!(pi, piMemRelease(buffer));
        ok!(pi, piContextRelease(context));
    }
    parts.iter().for_each(|part| ok!(pi, piDeviceRelease(*part)));
}

/// Returns whether the software driver reports sub-devices (`PI_SOFT_ZE_SUBDEVICES`).
fn is_divided() -> bool {
    std::env::var("PI_SOFT_ZE_SUBDEVICES").is_ok_and(|count| count != "0")
}

/// The first unmap waits, while the second buffer is mapped and written.
fn two_maps() {
    const SIZE: usize = 4096;
    let fixture = Fixture::new(fixture::plugin());
    let pi = fixture.pi;
    let gate = Gate::new(&fixture);
    let queues = [fixture.queue, fixture.queue(0)];
    let buffers = [1_u8, 2].map(|value| fixture.buffer(&mut [value; SIZE]));
    let mut unmapped: [pi_event; 2] = [null_mut(); 2];
    for (index, event) in unmapped.iter_mut().enumerate() {
        let (queue, buffer, mut mapped) = (queues[index], buffers[index], null_mut());
        let flags = PI_MAP_WRITE_INVALIDATE_REGION;
        ok!(pi, piEnqueueMemBufferMap(queue, buffer, 1, flags, 0, SIZE, 0, null(), null_mut(), &mut mapped));
        // SAFETY: mapped memory of that size, which no command uses yet.
        unsafe { mapped.cast::<[u8; SIZE]>().write([11 + index as u8; SIZE]) };
        let waits = u32::from(index == 0);
        ok!(pi, piEnqueueMemUnmap(queue, buffer, mapped, waits, &gate.0, event));
    }
    fixture.wait(&unmapped[1..]);
    gate.open();
    fixture.wait(&unmapped[..1]);
    for (buffer, value) in buffers.into_iter().zip([11_u8, 12]) {
        let mut bytes = [0_u8; SIZE];
        let room = bytes.as_mut_ptr().cast();
        ok!(pi, piEnqueueMemBufferRead(queues[1], buffer, 1, 0, SIZE, room, 0, null(), null_mut()));
        assert!(bytes == [value; SIZE], "{value}: {}", bytes[0]);
        ok!(pi, piMemRelease(buffer));
    }
    ok!(pi, piQueueRelease(queues[1]));
}

fn discarded() {
    const SIZE: usize = 4096;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let (pi, queue, buffer) = (fixture.pi, fixture.queue, fixture.buffer(&mut [1_u8; SIZE]));
    for (flags, expected) in [(PI_MAP_WRITE_INVALIDATE_REGION, 0), (PI_MAP_WRITE, 1), (PI_MAP_READ, 1)] {
        let mut mapped = null_mut();
        soft.reset();
        ok!(pi, piEnqueueMemBufferMap(queue, buffer, 1, flags, 0, SIZE, 0, null(), null_mut(), &mut mapped));
        let copies = soft.report().calls.get("zeCommandListAppendMemoryCopy").copied().unwrap_or(0);
        assert_eq!(copies, expected, "{flags:#x}");
        ok!(pi, piEnqueueMemUnmap(queue, buffer, mapped, 0, null(), null_mut()));
        fixture.finish();
    }
    ok!(pi, piMemRelease(buffer));
}

fn lent() {
    const ORIGIN: usize = 4096;
    let fixture = Fixture::new(fixture::plugin());
    let (pi, queue) = (fixture.pi, fixture.queue);
    let mut memory: Vec<u8> = (0..2 * ORIGIN).map(|at| (at / 16) as u8).collect();
    let (mut buffer, start) = (null_mut(), memory.as_mut_ptr());
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE;
    ok!(pi, piMemBufferCreate(fixture.context, flags, memory.len(), start.cast(), &mut buffer, null()));
    let (part, mut mapped) = (part(&fixture, buffer, ORIGIN, ORIGIN), null_mut());
    ok!(pi, piEnqueueMemBufferMap(queue, part, 1, PI_MAP_READ, 32, 64, 0, null(), null_mut(), &mut mapped));
    assert_eq!(mapped, start.wrapping_add(ORIGIN + 32).cast());
    ok!(pi, piEnqueueMemUnmap(queue, part, mapped, 0, null(), null_mut()));
    fixture.finish();
    ok!(pi, piMemRelease(part));
    ok!(pi, piMemRelease(buffer));
}

/// After a reported failure of the unmap, the memory is still mapped and can be unmapped again.
fn refused_unmap() {
    const SIZE: usize = 4096;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let (pi, queue) = (fixture.pi, fixture.queue);
    let (buffer, mut mapped) = (fixture.buffer(&mut [1_u8; SIZE]), null_mut());
    let flags = PI_MAP_READ | PI_MAP_WRITE;
    ok!(pi, piEnqueueMemBufferMap(queue, buffer, 1, flags, 0, SIZE, 0, null(), null_mut(), &mut mapped));
    soft.fault("zeCommandListAppendMemoryCopy:1=ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY");
    let code = code!(pi, piEnqueueMemUnmap(queue, buffer, mapped, 0, null(), null_mut()));
    soft.fault("");
    assert_eq!(code, PI_ERROR_OUT_OF_RESOURCES);
    // SAFETY: mapped memory of that size, because the unmap was refused.
    unsafe { mapped.cast::<[u8; SIZE]>().write([7; SIZE]) };
    ok!(pi, piEnqueueMemUnmap(queue, buffer, mapped, 0, null(), null_mut()));
    let mut bytes = [0_u8; SIZE];
    let room = bytes.as_mut_ptr().cast();
    ok!(pi, piEnqueueMemBufferRead(queue, buffer, 1, 0, SIZE, room, 0, null(), null_mut()));
    assert!(bytes == [7; SIZE]);
    ok!(pi, piMemRelease(buffer));
}
