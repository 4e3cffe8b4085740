//! The driver's functions, looked up one by one and called as functions that return `Result`. If one is missing, only
//! its feature is unavailable, not the library.
//!
//! The types are those of cudarc. Its functions are not used, because a missing symbol terminates the process, and
//! because they return an `enum`, which cannot represent a newer driver's codes.

use std::ffi::{c_char, c_int, c_uint, c_void};

use cudarc::driver::sys::*;
use sycl_pi_backend::Result;
use sycl_pi_dynload::{FromDriver, driver_functions};

use super::code::Code;
use super::error::{CodeTexts, MISSING, check, missing};

driver_functions! {
    /// The driver functions whose result is only success or an error.
    pub(crate) struct CudaFunctions {
        fn cuInit(flags: c_uint) -> Code;
        fn cuDriverGetVersion(version: *mut c_int) -> Code;
        fn cuGetErrorName(code: Code, text: *mut *const c_char) -> Code;
        fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Code;

        fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) -> Code;
        fn cuDeviceGetCount(count: *mut c_int) -> Code;
        fn cuDeviceGetName(name: *mut c_char, size: c_int, device: CUdevice) -> Code;
        fn cuDeviceGetUuid(uuid: *mut CUuuid, device: CUdevice) -> Code;
        fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice) -> Code;
        fn cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice) -> Code;
        fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: CUdevice) -> Code;
        fn cuDeviceGetPCIBusId(text: *mut c_char, size: c_int, device: CUdevice) -> Code;
        fn cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice) -> Code;
        fn cuDeviceGetP2PAttribute(value: *mut c_int, attribute: CUdevice_P2PAttribute, device: CUdevice, peer: CUdevice) -> Code;
        fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice) -> Code;
        fn cuDevicePrimaryCtxRelease_v2(device: CUdevice) -> Code;

        fn cuCtxGetCurrent(context: *mut CUcontext) -> Code;
        fn cuCtxSetCurrent(context: CUcontext) -> Code;
        fn cuCtxGetDevice(device: *mut CUdevice) -> Code;
        fn cuCtxSynchronize() -> Code;
        fn cuCtxDestroy_v2(context: CUcontext) -> Code;
        fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Code;
        fn cuCtxDisablePeerAccess(peer: CUcontext) -> Code;

        fn cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int) -> Code;
        fn cuStreamDestroy_v2(stream: CUstream) -> Code;
        fn cuStreamSynchronize(stream: CUstream) -> Code;
        fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) -> Code;
        fn cuStreamGetCtx(stream: CUstream, context: *mut CUcontext) -> Code;
        fn cuStreamWaitValue32(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint) -> Code;
        fn cuStreamWaitValue32_v2(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint) -> Code;
        fn cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void) -> Code;

        fn cuEventCreate(event: *mut CUevent, flags: c_uint) -> Code;
        fn cuEventDestroy_v2(event: CUevent) -> Code;
        fn cuEventRecord(event: CUevent, stream: CUstream) -> Code;
        fn cuEventSynchronize(event: CUevent) -> Code;
        fn cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent) -> Code;

        fn cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void) -> Code;
        fn cuModuleUnload(module: CUmodule) -> Code;
        fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char) -> Code;
        fn cuModuleGetGlobal_v2(address: *mut CUdeviceptr, size: *mut usize, module: CUmodule, name: *const c_char) -> Code;
        fn cuModuleGetFunctionCount(count: *mut c_uint, module: CUmodule) -> Code;
        fn cuModuleEnumerateFunctions(functions: *mut CUfunction, count: c_uint, module: CUmodule) -> Code;
        fn cuFuncGetName(name: *mut *const c_char, function: CUfunction) -> Code;
        fn cuFuncGetParamInfo(function: CUfunction, index: usize, offset: *mut usize, size: *mut usize) -> Code;
        fn cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction) -> Code;
        fn cuFuncSetAttribute(function: CUfunction, attribute: CUfunction_attribute, value: c_int) -> Code;
        fn cuFuncSetCacheConfig(function: CUfunction, config: CUfunc_cache) -> Code;
        fn cuLinkCreate_v2(count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void, state: *mut CUlinkState) -> Code;
        fn cuLinkAddData_v2(state: CUlinkState, kind: CUjitInputType, data: *mut c_void, size: usize, name: *const c_char, count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void) -> Code;
        fn cuLinkComplete(state: CUlinkState, cubin: *mut *mut c_void, size: *mut usize) -> Code;
        fn cuLinkDestroy(state: CUlinkState) -> Code;
        fn cuOccupancyMaxPotentialBlockSize(min_grid: *mut c_int, block: *mut c_int, function: CUfunction, shared_of: CUoccupancyB2DSize, shared: usize, limit: c_int) -> Code;
        fn cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: CUfunction, block: c_int, shared: usize) -> Code;
        fn cuLaunchKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: CUstream, parameters: *mut *mut c_void, extra: *mut *mut c_void) -> Code;
        fn cuLaunchKernelEx(config: *const CUlaunchConfig, function: CUfunction, parameters: *mut *mut c_void, extra: *mut *mut c_void) -> Code;
        fn cuLaunchCooperativeKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: CUstream, parameters: *mut *mut c_void) -> Code;

        fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code;
        fn cuMemAlloc_v2(pointer: *mut CUdeviceptr, size: usize) -> Code;
        fn cuMemAllocPitch_v2(pointer: *mut CUdeviceptr, pitch: *mut usize, width: usize, height: usize, element: c_uint) -> Code;
        fn cuMemAllocManaged(pointer: *mut CUdeviceptr, size: usize, flags: c_uint) -> Code;
        fn cuMemFree_v2(pointer: CUdeviceptr) -> Code;
        fn cuMemHostAlloc(pointer: *mut *mut c_void, size: usize, flags: c_uint) -> Code;
        fn cuMemFreeHost(pointer: *mut c_void) -> Code;
        fn cuMemHostGetDevicePointer_v2(device: *mut CUdeviceptr, host: *mut c_void, flags: c_uint) -> Code;
        fn cuMemHostRegister_v2(pointer: *mut c_void, size: usize, flags: c_uint) -> Code;
        fn cuMemHostUnregister(pointer: *mut c_void) -> Code;
        fn cuMemGetAddressRange_v2(base: *mut CUdeviceptr, size: *mut usize, pointer: CUdeviceptr) -> Code;
        fn cuPointerGetAttributes(count: c_uint, attributes: *mut CUpointer_attribute, values: *mut *mut c_void, pointer: CUdeviceptr) -> Code;
        fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, size: usize, stream: CUstream) -> Code;
        fn cuMemcpyHtoDAsync_v2(dst: CUdeviceptr, src: *const c_void, size: usize, stream: CUstream) -> Code;
        fn cuMemcpyDtoHAsync_v2(dst: *mut c_void, src: CUdeviceptr, size: usize, stream: CUstream) -> Code;
        fn cuMemcpyDtoDAsync_v2(dst: CUdeviceptr, src: CUdeviceptr, size: usize, stream: CUstream) -> Code;
        fn cuMemcpyHtoD_v2(dst: CUdeviceptr, src: *const c_void, size: usize) -> Code;
        fn cuMemcpyPeerAsync(dst: CUdeviceptr, dst_context: CUcontext, src: CUdeviceptr, src_context: CUcontext, size: usize, stream: CUstream) -> Code;
        fn cuMemcpy3D_v2(copy: *const CUDA_MEMCPY3D) -> Code;
        fn cuMemcpy3DAsync_v2(copy: *const CUDA_MEMCPY3D, stream: CUstream) -> Code;
        fn cuMemsetD8Async(pointer: CUdeviceptr, value: u8, count: usize, stream: CUstream) -> Code;
        fn cuMemsetD16Async(pointer: CUdeviceptr, value: u16, count: usize, stream: CUstream) -> Code;
        fn cuMemsetD32Async(pointer: CUdeviceptr, value: c_uint, count: usize, stream: CUstream) -> Code;
        fn cuMemsetD2D8Async(pointer: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize, stream: CUstream) -> Code;
        fn cuMemsetD2D16Async(pointer: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize, stream: CUstream) -> Code;
        fn cuMemsetD2D32Async(pointer: CUdeviceptr, pitch: usize, value: c_uint, width: usize, height: usize, stream: CUstream) -> Code;
        fn cuMemPrefetchAsync(pointer: CUdeviceptr, size: usize, device: CUdevice, stream: CUstream) -> Code;
        fn cuMemGetAllocationGranularity(granularity: *mut usize, properties: *const CUmemAllocationProp, option: CUmemAllocationGranularity_flags) -> Code;
        fn cuMemAddressReserve(pointer: *mut CUdeviceptr, size: usize, alignment: usize, address: CUdeviceptr, flags: u64) -> Code;
        fn cuMemAddressFree(pointer: CUdeviceptr, size: usize) -> Code;
        fn cuMemCreate(memory: *mut CUmemGenericAllocationHandle, size: usize, properties: *const CUmemAllocationProp, flags: u64) -> Code;
        fn cuMemRelease(memory: CUmemGenericAllocationHandle) -> Code;
        fn cuMemMap(pointer: CUdeviceptr, size: usize, offset: usize, memory: CUmemGenericAllocationHandle, flags: u64) -> Code;
        fn cuMemUnmap(pointer: CUdeviceptr, size: usize) -> Code;
        fn cuMemSetAccess(pointer: CUdeviceptr, size: usize, access: *const CUmemAccessDesc, count: usize) -> Code;
        fn cuMemGetAccess(flags: *mut u64, location: *const CUmemLocation, pointer: CUdeviceptr) -> Code;
        fn cuMemExportToShareableHandle(handle: *mut c_void, memory: CUmemGenericAllocationHandle, kind: CUmemAllocationHandleType, flags: u64) -> Code;
        fn cuMemImportFromShareableHandle(memory: *mut CUmemGenericAllocationHandle, handle: *mut c_void, kind: CUmemAllocationHandleType) -> Code;
        fn cuIpcGetMemHandle(handle: *mut CUipcMemHandle, pointer: CUdeviceptr) -> Code;
        fn cuIpcOpenMemHandle_v2(pointer: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint) -> Code;
        fn cuIpcCloseMemHandle(pointer: CUdeviceptr) -> Code;
        fn cuIpcGetEventHandle(handle: *mut CUipcEventHandle, event: CUevent) -> Code;
        fn cuIpcOpenEventHandle(event: *mut CUevent, handle: CUipcEventHandle) -> Code;
        fn cuMemAdvise(pointer: CUdeviceptr, size: usize, advice: CUmem_advise, device: CUdevice) -> Code;

        fn cuArray3DCreate_v2(array: *mut CUarray, desc: *const CUDA_ARRAY3D_DESCRIPTOR) -> Code;
        fn cuArray3DGetDescriptor_v2(desc: *mut CUDA_ARRAY3D_DESCRIPTOR, array: CUarray) -> Code;
        fn cuArrayDestroy(array: CUarray) -> Code;
        fn cuMipmappedArrayCreate(array: *mut CUmipmappedArray, desc: *const CUDA_ARRAY3D_DESCRIPTOR, levels: c_uint) -> Code;
        fn cuMipmappedArrayGetLevel(array: *mut CUarray, mipmap: CUmipmappedArray, level: c_uint) -> Code;
        fn cuMipmappedArrayDestroy(array: CUmipmappedArray) -> Code;
        fn cuSurfObjectCreate(surface: *mut CUsurfObject, desc: *const CUDA_RESOURCE_DESC) -> Code;
        fn cuSurfObjectDestroy(surface: CUsurfObject) -> Code;
        fn cuTexObjectCreate(texture: *mut CUtexObject, desc: *const CUDA_RESOURCE_DESC, sampling: *const CUDA_TEXTURE_DESC, view: *const CUDA_RESOURCE_VIEW_DESC) -> Code;
        fn cuTexObjectDestroy(texture: CUtexObject) -> Code;
        fn cuImportExternalMemory(memory: *mut CUexternalMemory, desc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC) -> Code;
        fn cuExternalMemoryGetMappedMipmappedArray(array: *mut CUmipmappedArray, memory: CUexternalMemory, desc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC) -> Code;
        fn cuExternalMemoryGetMappedBuffer(address: *mut CUdeviceptr, memory: CUexternalMemory, desc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC) -> Code;
        fn cuDestroyExternalMemory(memory: CUexternalMemory) -> Code;
        fn cuImportExternalSemaphore(semaphore: *mut CUexternalSemaphore, desc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) -> Code;
        fn cuDestroyExternalSemaphore(semaphore: CUexternalSemaphore) -> Code;
        fn cuWaitExternalSemaphoresAsync(semaphores: *const CUexternalSemaphore, parameters: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, count: c_uint, stream: CUstream) -> Code;
        fn cuSignalExternalSemaphoresAsync(semaphores: *const CUexternalSemaphore, parameters: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, count: c_uint, stream: CUstream) -> Code;

        fn cuGraphCreate(graph: *mut CUgraph, flags: c_uint) -> Code;
        fn cuGraphDestroy(graph: CUgraph) -> Code;
        fn cuGraphAddKernelNode_v2(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, parameters: *const CUDA_KERNEL_NODE_PARAMS_v2) -> Code;
        fn cuGraphAddMemcpyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, copy: *const CUDA_MEMCPY3D, context: CUcontext) -> Code;
        fn cuGraphAddMemsetNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize, parameters: *const CUDA_MEMSET_NODE_PARAMS, context: CUcontext) -> Code;
        fn cuGraphAddEmptyNode(node: *mut CUgraphNode, graph: CUgraph, after: *const CUgraphNode, count: usize) -> Code;
        fn cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: u64) -> Code;
        fn cuGraphExecKernelNodeSetParams_v2(exec: CUgraphExec, node: CUgraphNode, parameters: *const CUDA_KERNEL_NODE_PARAMS_v2) -> Code;
        fn cuGraphExecDestroy(exec: CUgraphExec) -> Code;
        fn cuGraphLaunch(exec: CUgraphExec, stream: CUstream) -> Code;
    }
}

driver_functions! {
    /// The driver functions whose result contains more information.
    pub(crate) struct CudaQueries {
        fn cuStreamQuery(stream: CUstream) -> Code;
        fn cuEventQuery(event: CUevent) -> Code;
        fn cuCtxEnablePeerAccess(peer: CUcontext, flags: c_uint) -> Code;
    }
}

impl FromDriver<CudaFunctions> for Code {
    type Answer = Result<()>;

    #[inline]
    fn answer(function: &'static str, code: Code) -> Result<()> {
        check(function, code)
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(missing(function))
    }
}

impl FromDriver<CudaQueries> for Code {
    type Answer = Code;

    #[inline]
    fn answer(_: &'static str, code: Code) -> Code {
        code
    }

    fn missing(_: &'static str) -> Code {
        MISSING
    }
}

impl CudaQueries {
    /// Allows the current context to access the memory of another, unless it already can.
    pub(crate) fn enable_peer(&self, peer: CUcontext) -> Result<()> {
        const ALREADY_ENABLED: Code = 704;
        match self.cuCtxEnablePeerAccess(peer, 0) {
            ALREADY_ENABLED => Ok(()),
            code => check("cuCtxEnablePeerAccess", code),
        }
    }
}

impl CudaFunctions {
    /// Returns the functions for texts of codes.
    pub(super) fn code_texts(&self) -> CodeTexts {
        CodeTexts { name: self.cuGetErrorName, description: self.cuGetErrorString }
    }
}
