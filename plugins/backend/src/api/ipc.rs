//! Memory and events shared with other processes.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;

use crate::New;
use crate::types::PhysicalMemHandle;

api! {
    /// USM device memory, physical memory and events that processes share.
    trait IpcApi {
        /// Returns bytes that identify the memory at an address in other processes. They are valid as long as the
        /// memory exists and until they are put back.
        #[doc(alias = "urIPCGetMemHandleExp")]
        fn ipc_mem_handle(context: &Self::Context, address: NonNull<c_void>) -> Box<[u8]>;
        /// Puts such bytes back, after which they can no longer be opened. Processes that have opened them keep the
        /// memory in use.
        #[doc(alias = "urIPCPutMemHandleExp")]
        fn ipc_mem_put(context: &Self::Context, handle: &[u8]);
        /// Opens memory identified by such bytes from another process, and returns its address in this one.
        #[doc(alias = "urIPCOpenMemHandleExp")]
        fn ipc_mem_open(context: &Self::Context, device: &Self::Device, handle: &[u8]) -> NonNull<c_void>;
        /// Closes memory at such an address.
        #[doc(alias = "urIPCCloseMemHandleExp")]
        fn ipc_mem_close(context: &Self::Context, address: NonNull<c_void>);
        /// Creates physical memory that other processes can open.
        fn ipc_physical_mem_create(context: &Self::Context, device: &Self::Device, size: usize) -> PhysicalMemHandle;
        /// Returns bytes that identify such memory in other processes, as long as the descriptor is open.
        #[doc(alias = "urIPCGetPhysMemHandleExp")]
        fn ipc_physical_mem_handle(context: &Self::Context, memory: PhysicalMemHandle, size: usize)
            -> (Box<[u8]>, OwnedFd);
        /// Opens the memory that such bytes identify, and returns it with its size.
        #[doc(alias = "urIPCOpenPhysMemHandleExp")]
        fn ipc_physical_mem_open(context: &Self::Context, device: &Self::Device, handle: &[u8])
            -> (PhysicalMemHandle, usize);
        /// Returns bytes that identify an event in other processes, as long as the event exists.
        #[doc(alias = "urIPCGetEventHandleExp")]
        fn ipc_event_handle(event: &Self::Event) -> Box<[u8]>;
        /// Opens the event that such bytes identify.
        #[doc(alias = "urIPCOpenEventHandleExp")]
        fn ipc_event_open(context: &Self::Context, handle: &[u8]) -> New<Self::Event>;
    }
}
