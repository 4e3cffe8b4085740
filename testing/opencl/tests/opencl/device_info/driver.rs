//! Compares device queries with the driver's own answers, which its `clGetDeviceInfo` returns without the plugin.

use std::ffi::c_void;
use std::ptr::null_mut;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "device_info",
        [
            queries_of_opencl_pass_through,
            without_usm_shared_virtual_memory_stands_in,
            atomics_follow_the_driver,
            other_queries_follow_from_what_the_driver_tells,
        ]
    );
}

type Query = unsafe extern "C" fn(*mut c_void, u32, usize, *mut c_void, *mut usize) -> i32;

const VERSION: u32 = 0x102f;
const EXTENSIONS: u32 = 0x1030;
const SVM_CAPABILITIES: u32 = 0x1053;
const ATOMIC_MEMORY_CAPABILITIES: u32 = 0x1063;
const ATOMIC_FENCE_CAPABILITIES: u32 = 0x1064;
const USM: std::ops::RangeInclusive<u32> = 0x4190..=0x4194;

/// Returns the driver's answer through the OpenCL library that the plugin has opened, or `None` if it refuses.
fn driver_answer(f: &Fixture, name: u32) -> Option<Vec<u8>> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let path = maps
        .lines()
        .filter_map(|line| line.split(' ').next_back())
        .find(|path| path.contains("/libOpenCL.so"));
    // SAFETY: it is already open.
    let library = unsafe { libloading::Library::new(path.expect("an OpenCL library is open")) }.unwrap();
    // SAFETY: the type that OpenCL declares.
    let ask = unsafe { library.get::<Query>(b"clGetDeviceInfo\0") }.unwrap();
    let mut size = 0;
    // SAFETY: PI's device is OpenCL's. Only the size is queried.
    let code = unsafe { ask(f.device.cast(), name, 0, null_mut(), &mut size) };
    let mut value = vec![0_u8; size];
    let asked =
        // SAFETY: PI's device is OpenCL's, and there is room for the value.
        code == 0 && unsafe { ask(f.device.cast(), name, size, value.as_mut_ptr().cast(), null_mut()) } == 0;
    asked.then_some(value)
}

fn driver_bits(f: &Fixture, name: u32) -> u64 {
    driver_answer(f, name).map_or(0, |value| u64::from_ne_bytes(value.try_into().expect("8 bytes")))
}

fn driver_text(f: &Fixture, name: u32) -> String {
    String::from_utf8(driver_answer(f, name).expect("a text")).unwrap().trim_end_matches('\0').to_owned()
}

fn has(f: &Fixture, extension: &str) -> bool {
    driver_text(f, EXTENSIONS).split(' ').any(|name| name == extension)
}

/// rusticl does not list the 64-bit atomics that llvmpipe has.
fn is_rusticl() -> bool {
    std::env::var("PI_TEST_DRIVER").is_ok_and(|driver| driver.starts_with("rusticl"))
}

fn queries_of_opencl_pass_through() {
    let f = Fixture::new();
    // Without the USM extension, the plugin answers these itself.
    let usm = has(&f, "cl_intel_unified_shared_memory").then_some(USM);
    let mut count = 0;
    for name in [VERSION, EXTENSIONS, 0x1000, 0x1001, 0x1002, 0x1004, 0x1005, 0x101f, 0x1023, 0x1031]
        .into_iter()
        .chain(usm.into_iter().flatten())
    {
        let Some(mut expected) = driver_answer(&f, name) else { continue };
        if name == EXTENSIONS && is_rusticl() {
            expected
                .splice(expected.len() - 1.., *b" cl_khr_int64_base_atomics cl_khr_int64_extended_atomics\0");
        }
        assert_eq!(bytes!(f.pi, piDeviceGetInfo(f.device, name)), expected, "{name:#x}");
        count += 1;
    }
    assert!(count >= 10, "{count} answers only");
}

fn without_usm_shared_virtual_memory_stands_in() {
    let f = Fixture::new();
    let svm = driver_bits(&f, SVM_CAPABILITIES);
    let (coarse, fine, system, atomics) = (svm & 1 != 0, svm & 2 != 0, svm & 4 != 0, svm & 8 != 0);
    let any = fine || coarse;
    // Host and shared memory is mapped for the host where no buffer is fine-grained, so both never use it at once.
    let at_once = [fine, true, fine, true, true];
    for ((name, usable), at_once) in USM.zip([any, any, any, fine, system]).zip(at_once) {
        let expected = match (usable, atomics && at_once) {
            (false, _) => 0,
            (true, false) => PI_USM_ACCESS,
            (true, true) => {
                PI_USM_ACCESS
                    | PI_USM_ATOMIC_ACCESS
                    | PI_USM_CONCURRENT_ACCESS
                    | PI_USM_CONCURRENT_ATOMIC_ACCESS
            }
        };
        let answer = get!(f.pi, piDeviceGetInfo(f.device, name) as pi_usm_capabilities);
        assert_eq!(answer, expected, "{name:#x}, shared virtual memory {svm:#x}");
    }
}

/// OpenCL's bits: orders relaxed, acquire-release, sequential (1, 2, 4); scopes item, group, device, all (8, 16, 32,
/// 64).
fn atomics_follow_the_driver() {
    let f = Fixture::new();
    let is_new = driver_text(&f, VERSION).starts_with("OpenCL 3.");
    let of = |name| if is_new { driver_bits(&f, name) } else { u64::MAX };
    let (memory, fence) = (of(ATOMIC_MEMORY_CAPABILITIES), of(ATOMIC_FENCE_CAPABILITIES));
    let bit = |known: u64, bit: u64, value: u64| if known & bit != 0 { value } else { 0 };
    // PI's bits: orders relaxed, acquire, release, both, sequential; scopes item, sub-group, group, device, system.
    let scopes = |known| 7 | bit(known, 32, 8) | bit(known, 64, 16);
    let sequential = |known| bit(known, 4, 16);
    for (name, expected) in [
        (PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, 1 | bit(memory, 2, 14) | sequential(memory)),
        (PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, scopes(memory)),
        (PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, 15 | sequential(fence)),
        (PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, scopes(fence)),
    ] {
        assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, name) as u64), expected, "{name:#x}");
    }
}

/// The drivers in tests are for CPUs.
fn other_queries_follow_from_what_the_driver_tells() {
    let f = Fixture::new();
    let listed = has(&f, "cl_khr_int64_base_atomics") && has(&f, "cl_khr_int64_extended_atomics");
    let int64 = listed || is_rusticl();
    for (name, expected) in [
        (PI_DEVICE_INFO_ATOMIC_64, int64),
        (PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, has(&f, "cl_intel_bfloat16_conversions")),
        (PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, has(&f, "cl_intel_mem_channel_property")),
        (PI_DEVICE_INFO_IMAGE_SRGB, true),
        (PI_DEVICE_INFO_BUILD_ON_SUBDEVICE, false),
        (PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, false),
    ] {
        let answer = get!(f.pi, piDeviceGetInfo(f.device, name) as pi_bool);
        assert_eq!(answer, pi_bool::from(expected), "{name:#x}");
    }
    let version = text!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_BACKEND_VERSION));
    let whole = driver_text(&f, VERSION);
    assert_eq!(whole.split(' ').nth(1), Some(version.as_str()), "{whole}");
    let all = PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS;
    assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, all) as usize), usize::MAX);
    let one = PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D;
    assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, one) as usize), usize::MAX);
    let two = PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D;
    assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, two) as [usize; 2]), [usize::MAX; 2]);
    for name in [PI_DEVICE_INFO_GPU_EU_COUNT, PI_DEVICE_INFO_GPU_SLICES] {
        let mut size = 0;
        refused!(f.pi, piDeviceGetInfo(f.device, name, 0, null_mut(), &mut size), PI_ERROR_INVALID_VALUE);
    }
}
