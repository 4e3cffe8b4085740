//! What is found in a program by a symbol's name: functions, variables, host pipes.

use core::ffi::{CStr, c_void};

use crate::Dependencies;

api! {
    /// Symbols of built programs.
    trait SymbolApi {
        /// Address of a function on the device.
        #[doc(alias = "piextGetDeviceFunctionPointer")]
        #[doc(alias = "urProgramGetFunctionPointer")]
        fn device_function_pointer(device: &Self::Device, program: &Self::Program, name: &CStr) -> u64;
        /// Size in bytes and address of a variable on the device.
        #[doc(alias = "piextGetGlobalVariablePointer")]
        #[doc(alias = "urProgramGetGlobalVariablePointer")]
        fn global_variable_pointer(device: &Self::Device, program: &Self::Program, name: &CStr)
            -> (usize, *mut c_void);
        /// Device variable to host: `count` bytes from `offset` on.
        #[doc(alias = "piextEnqueueDeviceGlobalVariableRead")]
        #[doc(alias = "piextEnqueueDeviceVariableRead")]
        #[doc(alias = "urEnqueueDeviceGlobalVariableRead")]
        fn enqueue_device_global_variable_read(queue: &Self::Queue, program: &Self::Program, name: &CStr,
            blocking: bool, count: usize, offset: usize, dst: *mut c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Host to device variable.
        #[doc(alias = "piextEnqueueDeviceGlobalVariableWrite")]
        #[doc(alias = "piextEnqueueDeviceVariableWrite")]
        #[doc(alias = "urEnqueueDeviceGlobalVariableWrite")]
        fn enqueue_device_global_variable_write(queue: &Self::Queue, program: &Self::Program, name: &CStr,
            blocking: bool, count: usize, offset: usize, src: *const c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Takes `size` bytes out of a host pipe.
        #[doc(alias = "piextEnqueueReadHostPipe")]
        #[doc(alias = "urEnqueueReadHostPipe")]
        fn enqueue_read_host_pipe(queue: &Self::Queue, program: &Self::Program, pipe: &CStr, blocking: bool,
            ptr: *mut c_void, size: usize, dependencies: Dependencies<'_, Self::Event>);
        /// Puts `size` bytes into a host pipe.
        #[doc(alias = "piextEnqueueWriteHostPipe")]
        #[doc(alias = "urEnqueueWriteHostPipe")]
        fn enqueue_write_host_pipe(queue: &Self::Queue, program: &Self::Program, pipe: &CStr, blocking: bool,
            ptr: *mut c_void, size: usize, dependencies: Dependencies<'_, Self::Event>);
    }
}
