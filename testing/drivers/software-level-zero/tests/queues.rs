//! Devices, memory, lists, events, fences, complaints, faults: everything that needs no kernel.
#![expect(unsafe_code, reason = "the tests call a driver")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{bench, code};
use level_zero_sys::*;

const NULL: ze_event_handle_t = ze_event_handle_t::NULL;
const FOREVER: u64 = u64::MAX;

#[test]
fn devices_and_sub_devices_as_configured() {
    let b = bench();
    let mut count = 0;
    // SAFETY: live handles, room for the answers.
    unsafe {
        b.ze.zeDeviceGet(b.driver, &mut count, std::ptr::null_mut()).unwrap();
        assert_eq!(count, 2);
        let mut subs = [ze_device_handle_t::NULL; 2];
        count = 2;
        b.ze.zeDeviceGetSubDevices(b.device, &mut count, subs.as_mut_ptr()).unwrap();
        let mut properties = ze_device_properties_t::default();
        b.ze.zeDeviceGetProperties(subs[1], &mut properties).unwrap();
        assert_eq!(properties.subdeviceId, 1);
        assert_ne!(properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE, 0);
        let (mut module, mut state) = (zes_mem_handle_t::NULL, zes_mem_state_t::default());
        let memory = b.alloc(1 << 20);
        b.ze.zesDeviceEnumMemoryModules(b.device, &mut 1, &mut module).unwrap();
        b.ze.zesMemoryGetState(module, &mut state).unwrap();
        assert!(state.size - state.free >= 1 << 20, "{state:?}");
        b.free(memory);
    }
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
fn a_list_waits_for_an_event_that_the_host_signals_later() {
    let b = bench();
    let list = b.immediate();
    let pool = b.pool(2);
    let (gate, done) = (b.event(pool, 0), b.event(pool, 1));
    let memory = b.alloc(64);
    let mut back = [0_u8; 64];
    // SAFETY: live handles and allocations.
    unsafe {
        let fill = [7_u8];
        b.ze.zeCommandListAppendMemoryFill(
            list,
            memory,
            fill.as_ptr().cast(),
            1,
            64,
            NULL,
            1,
            &raw const gate as _,
        )
        .unwrap();
        b.ze.zeCommandListAppendMemoryCopy(
            list,
            back.as_mut_ptr().cast(),
            memory,
            64,
            done,
            0,
            std::ptr::null_mut(),
        )
        .unwrap();
        assert_eq!(code(b.ze.zeEventHostSynchronize(done, 30_000_000)), ZE_RESULT_NOT_READY);
        let polled = b.ze.zeCommandListHostSynchronize(list, 0).unwrap_err();
        let there = b.ze.has("zeCommandListHostSynchronize");
        assert_eq!(polled.by, if there { AnsweredBy::Driver } else { AnsweredBy::MissingFunction });
        b.ze.zeEventHostSignal(gate).unwrap();
        b.ze.zeEventHostSynchronize(done, FOREVER).unwrap();
        assert_eq!(back, [7; 64]);
        let mut times = ze_kernel_timestamp_result_t::default();
        b.ze.zeEventQueryKernelTimestamp(done, &mut times).unwrap();
        assert!(times.global.kernelStart > 0 && times.global.kernelEnd >= times.global.kernelStart);
        b.ze.zeCommandListDestroy(list).unwrap();
        for event in [gate, done] {
            b.ze.zeEventDestroy(event).unwrap();
        }
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
fn recorded_lists_queues_and_fences() {
    let b = bench();
    let memory = b.alloc(4096);
    let mut back = vec![0_u32; 1024];
    let (mut queue, mut list, mut fence) =
        (ze_command_queue_handle_t::NULL, ze_command_list_handle_t::NULL, ze_fence_handle_t::NULL);
    // SAFETY: live handles and allocations.
    unsafe {
        let desc = ze_command_queue_desc_t::default();
        b.ze.zeCommandQueueCreate(b.context, b.device, &desc, &mut queue).unwrap();
        b.ze.zeCommandListCreate(b.context, b.device, &ze_command_list_desc_t::default(), &mut list).unwrap();
        b.ze.zeFenceCreate(queue, &ze_fence_desc_t::default(), &mut fence).unwrap();
        let pattern = 0x1234_5678_u32;
        let none = std::ptr::null_mut();
        b.ze.zeCommandListAppendMemoryFill(list, memory, (&raw const pattern).cast(), 4, 4096, NULL, 0, none)
            .unwrap();
        b.ze.zeCommandListAppendBarrier(list, NULL, 0, none).unwrap();
        b.ze.zeCommandListAppendMemoryCopy(list, back.as_mut_ptr().cast(), memory, 4096, NULL, 0, none)
            .unwrap();
        assert_eq!(
            code(b.ze.zeCommandQueueExecuteCommandLists(queue, 1, &mut list, fence)),
            ZE_RESULT_ERROR_INVALID_ARGUMENT
        );
        assert_eq!(b.complaints(), 1, "an open list is executed: {}", b.report());
        b.ze.zeCommandListClose(list).unwrap();
        b.ze.zeCommandQueueExecuteCommandLists(queue, 1, &mut list, fence).unwrap();
        b.ze.zeFenceHostSynchronize(fence, FOREVER).unwrap();
        assert!(back.iter().all(|word| *word == pattern));
        b.ze.zeCommandQueueSynchronize(queue, FOREVER).unwrap();
        b.ze.zeFenceDestroy(fence).unwrap();
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeCommandQueueDestroy(queue).unwrap();
    }
    b.free(memory);
    assert_eq!(b.complaints(), 1, "{}", b.report());
}

#[test]
fn regions_are_copied_row_by_row() {
    let b = bench();
    let list = b.immediate();
    let memory = b.alloc(256);
    let source: Vec<u8> = (0..=255).collect();
    let mut back = [0_u8; 6];
    // SAFETY: live handles and allocations.
    unsafe {
        let none = std::ptr::null_mut();
        b.ze.zeCommandListAppendMemoryCopy(list, memory, source.as_ptr().cast(), 256, NULL, 0, none).unwrap();
        let from = ze_copy_region_t { originX: 2, originY: 1, width: 3, height: 2, ..Default::default() };
        let to = ze_copy_region_t { width: 3, height: 2, ..Default::default() };
        let to_ptr = back.as_mut_ptr().cast();
        let pool = b.pool(1);
        let done = b.event(pool, 0);
        b.ze.zeCommandListAppendMemoryCopyRegion(
            list, to_ptr, &to, 3, 0, memory, &from, 16, 0, done, 0, none,
        )
        .unwrap();
        b.ze.zeEventHostSynchronize(done, FOREVER).unwrap();
        assert_eq!(back, [18, 19, 20, 34, 35, 36]);
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeEventDestroy(done).unwrap();
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
fn mistakes_are_reported_and_survived() {
    let b = bench();
    let list = b.immediate();
    let pool = b.pool(1);
    let event = b.event(pool, 0);
    let memory = b.alloc(64);
    let mut expected = 0;
    let mut complained = |what: &str| {
        expected += 1;
        assert_eq!(b.complaints(), expected, "{what}: {}", b.report());
    };
    // SAFETY: the driver detects wrong handles and addresses, and nothing else is passed.
    unsafe {
        b.ze.zeMemFree(b.context, memory).unwrap();
        assert_eq!(code(b.ze.zeMemFree(b.context, memory)), ZE_RESULT_ERROR_INVALID_ARGUMENT);
        complained("a double free");
        b.ze.zeEventDestroy(event).unwrap();
        assert_eq!(code(b.ze.zeEventDestroy(event)), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
        complained("a double destroy");
        assert_eq!(code(b.ze.zeEventHostSignal(event)), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
        complained("a use after destroy");
        assert_eq!(
            code(b.ze.zeEventHostSignal(ze_event_handle_t(list.0))),
            ZE_RESULT_ERROR_INVALID_NULL_HANDLE
        );
        complained("the wrong kind of handle");
        let mut word = 0_u64;
        let foreign = ze_event_handle_t((&raw mut word).cast());
        assert_eq!(code(b.ze.zeEventHostSignal(foreign)), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
        complained("a foreign pointer for a handle");
        assert_eq!(code(b.ze.zeCommandListClose(list)), ZE_RESULT_ERROR_INVALID_ARGUMENT);
        complained("closing an immediate list");
        let small = b.alloc(16);
        let answer = b.ze.zeCommandListAppendMemoryCopy(
            list,
            small,
            (&raw const word).cast(),
            17,
            NULL,
            0,
            std::ptr::null_mut(),
        );
        assert_eq!(code(answer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
        complained("a copy beyond the end");
        b.free(small);
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
}

#[test]
fn faults_come_when_they_are_asked_for() {
    let b = bench();
    b.fault("zeMemAllocDevice:2=ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY");
    let desc = ze_device_mem_alloc_desc_t::default();
    let mut answers = Vec::new();
    for _ in 0..3 {
        let mut ptr = std::ptr::null_mut();
        // SAFETY: live handles, room for the answer.
        unsafe {
            answers.push(code(b.ze.zeMemAllocDevice(b.context, &desc, 64, 0, b.device, &mut ptr)));
            if !ptr.is_null() {
                b.free(ptr);
            }
        }
    }
    assert_eq!(answers, [ZE_RESULT_SUCCESS, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, ZE_RESULT_SUCCESS]);
    assert_eq!(b.calls("zeMemAllocDevice"), 3);
}

#[test]
fn a_lost_device_stays_lost_and_nothing_hangs() {
    let b = bench();
    let list = b.immediate();
    let pool = b.pool(1);
    let done = b.event(pool, 0);
    b.fault("execute:1=ZE_RESULT_ERROR_DEVICE_LOST");
    // SAFETY: live handles.
    unsafe {
        b.ze.zeCommandListAppendBarrier(list, done, 0, std::ptr::null_mut()).unwrap();
        assert_eq!(code(b.ze.zeEventHostSynchronize(done, FOREVER)), ZE_RESULT_ERROR_DEVICE_LOST);
        let again = b.ze.zeCommandListAppendBarrier(list, NULL, 0, std::ptr::null_mut());
        assert_eq!(code(again), ZE_RESULT_ERROR_DEVICE_LOST);
        assert_eq!(code(b.ze.zeDeviceGetStatus(b.device)), ZE_RESULT_ERROR_DEVICE_LOST);
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeEventDestroy(done).unwrap();
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
    b.fault("");
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
fn what_is_left_is_in_the_report() {
    let b = bench();
    let memory = b.alloc(100);
    assert!(b.report().contains("leaked 1 bytes 100"), "{}", b.report());
    b.free(memory);
}

/// Returns the resident memory in KiB.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 4
}

#[test]
fn a_steady_state_takes_no_memory() {
    let b = bench();
    let list = b.immediate();
    let pool = b.pool(64);
    let events: Vec<_> = (0..64).map(|index| b.event(pool, index)).collect();
    let mut before = 0;
    for round in 0..400_usize {
        if round == 100 {
            before = resident();
        }
        // SAFETY: live handles.
        unsafe {
            for event in &events {
                b.ze.zeCommandListAppendBarrier(list, *event, 0, std::ptr::null_mut()).unwrap();
            }
            for index in 0..events.len() {
                let event = events[(index * 37 + round) % events.len()];
                b.ze.zeEventHostSynchronize(event, FOREVER).unwrap();
                b.ze.zeEventHostReset(event).unwrap();
            }
        }
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 1024, "{grown} KiB more");
    // SAFETY: live handles.
    unsafe {
        b.ze.zeCommandListDestroy(list).unwrap();
        events.into_iter().for_each(|event| b.ze.zeEventDestroy(event).unwrap());
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
    assert_eq!(b.complaints(), 0, "{}", b.report());
}

#[test]
fn a_programs_memory_can_be_imported() {
    let b = bench();
    let mut memory = vec![0_u8; 64];
    let at = memory.as_mut_ptr().cast::<std::ffi::c_void>();
    let find = |name: &std::ffi::CStr| {
        let mut address = std::ptr::null_mut();
        // SAFETY: a live driver, room for the answer.
        unsafe { b.ze.zeDriverGetExtensionFunctionAddress(b.driver, name.as_ptr(), &mut address) }.unwrap();
        address
    };
    let kind = || {
        let mut properties = ze_memory_allocation_properties_t::default();
        // SAFETY: live handles, room for the answer.
        unsafe { b.ze.zeMemGetAllocProperties(b.context, at, &mut properties, std::ptr::null_mut()) }
            .unwrap();
        properties.r#type
    };
    // SAFETY: functions of these types.
    unsafe {
        let import: zexDriverImportExternalPointer_t =
            std::mem::transmute(find(ZEX_DRIVER_IMPORT_EXTERNAL_POINTER));
        let release: zexDriverReleaseImportedPointer_t =
            std::mem::transmute(find(ZEX_DRIVER_RELEASE_IMPORTED_POINTER));
        assert_eq!(kind(), ZE_MEMORY_TYPE_UNKNOWN);
        assert_eq!(import(b.driver, at, 64), ZE_RESULT_SUCCESS);
        assert_eq!(kind(), ZE_MEMORY_TYPE_HOST);
        assert_eq!(release(b.driver, at), ZE_RESULT_SUCCESS);
        assert_eq!(release(b.driver, at), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    assert_eq!((kind(), b.complaints()), (ZE_MEMORY_TYPE_UNKNOWN, 1));
}
