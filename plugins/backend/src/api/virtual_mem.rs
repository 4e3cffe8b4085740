//! Virtual and physical memory.

use core::ffi::c_void;
use core::ptr::NonNull;

use crate::types::*;

api! {
    /// Address ranges that are reserved first and backed by physical memory later. Starts and sizes are multiples of
    /// the granularity.
    trait VirtualMemApi {
        /// Returns the granularity in bytes for memory of the given size: the recommended one if `recommended`, or else
        /// the minimum.
        #[doc(alias = "urVirtualMemGranularityGetInfo")]
        fn virtual_mem_granularity(context: &Self::Context, device: &Self::Device, size: usize, recommended: bool)
            -> usize;
        /// Reserves an address range, starting at `start` if that is not null and the range is free.
        #[doc(alias = "urVirtualMemReserve")]
        fn virtual_mem_reserve(context: &Self::Context, start: *const c_void, size: usize) -> NonNull<c_void>;
        /// Frees a reserved range.
        #[doc(alias = "urVirtualMemFree")]
        fn virtual_mem_free(context: &Self::Context, start: *const c_void, size: usize);
        /// Maps physical memory, starting at `offset`, to a range.
        #[doc(alias = "urVirtualMemMap")]
        fn virtual_mem_map(context: &Self::Context, start: *const c_void, size: usize, memory: PhysicalMemHandle,
            offset: usize, access: VirtualMemAccess);
        /// Unmaps physical memory from a range.
        #[doc(alias = "urVirtualMemUnmap")]
        fn virtual_mem_unmap(context: &Self::Context, start: *const c_void, size: usize);
        /// Sets the access that kernels have to a range.
        #[doc(alias = "urVirtualMemSetAccess")]
        fn virtual_mem_set_access(context: &Self::Context, start: *const c_void, size: usize, access: VirtualMemAccess);
        /// Returns the access that kernels have to a range.
        #[doc(alias = "urVirtualMemGetInfo")]
        fn virtual_mem_access(context: &Self::Context, start: *const c_void, size: usize) -> VirtualMemAccess;
        /// Creates physical memory of a device.
        #[doc(alias = "urPhysicalMemCreate")]
        fn physical_mem_create(context: &Self::Context, device: &Self::Device, size: usize) -> PhysicalMemHandle;
        /// Releases physical memory. It is freed when nothing is mapped to it any more.
        fn physical_mem_destroy(context: &Self::Context, memory: PhysicalMemHandle);
    }
}
