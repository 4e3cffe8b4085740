//! Chooses a kernel's image for a device.
//!
//! 1. Images that the device cannot run are dropped: their format or target does not match it, or it lacks something
//!    that they require.
//! 2. Native code is preferred to SPIR-V, and SPIR-V to bitcode.
//! 3. Of images with specialization constants, one whose constants are replaced by their defaults is used if and only
//!    if no constant is set.
//! 4. The plugin chooses among the rest (piextDeviceSelectBinary); images that it refuses are dropped.

use std::sync::Arc;

use sycl_pi_loader::{DeviceInfo, DeviceType};

use super::require::check;
use crate::call::{Device, select_binary};
use crate::error::Result;
use crate::registry::{Format, Image};

/// Returns whether an image's format and target can match the device.
pub(super) fn may_run(image: &Image, device: &Device) -> bool {
    fits(&image.parts().target, image.format(), device.info())
}

/// Returns the reason why a device cannot run an image, if there is one. Considers the image's format and target, and
/// the requirements in its property sets.
pub(super) fn refusal(image: &Image, device: &Device) -> Option<String> {
    if may_run(image, device) {
        return check(image, device).err().map(|error| error.to_string());
    }
    let target = &image.parts().target;
    let why = match image.format() {
        Format::Spirv if is_portable(target) => "Kernel is SPIR-V but device takes no SPIR-V.".to_owned(),
        _ => format!("Kernel was compiled for target '{target}' but was submitted to a different device."),
    };
    Some(format!("{why} (image {})", image.name()))
}

/// Returns whether a target is SPIR-V for any device that accepts it.
fn is_portable(target: &str) -> bool {
    matches!(target, "spir64" | "spirv64" | "spir" | "spirv32")
}

fn fits(target: &str, format: Format, facts: &DeviceInfo) -> bool {
    match target {
        "spir64_x86_64" => facts.kind == DeviceType::Cpu,
        "spir64_gen" => facts.kind == DeviceType::Gpu,
        target if target.starts_with("intel_gpu_") => facts.kind == DeviceType::Gpu,
        "spir64_fpga" => facts.kind == DeviceType::Accelerator,
        target if is_portable(target) => format != Format::Spirv || takes_spirv(facts),
        _ => true,
    }
}

/// Returns whether the driver accepts SPIR-V, which requires support for an intermediate language. Level Zero's plugins
/// do not report it, but all of them support it.
fn takes_spirv(facts: &DeviceInfo) -> bool {
    let opencl = facts.version.starts_with("OpenCL");
    !opencl
        || facts.il_version.contains("SPIR-V")
        || facts.extensions.iter().any(|name| name == "cl_khr_il_program")
}

fn rank(image: &Image) -> u8 {
    match image.format() {
        Format::Native => 0,
        Format::Spirv => 1,
        Format::Bitcode => 2,
    }
}

/// Chooses the image for a device among those that contain a kernel.
pub(crate) fn choose(
    images: &[Arc<Image>],
    device: &Device,
    any_constant: bool,
) -> Result<Option<Arc<Image>>> {
    let mut left: Vec<&Arc<Image>> = images.iter().filter(|image| refusal(image, device).is_none()).collect();
    let replaced = |image: &&&Arc<Image>| image.properties().misc.spec_constants_replaced();
    if left.iter().any(|image| replaced(&image)) && !left.iter().all(|image| replaced(&image)) {
        left.retain(|image| replaced(&image) != any_constant);
    }
    left.sort_by_key(|image| (rank(image), image.id()));
    while let Some(best) = left.first().map(|image| rank(image)) {
        let group = left.partition_point(|image| rank(image) == best);
        let asked: Vec<_> =
            left[..group].iter().map(|image| (image.parts(), image.format().number())).collect();
        if let Some(chosen) = select_binary(device, &asked)? {
            return Ok(left.get(chosen).map(|image| Arc::clone(image)));
        }
        left.drain(..group);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::made_up::silent;
    use super::*;

    fn device(kind: DeviceType, version: &str, il_version: &str, extension: &str) -> DeviceInfo {
        let (version, il_version) = (version.into(), il_version.into());
        DeviceInfo { version, il_version, extensions: vec![extension.into()], ..silent(kind) }
    }

    #[test]
    fn a_target_of_one_kind_of_device_runs_on_that_kind_only() {
        let kinds = [DeviceType::Cpu, DeviceType::Gpu, DeviceType::Accelerator, DeviceType::Custom];
        for (target, runs_on) in [
            ("spir64_x86_64", [true, false, false, false]),
            ("spir64_gen", [false, true, false, false]),
            ("intel_gpu_pvc", [false, true, false, false]),
            ("spir64_fpga", [false, false, true, false]),
            ("nvptx64", [true; 4]),
        ] {
            let found = kinds.map(|kind| fits(target, Format::Native, &device(kind, "OpenCL 3.0", "", "")));
            assert_eq!(found, runs_on, "{target}");
        }
    }

    #[test]
    fn spirv_needs_an_opencl_driver_that_says_so_in_one_of_two_ways() {
        let takes = |version, il, extension| {
            let device = device(DeviceType::Cpu, version, il, extension);
            ["spir64", "spirv64"].map(|target| fits(target, Format::Spirv, &device))
        };
        assert_eq!(takes("OpenCL 3.0", "SPIR-V_1.2", ""), [true; 2]);
        assert_eq!(takes("OpenCL 2.0", "", "cl_khr_il_program"), [true; 2]);
        assert_eq!(takes("OpenCL 3.0", "", "cl_khr_fp64"), [false; 2]);
        assert_eq!(takes("1.3", "", ""), [true; 2]);
        assert!(fits("spir64", Format::Native, &device(DeviceType::Cpu, "OpenCL 3.0", "", "")));
    }
}
