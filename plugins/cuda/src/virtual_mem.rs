//! Virtual and physical memory.

use core::ffi::c_void;
use core::ptr::NonNull;

use sycl_pi_backend::api::VirtualMemApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Result};

use crate::Cuda;
use crate::context::Context;
use crate::copy::device_address;
use crate::device::device_object::Device;
use crate::sys::{
    self, CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationGranularity_flags, CUmemLocation,
    CUmemLocationType, cuda,
};

/// Returns the location of a device's memory.
pub(crate) fn location(device: &Device) -> CUmemLocation {
    CUmemLocation { type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: device.ordinal }
}

/// Creates physical memory of a device. Exportable memory can have file descriptors.
pub(crate) fn create_physical_memory(
    context: &Counted<Context>,
    device: &Counted<Device>,
    size: usize,
    exportable: bool,
) -> Result<PhysicalMemHandle> {
    let _current = context.of_device(device)?.enter()?;
    let mut memory = 0;
    cuda()?.cuMemCreate(&mut memory, size, &sys::physical_memory(location(device), exportable), 0)?;
    Ok(memory)
}

fn address(start: *const c_void) -> CUdeviceptr {
    device_address(start.cast_mut())
}

impl VirtualMemApi for Cuda {
    fn virtual_mem_granularity(
        _: &Counted<Context>,
        device: &Counted<Device>,
        _size: usize,
        recommended: bool,
    ) -> Result<usize> {
        use CUmemAllocationGranularity_flags::*;
        let option =
            if recommended { CU_MEM_ALLOC_GRANULARITY_RECOMMENDED } else { CU_MEM_ALLOC_GRANULARITY_MINIMUM };
        let mut granularity = 0;
        let properties = sys::physical_memory(location(device), false);
        cuda()?.cuMemGetAllocationGranularity(&mut granularity, &properties, option)?;
        Ok(granularity)
    }

    fn virtual_mem_reserve(
        context: &Counted<Context>,
        start: *const c_void,
        size: usize,
    ) -> Result<NonNull<c_void>> {
        let _current = context.first()?.enter()?;
        let mut reserved = 0;
        cuda()?.cuMemAddressReserve(&mut reserved, size, 0, address(start), 0)?;
        NonNull::new(std::ptr::with_exposed_provenance_mut(reserved as usize))
            .ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "the driver reserved no addresses"))
    }

    fn virtual_mem_free(context: &Counted<Context>, start: *const c_void, size: usize) -> Result<()> {
        let _current = context.first()?.enter()?;
        cuda()?.cuMemAddressFree(address(start), size)
    }

    fn virtual_mem_map(
        context: &Counted<Context>,
        start: *const c_void,
        size: usize,
        memory: PhysicalMemHandle,
        offset: usize,
        access: VirtualMemAccess,
    ) -> Result<()> {
        let _current = context.first()?.enter()?;
        cuda()?.cuMemMap(address(start), size, offset, memory, 0)?;
        if access == VirtualMemAccess::NONE {
            return Ok(());
        }
        Self::virtual_mem_set_access(context, start, size, access)
            .inspect_err(|_| drop(Self::virtual_mem_unmap(context, start, size)))
    }

    fn virtual_mem_unmap(context: &Counted<Context>, start: *const c_void, size: usize) -> Result<()> {
        let _current = context.first()?.enter()?;
        cuda()?.cuMemUnmap(address(start), size)
    }

    fn virtual_mem_set_access(
        context: &Counted<Context>,
        start: *const c_void,
        size: usize,
        access: VirtualMemAccess,
    ) -> Result<()> {
        let flags = match access {
            VirtualMemAccess::READ_WRITE => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            VirtualMemAccess::READ_ONLY => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ,
            _ => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE,
        };
        let _current = context.first()?.enter()?;
        let access: Vec<_> = context
            .devices
            .iter()
            .map(|device| CUmemAccessDesc { location: location(&device.device), flags })
            .collect();
        cuda()?.cuMemSetAccess(address(start), size, access.as_ptr(), access.len())
    }

    fn virtual_mem_access(
        context: &Counted<Context>,
        start: *const c_void,
        _size: usize,
    ) -> Result<VirtualMemAccess> {
        /// `CU_MEM_ACCESS_FLAGS_PROT_READ` and `..._READWRITE`.
        const READ: u64 = 1;
        const READ_WRITE: u64 = 3;
        let device_context = context.first()?;
        let _current = device_context.enter()?;
        let mut flags = 0;
        cuda()?.cuMemGetAccess(&mut flags, &location(&device_context.device), address(start))?;
        Ok(match flags {
            READ_WRITE => VirtualMemAccess::READ_WRITE,
            READ => VirtualMemAccess::READ_ONLY,
            _ => VirtualMemAccess::NONE,
        })
    }

    fn physical_mem_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        size: usize,
    ) -> Result<PhysicalMemHandle> {
        create_physical_memory(context, device, size, false)
    }

    fn physical_mem_destroy(context: &Counted<Context>, memory: PhysicalMemHandle) -> Result<()> {
        let _current = context.first()?.enter()?;
        cuda()?.cuMemRelease(memory)
    }
}
