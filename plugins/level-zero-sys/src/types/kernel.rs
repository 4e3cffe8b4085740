//! Kernels and their launches.

use std::ffi::{c_char, c_void};

use super::structure_type::*;

/// Maximum kernel universal unique id (UUID) size in bytes.
pub const ZE_MAX_KERNEL_UUID_SIZE: usize = 16;
/// Maximum module universal unique id (UUID) size in bytes.
pub const ZE_MAX_MODULE_UUID_SIZE: usize = 16;

flags! {
    /// Supported kernel creation flags.
    ze_kernel_flags_t | ze_kernel_flag_t {
        /// Force all device allocations to be resident during execution.
        ZE_KERNEL_FLAG_FORCE_RESIDENCY = 1 << 0,
        /// Application is responsible for all residency of device allocations.
        ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY = 1 << 1,
    }
    /// Kernel indirect access flags.
    ze_kernel_indirect_access_flags_t | ze_kernel_indirect_access_flag_t {
        /// Indicates that the kernel accesses host allocations indirectly.
        ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST = 1 << 0,
        /// Indicates that the kernel accesses device allocations indirectly.
        ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE = 1 << 1,
        /// Indicates that the kernel accesses shared allocations indirectly.
        ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED = 1 << 2,
    }
    /// Supported Cache Config flags.
    ze_cache_config_flags_t | ze_cache_config_flag_t {
        /// Large SLM size.
        ZE_CACHE_CONFIG_FLAG_LARGE_SLM = 1 << 0,
        /// Large General Data size.
        ZE_CACHE_CONFIG_FLAG_LARGE_DATA = 1 << 1,
    }
}

structs! {
    /// Kernel descriptor.
    ze_kernel_desc_t = ZE_STRUCTURE_TYPE_KERNEL_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Creation flags.
        flags: ze_kernel_flags_t,
        /// Null-terminated name of kernel in module.
        pKernelName: *const c_char,
    }
    /// Kernel universal unique id (UUID).
    ze_kernel_uuid_t {
        /// Opaque data representing a kernel UUID.
        kid: [u8; ZE_MAX_KERNEL_UUID_SIZE],
        /// Opaque data representing the kernel's module UUID.
        mid: [u8; ZE_MAX_MODULE_UUID_SIZE],
    }
    /// Kernel properties.
    ze_kernel_properties_t = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Number of kernel arguments.
        numKernelArgs: u32,
        /// Required group size in the X dimension, or zero if there is no required group size.
        requiredGroupSizeX: u32,
        /// Required group size in the Y dimension, or zero if there is no required group size.
        requiredGroupSizeY: u32,
        /// Required group size in the Z dimension, or zero if there is no required group size.
        requiredGroupSizeZ: u32,
        /// Required number of subgroups per thread group.
        requiredNumSubGroups: u32,
        /// Required subgroup size, or zero if there is no required subgroup size.
        requiredSubgroupSize: u32,
        /// Maximum subgroup size.
        maxSubgroupSize: u32,
        /// Maximum number of subgroups per thread group.
        maxNumSubgroups: u32,
        /// Local memory size used by each thread group.
        localMemSize: u32,
        /// Private memory size allocated by compiler used by each thread.
        privateMemSize: u32,
        /// Spill memory size allocated by compiler.
        spillMemSize: u32,
        /// Universal unique identifier.
        uuid: ze_kernel_uuid_t,
    }
    /// Additional kernel preferred group size properties.
    ze_kernel_preferred_group_size_properties_t = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Preferred group size multiple.
        preferredMultiple: u32,
    }
    /// Kernel dispatch group count.
    ze_group_count_t {
        /// Number of thread groups in X dimension.
        groupCountX: u32,
        /// Number of thread groups in Y dimension.
        groupCountY: u32,
        /// Number of thread groups in Z dimension.
        groupCountZ: u32,
    }
}
