//! Tests of the codes and texts of a driver's failures.

use std::ptr::null_mut;

use super::Case;
use crate::fixture::newest;
use crate::{Fixture, Soft, code};
use sycl_pi_core::*;
use testing_support::last_error;

pub(crate) const CASES: &[Case] = &[
    ("each_failure_of_the_driver_has_its_code", codes),
    ("failures_that_a_user_can_mend_come_with_a_hint", hints),
];

/// Makes the driver refuse a sampler, and returns the plugin's code and text.
fn refusal(fixture: &Fixture, result: &str) -> (pi_result, String) {
    let (soft, mut sampler) = (Soft::find().unwrap(), null_mut());
    let properties: [pi_sampler_properties; 7] = [
        PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
        1,
        PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
        PI_SAMPLER_ADDRESSING_MODE_REPEAT.into(),
        PI_SAMPLER_PROPERTIES_FILTER_MODE,
        PI_SAMPLER_FILTER_MODE_NEAREST.into(),
        0,
    ];
    soft.fault(&format!("zeSamplerCreate:1=ZE_RESULT_{result}"));
    let code = code!(fixture.pi, piSamplerCreate(fixture.context, properties.as_ptr(), &mut sampler));
    let text = last_error(fixture.pi);
    soft.fault("");
    (code, text)
}

fn codes() {
    let fixture = Fixture::new(newest());
    for (result, expected) in [
        ("ERROR_DEVICE_LOST", PI_ERROR_DEVICE_NOT_AVAILABLE),
        ("ERROR_DEVICE_REQUIRES_RESET", PI_ERROR_DEVICE_NOT_AVAILABLE),
        ("ERROR_OUT_OF_HOST_MEMORY", PI_ERROR_OUT_OF_HOST_MEMORY),
        ("ERROR_OUT_OF_DEVICE_MEMORY", PI_ERROR_OUT_OF_RESOURCES),
        ("ERROR_MODULE_BUILD_FAILURE", PI_ERROR_BUILD_PROGRAM_FAILURE),
        ("ERROR_MODULE_LINK_FAILURE", PI_ERROR_LINK_PROGRAM_FAILURE),
        ("ERROR_UNINITIALIZED", PI_ERROR_UNINITIALIZED),
        // PI's plugins answer this code if a feature is missing.
        ("ERROR_UNSUPPORTED_VERSION", PI_ERROR_INVALID_OPERATION),
        ("ERROR_UNSUPPORTED_FEATURE", PI_ERROR_INVALID_OPERATION),
        ("ERROR_DEPENDENCY_UNAVAILABLE", PI_ERROR_INVALID_OPERATION),
        ("ERROR_INVALID_SIZE", PI_ERROR_INVALID_BUFFER_SIZE),
        ("ERROR_UNSUPPORTED_SIZE", PI_ERROR_INVALID_BUFFER_SIZE),
        ("ERROR_UNSUPPORTED_IMAGE_FORMAT", PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED),
        ("ERROR_INVALID_NATIVE_BINARY", PI_ERROR_INVALID_BINARY),
        ("ERROR_INVALID_KERNEL_NAME", PI_ERROR_INVALID_KERNEL_NAME),
        ("ERROR_INVALID_FUNCTION_NAME", PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE),
        ("ERROR_INVALID_GROUP_SIZE_DIMENSION", PI_ERROR_INVALID_WORK_GROUP_SIZE),
        ("ERROR_INVALID_GLOBAL_WIDTH_DIMENSION", PI_ERROR_INVALID_WORK_GROUP_SIZE),
        ("ERROR_INVALID_KERNEL_ARGUMENT_INDEX", PI_ERROR_INVALID_ARG_INDEX),
        ("ERROR_INVALID_KERNEL_ARGUMENT_SIZE", PI_ERROR_INVALID_ARG_SIZE),
        ("ERROR_INVALID_MODULE_UNLINKED", PI_ERROR_INVALID_PROGRAM_EXECUTABLE),
        ("ERROR_OVERLAPPING_REGIONS", PI_ERROR_MEM_COPY_OVERLAP),
        ("ERROR_INVALID_ARGUMENT", PI_ERROR_INVALID_VALUE),
        ("ERROR_INVALID_ENUMERATION", PI_ERROR_INVALID_VALUE),
        ("ERROR_UNKNOWN", PI_ERROR_UNKNOWN),
    ] {
        let (code, text) = refusal(&fixture, result);
        assert_eq!(code, expected, "{result}: {text}");
        assert!(text.contains(&format!("zeSamplerCreate answered ZE_RESULT_{result}")), "{text}");
    }
}

fn hints() {
    let fixture = Fixture::new(newest());
    for (result, hint) in [
        ("ERROR_DEVICE_LOST", "restart the process"),
        ("ERROR_OUT_OF_DEVICE_MEMORY", "fewer allocations may fit"),
        ("ERROR_UNSUPPORTED_SIZE", "more than the device can take at once"),
        ("ERROR_INVALID_NATIVE_BINARY", "for another device or driver"),
        ("ERROR_INVALID_KERNEL_NAME", "no kernel of that name"),
        ("ERROR_INVALID_GROUP_SIZE_DIMENSION", "larger than kernel or device allow"),
        ("ERROR_INVALID_MODULE_UNLINKED", "imports that are not linked yet"),
    ] {
        let (_, text) = refusal(&fixture, result);
        assert!(text.contains(hint), "{text}");
    }
}
