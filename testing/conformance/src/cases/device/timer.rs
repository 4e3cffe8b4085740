//! `piGetDeviceAndHostTimer`.

use std::ptr::null_mut;
use std::time::Duration;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{DEVICE, Failure, Verdict, check};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("DEV-26", "piGetDeviceAndHostTimer", either_or_both),
    case("DEV-27", "piGetDeviceAndHostTimer", advances),
    case("DEV-28", "piGetDeviceAndHostTimer", no_device),
    case("DEV-29", "piGetDeviceAndHostTimer", without_one),
];

/// Returns both times. Skips the case if the driver has no timer.
fn read(f: &Env) -> Verdict<(u64, u64)> {
    let (mut device, mut host) = (0, 0);
    match call!(f, piGetDeviceAndHostTimer(f.device, &mut device, &mut host)) {
        Err(error)
            if [PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE]
                .map(Some)
                .contains(&error.code()) =>
        {
            Err(Failure::skip(skip::NO_TIMER))
        }
        result => Ok(result.map(|()| (device, host))?),
    }
}

fn either_or_both(f: &Env) -> Verdict {
    let (device, host) = read(f)?;
    check("both", device > 0 && host > 0, "two times", format!("{device}, {host}"))?;
    let (mut device, mut host) = (0, 0);
    ok!(f, piGetDeviceAndHostTimer(f.device, &mut device, null_mut()));
    check("device only", device > 0, "a time", device)?;
    ok!(f, piGetDeviceAndHostTimer(f.device, null_mut(), &mut host));
    check("host only", host > 0, "a time", host)?;
    ok!(f, piGetDeviceAndHostTimer(f.device, null_mut(), null_mut()));
    Ok(())
}

fn advances(f: &Env) -> Verdict {
    let (device, host) = read(f)?;
    std::thread::sleep(Duration::from_millis(16));
    let (later_device, later_host) = read(f)?;
    let (by_device, by_host) = (later_device.saturating_sub(device), later_host.saturating_sub(host));
    check("", by_device > 0 && by_host > 0, "both advance", format!("by {by_device} and {by_host}"))?;
    // Half a percent, and the time that a busy machine may spend between the two readings.
    let apart = by_device.abs_diff(by_host);
    check(
        "",
        apart <= by_host / 200 + 2_000_000,
        "the same difference on both",
        format!("{by_device} and {by_host}"),
    )
}

fn no_device(f: &Env) -> Verdict {
    let (mut device, mut host) = (0, 0);
    refused!(f, piGetDeviceAndHostTimer(null_mut(), &mut device, &mut host), DEVICE);
    Ok(())
}

fn without_one(f: &Env) -> Verdict {
    match read(f) {
        Err(Failure::Skip(reason)) if reason == skip::NO_TIMER => Ok(()),
        Err(wrong) => Err(wrong),
        Ok(_) => Err(Failure::skip(skip::ALL_SUPPORTED)),
    }
}
