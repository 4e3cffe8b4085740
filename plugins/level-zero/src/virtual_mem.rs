//! Virtual and physical memory.

use core::ffi::c_void;
use core::ptr::{NonNull, null_mut};

use sycl_pi_backend::api::VirtualMemApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use crate::LevelZero;
use crate::objects::{ContextHandle, DeviceHandle};
use crate::sys::{Address, ze, *};

fn attribute(access: VirtualMemAccess) -> ze_memory_access_attribute_t {
    match access {
        VirtualMemAccess::READ_WRITE => ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE,
        VirtualMemAccess::READ_ONLY => ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY,
        _ => ZE_MEMORY_ACCESS_ATTRIBUTE_NONE,
    }
}

fn access_of(attribute: ze_memory_access_attribute_t) -> VirtualMemAccess {
    match attribute {
        ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE => VirtualMemAccess::READ_WRITE,
        ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY => VirtualMemAccess::READ_ONLY,
        _ => VirtualMemAccess::NONE,
    }
}

fn physical(memory: PhysicalMemHandle) -> ze_physical_mem_handle_t {
    ze_physical_mem_handle_t(Address::from_number(memory as usize).get())
}

impl VirtualMemApi for LevelZero {
    fn virtual_mem_granularity(
        context: &ContextHandle,
        device: &DeviceHandle,
        size: usize,
        _recommended: bool,
    ) -> Result<usize> {
        let mut page = 0;
        ze()?.zeVirtualMemQueryPageSize(context.ze, device.ze, size.max(1), &mut page)?;
        Ok(page)
    }

    fn virtual_mem_reserve(
        context: &ContextHandle,
        start: *const c_void,
        size: usize,
    ) -> Result<NonNull<c_void>> {
        let mut reserved = null_mut();
        ze()?.zeVirtualMemReserve(context.ze, start, size, &mut reserved)?;
        let none = || Error::new(ErrorCode::OUT_OF_RESOURCES, "the driver reserved no addresses");
        NonNull::new(reserved).ok_or_else(none)
    }

    fn virtual_mem_free(context: &ContextHandle, start: *const c_void, size: usize) -> Result<()> {
        ze()?.zeVirtualMemFree(context.ze, start, size)
    }

    fn virtual_mem_map(
        context: &ContextHandle,
        start: *const c_void,
        size: usize,
        memory: PhysicalMemHandle,
        offset: usize,
        access: VirtualMemAccess,
    ) -> Result<()> {
        ze()?.zeVirtualMemMap(context.ze, start, size, physical(memory), offset, attribute(access))
    }

    fn virtual_mem_unmap(context: &ContextHandle, start: *const c_void, size: usize) -> Result<()> {
        ze()?.zeVirtualMemUnmap(context.ze, start, size)
    }

    fn virtual_mem_set_access(
        context: &ContextHandle,
        start: *const c_void,
        size: usize,
        access: VirtualMemAccess,
    ) -> Result<()> {
        ze()?.zeVirtualMemSetAccessAttribute(context.ze, start, size, attribute(access))
    }

    fn virtual_mem_access(
        context: &ContextHandle,
        start: *const c_void,
        size: usize,
    ) -> Result<VirtualMemAccess> {
        let (mut access, mut of_size) = (ZE_MEMORY_ACCESS_ATTRIBUTE_NONE, 0);
        ze()?.zeVirtualMemGetAccessAttribute(context.ze, start, size, &mut access, &mut of_size)?;
        Ok(access_of(access))
    }

    fn physical_mem_create(
        context: &ContextHandle,
        device: &DeviceHandle,
        size: usize,
    ) -> Result<PhysicalMemHandle> {
        let mut desc = ze_physical_mem_desc_t { size, ..Default::default() };
        let mut memory = ze_physical_mem_handle_t::NULL;
        ze()?.zePhysicalMemCreate(context.ze, device.ze, &mut desc, &mut memory)?;
        Ok(memory.0.expose_provenance() as u64)
    }

    fn physical_mem_destroy(context: &ContextHandle, memory: PhysicalMemHandle) -> Result<()> {
        ze()?.zePhysicalMemDestroy(context.ze, physical(memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_is_the_drivers_and_back() {
        for (access, of_driver) in [
            (VirtualMemAccess::READ_WRITE, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE),
            (VirtualMemAccess::READ_ONLY, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY),
            (VirtualMemAccess::NONE, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE),
        ] {
            assert_eq!(attribute(access), of_driver);
            assert_eq!(access_of(of_driver), access);
        }
    }
}
