//! Functions, variables and host pipes, looked up in a program by the name of a symbol.

use core::ffi::{CStr, c_void};

use crate::Dependencies;

api! {
    /// Symbols of built programs.
    trait SymbolApi {
        /// Returns the device address of a function.
        #[doc(alias = "piextGetDeviceFunctionPointer")]
        #[doc(alias = "urProgramGetFunctionPointer")]
        fn device_function_pointer(device: &Self::Device, program: &Self::Program, name: &CStr) -> u64;
        /// Returns the size in bytes and the address of a variable on the device.
        #[doc(alias = "piextGetGlobalVariablePointer")]
        #[doc(alias = "urProgramGetGlobalVariablePointer")]
        fn global_variable_pointer(device: &Self::Device, program: &Self::Program, name: &CStr)
            -> (usize, *mut c_void);
        /// Enqueues a read of `count` bytes of a device variable from `offset` on to the host.
        #[doc(alias = "piextEnqueueDeviceGlobalVariableRead")]
        #[doc(alias = "piextEnqueueDeviceVariableRead")]
        #[doc(alias = "urEnqueueDeviceGlobalVariableRead")]
        fn enqueue_device_global_variable_read(queue: &Self::Queue, program: &Self::Program, name: &CStr,
            blocking: bool, count: usize, offset: usize, dst: *mut c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a write from the host to a device variable.
        #[doc(alias = "piextEnqueueDeviceGlobalVariableWrite")]
        #[doc(alias = "piextEnqueueDeviceVariableWrite")]
        #[doc(alias = "urEnqueueDeviceGlobalVariableWrite")]
        fn enqueue_device_global_variable_write(queue: &Self::Queue, program: &Self::Program, name: &CStr,
            blocking: bool, count: usize, offset: usize, src: *const c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a read of `size` bytes from a host pipe.
        #[doc(alias = "piextEnqueueReadHostPipe")]
        #[doc(alias = "urEnqueueReadHostPipe")]
        fn enqueue_read_host_pipe(queue: &Self::Queue, program: &Self::Program, pipe: &CStr, blocking: bool,
            ptr: *mut c_void, size: usize, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a write of `size` bytes to a host pipe.
        #[doc(alias = "piextEnqueueWriteHostPipe")]
        #[doc(alias = "urEnqueueWriteHostPipe")]
        fn enqueue_write_host_pipe(queue: &Self::Queue, program: &Self::Program, pipe: &CStr, blocking: bool,
            ptr: *mut c_void, size: usize, dependencies: Dependencies<'_, Self::Event>);
    }
}
