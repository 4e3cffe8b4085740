//! Contexts.

use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "context",
        [
            tells_its_platform,
            takes_a_list_that_names_a_device_twice,
            tells_what_2d_commands_are_native,
            atomic_capabilities_are_bit_fields,
        ]
    );
}

fn tells_its_platform() {
    let f = Fixture::new();
    assert_eq!(get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_PLATFORM) as pi_platform), f.platform);
}

/// OpenCL ignores repetitions. Intel's CPU runtimes end the process if a list names one device twice before another
/// one.
fn takes_a_list_that_names_a_device_twice() {
    let f = Fixture::new();
    let properties = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let mut parts: [pi_device; 1] = [null_mut()];
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), 1, parts.as_mut_ptr(), null_mut()));
    for list in [[f.device, f.device, parts[0]], [parts[0], parts[0], f.device], [f.device; 3]] {
        let context: pi_context =
            made!(f.pi, |out| piContextCreate(null(), 3, list.as_ptr(), None, null_mut(), out));
        assert!(get!(f.pi, piContextGetInfo(context, PI_CONTEXT_INFO_NUM_DEVICES) as u32) <= 2);
        ok!(f.pi, piContextRelease(context));
    }
    ok!(f.pi, piDeviceRelease(parts[0]));
}

fn tells_what_2d_commands_are_native() {
    let f = Fixture::new();
    for (name, expected) in [
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT, 0),
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT, 0),
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, 1),
    ] {
        assert_eq!(get!(f.pi, piContextGetInfo(f.context, name) as pi_bool), expected, "{name:#x}");
    }
}

fn atomic_capabilities_are_bit_fields() {
    let f = Fixture::new();
    for (of_context, of_device, least) in [
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
            PI_MEMORY_ORDER_RELAXED,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,
            PI_MEMORY_SCOPE_WORK_GROUP,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,
            PI_MEMORY_ORDER_ACQ_REL,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
            PI_MEMORY_SCOPE_WORK_GROUP,
        ),
    ] {
        let context = get!(f.pi, piContextGetInfo(f.context, of_context) as pi_bitfield);
        let device = get!(f.pi, piDeviceGetInfo(f.device, of_device) as pi_bitfield);
        assert_eq!(context, device, "one device: the same; {of_context:#x}");
        assert_eq!(context & least, least, "{of_context:#x}");
    }
}
