//! Additions after loader 1.8.12. A driver that does not know them ignores the structures and refuses the flags.

use std::ffi::{CStr, c_void};

use super::event::ze_event_pool_flags_t;
use super::list::ze_command_list_flags_t;
use super::queue::ze_command_queue_flags_t;
use super::structure_type::ze_structure_type_t;

/// Structure type of `ze_device_ip_version_ext_t`.
pub const ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT: ze_structure_type_t = ze_structure_type_t(0x1000f);

/// Structure type of `ze_external_memmap_sysmem_ext_desc_t` (1.14).
pub const ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC: ze_structure_type_t =
    ze_structure_type_t(0x20037);

/// Commands of the list run in the order in which they were appended (1.7).
pub const ZE_COMMAND_LIST_FLAG_IN_ORDER: ze_command_list_flags_t = 1 << 3;
/// Commands of the immediate list run in the order in which they were appended (1.7).
pub const ZE_COMMAND_QUEUE_FLAG_IN_ORDER: ze_command_queue_flags_t = 1 << 1;

/// Events of the pool also map their device timestamps to the host's clock (1.6).
pub const ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP: ze_event_pool_flags_t = 1 << 3;

/// Extension name: device IP version.
pub const ZE_DEVICE_IP_VERSION_EXT_NAME: &CStr = c"ZE_extension_device_ip_version";

/// Extension name: memory of the program as USM host memory.
pub const ZE_EXTERNAL_MEMORY_MAPPING_EXT_NAME: &CStr = c"ZE_extension_external_memmap_sysmem";

structs! {
    /// Chained to `ze_device_properties_t::pNext`: the version of the device's architecture.
    ze_device_ip_version_ext_t = ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure.
        pNext: *const c_void,
        /// Newer devices have higher numbers.
        ipVersion: u32,
    }
    /// Chained to `ze_host_mem_alloc_desc_t::pNext`: the allocation consists of memory that the program already has.
    ze_external_memmap_sysmem_ext_desc_t = ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure.
        pNext: *const c_void,
        /// The start address, which must be that of a page.
        pSystemMemory: *mut c_void,
        /// The size in bytes, which must be a multiple of the page size.
        size: u64,
    }
}
