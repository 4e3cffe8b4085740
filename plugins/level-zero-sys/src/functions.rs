//! The loader's functions, looked up one by one and called as functions that return `Result`. If one is missing, only
//! its call fails.

use std::ffi::{c_char, c_uint, c_void};

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::error::{AnsweredBy, ZeError};
use crate::types::*;

impl FromDriver<Ze> for ze_result_t {
    type Answer = Result<(), ZeError>;

    #[inline]
    fn answer(call: &'static str, result: ze_result_t) -> Self::Answer {
        if result == ZE_RESULT_SUCCESS {
            Ok(())
        } else {
            Err(ZeError { call, result, by: AnsweredBy::Driver })
        }
    }

    fn missing(call: &'static str) -> Self::Answer {
        Err(ZeError { call, result: ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, by: AnsweredBy::MissingFunction })
    }
}

/// Passes all functions to a macro, with their documentation, names and parameters.
#[macro_export]
macro_rules! for_each_function {
    ($then:ident) => {
        $then! {
            // Drivers.
            /// Initialize the 'oneAPI' driver(s).
            unsafe fn zeInit(flags: ze_init_flags_t) -> ze_result_t;
            /// Retrieves driver instances.
            unsafe fn zeDriverGet(pCount: *mut u32, phDrivers: *mut ze_driver_handle_t) -> ze_result_t;
            /// Returns the API version supported by the specified driver.
            unsafe fn zeDriverGetApiVersion(hDriver: ze_driver_handle_t, version: *mut ze_api_version_t) -> ze_result_t;
            /// Retrieves properties of the driver.
            unsafe fn zeDriverGetProperties(hDriver: ze_driver_handle_t, pDriverProperties: *mut ze_driver_properties_t) -> ze_result_t;
            /// Retrieves IPC attributes of the driver.
            unsafe fn zeDriverGetIpcProperties(hDriver: ze_driver_handle_t, pIpcProperties: *mut ze_driver_ipc_properties_t) -> ze_result_t;
            /// Retrieves extension properties.
            unsafe fn zeDriverGetExtensionProperties(hDriver: ze_driver_handle_t, pCount: *mut u32, pExtensionProperties: *mut ze_driver_extension_properties_t) -> ze_result_t;
            /// Retrieves function pointer for vendor-specific or experimental extensions.
            unsafe fn zeDriverGetExtensionFunctionAddress(hDriver: ze_driver_handle_t, name: *const c_char, ppFunctionAddress: *mut *mut c_void) -> ze_result_t;
            // Devices.
            /// Retrieves devices within a driver.
            unsafe fn zeDeviceGet(hDriver: ze_driver_handle_t, pCount: *mut u32, phDevices: *mut ze_device_handle_t) -> ze_result_t;
            /// Retrieves a sub-device from a device.
            unsafe fn zeDeviceGetSubDevices(hDevice: ze_device_handle_t, pCount: *mut u32, phSubdevices: *mut ze_device_handle_t) -> ze_result_t;
            /// Retrieves properties of the device.
            unsafe fn zeDeviceGetProperties(hDevice: ze_device_handle_t, pDeviceProperties: *mut ze_device_properties_t) -> ze_result_t;
            /// Retrieves compute properties of the device.
            unsafe fn zeDeviceGetComputeProperties(hDevice: ze_device_handle_t, pComputeProperties: *mut ze_device_compute_properties_t) -> ze_result_t;
            /// Retrieves module properties of the device.
            unsafe fn zeDeviceGetModuleProperties(hDevice: ze_device_handle_t, pModuleProperties: *mut ze_device_module_properties_t) -> ze_result_t;
            /// Retrieves command queue group properties of the device.
            unsafe fn zeDeviceGetCommandQueueGroupProperties(hDevice: ze_device_handle_t, pCount: *mut u32, pCommandQueueGroupProperties: *mut ze_command_queue_group_properties_t) -> ze_result_t;
            /// Retrieves local memory properties of the device.
            unsafe fn zeDeviceGetMemoryProperties(hDevice: ze_device_handle_t, pCount: *mut u32, pMemProperties: *mut ze_device_memory_properties_t) -> ze_result_t;
            /// Retrieves memory access properties of the device.
            unsafe fn zeDeviceGetMemoryAccessProperties(hDevice: ze_device_handle_t, pMemAccessProperties: *mut ze_device_memory_access_properties_t) -> ze_result_t;
            /// Retrieves cache properties of the device.
            unsafe fn zeDeviceGetCacheProperties(hDevice: ze_device_handle_t, pCount: *mut u32, pCacheProperties: *mut ze_device_cache_properties_t) -> ze_result_t;
            /// Retrieves image properties of the device.
            unsafe fn zeDeviceGetImageProperties(hDevice: ze_device_handle_t, pImageProperties: *mut ze_device_image_properties_t) -> ze_result_t;
            /// Retrieves external memory import and export of the device.
            unsafe fn zeDeviceGetExternalMemoryProperties(hDevice: ze_device_handle_t, pExternalMemoryProperties: *mut ze_device_external_memory_properties_t) -> ze_result_t;
            /// Retrieves peer-to-peer properties between one device and a peer devices.
            unsafe fn zeDeviceGetP2PProperties(hDevice: ze_device_handle_t, hPeerDevice: ze_device_handle_t, pP2PProperties: *mut ze_device_p2p_properties_t) -> ze_result_t;
            /// Queries if one device can directly access peer device allocations.
            unsafe fn zeDeviceCanAccessPeer(hDevice: ze_device_handle_t, hPeerDevice: ze_device_handle_t, value: *mut ze_bool_t) -> ze_result_t;
            /// Returns current status of the device.
            unsafe fn zeDeviceGetStatus(hDevice: ze_device_handle_t) -> ze_result_t;
            /// Returns synchronized Host and device global timestamps.
            unsafe fn zeDeviceGetGlobalTimestamps(hDevice: ze_device_handle_t, hostTimestamp: *mut u64, deviceTimestamp: *mut u64) -> ze_result_t;
            // Contexts.
            /// Creates a context for the driver.
            unsafe fn zeContextCreate(hDriver: ze_driver_handle_t, desc: *const ze_context_desc_t, phContext: *mut ze_context_handle_t) -> ze_result_t;
            /// Destroys a context.
            unsafe fn zeContextDestroy(hContext: ze_context_handle_t) -> ze_result_t;
            // Command queues.
            /// Creates a command queue on the context.
            unsafe fn zeCommandQueueCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_command_queue_desc_t, phCommandQueue: *mut ze_command_queue_handle_t) -> ze_result_t;
            /// Destroys a command queue.
            unsafe fn zeCommandQueueDestroy(hCommandQueue: ze_command_queue_handle_t) -> ze_result_t;
            /// Executes a command list in a command queue.
            unsafe fn zeCommandQueueExecuteCommandLists(hCommandQueue: ze_command_queue_handle_t, numCommandLists: u32, phCommandLists: *mut ze_command_list_handle_t, hFence: ze_fence_handle_t) -> ze_result_t;
            /// Synchronizes a command queue by waiting on the host.
            unsafe fn zeCommandQueueSynchronize(hCommandQueue: ze_command_queue_handle_t, timeout: u64) -> ze_result_t;
            // Command lists, barriers, copies.
            /// Creates a command list on the context.
            unsafe fn zeCommandListCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_command_list_desc_t, phCommandList: *mut ze_command_list_handle_t) -> ze_result_t;
            /// Creates an immediate command list on the context.
            unsafe fn zeCommandListCreateImmediate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, altdesc: *const ze_command_queue_desc_t, phCommandList: *mut ze_command_list_handle_t) -> ze_result_t;
            /// Destroys a command list.
            unsafe fn zeCommandListDestroy(hCommandList: ze_command_list_handle_t) -> ze_result_t;
            /// Closes a command list; ready to be executed by a command queue.
            unsafe fn zeCommandListClose(hCommandList: ze_command_list_handle_t) -> ze_result_t;
            /// Reset a command list to initial (empty) state; ready for appending commands.
            unsafe fn zeCommandListReset(hCommandList: ze_command_list_handle_t) -> ze_result_t;
            /// Appends an execution and global memory barrier into a command list.
            unsafe fn zeCommandListAppendBarrier(hCommandList: ze_command_list_handle_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies host, device, or shared memory.
            unsafe fn zeCommandListAppendMemoryCopy(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, srcptr: *const c_void, size: usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Initializes host, device, or shared memory.
            unsafe fn zeCommandListAppendMemoryFill(hCommandList: ze_command_list_handle_t, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies a region from a 2D or 3D array of host, device, or shared memory.
            unsafe fn zeCommandListAppendMemoryCopyRegion(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, dstRegion: *const ze_copy_region_t, dstPitch: u32, dstSlicePitch: u32, srcptr: *const c_void, srcRegion: *const ze_copy_region_t, srcPitch: u32, srcSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies an image.
            unsafe fn zeCommandListAppendImageCopy(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, hSrcImage: ze_image_handle_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies a region of an image to another image.
            unsafe fn zeCommandListAppendImageCopyRegion(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, hSrcImage: ze_image_handle_t, pDstRegion: *const ze_image_region_t, pSrcRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies from an image to device or shared memory.
            unsafe fn zeCommandListAppendImageCopyToMemory(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hSrcImage: ze_image_handle_t, pSrcRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies to an image from device or shared memory.
            unsafe fn zeCommandListAppendImageCopyFromMemory(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, srcptr: *const c_void, pDstRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Asynchronously prefetches shared memory to the device associated with the specified command list.
            unsafe fn zeCommandListAppendMemoryPrefetch(hCommandList: ze_command_list_handle_t, ptr: *const c_void, size: usize) -> ze_result_t;
            /// Provides advice about the use of a shared memory range.
            unsafe fn zeCommandListAppendMemAdvise(hCommandList: ze_command_list_handle_t, hDevice: ze_device_handle_t, ptr: *const c_void, size: usize, advice: ze_memory_advice_t) -> ze_result_t;
            // Events.
            /// Creates a pool of events on the context.
            unsafe fn zeEventPoolCreate(hContext: ze_context_handle_t, desc: *const ze_event_pool_desc_t, numDevices: u32, phDevices: *mut ze_device_handle_t, phEventPool: *mut ze_event_pool_handle_t) -> ze_result_t;
            /// Deletes an event pool object.
            unsafe fn zeEventPoolDestroy(hEventPool: ze_event_pool_handle_t) -> ze_result_t;
            /// Creates an event from the pool.
            unsafe fn zeEventCreate(hEventPool: ze_event_pool_handle_t, desc: *const ze_event_desc_t, phEvent: *mut ze_event_handle_t) -> ze_result_t;
            /// Deletes an event object.
            unsafe fn zeEventDestroy(hEvent: ze_event_handle_t) -> ze_result_t;
            /// Appends a signal of the event from the device into a command list.
            unsafe fn zeCommandListAppendSignalEvent(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t) -> ze_result_t;
            /// Appends wait on event(s) on the device into a command list.
            unsafe fn zeCommandListAppendWaitOnEvents(hCommandList: ze_command_list_handle_t, numEvents: u32, phEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Signals a event from host.
            unsafe fn zeEventHostSignal(hEvent: ze_event_handle_t) -> ze_result_t;
            /// The current host thread waits on an event to be signaled.
            unsafe fn zeEventHostSynchronize(hEvent: ze_event_handle_t, timeout: u64) -> ze_result_t;
            /// Queries an event object's status on the host.
            unsafe fn zeEventQueryStatus(hEvent: ze_event_handle_t) -> ze_result_t;
            /// Appends a reset of an event back to not signaled state into a command list.
            unsafe fn zeCommandListAppendEventReset(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t) -> ze_result_t;
            /// The current host thread resets an event back to not signaled state.
            unsafe fn zeEventHostReset(hEvent: ze_event_handle_t) -> ze_result_t;
            /// Queries an event's timestamp value on the host.
            unsafe fn zeEventQueryKernelTimestamp(hEvent: ze_event_handle_t, dstptr: *mut ze_kernel_timestamp_result_t) -> ze_result_t;
            // Fences.
            /// Creates a fence for the command queue.
            unsafe fn zeFenceCreate(hCommandQueue: ze_command_queue_handle_t, desc: *const ze_fence_desc_t, phFence: *mut ze_fence_handle_t) -> ze_result_t;
            /// Deletes a fence object.
            unsafe fn zeFenceDestroy(hFence: ze_fence_handle_t) -> ze_result_t;
            /// The current host thread waits on a fence to be signaled.
            unsafe fn zeFenceHostSynchronize(hFence: ze_fence_handle_t, timeout: u64) -> ze_result_t;
            // Images.
            /// Creates an image on the context.
            unsafe fn zeImageCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_image_desc_t, phImage: *mut ze_image_handle_t) -> ze_result_t;
            /// Deletes an image object.
            unsafe fn zeImageDestroy(hImage: ze_image_handle_t) -> ze_result_t;
            /// Copies from an image to device or shared memory.
            unsafe fn zeCommandListAppendImageCopyToMemoryExt(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hSrcImage: ze_image_handle_t, pSrcRegion: *const ze_image_region_t, destRowPitch: u32, destSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Copies to an image from device or shared memory.
            unsafe fn zeCommandListAppendImageCopyFromMemoryExt(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, srcptr: *const c_void, pDstRegion: *const ze_image_region_t, srcRowPitch: u32, srcSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            // Memory, residency.
            /// Allocates shared memory on the context.
            unsafe fn zeMemAllocShared(hContext: ze_context_handle_t, device_desc: *const ze_device_mem_alloc_desc_t, host_desc: *const ze_host_mem_alloc_desc_t, size: usize, alignment: usize, hDevice: ze_device_handle_t, pptr: *mut *mut c_void) -> ze_result_t;
            /// Allocates device memory on the context.
            unsafe fn zeMemAllocDevice(hContext: ze_context_handle_t, device_desc: *const ze_device_mem_alloc_desc_t, size: usize, alignment: usize, hDevice: ze_device_handle_t, pptr: *mut *mut c_void) -> ze_result_t;
            /// Allocates host memory on the context.
            unsafe fn zeMemAllocHost(hContext: ze_context_handle_t, host_desc: *const ze_host_mem_alloc_desc_t, size: usize, alignment: usize, pptr: *mut *mut c_void) -> ze_result_t;
            /// Frees allocated host memory, device memory, or shared memory on the context.
            unsafe fn zeMemFree(hContext: ze_context_handle_t, ptr: *mut c_void) -> ze_result_t;
            /// Retrieves attributes of a memory allocation.
            unsafe fn zeMemGetAllocProperties(hContext: ze_context_handle_t, ptr: *const c_void, pMemAllocProperties: *mut ze_memory_allocation_properties_t, phDevice: *mut ze_device_handle_t) -> ze_result_t;
            /// Retrieves the base address and/or size of an allocation.
            unsafe fn zeMemGetAddressRange(hContext: ze_context_handle_t, ptr: *const c_void, pBase: *mut *mut c_void, pSize: *mut usize) -> ze_result_t;
            /// Creates an IPC memory handle for the specified allocation.
            unsafe fn zeMemGetIpcHandle(hContext: ze_context_handle_t, ptr: *const c_void, pIpcHandle: *mut ze_ipc_mem_handle_t) -> ze_result_t;
            /// Opens an IPC memory handle to retrieve a device pointer on the context.
            unsafe fn zeMemOpenIpcHandle(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, handle: ze_ipc_mem_handle_t, flags: ze_ipc_memory_flags_t, pptr: *mut *mut c_void) -> ze_result_t;
            /// Closes an IPC memory handle.
            unsafe fn zeMemCloseIpcHandle(hContext: ze_context_handle_t, ptr: *const c_void) -> ze_result_t;
            /// Releases an IPC memory handle (1.6).
            unsafe fn zeMemPutIpcHandle(hContext: ze_context_handle_t, handle: ze_ipc_mem_handle_t) -> ze_result_t;
            /// Makes memory resident for the device.
            unsafe fn zeContextMakeMemoryResident(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, ptr: *mut c_void, size: usize) -> ze_result_t;
            // Modules.
            /// Creates a module on the context.
            unsafe fn zeModuleCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_module_desc_t, phModule: *mut ze_module_handle_t, phBuildLog: *mut ze_module_build_log_handle_t) -> ze_result_t;
            /// Destroys module.
            unsafe fn zeModuleDestroy(hModule: ze_module_handle_t) -> ze_result_t;
            /// Dynamically link modules together that share import/export linkage dependencies.
            unsafe fn zeModuleDynamicLink(numModules: u32, phModules: *mut ze_module_handle_t, phLinkLog: *mut ze_module_build_log_handle_t) -> ze_result_t;
            /// Destroys module build log object.
            unsafe fn zeModuleBuildLogDestroy(hModuleBuildLog: ze_module_build_log_handle_t) -> ze_result_t;
            /// Retrieves text string for build log.
            unsafe fn zeModuleBuildLogGetString(hModuleBuildLog: ze_module_build_log_handle_t, pSize: *mut usize, pBuildLog: *mut c_char) -> ze_result_t;
            /// Retrieve native binary from Module.
            unsafe fn zeModuleGetNativeBinary(hModule: ze_module_handle_t, pSize: *mut usize, pModuleNativeBinary: *mut u8) -> ze_result_t;
            /// Retrieve global variable pointer from Module.
            unsafe fn zeModuleGetGlobalPointer(hModule: ze_module_handle_t, pGlobalName: *const c_char, pSize: *mut usize, pptr: *mut *mut c_void) -> ze_result_t;
            /// Retrieve all kernel names in the module.
            unsafe fn zeModuleGetKernelNames(hModule: ze_module_handle_t, pCount: *mut u32, pNames: *mut *const c_char) -> ze_result_t;
            /// Retrieve module properties.
            unsafe fn zeModuleGetProperties(hModule: ze_module_handle_t, pModuleProperties: *mut ze_module_properties_t) -> ze_result_t;
            /// Retrieve a function pointer from a module by name.
            unsafe fn zeModuleGetFunctionPointer(hModule: ze_module_handle_t, pFunctionName: *const c_char, pfnFunction: *mut *mut c_void) -> ze_result_t;
            // Samplers.
            /// Creates sampler on the context.
            unsafe fn zeSamplerCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_sampler_desc_t, phSampler: *mut ze_sampler_handle_t) -> ze_result_t;
            /// Destroys sampler object.
            unsafe fn zeSamplerDestroy(hSampler: ze_sampler_handle_t) -> ze_result_t;
            // Reserved addresses, physical memory.
            /// Reserves pages in virtual address space.
            unsafe fn zeVirtualMemReserve(hContext: ze_context_handle_t, pStart: *const c_void, size: usize, pptr: *mut *mut c_void) -> ze_result_t;
            /// Free pages in a reserved virtual address range.
            unsafe fn zeVirtualMemFree(hContext: ze_context_handle_t, ptr: *const c_void, size: usize) -> ze_result_t;
            /// Queries page size to use for aligning virtual memory reservations and physical memory allocations.
            unsafe fn zeVirtualMemQueryPageSize(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, size: usize, pagesize: *mut usize) -> ze_result_t;
            /// Creates a physical memory object for the context.
            unsafe fn zePhysicalMemCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *mut ze_physical_mem_desc_t, phPhysicalMemory: *mut ze_physical_mem_handle_t) -> ze_result_t;
            /// Destroys a physical memory object.
            unsafe fn zePhysicalMemDestroy(hContext: ze_context_handle_t, hPhysicalMemory: ze_physical_mem_handle_t) -> ze_result_t;
            /// Maps pages in virtual address space to pages from physical memory object.
            unsafe fn zeVirtualMemMap(hContext: ze_context_handle_t, ptr: *const c_void, size: usize, hPhysicalMemory: ze_physical_mem_handle_t, offset: usize, access: ze_memory_access_attribute_t) -> ze_result_t;
            /// Unmaps pages in virtual address space from pages from a physical memory object.
            unsafe fn zeVirtualMemUnmap(hContext: ze_context_handle_t, ptr: *const c_void, size: usize) -> ze_result_t;
            /// Set memory access attributes for a virtual address range.
            unsafe fn zeVirtualMemSetAccessAttribute(hContext: ze_context_handle_t, ptr: *const c_void, size: usize, access: ze_memory_access_attribute_t) -> ze_result_t;
            /// Get memory access attribute for a virtual address range.
            unsafe fn zeVirtualMemGetAccessAttribute(hContext: ze_context_handle_t, ptr: *const c_void, size: usize, access: *mut ze_memory_access_attribute_t, outSize: *mut usize) -> ze_result_t;
            // Extensions of devices and kernels.
            /// Set global work offset for a kernel.
            unsafe fn zeKernelSetGlobalOffsetExp(hKernel: ze_kernel_handle_t, offsetX: u32, offsetY: u32, offsetZ: u32) -> ze_result_t;
            /// Get PCI properties - address, max speed.
            unsafe fn zeDevicePciGetPropertiesExt(hDevice: ze_device_handle_t, pPciProperties: *mut ze_pci_ext_properties_t) -> ze_result_t;
            // Kernels and launches.
            /// Create a kernel from the module.
            unsafe fn zeKernelCreate(hModule: ze_module_handle_t, desc: *const ze_kernel_desc_t, phKernel: *mut ze_kernel_handle_t) -> ze_result_t;
            /// Destroys a kernel object.
            unsafe fn zeKernelDestroy(hKernel: ze_kernel_handle_t) -> ze_result_t;
            /// Set group size for a kernel.
            unsafe fn zeKernelSetGroupSize(hKernel: ze_kernel_handle_t, groupSizeX: u32, groupSizeY: u32, groupSizeZ: u32) -> ze_result_t;
            /// Query a suggested group size for a kernel given a global size for each dimension.
            unsafe fn zeKernelSuggestGroupSize(hKernel: ze_kernel_handle_t, globalSizeX: u32, globalSizeY: u32, globalSizeZ: u32, groupSizeX: *mut u32, groupSizeY: *mut u32, groupSizeZ: *mut u32) -> ze_result_t;
            /// Query a suggested max group count for a cooperative kernel.
            unsafe fn zeKernelSuggestMaxCooperativeGroupCount(hKernel: ze_kernel_handle_t, totalGroupCount: *mut u32) -> ze_result_t;
            /// Set kernel argument for a kernel.
            unsafe fn zeKernelSetArgumentValue(hKernel: ze_kernel_handle_t, argIndex: u32, argSize: usize, pArgValue: *const c_void) -> ze_result_t;
            /// Sets kernel indirect access flags.
            unsafe fn zeKernelSetIndirectAccess(hKernel: ze_kernel_handle_t, flags: ze_kernel_indirect_access_flags_t) -> ze_result_t;
            /// Retrieve all declared kernel attributes (i.e.
            unsafe fn zeKernelGetSourceAttributes(hKernel: ze_kernel_handle_t, pSize: *mut u32, pString: *mut *mut c_char) -> ze_result_t;
            /// Sets the preferred cache configuration.
            unsafe fn zeKernelSetCacheConfig(hKernel: ze_kernel_handle_t, flags: ze_cache_config_flags_t) -> ze_result_t;
            /// Retrieve kernel properties.
            unsafe fn zeKernelGetProperties(hKernel: ze_kernel_handle_t, pKernelProperties: *mut ze_kernel_properties_t) -> ze_result_t;
            /// Retrieve kernel name from Kernel.
            unsafe fn zeKernelGetName(hKernel: ze_kernel_handle_t, pSize: *mut usize, pName: *mut c_char) -> ze_result_t;
            /// Launch kernel over one or more work groups.
            unsafe fn zeCommandListAppendLaunchKernel(hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t, pLaunchFuncArgs: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            /// Launch kernel cooperatively over one or more work groups.
            unsafe fn zeCommandListAppendLaunchCooperativeKernel(hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t, pLaunchFuncArgs: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t) -> ze_result_t;
            // Sysman.
            /// Get handle of memory modules.
            unsafe fn zesDeviceEnumMemoryModules(hDevice: zes_device_handle_t, pCount: *mut u32, phMemory: *mut zes_mem_handle_t) -> ze_result_t;
            /// Get memory state - health, allocated.
            unsafe fn zesMemoryGetState(hMemory: zes_mem_handle_t, pState: *mut zes_mem_state_t) -> ze_result_t;
            /// Get memory bandwidth.
            unsafe fn zesMemoryGetBandwidth(hMemory: zes_mem_handle_t, pBandwidth: *mut zes_mem_bandwidth_t) -> ze_result_t;
            // After loader 1.8.12.
            /// Waits until the immediate list's commands are done (1.6).
            unsafe fn zeCommandListHostSynchronize(hCommandList: ze_command_list_handle_t, timeout: u64) -> ze_result_t;
            /// The pitch that makes a 2D image of linear memory (1.9).
            unsafe fn zeMemGetPitchFor2dImage(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, imageWidth: usize, imageHeight: usize, elementSizeInBytes: c_uint, rowPitch: *mut usize) -> ze_result_t;
            /// The driver's message about the last error of this thread (1.6).
            unsafe fn zeDriverGetLastErrorDescription(hDriver: ze_driver_handle_t, ppString: *mut *const c_char) -> ze_result_t;
        }
    };
}

macro_rules! table {
    ($($rows:tt)*) => {
        driver_functions! {
            /// The functions of the Level Zero loader. Handles must be live, and memory must have the sizes that the
            /// specification states.
            pub struct Ze { $($rows)* }
        }
    };
}

for_each_function!(table);
