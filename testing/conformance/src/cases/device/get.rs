//! `piDevicesGet`, `piDeviceRetain`, `piDeviceRelease`.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, alone, case};
use crate::env::Env;
use crate::outcome::{PLATFORM, SIZE, VALUE, Verdict, check, codes, same};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("DEV-01", "piDevicesGet", all_of_them),
    case("DEV-02", "piDevicesGet", one_less),
    case("DEV-03", "piDevicesGet", types),
    case("DEV-04", "piDevicesGet", unknown_type),
    case("DEV-05", "piDevicesGet", no_entries),
    case("DEV-06", "piDevicesGet", no_room),
    case("DEV-07", "piDevicesGet", no_platform),
    case("DEV-08", "piDeviceRetain", root_is_not_counted),
    alone("DEV-31", "piDeviceGetInfo", junk),
];

fn all(f: &Env) -> Verdict<Vec<pi_device>> {
    let count: u32 = made!(f, |out| piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, 0, null_mut(), out));
    let mut devices = vec![null_mut(); count as usize];
    ok!(f, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, count, devices.as_mut_ptr(), null_mut()));
    Ok(devices)
}

fn all_of_them(f: &Env) -> Verdict {
    let devices = all(f)?;
    check("", devices.iter().all(|device| !device.is_null()), "no null handle", devices.in_words())?;
    check("", devices.contains(&f.device), "the device of the run among them", devices.in_words())?;
    same("devices asked for again", devices, all(f)?)
}

fn one_less(f: &Env) -> Verdict {
    let devices = all(f)?;
    let less = devices.len() - 1;
    if less == 0 {
        // Only the count can be queried.
        let count: u32 = made!(f, |out| piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, 0, null_mut(), out));
        return same("number of devices", 1, count);
    }
    let mut room = vec![null_mut(); devices.len()];
    ok!(f, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, less as u32, room.as_mut_ptr(), null_mut()));
    same("devices", devices.get(..less), room.get(..less))?;
    check(
        "",
        room.last().is_some_and(|last| last.is_null()),
        "no more than asked for",
        "one more was written",
    )
}

fn types(f: &Env) -> Verdict {
    let mut total = 0;
    for wanted in [PI_DEVICE_TYPE_CPU, PI_DEVICE_TYPE_GPU, PI_DEVICE_TYPE_ACC, PI_DEVICE_TYPE_CUSTOM] {
        // A count that is not written is larger than the number of devices.
        let mut count = 777;
        ok!(f, piDevicesGet(f.platform, wanted, 0, null_mut(), &mut count));
        total += count as usize;
        let mut devices = vec![null_mut(); count as usize];
        if count > 0 {
            ok!(f, piDevicesGet(f.platform, wanted, count, devices.as_mut_ptr(), null_mut()));
        }
        for device in devices {
            let own = get!(f, piDeviceGetInfo(device, PI_DEVICE_INFO_TYPE) as pi_device_type);
            check("type of a device found", own & wanted != 0, format!("{wanted:#x}"), format!("{own:#x}"))?;
        }
    }
    same("devices by type, added up", all(f)?.len(), total)?;
    let _: u32 = made!(f, |out| piDevicesGet(f.platform, PI_DEVICE_TYPE_DEFAULT, 0, null_mut(), out));
    Ok(())
}

fn unknown_type(f: &Env) -> Verdict {
    let mut count = 0;
    let codes = codes(&[PI_ERROR_INVALID_DEVICE_TYPE, PI_ERROR_INVALID_VALUE], &[]);
    refused!(f, piDevicesGet(f.platform, 1 << 40, 0, null_mut(), &mut count), codes);
    if f.backend == Backend::OpenCl {
        refused!(f, piDevicesGet(f.platform, 0, 0, null_mut(), &mut count), codes);
    }
    Ok(())
}

fn no_entries(f: &Env) -> Verdict {
    let mut room = [null_mut(); 8];
    refused!(f, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, 0, room.as_mut_ptr(), null_mut()), SIZE);
    check("", room.iter().all(|entry| entry.is_null()), "nothing written", room.in_words())
}

fn no_room(f: &Env) -> Verdict {
    for entries in [0, 1] {
        refused!(f, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, entries, null_mut(), null_mut()), VALUE);
    }
    Ok(())
}

fn no_platform(f: &Env) -> Verdict {
    let mut count = 0;
    refused!(f, piDevicesGet(null_mut(), PI_DEVICE_TYPE_ALL, 0, null_mut(), &mut count), PLATFORM);
    Ok(())
}

fn root_is_not_counted(f: &Env) -> Verdict {
    let count = || f.fact::<u32>(PI_DEVICE_INFO_REFERENCE_COUNT);
    let before = count()?;
    ok!(f, piDeviceRetain(f.device));
    same("reference count after retain", before, count()?)?;
    ok!(f, piDeviceRelease(f.device));
    same("reference count after release", before, count()?)
}

/// Invalid device handles. OpenCL's are the driver's own objects, which the plugin does not check.
fn junk(f: &Env) -> Verdict {
    if f.backend == Backend::OpenCl {
        return Err(crate::outcome::Failure::skip(crate::skip::OTHER_BACKEND));
    }
    let context: pi_device = f.context()?.cast();
    let mut here = [0_u64; 16];
    for handle in [context, here.as_mut_ptr().cast()] {
        let mut size = 0;
        refused!(
            f,
            piDeviceGetInfo(handle, PI_DEVICE_INFO_TYPE, 0, null_mut(), &mut size),
            crate::outcome::DEVICE
        );
    }
    Ok(())
}
