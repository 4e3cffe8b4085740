//! Checks whether a device supports everything that an image needs ("Behavior for optional kernel features", Changes to
//! the DPC++ runtime).
//!
//! The checks read only property sets, never the image's bytes, and only those of the images that a kernel needs.

use sycl_pi_image::aspect;
use sycl_pi_image::property::{Requirements, WorkGroupSpelling};

use super::matrix::{self, Combination};
use crate::call::Device;
use crate::error::{Error, Result};
use crate::registry::Image;

/// The properties of a device that the checks need.
pub(crate) trait Abilities {
    fn has(&self, aspect: u32) -> bool;
    fn sub_group_sizes(&self) -> &[u64];
    fn max_work_group_size(&self) -> Option<u64>;
    /// Returns the largest sizes, fastest dimension first.
    fn max_work_item_sizes(&self) -> &[usize];
    fn matrices(&self) -> &[Combination];
}

impl Abilities for Device {
    fn has(&self, aspect: u32) -> bool {
        Device::has(self, aspect)
    }

    fn sub_group_sizes(&self) -> &[u64] {
        &self.info().sub_group_sizes
    }

    fn max_work_group_size(&self) -> Option<u64> {
        self.info().max_work_group_size
    }

    fn max_work_item_sizes(&self) -> &[usize] {
        Device::max_work_item_sizes(self)
    }

    fn matrices(&self) -> &[Combination] {
        Device::matrices(self)
    }
}

/// Fails with errc::kernel_not_supported unless the device supports everything that the image needs.
pub(crate) fn check(image: &Image, device: &impl Abilities) -> Result<()> {
    check_requirements(&image.properties().requirements, image.properties().misc.is_esimd(), device)
        .map_err(|text| Error::KernelNotSupported(format!("{text} (image {})", image.name())))
}

fn check_requirements(
    needs: &Requirements,
    esimd: bool,
    device: &impl Abilities,
) -> std::result::Result<(), String> {
    if let Some(targets) = &needs.fixed_targets
        && !targets.iter().any(|&target| device.has(target))
    {
        let names: Vec<String> = targets.iter().map(|&target| aspect::describe(target)).collect();
        return Err(format!(
            "Kernel was compiled with '-fsycl-fixed-targets={}' but was submitted to a different device.",
            names.join(",")
        ));
    }
    // Explicit SIMD code may be marked as such without naming the aspect.
    let of_esimd = esimd.then_some(aspect::EXT_INTEL_ESIMD);
    for wanted in needs.aspects.iter().flatten().copied().chain(of_esimd) {
        if !device.has(wanted) {
            return Err(lacks_aspect(wanted));
        }
    }
    for &size in needs.sub_group_sizes.iter().flatten() {
        // Explicit SIMD images state 1, regardless of the device.
        if !esimd && !device.sub_group_sizes().contains(&size.into()) {
            return Err(format!(
                "Kernel has a required sub-group size of '{size}' but device does not support this sub-group size."
            ));
        }
    }
    matrix::check(needs, device.matrices())?;
    check_work_group(needs, device)
}

fn lacks_aspect(wanted: u32) -> String {
    let aspect = match aspect::name(wanted) {
        Some(name) => format!("'aspect::{name}'"),
        None => aspect::describe(wanted),
    };
    format!("Kernel uses optional feature corresponding to {aspect} but device does not support this aspect.")
}

fn check_work_group(needs: &Requirements, device: &impl Abilities) -> std::result::Result<(), String> {
    let in_order = needs.work_group_sizes_in_sycl_order();
    for (size, shown) in needs.work_group_sizes.iter().flatten().zip(in_order) {
        let shown: Vec<String> = shown.iter().map(u64::to_string).collect();
        let refuse = |why: &str| {
            Err(format!(
                "Kernel has a required work-group size of '{}' but device does not support this work-group \
                 size{why}.",
                shown.join(", ")
            ))
        };
        let Some(total) = size.work_items().filter(|&total| usize::try_from(total).is_ok()) else {
            return refuse(": the number of work-items does not fit size_t");
        };
        if let Some(most) = device.max_work_group_size().filter(|&most| total > most) {
            return refuse(&format!(": it has {total} work-items, the device takes {most}"));
        }
        // Compilers store the fastest dimension first, the same order as the drivers' limits; the design stores it
        // last.
        let mut dimensions = size.dimensions.clone();
        if needs.work_group_spelling == WorkGroupSpelling::Counted {
            dimensions.reverse();
        }
        for (wanted, most) in dimensions.iter().zip(device.max_work_item_sizes()) {
            if *wanted > *most as u64 {
                return refuse(&format!(": one dimension is {wanted}, where the device takes {most}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "require_tests.rs"]
mod tests;
