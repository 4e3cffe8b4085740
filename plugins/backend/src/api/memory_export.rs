//! Device memory that other interfaces can import.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;

api! {
    /// Device memory of USM of which file descriptors can be had. It has a free of its own.
    trait MemoryExportApi {
        /// Allocates it. `alignment` is 0 or a power of two.
        #[doc(alias = "urMemoryExportAllocExportableMemoryExp")]
        fn exportable_mem_alloc(context: &Self::Context, device: &Self::Device, alignment: usize, size: usize)
            -> NonNull<c_void>;
        /// Frees it. File descriptors of it keep its bytes.
        #[doc(alias = "urMemoryExportFreeExportableMemoryExp")]
        fn exportable_mem_free(context: &Self::Context, device: &Self::Device, address: NonNull<c_void>);
        /// A new file descriptor of the memory that starts at an address.
        #[doc(alias = "urMemoryExportExportMemoryHandleExp")]
        fn exportable_mem_fd(context: &Self::Context, device: &Self::Device, address: NonNull<c_void>) -> OwnedFd;
    }
}
