//! File descriptors of physical memory.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use cudarc::driver::sys::{CUmemAllocationHandleType, CUmemGenericAllocationHandle};
use sycl_pi_backend::Result;

use super::library::cuda;

const KIND: CUmemAllocationHandleType = CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// Creates a file descriptor of exportable physical memory. A context must be current.
pub(crate) fn descriptor_of(memory: CUmemGenericAllocationHandle) -> Result<OwnedFd> {
    let mut fd: c_int = -1;
    cuda()?.cuMemExportToShareableHandle((&raw mut fd).cast(), memory, KIND, 0)?;
    // SAFETY: the driver created it for this caller.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Returns the physical memory behind a file descriptor. A context must be current.
pub(crate) fn memory_behind(descriptor: &OwnedFd) -> Result<CUmemGenericAllocationHandle> {
    let mut memory = 0;
    // The driver takes the number itself where other systems pass an address.
    let number = std::ptr::without_provenance_mut::<c_void>(descriptor.as_raw_fd() as usize);
    cuda()?.cuMemImportFromShareableHandle(&mut memory, number, KIND)?;
    Ok(memory)
}
