//! Hints about managed memory.

use sycl_pi_backend::Result;
use sycl_pi_backend::types::MemAdvice;

use crate::device::device_object::Device;
use crate::sys::{CUdevice_attribute, CUdeviceptr, CUmem_advise, cuda};

/// Returns whether the device migrates managed memory by pages. Only such devices accept hints.
pub(crate) fn migrates_pages(device: &Device) -> bool {
    device.has(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)
}

/// Passes each hint in `advice` to the driver.
pub(crate) fn advise(device: &Device, address: CUdeviceptr, size: usize, advice: MemAdvice) -> Result<()> {
    use CUmem_advise::*;
    const HOST: i32 = -1;
    /// A reset includes all advice that undoes other advice.
    const UNSET: MemAdvice = MemAdvice::CUDA_UNSET_READ_MOSTLY
        .union(MemAdvice::CUDA_UNSET_PREFERRED_LOCATION)
        .union(MemAdvice::CUDA_UNSET_ACCESSED_BY)
        .union(MemAdvice::CUDA_UNSET_PREFERRED_LOCATION_HOST)
        .union(MemAdvice::CUDA_UNSET_ACCESSED_BY_HOST);
    let here = device.raw;
    let table = [
        (MemAdvice::CUDA_SET_READ_MOSTLY, CU_MEM_ADVISE_SET_READ_MOSTLY, here),
        (MemAdvice::CUDA_UNSET_READ_MOSTLY, CU_MEM_ADVISE_UNSET_READ_MOSTLY, here),
        (MemAdvice::CUDA_SET_PREFERRED_LOCATION, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, here),
        (MemAdvice::CUDA_UNSET_PREFERRED_LOCATION, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, here),
        (MemAdvice::CUDA_SET_ACCESSED_BY, CU_MEM_ADVISE_SET_ACCESSED_BY, here),
        (MemAdvice::CUDA_UNSET_ACCESSED_BY, CU_MEM_ADVISE_UNSET_ACCESSED_BY, here),
        (MemAdvice::CUDA_SET_PREFERRED_LOCATION_HOST, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, HOST),
        (MemAdvice::CUDA_UNSET_PREFERRED_LOCATION_HOST, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, HOST),
        (MemAdvice::CUDA_SET_ACCESSED_BY_HOST, CU_MEM_ADVISE_SET_ACCESSED_BY, HOST),
        (MemAdvice::CUDA_UNSET_ACCESSED_BY_HOST, CU_MEM_ADVISE_UNSET_ACCESSED_BY, HOST),
    ];
    let cuda = cuda()?;
    if advice == MemAdvice::RESET {
        return table
            .iter()
            .filter(|(flag, ..)| UNSET.contains(*flag))
            .try_for_each(|(_, hint, device)| cuda.cuMemAdvise(address, size, *hint, *device));
    }
    table
        .iter()
        .filter(|(flag, ..)| advice != MemAdvice::UNKNOWN && advice.contains(*flag))
        .try_for_each(|(_, hint, device)| cuda.cuMemAdvise(address, size, *hint, *device))
}
