//! Queries about sub-groups. SYCL 2020 defines a value of each for every device, whereas drivers without sub-groups
//! refuse them, return 0, or list meaningless sizes.

use std::ptr::{null, null_mut};

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};
use sycl_pi_image::spirv::SubGroups;

use crate::sys::{self, Device, HasPlatform, Kernel, Queried, cl};
use crate::{legal, required_sizes};

/// Returns the largest number of sub-groups in a work-group, which is at least 1.
pub(crate) fn most_in_group(device: &Device) -> Result<u32> {
    if legal::sub_groups(device)? != SubGroups::Native {
        return most_items(device);
    }
    Ok(asked(device.value(DeviceInfo::MAX_NUM_SUB_GROUPS.0, 0))?.max(1))
}

/// Returns whether a sub-group makes progress while another one of its work-group waits.
pub(crate) fn progress_alone(device: &Device) -> Result<bool> {
    Ok(asked(device.value(DeviceInfo::SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS.0, 0_u32))? != 0)
}

/// The sizes of a device on which each work-item is a sub-group. Kernels that require 16 are refused when they are
/// created, with the reason. dpctl's radix sort derives the size of its work-groups from the last size of the list:
/// anything below 16 becomes 2^63 work-items or none, and the sort ends the process or returns wrong numbers.
const ONE: [usize; 2] = [1, 16];

/// Returns the sub-group sizes of a device: at least one, and none of them 0.
pub(crate) fn sizes(device: &Device) -> Result<Vec<usize>> {
    if legal::sub_groups(device)? == SubGroups::One {
        return Ok(ONE.to_vec());
    }
    let listed = asked(device.list(DeviceInfo::SUB_GROUP_SIZES_INTEL.0, 0_usize))?;
    let most: Result<u32> = device.value(DeviceInfo::MAX_NUM_SUB_GROUPS.0, 0);
    Ok(usable(listed, most.ok()))
}

/// Converts a driver's list of sizes to one that programs can use. On a device without sub-groups, each work-item is
/// its own sub-group: PoCL 7.1 reports that a work-group has 0 of them, and lists 0, 1, 2 and so on. Intel's FPGA
/// emulator lists sizes that it supports, but does not know their number.
fn usable(mut listed: Vec<usize>, most_in_group: Option<u32>) -> Vec<usize> {
    listed.retain(|size| *size != 0);
    if listed.is_empty() || most_in_group == Some(0) { vec![1] } else { listed }
}

/// Returns a driver's answer, or the answer for a device without sub-groups if the driver does not know the query.
fn asked<T: Default>(answer: Result<T>) -> Result<T> {
    match answer {
        Err(error) if error.code() == ErrorCode::INVALID_VALUE => Ok(T::default()),
        answer => answer,
    }
}

/// Answers a query about the sub-groups of a kernel on a device.
pub(crate) fn of_kernel(
    kernel: &Kernel,
    device: &Device,
    name: KernelSubGroupInfo,
    input: &[u8],
) -> Result<u32> {
    let is_size = name == KernelSubGroupInfo::MAX_SUB_GROUP_SIZE;
    let is_largest = is_size || name == KernelSubGroupInfo::MAX_NUM_SUB_GROUPS;
    let of_compilation =
        [KernelSubGroupInfo::COMPILE_NUM_SUB_GROUPS, KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL];
    if !is_largest && !of_compilation.contains(&name) {
        return Err(Error::unknown_query("sub-group", name));
    }
    let sub_groups = legal::sub_groups(device)?;
    if sub_groups != SubGroups::Native {
        let required = match sub_groups {
            SubGroups::OneUnlessRequired => required_sizes::of_kernel(kernel)?,
            _ => None,
        };
        let size = required.unwrap_or(1);
        return match name {
            KernelSubGroupInfo::MAX_SUB_GROUP_SIZE => Ok(size),
            KernelSubGroupInfo::MAX_NUM_SUB_GROUPS => Ok(of_work_group(device, input)?.div_ceil(size)),
            KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL => Ok(required.unwrap_or(0)),
            _ => Ok(0),
        };
    }
    let answer = match ask(kernel, device, name, input) {
        Ok(answer) if answer != 0 => Ok(answer),
        // OpenCL requires a work-group size for some queries. Runtimes omit it and mean the largest one. Some drivers
        // understand that; for the others it is passed explicitly.
        _ if input.is_empty() && is_largest => {
            let most = device.value(sys::CL_DEVICE_MAX_WORK_GROUP_SIZE, 0_usize)?;
            let largest: Vec<u8> = [most, 1, 1].iter().flat_map(|size| size.to_ne_bytes()).collect();
            ask(kernel, device, name, &largest)
        }
        answer => answer,
    };
    let answer = match answer {
        // A driver without sub-groups, or without the function, returns this.
        Err(error)
            if [ErrorCode::INVALID_OPERATION, ErrorCode::UNSUPPORTED_FEATURE].contains(&error.code()) =>
        {
            0
        }
        // PoCL 6.0 has Intel's extension and does not know its query.
        Err(error)
            if name == KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL
                && error.code() == ErrorCode::INVALID_VALUE =>
        {
            0
        }
        answer => answer?,
    };
    Ok(match answer {
        0 if is_size => sizes(device)?.into_iter().max().unwrap_or(1) as u32,
        0 if is_largest => 1,
        answer => answer as u32,
    })
}

/// Returns how many work-items a work-group of this size has, or the largest one if none is given.
fn of_work_group(device: &Device, input: &[u8]) -> Result<u32> {
    items(input).map_or_else(|| most_items(device), Ok)
}

/// Returns the number of work-items in a work-group with these sizes, or `None` if there is no size.
fn items(input: &[u8]) -> Option<u32> {
    let (sizes, _) = input.as_chunks::<{ size_of::<usize>() }>();
    let items = sizes.iter().map(|size| usize::from_ne_bytes(*size)).reduce(usize::saturating_mul)?;
    Some(u32::try_from(items).unwrap_or(u32::MAX))
}

/// Returns the largest number of work-items in a work-group.
fn most_items(device: &Device) -> Result<u32> {
    let most = device.value(sys::CL_DEVICE_MAX_WORK_GROUP_SIZE, 0_usize)?;
    Ok(u32::try_from(most).unwrap_or(u32::MAX))
}

/// Returns the driver's answer about a kernel.
fn ask(kernel: &Kernel, device: &Device, name: KernelSubGroupInfo, input: &[u8]) -> Result<usize> {
    let driver = kernel.driver()?;
    let mut answer = 0_usize;
    let (input_size, input) =
        if input.is_empty() { (0, null()) } else { (input.len(), input.as_ptr().cast()) };
    let (size, room) = (size_of_val(&answer), (&raw mut answer).cast());
    let (cl_kernel, device, name) = (kernel.cl(), device.cl(), name.0);
    if driver.version >= (2, 1) {
        cl().clGetKernelSubGroupInfo(cl_kernel, device, name, input_size, input, size, room, null_mut())?;
    } else {
        let extensions = &driver.extensions;
        extensions.clGetKernelSubGroupInfoKHR(
            cl_kernel,
            device,
            name,
            input_size,
            input,
            size,
            room,
            null_mut(),
        )?;
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_a_driver_with_sub_groups_are_its_own() {
        assert_eq!(usable(vec![4, 8, 16], Some(512)), [4, 8, 16]);
        assert_eq!(usable(vec![4, 8, 16], None), [4, 8, 16]);
    }

    #[test]
    fn a_size_of_0_is_left_out() {
        assert_eq!(usable(vec![0, 8], Some(512)), [8]);
    }

    #[test]
    fn a_device_without_sub_groups_has_those_of_one_work_item() {
        // PoCL 7.1 would list 0, 1, 2 and so on up to 4095.
        assert_eq!(usable((0..4096).collect(), Some(0)), [1]);
        assert_eq!(usable(Vec::new(), None), [1]);
        assert_eq!(usable(vec![0], Some(1)), [1]);
    }

    #[test]
    fn a_work_group_has_a_sub_group_of_one_for_each_work_item_of_all_its_dimensions() {
        let items =
            |sizes: &[usize]| items(&sizes.iter().flat_map(|size| size.to_ne_bytes()).collect::<Vec<_>>());
        assert_eq!(items(&[4]), Some(4));
        assert_eq!(items(&[4, 1, 1]), Some(4));
        assert_eq!(items(&[4, 3]), Some(12));
        assert_eq!(items(&[4, 3, 2]), Some(24));
        assert_eq!(items(&[usize::MAX, 2]), Some(u32::MAX));
        assert_eq!(items(&[]), None);
    }

    #[test]
    fn a_query_that_the_driver_does_not_know_is_answered_as_without_sub_groups() {
        assert_eq!(asked::<u32>(Err(Error::invalid_value("unknown"))).unwrap(), 0);
        let lost = Error::new(ErrorCode::OUT_OF_RESOURCES, "lost");
        assert_eq!(asked::<u32>(Err(lost)).unwrap_err().code(), ErrorCode::OUT_OF_RESOURCES);
    }
}
