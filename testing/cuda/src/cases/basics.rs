//! Platform, devices, contexts, queues.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{devices, platform};
use crate::ok;
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("platform_tells_its_name_and_backend", platform_info),
    ("every_device_query_answers_its_size", device_queries),
    ("a_context_answers_for_its_platform_and_first_device", context_info),
    ("device_has_uuid_pci_address_and_version", device_identity),
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

fn context_info() {
    let (device, platform) = (devices()[0], platform());
    let (mut context, mut of): (_, pi_platform) = (null_mut(), null_mut());
    ok!(piContextCreate(null(), 1, &device, None, null_mut(), &mut context));
    let room = (&raw mut of).cast();
    ok!(piContextGetInfo(context, PI_CONTEXT_INFO_PLATFORM, 8, room, null_mut()));
    assert_eq!(of, platform);
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
        ok!(piContextGetInfo(context, name, 8, room, null_mut()));
        ok!(piDeviceGetInfo(device, of_device, 8, room_of_device, null_mut()));
        assert_eq!(answer, expected, "{name:#x}");
        assert_ne!(expected, 0, "{name:#x}");
    }
    ok!(piContextRelease(context));
}
