//! Kernels and their arguments.

use core::ffi::{CStr, c_void};

use crate::types::*;

use crate::{Info, NdRange, New};

/// The value of a kernel argument.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// Bytes, copied by the call.
    Value(&'a [u8]),
    /// A number of bytes of local memory.
    Local(usize),
}

impl Arg<'_> {
    /// Returns the size, and the start or null for local memory, as C calls take them.
    #[inline(always)]
    pub fn raw_parts(&self) -> (usize, *const c_void) {
        match self {
            Arg::Value(bytes) => (bytes.len(), bytes.as_ptr().cast()),
            Arg::Local(size) => (*size, core::ptr::null()),
        }
    }
}

api! {
    /// Kernels.
    trait KernelApi {
        /// Creates the kernel with the given name from a built program.
        #[doc(alias = "piKernelCreate")]
        #[doc(alias = "urKernelCreate")]
        fn kernel_create(program: &Self::Program, name: &CStr) -> New<Self::Kernel>;
        /// Sets an argument to a value, or to local memory.
        #[doc(alias = "piKernelSetArg")]
        #[doc(alias = "urKernelSetArgLocal")]
        #[doc(alias = "urKernelSetArgValue")]
        fn kernel_set_arg(kernel: &Self::Kernel, index: u32, arg: Arg<'_>);
        /// Sets an argument to a USM address, which may be null.
        #[doc(alias = "piextKernelSetArgPointer")]
        #[doc(alias = "urKernelSetArgPointer")]
        fn kernel_set_arg_pointer(kernel: &Self::Kernel, index: u32, pointer: *const c_void);
        /// Sets an argument to a buffer or image, or to a null pointer for `None`. `access` describes how the kernel
        /// accesses it.
        #[doc(alias = "piextKernelSetArgMemObj")]
        #[doc(alias = "urKernelSetArgMemObj")]
        fn kernel_set_arg_mem_obj(kernel: &Self::Kernel, index: u32, access: Option<MemAccess>,
            mem: Option<&Self::Mem>);
        /// Sets an argument to a sampler.
        #[doc(alias = "piextKernelSetArgSampler")]
        #[doc(alias = "urKernelSetArgSampler")]
        fn kernel_set_arg_sampler(kernel: &Self::Kernel, index: u32, sampler: &Self::Sampler);
        /// Answers queries for name, arguments, context, program and attributes.
        #[doc(alias = "piKernelGetInfo")]
        #[doc(alias = "urKernelGetInfo")]
        fn kernel_info(kernel: &Self::Kernel, name: KernelInfo, info: Info<'_>);
        /// Answers queries for limits and sizes on a device.
        #[doc(alias = "piKernelGetGroupInfo")]
        #[doc(alias = "urKernelGetGroupInfo")]
        fn kernel_group_info(kernel: &Self::Kernel, device: &Self::Device, name: KernelGroupInfo,
            info: Info<'_>);
        /// Answers queries for sub-group sizes and counts, `uint32_t` each. `input` is a work-group size for queries
        /// that take one.
        #[doc(alias = "piKernelGetSubGroupInfo")]
        #[doc(alias = "urKernelGetSubGroupInfo")]
        fn kernel_sub_group_info(kernel: &Self::Kernel, device: &Self::Device, name: KernelSubGroupInfo,
            input: &[u8], info: Info<'_>);
        /// Sets indirect access to USM, the USM allocations used, or the cache configuration.
        #[doc(alias = "piKernelSetExecInfo")]
        #[doc(alias = "urKernelSetExecInfo")]
        fn kernel_set_exec_info(kernel: &Self::Kernel, name: KernelExecInfo, value: &[u8]);
        /// Creates a kernel from a native handle. If `owned`, the plugin takes over the caller's reference.
        #[doc(alias = "piextKernelCreateWithNativeHandle")]
        #[doc(alias = "urKernelCreateWithNativeHandle")]
        fn kernel_create_with_native_handle(native: NativeHandle, context: &Self::Context,
            program: Option<&Self::Program>, owned: bool) -> New<Self::Kernel>;
        /// Returns the driver's native handle.
        #[doc(alias = "piextKernelGetNativeHandle")]
        #[doc(alias = "urKernelGetNativeHandle")]
        fn kernel_native_handle(kernel: &Self::Kernel) -> NativeHandle;
        /// Returns the work-group size that a launch without one uses. It is 1 in dimensions beyond those of the range.
        #[doc(alias = "urKernelGetSuggestedLocalWorkSize")]
        #[doc(alias = "urKernelGetSuggestedLocalWorkSizeWithArgs")]
        fn kernel_suggest_local_work_size(kernel: &Self::Kernel, queue: &Self::Queue, range: NdRange<'_>) -> [usize; 3];
        /// Returns the largest number of work-groups that can run concurrently, for a cooperative launch.
        #[doc(alias = "piextKernelSuggestMaxCooperativeGroupCount")]
        #[doc(alias = "urKernelSuggestMaxCooperativeGroupCount")]
        #[doc(alias = "urKernelSuggestMaxCooperativeGroupCountExp")]
        fn kernel_suggest_max_cooperative_group_count(kernel: &Self::Kernel, local_work_size: usize,
            dynamic_shared_memory_size: usize) -> u32;
    }
}
