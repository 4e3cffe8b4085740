//! File descriptors of exportable memory.

use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr::null_mut;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::calls::ze;
use super::memory::Address;
use level_zero_sys::*;

/// Creates a file descriptor of memory that was allocated to be exported as `kind`.
pub(crate) fn descriptor_of(
    context: ze_context_handle_t,
    start: Address,
    kind: ze_external_memory_type_flags_t,
) -> Result<OwnedFd> {
    let mut export = ze_external_memory_export_fd_t { flags: kind, fd: -1, ..Default::default() };
    let mut properties =
        ze_memory_allocation_properties_t { pNext: (&raw mut export).cast(), ..Default::default() };
    ze()?.zeMemGetAllocProperties(context, start.get(), &mut properties, null_mut())?;
    if export.fd < 0 {
        let at = start.number();
        let text = format!("zeMemGetAllocProperties gave no file descriptor of {at:#x}");
        return Err(Error::new(ErrorCode::OUT_OF_RESOURCES, text));
    }
    // SAFETY: the driver created it for this caller.
    Ok(unsafe { OwnedFd::from_raw_fd(export.fd) })
}
