//! Tests of freed USM, which the plugin keeps for the next allocation of its size, and of rows of USM.

use std::ffi::c_void;
use std::ptr::{null, null_mut, with_exposed_provenance_mut};
use std::time::{Duration, Instant};

use super::Case;
use crate::fixture::table;
use crate::{Fixture, fails, ok, software};
use sycl_pi_core::*;
use testing_support::Gate;

pub(crate) const CASES: &[Case] = &[
    ("freed_memory_is_used_for_the_next_allocation_of_its_class", used_again),
    ("an_allocation_has_the_size_that_was_asked_for", sizes),
    ("memory_stays_known_when_another_context_of_its_device_ends", other_context),
    ("an_allocation_waits_while_the_program_frees_memory", waits_for_frees),
    ("an_allocation_waits_while_commands_run_that_may_use_memory", waits_for_work),
    ("an_allocation_does_not_wait_for_more_than_the_program_holds", does_not_wait),
    ("freed_memory_of_the_host_leaves_the_devices_where_it_is", kinds),
    ("freed_memory_is_unknown_and_not_freed_twice", unknown),
    ("freed_memory_makes_room_before_memory_runs_out", makes_room),
    ("rows_are_filled_by_kernels_of_libsycl", rows),
    ("rows_are_filled_up_to_the_last_byte_of_an_allocation", last_row),
    ("more_shared_memory_than_the_device_has_is_refused", more_than_the_device),
];

fn used_again() {
    let fixture = Fixture::new();
    let first = fixture.device_memory(1000).start;
    let other = fixture.device_memory(1025).start;
    let again = fixture.device_memory(900).start;
    assert_eq!(first, again);
    assert_ne!(first, other);
    let host = fixture.host_memory(1000).start;
    assert_eq!(host, fixture.host_memory(1000).start);
    assert_ne!(host, first);
}

/// Returns the size and base that queries report for an address in an allocation.
fn size_and_base(fixture: &Fixture, address: *mut c_void) -> (usize, *mut c_void) {
    let (mut size, mut base) = (0_usize, null_mut::<c_void>());
    let out = (&raw mut size).cast();
    ok!(piextUSMGetMemAllocInfo(fixture.context, address, PI_MEM_ALLOC_SIZE, 8, out, null_mut()));
    let out = (&raw mut base).cast();
    ok!(piextUSMGetMemAllocInfo(fixture.context, address, PI_MEM_ALLOC_BASE_PTR, 8, out, null_mut()));
    (size, base)
}

fn sizes() {
    let fixture = Fixture::new();
    // Each size but the last reuses the block of the previous one.
    for size in [1000, 513, 1023, 1024, 3_000_001] {
        for start in [fixture.device_memory(size).start, fixture.host_memory(size).start] {
            // Already freed. Only the address is needed.
            assert!(!start.is_null());
        }
        let (device, host) = (fixture.device_memory(size), fixture.host_memory(size));
        for memory in [device.start, host.start] {
            assert_eq!(size_and_base(&fixture, memory), (size, memory));
            assert_eq!(size_and_base(&fixture, memory.wrapping_byte_add(size - 1)), (size, memory));
        }
        let advise = |size| {
            let advice = PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY;
            // SAFETY: a live queue and memory of the device.
            unsafe {
                (table().piextUSMEnqueueMemAdvise.unwrap())(
                    fixture.queue,
                    device.start,
                    size,
                    advice,
                    null_mut(),
                )
            }
        };
        assert_eq!(advise(size), PI_SUCCESS);
        assert_eq!(
            advise(size + 1),
            PI_ERROR_INVALID_VALUE,
            "a byte behind the allocation, inside its block"
        );
    }
    fixture.finish();
}

fn other_context() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(1000);
    drop(Fixture::new());
    assert_eq!(size_and_base(&fixture, memory.start), (1000, memory.start));
    let start = memory.start;
    drop(memory);
    assert_eq!(fixture.device_memory(1000).start, start, "it is kept when it is freed");
}

/// Allocates device memory, while the driver's first `failures` calls report too little memory.
fn allocate_with_failures(fixture: &Fixture, failures: u32, size: usize) -> (pi_result, Duration) {
    let faults: Vec<String> = (1..=failures).map(|number| format!("cuMemAlloc_v2:{number}:2")).collect();
    software::inject(&faults.join(";"));
    let (mut start, begin) = (null_mut(), Instant::now());
    // SAFETY: live handles.
    let result = unsafe {
        (table().piextUSMDeviceAlloc.unwrap())(
            &mut start,
            fixture.context,
            fixture.device,
            null_mut(),
            size,
            0,
        )
    };
    software::inject("");
    if result == PI_SUCCESS {
        ok!(piextUSMFree(fixture.context, start));
    }
    (result, begin.elapsed())
}

fn waits_for_frees() {
    const SIZE: usize = 1 << 20;
    let fixture = Fixture::new();
    let mut held: Vec<usize> = Vec::new();
    for _ in 0..12 {
        let mut start = null_mut();
        ok!(piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), SIZE, 0));
        held.push(start.expose_provenance());
    }
    let context = fixture.context.expose_provenance();
    let free = move |address| {
        let context: pi_context = with_exposed_provenance_mut(context);
        ok!(piextUSMFree(context, with_exposed_provenance_mut(address)));
    };
    let kept = held.split_off(8);
    let (result, time) = std::thread::scope(|scope| {
        // Like the ends of commands, while the program waits for memory.
        scope.spawn(move || {
            for address in held {
                std::thread::sleep(Duration::from_millis(20));
                free(address);
            }
        });
        allocate_with_failures(&fixture, 6, SIZE + 1)
    });
    kept.into_iter().for_each(free);
    assert_eq!(result, PI_SUCCESS);
    assert!(time > Duration::from_millis(40), "{time:?}");
}

fn waits_for_work() {
    const SIZE: usize = 1 << 20;
    let fixture = Fixture::new();
    // No freed memory is left, whose return to the driver would wait for the command.
    drop(fixture.device_memory(1000));
    software::inject("cuMemAlloc_v2:1:2");
    let mut start = null_mut();
    ok!(piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), SIZE, 0));
    let (context, start) = (fixture.context.expose_provenance(), start.expose_provenance());
    let gate = Gate::new(&fixture);
    ok!(piEnqueueEventsWait(fixture.queue, 1, &gate.0, null_mut()));
    let gate = gate.0.expose_provenance();
    let (result, time) = std::thread::scope(|scope| {
        // The command takes longer than the plugin waits for frees alone, and the program takes a while after it.
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(450));
            Gate(with_exposed_provenance_mut(gate)).open();
            std::thread::sleep(Duration::from_millis(100));
            let context: pi_context = with_exposed_provenance_mut(context);
            ok!(piextUSMFree(context, with_exposed_provenance_mut(start)));
        });
        allocate_with_failures(&fixture, 1, SIZE / 2)
    });
    assert_eq!(result, PI_SUCCESS);
    assert!(time > Duration::from_millis(500), "{time:?}");
    fixture.finish();
}

fn does_not_wait() {
    let fixture = Fixture::new();
    let _held = fixture.device_memory(1 << 20);
    let (result, time) = allocate_with_failures(&fixture, 2, 1 << 22);
    assert_eq!(result, PI_ERROR_OUT_OF_RESOURCES);
    assert!(time < Duration::from_millis(150), "{time:?}");
}

/// Allocates more blocks than are kept of one kind.
fn kinds() {
    let fixture = Fixture::new();
    let first = fixture.device_memory(1234).start;
    let blocks: Vec<_> = (0..1100).map(|size| fixture.host_memory(5000 + size)).collect();
    drop(blocks);
    assert_eq!(first, fixture.device_memory(1234).start);
}

fn unknown() {
    let fixture = Fixture::new();
    let start = fixture.device_memory(1000).start;
    let inside = start.wrapping_byte_add(999);
    let (mut kind, room) = (PI_MEM_TYPE_DEVICE, size_of::<pi_usm_type>());
    let out = (&raw mut kind).cast();
    ok!(piextUSMGetMemAllocInfo(fixture.context, inside, PI_MEM_ALLOC_TYPE, room, out, null_mut()));
    assert_eq!(kind, PI_MEM_TYPE_UNKNOWN);
    let why = fails!(piextUSMFree(fixture.context, start), PI_ERROR_INVALID_VALUE);
    assert!(why.contains("freed already"), "{why}");
}

fn makes_room() {
    const OUT_OF_MEMORY_ONCE: &str = "cuMemAlloc_v2:1:2";
    let fixture = Fixture::new();
    drop(fixture.device_memory(1000));
    software::inject(OUT_OF_MEMORY_ONCE);
    drop(fixture.device_memory(2000));
    // The last allocation was freed, and has a different size. So the plugin makes room once more, and then has
    // nothing left to free.
    software::inject("cuMemAlloc_v2:1:2;cuMemAlloc_v2:2:2");
    let mut start = null_mut();
    fails!(
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), 3000, 0),
        PI_ERROR_OUT_OF_RESOURCES
    );
}

/// The allocation ends where the last row does, which is no whole pitch after its start.
fn last_row() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(12);
    fixture.write(&memory, &[9_u8; 12]);
    let pattern = [5_u8];
    let start = pattern.as_ptr().cast();
    ok!(piextUSMEnqueueFill2D(fixture.queue, memory.start, 8, 1, start, 4, 2, 0, null(), null_mut()));
    fixture.finish();
    assert_eq!(fixture.read::<u8>(&memory, 12), [5, 5, 5, 5, 9, 9, 9, 9, 5, 5, 5, 5]);
    ok!(piextUSMEnqueueMemset2D(fixture.queue, memory.start, 8, 7, 3, 2, 0, null(), null_mut()));
    fixture.finish();
    assert_eq!(fixture.read::<u8>(&memory, 12), [7, 7, 7, 5, 9, 9, 9, 9, 7, 7, 7, 5]);
    // A third row would be outside of the memory.
    let (queue, none) = (fixture.queue, null_mut());
    fails!(
        piextUSMEnqueueFill2D(queue, memory.start, 8, 1, start, 4, 3, 0, null(), none),
        PI_ERROR_INVALID_VALUE
    );
}

/// A driver may allocate it, and then migrate pages without end.
fn more_than_the_device() {
    let fixture = Fixture::new();
    let (mut size, mut start) = (0_u64, null_mut());
    let room = (&raw mut size).cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_GLOBAL_MEM_SIZE, 8, room, null_mut()));
    let (context, device, more) = (fixture.context, fixture.device, size as usize + 1);
    let why = fails!(
        piextUSMSharedAlloc(&mut start, context, device, null_mut(), more, 0),
        PI_ERROR_OUT_OF_RESOURCES
    );
    assert!(why.contains(&format!("the device has {size}")), "{why}");
}

/// libsycl queries the support before it fills, sets or copies rows. For fills alone, it passes the pitch and the
/// width in elements instead of bytes.
fn rows() {
    let fixture = Fixture::new();
    let has = |query: pi_context_info| {
        let mut answer: pi_bool = 7;
        ok!(piContextGetInfo(fixture.context, query, 4, (&raw mut answer).cast(), null_mut()));
        answer
    };
    assert_eq!(has(PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT), PI_FALSE);
    assert_eq!(has(PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT), PI_TRUE);
    assert_eq!(has(PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT), PI_TRUE);
}
