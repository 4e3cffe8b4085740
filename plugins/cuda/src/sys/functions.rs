//! The driver's functions: found one by one, called as `Result`s. A missing one costs the feature, not the library.
//!
//! The types are cudarc's. Its functions are not used: a missing symbol ends the process, and they return an `enum`, which has no
//! room for a newer driver's codes.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use cudarc::driver::sys::*;
use sycl_pi_backend::Result;

use super::error::{Code, CodeTexts, MISSING, check};

/// Declares the table of functions. Each has a stand-in for where it is missing, so that calls need not look.
macro_rules! functions {
    ($(#[$doc:meta])* struct $table:ident { $($s:ident($($sa:ident: $st:ty),*);)* }) => {
        $(#[$doc])*
        #[allow(clippy::type_complexity, non_snake_case)]
        pub(crate) struct $table {
            $($s: unsafe extern "C" fn($($sa: $st),*) -> Code,)*
            missing: Vec<&'static str>,
        }

        #[allow(clippy::too_many_arguments, dead_code, non_snake_case)]
        impl $table {
            /// Finds each function by name; null where there is none.
            pub(super) fn resolve(find: impl Fn(&CStr) -> *const c_void) -> Self {
                /// # Safety
                ///
                /// `address` is null or a function of type `F`, which is pointer-sized.
                unsafe fn typed<F: Copy>(address: *const c_void) -> Option<F> {
                    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
                    // SAFETY: as demanded.
                    (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
                }
                let mut missing = Vec::new();
                let mut find = |name: &'static str| {
                    let address = CStr::from_bytes_with_nul(name.as_bytes()).map_or(std::ptr::null(), &find);
                    if address.is_null() {
                        missing.push(name.trim_end_matches('\0'));
                    }
                    address
                };
                // SAFETY: the types are those of the driver's header for these names.
                unsafe {
                    Self {
                        $($s: typed(find(concat!(stringify!($s), "\0"))).unwrap_or({
                            unsafe extern "C" fn stand_in($(_: $st),*) -> Code {
                                MISSING
                            }
                            stand_in
                        }),)*
                        missing,
                    }
                }
            }

            $(
                #[inline(always)]
                pub(crate) fn $s(&self, $($sa: $st),*) -> Result<()> {
                    // SAFETY: live objects and the caller's memory (see the module `sys`).
                    check(stringify!($s), unsafe { (self.$s)($($sa),*) })
                }
            )*

            /// Whether the driver has a function.
            pub(crate) fn has(&self, name: &str) -> bool {
                !self.missing.contains(&name)
            }
        }
    };
}

functions! {
    /// The functions of the driver library that the plugin calls.
    struct Cuda {
        cuInit(flags: c_uint);
        cuDriverGetVersion(version: *mut c_int);
        cuGetErrorName(code: Code, text: *mut *const c_char);
        cuGetErrorString(code: Code, text: *mut *const c_char);

        cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
        cuDeviceGetCount(count: *mut c_int);
        cuDeviceGetName(name: *mut c_char, size: c_int, device: CUdevice);
        cuDeviceGetUuid(uuid: *mut CUuuid, device: CUdevice);
        cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice);
        cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice);
        cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
        cuDeviceGetPCIBusId(text: *mut c_char, size: c_int, device: CUdevice);
        cuDeviceGetTexture1DLinearMaxWidth(width: *mut usize, format: CUarray_format, channels: c_uint, device: CUdevice);
        cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice);
        cuDeviceGetP2PAttribute(value: *mut c_int, attribute: CUdevice_P2PAttribute, device: CUdevice, peer: CUdevice);
        cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
        cuDevicePrimaryCtxRelease_v2(device: CUdevice);

        cuCtxGetCurrent(context: *mut CUcontext);
        cuCtxSetCurrent(context: CUcontext);
        cuCtxGetDevice(device: *mut CUdevice);
        cuCtxSynchronize();
        cuCtxDestroy_v2(context: CUcontext);
        cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
        cuCtxDisablePeerAccess(peer: CUcontext);

        cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int);
        cuStreamDestroy_v2(stream: CUstream);
        cuStreamSynchronize(stream: CUstream);
        cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
        cuStreamGetCtx(stream: CUstream, context: *mut CUcontext);
        cuStreamGetFlags(stream: CUstream, flags: *mut c_uint);
        cuStreamGetPriority(stream: CUstream, priority: *mut c_int);
        cuStreamWaitValue32(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint);
        cuStreamWaitValue32_v2(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint);
        cuStreamAttachMemAsync(stream: CUstream, pointer: CUdeviceptr, size: usize, flags: c_uint);
        cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void);

        cuEventCreate(event: *mut CUevent, flags: c_uint);
        cuEventDestroy_v2(event: CUevent);
        cuEventRecord(event: CUevent, stream: CUstream);
        cuEventSynchronize(event: CUevent);
        cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent);

        cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void);
        cuModuleUnload(module: CUmodule);
        cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
        cuModuleGetGlobal_v2(address: *mut CUdeviceptr, size: *mut usize, module: CUmodule, name: *const c_char);
        cuModuleGetFunctionCount(count: *mut c_uint, module: CUmodule);
        cuModuleEnumerateFunctions(functions: *mut CUfunction, count: c_uint, module: CUmodule);
        cuFuncGetName(name: *mut *const c_char, function: CUfunction);
        cuFuncGetParamInfo(function: CUfunction, index: usize, offset: *mut usize, size: *mut usize);
        cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction);
        cuFuncSetAttribute(function: CUfunction, attribute: CUfunction_attribute, value: c_int);
        cuFuncSetCacheConfig(function: CUfunction, config: CUfunc_cache);
        cuLinkCreate_v2(count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void, state: *mut CUlinkState);
        cuLinkAddData_v2(state: CUlinkState, kind: CUjitInputType, data: *mut c_void, size: usize, name: *const c_char, count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void);
        cuLinkComplete(state: CUlinkState, cubin: *mut *mut c_void, size: *mut usize);
        cuLinkDestroy(state: CUlinkState);
        cuOccupancyMaxPotentialBlockSize(min_grid: *mut c_int, block: *mut c_int, function: CUfunction, shared_of: CUoccupancyB2DSize, shared: usize, limit: c_int);
        cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: CUfunction, block: c_int, shared: usize);
        cuLaunchKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: CUstream, parameters: *mut *mut c_void, extra: *mut *mut c_void);
        cuLaunchCooperativeKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: CUstream, parameters: *mut *mut c_void);

        cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
        cuMemAlloc_v2(pointer: *mut CUdeviceptr, size: usize);
        cuMemAllocPitch_v2(pointer: *mut CUdeviceptr, pitch: *mut usize, width: usize, height: usize, element: c_uint);
        cuMemAllocManaged(pointer: *mut CUdeviceptr, size: usize, flags: c_uint);
        cuMemFree_v2(pointer: CUdeviceptr);
        cuMemHostAlloc(pointer: *mut *mut c_void, size: usize, flags: c_uint);
        cuMemFreeHost(pointer: *mut c_void);
        cuMemHostGetDevicePointer_v2(device: *mut CUdeviceptr, host: *mut c_void, flags: c_uint);
        cuMemHostRegister_v2(pointer: *mut c_void, size: usize, flags: c_uint);
        cuMemHostUnregister(pointer: *mut c_void);
        cuMemGetAddressRange_v2(base: *mut CUdeviceptr, size: *mut usize, pointer: CUdeviceptr);
        cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, size: usize, stream: CUstream);
        cuMemcpyHtoDAsync_v2(dst: CUdeviceptr, src: *const c_void, size: usize, stream: CUstream);
        cuMemcpyDtoHAsync_v2(dst: *mut c_void, src: CUdeviceptr, size: usize, stream: CUstream);
        cuMemcpyDtoDAsync_v2(dst: CUdeviceptr, src: CUdeviceptr, size: usize, stream: CUstream);
        cuMemcpyHtoD_v2(dst: CUdeviceptr, src: *const c_void, size: usize);
        cuMemcpyPeerAsync(dst: CUdeviceptr, dst_context: CUcontext, src: CUdeviceptr, src_context: CUcontext, size: usize, stream: CUstream);
        cuMemcpy3D_v2(copy: *const CUDA_MEMCPY3D);
        cuMemcpy3DAsync_v2(copy: *const CUDA_MEMCPY3D, stream: CUstream);
        cuMemsetD8Async(pointer: CUdeviceptr, value: u8, count: usize, stream: CUstream);
        cuMemsetD16Async(pointer: CUdeviceptr, value: u16, count: usize, stream: CUstream);
        cuMemsetD32Async(pointer: CUdeviceptr, value: c_uint, count: usize, stream: CUstream);
        cuMemsetD2D8Async(pointer: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize, stream: CUstream);
        cuMemsetD2D16Async(pointer: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize, stream: CUstream);
        cuMemsetD2D32Async(pointer: CUdeviceptr, pitch: usize, value: c_uint, width: usize, height: usize, stream: CUstream);
        cuMemPrefetchAsync(pointer: CUdeviceptr, size: usize, device: CUdevice, stream: CUstream);
        cuMemAdvise(pointer: CUdeviceptr, size: usize, advice: CUmem_advise, device: CUdevice);

        cuArray3DCreate_v2(array: *mut CUarray, desc: *const CUDA_ARRAY3D_DESCRIPTOR);
        cuArray3DGetDescriptor_v2(desc: *mut CUDA_ARRAY3D_DESCRIPTOR, array: CUarray);
        cuArrayDestroy(array: CUarray);
        cuMipmappedArrayCreate(array: *mut CUmipmappedArray, desc: *const CUDA_ARRAY3D_DESCRIPTOR, levels: c_uint);
        cuMipmappedArrayGetLevel(array: *mut CUarray, mipmap: CUmipmappedArray, level: c_uint);
        cuMipmappedArrayDestroy(array: CUmipmappedArray);
        cuSurfObjectCreate(surface: *mut CUsurfObject, desc: *const CUDA_RESOURCE_DESC);
        cuSurfObjectDestroy(surface: CUsurfObject);
        cuTexObjectCreate(texture: *mut CUtexObject, desc: *const CUDA_RESOURCE_DESC, sampling: *const CUDA_TEXTURE_DESC, view: *const CUDA_RESOURCE_VIEW_DESC);
        cuTexObjectDestroy(texture: CUtexObject);
        cuImportExternalMemory(memory: *mut CUexternalMemory, desc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC);
        cuExternalMemoryGetMappedMipmappedArray(array: *mut CUmipmappedArray, memory: CUexternalMemory, desc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC);
        cuDestroyExternalMemory(memory: CUexternalMemory);
        cuImportExternalSemaphore(semaphore: *mut CUexternalSemaphore, desc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC);
        cuDestroyExternalSemaphore(semaphore: CUexternalSemaphore);
        cuWaitExternalSemaphoresAsync(semaphores: *const CUexternalSemaphore, parameters: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, count: c_uint, stream: CUstream);
        cuSignalExternalSemaphoresAsync(semaphores: *const CUexternalSemaphore, parameters: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, count: c_uint, stream: CUstream);

        cuGraphCreate(graph: *mut CUgraph, flags: c_uint);
        cuGraphDestroy(graph: CUgraph);
        cuGraphAddKernelNode_v2(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, parameters: *const CUDA_KERNEL_NODE_PARAMS_v2);
        cuGraphAddMemcpyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, copy: *const CUDA_MEMCPY3D, context: CUcontext);
        cuGraphAddMemsetNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, parameters: *const CUDA_MEMSET_NODE_PARAMS, context: CUcontext);
        cuGraphAddEmptyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize);
        cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: u64);
        cuGraphExecDestroy(exec: CUgraphExec);
        cuGraphLaunch(exec: CUgraphExec, stream: CUstream);
    }
}

functions! {
    /// Questions whose answer is a code that is no error.
    struct Queries {
        cuStreamQuery(stream: CUstream);
        cuEventQuery(event: CUevent);
        cuPointerGetAttributes(count: c_uint, attributes: *mut CUpointer_attribute, values: *mut *mut c_void, pointer: CUdeviceptr);
        cuCtxEnablePeerAccess(peer: CUcontext, flags: c_uint);
    }
}

impl Queries {
    /// The answer of `cuStreamQuery`.
    pub(crate) fn stream(&self, stream: CUstream) -> Code {
        // SAFETY: a live stream.
        unsafe { (self.cuStreamQuery)(stream) }
    }

    /// Lets the current context reach the memory of another; also where it does already.
    pub(crate) fn enable_peer(&self, peer: CUcontext) -> Result<()> {
        const ALREADY_ENABLED: Code = 704;
        // SAFETY: a live context.
        match unsafe { (self.cuCtxEnablePeerAccess)(peer, 0) } {
            ALREADY_ENABLED => Ok(()),
            code => check("cuCtxEnablePeerAccess", code),
        }
    }

    /// The answer of `cuEventQuery`.
    pub(crate) fn event(&self, event: CUevent) -> Code {
        // SAFETY: a live event.
        unsafe { (self.cuEventQuery)(event) }
    }
}

impl Cuda {
    /// The functions for texts of codes.
    pub(super) fn code_texts(&self) -> CodeTexts {
        CodeTexts { name: self.cuGetErrorName, description: self.cuGetErrorString }
    }
}
