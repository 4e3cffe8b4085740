//! `piextDeviceSelectBinary`.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{DEVICE, SIZE, VALUE, Verdict, codes, same};

pub(super) const CASES: &[Case] = &[
    case("SEL-01", "piextDeviceSelectBinary", one_fits),
    case("SEL-02", "piextDeviceSelectBinary", none_fits),
    case("SEL-03", "piextDeviceSelectBinary", empty),
    case("SEL-04", "piextDeviceSelectBinary", nulls),
    case("SEL-05", "piextDeviceSelectBinary", of_opencl),
    case("SEL-06", "piextDeviceSelectBinary", of_level_zero),
    case("SEL-07", "piextDeviceSelectBinary", of_cuda),
    case("SEL-08", "piextDeviceSelectBinary", by_target_only),
    case("SEL-09", "piextDeviceSelectBinary", first_of_equals),
    case("SEL-10", "piextDeviceSelectBinary", yes_or_no),
];

const SPIRV: &CStr = __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64;
const CPU: &CStr = __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64;
const GPU: &CStr = __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_GEN;
const FPGA: &CStr = __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA;
const NVIDIA: &CStr = __SYCL_PI_DEVICE_BINARY_TARGET_NVPTX64;
const AMD: &CStr = __SYCL_PI_DEVICE_BINARY_TARGET_AMDGCN;

fn image(target: &CStr) -> pi_device_binary_struct {
    static BYTES: [u8; 8] = [3, 2, 35, 7, 0, 0, 1, 0];
    pi_device_binary_struct {
        Version: PI_DEVICE_BINARY_VERSION,
        Kind: PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
        Format: PI_DEVICE_BINARY_TYPE_NONE,
        DeviceTargetSpec: target.as_ptr(),
        CompileOptions: c"".as_ptr(),
        LinkOptions: c"".as_ptr(),
        ManifestStart: null(),
        ManifestEnd: null(),
        BinaryStart: BYTES.as_ptr(),
        BinaryEnd: BYTES.as_ptr_range().end,
        EntriesBegin: null_mut(),
        EntriesEnd: null_mut(),
        PropertySetsBegin: null_mut(),
        PropertySetsEnd: null_mut(),
    }
}

/// Returns the index of the image that is selected for these targets.
fn select(f: &Env, targets: &[&CStr]) -> Verdict<u32> {
    let mut images: Vec<_> = targets.iter().map(|target| image(target)).collect();
    let mut list: Vec<pi_device_binary> = images.iter_mut().map(std::ptr::from_mut).collect();
    let mut index = u32::MAX;
    ok!(f, piextDeviceSelectBinary(f.device, list.as_mut_ptr(), list.len() as u32, &mut index));
    Ok(index)
}

fn refused(f: &Env, targets: &[&CStr]) -> Verdict {
    let mut images: Vec<_> = targets.iter().map(|target| image(target)).collect();
    let mut list: Vec<pi_device_binary> = images.iter_mut().map(std::ptr::from_mut).collect();
    let mut index = u32::MAX;
    let codes = codes(&[PI_ERROR_INVALID_BINARY], &[]);
    refused!(f, piextDeviceSelectBinary(f.device, list.as_mut_ptr(), list.len() as u32, &mut index), codes);
    same("index after a refusal", u32::MAX, index)
}

/// Returns the target that every device accepts.
fn plain(f: &Env) -> &'static CStr {
    if f.backend == Backend::Cuda { NVIDIA } else { SPIRV }
}

/// Returns the target of images compiled ahead of time for the device, and two others.
fn native(f: &Env) -> Verdict<(&'static CStr, [&'static CStr; 2])> {
    let own = f.fact::<pi_device_type>(PI_DEVICE_INFO_TYPE)?;
    Ok(match own & (PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_GPU | PI_DEVICE_TYPE_ACC) {
        PI_DEVICE_TYPE_CPU => (CPU, [GPU, FPGA]),
        PI_DEVICE_TYPE_GPU => (GPU, [CPU, FPGA]),
        _ => (FPGA, [CPU, GPU]),
    })
}

fn one_fits(f: &Env) -> Verdict {
    same("index", 1, select(f, &[AMD, plain(f)])?)
}

fn none_fits(f: &Env) -> Verdict {
    refused(f, &[AMD, c"native_cpu"])?;
    refused(f, &[c"<unknown>"])
}

fn empty(f: &Env) -> Verdict {
    let mut list = [null_mut(); 1];
    let mut index = 0;
    refused!(f, piextDeviceSelectBinary(f.device, list.as_mut_ptr(), 0, &mut index), SIZE);
    Ok(())
}

fn nulls(f: &Env) -> Verdict {
    let mut image = image(plain(f));
    let mut list = [&raw mut image];
    let mut index = 0;
    refused!(f, piextDeviceSelectBinary(null_mut(), list.as_mut_ptr(), 1, &mut index), DEVICE);
    refused!(f, piextDeviceSelectBinary(f.device, null_mut(), 1, &mut index), VALUE);
    refused!(f, piextDeviceSelectBinary(f.device, list.as_mut_ptr(), 1, null_mut()), VALUE);
    if !f.strict {
        return Ok(());
    }
    let mut without_target = pi_device_binary_struct { DeviceTargetSpec: null(), ..image };
    for mut entry in [&raw mut without_target, null_mut()] {
        refused!(f, piextDeviceSelectBinary(f.device, &mut entry, 1, &mut index), VALUE);
    }
    Ok(())
}

fn of_opencl(f: &Env) -> Verdict {
    f.only(Backend::OpenCl)?;
    let (own, others) = native(f)?;
    same("first compiled for the device", 2, select(f, &[SPIRV, others[0], own, own, SPIRV])?)?;
    same("the only one", 0, select(f, &[own])?)?;
    same("last SPIR-V", 3, select(f, &[SPIRV, others[0], SPIRV, SPIRV, others[1]])?)?;
    refused(f, &others)
}

fn of_level_zero(f: &Env) -> Verdict {
    f.only(Backend::LevelZero)?;
    same("first compiled for GPUs", 2, select(f, &[SPIRV, CPU, GPU, GPU])?)?;
    same("first SPIR-V", 1, select(f, &[CPU, SPIRV, SPIRV])?)
}

fn of_cuda(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    same("first for NVIDIA", 1, select(f, &[SPIRV, NVIDIA, NVIDIA])?)?;
    if f.takes_spirv() {
        return same("SPIR-V for want of another", 1, select(f, &[AMD, SPIRV, GPU])?);
    }
    refused(f, &[SPIRV, GPU, AMD])
}

/// Properties, formats and the bytes do not matter.
fn by_target_only(f: &Env) -> Verdict {
    let mut odd = image(plain(f));
    odd.Format = PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE;
    odd.CompileOptions = c"-device sm_99".as_ptr();
    (odd.BinaryStart, odd.BinaryEnd) = (null(), null());
    let mut list = [&raw mut odd];
    let mut index = 9;
    ok!(f, piextDeviceSelectBinary(f.device, list.as_mut_ptr(), 1, &mut index));
    same("index", 0, index)
}

fn first_of_equals(f: &Env) -> Verdict {
    let own = if f.backend == Backend::OpenCl { native(f)?.0 } else { plain(f) };
    same("index", 1, select(f, &[AMD, own, own])?)
}

fn yes_or_no(f: &Env) -> Verdict {
    let before = f.fact::<u32>(PI_DEVICE_INFO_REFERENCE_COUNT)?;
    let start = std::time::Instant::now();
    for _ in 0..2000 {
        select(f, &[plain(f)])?;
    }
    let took = start.elapsed();
    crate::outcome::check("", took.as_millis() < 1000, "2000 answers within a second", format!("{took:?}"))?;
    same("reference count of the device", before, f.fact::<u32>(PI_DEVICE_INFO_REFERENCE_COUNT)?)
}
