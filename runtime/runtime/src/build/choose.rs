//! The choice of a kernel's image for a device.
//!
//! 1. Images whose format or target does not fit the device are dropped.
//! 2. Native code is preferred to SPIR-V, and SPIR-V to bitcode.
//! 3. Of images with specialization constants, one whose constants are replaced by their defaults is taken if no constant is
//!    set, and only then.
//! 4. The plugin chooses among the rest (piextDeviceSelectBinary); images that it refuses are dropped.

use std::sync::Arc;

use sycl_pi_loader::DeviceType;

use crate::call::{Device, select_binary};
use crate::error::Result;
use crate::registry::{Format, Image};

/// Whether an image's format and target can be the device's.
pub(crate) fn may_run(image: &Image, device: &Device) -> bool {
    let kind = device.info().kind;
    match image.parts().target.as_ref() {
        "spir64_x86_64" => kind == DeviceType::Cpu,
        "spir64_gen" => kind == DeviceType::Gpu,
        target if target.starts_with("intel_gpu_") => kind == DeviceType::Gpu,
        "spir64_fpga" => kind == DeviceType::Accelerator,
        "spir64" | "spirv64" | "spir" | "spirv32" => image.format() != Format::Spirv || takes_spirv(device),
        _ => true,
    }
}

/// SPIR-V needs a driver that takes an intermediate language. Level Zero's plugins do not say so, and all take it.
fn takes_spirv(device: &Device) -> bool {
    let facts = device.info();
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

/// The image for a device among those that have a kernel.
pub(crate) fn choose(
    images: &[Arc<Image>],
    device: &Device,
    any_constant: bool,
) -> Result<Option<Arc<Image>>> {
    let mut left: Vec<&Arc<Image>> = images.iter().filter(|image| may_run(image, device)).collect();
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
