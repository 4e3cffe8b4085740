//! Kernel queries.

use std::ffi::CString;
use std::ptr::null_mut;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use crate::objects::{DeviceHandle, KernelHandle, raw_handle};
use crate::sys::{ze, ze_kernel_handle_t};

/// Answers a query about a kernel.
pub(crate) fn get(kernel: &KernelHandle, name: KernelInfo, info: Info<'_>) -> Result<()> {
    match name {
        KernelInfo::FUNCTION_NAME => info.c_str(&kernel.name),
        KernelInfo::NUM_ARGS => info.value(kernel.properties.numKernelArgs),
        KernelInfo::REFERENCE_COUNT => info.value(kernel.reference_count()),
        KernelInfo::CONTEXT => info.value(raw_handle(&kernel.program.context)),
        KernelInfo::PROGRAM => info.value(raw_handle(&kernel.program)),
        KernelInfo::ATTRIBUTES => info.c_str(&attributes(kernel)?),
        _ => Err(Error::unknown_query("kernel", name)),
    }
}

/// Buffer size for attributes whose size is unknown.
const LONGEST_ATTRIBUTES: u32 = 4096;

fn attributes(kernel: &KernelHandle) -> Result<CString> {
    let (Some(part), ze) = (kernel.per_device.first(), ze()?) else { return Ok(CString::default()) };
    let mut size = 0;
    // Drivers return the size without a buffer, but the loader's validation layer refuses such a call.
    if ze.zeKernelGetSourceAttributes(part.ze, &mut size, null_mut()).is_err() {
        size = LONGEST_ATTRIBUTES;
    }
    if size == 0 {
        return Ok(CString::default());
    }
    let mut text = vec![0_u8; size as usize];
    let mut start = text.as_mut_ptr().cast();
    ze.zeKernelGetSourceAttributes(part.ze, &mut size, &mut start)?;
    Ok(text_of(text))
}

/// Returns the driver's name of a kernel.
pub(crate) fn name(kernel: ze_kernel_handle_t) -> Result<CString> {
    let ze = ze()?;
    let mut size = 0;
    ze.zeKernelGetName(kernel, &mut size, null_mut())?;
    let mut text = vec![0_u8; size];
    ze.zeKernelGetName(kernel, &mut size, text.as_mut_ptr().cast())?;
    Ok(text_of(text))
}

fn text_of(mut text: Vec<u8>) -> CString {
    text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
    CString::new(text).unwrap_or_default()
}

/// Answers a query about work-groups.
pub(crate) fn get_group(
    kernel: &KernelHandle,
    device: &DeviceHandle,
    name: KernelGroupInfo,
    info: Info<'_>,
) -> Result<()> {
    let (own, limits) = (&kernel.properties, &device.compute);
    match name {
        KernelGroupInfo::GLOBAL_WORK_SIZE => info.value([
            limits.maxGroupSizeX as usize * limits.maxGroupCountX as usize,
            limits.maxGroupSizeY as usize * limits.maxGroupCountY as usize,
            limits.maxGroupSizeZ as usize * limits.maxGroupCountZ as usize,
        ]),
        KernelGroupInfo::WORK_GROUP_SIZE => info.value(limits.maxTotalGroupSize as usize),
        KernelGroupInfo::COMPILE_WORK_GROUP_SIZE => info.value([
            own.requiredGroupSizeX as usize,
            own.requiredGroupSizeY as usize,
            own.requiredGroupSizeZ as usize,
        ]),
        KernelGroupInfo::LOCAL_MEM_SIZE => bytes(own.localMemSize, info),
        KernelGroupInfo::PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            info.value(own.maxSubgroupSize.max(1) as usize)
        }
        KernelGroupInfo::PRIVATE_MEM_SIZE => bytes(own.privateMemSize, info),
        KernelGroupInfo::NUM_REGS => {
            Err(Error::invalid_value("Level Zero does not report the number of registers of a kernel"))
        }
        _ => Err(Error::unknown_query("group", name)),
    }
}

/// Answers with a number of bytes as 8 bytes, as documented. The vendor's plugin returns 4, and some runtimes have no
/// room for more.
fn bytes(number: u32, mut info: Info<'_>) -> Result<()> {
    let (size, value, _) = info.raw_parts();
    if size == size_of::<u32>() && !value.is_null() {
        return info.value(number);
    }
    info.value(u64::from(number))
}

/// Answers a query about sub-groups.
pub(crate) fn get_sub_group(kernel: &KernelHandle, name: KernelSubGroupInfo, info: Info<'_>) -> Result<()> {
    let own = &kernel.properties;
    match name {
        KernelSubGroupInfo::MAX_SUB_GROUP_SIZE => info.value(own.maxSubgroupSize),
        KernelSubGroupInfo::MAX_NUM_SUB_GROUPS => info.value(own.maxNumSubgroups),
        KernelSubGroupInfo::COMPILE_NUM_SUB_GROUPS => info.value(own.requiredNumSubGroups),
        KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL => info.value(own.requiredSubgroupSize),
        _ => Err(Error::unknown_query("sub-group", name)),
    }
}
