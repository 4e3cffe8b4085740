//! Device and platform queries: their types and sizes, and a live comparison with the vendor's plugin.

mod compare;
mod differences;
mod driver;
mod report;

use std::ptr::null_mut;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "device_info",
        [
            texts_end_with_one_nul,
            truth_values_have_4_bytes,
            numbers_have_their_types_sizes,
            usm_is_there,
            maximum_work_groups,
            a_device_without_a_parent_says_null,
            bad_questions_are_refused,
        ],
        isolated[every_number_is_answered_or_refused]
    );
    compare::register(registry);
    driver::register(registry);
}

fn texts_end_with_one_nul() {
    let f = Fixture::new();
    for name in [
        PI_DEVICE_INFO_NAME,
        PI_DEVICE_INFO_VENDOR,
        PI_DEVICE_INFO_DRIVER_VERSION,
        PI_DEVICE_INFO_PROFILE,
        PI_DEVICE_INFO_VERSION,
        PI_DEVICE_INFO_EXTENSIONS,
        PI_DEVICE_INFO_OPENCL_C_VERSION,
        PI_DEVICE_INFO_BACKEND_VERSION,
    ] {
        assert!(!text!(f.pi, piDeviceGetInfo(f.device, name)).is_empty(), "{name:#x}");
    }
    let extensions = text!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_EXTENSIONS));
    assert!(extensions.split(' ').any(|name| name == "cl_khr_fp64"), "{extensions}");
}

fn truth_values_have_4_bytes() {
    let f = Fixture::new();
    for name in [
        PI_DEVICE_INFO_IMAGE_SUPPORT,
        PI_DEVICE_INFO_AVAILABLE,
        PI_DEVICE_INFO_COMPILER_AVAILABLE,
        PI_DEVICE_INFO_LINKER_AVAILABLE,
        PI_DEVICE_INFO_ENDIAN_LITTLE,
        PI_DEVICE_INFO_HOST_UNIFIED_MEMORY,
        PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT,
        PI_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC,
        PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
        PI_DEVICE_INFO_BUILD_ON_SUBDEVICE,
        PI_DEVICE_INFO_ATOMIC_64,
        PI_DEVICE_INFO_IMAGE_SRGB,
        PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT,
        PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT,
        PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS,
        PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT,
        PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT,
        PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT,
    ] {
        let value = get!(f.pi, piDeviceGetInfo(f.device, name) as pi_bool);
        assert!(value <= 1, "{name:#x} is {value}");
    }
}

fn numbers_have_their_types_sizes() {
    let f = Fixture::new();
    let kind = get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_TYPE) as pi_device_type);
    assert_eq!((kind & PI_DEVICE_TYPE_ALL).count_ones(), 1 + u32::from(kind & PI_DEVICE_TYPE_DEFAULT != 0));
    assert!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS) as u32) > 0);
    assert!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE) as usize) > 0);
    let sizes = get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES) as [usize; 3]);
    assert!(sizes.iter().all(|size| *size > 0));
    assert!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_GLOBAL_MEM_SIZE) as u64) > 1 << 20);
    assert!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_LOCAL_MEM_SIZE) as u64) > 0);
    assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_ADDRESS_BITS) as u32), 64);
    assert!(
        get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_SINGLE_FP_CONFIG) as pi_device_fp_config) > 0
    );
    assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_PLATFORM) as pi_platform), f.platform);
    let queues = PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES;
    assert_eq!(get!(f.pi, piDeviceGetInfo(f.device, queues) as i32), 1);
}

fn usm_is_there() {
    let f = Fixture::new();
    for name in [
        PI_DEVICE_INFO_USM_HOST_SUPPORT,
        PI_DEVICE_INFO_USM_DEVICE_SUPPORT,
        PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT,
    ] {
        let access = get!(f.pi, piDeviceGetInfo(f.device, name) as pi_usm_capabilities);
        assert_eq!(access & PI_USM_ACCESS, PI_USM_ACCESS, "{name:#x}");
    }
}

fn maximum_work_groups() {
    let f = Fixture::new();
    let one = get!(f.pi, piDeviceGetInfo(f.device, PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D) as usize);
    let all =
        get!(f.pi, piDeviceGetInfo(f.device, PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS) as usize);
    let three =
        get!(f.pi, piDeviceGetInfo(f.device, PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D) as [usize; 3]);
    assert!(one <= all && three.iter().all(|most| *most >= 65535 && *most <= all));
}

fn a_device_without_a_parent_says_null() {
    let f = Fixture::new();
    assert!(get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_PARENT_DEVICE) as pi_device).is_null());
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    for name in [
        PI_DEVICE_INFO_NAME,
        PI_DEVICE_INFO_MAX_COMPUTE_UNITS,
        PI_DEVICE_INFO_ATOMIC_64,
        PI_DEVICE_INFO_BACKEND_VERSION,
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D,
        PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
    ] {
        bad_questions!(f.pi, piDeviceGetInfo(f.device), name);
    }
}

/// Every number of every version, and those around them: an answer or a refusal, the same way twice.
fn every_number_is_answered_or_refused() {
    let f = Fixture::new();
    let numbers = compare::numbers(compare::Kind::Device);
    assert!(numbers.len() > 140, "{} numbers only", numbers.len());
    for (_, number) in &numbers {
        for name in [*number, number + 1, number ^ 0x8000_0000] {
            let mut size = 0;
            let asked = call!(f.pi, piDeviceGetInfo(f.device, name, 0, null_mut(), &mut size));
            match asked {
                Ok(()) if size == 0 => {}
                Ok(()) => drop(bytes!(f.pi, piDeviceGetInfo(f.device, name))),
                Err(error) => {
                    let code = error.code().unwrap();
                    assert!(code != PI_ERROR_UNKNOWN && code != PI_SUCCESS, "{name:#x}: {error}");
                }
            }
        }
    }
}
