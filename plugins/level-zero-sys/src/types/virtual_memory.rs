//! Reserved addresses and physical memory.

use std::ffi::c_void;

use super::structure_type::*;

enums! {
    /// Virtual memory page access attributes.
    ze_memory_access_attribute_t {
        /// Indicates the memory page is inaccessible.
        ZE_MEMORY_ACCESS_ATTRIBUTE_NONE = 0,
        /// Indicates the memory page supports read write access.
        ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE = 1,
        /// Indicates the memory page supports read-only access.
        ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY = 2,
    }
}

flags! {
    /// Supported physical memory creation flags.
    ze_physical_mem_flags_t | ze_physical_mem_flag_t {
    }
}

structs! {
    /// Physical memory descriptor.
    ze_physical_mem_desc_t = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Creation flags. must be 0 (default) or a valid combination of ze_physical_mem_flag_t.
        flags: ze_physical_mem_flags_t,
        /// Size in bytes to reserve; must be page aligned.
        size: usize,
    }
}
