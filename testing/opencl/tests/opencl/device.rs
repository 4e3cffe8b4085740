//! Sub-devices.

use std::ptr::null_mut;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(registry, "device", [sub_devices_tell_how_they_can_be_partitioned]);
}

const SCHEMES: [pi_device_partition_property; 3] =
    [PI_DEVICE_PARTITION_EQUALLY, PI_DEVICE_PARTITION_BY_COUNTS, PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN];

/// Creates all sub-devices of a partition, which the caller must release.
fn partition(f: &Fixture, properties: &[pi_device_partition_property]) -> Vec<pi_device> {
    let count: pi_uint32 =
        made!(f.pi, |out| piDevicePartition(f.device, properties.as_ptr(), 0, null_mut(), out));
    let mut devices = vec![null_mut(); count as usize];
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), count, devices.as_mut_ptr(), null_mut()));
    assert!(devices.iter().all(|device: &pi_device| !device.is_null()));
    devices
}

fn release(f: &Fixture, devices: &[pi_device]) {
    for device in devices {
        ok!(f.pi, piDeviceRelease(*device));
    }
}

/// Intel's CPU runtime of 2023 returns half a word for this query.
fn sub_devices_tell_how_they_can_be_partitioned() {
    let f = Fixture::new();
    let parts = partition(&f, &[PI_DEVICE_PARTITION_EQUALLY, 1, 0]);
    let mut size = 0_usize;
    let (name, word) = (PI_DEVICE_INFO_PARTITION_PROPERTIES, size_of::<pi_device_partition_property>());
    ok!(f.pi, piDeviceGetInfo(parts[0], name, 0, null_mut(), &mut size));
    assert_eq!(size % word, 0);
    let mut schemes: Vec<pi_device_partition_property> = vec![-1; size / word];
    ok!(f.pi, piDeviceGetInfo(parts[0], name, size, schemes.as_mut_ptr().cast(), null_mut()));
    assert!(schemes.iter().all(|scheme| *scheme == 0 || SCHEMES.contains(scheme)), "{schemes:?}");
    release(&f, &parts);
}
