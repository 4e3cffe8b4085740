//! Memory of devices, of the host, and shared; residency.

use std::ffi::{c_int, c_void};

use super::common::ze_external_memory_type_flags_t;
use super::structure_type::*;

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
}

flags! {
    /// Supported memory allocation flags.
    ze_device_mem_alloc_flags_t | ze_device_mem_alloc_flag_t {
        /// Optimize shared allocation for first access on the device.
        ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT = 1 << 2,
    }
    /// Supported host memory allocation flags.
    ze_host_mem_alloc_flags_t | ze_host_mem_alloc_flag_t {
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
    /// Relaxed limits memory allocation descriptor.
    ze_relaxed_allocation_limits_exp_desc_t = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying allocation limits to relax.
        flags: ze_relaxed_allocation_limits_exp_flags_t,
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
}
