//! What is known of memory by its address.

use crate::sys::ze_device_handle_t;

/// Where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemoryLocation {
    Host,
    Device(ze_device_handle_t),
    /// Of a device, or of all.
    Shared(ze_device_handle_t),
}

/// An allocation that holds some address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocation {
    pub(crate) base: usize,
    pub(crate) size: usize,
    pub(crate) location: MemoryLocation,
}
