//! Tests of device and platform queries: their types and sizes, and a live comparison with the vendor's plugin.

mod compare;
mod differences;
mod driver;
mod report;
mod told;

use std::ptr::null_mut;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "device_info",
        [usm_is_there, maximum_work_groups, bad_questions_are_refused,],
        isolated[every_number_is_answered_or_refused]
    );
    compare::register(registry);
    driver::register(registry);
    told::register(registry);
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

/// Queries every number of every version and the neighboring ones. Each is answered or refused, and twice the same way.
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
