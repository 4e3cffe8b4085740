//! Devices, sub-devices, timers.

use std::ptr::null_mut;
use std::time::Duration;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "device",
        [
            count_then_list,
            fewer_than_there_are,
            a_type_without_devices_is_count_0,
            an_unknown_type_is_refused,
            bad_lists_are_refused,
            root_devices_are_not_counted,
            partition_equally,
            partition_by_counts_keeps_the_order,
            partition_fetches_fewer,
            sub_devices_know_their_parent_and_are_counted,
            sub_devices_tell_how_they_can_be_partitioned,
            an_unknown_partition_scheme_is_refused,
            clocks_advance_together,
            clocks_are_optional,
        ]
    );
}

const SCHEMES: [pi_device_partition_property; 3] =
    [PI_DEVICE_PARTITION_EQUALLY, PI_DEVICE_PARTITION_BY_COUNTS, PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN];

fn units(f: &Fixture, device: pi_device) -> u32 {
    get!(f.pi, piDeviceGetInfo(device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS) as u32)
}

/// All sub-devices of a partition; the caller releases them.
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

fn count_then_list() {
    let f = Fixture::new();
    let count: pi_uint32 =
        made!(f.pi, |out| piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, 0, null_mut(), out));
    let list = |f: &Fixture| {
        let mut list: Vec<pi_device> = vec![null_mut(); count as usize];
        ok!(f.pi, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, count, list.as_mut_ptr(), null_mut()));
        list
    };
    let first = list(&f);
    assert!(first.iter().all(|device| !device.is_null()));
    assert_eq!(first, list(&f), "the same handles every time");
}

fn fewer_than_there_are() {
    let f = Fixture::new();
    let mut room: [pi_device; 2] = [null_mut(); 2];
    let mut count = 0;
    ok!(f.pi, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, 1, room.as_mut_ptr(), &mut count));
    assert!(!room[0].is_null() && room[1].is_null() && count >= 1);
}

fn a_type_without_devices_is_count_0() {
    let f = Fixture::new();
    let absent = [PI_DEVICE_TYPE_GPU, PI_DEVICE_TYPE_ACC, PI_DEVICE_TYPE_CUSTOM];
    let mut seen = 0;
    for kind in absent {
        let mut count = 77;
        ok!(f.pi, piDevicesGet(f.platform, kind, 0, null_mut(), &mut count));
        seen += u32::from(count == 0);
        assert_ne!(count, 77, "the count is always written");
    }
    assert!(seen > 0, "no type is absent on this platform: the test shows nothing");
}

fn an_unknown_type_is_refused() {
    let f = Fixture::new();
    let mut count = 0;
    refused!(
        f.pi,
        piDevicesGet(f.platform, 1 << 40, 0, null_mut(), &mut count),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_DEVICE_TYPE
    );
    refused!(
        f.pi,
        piDevicesGet(f.platform, 0, 0, null_mut(), &mut count),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_DEVICE_TYPE
    );
}

fn bad_lists_are_refused() {
    let f = Fixture::new();
    let mut room: [pi_device; 1] = [null_mut()];
    let all = PI_DEVICE_TYPE_ALL;
    refused!(
        f.pi,
        piDevicesGet(f.platform, all, 0, room.as_mut_ptr(), null_mut()),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
    );
    refused!(f.pi, piDevicesGet(f.platform, all, 1, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
    refused!(f.pi, piDevicesGet(f.platform, all, 0, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
}

fn root_devices_are_not_counted() {
    let f = Fixture::new();
    let count = || get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_REFERENCE_COUNT) as u32);
    let before = count();
    ok!(f.pi, piDeviceRetain(f.device));
    assert_eq!(count(), before);
    ok!(f.pi, piDeviceRelease(f.device));
    assert_eq!(count(), before);
    let parent = get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_PARENT_DEVICE) as pi_device);
    assert!(parent.is_null());
}

fn partition_equally() {
    let f = Fixture::new();
    let devices = partition(&f, &[PI_DEVICE_PARTITION_EQUALLY, 1, 0]);
    assert_eq!(devices.len(), units(&f, f.device) as usize);
    assert!(devices.iter().all(|device| units(&f, *device) == 1));
    release(&f, &devices);
}

fn partition_by_counts_keeps_the_order() {
    let f = Fixture::new();
    let all = units(&f, f.device);
    assert!(all >= 2, "a device of one compute unit cannot be divided");
    let counts = if all >= 3 { vec![1, (all - 1) as isize] } else { vec![1, 1] };
    let mut properties = vec![PI_DEVICE_PARTITION_BY_COUNTS];
    properties.extend(&counts);
    properties.extend([PI_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0]);
    let devices = partition(&f, &properties);
    let got: Vec<isize> = devices.iter().map(|device| units(&f, *device) as isize).collect();
    release(&f, &devices);
    assert_eq!(got, counts);
}

fn partition_fetches_fewer() {
    let f = Fixture::new();
    let properties = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let count: pi_uint32 =
        made!(f.pi, |out| piDevicePartition(f.device, properties.as_ptr(), 0, null_mut(), out));
    for wanted in 0..=count {
        let mut room: Vec<pi_device> = vec![null_mut(); count as usize];
        ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), wanted, room.as_mut_ptr(), null_mut()));
        let got = room.iter().filter(|device| !device.is_null()).count();
        assert_eq!(got, wanted as usize);
        release(&f, &room[..got]);
    }
}

fn sub_devices_know_their_parent_and_are_counted() {
    let f = Fixture::new();
    let devices = partition(&f, &[PI_DEVICE_PARTITION_EQUALLY, 1, 0]);
    let device = devices[0];
    let count = || get!(f.pi, piDeviceGetInfo(device, PI_DEVICE_INFO_REFERENCE_COUNT) as u32);
    let parent = get!(f.pi, piDeviceGetInfo(device, PI_DEVICE_INFO_PARENT_DEVICE) as pi_device);
    assert_eq!(parent, f.device);
    assert_eq!(count(), 1);
    ok!(f.pi, piDeviceRetain(device));
    assert_eq!(count(), 2);
    ok!(f.pi, piDeviceRelease(device));
    assert_eq!(count(), 1);
    let scheme = bytes!(f.pi, piDeviceGetInfo(device, PI_DEVICE_INFO_PARTITION_TYPE));
    assert_eq!(scheme[..8], PI_DEVICE_PARTITION_EQUALLY.to_ne_bytes());
    release(&f, &devices);
}

/// Intel's CPU runtime of 2023 has half a word to say there.
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

fn an_unknown_partition_scheme_is_refused() {
    let f = Fixture::new();
    let mut count = 0;
    assert!(!SCHEMES.contains(&0x7777));
    refused!(
        f.pi,
        piDevicePartition(f.device, [0x7777, 1, 0].as_ptr(), 0, null_mut(), &mut count),
        PI_ERROR_INVALID_VALUE
    );
    refused!(
        f.pi,
        piDevicePartition(f.device, std::ptr::null(), 0, null_mut(), &mut count),
        PI_ERROR_INVALID_VALUE
    );
}

fn clocks_advance_together() {
    let f = Fixture::new();
    let read = || {
        let (mut device, mut host) = (0, 0);
        ok!(f.pi, piGetDeviceAndHostTimer(f.device, &mut device, &mut host));
        assert!(device > 0 && host > 0);
        (device, host)
    };
    // The machine may be busy between the two clocks of one reading: one quiet pair of readings is enough.
    let mut off = Vec::new();
    for _ in 0..20 {
        let (device, host) = read();
        std::thread::sleep(Duration::from_millis(16));
        let (later_device, later_host) = read();
        let (by_device, by_host) = (later_device - device, later_host - host);
        assert!(by_device >= 15_000_000 && by_host >= 15_000_000, "{by_device} {by_host} ns in 16 ms");
        if by_device.abs_diff(by_host) * 200 <= by_host {
            return;
        }
        off.push((by_device, by_host));
    }
    panic!("the clocks never agree within 0.5 %: {off:?}");
}

fn clocks_are_optional() {
    let f = Fixture::new();
    let (mut device, mut host) = (0, 0);
    ok!(f.pi, piGetDeviceAndHostTimer(f.device, &mut device, null_mut()));
    ok!(f.pi, piGetDeviceAndHostTimer(f.device, null_mut(), &mut host));
    ok!(f.pi, piGetDeviceAndHostTimer(f.device, null_mut(), null_mut()));
    assert!(device > 0 && host > 0);
}
