//! The driver's calls, safe to call from the rest of the backend: see the promise in `sys`.

use std::ffi::{c_char, c_uint, c_void};

use level_zero_sys::*;
use sycl_pi_backend::Result;

use super::error::error_of;

/// The Level Zero loader's calls.
#[derive(Clone, Copy)]
pub(crate) struct Ze(&'static level_zero_sys::Ze);

/// The calls; an error where there is no loader.
pub(crate) fn ze() -> Result<Ze> {
    level_zero_sys::ze().map(Ze).map_err(error_of)
}

/// Calls whose every result but success is an error.
macro_rules! calls {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {
        #[allow(clippy::too_many_arguments)]
        impl Ze {
            $(
                pub(crate) fn $name(self, $($arg: $ty),*) -> Result<()> {
                    // SAFETY: live handles and memory as the parameters say: the promise of `sys`.
                    match unsafe { self.0.$name($($arg),*) } {
                        Ok(()) => Ok(()),
                        Err(error) => Err(error_of(error)),
                    }
                }
            )*
        }
    };
}

/// Calls whose results the caller looks at: "not ready" is no error, a failed build has a log, older drivers lack a function.
macro_rules! asked {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {
        impl Ze {
            $(
                pub(crate) fn $name(self, $($arg: $ty),*) -> Result<(), ZeError> {
                    // SAFETY: live handles and memory as the parameters say: the promise of `sys`.
                    unsafe { self.0.$name($($arg),*) }
                }
            )*
        }
    };
}

calls! {
    zeVirtualMemReserve(hContext: ze_context_handle_t, pStart: *const c_void, size: usize, pptr: *mut *mut c_void);
    zeVirtualMemFree(hContext: ze_context_handle_t, ptr: *const c_void, size: usize);
    zeVirtualMemQueryPageSize(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, size: usize, pagesize: *mut usize
    );
    zeVirtualMemMap(
        hContext: ze_context_handle_t, ptr: *const c_void, size: usize, hPhysicalMemory: ze_physical_mem_handle_t,
        offset: usize, access: ze_memory_access_attribute_t
    );
    zeVirtualMemUnmap(hContext: ze_context_handle_t, ptr: *const c_void, size: usize);
    zeVirtualMemSetAccessAttribute(
        hContext: ze_context_handle_t, ptr: *const c_void, size: usize, access: ze_memory_access_attribute_t
    );
    zeVirtualMemGetAccessAttribute(
        hContext: ze_context_handle_t, ptr: *const c_void, size: usize, access: *mut ze_memory_access_attribute_t,
        outSize: *mut usize
    );
    zePhysicalMemCreate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *mut ze_physical_mem_desc_t,
        phPhysicalMemory: *mut ze_physical_mem_handle_t
    );
    zePhysicalMemDestroy(hContext: ze_context_handle_t, hPhysicalMemory: ze_physical_mem_handle_t);
    zeInit(flags: ze_init_flags_t);
    zeDriverGet(pCount: *mut u32, phDrivers: *mut ze_driver_handle_t);
    zeDriverGetApiVersion(hDriver: ze_driver_handle_t, version: *mut ze_api_version_t);
    zeDriverGetProperties(hDriver: ze_driver_handle_t, pDriverProperties: *mut ze_driver_properties_t);
    zeDriverGetIpcProperties(
        hDriver: ze_driver_handle_t, pIpcProperties: *mut ze_driver_ipc_properties_t
    );
    zeDriverGetExtensionProperties(
        hDriver: ze_driver_handle_t, pCount: *mut u32,
        pExtensionProperties: *mut ze_driver_extension_properties_t
    );
    zeDeviceGet(hDriver: ze_driver_handle_t, pCount: *mut u32, phDevices: *mut ze_device_handle_t);
    zeDeviceGetSubDevices(
        hDevice: ze_device_handle_t, pCount: *mut u32, phSubdevices: *mut ze_device_handle_t
    );
    zeDeviceGetProperties(hDevice: ze_device_handle_t, pDeviceProperties: *mut ze_device_properties_t);
    zeDeviceGetComputeProperties(
        hDevice: ze_device_handle_t, pComputeProperties: *mut ze_device_compute_properties_t
    );
    zeDeviceGetModuleProperties(
        hDevice: ze_device_handle_t, pModuleProperties: *mut ze_device_module_properties_t
    );
    zeDeviceGetCommandQueueGroupProperties(
        hDevice: ze_device_handle_t, pCount: *mut u32,
        pCommandQueueGroupProperties: *mut ze_command_queue_group_properties_t
    );
    zeDeviceGetMemoryProperties(
        hDevice: ze_device_handle_t, pCount: *mut u32, pMemProperties: *mut ze_device_memory_properties_t
    );
    zeDeviceGetMemoryAccessProperties(
        hDevice: ze_device_handle_t, pMemAccessProperties: *mut ze_device_memory_access_properties_t
    );
    zeDeviceGetExternalMemoryProperties(
        hDevice: ze_device_handle_t, pExternalMemoryProperties: *mut ze_device_external_memory_properties_t
    );
    zeDeviceGetCacheProperties(
        hDevice: ze_device_handle_t, pCount: *mut u32,
        pCacheProperties: *mut ze_device_cache_properties_t
    );
    zeDeviceGetImageProperties(
        hDevice: ze_device_handle_t, pImageProperties: *mut ze_device_image_properties_t
    );
    zeDeviceGetP2PProperties(
        hDevice: ze_device_handle_t, hPeerDevice: ze_device_handle_t,
        pP2PProperties: *mut ze_device_p2p_properties_t
    );
    zeDeviceCanAccessPeer(
        hDevice: ze_device_handle_t, hPeerDevice: ze_device_handle_t, value: *mut ze_bool_t
    );
    zeDeviceGetGlobalTimestamps(
        hDevice: ze_device_handle_t, hostTimestamp: *mut u64, deviceTimestamp: *mut u64
    );
    zeDevicePciGetPropertiesExt(hDevice: ze_device_handle_t, pPciProperties: *mut ze_pci_ext_properties_t);
    zesDeviceEnumMemoryModules(
        hDevice: zes_device_handle_t, pCount: *mut u32, phMemory: *mut zes_mem_handle_t
    );
    zesMemoryGetState(hMemory: zes_mem_handle_t, pState: *mut zes_mem_state_t);
    zesMemoryGetBandwidth(hMemory: zes_mem_handle_t, pBandwidth: *mut zes_mem_bandwidth_t);
    zeContextCreate(
        hDriver: ze_driver_handle_t, desc: *const ze_context_desc_t, phContext: *mut ze_context_handle_t
    );
    zeContextDestroy(hContext: ze_context_handle_t);
    zeCommandQueueCreate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_command_queue_desc_t,
        phCommandQueue: *mut ze_command_queue_handle_t
    );
    zeCommandQueueDestroy(hCommandQueue: ze_command_queue_handle_t);
    zeCommandQueueExecuteCommandLists(
        hCommandQueue: ze_command_queue_handle_t, numCommandLists: u32,
        phCommandLists: *mut ze_command_list_handle_t, hFence: ze_fence_handle_t
    );
    zeCommandQueueSynchronize(hCommandQueue: ze_command_queue_handle_t, timeout: u64);
    zeCommandListCreate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_command_list_desc_t,
        phCommandList: *mut ze_command_list_handle_t
    );
    zeCommandListCreateImmediate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t,
        altdesc: *const ze_command_queue_desc_t, phCommandList: *mut ze_command_list_handle_t
    );
    zeCommandListDestroy(hCommandList: ze_command_list_handle_t);
    zeCommandListClose(hCommandList: ze_command_list_handle_t);
    zeCommandListReset(hCommandList: ze_command_list_handle_t);
    zeCommandListAppendBarrier(
        hCommandList: ze_command_list_handle_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendMemoryCopy(
        hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, srcptr: *const c_void, size: usize,
        hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendMemoryFill(
        hCommandList: ze_command_list_handle_t, ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendMemoryCopyRegion(
        hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, dstRegion: *const ze_copy_region_t,
        dstPitch: u32, dstSlicePitch: u32, srcptr: *const c_void, srcRegion: *const ze_copy_region_t,
        srcPitch: u32, srcSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendImageCopyRegion(
        hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t,
        hSrcImage: ze_image_handle_t, pDstRegion: *const ze_image_region_t,
        pSrcRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendImageCopyToMemory(
        hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hSrcImage: ze_image_handle_t,
        pSrcRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendImageCopyFromMemory(
        hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, srcptr: *const c_void,
        pDstRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendImageCopyToMemoryExt(
        hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hSrcImage: ze_image_handle_t,
        pSrcRegion: *const ze_image_region_t, destRowPitch: u32, destSlicePitch: u32,
        hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendImageCopyFromMemoryExt(
        hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, srcptr: *const c_void,
        pDstRegion: *const ze_image_region_t, srcRowPitch: u32, srcSlicePitch: u32,
        hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendMemoryPrefetch(
        hCommandList: ze_command_list_handle_t, ptr: *const c_void, size: usize
    );
    zeCommandListAppendMemAdvise(
        hCommandList: ze_command_list_handle_t, hDevice: ze_device_handle_t, ptr: *const c_void,
        size: usize, advice: ze_memory_advice_t
    );
    zeCommandListAppendSignalEvent(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t);
    zeCommandListAppendWaitOnEvents(
        hCommandList: ze_command_list_handle_t, numEvents: u32, phEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendEventReset(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t);
    zeCommandListAppendLaunchKernel(
        hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t,
        pLaunchFuncArgs: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeCommandListAppendLaunchCooperativeKernel(
        hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t,
        pLaunchFuncArgs: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t
    );
    zeEventPoolCreate(
        hContext: ze_context_handle_t, desc: *const ze_event_pool_desc_t, numDevices: u32,
        phDevices: *mut ze_device_handle_t, phEventPool: *mut ze_event_pool_handle_t
    );
    zeEventPoolDestroy(hEventPool: ze_event_pool_handle_t);
    zeEventCreate(
        hEventPool: ze_event_pool_handle_t, desc: *const ze_event_desc_t, phEvent: *mut ze_event_handle_t
    );
    zeEventDestroy(hEvent: ze_event_handle_t);
    zeEventHostSignal(hEvent: ze_event_handle_t);
    zeEventHostReset(hEvent: ze_event_handle_t);
    zeImageCreate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_image_desc_t,
        phImage: *mut ze_image_handle_t
    );
    zeImageDestroy(hImage: ze_image_handle_t);
    zeSamplerCreate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_sampler_desc_t,
        phSampler: *mut ze_sampler_handle_t
    );
    zeSamplerDestroy(hSampler: ze_sampler_handle_t);
    zeMemAllocShared(
        hContext: ze_context_handle_t, device_desc: *const ze_device_mem_alloc_desc_t,
        host_desc: *const ze_host_mem_alloc_desc_t, size: usize, alignment: usize,
        hDevice: ze_device_handle_t, pptr: *mut *mut c_void
    );
    zeMemAllocDevice(
        hContext: ze_context_handle_t, device_desc: *const ze_device_mem_alloc_desc_t, size: usize,
        alignment: usize, hDevice: ze_device_handle_t, pptr: *mut *mut c_void
    );
    zeMemAllocHost(
        hContext: ze_context_handle_t, host_desc: *const ze_host_mem_alloc_desc_t, size: usize,
        alignment: usize, pptr: *mut *mut c_void
    );
    zeMemFree(hContext: ze_context_handle_t, ptr: *mut c_void);
    zeMemGetAllocProperties(
        hContext: ze_context_handle_t, ptr: *const c_void,
        pMemAllocProperties: *mut ze_memory_allocation_properties_t, phDevice: *mut ze_device_handle_t
    );
    zeMemGetAddressRange(
        hContext: ze_context_handle_t, ptr: *const c_void, pBase: *mut *mut c_void, pSize: *mut usize
    );
    zeMemGetIpcHandle(
        hContext: ze_context_handle_t, ptr: *const c_void, pIpcHandle: *mut ze_ipc_mem_handle_t
    );
    zeMemOpenIpcHandle(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, handle: ze_ipc_mem_handle_t,
        flags: ze_ipc_memory_flags_t, pptr: *mut *mut c_void
    );
    zeMemCloseIpcHandle(hContext: ze_context_handle_t, ptr: *const c_void);
    zeContextMakeMemoryResident(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, ptr: *mut c_void, size: usize
    );
    zeModuleDestroy(hModule: ze_module_handle_t);
    zeModuleBuildLogDestroy(hModuleBuildLog: ze_module_build_log_handle_t);
    zeModuleBuildLogGetString(
        hModuleBuildLog: ze_module_build_log_handle_t, pSize: *mut usize, pBuildLog: *mut c_char
    );
    zeModuleGetNativeBinary(hModule: ze_module_handle_t, pSize: *mut usize, pModuleNativeBinary: *mut u8);
    zeModuleGetGlobalPointer(
        hModule: ze_module_handle_t, pGlobalName: *const c_char, pSize: *mut usize,
        pptr: *mut *mut c_void
    );
    zeModuleGetKernelNames(hModule: ze_module_handle_t, pCount: *mut u32, pNames: *mut *const c_char);
    zeModuleGetProperties(hModule: ze_module_handle_t, pModuleProperties: *mut ze_module_properties_t);
    zeModuleGetFunctionPointer(
        hModule: ze_module_handle_t, pFunctionName: *const c_char, pfnFunction: *mut *mut c_void
    );
    zeKernelCreate(
        hModule: ze_module_handle_t, desc: *const ze_kernel_desc_t, phKernel: *mut ze_kernel_handle_t
    );
    zeKernelDestroy(hKernel: ze_kernel_handle_t);
    zeKernelSetGroupSize(hKernel: ze_kernel_handle_t, groupSizeX: u32, groupSizeY: u32, groupSizeZ: u32);
    zeKernelSuggestGroupSize(
        hKernel: ze_kernel_handle_t, globalSizeX: u32, globalSizeY: u32, globalSizeZ: u32,
        groupSizeX: *mut u32, groupSizeY: *mut u32, groupSizeZ: *mut u32
    );
    zeKernelSuggestMaxCooperativeGroupCount(hKernel: ze_kernel_handle_t, totalGroupCount: *mut u32);
    zeKernelSetArgumentValue(
        hKernel: ze_kernel_handle_t, argIndex: u32, argSize: usize, pArgValue: *const c_void
    );
    zeKernelSetIndirectAccess(hKernel: ze_kernel_handle_t, flags: ze_kernel_indirect_access_flags_t);
    zeKernelSetCacheConfig(hKernel: ze_kernel_handle_t, flags: ze_cache_config_flags_t);
    zeKernelGetSourceAttributes(hKernel: ze_kernel_handle_t, pSize: *mut u32, pString: *mut *mut c_char);
    zeKernelGetProperties(hKernel: ze_kernel_handle_t, pKernelProperties: *mut ze_kernel_properties_t);
    zeKernelGetName(hKernel: ze_kernel_handle_t, pSize: *mut usize, pName: *mut c_char);
    zeKernelSetGlobalOffsetExp(hKernel: ze_kernel_handle_t, offsetX: u32, offsetY: u32, offsetZ: u32);
    zeMemGetPitchFor2dImage(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, imageWidth: usize, imageHeight: usize,
        elementSizeInBytes: c_uint, rowPitch: *mut usize
    );
}

asked! {
    zeEventHostSynchronize(hEvent: ze_event_handle_t, timeout: u64);
    zeEventQueryStatus(hEvent: ze_event_handle_t);
    zeEventQueryKernelTimestamp(hEvent: ze_event_handle_t, dstptr: *mut ze_kernel_timestamp_result_t);
    zeModuleCreate(
        hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_module_desc_t,
        phModule: *mut ze_module_handle_t, phBuildLog: *mut ze_module_build_log_handle_t
    );
    zeMemPutIpcHandle(hContext: ze_context_handle_t, handle: ze_ipc_mem_handle_t);
    zeModuleDynamicLink(
        numModules: u32, phModules: *mut ze_module_handle_t, phLinkLog: *mut ze_module_build_log_handle_t
    );
}
