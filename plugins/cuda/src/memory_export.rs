//! Device memory that other interfaces can import: physical memory with its own address range.
//!
//! The driver exports only physical memory as file descriptors, so these allocations are not made by `cuMemAlloc`.

use core::ffi::{c_int, c_void};
use core::ptr::NonNull;
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use parking_lot::Mutex;
use sycl_pi_backend::api::MemoryExportApi;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Error, Result};

use crate::Cuda;
use crate::context::Context;
use crate::copy::device_address;
use crate::device::device_object::Device;
use crate::memory::usm_memory;
use crate::sys::{
    self, CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationGranularity_flags,
    CUmemAllocationProp, CUmemGenericAllocationHandle, cuda,
};
use crate::virtual_mem::location;

/// All allocations by their address, which is unique in the process.
static ALLOCATIONS: Mutex<BTreeMap<CUdeviceptr, Allocation>> = Mutex::new(BTreeMap::new());

#[derive(Clone, Copy)]
struct Allocation {
    memory: CUmemGenericAllocationHandle,
    /// Size in bytes of the physical memory and of its address range.
    size: usize,
}

/// Returns whether exportable memory starts at an address.
pub(crate) fn is_exportable(start: CUdeviceptr) -> bool {
    ALLOCATIONS.lock().contains_key(&start)
}

#[cold]
fn unknown(start: CUdeviceptr) -> Error {
    Error::invalid_value(format!("pMem {start:#x} is not the start of exportable memory"))
}

/// Returns read and write access for the device, and for those devices of the context that can access its memory.
fn access(context: &Context, owner: &Device) -> Result<Vec<CUmemAccessDesc>> {
    let mut list = Vec::new();
    for other in &context.devices {
        let mut can = c_int::from(other.device.raw == owner.raw);
        if can == 0 {
            cuda()?.cuDeviceCanAccessPeer(&mut can, other.device.raw, owner.raw)?;
        }
        if can != 0 {
            let flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
            list.push(CUmemAccessDesc { location: location(&other.device), flags });
        }
    }
    Ok(list)
}

/// Returns the number of bytes of physical memory that an allocation takes.
fn rounded(properties: &CUmemAllocationProp, size: usize) -> Result<usize> {
    let (mut granularity, least) = (0, CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuda()?.cuMemGetAllocationGranularity(&mut granularity, properties, least)?;
    size.checked_next_multiple_of(granularity.max(1)).ok_or_else(|| {
        Error::new(ErrorCode::OUT_OF_RESOURCES, format!("size {size} is more than any device has"))
    })
}

impl Allocation {
    /// Allocates accessible physical memory with an address. The device's context must be current.
    fn new(context: &Context, device: &Device, alignment: usize, size: usize) -> Result<(CUdeviceptr, Self)> {
        let cuda = cuda()?;
        let properties = sys::physical_memory(location(device), true);
        let size = rounded(&properties, size)?;
        let memory = usm_memory::make_room(|| {
            let mut memory = 0;
            cuda.cuMemCreate(&mut memory, size, &properties, 0)?;
            Ok(memory)
        })?;
        let allocation = Self { memory, size };
        let mut start = 0;
        let made = cuda.cuMemAddressReserve(&mut start, size, alignment, 0, 0).and_then(|()| {
            cuda.cuMemMap(start, size, 0, memory, 0)?;
            let list = access(context, device)?;
            cuda.cuMemSetAccess(start, size, list.as_ptr(), list.len())
        });
        match made {
            Ok(()) => Ok((start, allocation)),
            Err(error) => {
                // Everything is undone. The driver refuses to undo steps that were not done.
                let _undone = [
                    cuda.cuMemUnmap(start, size),
                    cuda.cuMemRelease(memory),
                    cuda.cuMemAddressFree(start, size),
                ];
                Err(error)
            }
        }
    }

    /// Releases everything. The memory must not be in use, and a context must be current.
    fn free(self, start: CUdeviceptr) -> Result<()> {
        let cuda = cuda()?;
        cuda.cuMemUnmap(start, self.size)?;
        cuda.cuMemRelease(self.memory)?;
        cuda.cuMemAddressFree(start, self.size)
    }
}

impl MemoryExportApi for Cuda {
    fn exportable_mem_alloc(
        context: &Counted<Context>,
        device: &Counted<Device>,
        alignment: usize,
        size: usize,
    ) -> Result<NonNull<c_void>> {
        if size == 0 {
            return Err(Error::empty_allocation());
        }
        let _current = context.of_device(device)?.enter()?;
        let (start, allocation) = Allocation::new(context, device, alignment, size)?;
        let address = NonNull::new(std::ptr::with_exposed_provenance_mut(start as usize))
            .ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "the driver gave no address"))?;
        ALLOCATIONS.lock().insert(start, allocation);
        Ok(address)
    }

    fn exportable_mem_free(
        context: &Counted<Context>,
        device: &Counted<Device>,
        address: NonNull<c_void>,
    ) -> Result<()> {
        let _current = context.of_device(device)?.enter()?;
        let start = device_address(address.as_ptr());
        let allocation = ALLOCATIONS.lock().remove(&start).ok_or_else(|| unknown(start))?;
        // Like the free of other device memory, this waits, because the driver does not wait before it unmaps.
        cuda()?.cuCtxSynchronize()?;
        allocation.free(start)
    }

    fn exportable_mem_fd(
        context: &Counted<Context>,
        device: &Counted<Device>,
        address: NonNull<c_void>,
    ) -> Result<OwnedFd> {
        let _current = context.of_device(device)?.enter()?;
        let start = device_address(address.as_ptr());
        let allocation = ALLOCATIONS.lock().get(&start).copied().ok_or_else(|| unknown(start))?;
        sys::descriptor_of(allocation.memory)
    }
}
