//! Platform, devices, contexts, queues.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{devices, platform};
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("platform_tells_its_name_and_backend", platform_info),
    ("every_device_query_answers_its_size", device_queries),
    ("device_has_uuid_pci_address_and_version", device_identity),
    ("native_device_comes_back", native_device),
    ("timers_advance_together", timers),
    ("context_counts_and_lists", context),
    ("context_deleter_runs_once", deleter),
    ("queue_flags_and_counts", queue),
];

fn platform_info() {
    let mut backend: pi_platform_backend = 0;
    ok!(piPlatformGetInfo(
        platform(),
        PI_EXT_PLATFORM_INFO_BACKEND,
        4,
        (&raw mut backend).cast(),
        null_mut()
    ));
    assert_eq!(backend, PI_EXT_PLATFORM_BACKEND_CUDA);
    for (name, expected) in [
        (PI_PLATFORM_INFO_NAME, "NVIDIA CUDA BACKEND"),
        (PI_PLATFORM_INFO_VENDOR, "NVIDIA Corporation"),
        (PI_PLATFORM_INFO_PROFILE, "FULL PROFILE"),
        (PI_PLATFORM_INFO_EXTENSIONS, ""),
    ] {
        assert_eq!(platform_text(name), expected);
    }
    let version = platform_text(PI_PLATFORM_INFO_VERSION);
    assert_eq!(version, device_text(devices()[0], PI_DEVICE_INFO_DRIVER_VERSION));
}

pub(super) fn platform_text(name: pi_platform_info) -> String {
    let mut size = 0;
    ok!(piPlatformGetInfo(platform(), name, 0, null_mut(), &mut size));
    let mut text = vec![0_u8; size];
    ok!(piPlatformGetInfo(platform(), name, size, text.as_mut_ptr().cast(), null_mut()));
    String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()
}

pub(crate) fn device_text(device: pi_device, name: pi_device_info) -> String {
    let mut size = 0;
    ok!(piDeviceGetInfo(device, name, 0, null_mut(), &mut size));
    let mut text = vec![0_u8; size];
    ok!(piDeviceGetInfo(device, name, size, text.as_mut_ptr().cast(), null_mut()));
    String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()
}

fn device_queries() {
    for device in devices() {
        let mut answered = 0;
        let numbers = (0x1000..0x1070).chain(0x4100..0x4260).chain(0x10020..0x10120).chain(0x11000..0x11002);
        for name in numbers.chain(0x1ffff..0x20120) {
            let mut size = usize::MAX;
            if crate::code!(piDeviceGetInfo(device, name, 0, null_mut(), &mut size)) != 0 {
                continue;
            }
            let mut room = vec![0xaa_u8; size + 8];
            if size > 0 {
                ok!(piDeviceGetInfo(device, name, size, room.as_mut_ptr().cast(), null_mut()));
            }
            assert!(room[size..].iter().all(|byte| *byte == 0xaa), "query {name:#x} wrote past its answer");
            answered += 1;
        }
        assert!(answered > 110, "{answered} queries answered");
    }
}

fn device_identity() {
    for device in devices() {
        let mut uuid = [0_u8; 16];
        ok!(piDeviceGetInfo(device, PI_DEVICE_INFO_UUID, 16, uuid.as_mut_ptr().cast(), null_mut()));
        assert_ne!(uuid, [0; 16]);
        let address = device_text(device, PI_DEVICE_INFO_PCI_ADDRESS);
        assert!(address.contains(':') && address.contains('.'), "{address}");
        let version = device_text(device, PI_DEVICE_INFO_VERSION);
        assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{version}");
        println!("{} {version} at {address}", device_text(device, PI_DEVICE_INFO_NAME));
        assert!(device_text(device, PI_DEVICE_INFO_EXTENSIONS).contains("cl_khr_fp64"));
    }
}

fn native_device() {
    let device = devices()[0];
    let (mut native, mut back) = (0, null_mut());
    ok!(piextDeviceGetNativeHandle(device, &mut native));
    ok!(piextDeviceCreateWithNativeHandle(native, platform(), &mut back));
    assert_eq!(back, device);
    fails!(piextDeviceCreateWithNativeHandle(9999, platform(), &mut back), PI_ERROR_INVALID_DEVICE);
}

fn timers() {
    let device = devices()[0];
    let read = || {
        let (mut on_device, mut on_host) = (0, 0);
        ok!(piGetDeviceAndHostTimer(device, &mut on_device, &mut on_host));
        (on_device, on_host)
    };
    let before = read();
    std::thread::sleep(std::time::Duration::from_millis(16));
    let after = read();
    let (on_device, on_host) = ((after.0 - before.0) as f64, (after.1 - before.1) as f64);
    assert!((on_device / on_host - 1.0).abs() < 0.005 && on_host > 15e6);
}

fn context() {
    let fixture = Fixture::new();
    let mut count = 0_u32;
    ok!(piContextGetInfo(
        fixture.context,
        PI_CONTEXT_INFO_NUM_DEVICES,
        4,
        (&raw mut count).cast(),
        null_mut()
    ));
    assert_eq!(count, 1);
    let mut device: pi_device = null_mut();
    ok!(piContextGetInfo(fixture.context, PI_CONTEXT_INFO_DEVICES, 8, (&raw mut device).cast(), null_mut()));
    assert_eq!(device, fixture.device);
    ok!(piContextRetain(fixture.context));
    ok!(piContextRelease(fixture.context));
    fails!(piContextRelease(null_mut()), PI_ERROR_INVALID_CONTEXT);
    fails!(piContextRelease(fixture.queue.cast()), PI_ERROR_INVALID_CONTEXT);
}

fn deleter() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn count(_: *mut std::ffi::c_void) {
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    let fixture = Fixture::new();
    ok!(piextContextSetExtendedDeleter(fixture.context, Some(count), null_mut()));
    assert_eq!(CALLS.load(Ordering::Relaxed), 0);
    drop(fixture);
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
}

fn queue() {
    let flags = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE;
    let fixture = Fixture::with(flags);
    let mut got = 0_u64;
    ok!(piQueueGetInfo(fixture.queue, PI_QUEUE_INFO_PROPERTIES, 8, (&raw mut got).cast(), null_mut()));
    assert_eq!(got, flags);
    let mut empty = 0_u32;
    ok!(piQueueGetInfo(
        fixture.queue,
        PI_EXT_ONEAPI_QUEUE_INFO_EMPTY,
        4,
        (&raw mut empty).cast(),
        null_mut()
    ));
    assert_eq!(empty, 1);
    let mut other = null_mut();
    let both = PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH;
    let mut list = [PI_QUEUE_FLAGS, both, 0];
    fails!(
        piextQueueCreate(fixture.context, fixture.device, list.as_mut_ptr(), &mut other),
        PI_ERROR_INVALID_QUEUE_PROPERTIES
    );
    fails!(
        piextUSMEnqueueMemcpy(fixture.queue, 0, null_mut(), null(), 1, 0, null(), null_mut()),
        PI_ERROR_INVALID_VALUE
    );
    for _ in 0..50 {
        ok!(piQueueRelease(fixture.queue(PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH)));
    }
}
