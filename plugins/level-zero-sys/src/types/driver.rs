//! Drivers.

use std::ffi::{c_char, c_void};

use super::structure_type::*;

/// Maximum driver universal unique id (UUID) size in bytes.
pub const ZE_MAX_DRIVER_UUID_SIZE: usize = 16;
/// Maximum extension name string size.
pub const ZE_MAX_EXTENSION_NAME: usize = 256;

enums! {
    /// Supported API versions.
    ze_api_version_t {
        /// Version 1.0.
        ZE_API_VERSION_1_0 = 1 << 16,
        /// Version 1.1.
        ZE_API_VERSION_1_1 = (1 << 16) | 1,
        /// Version 1.2.
        ZE_API_VERSION_1_2 = (1 << 16) | 2,
        /// Version 1.3.
        ZE_API_VERSION_1_3 = (1 << 16) | 3,
        /// Version 1.4.
        ZE_API_VERSION_1_4 = (1 << 16) | 4,
    }
}

flags! {
    /// Supported initialization flags.
    ze_init_flags_t | ze_init_flag_t {
        /// Only initialize GPU drivers.
        ZE_INIT_FLAG_GPU_ONLY = 1 << 0,
        /// Only initialize VPU drivers.
        ZE_INIT_FLAG_VPU_ONLY = 1 << 1,
    }
    /// Supported IPC property flags.
    ze_ipc_property_flags_t | ze_ipc_property_flag_t {
        /// Supports passing memory allocations between processes. See zeMemGetIpcHandle.
        ZE_IPC_PROPERTY_FLAG_MEMORY = 1 << 0,
    }
}

structs! {
    /// Driver universal unique id (UUID).
    ze_driver_uuid_t {
        /// Opaque data representing a driver UUID.
        id: [u8; ZE_MAX_DRIVER_UUID_SIZE],
    }
    /// Driver properties queried using zeDriverGetProperties.
    ze_driver_properties_t = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Universal unique identifier.
        uuid: ze_driver_uuid_t,
        /// Driver version The driver version is a non-zero.
        driverVersion: u32,
    }
    /// IPC properties queried using zeDriverGetIpcProperties.
    ze_driver_ipc_properties_t = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// 0 (none) or a valid combination of ze_ipc_property_flag_t.
        flags: ze_ipc_property_flags_t,
    }
    /// Extension properties queried using zeDriverGetExtensionProperties.
    ze_driver_extension_properties_t {
        /// Extension name.
        name: [c_char; ZE_MAX_EXTENSION_NAME],
        /// Extension version using ZE_MAKE_VERSION.
        version: u32,
    }
}
