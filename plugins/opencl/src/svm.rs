//! USM on drivers that support only OpenCL 2.0's shared virtual memory.
//!
//! The driver cannot be queried about an address, so the plugin keeps a list of its allocations.

use core::ffi::c_void;
use std::collections::BTreeMap;
use std::ptr::NonNull;

use parking_lot::RwLock;
use sycl_pi_backend::api::UsmRequest;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use crate::sys::{self, Context, Device, Queried, cl};

#[derive(Clone, Copy)]
struct SvmAllocation {
    size: usize,
    kind: UsmType,
    context: usize,
    device: usize,
}

/// Allocations by their start address.
static ALLOCATIONS: RwLock<BTreeMap<usize, SvmAllocation>> = RwLock::new(BTreeMap::new());

/// Returns the allocation of a context that contains the address, with its start.
fn find(context: &Context, address: usize) -> Option<(usize, SvmAllocation)> {
    let allocations = ALLOCATIONS.read();
    let (start, allocation) = allocations.range(..=address).next_back()?;
    let inside = address - start < allocation.size && allocation.context == context.cl().addr();
    inside.then_some((*start, *allocation))
}

/// Returns the shared virtual memory capabilities of a device, which are 0 before OpenCL 2.0.
fn capabilities(device: &Device) -> u64 {
    device.value(sys::CL_DEVICE_SVM_CAPABILITIES, 0).unwrap_or_default()
}

/// Allocates memory. Host and shared memory require a device with fine-grained buffers, because the host uses them
/// without mapping.
#[cold]
pub(crate) fn alloc(
    context: &Context,
    device: Option<&Device>,
    kind: UsmType,
    UsmRequest { size, alignment, .. }: UsmRequest<'_>,
) -> Result<NonNull<c_void>> {
    if size == 0 {
        return Err(Error::empty_allocation());
    }
    let devices = context.devices()?;
    let common = devices.iter().fold(u64::MAX, |common, device| common & capabilities(device));
    let fine = common & sys::CL_DEVICE_SVM_FINE_GRAIN_BUFFER != 0;
    let coarse = common & sys::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER != 0;
    if devices.is_empty() || !(fine || coarse && kind == UsmType::DEVICE) {
        return Err(Error::unsupported(
            "the driver has neither cl_intel_unified_shared_memory nor the shared virtual memory that this needs \
             (fine-grained for host and shared memory)",
        ));
    }
    let flags = sys::CL_MEM_READ_WRITE | if fine { sys::CL_MEM_SVM_FINE_GRAIN_BUFFER } else { 0 };
    let ptr =
        NonNull::new(cl().clSVMAlloc(context.cl(), flags, size, alignment)?.object).ok_or_else(|| {
            let text = format!("clSVMAlloc gave no memory for {size} bytes at alignment {alignment}");
            // The function has no error code. Alignments larger than that of any type are refused; any other failure is
            // a lack of memory.
            let code = if alignment > 128 { ErrorCode::INVALID_VALUE } else { ErrorCode::OUT_OF_RESOURCES };
            Error::new(code, text)
        })?;
    let device = device.map_or(0, |device| device.cl().addr());
    let allocation = SvmAllocation { size, kind, context: context.cl().addr(), device };
    ALLOCATIONS.write().insert(ptr.as_ptr().addr(), allocation);
    Ok(ptr)
}

/// Frees an allocation of a context.
#[cold]
pub(crate) fn free(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
    match find(context, ptr.as_ptr().addr()) {
        Some((start, _)) if start == ptr.as_ptr().addr() => {
            ALLOCATIONS.write().remove(&start);
            cl().clSVMFree(context.cl(), ptr.as_ptr())
        }
        _ => Err(Error::invalid_value(format!("{ptr:p} is not the start of an allocation of this context"))),
    }
}

/// Answers a query about an address. Every address is valid: memory that the plugin did not allocate has an unknown
/// type.
pub(crate) fn info(context: &Context, ptr: *const c_void, name: UsmAllocInfo, info: Info<'_>) -> Result<()> {
    let found = find(context, ptr.addr());
    match name {
        UsmAllocInfo::TYPE => info.value(found.map_or(UsmType::UNKNOWN, |(_, allocation)| allocation.kind)),
        UsmAllocInfo::BASE_PTR => info.value(found.map_or(0, |(start, _)| start)),
        UsmAllocInfo::SIZE => info.value(found.map_or(0, |(_, allocation)| allocation.size)),
        UsmAllocInfo::DEVICE => info.value(found.map_or(0, |(_, allocation)| allocation.device)),
        _ => Err(Error::unknown_query("allocation", name)),
    }
}

/// Returns the capabilities of a kind of USM on a device that has only shared virtual memory.
pub(crate) fn usm_capabilities(device: &Device, query: DeviceInfo) -> UsmCapabilities {
    usm_of_svm(capabilities(device), query)
}

/// Returns the answer of a device with these shared virtual memory capabilities to a query about USM.
fn usm_of_svm(svm: u64, query: DeviceInfo) -> UsmCapabilities {
    let has = |capability: u64| svm & capability != 0;
    let fine = has(sys::CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    let usable = match query {
        DeviceInfo::USM_DEVICE_SUPPORT => fine || has(sys::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
        DeviceInfo::USM_SYSTEM_SHARED_SUPPORT => has(sys::CL_DEVICE_SVM_FINE_GRAIN_SYSTEM),
        _ => fine,
    };
    match (usable, has(sys::CL_DEVICE_SVM_ATOMICS)) {
        (false, _) => UsmCapabilities::empty(),
        (true, false) => UsmCapabilities::ACCESS,
        (true, true) => UsmCapabilities::all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_usm_needs_its_kind_of_shared_virtual_memory() {
        const COARSE: u64 = sys::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
        const FINE: u64 = sys::CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
        const SYSTEM: u64 = sys::CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
        const ATOMICS: u64 = sys::CL_DEVICE_SVM_ATOMICS;
        // The texts are for device memory, for host and shared memory, and for system memory.
        for (svm, of_device, of_host, of_system) in [
            (0, "no", "no", "no"),
            (COARSE, "access", "no", "no"),
            (COARSE | ATOMICS, "all", "no", "no"),
            (COARSE | FINE, "access", "access", "no"),
            (FINE, "access", "access", "no"),
            (COARSE | FINE | ATOMICS, "all", "all", "no"),
            (COARSE | FINE | SYSTEM, "access", "access", "access"),
            (COARSE | FINE | SYSTEM | ATOMICS, "all", "all", "all"),
            (ATOMICS, "no", "no", "no"),
        ] {
            for (query, expected) in [
                (DeviceInfo::USM_DEVICE_SUPPORT, of_device),
                (DeviceInfo::USM_HOST_SUPPORT, of_host),
                (DeviceInfo::USM_SINGLE_SHARED_SUPPORT, of_host),
                (DeviceInfo::USM_SYSTEM_SHARED_SUPPORT, of_system),
            ] {
                let answer = match usm_of_svm(svm, query) {
                    none if none == UsmCapabilities::empty() => "no",
                    access if access == UsmCapabilities::ACCESS => "access",
                    all if all == UsmCapabilities::all() => "all",
                    other => panic!("{other:?}"),
                };
                assert_eq!(answer, expected, "{query:?} of {svm:#x}");
            }
        }
    }
}
