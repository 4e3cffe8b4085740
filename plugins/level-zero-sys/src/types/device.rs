//! Devices and their properties.

use std::ffi::{c_char, c_void};

use super::common::ze_external_memory_type_flags_t;
use super::structure_type::*;

/// Maximum device universal unique id (UUID) size in bytes.
pub const ZE_MAX_DEVICE_UUID_SIZE: usize = 16;
/// Maximum device name string size.
pub const ZE_MAX_DEVICE_NAME: usize = 256;
/// Maximum number of subgroup sizes supported.
pub const ZE_SUBGROUPSIZE_COUNT: usize = 8;
/// Maximum native kernel universal unique id (UUID) size in bytes.
pub const ZE_MAX_NATIVE_KERNEL_UUID_SIZE: usize = 16;

enums! {
    /// Supported device types.
    ze_device_type_t {
        /// Graphics Processing Unit.
        ZE_DEVICE_TYPE_GPU = 1,
        /// Central Processing Unit.
        ZE_DEVICE_TYPE_CPU = 2,
        /// Field Programmable Gate Array.
        ZE_DEVICE_TYPE_FPGA = 3,
        /// Memory Copy Accelerator.
        ZE_DEVICE_TYPE_MCA = 4,
        /// Vision Processing Unit.
        ZE_DEVICE_TYPE_VPU = 5,
    }
}

flags! {
    /// Supported device property flags.
    ze_device_property_flags_t | ze_device_property_flag_t {
        /// Device is integrated with the Host.
        ZE_DEVICE_PROPERTY_FLAG_INTEGRATED = 1 << 0,
        /// Device handle used for query represents a sub-device.
        ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE = 1 << 1,
        /// Device supports error correction memory access.
        ZE_DEVICE_PROPERTY_FLAG_ECC = 1 << 2,
        /// Device supports on-demand page-faulting.
        ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING = 1 << 3,
    }
    /// Supported device module flags.
    ze_device_module_flags_t | ze_device_module_flag_t {
        /// Device supports 16-bit floating-point operations.
        ZE_DEVICE_MODULE_FLAG_FP16 = 1 << 0,
        /// Device supports 64-bit floating-point operations.
        ZE_DEVICE_MODULE_FLAG_FP64 = 1 << 1,
        /// Device supports 64-bit atomic operations.
        ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS = 1 << 2,
        /// Device supports four component dot product and accumulate operations.
        ZE_DEVICE_MODULE_FLAG_DP4A = 1 << 3,
    }
    /// Supported floating-Point capability flags.
    ze_device_fp_flags_t | ze_device_fp_flag_t {
        /// Supports denorms.
        ZE_DEVICE_FP_FLAG_DENORM = 1 << 0,
        /// Supports INF and quiet NaNs.
        ZE_DEVICE_FP_FLAG_INF_NAN = 1 << 1,
        /// Supports rounding to nearest even rounding mode.
        ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST = 1 << 2,
        /// Supports rounding to zero.
        ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO = 1 << 3,
        /// Supports rounding to both positive and negative INF.
        ZE_DEVICE_FP_FLAG_ROUND_TO_INF = 1 << 4,
        /// Supports IEEE754-2008 fused multiply-add.
        ZE_DEVICE_FP_FLAG_FMA = 1 << 5,
        /// Supports rounding as defined by IEEE754 for divide and sqrt operations.
        ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT = 1 << 6,
        /// Uses software implementation for basic floating-point operations.
        ZE_DEVICE_FP_FLAG_SOFT_FLOAT = 1 << 7,
    }
    /// Supported command queue group property flags.
    ze_command_queue_group_property_flags_t | ze_command_queue_group_property_flag_t {
        /// Command queue group supports enqueing compute commands.
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE = 1 << 0,
        /// Command queue group supports enqueing copy commands.
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY = 1 << 1,
        /// Command queue group supports cooperative kernels.
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS = 1 << 2,
        /// Command queue groups supports metric queries.
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_METRICS = 1 << 3,
    }
    /// Supported device memory property flags.
    ze_device_memory_property_flags_t | ze_device_memory_property_flag_t {
        /// Reserved for future use.
        ZE_DEVICE_MEMORY_PROPERTY_FLAG_TBD = 1 << 0,
    }
    /// Memory access capability flags.
    ze_memory_access_cap_flags_t | ze_memory_access_cap_flag_t {
        /// Supports load/store access.
        ZE_MEMORY_ACCESS_CAP_FLAG_RW = 1 << 0,
        /// Supports atomic access.
        ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC = 1 << 1,
        /// Supports concurrent access.
        ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT = 1 << 2,
        /// Supports concurrent atomic access.
        ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC = 1 << 3,
    }
    /// Supported cache control property flags.
    ze_device_cache_property_flags_t | ze_device_cache_property_flag_t {
        /// Device support User Cache Control (i.e. SLM section vs Generic Cache).
        ZE_DEVICE_CACHE_PROPERTY_FLAG_USER_CONTROL = 1 << 0,
    }
    /// Supported device peer-to-peer property flags.
    ze_device_p2p_property_flags_t | ze_device_p2p_property_flag_t {
        /// Device supports access between peer devices.
        ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS = 1 << 0,
        /// Device supports atomics between peer devices.
        ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS = 1 << 1,
    }
}

structs! {
    /// Device universal unique id (UUID).
    ze_device_uuid_t {
        /// Opaque data representing a device UUID.
        id: [u8; ZE_MAX_DEVICE_UUID_SIZE],
    }
    /// Device properties queried using zeDeviceGetProperties.
    ze_device_properties_t = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Generic device type.
        r#type: ze_device_type_t,
        /// Vendor id from PCI configuration.
        vendorId: u32,
        /// Device id from PCI configuration.
        deviceId: u32,
        /// 0 (none) or a valid combination of ze_device_property_flag_t.
        flags: ze_device_property_flags_t,
        /// Sub-device id. Only valid if ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE is set.
        subdeviceId: u32,
        /// Clock rate for device core.
        coreClockRate: u32,
        /// Maximum memory allocation size.
        maxMemAllocSize: u64,
        /// Maximum number of logical hardware contexts.
        maxHardwareContexts: u32,
        /// Maximum priority for command queues. Higher value is higher priority.
        maxCommandQueuePriority: u32,
        /// Maximum number of threads per EU.
        numThreadsPerEU: u32,
        /// The physical EU simd width.
        physicalEUSimdWidth: u32,
        /// Maximum number of EUs per sub-slice.
        numEUsPerSubslice: u32,
        /// Maximum number of sub-slices per slice.
        numSubslicesPerSlice: u32,
        /// Maximum number of slices.
        numSlices: u32,
        /// Returns the resolution of device timer used for profiling, timestamps, etc.
        timerResolution: u64,
        /// Returns the number of valid bits in the timestamp value.
        timestampValidBits: u32,
        /// Returns the number of valid bits in the kernel timestamp values.
        kernelTimestampValidBits: u32,
        /// Universal unique identifier. Note: Subdevices will have their own uuid.
        uuid: ze_device_uuid_t,
        /// Device name.
        name: [c_char; ZE_MAX_DEVICE_NAME],
    }
    /// Device compute properties queried using zeDeviceGetComputeProperties.
    ze_device_compute_properties_t = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Maximum items per compute group. (groupSizeX * groupSizeY * groupSizeZ) \<= maxTotalGroupSize.
        maxTotalGroupSize: u32,
        /// Maximum items for X dimension in group.
        maxGroupSizeX: u32,
        /// Maximum items for Y dimension in group.
        maxGroupSizeY: u32,
        /// Maximum items for Z dimension in group.
        maxGroupSizeZ: u32,
        /// Maximum groups that can be launched for x dimension.
        maxGroupCountX: u32,
        /// Maximum groups that can be launched for y dimension.
        maxGroupCountY: u32,
        /// Maximum groups that can be launched for z dimension.
        maxGroupCountZ: u32,
        /// Maximum shared local memory per group.
        maxSharedLocalMemory: u32,
        /// Number of subgroup sizes supported. This indicates number of entries in subGroupSizes.
        numSubGroupSizes: u32,
        /// Size group sizes supported.
        subGroupSizes: [u32; ZE_SUBGROUPSIZE_COUNT],
    }
    /// Native kernel universal unique id (UUID).
    ze_native_kernel_uuid_t {
        /// Opaque data representing a native kernel UUID.
        id: [u8; ZE_MAX_NATIVE_KERNEL_UUID_SIZE],
    }
    /// Device module properties queried using zeDeviceGetModuleProperties.
    ze_device_module_properties_t = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Maximum supported SPIR-V version.
        spirvVersionSupported: u32,
        /// 0 or a valid combination of ze_device_module_flag_t.
        flags: ze_device_module_flags_t,
        /// Capabilities for half-precision floating-point operations.
        fp16flags: ze_device_fp_flags_t,
        /// Capabilities for single-precision floating-point operations.
        fp32flags: ze_device_fp_flags_t,
        /// Capabilities for double-precision floating-point operations.
        fp64flags: ze_device_fp_flags_t,
        /// Maximum kernel argument size that is supported.
        maxArgumentsSize: u32,
        /// Maximum size of internal buffer that holds output of printf calls from kernel.
        printfBufferSize: u32,
        /// Compatibility UUID of supported native kernel.
        nativeKernelSupported: ze_native_kernel_uuid_t,
    }
    /// Command queue group properties queried using zeDeviceGetCommandQueueGroupProperties.
    ze_command_queue_group_properties_t = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// 0 (none) or a valid combination of ze_command_queue_group_property_flag_t.
        flags: ze_command_queue_group_property_flags_t,
        /// Maximum `pattern_size` supported by command queue group.
        maxMemoryFillPatternSize: usize,
        /// The number of physical engines within the group.
        numQueues: u32,
    }
    /// Device local memory properties queried using zeDeviceGetMemoryProperties.
    ze_device_memory_properties_t = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// 0 (none) or a valid combination of ze_device_memory_property_flag_t.
        flags: ze_device_memory_property_flags_t,
        /// Maximum clock rate for device memory.
        maxClockRate: u32,
        /// Maximum bus width between device and memory.
        maxBusWidth: u32,
        /// Total memory size in bytes that is available to the device.
        totalSize: u64,
        /// Memory name.
        name: [c_char; ZE_MAX_DEVICE_NAME],
    }
    /// Device memory access properties queried using zeDeviceGetMemoryAccessProperties.
    ze_device_memory_access_properties_t = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Host memory capabilities.
        hostAllocCapabilities: ze_memory_access_cap_flags_t,
        /// Device memory capabilities.
        deviceAllocCapabilities: ze_memory_access_cap_flags_t,
        /// Shared, single-device memory capabilities.
        sharedSingleDeviceAllocCapabilities: ze_memory_access_cap_flags_t,
        /// Shared, cross-device memory capabilities.
        sharedCrossDeviceAllocCapabilities: ze_memory_access_cap_flags_t,
        /// Shared, system memory capabilities.
        sharedSystemAllocCapabilities: ze_memory_access_cap_flags_t,
    }
    /// Device cache properties queried using zeDeviceGetCacheProperties.
    ze_device_cache_properties_t = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// 0 (none) or a valid combination of ze_device_cache_property_flag_t.
        flags: ze_device_cache_property_flags_t,
        /// Per-cache size, in bytes.
        cacheSize: usize,
    }
    /// Device image properties queried using zeDeviceGetImageProperties.
    ze_device_image_properties_t = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Maximum image dimensions for 1D resources. if 0, then 1D images are unsupported.
        maxImageDims1D: u32,
        /// Maximum image dimensions for 2D resources. if 0, then 2D images are unsupported.
        maxImageDims2D: u32,
        /// Maximum image dimensions for 3D resources. if 0, then 3D images are unsupported.
        maxImageDims3D: u32,
        /// Maximum image buffer size in bytes. if 0, then buffer images are unsupported.
        maxImageBufferSize: u64,
        /// Maximum image array slices. if 0, then image arrays are unsupported.
        maxImageArraySlices: u32,
        /// Max samplers that can be used in kernel. if 0, then sampling is unsupported.
        maxSamplers: u32,
        /// Returns the maximum number of simultaneous image objects that can be read from by a kernel.
        maxReadImageArgs: u32,
        /// Returns the maximum number of simultaneous image objects that can be written to by a kernel.
        maxWriteImageArgs: u32,
    }
    /// Device external memory import and export properties.
    ze_device_external_memory_properties_t = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Supported external memory import types for memory allocations.
        memoryAllocationImportTypes: ze_external_memory_type_flags_t,
        /// Supported external memory export types for memory allocations.
        memoryAllocationExportTypes: ze_external_memory_type_flags_t,
        /// Supported external memory import types for images.
        imageImportTypes: ze_external_memory_type_flags_t,
        /// Supported external memory export types for images.
        imageExportTypes: ze_external_memory_type_flags_t,
    }
    /// Device peer-to-peer properties queried using zeDeviceGetP2PProperties.
    ze_device_p2p_properties_t = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// 0 (none) or a valid combination of ze_device_p2p_property_flag_t.
        flags: ze_device_p2p_property_flags_t,
    }
}
