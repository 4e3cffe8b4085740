//! Extensions of devices and kernels.

use std::ffi::c_void;

use super::structure_type::*;

flags! {
    /// Supported floating-point atomic capability flags.
    ze_device_fp_atomic_ext_flags_t | ze_device_fp_atomic_ext_flag_t {
        /// Supports atomic load, store, and exchange.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE = 1 << 0,
        /// Supports atomic add and subtract.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD = 1 << 1,
        /// Supports atomic min and max.
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX = 1 << 2,
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
    /// Kernel scheduling hint descriptor.
    ze_scheduling_hint_exp_desc_t = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Flags specifying kernel scheduling hints.
        flags: ze_scheduling_hint_exp_flags_t,
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
}
