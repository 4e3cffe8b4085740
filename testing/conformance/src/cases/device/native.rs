//! Native handles of platforms and devices.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{DEVICE, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("DEV-30", "piextDeviceCreateWithNativeHandle", device_round_trip),
    case("NAT-02", "piextDeviceGetNativeHandle", nulls),
    case("NAT-03", "piextPlatformCreateWithNativeHandle", platform_round_trip),
];

fn device_round_trip(f: &Env) -> Verdict {
    let native: pi_native_handle = made!(f, |out| piextDeviceGetNativeHandle(f.device, out));
    let device: pi_device = made!(f, |out| piextDeviceCreateWithNativeHandle(native, f.platform, out));
    same("the device", f.device, device)
}

fn nulls(f: &Env) -> Verdict {
    use crate::outcome::{CONTEXT, EVENT, KERNEL, MEM, PLATFORM, PROGRAM, QUEUE};
    let mut native = 0;
    refused!(f, piextPlatformGetNativeHandle(null_mut(), &mut native), PLATFORM);
    refused!(f, piextDeviceGetNativeHandle(null_mut(), &mut native), DEVICE);
    refused!(f, piextDeviceGetNativeHandle(f.device, null_mut()), VALUE);
    refused!(f, piextContextGetNativeHandle(null_mut(), &mut native), CONTEXT);
    refused!(f, piextContextGetNativeHandle(f.context()?, null_mut()), VALUE);
    if f.pi.piextQueueGetNativeHandle_until_12_27.is_some() {
        refused!(f, piextQueueGetNativeHandle_until_12_27(null_mut(), &mut native), QUEUE);
        refused!(f, piextQueueGetNativeHandle_until_12_27(f.queue()?, null_mut()), VALUE);
    } else {
        let mut desc = 0;
        refused!(f, piextQueueGetNativeHandle(null_mut(), &mut native, &mut desc), QUEUE);
        refused!(f, piextQueueGetNativeHandle(f.queue()?, null_mut(), &mut desc), VALUE);
    }
    if f.pi.piextMemGetNativeHandle_until_14_39.is_some() {
        refused!(f, piextMemGetNativeHandle_until_14_39(null_mut(), &mut native), MEM);
    } else {
        refused!(f, piextMemGetNativeHandle(null_mut(), f.device, &mut native), MEM);
    }
    refused!(f, piextProgramGetNativeHandle(null_mut(), &mut native), PROGRAM);
    refused!(f, piextKernelGetNativeHandle(null_mut(), &mut native), KERNEL);
    refused!(f, piextEventGetNativeHandle(null_mut(), &mut native), EVENT);
    Ok(())
}

fn platform_round_trip(f: &Env) -> Verdict {
    let native: pi_native_handle = made!(f, |out| piextPlatformGetNativeHandle(f.platform, out));
    let platform: pi_platform = made!(f, |out| piextPlatformCreateWithNativeHandle(native, out));
    let name = text!(f, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME));
    same("the platform's name", name, text!(f, piPlatformGetInfo(platform, PI_PLATFORM_INFO_NAME)))
}
