//! Extensions of devices and kernels.

use std::ffi::{CStr, c_void};

use super::structure_type::{
    ZE_STRUCTURE_TYPE_EU_COUNT_EXT, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES,
    ZE_STRUCTURE_TYPE_MEMORY_COMPRESSION_HINTS_EXT_DESC, ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES,
    ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC, ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES,
    ze_structure_type_t,
};

/// Extension name: Floating-Point Atomics Extension Name.
pub const ZE_FLOAT_ATOMICS_EXT_NAME: &CStr = c"ZE_extension_float_atomics";
/// Extension name: Global Offset Extension Name.
pub const ZE_GLOBAL_OFFSET_EXP_NAME: &CStr = c"ZE_experimental_global_offset";
/// Extension name: Kernel Scheduling Hints Extension Name.
pub const ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME: &CStr = c"ZE_experimental_scheduling_hints";
/// Extension name: Subgroups Extension Name.
pub const ZE_SUBGROUPS_EXT_NAME: &CStr = c"ZE_extension_subgroups";
/// Extension name: EU Count Extension Name.
pub const ZE_EU_COUNT_EXT_NAME: &CStr = c"ZE_extension_eu_count";
/// Extension name: PCI Properties Extension Name.
pub const ZE_PCI_PROPERTIES_EXT_NAME: &CStr = c"ZE_extension_pci_properties";
/// Extension name: Memory Compression Hints Extension Name.
pub const ZE_MEMORY_COMPRESSION_HINTS_EXT_NAME: &CStr = c"ZE_extension_memory_compression_hints";

enums! {
    /// Floating-Point Atomics Extension Version(s).
    ze_float_atomics_ext_version_t {
        /// Version 1.0.
        ZE_FLOAT_ATOMICS_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_FLOAT_ATOMICS_EXT_VERSION_CURRENT = 1 << 16,
    }
    /// Global Offset Extension Version(s).
    ze_global_offset_exp_version_t {
        /// Version 1.0.
        ZE_GLOBAL_OFFSET_EXP_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_GLOBAL_OFFSET_EXP_VERSION_CURRENT = 1 << 16,
    }
    /// Kernel Scheduling Hints Extension Version(s).
    ze_scheduling_hints_exp_version_t {
        /// Version 1.0.
        ZE_SCHEDULING_HINTS_EXP_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_SCHEDULING_HINTS_EXP_VERSION_CURRENT = 1 << 16,
    }
    /// Subgroups Extension Version(s).
    ze_subgroup_ext_version_t {
        /// Version 1.0.
        ZE_SUBGROUP_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_SUBGROUP_EXT_VERSION_CURRENT = 1 << 16,
    }
    /// EU Count Extension Version(s).
    ze_eu_count_ext_version_t {
        /// Version 1.0.
        ZE_EU_COUNT_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_EU_COUNT_EXT_VERSION_CURRENT = 1 << 16,
    }
    /// PCI Properties Extension Version(s).
    ze_pci_properties_ext_version_t {
        /// Version 1.0.
        ZE_PCI_PROPERTIES_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_PCI_PROPERTIES_EXT_VERSION_CURRENT = 1 << 16,
    }
    /// Memory Compression Hints Extension Version(s).
    ze_memory_compression_hints_ext_version_t {
        /// Version 1.0.
        ZE_MEMORY_COMPRESSION_HINTS_EXT_VERSION_1_0 = 1 << 16,
        /// Latest known version.
        ZE_MEMORY_COMPRESSION_HINTS_EXT_VERSION_CURRENT = 1 << 16,
    }
}

flags! {
    /// Supported floating-point atomic capability flags.
    ze_device_fp_atomic_ext_flags_t | ze_device_fp_atomic_ext_flag_t {
        /// Supports atomic load, store, and exchange.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE = 1 << 0,
        /// Supports atomic add and subtract.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD = 1 << 1,
        /// Supports atomic min and max.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX = 1 << 2,
        /// Supports atomic load, store, and exchange.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE = 1 << 16,
        /// Supports atomic add and subtract.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD = 1 << 17,
        /// Supports atomic min and max.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX = 1 << 18,
    }
    /// Supported kernel scheduling hint flags.
    ze_scheduling_hint_exp_flags_t | ze_scheduling_hint_exp_flag_t {
        /// Hint that the kernel prefers oldest-first scheduling.
        ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST = 1 << 0,
        /// Hint that the kernel prefers round-robin scheduling.
        ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN = 1 << 1,
        /// Hint that the kernel prefers stall-based round-robin scheduling.
        ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN = 1 << 2,
    }
    /// Supported memory compression hints flags.
    ze_memory_compression_hints_ext_flags_t | ze_memory_compression_hints_ext_flag_t {
        /// Hint Driver implementation to make allocation compressible.
        ZE_MEMORY_COMPRESSION_HINTS_EXT_FLAG_COMPRESSED = 1 << 0,
        /// Hint Driver implementation to make allocation not compressible.
        ZE_MEMORY_COMPRESSION_HINTS_EXT_FLAG_UNCOMPRESSED = 1 << 1,
    }
}

structs! {
    /// Device floating-point atomic properties queried using zeDeviceGetModuleProperties.
    ze_float_atomic_ext_properties_t = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Capabilities for half-precision floating-point atomic operations.
        fp16Flags: ze_device_fp_atomic_ext_flags_t,
        /// Capabilities for single-precision floating-point atomic operations.
        fp32Flags: ze_device_fp_atomic_ext_flags_t,
        /// Capabilities for double-precision floating-point atomic operations.
        fp64Flags: ze_device_fp_atomic_ext_flags_t,
    }
    /// Device kernel scheduling hint properties queried using zeDeviceGetModuleProperties.
    ze_scheduling_hint_exp_properties_t = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Supported kernel scheduling hints.
        schedulingHintFlags: ze_scheduling_hint_exp_flags_t,
    }
    /// Kernel scheduling hint descriptor.
    ze_scheduling_hint_exp_desc_t = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying kernel scheduling hints.
        flags: ze_scheduling_hint_exp_flags_t,
    }
    /// EU count queried using zeDeviceGetProperties.
    ze_eu_count_ext_t = ZE_STRUCTURE_TYPE_EU_COUNT_EXT {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Total number of EUs available.
        numTotalEUs: u32,
    }
    /// Device PCI address.
    ze_pci_address_ext_t {
        /// PCI domain number.
        domain: u32,
        /// PCI BDF bus number.
        bus: u32,
        /// PCI BDF device number.
        device: u32,
        /// PCI BDF function number.
        function: u32,
    }
    /// Device PCI speed.
    ze_pci_speed_ext_t {
        /// The link generation. A value of -1 means that this property is unknown.
        genVersion: i32,
        /// The number of lanes. A value of -1 means that this property is unknown.
        width: i32,
        /// The theoretical maximum bandwidth in bytes/sec (sum of all lanes).
        maxBandwidth: i64,
    }
    /// Static PCI properties.
    ze_pci_ext_properties_t = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// The BDF address.
        address: ze_pci_address_ext_t,
        /// Fastest port configuration supported by the device (sum of all lanes).
        maxSpeed: ze_pci_speed_ext_t,
    }
    /// Compression hints memory allocation descriptor.
    ze_memory_compression_hints_ext_desc_t = ZE_STRUCTURE_TYPE_MEMORY_COMPRESSION_HINTS_EXT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying if allocation should be compressible or not.
        flags: ze_memory_compression_hints_ext_flags_t,
    }
}
