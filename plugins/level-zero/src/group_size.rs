//! The shape of a launch: the size and number of groups, and the choice of a size if the caller specifies none.

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, NdRange, Result};

use crate::objects::{Device, Kernel, LaunchShape};
use crate::sys::{ze, *};

/// A launch in the driver's representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    pub(crate) group: [u32; 3],
    pub(crate) count: [u32; 3],
    pub(crate) offset: [u32; 3],
}

#[cold]
fn wrong(code: ErrorCode, text: String) -> Error {
    Error::new(code, text)
}

fn three(list: &[usize], rest: usize) -> [usize; 3] {
    let mut all = [rest; 3];
    all.iter_mut().zip(list).for_each(|(to, from)| *to = *from);
    all
}

/// Returns the launch of an index space, or `None` if that is empty.
pub(crate) fn launch(
    kernel: &Kernel,
    device: &Device,
    driver_kernel: ze_kernel_handle_t,
    shape: &mut LaunchShape,
    range: &NdRange<'_>,
) -> Result<Option<Launch>> {
    let global = three(range.global, 1);
    if global.contains(&0) {
        return Ok(None);
    }
    let required = [
        kernel.properties.requiredGroupSizeX,
        kernel.properties.requiredGroupSizeY,
        kernel.properties.requiredGroupSizeZ,
    ];
    let group = match range.local {
        Some(local) => checked(three(local, 1), required, device)?,
        None if required[0] != 0 => required.map(|side| side.max(1)),
        None => suggested(driver_kernel, device, shape, global)?,
    };
    let mut count = [0; 3];
    for side in 0..3 {
        let (all, one) = (global[side], group[side] as usize);
        if all % one != 0 {
            return Err(wrong(
                ErrorCode::INVALID_WORK_GROUP_SIZE,
                format!("work-groups of {group:?} do not divide the global size {global:?}"),
            ));
        }
        count[side] = u32::try_from(all / one).map_err(|_| {
            wrong(
                ErrorCode::INVALID_WORK_GROUP_SIZE,
                format!("{} work-groups in dimension {side}", all / one),
            )
        })?;
    }
    let offset = match range.offset {
        None => [0; 3],
        Some(offset) => {
            let offset = three(offset, 0);
            let mut narrow = [0; 3];
            for side in 0..3 {
                narrow[side] = u32::try_from(offset[side]).map_err(|_| {
                    wrong(
                        ErrorCode::INVALID_GLOBAL_OFFSET,
                        format!("offset {offset:?} is more than 32 bits wide"),
                    )
                })?;
            }
            narrow
        }
    };
    Ok(Some(Launch { group, count, offset }))
}

/// Chooses the group size of a launch that does not specify one.
pub(crate) fn chosen(
    kernel: &Kernel,
    device: &Device,
    driver_kernel: ze_kernel_handle_t,
    shape: &mut LaunchShape,
    global: &[usize],
) -> Result<[usize; 3]> {
    let no_offset = NdRange { offset: None, global, local: None };
    let launch = launch(kernel, device, driver_kernel, shape, &no_offset)?;
    Ok(launch.map_or([1; 3], |launch| launch.group.map(|side| side as usize)))
}

/// Checks a caller's group size against the limits of the kernel and the device.
fn checked(local: [usize; 3], required: [u32; 3], device: &Device) -> Result<[u32; 3]> {
    let limits = &device.compute;
    let most = [limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ];
    let total = local.iter().try_fold(1_usize, |product, side| product.checked_mul(*side));
    let fits = (0..3).all(|side| local[side] <= most[side] as usize);
    if local.contains(&0) || !fits || total.is_none_or(|total| total > limits.maxTotalGroupSize as usize) {
        return Err(wrong(
            ErrorCode::INVALID_WORK_GROUP_SIZE,
            format!(
                "a work-group size of {local:?}; the device has up to {most:?}, {} work-items in all",
                limits.maxTotalGroupSize
            ),
        ));
    }
    let local = local.map(|side| side as u32);
    if required[0] != 0 && required.map(|side| side.max(1)) != local {
        return Err(wrong(
            ErrorCode::INVALID_WORK_GROUP_SIZE,
            format!("a work-group size of {local:?}; the kernel requires {required:?}"),
        ));
    }
    Ok(local)
}

/// Returns the driver's suggestion if it divides the index space, or else the largest size that does.
fn suggested(
    kernel: ze_kernel_handle_t,
    device: &Device,
    shape: &mut LaunchShape,
    global: [usize; 3],
) -> Result<[u32; 3]> {
    let Ok(narrow) =
        <[u32; 3]>::try_from(global.iter().filter_map(|side| u32::try_from(*side).ok()).collect::<Vec<_>>())
    else {
        return Ok(divisor(global, device));
    };
    if let Some((of, suggestion)) = shape.suggested
        && of == narrow
    {
        return Ok(suggestion);
    }
    let [x, y, z] = narrow;
    let mut group = [0_u32; 3];
    let [gx, gy, gz] = &mut group;
    let asked = ze()?.zeKernelSuggestGroupSize(kernel, x, y, z, gx, gy, gz);
    let divides = (0..3).all(|side| group[side] != 0 && narrow[side] % group[side] == 0);
    let group = if asked.is_ok() && divides { group } else { divisor(global, device) };
    shape.suggested = Some((narrow, group));
    Ok(group)
}

/// Returns the largest divisors within the limits, starting with the first dimension.
fn divisor(global: [usize; 3], device: &Device) -> [u32; 3] {
    let limits = &device.compute;
    let most = [limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ];
    divisors(global, most, limits.maxTotalGroupSize)
}

fn divisors(global: [usize; 3], most: [u32; 3], total: u32) -> [u32; 3] {
    // Larger groups have no benefit on current devices.
    let mut left = total.clamp(1, 256);
    let mut group = [1; 3];
    for side in 0..3 {
        let limit = left.min(most[side].max(1));
        let fits = |size: &u32| global[side].is_multiple_of(*size as usize);
        group[side] = (1..=limit).rev().find(fits).unwrap_or(1);
        left /= group[side];
    }
    group
}

#[cfg(test)]
mod tests {
    use super::divisors;

    #[test]
    fn groups_divide_the_space_and_stay_within_the_limits() {
        assert_eq!(divisors([1024, 1, 1], [512; 3], 512), [256, 1, 1]);
        assert_eq!(divisors([4095, 4095, 1], [512; 3], 512), [195, 1, 1]);
        assert_eq!(divisors([7, 5, 3], [512; 3], 512), [7, 5, 3]);
        assert_eq!(divisors([100, 100, 100], [8, 8, 8], 16), [5, 2, 1]);
        assert_eq!(divisors([13, 1, 1], [0; 3], 0), [1, 1, 1]);
    }
}
