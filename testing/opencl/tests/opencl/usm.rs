//! Tests of unified shared memory: the driver's own, or shared virtual memory if the driver has only that.

use std::ffi::c_void;
use std::ptr::{null, null_mut, with_exposed_provenance_mut};
use std::time::Duration;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "usm",
        [
            a_blocking_copy_of_rows_waits_for_them_up_to_the_last_byte,
            a_copy_onto_itself_is_refused_though_an_event_is_wanted,
            a_fill_of_memory_that_is_no_allocation_fills_it_or_is_refused,
            advice_in_both_encodings,
            freed_memory_is_no_allocation,
            memory_that_a_command_uses_is_freed_behind_it,
            memory_of_another_context_is_no_allocation,
            pitched_rows_start_aligned,
            rows_behind_a_wait_list_are_not_waited_for,
            rows_past_the_end_of_an_allocation_are_refused,
            the_address_behind_an_allocation_is_not_in_it,
            an_address_in_an_allocation_tells_of_it_and_is_not_freed,
            an_alignment_is_kept_or_refused_as_a_value,
        ]
    );
}

fn shared(f: &Fixture, size: usize) -> *mut c_void {
    made!(f.pi, |out| piextUSMSharedAlloc(out, f.context, f.device, null_mut(), size, 0))
}

fn free(f: &Fixture, ptr: *mut c_void) {
    ok!(f.pi, piextUSMFree(f.context, ptr));
}

fn set(f: &Fixture, ptr: *mut c_void, value: i32, size: usize) {
    let event = made!(f.pi, |out| piextUSMEnqueueMemset(f.queue, ptr, value, size, 0, null(), out));
    f.wait(event);
}

fn an_address_in_an_allocation_tells_of_it_and_is_not_freed() {
    const SIZE: usize = 64;
    let f = Fixture::new();
    let on_device = made!(f.pi, |out| piextUSMDeviceAlloc(out, f.context, f.device, null_mut(), SIZE, 0));
    for (start, kind) in [(on_device, PI_MEM_TYPE_DEVICE), (shared(&f, SIZE), PI_MEM_TYPE_SHARED)] {
        let (inside, context) = (start.wrapping_byte_add(SIZE - 1), f.context);
        let base = get!(f.pi, piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_BASE_PTR) as usize);
        let size = get!(f.pi, piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_SIZE) as usize);
        let device = get!(f.pi, piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_DEVICE) as pi_device);
        assert_eq!((base, device), (start.addr(), f.device));
        assert!(size >= SIZE, "{size}");
        assert_eq!(
            get!(f.pi, piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_TYPE) as pi_usm_type),
            kind
        );
        refused!(f.pi, piextUSMFree(context, inside), PI_ERROR_INVALID_VALUE);
        assert_eq!(
            get!(f.pi, piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_TYPE) as pi_usm_type),
            kind
        );
        free(&f, start);
    }
}

fn an_alignment_is_kept_or_refused_as_a_value() {
    let f = Fixture::new();
    for alignment in [1, 64, 128, 4096, 1 << 20] {
        let mut ptr: *mut c_void = null_mut();
        match call!(f.pi, piextUSMHostAlloc(&mut ptr, f.context, null_mut(), 64, alignment)) {
            Ok(()) => {
                assert_eq!(ptr.addr() % alignment as usize, 0, "{alignment}");
                free(&f, ptr);
            }
            // OpenCL knows alignments of its types only, of which the largest has 128 bytes.
            refusal if alignment > 128 => drop(calls::expect_refusal(refusal, &[PI_ERROR_INVALID_VALUE])),
            Err(error) => panic!("alignment {alignment}: {error}"),
        }
    }
}

/// PoCL 6.0 and 7.1 end the process over it, so the plugin refuses it there.
fn a_copy_onto_itself_is_refused_though_an_event_is_wanted() {
    let f = Fixture::new();
    let (ptr, mut event) = (shared(&f, 64), null_mut());
    let copy = call!(f.pi, piextUSMEnqueueMemcpy(f.queue, PI_FALSE, ptr, ptr, 64, 0, null(), &mut event));
    calls::expect_refusal(copy, &[PI_ERROR_MEM_COPY_OVERLAP]);
    free(&f, ptr);
}

/// PoCL 6.0 and 7.1 end the process over it, so the plugin refuses it there.
fn a_fill_of_memory_that_is_no_allocation_fills_it_or_is_refused() {
    let f = Fixture::new();
    let (mut bytes, mut event) = (vec![1_u8; 64], null_mut());
    let ptr = bytes.as_mut_ptr().cast();
    match call!(f.pi, piextUSMEnqueueMemset(f.queue, ptr, 7, 64, 0, null(), &mut event)) {
        Ok(()) => {
            f.wait(event);
            assert_eq!(bytes, [7; 64]);
        }
        refused => {
            calls::expect_refusal(refused, &[PI_ERROR_INVALID_VALUE]);
        }
    }
}

/// With shared virtual memory alone, the plugin itself knows the allocations, each with its context.
fn memory_of_another_context_is_no_allocation() {
    let (f, other) = (Fixture::new(), Fixture::new());
    let ptr = shared(&f, 4096);
    let kind = |context| {
        let (mut kind, name) = (u32::MAX, PI_MEM_ALLOC_TYPE);
        let room = (&raw mut kind).cast();
        ok!(f.pi, piextUSMGetMemAllocInfo(context, ptr, name, 4, room, null_mut()));
        kind
    };
    assert_eq!((kind(f.context), kind(other.context)), (PI_MEM_TYPE_SHARED, PI_MEM_TYPE_UNKNOWN));
    free(&f, ptr);
}

/// With shared virtual memory alone, the plugin itself knows the allocations.
fn freed_memory_is_no_allocation() {
    let f = Fixture::new();
    let ptr = shared(&f, 4096);
    let (kind, size) = ((PI_MEM_ALLOC_TYPE, 4), (PI_MEM_ALLOC_SIZE, 8));
    let ask = |(name, room): (pi_mem_alloc_info, usize)| {
        let mut answer = u64::MAX >> (64 - 8 * room);
        let place = (&raw mut answer).cast();
        ok!(f.pi, piextUSMGetMemAllocInfo(f.context, ptr, name, room, place, null_mut()));
        answer
    };
    assert_eq!((ask(kind), ask(size)), (u64::from(PI_MEM_TYPE_SHARED), 4096));
    free(&f, ptr);
    assert_eq!((ask(kind), ask(size)), (u64::from(PI_MEM_TYPE_UNKNOWN), 0));
}

/// `clSVMFree` frees at once, so the plugin waits with it. A free of the driver's own USM would wait for the gate.
fn memory_that_a_command_uses_is_freed_behind_it() {
    let has_usm = |driver: String| !["pocl", "rusticl-25", "rusticl-26"].contains(&driver.as_str());
    if std::env::var("PI_TEST_DRIVER").map_or(true, has_usm) {
        return;
    }
    let f = Fixture::new();
    let (gate, size) = (user_event(&f), 1 << 20);
    let ptr = shared(&f, size);
    let event = made!(f.pi, |out| piextUSMEnqueueMemset(f.queue, ptr, 7, size, 1, &gate, out));
    free(&f, ptr);
    // The C library would give freed memory of this size again.
    let other = shared(&f, size);
    assert_ne!(other, ptr);
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    f.wait(event);
    ok!(f.pi, piEventRelease(gate));
    free(&f, other);
}

/// With shared virtual memory alone, the plugin itself knows the allocations. The next one may start there.
fn the_address_behind_an_allocation_is_not_in_it() {
    let f = Fixture::new();
    let ptr = shared(&f, 4096);
    let base = |offset: usize| {
        let (mut base, name) = (usize::MAX, PI_MEM_ALLOC_BASE_PTR);
        let (place, room) = (ptr.wrapping_byte_add(offset), (&raw mut base).cast());
        ok!(f.pi, piextUSMGetMemAllocInfo(f.context, place, name, size_of_val(&base), room, null_mut()));
        base
    };
    assert_eq!(base(4095), ptr.addr());
    assert_ne!(base(4096), ptr.addr());
    free(&f, ptr);
}

fn advice_in_both_encodings() {
    for version in Version::ALL {
        let f = Fixture::at(version);
        let ptr = shared(&f, 64);
        // Of these, PI 9.11 names only 101 and 102. The numbers of PI 10.12 follow them.
        let old = version <= Version::V14_37;
        let good: &[pi_mem_advice] =
            if old { &[0, 101, 105, 110, 999] } else { &[0, 1, 0x30, 0x200, 0x7fff_ffff] };
        let bad: &[pi_mem_advice] = if old { &[1, 0x30, 111, 100, 998] } else { &[0x1000, 0x8000_0000] };
        let advise = |advice| {
            let mut event = null_mut();
            let result = if old {
                call!(f.pi, piextUSMEnqueueMemAdvise_until_14_37(f.queue, ptr, 64, advice, &mut event))
            } else {
                call!(f.pi, piextUSMEnqueueMemAdvise(f.queue, ptr, 64, advice, &mut event))
            };
            result.map(|()| f.wait(event))
        };
        for advice in good {
            advise(*advice).unwrap_or_else(|error| panic!("PI {}, {advice}: {error}", version.text()));
        }
        for advice in bad {
            assert!(advise(*advice).is_err(), "PI {}: {advice} is accepted", version.text());
            calls::expect_refusal(advise(*advice), &[PI_ERROR_INVALID_VALUE]);
        }
        free(&f, ptr);
    }
}

fn pitched_rows_start_aligned() {
    let f = Fixture::new();
    let mut pitch = 0;
    let ptr: *mut c_void =
        made!(f.pi, |out| piextUSMPitchedAlloc(out, &mut pitch, f.context, f.device, null_mut(), 100, 8, 4));
    assert!(pitch >= 100 && pitch.is_multiple_of(4));
    set(&f, ptr, 1, pitch * 8);
    free(&f, ptr);
    // An element that is larger than a line of the cache is aligned too.
    let (context, device, none) = (f.context, f.device, null_mut());
    let ptr = made!(f.pi, |out| piextUSMPitchedAlloc(out, &mut pitch, context, device, none, 300, 2, 200));
    assert!(pitch >= 300 && pitch.is_multiple_of(256), "{pitch}");
    free(&f, ptr);
    let mut out = null_mut();
    refused!(
        f.pi,
        piextUSMPitchedAlloc(&mut out, &mut pitch, f.context, f.device, null_mut(), usize::MAX / 2, 8, 4),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
    );
}

fn rows_behind_a_wait_list_are_not_waited_for() {
    let f = Fixture::new();
    let gate = user_event(&f);
    let (from, to) = (shared(&f, 16), shared(&f, 16));
    set(&f, from, 5, 16);
    set(&f, to, 9, 16);
    let event = made!(f.pi, |out| piextUSMEnqueueMemcpy2D(f.queue, 0, to, 8, from, 8, 4, 2, 1, &gate, out));
    // With coarse-grained memory the host has no access until then.
    if std::env::var("PI_TEST_DRIVER").is_ok_and(|driver| driver != "intel-coarse") {
        // SAFETY: shared memory, which the copy fills only when the gate opens.
        assert_eq!(unsafe { to.cast::<[u8; 16]>().read() }, [9; 16]);
    }
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    f.wait(event);
    // SAFETY: 16 bytes that the host may read, and the copy is done.
    assert_eq!(unsafe { to.cast::<[[u8; 4]; 4]>().read() }, [[5; 4], [9; 4], [5; 4], [9; 4]]);
    ok!(f.pi, piEventRelease(gate));
    free(&f, from);
    free(&f, to);
}

/// The allocations end where the last row does, which is no whole pitch after its start.
fn a_blocking_copy_of_rows_waits_for_them_up_to_the_last_byte() {
    let f = Fixture::new();
    let gate = user_event(&f);
    let (from, to) = (shared(&f, 12), shared(&f, 12));
    set(&f, from, 5, 12);
    set(&f, to, 9, 12);
    std::thread::scope(|scope| {
        let (pi, opened) = (f.pi, gate.expose_provenance());
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            ok!(pi, piEventSetStatus(with_exposed_provenance_mut(opened), PI_EVENT_COMPLETE));
        });
        let none = null_mut();
        ok!(f.pi, piextUSMEnqueueMemcpy2D(f.queue, 1, to, 8, from, 8, 4, 2, 1, &gate, none));
        // SAFETY: 12 bytes that the host may read, and the copy is done.
        assert_eq!(unsafe { to.cast::<[[u8; 4]; 3]>().read() }, [[5; 4], [9; 4], [5; 4]]);
    });
    ok!(f.pi, piEventRelease(gate));
    free(&f, from);
    free(&f, to);
}

/// Intel's CPU runtimes end the process over some of them.
fn rows_past_the_end_of_an_allocation_are_refused() {
    let f = Fixture::new();
    let (from, to) = (shared(&f, 48), shared(&f, 96));
    set(&f, from, 1, 48);
    for (to_pitch, from_pitch, width, height) in [
        (32, 16, 8, 4),            // one row too many of the source
        (32, 8, 8, 4),             // of the target
        (32, 32, 17, 2),           // the last row too wide
        (usize::MAX / 2, 8, 8, 4), // no sum of this
    ] {
        let none = null_mut();
        let text = refused!(
            f.pi,
            piextUSMEnqueueMemcpy2D(
                f.queue,
                1,
                to,
                to_pitch,
                from,
                from_pitch,
                width,
                height,
                0,
                null(),
                none
            ),
            PI_ERROR_INVALID_VALUE
        );
        let why = ["the allocation ends", "past the end of memory"];
        assert!(why.iter().any(|why| text.contains(why)), "{text}");
    }
    let fill = |pattern: &[u8], pitch, width, height| {
        let (length, start, none) = (pattern.len(), pattern.as_ptr().cast(), null_mut());
        call!(
            f.pi,
            piextUSMEnqueueFill2D(f.queue, from, pitch, length, start, width, height, 0, null(), none)
        )
    };
    // The last row is too wide, in rows with a distance, and in one block of a pattern that no driver takes.
    for (pattern, pitch, width, height) in [(&[7_u8][..], 32, 17, 2), (&[7; 192], 192, 192, 1)] {
        let text = calls::expect_refusal(fill(pattern, pitch, width, height), &[PI_ERROR_INVALID_VALUE]);
        assert!(text.contains("the allocation ends"), "{text}");
    }
    free(&f, from);
    free(&f, to);
}
