//! Platforms.

use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(registry, "platform", [objects_of_several_drivers_do_not_mix,]);
}

/// A call goes to the driver of its object, whichever driver the previous call went to.
fn objects_of_several_drivers_do_not_mix() {
    let pi = under_test(Version::NEWEST);
    let count: pi_uint32 = made!(pi, |out| piPlatformsGet(0, null_mut(), out));
    let mut platforms: Vec<pi_platform> = vec![null_mut(); count as usize];
    ok!(pi, piPlatformsGet(count, platforms.as_mut_ptr(), null_mut()));
    let mut contexts = Vec::new();
    for platform in platforms {
        let mut device: pi_device = null_mut();
        if call!(pi, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &mut device, null_mut())).is_ok() {
            let context: pi_context =
                made!(pi, |out| piContextCreate(null(), 1, &device, None, null_mut(), out));
            contexts.push(context);
        }
    }
    assert!(!contexts.is_empty());
    for _ in 0..3 {
        for context in &contexts {
            ok!(pi, piContextRetain(*context));
            ok!(pi, piContextRelease(*context));
        }
    }
    for context in contexts {
        ok!(pi, piContextRelease(context));
    }
}
