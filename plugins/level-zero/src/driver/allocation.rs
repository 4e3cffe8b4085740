//! Allocations, looked up by address.

use crate::sys::ze_device_handle_t;

/// The location of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemoryLocation {
    Host,
    Device(ze_device_handle_t),
    /// Shared memory of a device, or of all devices.
    Shared(ze_device_handle_t),
}

/// The allocation that contains an address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocation {
    pub(crate) base: usize,
    pub(crate) size: usize,
    pub(crate) location: MemoryLocation,
}
