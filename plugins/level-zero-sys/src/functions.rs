//! The loader's functions: found one by one, called as `Result`s. A missing one costs its call, nothing else.

use std::ffi::{CStr, c_char, c_uint, c_void};

use crate::error::{AnsweredBy, ZeError};
use crate::types::*;

#[cold]
#[inline(never)]
fn missing(call: &'static str) -> ZeError {
    ZeError { call, result: ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, by: AnsweredBy::MissingFunction }
}

/// Declares the table of functions and a method for each.
macro_rules! functions {
    ($(#[$doc:meta])* struct $table:ident { $($(#[$fdoc:meta])* $name:ident($($arg:ident: $type:ty),*);)* }) => {
        $(#[$doc])*
        pub struct $table {
            $($name: Option<unsafe extern "C" fn($($arg: $type),*) -> ze_result_t>,)*
        }

        #[allow(clippy::too_many_arguments)]
        impl $table {
            /// Finds each function by name; null where there is none.
            pub(crate) fn resolve(find: impl Fn(&[u8]) -> *const c_void) -> Self {
                /// # Safety
                ///
                /// `address` is null or a function of type `F`, which is pointer-sized.
                unsafe fn typed<F: Copy>(address: *const c_void) -> Option<F> {
                    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
                    // SAFETY: as demanded.
                    (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
                }
                // SAFETY: the types are those of the Level Zero specification for these names.
                unsafe { Self { $($name: typed(find(concat!(stringify!($name), "\0").as_bytes())),)* } }
            }

            $(
                $(#[$fdoc])*
                ///
                /// # Safety
                ///
                /// As the specification says: live handles, and memory of the stated sizes.
                #[inline(always)]
                pub unsafe fn $name(&self, $($arg: $type),*) -> Result<(), ZeError> {
                    let Some(function) = self.$name else { return Err(missing(stringify!($name))) };
                    // SAFETY: the caller's promise.
                    let result = unsafe { function($($arg),*) };
                    if result == ZE_RESULT_SUCCESS {
                        Ok(())
                    } else {
                        Err(ZeError { call: stringify!($name), result, by: AnsweredBy::Driver })
                    }
                }
            )*

            /// Whether the loader has a function. The driver behind it may still answer "unsupported".
            pub fn has(&self, name: &CStr) -> bool {
                match name.to_str() {
                    $(Ok(stringify!($name)) => self.$name.is_some(),)*
                    _ => false,
                }
            }

            /// The names of all functions that this crate knows.
            pub const NAMES: &[&str] = &[$(stringify!($name),)*];
        }
    };
}

functions! {
    /// The functions of the Level Zero loader.
    #[derive(Debug)]
    struct Ze {
        // Drivers.
        /// Initialize the 'oneAPI' driver(s).
        zeInit(flags: ze_init_flags_t);
        /// Retrieves driver instances.
        zeDriverGet(pCount: *mut u32, phDrivers: *mut ze_driver_handle_t);
        /// Returns the API version supported by the specified driver.
        zeDriverGetApiVersion(hDriver: ze_driver_handle_t, version: *mut ze_api_version_t);
        /// Retrieves properties of the driver.
        zeDriverGetProperties(hDriver: ze_driver_handle_t, pDriverProperties: *mut ze_driver_properties_t);
        /// Retrieves IPC attributes of the driver.
        zeDriverGetIpcProperties(hDriver: ze_driver_handle_t, pIpcProperties: *mut ze_driver_ipc_properties_t);
        /// Retrieves extension properties.
        zeDriverGetExtensionProperties(hDriver: ze_driver_handle_t, pCount: *mut u32, pExtensionProperties: *mut ze_driver_extension_properties_t);
        /// Retrieves function pointer for vendor-specific or experimental extensions.
        zeDriverGetExtensionFunctionAddress(hDriver: ze_driver_handle_t, name: *const c_char, ppFunctionAddress: *mut *mut c_void);
        // Devices.
        /// Retrieves devices within a driver.
        zeDeviceGet(hDriver: ze_driver_handle_t, pCount: *mut u32, phDevices: *mut ze_device_handle_t);
        /// Retrieves a sub-device from a device.
        zeDeviceGetSubDevices(hDevice: ze_device_handle_t, pCount: *mut u32, phSubdevices: *mut ze_device_handle_t);
        /// Retrieves properties of the device.
        zeDeviceGetProperties(hDevice: ze_device_handle_t, pDeviceProperties: *mut ze_device_properties_t);
        /// Retrieves compute properties of the device.
        zeDeviceGetComputeProperties(hDevice: ze_device_handle_t, pComputeProperties: *mut ze_device_compute_properties_t);
        /// Retrieves module properties of the device.
        zeDeviceGetModuleProperties(hDevice: ze_device_handle_t, pModuleProperties: *mut ze_device_module_properties_t);
        /// Retrieves command queue group properties of the device.
        zeDeviceGetCommandQueueGroupProperties(hDevice: ze_device_handle_t, pCount: *mut u32, pCommandQueueGroupProperties: *mut ze_command_queue_group_properties_t);
        /// Retrieves local memory properties of the device.
        zeDeviceGetMemoryProperties(hDevice: ze_device_handle_t, pCount: *mut u32, pMemProperties: *mut ze_device_memory_properties_t);
        /// Retrieves memory access properties of the device.
        zeDeviceGetMemoryAccessProperties(hDevice: ze_device_handle_t, pMemAccessProperties: *mut ze_device_memory_access_properties_t);
        /// Retrieves cache properties of the device.
        zeDeviceGetCacheProperties(hDevice: ze_device_handle_t, pCount: *mut u32, pCacheProperties: *mut ze_device_cache_properties_t);
        /// Retrieves image properties of the device.
        zeDeviceGetImageProperties(hDevice: ze_device_handle_t, pImageProperties: *mut ze_device_image_properties_t);
        /// Retrieves external memory import and export of the device.
        zeDeviceGetExternalMemoryProperties(hDevice: ze_device_handle_t, pExternalMemoryProperties: *mut ze_device_external_memory_properties_t);
        /// Retrieves peer-to-peer properties between one device and a peer devices.
        zeDeviceGetP2PProperties(hDevice: ze_device_handle_t, hPeerDevice: ze_device_handle_t, pP2PProperties: *mut ze_device_p2p_properties_t);
        /// Queries if one device can directly access peer device allocations.
        zeDeviceCanAccessPeer(hDevice: ze_device_handle_t, hPeerDevice: ze_device_handle_t, value: *mut ze_bool_t);
        /// Returns current status of the device.
        zeDeviceGetStatus(hDevice: ze_device_handle_t);
        /// Returns synchronized Host and device global timestamps.
        zeDeviceGetGlobalTimestamps(hDevice: ze_device_handle_t, hostTimestamp: *mut u64, deviceTimestamp: *mut u64);
        // Contexts.
        /// Creates a context for the driver.
        zeContextCreate(hDriver: ze_driver_handle_t, desc: *const ze_context_desc_t, phContext: *mut ze_context_handle_t);
        /// Creates a context for the driver.
        zeContextCreateEx(hDriver: ze_driver_handle_t, desc: *const ze_context_desc_t, numDevices: u32, phDevices: *mut ze_device_handle_t, phContext: *mut ze_context_handle_t);
        /// Destroys a context.
        zeContextDestroy(hContext: ze_context_handle_t);
        /// Returns current status of the context.
        zeContextGetStatus(hContext: ze_context_handle_t);
        // Command queues.
        /// Creates a command queue on the context.
        zeCommandQueueCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_command_queue_desc_t, phCommandQueue: *mut ze_command_queue_handle_t);
        /// Destroys a command queue.
        zeCommandQueueDestroy(hCommandQueue: ze_command_queue_handle_t);
        /// Executes a command list in a command queue.
        zeCommandQueueExecuteCommandLists(hCommandQueue: ze_command_queue_handle_t, numCommandLists: u32, phCommandLists: *mut ze_command_list_handle_t, hFence: ze_fence_handle_t);
        /// Synchronizes a command queue by waiting on the host.
        zeCommandQueueSynchronize(hCommandQueue: ze_command_queue_handle_t, timeout: u64);
        // Command lists, barriers, copies.
        /// Creates a command list on the context.
        zeCommandListCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_command_list_desc_t, phCommandList: *mut ze_command_list_handle_t);
        /// Creates an immediate command list on the context.
        zeCommandListCreateImmediate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, altdesc: *const ze_command_queue_desc_t, phCommandList: *mut ze_command_list_handle_t);
        /// Destroys a command list.
        zeCommandListDestroy(hCommandList: ze_command_list_handle_t);
        /// Closes a command list; ready to be executed by a command queue.
        zeCommandListClose(hCommandList: ze_command_list_handle_t);
        /// Reset a command list to initial (empty) state; ready for appending commands.
        zeCommandListReset(hCommandList: ze_command_list_handle_t);
        /// Appends a memory write of the device's global timestamp value into a command list.
        zeCommandListAppendWriteGlobalTimestamp(hCommandList: ze_command_list_handle_t, dstptr: *mut u64, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Appends an execution and global memory barrier into a command list.
        zeCommandListAppendBarrier(hCommandList: ze_command_list_handle_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Appends a global memory ranges barrier into a command list.
        zeCommandListAppendMemoryRangesBarrier(hCommandList: ze_command_list_handle_t, numRanges: u32, pRangeSizes: *const usize, pRanges: *mut *const c_void, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Ensures in-bound writes to the device are globally observable.
        zeContextSystemBarrier(hContext: ze_context_handle_t, hDevice: ze_device_handle_t);
        /// Copies host, device, or shared memory.
        zeCommandListAppendMemoryCopy(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, srcptr: *const c_void, size: usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Initializes host, device, or shared memory.
        zeCommandListAppendMemoryFill(hCommandList: ze_command_list_handle_t, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies a region from a 2D or 3D array of host, device, or shared memory.
        zeCommandListAppendMemoryCopyRegion(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, dstRegion: *const ze_copy_region_t, dstPitch: u32, dstSlicePitch: u32, srcptr: *const c_void, srcRegion: *const ze_copy_region_t, srcPitch: u32, srcSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies host, device, or shared memory from another context.
        zeCommandListAppendMemoryCopyFromContext(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hContextSrc: ze_context_handle_t, srcptr: *const c_void, size: usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies an image.
        zeCommandListAppendImageCopy(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, hSrcImage: ze_image_handle_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies a region of an image to another image.
        zeCommandListAppendImageCopyRegion(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, hSrcImage: ze_image_handle_t, pDstRegion: *const ze_image_region_t, pSrcRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies from an image to device or shared memory.
        zeCommandListAppendImageCopyToMemory(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hSrcImage: ze_image_handle_t, pSrcRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies to an image from device or shared memory.
        zeCommandListAppendImageCopyFromMemory(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, srcptr: *const c_void, pDstRegion: *const ze_image_region_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Asynchronously prefetches shared memory to the device associated with the specified command list.
        zeCommandListAppendMemoryPrefetch(hCommandList: ze_command_list_handle_t, ptr: *const c_void, size: usize);
        /// Provides advice about the use of a shared memory range.
        zeCommandListAppendMemAdvise(hCommandList: ze_command_list_handle_t, hDevice: ze_device_handle_t, ptr: *const c_void, size: usize, advice: ze_memory_advice_t);
        // Events.
        /// Creates a pool of events on the context.
        zeEventPoolCreate(hContext: ze_context_handle_t, desc: *const ze_event_pool_desc_t, numDevices: u32, phDevices: *mut ze_device_handle_t, phEventPool: *mut ze_event_pool_handle_t);
        /// Deletes an event pool object.
        zeEventPoolDestroy(hEventPool: ze_event_pool_handle_t);
        /// Creates an event from the pool.
        zeEventCreate(hEventPool: ze_event_pool_handle_t, desc: *const ze_event_desc_t, phEvent: *mut ze_event_handle_t);
        /// Deletes an event object.
        zeEventDestroy(hEvent: ze_event_handle_t);
        /// Gets an IPC event pool handle for the specified event handle that can be shared with another.
        zeEventPoolGetIpcHandle(hEventPool: ze_event_pool_handle_t, phIpc: *mut ze_ipc_event_pool_handle_t);
        /// Opens an IPC event pool handle to retrieve an event pool handle from another process.
        zeEventPoolOpenIpcHandle(hContext: ze_context_handle_t, hIpc: ze_ipc_event_pool_handle_t, phEventPool: *mut ze_event_pool_handle_t);
        /// Closes an IPC event handle in the current process.
        zeEventPoolCloseIpcHandle(hEventPool: ze_event_pool_handle_t);
        /// Appends a signal of the event from the device into a command list.
        zeCommandListAppendSignalEvent(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t);
        /// Appends wait on event(s) on the device into a command list.
        zeCommandListAppendWaitOnEvents(hCommandList: ze_command_list_handle_t, numEvents: u32, phEvents: *mut ze_event_handle_t);
        /// Signals a event from host.
        zeEventHostSignal(hEvent: ze_event_handle_t);
        /// The current host thread waits on an event to be signaled.
        zeEventHostSynchronize(hEvent: ze_event_handle_t, timeout: u64);
        /// Queries an event object's status on the host.
        zeEventQueryStatus(hEvent: ze_event_handle_t);
        /// Appends a reset of an event back to not signaled state into a command list.
        zeCommandListAppendEventReset(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t);
        /// The current host thread resets an event back to not signaled state.
        zeEventHostReset(hEvent: ze_event_handle_t);
        /// Queries an event's timestamp value on the host.
        zeEventQueryKernelTimestamp(hEvent: ze_event_handle_t, dstptr: *mut ze_kernel_timestamp_result_t);
        /// Appends a query of an events' timestamp value(s) into a command list.
        zeCommandListAppendQueryKernelTimestamps(hCommandList: ze_command_list_handle_t, numEvents: u32, phEvents: *mut ze_event_handle_t, dstptr: *mut c_void, pOffsets: *const usize, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Query event timestamps for a device or sub-device.
        zeEventQueryTimestampsExp(hEvent: ze_event_handle_t, hDevice: ze_device_handle_t, pCount: *mut u32, pTimestamps: *mut ze_kernel_timestamp_result_t);
        // Fences.
        /// Creates a fence for the command queue.
        zeFenceCreate(hCommandQueue: ze_command_queue_handle_t, desc: *const ze_fence_desc_t, phFence: *mut ze_fence_handle_t);
        /// Deletes a fence object.
        zeFenceDestroy(hFence: ze_fence_handle_t);
        /// The current host thread waits on a fence to be signaled.
        zeFenceHostSynchronize(hFence: ze_fence_handle_t, timeout: u64);
        /// Queries a fence object's status.
        zeFenceQueryStatus(hFence: ze_fence_handle_t);
        /// Reset a fence back to the not signaled state.
        zeFenceReset(hFence: ze_fence_handle_t);
        // Images.
        /// Retrieves supported properties of an image.
        zeImageGetProperties(hDevice: ze_device_handle_t, desc: *const ze_image_desc_t, pImageProperties: *mut ze_image_properties_t);
        /// Creates an image on the context.
        zeImageCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_image_desc_t, phImage: *mut ze_image_handle_t);
        /// Deletes an image object.
        zeImageDestroy(hImage: ze_image_handle_t);
        /// Query image memory properties.
        zeImageGetMemoryPropertiesExp(hImage: ze_image_handle_t, pMemoryProperties: *mut ze_image_memory_properties_exp_t);
        /// Create image view on the context.
        zeImageViewCreateExp(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_image_desc_t, hImage: ze_image_handle_t, phImageView: *mut ze_image_handle_t);
        /// Copies from an image to device or shared memory.
        zeCommandListAppendImageCopyToMemoryExt(hCommandList: ze_command_list_handle_t, dstptr: *mut c_void, hSrcImage: ze_image_handle_t, pSrcRegion: *const ze_image_region_t, destRowPitch: u32, destSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Copies to an image from device or shared memory.
        zeCommandListAppendImageCopyFromMemoryExt(hCommandList: ze_command_list_handle_t, hDstImage: ze_image_handle_t, srcptr: *const c_void, pDstRegion: *const ze_image_region_t, srcRowPitch: u32, srcSlicePitch: u32, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Retrieves attributes of an image allocation.
        zeImageGetAllocPropertiesExt(hContext: ze_context_handle_t, hImage: ze_image_handle_t, pImageAllocProperties: *mut ze_image_allocation_ext_properties_t);
        // Memory, residency.
        /// Allocates shared memory on the context.
        zeMemAllocShared(hContext: ze_context_handle_t, device_desc: *const ze_device_mem_alloc_desc_t, host_desc: *const ze_host_mem_alloc_desc_t, size: usize, alignment: usize, hDevice: ze_device_handle_t, pptr: *mut *mut c_void);
        /// Allocates device memory on the context.
        zeMemAllocDevice(hContext: ze_context_handle_t, device_desc: *const ze_device_mem_alloc_desc_t, size: usize, alignment: usize, hDevice: ze_device_handle_t, pptr: *mut *mut c_void);
        /// Allocates host memory on the context.
        zeMemAllocHost(hContext: ze_context_handle_t, host_desc: *const ze_host_mem_alloc_desc_t, size: usize, alignment: usize, pptr: *mut *mut c_void);
        /// Frees allocated host memory, device memory, or shared memory on the context.
        zeMemFree(hContext: ze_context_handle_t, ptr: *mut c_void);
        /// Retrieves attributes of a memory allocation.
        zeMemGetAllocProperties(hContext: ze_context_handle_t, ptr: *const c_void, pMemAllocProperties: *mut ze_memory_allocation_properties_t, phDevice: *mut ze_device_handle_t);
        /// Retrieves the base address and/or size of an allocation.
        zeMemGetAddressRange(hContext: ze_context_handle_t, ptr: *const c_void, pBase: *mut *mut c_void, pSize: *mut usize);
        /// Creates an IPC memory handle for the specified allocation.
        zeMemGetIpcHandle(hContext: ze_context_handle_t, ptr: *const c_void, pIpcHandle: *mut ze_ipc_mem_handle_t);
        /// Opens an IPC memory handle to retrieve a device pointer on the context.
        zeMemOpenIpcHandle(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, handle: ze_ipc_mem_handle_t, flags: ze_ipc_memory_flags_t, pptr: *mut *mut c_void);
        /// Closes an IPC memory handle.
        zeMemCloseIpcHandle(hContext: ze_context_handle_t, ptr: *const c_void);
        /// Makes memory resident for the device.
        zeContextMakeMemoryResident(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, ptr: *mut c_void, size: usize);
        /// Allows memory to be evicted from the device.
        zeContextEvictMemory(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, ptr: *mut c_void, size: usize);
        /// Makes image resident for the device.
        zeContextMakeImageResident(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, hImage: ze_image_handle_t);
        /// Allows image to be evicted from the device.
        zeContextEvictImage(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, hImage: ze_image_handle_t);
        /// Frees allocated host memory, device memory, or shared memory using the specified free policy.
        zeMemFreeExt(hContext: ze_context_handle_t, pMemFreeDesc: *const ze_memory_free_ext_desc_t, ptr: *mut c_void);
        // Modules.
        /// Creates a module on the context.
        zeModuleCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_module_desc_t, phModule: *mut ze_module_handle_t, phBuildLog: *mut ze_module_build_log_handle_t);
        /// Destroys module.
        zeModuleDestroy(hModule: ze_module_handle_t);
        /// Dynamically link modules together that share import/export linkage dependencies.
        zeModuleDynamicLink(numModules: u32, phModules: *mut ze_module_handle_t, phLinkLog: *mut ze_module_build_log_handle_t);
        /// Destroys module build log object.
        zeModuleBuildLogDestroy(hModuleBuildLog: ze_module_build_log_handle_t);
        /// Retrieves text string for build log.
        zeModuleBuildLogGetString(hModuleBuildLog: ze_module_build_log_handle_t, pSize: *mut usize, pBuildLog: *mut c_char);
        /// Retrieve native binary from Module.
        zeModuleGetNativeBinary(hModule: ze_module_handle_t, pSize: *mut usize, pModuleNativeBinary: *mut u8);
        /// Retrieve global variable pointer from Module.
        zeModuleGetGlobalPointer(hModule: ze_module_handle_t, pGlobalName: *const c_char, pSize: *mut usize, pptr: *mut *mut c_void);
        /// Retrieve all kernel names in the module.
        zeModuleGetKernelNames(hModule: ze_module_handle_t, pCount: *mut u32, pNames: *mut *const c_char);
        /// Retrieve module properties.
        zeModuleGetProperties(hModule: ze_module_handle_t, pModuleProperties: *mut ze_module_properties_t);
        /// Retrieve a function pointer from a module by name.
        zeModuleGetFunctionPointer(hModule: ze_module_handle_t, pFunctionName: *const c_char, pfnFunction: *mut *mut c_void);
        /// List Imports & Exports.
        zeModuleInspectLinkageExt(pInspectDesc: *mut ze_linkage_inspection_ext_desc_t, numModules: u32, phModules: *mut ze_module_handle_t, phLog: *mut ze_module_build_log_handle_t);
        // Samplers.
        /// Creates sampler on the context.
        zeSamplerCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_sampler_desc_t, phSampler: *mut ze_sampler_handle_t);
        /// Destroys sampler object.
        zeSamplerDestroy(hSampler: ze_sampler_handle_t);
        // Reserved addresses, physical memory.
        /// Reserves pages in virtual address space.
        zeVirtualMemReserve(hContext: ze_context_handle_t, pStart: *const c_void, size: usize, pptr: *mut *mut c_void);
        /// Free pages in a reserved virtual address range.
        zeVirtualMemFree(hContext: ze_context_handle_t, ptr: *const c_void, size: usize);
        /// Queries page size to use for aligning virtual memory reservations and physical memory allocations.
        zeVirtualMemQueryPageSize(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, size: usize, pagesize: *mut usize);
        /// Creates a physical memory object for the context.
        zePhysicalMemCreate(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *mut ze_physical_mem_desc_t, phPhysicalMemory: *mut ze_physical_mem_handle_t);
        /// Destroys a physical memory object.
        zePhysicalMemDestroy(hContext: ze_context_handle_t, hPhysicalMemory: ze_physical_mem_handle_t);
        /// Maps pages in virtual address space to pages from physical memory object.
        zeVirtualMemMap(hContext: ze_context_handle_t, ptr: *const c_void, size: usize, hPhysicalMemory: ze_physical_mem_handle_t, offset: usize, access: ze_memory_access_attribute_t);
        /// Unmaps pages in virtual address space from pages from a physical memory object.
        zeVirtualMemUnmap(hContext: ze_context_handle_t, ptr: *const c_void, size: usize);
        /// Set memory access attributes for a virtual address range.
        zeVirtualMemSetAccessAttribute(hContext: ze_context_handle_t, ptr: *const c_void, size: usize, access: ze_memory_access_attribute_t);
        /// Get memory access attribute for a virtual address range.
        zeVirtualMemGetAccessAttribute(hContext: ze_context_handle_t, ptr: *const c_void, size: usize, access: *mut ze_memory_access_attribute_t, outSize: *mut usize);
        // Extensions of devices and kernels.
        /// Set global work offset for a kernel.
        zeKernelSetGlobalOffsetExp(hKernel: ze_kernel_handle_t, offsetX: u32, offsetY: u32, offsetZ: u32);
        /// Provide kernel scheduling hints that may improve performance.
        zeKernelSchedulingHintExp(hKernel: ze_kernel_handle_t, pHint: *mut ze_scheduling_hint_exp_desc_t);
        /// Get PCI properties - address, max speed.
        zeDevicePciGetPropertiesExt(hDevice: ze_device_handle_t, pPciProperties: *mut ze_pci_ext_properties_t);
        // Kernels and launches.
        /// Create a kernel from the module.
        zeKernelCreate(hModule: ze_module_handle_t, desc: *const ze_kernel_desc_t, phKernel: *mut ze_kernel_handle_t);
        /// Destroys a kernel object.
        zeKernelDestroy(hKernel: ze_kernel_handle_t);
        /// Set group size for a kernel.
        zeKernelSetGroupSize(hKernel: ze_kernel_handle_t, groupSizeX: u32, groupSizeY: u32, groupSizeZ: u32);
        /// Query a suggested group size for a kernel given a global size for each dimension.
        zeKernelSuggestGroupSize(hKernel: ze_kernel_handle_t, globalSizeX: u32, globalSizeY: u32, globalSizeZ: u32, groupSizeX: *mut u32, groupSizeY: *mut u32, groupSizeZ: *mut u32);
        /// Query a suggested max group count for a cooperative kernel.
        zeKernelSuggestMaxCooperativeGroupCount(hKernel: ze_kernel_handle_t, totalGroupCount: *mut u32);
        /// Set kernel argument for a kernel.
        zeKernelSetArgumentValue(hKernel: ze_kernel_handle_t, argIndex: u32, argSize: usize, pArgValue: *const c_void);
        /// Sets kernel indirect access flags.
        zeKernelSetIndirectAccess(hKernel: ze_kernel_handle_t, flags: ze_kernel_indirect_access_flags_t);
        /// Retrieve kernel indirect access flags.
        zeKernelGetIndirectAccess(hKernel: ze_kernel_handle_t, pFlags: *mut ze_kernel_indirect_access_flags_t);
        /// Retrieve all declared kernel attributes (i.e.
        zeKernelGetSourceAttributes(hKernel: ze_kernel_handle_t, pSize: *mut u32, pString: *mut *mut c_char);
        /// Sets the preferred cache configuration.
        zeKernelSetCacheConfig(hKernel: ze_kernel_handle_t, flags: ze_cache_config_flags_t);
        /// Retrieve kernel properties.
        zeKernelGetProperties(hKernel: ze_kernel_handle_t, pKernelProperties: *mut ze_kernel_properties_t);
        /// Retrieve kernel name from Kernel.
        zeKernelGetName(hKernel: ze_kernel_handle_t, pSize: *mut usize, pName: *mut c_char);
        /// Launch kernel over one or more work groups.
        zeCommandListAppendLaunchKernel(hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t, pLaunchFuncArgs: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Launch kernel cooperatively over one or more work groups.
        zeCommandListAppendLaunchCooperativeKernel(hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t, pLaunchFuncArgs: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Launch kernel over one or more work groups using indirect arguments.
        zeCommandListAppendLaunchKernelIndirect(hCommandList: ze_command_list_handle_t, hKernel: ze_kernel_handle_t, pLaunchArgumentsBuffer: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// Launch multiple kernels over one or more work groups using an array of indirect arguments.
        zeCommandListAppendLaunchMultipleKernelsIndirect(hCommandList: ze_command_list_handle_t, numKernels: u32, phKernels: *mut ze_kernel_handle_t, pCountBuffer: *const u32, pLaunchArgumentsBuffer: *const ze_group_count_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        // Sysman.
        /// Get PCI properties - address, max speed.
        zesDevicePciGetProperties(hDevice: zes_device_handle_t, pProperties: *mut zes_pci_properties_t);
        /// Get current PCI state - current speed.
        zesDevicePciGetState(hDevice: zes_device_handle_t, pState: *mut zes_pci_state_t);
        /// Get information about each configured bar.
        zesDevicePciGetBars(hDevice: zes_device_handle_t, pCount: *mut u32, pProperties: *mut zes_pci_bar_properties_t);
        /// Get PCI stats - bandwidth, number of packets, number of replays.
        zesDevicePciGetStats(hDevice: zes_device_handle_t, pStats: *mut zes_pci_stats_t);
        /// Get handle of memory modules.
        zesDeviceEnumMemoryModules(hDevice: zes_device_handle_t, pCount: *mut u32, phMemory: *mut zes_mem_handle_t);
        /// Get memory properties.
        zesMemoryGetProperties(hMemory: zes_mem_handle_t, pProperties: *mut zes_mem_properties_t);
        /// Get memory state - health, allocated.
        zesMemoryGetState(hMemory: zes_mem_handle_t, pState: *mut zes_mem_state_t);
        /// Get memory bandwidth.
        zesMemoryGetBandwidth(hMemory: zes_mem_handle_t, pBandwidth: *mut zes_mem_bandwidth_t);
        // After loader 1.8.12.
        /// Waits until the immediate list's commands are done (1.6).
        zeCommandListHostSynchronize(hCommandList: ze_command_list_handle_t, timeout: u64);
        /// The device that a sub-device is part of (1.7).
        zeDeviceGetRootDevice(hDevice: ze_device_handle_t, phRootDevice: *mut ze_device_handle_t);
        /// Appends closed lists to an immediate one (1.9).
        zeCommandListImmediateAppendCommandListsExp(hCommandListImmediate: ze_command_list_handle_t, numCommandLists: u32, phCommandLists: *mut ze_command_list_handle_t, hSignalEvent: ze_event_handle_t, numWaitEvents: u32, phWaitEvents: *mut ze_event_handle_t);
        /// A kernel's native binary (1.9).
        zeKernelGetBinaryExp(hKernel: ze_kernel_handle_t, pSize: *mut usize, pKernelBinary: *mut u8);
        /// The pitch that makes a 2D image of linear memory (1.9).
        zeMemGetPitchFor2dImage(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, imageWidth: usize, imageHeight: usize, elementSizeInBytes: c_uint, rowPitch: *mut usize);
        /// Another view of an image (1.5 as an extension).
        zeImageViewCreateExt(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, desc: *const ze_image_desc_t, hImage: ze_image_handle_t, phImageView: *mut ze_image_handle_t);
        /// The driver's message about the last error of this thread (1.6).
        zeDriverGetLastErrorDescription(hDriver: ze_driver_handle_t, ppString: *mut *const c_char);
    }
}
