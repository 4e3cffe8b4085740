//! Physical memory.

use sycl_pi_backend::Counted;

use super::prelude::*;
use crate::physical_mem::PhysicalMem;

#[entry]
pub unsafe extern "C" fn urPhysicalMemCreate<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize,
    pProperties: *const ur_physical_mem_properties_t, phPhysicalMem: *mut ur_physical_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(
        flags,
        !(UR_PHYSICAL_MEM_FLAGS_MASK & UR_PHYSICAL_MEM_FLAGS_MASK_until_2026_1_1),
        "pProperties->flags",
    )?;
    let shared = flags & UR_PHYSICAL_MEM_FLAG_ENABLE_IPC != 0;
    if shared && !query::flag::<B>(device, DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT) {
        return Err(Error::unsupported(
            "pProperties: physical memory is not shared with other processes here",
        ));
    }
    // SAFETY: `phPhysicalMem` is null or writable.
    unsafe {
        put(phPhysicalMem, "phPhysicalMem", || {
            let granularity = B::virtual_mem_granularity(context, device, size, false)?;
            if size == 0 || !size.is_multiple_of(granularity) {
                let text = format!("size is {size}: physical memory has a multiple of {granularity} bytes");
                return Err(error(UR_RESULT_ERROR_INVALID_SIZE, text));
            }
            let memory = if shared {
                B::ipc_physical_mem_create(context, device, size)?
            } else {
                B::physical_mem_create(context, device, size)?
            };
            let memory = PhysicalMem::<B> {
                memory,
                size,
                flags,
                device: hDevice.expose_provenance(),
                context: context.share(),
            };
            Ok(Counted::create_with_front_word(context.front_word(), memory).into_raw())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urPhysicalMemRetain<B: Backend>(
    hPhysicalMem: ur_physical_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hPhysicalMem` is null or a live handle.
    unsafe { counted::<PhysicalMem<B>>(hPhysicalMem, "hPhysicalMem")? }.retain();
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urPhysicalMemRelease<B: Backend>(
    hPhysicalMem: ur_physical_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hPhysicalMem` is null or a live handle.
    unsafe { counted::<PhysicalMem<B>>(hPhysicalMem, "hPhysicalMem")?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urPhysicalMemGetInfo<B: Backend>(
    hPhysicalMem: ur_physical_mem_handle_t, propName: ur_physical_mem_info_t, propSize: usize,
    pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hPhysicalMem` is null or a live handle.
    let memory = unsafe { counted::<PhysicalMem<B>>(hPhysicalMem, "hPhysicalMem")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    match propName {
        UR_PHYSICAL_MEM_INFO_CONTEXT => answer.value(memory.context.handle()),
        UR_PHYSICAL_MEM_INFO_DEVICE => answer.value(memory.device),
        UR_PHYSICAL_MEM_INFO_SIZE => answer.value(memory.size),
        UR_PHYSICAL_MEM_INFO_PROPERTIES => answer.bytes(&properties(memory.flags)),
        UR_PHYSICAL_MEM_INFO_REFERENCE_COUNT => answer.value(memory.reference_count()),
        _ => Err(unknown_query(propName, false)),
    }
}

/// Returns the `ur_physical_mem_properties_t` as bytes.
fn properties(flags: ur_physical_mem_flags_t) -> [u8; size_of::<ur_physical_mem_properties_t>()] {
    const FLAGS: usize = core::mem::offset_of!(ur_physical_mem_properties_t, flags);
    let mut bytes = [0; size_of::<ur_physical_mem_properties_t>()];
    bytes[..4].copy_from_slice(&UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES.to_ne_bytes());
    bytes[FLAGS..FLAGS + 4].copy_from_slice(&flags.to_ne_bytes());
    bytes
}
