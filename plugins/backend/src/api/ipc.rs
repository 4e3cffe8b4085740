//! Memory and events that other processes use too.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;

use crate::New;
use crate::types::PhysicalMemHandle;

api! {
    /// Device memory of USM, physical memory and events, shared between processes.
    trait IpcApi {
        /// Bytes that name the memory at an address in other processes. They are valid as long as the memory is, and until they
        /// are put back.
        #[doc(alias = "urIPCGetMemHandleExp")]
        fn ipc_mem_handle(context: &Self::Context, address: NonNull<c_void>) -> Box<[u8]>;
        /// Puts such bytes back: they are not opened any more. Where they are open the memory stays in use.
        #[doc(alias = "urIPCPutMemHandleExp")]
        fn ipc_mem_put(context: &Self::Context, handle: &[u8]);
        /// The address here of memory that such bytes of another process name.
        #[doc(alias = "urIPCOpenMemHandleExp")]
        fn ipc_mem_open(context: &Self::Context, device: &Self::Device, handle: &[u8]) -> NonNull<c_void>;
        /// Ends the use of such an address.
        #[doc(alias = "urIPCCloseMemHandleExp")]
        fn ipc_mem_close(context: &Self::Context, address: NonNull<c_void>);
        /// Physical memory that other processes can open.
        fn ipc_physical_mem_create(context: &Self::Context, device: &Self::Device, size: usize) -> PhysicalMemHandle;
        /// Bytes that name such memory in other processes, as long as the descriptor is open.
        #[doc(alias = "urIPCGetPhysMemHandleExp")]
        fn ipc_physical_mem_handle(context: &Self::Context, memory: PhysicalMemHandle, size: usize)
            -> (Box<[u8]>, OwnedFd);
        /// The memory that such bytes name, and its size.
        #[doc(alias = "urIPCOpenPhysMemHandleExp")]
        fn ipc_physical_mem_open(context: &Self::Context, device: &Self::Device, handle: &[u8])
            -> (PhysicalMemHandle, usize);
        /// Bytes that name an event in other processes, as long as it is.
        #[doc(alias = "urIPCGetEventHandleExp")]
        fn ipc_event_handle(event: &Self::Event) -> Box<[u8]>;
        /// The event that such bytes name.
        #[doc(alias = "urIPCOpenEventHandleExp")]
        fn ipc_event_open(context: &Self::Context, handle: &[u8]) -> New<Self::Event>;
    }
}
