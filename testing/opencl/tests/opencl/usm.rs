//! Unified shared memory: the driver's own, or shared virtual memory where it has only that.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "usm",
        [
            facts_of_every_kind,
            ordinary_memory_is_unknown,
            kernels_reach_shared_memory,
            memset_takes_the_low_byte,
            memcpy_between_every_two_kinds,
            empty_memsets_and_copies_complete,
            fill_2d_leaves_the_rest_of_each_row,
            memset_2d_and_memcpy_2d,
            bad_2d_shapes_are_refused,
            alignments_are_kept,
            impossible_alignments_are_refused,
            size_0_is_refused,
            unknown_properties_are_refused,
            too_large_is_a_lack_of_memory,
            a_foreign_pointer_is_not_freed,
            prefetch_completes_and_keeps_to_the_allocation,
            advice_in_both_encodings,
            unknown_advice_is_refused,
            pitched_rows_start_aligned,
            import_and_release_are_accepted,
            bad_questions_are_refused,
            commands_wait_for_their_list,
            ten_thousand_allocations,
        ]
    );
}

const KINDS: [pi_usm_type; 3] = [PI_MEM_TYPE_HOST, PI_MEM_TYPE_DEVICE, PI_MEM_TYPE_SHARED];

fn try_alloc(
    f: &Fixture,
    kind: pi_usm_type,
    list: *mut u64,
    size: usize,
    align: u32,
) -> Result<*mut c_void, CallError> {
    let mut ptr = null_mut();
    match kind {
        PI_MEM_TYPE_HOST => call!(f.pi, piextUSMHostAlloc(&mut ptr, f.context, list, size, align)),
        PI_MEM_TYPE_DEVICE => {
            call!(f.pi, piextUSMDeviceAlloc(&mut ptr, f.context, f.device, list, size, align))
        }
        _ => call!(f.pi, piextUSMSharedAlloc(&mut ptr, f.context, f.device, list, size, align)),
    }?;
    assert!(!ptr.is_null(), "success without memory");
    Ok(ptr)
}

fn alloc(f: &Fixture, kind: pi_usm_type, size: usize) -> *mut c_void {
    try_alloc(f, kind, null_mut(), size, 0).unwrap_or_else(|error| panic!("{error}"))
}

fn free(f: &Fixture, ptr: *mut c_void) {
    ok!(f.pi, piextUSMFree(f.context, ptr));
}

fn copy(f: &Fixture, dst: *mut c_void, src: *const c_void, size: usize) {
    ok!(f.pi, piextUSMEnqueueMemcpy(f.queue, 1, dst, src, size, 0, null(), null_mut()));
}

fn content(f: &Fixture, src: *const c_void, size: usize) -> Vec<u8> {
    let mut bytes = vec![0_u8; size];
    copy(f, bytes.as_mut_ptr().cast(), src, size);
    bytes
}

fn set(f: &Fixture, ptr: *mut c_void, value: i32, size: usize) {
    let event = made!(f.pi, |out| piextUSMEnqueueMemset(f.queue, ptr, value, size, 0, null(), out));
    f.wait(event);
}

fn facts_of_every_kind() {
    let f = Fixture::new();
    for kind in KINDS {
        let base = alloc(&f, kind, 1000);
        for ptr in [base, base.wrapping_byte_add(1), base.wrapping_byte_add(999)] {
            assert_eq!(get!(f.pi, piextUSMGetMemAllocInfo(f.context, ptr, PI_MEM_ALLOC_TYPE) as u32), kind);
            assert_eq!(
                get!(f.pi, piextUSMGetMemAllocInfo(f.context, ptr, PI_MEM_ALLOC_BASE_PTR) as *mut c_void),
                base
            );
            assert!(get!(f.pi, piextUSMGetMemAllocInfo(f.context, ptr, PI_MEM_ALLOC_SIZE) as usize) >= 1000);
        }
        let device = get!(f.pi, piextUSMGetMemAllocInfo(f.context, base, PI_MEM_ALLOC_DEVICE) as pi_device);
        assert!(kind == PI_MEM_TYPE_HOST || device == f.device);
        free(&f, base);
    }
}

fn ordinary_memory_is_unknown() {
    let f = Fixture::new();
    let own = 0_u64;
    let ptr = (&raw const own).cast();
    assert_eq!(
        get!(f.pi, piextUSMGetMemAllocInfo(f.context, ptr, PI_MEM_ALLOC_TYPE) as u32),
        PI_MEM_TYPE_UNKNOWN
    );
}

fn kernels_reach_shared_memory() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"fill_index");
    for kind in [PI_MEM_TYPE_SHARED, PI_MEM_TYPE_HOST] {
        let ptr = alloc(&f, kind, 16);
        f.set_pointer(*kernel, 0, ptr);
        f.launch(*kernel, 4);
        // SAFETY: 16 bytes that the host may read; the launch is done.
        assert_eq!(unsafe { ptr.cast::<[i32; 4]>().read() }, [0, 1, 2, 3]);
        free(&f, ptr);
    }
}

fn memset_takes_the_low_byte() {
    let f = Fixture::new();
    for kind in KINDS {
        let ptr = alloc(&f, kind, 100);
        set(&f, ptr, 0x1234_56ab, 100);
        set(&f, ptr.wrapping_byte_add(10), 1, 5);
        let bytes = content(&f, ptr, 100);
        for (at, byte) in bytes.into_iter().enumerate() {
            assert_eq!(byte, if (10..15).contains(&at) { 1 } else { 0xab });
        }
        free(&f, ptr);
    }
}

fn memcpy_between_every_two_kinds() {
    let f = Fixture::new();
    let data: Vec<u8> = (0..=255).collect();
    for from in KINDS {
        for to in KINDS {
            let (src, dst) = (alloc(&f, from, 256), alloc(&f, to, 256));
            copy(&f, src, data.as_ptr().cast(), 256);
            let event = made!(f.pi, |out| piextUSMEnqueueMemcpy(f.queue, 0, dst, src, 256, 0, null(), out));
            f.wait(event);
            assert_eq!(content(&f, dst, 256), data, "{from:#x} to {to:#x}");
            free(&f, src);
            free(&f, dst);
        }
    }
}

fn empty_memsets_and_copies_complete() {
    let f = Fixture::new();
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 16);
    let event = made!(f.pi, |out| piextUSMEnqueueMemset(f.queue, ptr, 1, 0, 0, null(), out));
    f.wait(event);
    let event = made!(f.pi, |out| piextUSMEnqueueMemcpy(f.queue, 1, ptr, ptr, 0, 0, null(), out));
    f.wait(event);
    free(&f, ptr);
}

fn fill_2d_leaves_the_rest_of_each_row() {
    let f = Fixture::new();
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 64);
    set(&f, ptr, 0, 64);
    let pattern = [1_u8, 2];
    let start = pattern.as_ptr().cast();
    let event = made!(f.pi, |out| piextUSMEnqueueFill2D(f.queue, ptr, 16, 2, start, 6, 3, 0, null(), out));
    f.wait(event);
    for (at, byte) in content(&f, ptr, 64).into_iter().enumerate() {
        let expected = if at % 16 < 6 && at / 16 < 3 { pattern[at % 2] } else { 0 };
        assert_eq!(byte, expected, "byte {at}");
    }
    free(&f, ptr);
}

fn memset_2d_and_memcpy_2d() {
    let f = Fixture::new();
    let (src, dst) = (alloc(&f, PI_MEM_TYPE_DEVICE, 64), alloc(&f, PI_MEM_TYPE_SHARED, 64));
    set(&f, src, 1, 64);
    set(&f, dst, 0, 64);
    let event = made!(f.pi, |out| piextUSMEnqueueMemset2D(f.queue, src, 8, 7, 4, 8, 0, null(), out));
    f.wait(event);
    for (blocking, width) in [(1, 8), (0, 3)] {
        let event = made!(f.pi, |out| piextUSMEnqueueMemcpy2D(
            f.queue,
            blocking,
            dst,
            16,
            src,
            8,
            width,
            4,
            0,
            null(),
            out
        ));
        f.wait(event);
    }
    for (at, byte) in content(&f, dst, 64).into_iter().enumerate() {
        let expected = match at % 16 {
            0..4 => 7,
            4..8 => 1,
            _ => 0,
        };
        assert_eq!(byte, expected, "byte {at}");
    }
    free(&f, src);
    free(&f, dst);
}

fn bad_2d_shapes_are_refused() {
    let f = Fixture::new();
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 64);
    let pattern = [1_u8; 4];
    let (start, none): (*const c_void, _) = (pattern.as_ptr().cast(), null_mut());
    for (pitch, width, height) in [(4, 8, 2), (0, 8, 2), (8, 0, 2), (8, 8, 0), (usize::MAX, 8, usize::MAX)] {
        refused!(
            f.pi,
            piextUSMEnqueueFill2D(f.queue, ptr, pitch, 1, start, width, height, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        refused!(
            f.pi,
            piextUSMEnqueueMemset2D(f.queue, ptr, pitch, 1, width, height, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        refused!(
            f.pi,
            piextUSMEnqueueMemcpy2D(f.queue, 1, ptr, pitch, ptr, 8, width, height, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
    }
    for (pattern, size) in [(start, 0), (start, 3), (null(), 4)] {
        refused!(
            f.pi,
            piextUSMEnqueueFill2D(f.queue, ptr, 16, size, pattern, 8, 2, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
    }
    free(&f, ptr);
}

fn alignments_are_kept() {
    let f = Fixture::new();
    for kind in KINDS {
        for align in [0, 1, 2, 4, 8, 16, 32, 64] {
            let ptr = try_alloc(&f, kind, null_mut(), 48, align).unwrap();
            assert!(align == 0 || ptr.addr().is_multiple_of(align as usize), "{ptr:p} at {align}");
            free(&f, ptr);
        }
    }
}

fn impossible_alignments_are_refused() {
    let f = Fixture::new();
    for kind in KINDS {
        for align in [3, 12, 100] {
            let result = try_alloc(&f, kind, null_mut(), 48, align).map(|_| ());
            calls::expect_refusal(result, &[PI_ERROR_INVALID_VALUE]);
        }
        // Beyond any page: a driver refuses it or keeps it.
        if let Ok(ptr) = try_alloc(&f, kind, null_mut(), 48, 1 << 24) {
            assert!(ptr.addr().is_multiple_of(1 << 24));
            free(&f, ptr);
        }
    }
}

fn size_0_is_refused() {
    let f = Fixture::new();
    for kind in KINDS {
        let result = try_alloc(&f, kind, null_mut(), 0, 0).map(|_| ());
        calls::expect_refusal(result, &[PI_ERROR_INVALID_BUFFER_SIZE]);
    }
}

fn unknown_properties_are_refused() {
    let f = Fixture::new();
    for kind in KINDS {
        let mut unknown = [0x7777, 1, 0];
        let result = try_alloc(&f, kind, unknown.as_mut_ptr(), 16, 0).map(|_| ());
        calls::expect_refusal(result, &[PI_ERROR_INVALID_VALUE]);
        let mut read_only = [PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_DEVICE_READ_ONLY, 0];
        free(&f, try_alloc(&f, kind, read_only.as_mut_ptr(), 16, 0).unwrap());
    }
}

fn too_large_is_a_lack_of_memory() {
    let f = Fixture::new();
    let lack = [PI_ERROR_OUT_OF_RESOURCES, PI_ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_INVALID_BUFFER_SIZE];
    for kind in KINDS {
        calls::expect_refusal(try_alloc(&f, kind, null_mut(), 1 << 50, 0).map(|_| ()), &lack);
        calls::expect_refusal(try_alloc(&f, kind, null_mut(), usize::MAX - 3, 0).map(|_| ()), &lack);
    }
}

fn a_foreign_pointer_is_not_freed() {
    let f = Fixture::new();
    let mut own = 0_u64;
    refused!(f.pi, piextUSMFree(f.context, (&raw mut own).cast()), PI_ERROR_INVALID_VALUE);
    refused!(f.pi, piextUSMFree(f.context, null_mut()), PI_ERROR_INVALID_VALUE);
}

fn prefetch_completes_and_keeps_to_the_allocation() {
    let f = Fixture::new();
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 4096);
    let event = made!(f.pi, |out| piextUSMEnqueuePrefetch(f.queue, ptr, 4096, 0, 0, null(), out));
    f.wait(event);
    let none = null_mut();
    for (start, size) in [(0, 4097 + 4096), (4095, 4098), (8, usize::MAX - 4)] {
        let from = ptr.wrapping_byte_add(start);
        refused!(
            f.pi,
            piextUSMEnqueuePrefetch(f.queue, from, size, 0, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
    }
    refused!(
        f.pi,
        piextUSMEnqueuePrefetch(f.queue, ptr, 1, 1 << 40, 0, null(), none),
        PI_ERROR_INVALID_VALUE
    );
    free(&f, ptr);
}

fn advice_in_both_encodings() {
    for version in Version::ALL {
        let f = Fixture::at(version);
        let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 64);
        // PI 9.11 names 101 and 102 only of these; the numbers of PI 10.12 follow them.
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

fn unknown_advice_is_refused() {
    let f = Fixture::new();
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 64);
    let none = null_mut();
    refused!(f.pi, piextUSMEnqueueMemAdvise(f.queue, ptr, 64, 1 << 20, none), PI_ERROR_INVALID_VALUE);
    refused!(
        f.pi,
        piextUSMEnqueueMemAdvise(f.queue, ptr, 1 << 20, 1, none),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
    );
    free(&f, ptr);
}

fn pitched_rows_start_aligned() {
    let f = Fixture::new();
    let mut pitch = 0;
    let ptr: *mut c_void =
        made!(f.pi, |out| piextUSMPitchedAlloc(out, &mut pitch, f.context, f.device, null_mut(), 100, 8, 4));
    assert!(pitch >= 100 && pitch.is_multiple_of(4));
    set(&f, ptr, 1, pitch * 8);
    free(&f, ptr);
    let mut out = null_mut();
    refused!(
        f.pi,
        piextUSMPitchedAlloc(&mut out, &mut pitch, f.context, f.device, null_mut(), usize::MAX / 2, 8, 4),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
    );
}

fn import_and_release_are_accepted() {
    let f = Fixture::new();
    let own = [0_u8; 64];
    ok!(f.pi, piextUSMImport(own.as_ptr().cast(), 64, f.context));
    ok!(f.pi, piextUSMRelease(own.as_ptr().cast(), f.context));
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 64);
    bad_questions!(f.pi, piextUSMGetMemAllocInfo(f.context, ptr), PI_MEM_ALLOC_SIZE);
    free(&f, ptr);
}

fn commands_wait_for_their_list() {
    let f = Fixture::new();
    let gate: pi_event = made!(plugin::table(Version::V9_11), |out| piEventCreate_until_9_11(f.context, out));
    let ptr = alloc(&f, PI_MEM_TYPE_SHARED, 16);
    set(&f, ptr, 1, 16);
    let event = made!(f.pi, |out| piextUSMEnqueueMemset(f.queue, ptr, 2, 16, 1, &gate, out));
    ok!(f.pi, piQueueFlush(f.queue));
    std::thread::sleep(std::time::Duration::from_millis(10));
    // SAFETY: shared memory, which the command fills only when the gate opens.
    assert_eq!(unsafe { ptr.cast::<u8>().read_volatile() }, 1);
    ok!(f.pi, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    f.wait(event);
    // SAFETY: shared memory; the command is done.
    assert_eq!(unsafe { ptr.cast::<u8>().read_volatile() }, 2);
    ok!(f.pi, piEventRelease(gate));
    free(&f, ptr);
}

fn resident_pages() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

fn ten_thousand_allocations() {
    let f = Fixture::new();
    let before = resident_pages();
    for round in 0..10_000 {
        let ptr = alloc(&f, KINDS[round % 3], 64 * 1024);
        // SAFETY: the first byte of the block; a driver for CPUs lets the host write to each kind of memory.
        unsafe { ptr.cast::<u8>().write(1) };
        free(&f, ptr);
    }
    // 10 000 leaked blocks of which a page each was touched would be 40 MB; other tests run beside this one.
    let grown = resident_pages().saturating_sub(before);
    assert!(grown < 100_000, "grown by {grown} pages");
}
