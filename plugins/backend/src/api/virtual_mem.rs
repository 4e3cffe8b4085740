//! Virtual and physical memory.

use core::ffi::c_void;
use core::ptr::NonNull;

use crate::types::*;

api! {
    /// Addresses that are reserved first and backed by physical memory later. Starts and sizes are multiples of the granularity.
    trait VirtualMemApi {
        /// Bytes that starts and sizes are multiples of, for memory of that size: as is `recommended`, or at least.
        #[doc(alias = "urVirtualMemGranularityGetInfo")]
        fn virtual_mem_granularity(context: &Self::Context, device: &Self::Device, size: usize, recommended: bool)
            -> usize;
        /// Reserves addresses, from `start` on if that is not null and they are free.
        #[doc(alias = "urVirtualMemReserve")]
        fn virtual_mem_reserve(context: &Self::Context, start: *const c_void, size: usize) -> NonNull<c_void>;
        /// Gives reserved addresses back.
        #[doc(alias = "urVirtualMemFree")]
        fn virtual_mem_free(context: &Self::Context, start: *const c_void, size: usize);
        /// Backs addresses with physical memory, from `offset` on.
        #[doc(alias = "urVirtualMemMap")]
        fn virtual_mem_map(context: &Self::Context, start: *const c_void, size: usize, memory: PhysicalMemHandle,
            offset: usize, access: VirtualMemAccess);
        /// Takes the physical memory away.
        #[doc(alias = "urVirtualMemUnmap")]
        fn virtual_mem_unmap(context: &Self::Context, start: *const c_void, size: usize);
        /// Sets what kernels may do there.
        #[doc(alias = "urVirtualMemSetAccess")]
        fn virtual_mem_set_access(context: &Self::Context, start: *const c_void, size: usize, access: VirtualMemAccess);
        /// What kernels may do there.
        #[doc(alias = "urVirtualMemGetInfo")]
        fn virtual_mem_access(context: &Self::Context, start: *const c_void, size: usize) -> VirtualMemAccess;
        /// Physical memory of a device.
        #[doc(alias = "urPhysicalMemCreate")]
        fn physical_mem_create(context: &Self::Context, device: &Self::Device, size: usize) -> PhysicalMemHandle;
        /// Gives physical memory back. It goes when nothing is mapped to it any more.
        fn physical_mem_destroy(context: &Self::Context, memory: PhysicalMemHandle);
    }
}
