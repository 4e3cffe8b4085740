//! Arguments of driver calls that the results do not show.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;
use testing_ur_host as ur_host;

use super::Case;
use super::unified_runtime::{newest, pair};
use crate::fixture::devices;
use crate::software::{calls, inject, noted, set_attributes};
use crate::{Fixture, ok};

pub(crate) const CASES: &[Case] = &[
    ("ur_virtual_memory_has_the_access_that_was_asked_for_on_every_device", access),
    ("ur_virtual_memory_lies_where_it_was_asked_for", addresses),
    ("ur_physical_memory_is_of_its_device_and_shared_if_it_is_asked_for", physical),
    ("ur_exportable_memory_is_for_the_devices_that_reach_it", exportable),
    ("peer_access_is_from_the_first_device_to_the_second", peers),
    ("a_kernel_prefers_the_memory_that_it_was_told_to", cache),
    ("managed_memory_moves_to_the_device_of_the_queue", prefetch),
    ("cooperative_launches_are_the_drivers_own", cooperative),
];

/// In cuda.h, 1 is the access to read, and 3 that to read and write.
fn access() {
    const SIZE: usize = 2 << 20;
    let host = newest();
    let calls = host.calls;
    let (context, [device, _]) = pair(host);
    let (mut start, mut memory) = (null_mut(), null_mut());
    let flags = |start| {
        let mut flags = 77_u32;
        let (query, room) = (UR_VIRTUAL_MEM_INFO_ACCESS_MODE, (&raw mut flags).cast());
        // SAFETY: live handles, and room for the flags.
        ur_host::ok(unsafe { calls.urVirtualMemGetInfo(context, start, SIZE, query, 4, room, null_mut()) });
        flags
    };
    // SAFETY: live handles, and room for the results.
    unsafe {
        ur_host::ok(calls.urVirtualMemReserve(context, null(), SIZE, &mut start));
        ur_host::ok(calls.urPhysicalMemCreate(context, device, SIZE, null(), &mut memory));
        inject("");
        ur_host::ok(calls.urVirtualMemMap(
            context,
            start,
            SIZE,
            memory,
            0,
            UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY,
        ));
    }
    assert_eq!((noted("cuMemSetAccess"), flags(start)), (2 << 32 | 1, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
    for (asked, of_driver) in [
        (UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE, 3),
        (UR_VIRTUAL_MEM_ACCESS_FLAG_NONE, 0),
        (UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY, 1),
    ] {
        // SAFETY: live handles.
        ur_host::ok(unsafe { calls.urVirtualMemSetAccess(context, start, SIZE, asked) });
        assert_eq!((noted("cuMemSetAccess"), flags(start)), (2 << 32 | of_driver, asked));
    }
    // SAFETY: live handles, each released once.
    unsafe {
        ur_host::ok(calls.urVirtualMemUnmap(context, start, SIZE));
        ur_host::ok(calls.urPhysicalMemRelease(memory));
        ur_host::ok(calls.urVirtualMemFree(context, start, SIZE));
        ur_host::ok(calls.urContextRelease(context));
    }
}

/// In cuda.h, 0 is the minimum of the granularity, and 1 the recommended one.
fn addresses() {
    const SIZE: usize = 2 << 20;
    let host = newest();
    let (calls, context, device) = (host.calls, host.context, host.device);
    let (mut start, mut memory) = (null_mut(), null_mut());
    let hint = std::ptr::without_provenance::<c_void>(0x7000_0000);
    for (query, option) in [
        (UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, 0),
        (UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED, 1),
        (UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, 0),
    ] {
        let (mut size, none) = (0_usize, null_mut());
        let room = (&raw mut size).cast();
        // SAFETY: live handles, and room for the size.
        ur_host::ok(unsafe {
            calls.urVirtualMemGranularityGetInfo(context, device, 1, query, 8, room, none)
        });
        assert_eq!((noted("cuMemGetAllocationGranularity"), size), (option, SIZE));
    }
    // SAFETY: live handles, and room for the results.
    unsafe {
        ur_host::ok(calls.urVirtualMemReserve(context, hint, SIZE, &mut start));
        assert_eq!(noted("cuMemAddressReserve"), hint.addr() as u64);
        ur_host::ok(calls.urPhysicalMemCreate(context, device, 2 * SIZE, null(), &mut memory));
        // The driver maps physical memory from its start only.
        let access = UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE;
        assert_ne!(calls.urVirtualMemMap(context, start, SIZE, memory, SIZE, access), UR_RESULT_SUCCESS);
        ur_host::ok(calls.urPhysicalMemRelease(memory));
        ur_host::ok(calls.urVirtualMemFree(context, start, SIZE));
    }
}

/// In cuda.h, 1 is a file descriptor, as which the memory can be exported.
fn physical() {
    const SIZE: usize = 2 << 20;
    let host = newest();
    let calls = host.calls;
    let (context, devices) = pair(host);
    for (number, device) in devices.into_iter().enumerate() {
        for (flags, exports) in [(0, 0), (UR_PHYSICAL_MEM_FLAG_ENABLE_IPC, 1_u64)] {
            let properties = ur_physical_mem_properties_t {
                stype: UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES,
                pNext: null_mut(),
                flags,
            };
            let mut memory = null_mut();
            inject("");
            // SAFETY: live handles, a structure of its type, and room for the memory.
            unsafe {
                ur_host::ok(calls.urPhysicalMemCreate(context, device, SIZE, &properties, &mut memory));
                assert_eq!(noted("cuMemCreate"), exports << 32 | number as u64);
                ur_host::ok(calls.urPhysicalMemRelease(memory));
            }
        }
    }
    // SAFETY: a live handle.
    ur_host::ok(unsafe { calls.urContextRelease(context) });
}

/// In cuda.h, 3 is the access to read and write.
fn exportable() {
    let host = newest();
    let calls = host.calls;
    let (context, [_, second]) = pair(host);
    for (attributes, count) in [("", 2_u64), ("10001=0", 1)] {
        set_attributes(attributes);
        let (mut memory, kind) = (null_mut(), UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD);
        inject("");
        // SAFETY: live handles, and room for the address.
        let made = unsafe {
            calls.urMemoryExportAllocExportableMemoryExp(context, second, 0, 64, kind, &mut memory)
        };
        set_attributes("");
        ur_host::ok(made);
        assert_eq!((noted("cuMemSetAccess"), noted("cuMemCreate")), (count << 32 | 3, 1 << 32 | 1));
        // SAFETY: live handles, and memory that nothing uses.
        ur_host::ok(unsafe { calls.urMemoryExportFreeExportableMemoryExp(context, second, memory) });
    }
    // SAFETY: a live handle.
    ur_host::ok(unsafe { calls.urContextRelease(context) });
}

/// The device whose context is current gets the access, and the call names the context of the other.
fn peers() {
    let [first, second, ..] = devices()[..] else { panic!("two devices are needed") };
    for (device, peer, expected) in [(first, second, 1), (second, first, 1 << 32)] {
        inject("");
        ok!(piextEnablePeerAccess(device, peer));
        assert_eq!(noted("cuCtxEnablePeerAccess"), expected);
        ok!(piextDisablePeerAccess(device, peer));
    }
}

/// In cuda.h, 0 is no preference, 1 shared memory and 2 the cache.
fn cache() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    for (config, of_driver) in [
        (PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM, 1),
        (PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA, 2),
        (PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT, 0),
    ] {
        let value = (&raw const config).cast();
        ok!(piKernelSetExecInfo(kernel.raw, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, 4, value));
        assert_eq!(noted("cuFuncSetCacheConfig"), of_driver);
    }
}

fn prefetch() {
    let all = devices();
    let (mut context, mut memory) = (null_mut(), null_mut());
    ok!(piContextCreate(null(), 2, all.as_ptr(), None, null_mut(), &mut context));
    ok!(piextUSMSharedAlloc(&mut memory, context, all[0], null_mut(), 4096, 0));
    for (number, device) in all.iter().take(2).enumerate() {
        let (mut queue, mut properties) = (null_mut(), [PI_QUEUE_FLAGS, 0, 0]);
        ok!(piextQueueCreate(context, *device, properties.as_mut_ptr(), &mut queue));
        inject("");
        ok!(piextUSMEnqueuePrefetch(queue, memory, 4096, 0, 0, null(), null_mut()));
        assert_eq!((noted("cuMemPrefetchAsync"), calls("cuMemPrefetchAsync")), (number as u64, 1));
        ok!(piQueueRelease(queue));
    }
    ok!(piextUSMFree(context, memory));
    ok!(piContextRelease(context));
}

fn cooperative() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let (kernel, queue) = (program.kernel("noop"), fixture.queue);
    inject("");
    let none = null_mut();
    ok!(piextEnqueueCooperativeKernelLaunch(queue, kernel.raw, 1, null(), &8, &8, 0, null(), none));
    assert_eq!(["cuLaunchCooperativeKernel", "cuLaunchKernel"].map(calls), [1, 0]);
    fixture.finish();
    // It has the arguments, the work-groups and the local memory of any launch.
    let (increment, reverse) = (program.kernel("increment"), program.kernel("reverse"));
    let memory = fixture.device_memory(4 * 64);
    fixture.write(&memory, &[1_u32; 64]);
    increment.pointer(0, memory.start);
    let raw = increment.raw;
    ok!(piextEnqueueCooperativeKernelLaunch(queue, raw, 1, null(), &48, &8, 0, null(), none));
    assert_eq!(fixture.read::<u32>(&memory, 64), [[2; 48].as_slice(), &[1; 16]].concat());
    reverse.pointer(0, memory.start).local(1, 4 * 64).local(2, 4 * 64);
    let raw = reverse.raw;
    ok!(piextEnqueueCooperativeKernelLaunch(queue, raw, 1, null(), &64, &64, 0, null(), none));
    assert_eq!(fixture.read::<u32>(&memory, 64), (0..64).rev().map(|number| 11 * number).collect::<Vec<_>>());
}
