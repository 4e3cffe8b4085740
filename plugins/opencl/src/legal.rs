//! A driver's requirements on SPIR-V, and modules that are rewritten to meet them.

use std::ptr::null_mut;

use sycl_pi_backend::types::{DeviceInfo, ErrorCode};
use sycl_pi_backend::{Error, Result};
use sycl_pi_image::spirv::{DriverFacts, Legalized, Needs, SubGroups, legalize};

use crate::required_sizes::{self, RequiredSize};
use crate::sys::{self, Context, Device, Driver, HasPlatform, Platform, Queried, cl};

/// Returns the module as the driver takes it for the context's devices. That is the same module for most drivers.
pub(crate) fn program<'m>(context: &Context, il: &'m [u8]) -> Result<Legalized<'m>> {
    let needs = context_needs(context)?;
    let made = legalize(il, &needs).map_err(|error| {
        let code = if error.is_out_of_memory {
            ErrorCode::OUT_OF_HOST_MEMORY
        } else {
            ErrorCode::BUILD_PROGRAM_FAILURE
        };
        let platform = context.platform().and_then(Platform::name).unwrap_or_default();
        Error::new(code, format!("the program cannot be rewritten for this driver, {platform}: {error}"))
    })?;
    for refusal in &made.refused {
        log::warn!("the program is built for this driver without it: {refusal}");
    }
    Ok(made)
}

/// Returns the sub-group sizes that the kernels of a module require, if the driver does not report them.
pub(crate) fn required_sizes(context: &Context, il: &[u8]) -> Result<Vec<RequiredSize>> {
    let sub_groups = driver_needs(context.driver()?, || context.platform())?.sub_groups;
    Ok(if sub_groups == SubGroups::OneUnlessRequired { required_sizes::of_module(il) } else { Vec::new() })
}

/// Returns in which programs of this device each work-item is a sub-group of its own.
pub(crate) fn sub_groups(device: &Device) -> Result<SubGroups> {
    Ok(driver_needs(device.driver()?, || device.platform())?.sub_groups)
}

/// Returns whether programs for this device compute functions of half-precision numbers in single precision, so that it
/// has half precision although its driver says otherwise.
pub(crate) fn has_halves_as_floats(device: &Device) -> Result<bool> {
    Ok(device.is_cpu()? && driver_needs(device.driver()?, || device.platform())?.halves_as_floats)
}

/// Returns what programs for all devices of a context need.
fn context_needs(context: &Context) -> Result<Needs> {
    let of_driver = driver_needs(context.driver()?, || context.platform())?;
    if of_driver.is_none() {
        return Ok(of_driver);
    }
    // A device says how large its sub-groups are before there is a context, so they are the same in all.
    let of_devices = needs(context.platform()?, &context.devices()?)?;
    Ok(Needs { sub_groups: of_driver.sub_groups, ..of_devices })
}

/// Returns what programs for all devices of a driver need. It is asked once.
fn driver_needs<'p>(driver: &Driver, platform: impl FnOnce() -> Result<&'p Platform>) -> Result<Needs> {
    if let Some(needs) = driver.needs.get() {
        return Ok(*needs);
    }
    let platform = platform()?;
    // A driver that does not answer gets the program's own bytes.
    let needs = devices(platform).and_then(|devices| needs(platform, &devices)).unwrap_or_default();
    if !needs.is_none() {
        log::info!("programs are rewritten for this driver: {needs:?}");
    }
    Ok(*driver.needs.get_or_init(|| needs))
}

fn needs(platform: &Platform, devices: &[&Device]) -> Result<Needs> {
    let name = platform.name()?;
    let facts: Result<Vec<DriverFacts>> = devices.iter().map(|device| facts(name.clone(), device)).collect();
    Ok(Needs::of_all(&facts?))
}

/// Asks a driver about a device.
fn facts(platform: String, device: &Device) -> Result<DriverFacts> {
    let items = device.value(sys::CL_DEVICE_MAX_WORK_GROUP_SIZE, 0_usize)?;
    // Drivers before OpenCL 2.1 do not know the query. They refuse it, or write nothing.
    let sub_groups = device.value(DeviceInfo::MAX_NUM_SUB_GROUPS.0, u32::MAX).ok();
    Ok(DriverFacts {
        platform,
        version: version(&device.text(sys::CL_DRIVER_VERSION)?.to_string_lossy()),
        is_cpu: device.is_cpu()?,
        has_halves: device.lists(c"cl_khr_fp16")?,
        converts_halves: device.is_cpu()? && converts_halves(),
        most_sub_groups: sub_groups.filter(|&count| count != u32::MAX),
        most_items: u32::try_from(items).unwrap_or(u32::MAX),
    })
}

/// Returns whether this computer's processor has instructions that convert half-precision numbers.
fn converts_halves() -> bool {
    #[cfg(target_arch = "x86_64")]
    let converts = std::arch::is_x86_feature_detected!("f16c");
    #[cfg(not(target_arch = "x86_64"))]
    let converts = cfg!(target_arch = "aarch64");
    converts
}

fn devices(platform: &Platform) -> Result<Vec<&Device>> {
    let mut count = 0;
    cl().clGetDeviceIDs(platform.cl(), sys::CL_DEVICE_TYPE_ALL, 0, null_mut(), &mut count)?;
    let mut list = vec![null_mut(); count as usize];
    cl().clGetDeviceIDs(platform.cl(), sys::CL_DEVICE_TYPE_ALL, count, list.as_mut_ptr(), null_mut())?;
    Ok(list.into_iter().filter_map(sys::opaque::<Device>).collect())
}

/// Returns the first two numbers of a driver's version: `25.0.7-2+deb13u1` is (25, 0). A part that is not a number
/// counts as 0.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_its_first_two_numbers() {
        assert_eq!(version("7.1+debian"), (7, 1));
        assert_eq!(version("25.0.7-2+deb13u1"), (25, 0));
        assert_eq!(version("2025.20.12.0.09_233955"), (2025, 20));
        assert_eq!(version("unknown"), (0, 0));
    }
}
