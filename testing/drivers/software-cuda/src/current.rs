//! The calling thread's current context, and the functions that need one.

use std::cell::Cell;
use std::ptr::null_mut;

use cudarc::driver::sys::CUcontext;

thread_local! {
    pub(crate) static CURRENT: Cell<CUcontext> = const { Cell::new(null_mut()) };
}

/// The functions for which NVIDIA's `cuda.h` lists `CUDA_ERROR_INVALID_CONTEXT`. Functions that set a context or ask
/// about devices are not here, nor is `cuLaunchHostFunc`: NVIDIA's libraries, which `software-math` stands in for, call
/// it through the CUDA runtime, which makes a context current on its own.
const NEED_CONTEXT: [&str; 69] = [
    "cuArray3DCreate_v2",
    "cuArray3DGetDescriptor_v2",
    "cuArrayDestroy",
    "cuCtxDisablePeerAccess",
    "cuCtxEnablePeerAccess",
    "cuCtxGetDevice",
    "cuCtxSynchronize",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuFuncSetCacheConfig",
    "cuGraphAddMemsetNode",
    "cuIpcCloseMemHandle",
    "cuIpcGetMemHandle",
    "cuIpcOpenEventHandle",
    "cuIpcOpenMemHandle_v2",
    "cuLaunchCooperativeKernel",
    "cuLaunchKernel",
    "cuLaunchKernelEx",
    "cuMemAllocManaged",
    "cuMemAllocPitch_v2",
    "cuMemAlloc_v2",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemGetAddressRange_v2",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemHostGetDevicePointer_v2",
    "cuMemHostRegister_v2",
    "cuMemHostUnregister",
    "cuMemcpy3DAsync_v2",
    "cuMemcpy3D_v2",
    "cuMemcpyAsync",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyHtoD_v2",
    "cuMemcpyPeerAsync",
    "cuMemsetD16Async",
    "cuMemsetD2D16Async",
    "cuMemsetD2D32Async",
    "cuMemsetD2D8Async",
    "cuMemsetD32Async",
    "cuMemsetD8Async",
    "cuMipmappedArrayCreate",
    "cuMipmappedArrayDestroy",
    "cuMipmappedArrayGetLevel",
    "cuModuleEnumerateFunctions",
    "cuModuleGetFunction",
    "cuModuleGetGlobal_v2",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxPotentialBlockSize",
    "cuPointerGetAttributes",
    "cuStreamCreateWithPriority",
    "cuStreamDestroy_v2",
    "cuStreamGetCtx",
    "cuStreamQuery",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    "cuSurfObjectCreate",
    "cuSurfObjectDestroy",
    "cuTexObjectCreate",
    "cuTexObjectDestroy",
];

/// Returns whether a function needs a current context, and the calling thread has none.
pub(crate) fn is_missing_for(function: &str) -> bool {
    CURRENT.get().is_null() && NEED_CONTEXT.contains(&function)
}
