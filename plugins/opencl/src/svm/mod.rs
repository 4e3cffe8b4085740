//! USM on drivers that support only OpenCL 2.0's shared virtual memory.
//!
//! The driver cannot be queried about an address, so the plugin keeps a list of its allocations. Depending on the
//! driver's grain, allocations must be named to kernels ([`tell`]), or be taken from the host while a command runs
//! ([`lend`]).

mod allocations;
mod lent;

use core::ffi::c_void;
use std::ptr::NonNull;

use sycl_pi_backend::api::UsmRequest;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Info, Result};

use crate::sys::{self, Context, Device, Event, HasPlatform, Kernel, Queried, Queue, cl, raw_dependencies};
use allocations::{Grain, SvmAllocation, find, insert, remove};
pub(crate) use lent::{MemoryUse, borrow, lend};

/// Tells a kernel which memory it may use through pointers in memory: all allocations of its context, unless that is
/// what the driver assumes.
#[inline]
pub(crate) fn tell(kernel: &Kernel) -> Result<()> {
    if allocations::any_told() { tell_all(kernel) } else { Ok(()) }
}

#[cold]
fn tell_all(kernel: &Kernel) -> Result<()> {
    if kernel.driver()?.has_usm {
        return Ok(());
    }
    let told = allocations::blocks(kernel.context()?, |_, allocation| allocation.is_told());
    let starts: Vec<usize> = told.into_iter().map(|(start, _)| start).collect();
    if starts.is_empty() {
        return Ok(());
    }
    let (name, size) = (sys::CL_KERNEL_EXEC_INFO_SVM_PTRS, size_of_val(starts.as_slice()));
    cl().clSetKernelExecInfo(kernel.cl(), name, size, starts.as_ptr().cast())
}

/// Returns the shared virtual memory capabilities of a device, which are 0 before OpenCL 2.0.
fn capabilities(device: &Device) -> u64 {
    device.value(sys::CL_DEVICE_SVM_CAPABILITIES, 0).unwrap_or_default()
}

/// Allocates memory.
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
    let grain = Grain::of(common).filter(|_| !devices.is_empty()).ok_or_else(|| {
        Error::unsupported(
            "the driver has neither cl_intel_unified_shared_memory nor the shared virtual memory of OpenCL 2.0",
        )
    })?;
    let fine = if grain > Grain::Coarse { sys::CL_MEM_SVM_FINE_GRAIN_BUFFER } else { 0 };
    let flags = sys::CL_MEM_READ_WRITE | fine;
    let ptr =
        NonNull::new(cl().clSVMAlloc(context.cl(), flags, size, alignment)?.object).ok_or_else(|| {
            let text = format!("clSVMAlloc gave no memory for {size} bytes at alignment {alignment}");
            // The function has no error code. Alignments larger than that of any type are refused; any other failure is
            // a lack of memory.
            let code = if alignment > 128 { ErrorCode::INVALID_VALUE } else { ErrorCode::OUT_OF_RESOURCES };
            Error::new(code, text)
        })?;
    let device = device.map_or(0, |device| device.cl().addr());
    let allocation = SvmAllocation { size, kind, context: context.cl().addr(), device, grain };
    if allocation.is_mapped() {
        lent::map_first(context, ptr, size).inspect_err(|_| {
            let _ = cl().clSVMFree(context.cl(), ptr.as_ptr());
        })?;
    }
    sys::note_block(context);
    insert(ptr.as_ptr().expose_provenance(), allocation);
    Ok(ptr)
}

/// Frees an allocation of a context.
#[cold]
pub(crate) fn free(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
    match find(context, ptr.as_ptr().addr()) {
        Some((start, _)) if start == ptr.as_ptr().addr() => {
            remove(start);
            sys::free_late(context, ptr)
        }
        _ => Err(Error::invalid_value(format!("{ptr:p} is not the start of an allocation of this context"))),
    }
}

/// Enqueues a copy.
#[cold]
pub(crate) fn copy(
    queue: &Queue,
    blocking: bool,
    (dst, src): (*mut c_void, *const c_void),
    size: usize,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    let uses = MemoryUse::From([dst.addr(), src.addr()]);
    lend(queue, uses, blocking, dependencies, |blocking, mut dependencies| {
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        sys::blocking(queue, blocking, event, |blocking, event| {
            cl().clEnqueueSVMMemcpy(queue.cl(), blocking, dst, src, size, n, waits, event)
        })
    })
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
    let atomics = svm & sys::CL_DEVICE_SVM_ATOMICS != 0;
    let needed = match query {
        DeviceInfo::USM_DEVICE_SUPPORT
        | DeviceInfo::USM_HOST_SUPPORT
        | DeviceInfo::USM_SINGLE_SHARED_SUPPORT => Grain::Coarse,
        DeviceInfo::USM_SYSTEM_SHARED_SUPPORT => Grain::System,
        _ => Grain::Fine,
    };
    match Grain::of(svm) {
        Some(grain) if grain < needed => UsmCapabilities::empty(),
        None => UsmCapabilities::empty(),
        // The host waits for the commands that use such memory.
        Some(Grain::Coarse) if query != DeviceInfo::USM_DEVICE_SUPPORT => UsmCapabilities::ACCESS,
        Some(_) if atomics => UsmCapabilities::all(),
        Some(_) => UsmCapabilities::ACCESS,
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
        // The texts are for device memory, for host and shared memory, for shared memory of another device, and for
        // system memory.
        for (svm, of_device, of_host, of_others, of_system) in [
            (0, "no", "no", "no", "no"),
            (COARSE, "access", "access", "no", "no"),
            (COARSE | ATOMICS, "all", "access", "no", "no"),
            (COARSE | FINE, "access", "access", "access", "no"),
            (FINE, "access", "access", "access", "no"),
            (COARSE | FINE | ATOMICS, "all", "all", "all", "no"),
            (COARSE | FINE | SYSTEM, "access", "access", "access", "access"),
            (COARSE | FINE | SYSTEM | ATOMICS, "all", "all", "all", "all"),
            (ATOMICS, "no", "no", "no", "no"),
        ] {
            for (query, expected) in [
                (DeviceInfo::USM_DEVICE_SUPPORT, of_device),
                (DeviceInfo::USM_HOST_SUPPORT, of_host),
                (DeviceInfo::USM_SINGLE_SHARED_SUPPORT, of_host),
                (DeviceInfo::USM_CROSS_SHARED_SUPPORT, of_others),
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
