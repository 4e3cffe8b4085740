//! Memory that other processes use too.

use core::ffi::c_void;
use core::ptr::NonNull;

api! {
    /// Device memory of USM, shared between processes.
    trait IpcApi {
        /// Bytes that name the memory at an address in other processes. They are valid as long as the memory is, and until they
        /// are put back.
        fn ipc_mem_handle(context: &Self::Context, address: NonNull<c_void>) -> Box<[u8]>;
        /// Puts such bytes back: they are not opened any more. Where they are open the memory stays in use.
        fn ipc_mem_put(context: &Self::Context, handle: &[u8]);
        /// The address here of memory that such bytes of another process name.
        fn ipc_mem_open(context: &Self::Context, device: &Self::Device, handle: &[u8]) -> NonNull<c_void>;
        /// Ends the use of such an address.
        fn ipc_mem_close(context: &Self::Context, address: NonNull<c_void>);
    }
}
