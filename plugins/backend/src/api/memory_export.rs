//! Device memory that other interfaces can import.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;

api! {
    /// USM device memory that can be exported as file descriptors. It is freed by a separate function.
    trait MemoryExportApi {
        /// Allocates exportable memory. `alignment` is 0 or a power of two.
        #[doc(alias = "urMemoryExportAllocExportableMemoryExp")]
        fn exportable_mem_alloc(context: &Self::Context, device: &Self::Device, alignment: usize, size: usize)
            -> NonNull<c_void>;
        /// Frees exportable memory. File descriptors of it keep its contents.
        #[doc(alias = "urMemoryExportFreeExportableMemoryExp")]
        fn exportable_mem_free(context: &Self::Context, device: &Self::Device, address: NonNull<c_void>);
        /// Exports the memory that starts at an address as a new file descriptor.
        #[doc(alias = "urMemoryExportExportMemoryHandleExp")]
        fn exportable_mem_fd(context: &Self::Context, device: &Self::Device, address: NonNull<c_void>) -> OwnedFd;
    }
}
