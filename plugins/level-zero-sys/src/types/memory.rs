//! Memory of devices, of the host, and shared; residency.

use std::ffi::{CStr, c_int, c_void};

use super::common::{ze_bandwidth_unit_t, ze_external_memory_type_flags_t};
use super::structure_type::{
    ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES,
    ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
    ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_WIN32,
    ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32,
    ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES,
    ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
    ze_structure_type_t,
};

/// Extension name: Relaxed Allocation Limits Extension Name.
pub const ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME: &CStr = c"ZE_experimental_relaxed_allocation_limits";
/// Extension name: Memory Free Policies Extension Name.
pub const ZE_MEMORY_FREE_POLICIES_EXT_NAME: &CStr = c"ZE_extension_memory_free_policies";
/// Extension name: Device Memory Properties Extension Name.
pub const ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME: &CStr = c"ZE_extension_device_memory_properties";

enums! {
    /// Memory allocation type.
    ze_memory_type_t {
        /// The memory pointed to is of unknown type.
        ZE_MEMORY_TYPE_UNKNOWN = 0,
        /// The memory pointed to is a host allocation.
        ZE_MEMORY_TYPE_HOST = 1,
        /// The memory pointed to is a device allocation.
        ZE_MEMORY_TYPE_DEVICE = 2,
        /// The memory pointed to is a shared ownership allocation.
        ZE_MEMORY_TYPE_SHARED = 3,
    }
    /// Relaxed Allocation Limits Extension Version(s).
    ze_relaxed_allocation_limits_exp_version_t {
        /// Version 1.0.
        ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_CURRENT = 1 << 16,
    }
    /// Memory Free Policies Extension Version(s).
    ze_memory_free_policies_ext_version_t {
        /// Version 1.0.
        ZE_MEMORY_FREE_POLICIES_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_MEMORY_FREE_POLICIES_EXT_VERSION_CURRENT = 1 << 16,
    }
    /// Device Memory Properties Extension Version(s).
    ze_device_memory_properties_ext_version_t {
        /// Version 1.0.
        ZE_DEVICE_MEMORY_PROPERTIES_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_DEVICE_MEMORY_PROPERTIES_EXT_VERSION_CURRENT = 1 << 16,
    }
    /// Memory module types.
    ze_device_memory_ext_type_t {
        /// HBM memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_HBM = 0,
        /// HBM2 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_HBM2 = 1,
        /// DDR memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_DDR = 2,
        /// DDR2 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_DDR2 = 3,
        /// DDR3 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_DDR3 = 4,
        /// DDR4 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_DDR4 = 5,
        /// DDR5 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_DDR5 = 6,
        /// LPDDR memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR = 7,
        /// LPDDR3 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR3 = 8,
        /// LPDDR4 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR4 = 9,
        /// LPDDR5 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_LPDDR5 = 10,
        /// SRAM memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_SRAM = 11,
        /// L1 cache.
        ZE_DEVICE_MEMORY_EXT_TYPE_L1 = 12,
        /// L3 cache.
        ZE_DEVICE_MEMORY_EXT_TYPE_L3 = 13,
        /// Execution unit register file.
        ZE_DEVICE_MEMORY_EXT_TYPE_GRF = 14,
        /// Execution unit shared local memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_SLM = 15,
        /// GDDR4 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_GDDR4 = 16,
        /// GDDR5 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_GDDR5 = 17,
        /// GDDR5X memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_GDDR5X = 18,
        /// GDDR6 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6 = 19,
        /// GDDR6X memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_GDDR6X = 20,
        /// GDDR7 memory.
        ZE_DEVICE_MEMORY_EXT_TYPE_GDDR7 = 21,
    }
}

flags! {
    /// Supported memory allocation flags.
    ze_device_mem_alloc_flags_t | ze_device_mem_alloc_flag_t {
        /// Device should cache allocation.
        ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED = 1 << 0,
        /// Device should not cache allocation (UC).
        ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED = 1 << 1,
        /// Optimize shared allocation for first access on the device.
        ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT = 1 << 2,
    }
    /// Supported host memory allocation flags.
    ze_host_mem_alloc_flags_t | ze_host_mem_alloc_flag_t {
        /// Host should cache allocation.
        ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED = 1 << 0,
        /// Host should not cache allocation (UC).
        ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED = 1 << 1,
        /// Host memory should be allocated write-combined (WC).
        ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED = 1 << 2,
        /// Optimize shared allocation for first access on the host.
        ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT = 1 << 3,
    }
    /// Supported IPC memory flags.
    ze_ipc_memory_flags_t | ze_ipc_memory_flag_t {
        /// Device should cache allocation.
        ZE_IPC_MEMORY_FLAG_BIAS_CACHED = 1 << 0,
        /// Device should not cache allocation (UC).
        ZE_IPC_MEMORY_FLAG_BIAS_UNCACHED = 1 << 1,
    }
    /// Supported relaxed memory allocation flags.
    ze_relaxed_allocation_limits_exp_flags_t | ze_relaxed_allocation_limits_exp_flag_t {
        /// Allocation size may exceed ze_device_properties_t.maxMemAllocSize.
        ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE = 1 << 0,
    }
    /// Supported memory free policy capability flags.
    ze_driver_memory_free_policy_ext_flags_t | ze_driver_memory_free_policy_ext_flag_t {
        /// Blocks until all commands using the memory are complete before freeing.
        ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE = 1 << 0,
        /// Schedules the memory to be freed but does not free immediately.
        ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE = 1 << 1,
    }
}

structs! {
    /// Device memory allocation descriptor.
    ze_device_mem_alloc_desc_t = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying additional allocation controls.
        flags: ze_device_mem_alloc_flags_t,
        /// Ordinal of the device's local memory to allocate from.
        ordinal: u32,
    }
    /// Host memory allocation descriptor.
    ze_host_mem_alloc_desc_t = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying additional allocation controls.
        flags: ze_host_mem_alloc_flags_t,
    }
    /// Memory allocation properties queried using zeMemGetAllocProperties.
    ze_memory_allocation_properties_t = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Type of allocated memory.
        r#type: ze_memory_type_t,
        /// Identifier for this allocation.
        id: u64,
        /// Page size used for allocation.
        pageSize: u64,
    }
    /// Additional allocation descriptor for exporting external memory.
    ze_external_memory_export_desc_t = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying memory export types for this allocation.
        flags: ze_external_memory_type_flags_t,
    }
    /// Additional allocation descriptor for importing external memory as a file descriptor.
    ze_external_memory_import_fd_t = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying the memory import type for the file descriptor.
        flags: ze_external_memory_type_flags_t,
        /// The file descriptor handle to import.
        fd: c_int,
    }
    /// Exports an allocation as a file descriptor.
    ze_external_memory_export_fd_t = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying the memory export type for the file descriptor.
        flags: ze_external_memory_type_flags_t,
        /// The exported file descriptor handle representing the allocation.
        fd: c_int,
    }
    /// Additional allocation descriptor for importing external memory as a Win32 handle.
    ze_external_memory_import_win32_handle_t = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32 {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying the memory import type for the Win32 handle.
        flags: ze_external_memory_type_flags_t,
        /// The Win32 handle to import.
        handle: *mut c_void,
        /// Name of a memory object to import.
        name: *const c_void,
    }
    /// Exports an allocation as a Win32 handle.
    ze_external_memory_export_win32_handle_t = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_WIN32 {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying the memory export type for the Win32 handle.
        flags: ze_external_memory_type_flags_t,
        /// The exported Win32 handle representing the allocation.
        handle: *mut c_void,
    }
    /// Relaxed limits memory allocation descriptor.
    ze_relaxed_allocation_limits_exp_desc_t = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying allocation limits to relax.
        flags: ze_relaxed_allocation_limits_exp_flags_t,
    }
    /// Driver memory free properties queried using zeDriverGetProperties.
    ze_driver_memory_free_ext_properties_t = ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Supported memory free policies.
        freePolicies: ze_driver_memory_free_policy_ext_flags_t,
    }
    /// Memory free descriptor with free policy.
    ze_memory_free_ext_desc_t = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying the memory free policy.
        freePolicy: ze_driver_memory_free_policy_ext_flags_t,
    }
    /// Memory properties.
    ze_device_memory_ext_properties_t = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// The memory type.
        r#type: ze_device_memory_ext_type_t,
        /// Physical memory size in bytes.
        physicalSize: u64,
        /// Design bandwidth for reads.
        readBandwidth: u32,
        /// Design bandwidth for writes.
        writeBandwidth: u32,
        /// Bandwidth unit.
        bandwidthUnit: ze_bandwidth_unit_t,
    }
}
