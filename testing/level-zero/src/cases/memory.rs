//! Tests of USM allocations, and of memory that the program has from the driver.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use level_zero_sys::*;

use super::Case;
use crate::fixture::{newest, plugin};
use crate::{Fixture, Soft, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("an_address_belongs_to_its_allocation_up_to_the_last_byte", ends),
    ("blocks_suit_later_allocations_with_an_alignment", alignment),
    ("memory_that_the_program_has_from_the_driver_is_known_and_freed", from_the_driver),
    ("a_buffer_of_native_memory_is_mapped_where_the_host_reaches_it", native_maps),
    ("the_driver_gets_the_flags_that_an_allocation_has", flags),
    ("shared_memory_without_a_device_is_of_none", shared_by_all),
    ("the_driver_gets_each_advice_and_the_size_of_hints", hints),
];

/// A plugin's report about an address.
#[derive(Debug, PartialEq, Eq)]
struct Known {
    kind: pi_usm_type,
    base: *mut c_void,
    size: usize,
    device: pi_device,
}

impl Known {
    const NOTHING: Self = Self { kind: PI_MEM_TYPE_UNKNOWN, base: null_mut(), size: 0, device: null_mut() };

    fn of(fixture: &Fixture, address: *const c_void) -> Self {
        let mut known = Self::NOTHING;
        for (name, size, room) in [
            (PI_MEM_ALLOC_TYPE, 4, (&raw mut known.kind).cast::<c_void>()),
            (PI_MEM_ALLOC_BASE_PTR, 8, (&raw mut known.base).cast()),
            (PI_MEM_ALLOC_SIZE, 8, (&raw mut known.size).cast()),
            (PI_MEM_ALLOC_DEVICE, 8, (&raw mut known.device).cast()),
        ] {
            ok!(fixture.pi, piextUSMGetMemAllocInfo(fixture.context, address, name, size, room, null_mut()));
        }
        known
    }
}

/// The first size is that of the largest block of the pool, and the last one is larger.
fn ends() {
    let fixture = Fixture::new(plugin());
    for size in [2 << 20, (3 << 20) + 1] {
        let memory = fixture.device_memory(size);
        let (kind, base, device) = (PI_MEM_TYPE_DEVICE, memory.start, fixture.device);
        assert_eq!(Known::of(&fixture, memory.at(size - 1)), Known { kind, base, size, device });
        assert_eq!(Known::of(&fixture, memory.at(size)), Known::NOTHING, "{size}");
        let text = fails!(fixture.pi, piextUSMFree(fixture.context, memory.at(size)), PI_ERROR_INVALID_VALUE);
        assert!(text.contains("not a USM allocation"), "{text}");
        let text =
            fails!(fixture.pi, piextUSMFree(fixture.context, memory.at(size - 1)), PI_ERROR_INVALID_VALUE);
        assert!(text.contains("not the start"), "{text}");
    }
    // Neighbours in one allocation of the driver.
    for memory in [(); 3].map(|()| fixture.shared_memory(100)) {
        let known = Known::of(&fixture, memory.at(99));
        assert_eq!((known.kind, known.base), (PI_MEM_TYPE_SHARED, memory.start));
        assert!(known.size >= 100, "{known:?}");
    }
}

/// The second block comes from the driver's allocation that was made for the first one.
fn alignment() {
    const ALIGNMENT: usize = 64 << 10;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    soft.reset();
    let _first = fixture.device_memory(ALIGNMENT - 100);
    let (context, device, mut start) = (fixture.context, fixture.device, null_mut());
    let alignment = ALIGNMENT as u32;
    ok!(fixture.pi, piextUSMDeviceAlloc(&mut start, context, device, null_mut(), 100, alignment));
    assert!(start.addr().is_multiple_of(ALIGNMENT), "{start:?}");
    let report = soft.report();
    assert_eq!(report.calls["zeMemAllocDevice"], 1);
    let request = report.requests.first().unwrap();
    assert!(request.contains(&format!(" alignment {ALIGNMENT} ")), "{request}");
    ok!(fixture.pi, piextUSMFree(context, start));
}

/// Allocates memory with a call of the driver.
fn allocate(fixture: &Fixture, kind: pi_usm_type, size: usize) -> *mut c_void {
    let (mut context, mut device, mut start) = (0, 0, null_mut());
    ok!(fixture.pi, piextContextGetNativeHandle(fixture.context, &mut context));
    ok!(fixture.pi, piextDeviceGetNativeHandle(fixture.device, &mut device));
    let context = ze_context_handle_t(std::ptr::with_exposed_provenance_mut(context));
    let device = ze_device_handle_t(std::ptr::with_exposed_provenance_mut(device));
    let on_device = ze_device_mem_alloc_desc_t::default();
    let (on_host, ze) = (ze_host_mem_alloc_desc_t::default(), ze().unwrap());
    // SAFETY: live handles, descriptors and room for the address.
    unsafe {
        match kind {
            PI_MEM_TYPE_HOST => ze.zeMemAllocHost(context, &on_host, size, 64, &mut start),
            PI_MEM_TYPE_DEVICE => ze.zeMemAllocDevice(context, &on_device, size, 64, device, &mut start),
            _ => ze.zeMemAllocShared(context, &on_device, &on_host, size, 64, device, &mut start),
        }
    }
    .unwrap();
    start
}

fn from_the_driver() {
    // More than an allocator takes from its heap, so that it is behind the plugin's own memory.
    const SIZE: usize = (40 << 20) + 1000;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    let _own = fixture.device_memory(64);
    soft.reset();
    for kind in [PI_MEM_TYPE_HOST, PI_MEM_TYPE_DEVICE, PI_MEM_TYPE_SHARED] {
        let base = allocate(&fixture, kind, SIZE);
        let device = if kind == PI_MEM_TYPE_HOST { null_mut() } else { fixture.device };
        let known = Known::of(&fixture, base.wrapping_byte_add(SIZE - 1));
        assert_eq!(known, Known { kind, base, size: SIZE, device });
        ok!(fixture.pi, piextUSMFree(fixture.context, base));
        assert_eq!(Known::of(&fixture, base), Known::NOTHING);
    }
    let report = soft.report();
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
    assert_eq!(report.calls["zeMemFree"], 3);
}

/// The host does not reach device memory, and needs no copy of other memory.
fn native_maps() {
    const SIZE: usize = 256;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    let (pi, context, queue) = (fixture.pi, fixture.context, fixture.queue);
    for memory in [fixture.device_memory(SIZE), fixture.host_memory(SIZE), fixture.shared_memory(SIZE)] {
        let (mut mem, mut mapped) = (null_mut(), null_mut());
        fixture.write(&memory, &[1_u8; SIZE]);
        ok!(pi, piextMemCreateWithNativeHandle(memory.start.addr(), context, 0, &mut mem));
        let flags = PI_MAP_READ | PI_MAP_WRITE;
        soft.reset();
        ok!(pi, piEnqueueMemBufferMap(queue, mem, 1, flags, 16, 32, 0, null(), null_mut(), &mut mapped));
        let copies = soft.report().calls.get("zeCommandListAppendMemoryCopy").copied().unwrap_or(0);
        let kind = Known::of(&fixture, memory.start).kind;
        assert_eq!(copies, u64::from(kind == PI_MEM_TYPE_DEVICE), "{kind:#x}");
        if kind == PI_MEM_TYPE_DEVICE {
            assert_ne!(Known::of(&fixture, mapped).kind, PI_MEM_TYPE_DEVICE);
        } else {
            assert_eq!(mapped, memory.at(16));
        }
        // SAFETY: mapped memory of that size, which no command uses.
        unsafe {
            assert_eq!(mapped.cast::<[u8; 32]>().read(), [1; 32]);
            mapped.cast::<[u8; 32]>().write([2; 32]);
        }
        ok!(pi, piEnqueueMemUnmap(queue, mem, mapped, 0, null(), null_mut()));
        fixture.finish();
        let expected = [vec![1; 16], vec![2; 32], vec![1; SIZE - 48]].concat();
        assert_eq!(fixture.read::<u8>(&memory, SIZE), expected, "{kind:#x}");
        ok!(pi, piMemRelease(mem));
    }
}

fn flags() {
    // Flags of `ze_device_mem_alloc_desc_t` and of `ze_host_mem_alloc_desc_t`.
    const PLACED_ON_DEVICE: u32 = ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
    const PLACED_ON_HOST: u32 = ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
    const COMBINED: u32 = ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    let (pi, context, device) = (fixture.pi, fixture.context, fixture.device);
    for (shared, asked, [of_device, of_host]) in [
        (true, PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE, [PLACED_ON_DEVICE, 0]),
        (true, PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST, [0, PLACED_ON_HOST]),
        (true, PI_MEM_ALLOC_WRTITE_COMBINED, [0, COMBINED]),
        (false, PI_MEM_ALLOC_WRTITE_COMBINED, [0, COMBINED]),
    ] {
        let mut properties = [PI_MEM_ALLOC_FLAGS, asked, 0];
        let (mut start, properties) = (null_mut(), properties.as_mut_ptr());
        soft.reset();
        let call = if shared {
            ok!(pi, piextUSMSharedAlloc(&mut start, context, device, properties, 100, 32));
            "zeMemAllocShared"
        } else {
            ok!(pi, piextUSMHostAlloc(&mut start, context, properties, 100, 32));
            "zeMemAllocHost"
        };
        let expected = format!("{call} size 100 alignment 32 flags {of_device} {of_host}");
        assert_eq!(soft.report().requests, BTreeSet::from([expected]));
        ok!(pi, piextUSMFree(context, start));
    }
}

fn hints() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(newest()));
    let (pi, queue, memory) = (fixture.pi, fixture.queue, fixture.shared_memory(8192));
    let asked = |advice| {
        soft.reset();
        ok!(pi, piextUSMEnqueueMemAdvise(queue, memory.at(1024), 4096, advice, null_mut()));
        ok!(pi, piQueueFinish(queue));
        let requests = soft.report().requests.into_iter();
        requests
            .filter(|request| request.starts_with("zeCommandListAppendMemAdvise"))
            .collect::<BTreeSet<_>>()
    };
    let advices = |list: &[ze_memory_advice_t]| -> BTreeSet<String> {
        list.iter()
            .map(|advice| format!("zeCommandListAppendMemAdvise advice {} size 4096", advice.0))
            .collect()
    };
    for (advice, expected) in [
        (PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY, &[ZE_MEMORY_ADVICE_SET_READ_MOSTLY][..]),
        (PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY, &[ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY]),
        (PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION, &[ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION]),
        (PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION, &[ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION]),
        (
            PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION,
            &[ZE_MEMORY_ADVICE_SET_READ_MOSTLY, ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION],
        ),
        (
            PI_MEM_ADVICE_RESET,
            &[ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY, ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION],
        ),
        (PI_MEM_ADVICE_UNKNOWN, &[]),
    ] {
        assert_eq!(asked(advice), advices(expected), "{advice:#x}");
    }
    soft.reset();
    ok!(pi, piextUSMEnqueuePrefetch(queue, memory.at(1024), 4096, 0, 0, null(), null_mut()));
    ok!(pi, piQueueFinish(queue));
    assert!(soft.report().requests.contains("zeCommandListAppendMemoryPrefetch size 4096"));
    // A hint that the driver does not take is a warning.
    soft.fault("zeCommandListAppendMemAdvise:1=ZE_RESULT_ERROR_UNSUPPORTED_FEATURE");
    asked(PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY);
    soft.fault("");
    // Neither hint leaves the memory.
    let (start, wrong) = (memory.at(4096 + 1), PI_ERROR_INVALID_VALUE);
    let advice = PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY;
    fails!(pi, piextUSMEnqueuePrefetch(queue, start, 4096, 0, 0, null(), null_mut()), wrong);
    fails!(pi, piextUSMEnqueueMemAdvise(queue, start, 4096, advice, null_mut()), wrong);
}

fn shared_by_all() {
    let fixture = Fixture::new(newest());
    let (pi, context) = (fixture.pi, fixture.context);
    for device in [fixture.device, null_mut()] {
        let mut start = null_mut();
        ok!(pi, piextUSMSharedAlloc(&mut start, context, device, null_mut(), 1 << 20, 0));
        let known = Known::of(&fixture, start);
        assert_eq!((known.kind, known.device), (PI_MEM_TYPE_SHARED, device));
        ok!(pi, piextUSMFree(context, start));
    }
}
