//! Sysman: memory modules and PCI.

use std::ffi::c_void;

use super::common::{ze_bool_t, ze_device_handle_t};

/// A device, as Sysman sees it: the same handle.
pub type zes_device_handle_t = ze_device_handle_t;

handles! {
    /// Handle for a Sysman device memory module.
    zes_mem_handle_t
}

enums! {
    /// Defines structure types.
    zes_structure_type_t {
        /// Of `zes_pci_properties_t`.
        ZES_STRUCTURE_TYPE_PCI_PROPERTIES = 0x2,
        /// Of `zes_mem_properties_t`.
        ZES_STRUCTURE_TYPE_MEM_PROPERTIES = 0xb,
        /// Of `zes_mem_state_t`.
        ZES_STRUCTURE_TYPE_MEM_STATE = 0x1e,
    }
    /// Memory module types.
    zes_mem_type_t {
        /// DDR memory.
        ZES_MEM_TYPE_DDR = 1,
    }
    /// Memory module location.
    zes_mem_loc_t {
        /// On board local device memory.
        ZES_MEM_LOC_DEVICE = 1,
    }
    /// Memory health.
    zes_mem_health_t {
        /// All memory channels are healthy.
        ZES_MEM_HEALTH_OK = 1,
    }
}

structs! {
    /// PCI address.
    zes_pci_address_t {
        /// BDF domain.
        domain: u32,
        /// BDF bus.
        bus: u32,
        /// BDF device.
        device: u32,
        /// BDF function.
        function: u32,
    }
    /// PCI speed.
    zes_pci_speed_t {
        /// The link generation. A value of -1 means that this property is unknown.
        r#gen: i32,
        /// The number of lanes. A value of -1 means that this property is unknown.
        width: i32,
        /// The maximum bandwidth in bytes/sec (sum of all lanes).
        maxBandwidth: i64,
    }
    /// Static PCI properties.
    zes_pci_properties_t = ZES_STRUCTURE_TYPE_PCI_PROPERTIES {
        /// Type of this structure.
        stype: zes_structure_type_t,
        /// Pointer to extension-specific structure.
        pNext: *mut c_void,
        /// The BDF address.
        address: zes_pci_address_t,
        /// Fastest port configuration supported by the device (sum of all lanes).
        maxSpeed: zes_pci_speed_t,
        /// Indicates if zes_pci_stats_t.rxCounter and zes_pci_stats_t.txCounter will have valid values.
        haveBandwidthCounters: ze_bool_t,
        /// Indicates if zes_pci_stats_t.packetCounter will have valid values.
        havePacketCounters: ze_bool_t,
        /// Indicates if zes_pci_stats_t.replayCounter will have valid values.
        haveReplayCounters: ze_bool_t,
    }
    /// Memory properties.
    zes_mem_properties_t = ZES_STRUCTURE_TYPE_MEM_PROPERTIES {
        /// Type of this structure.
        stype: zes_structure_type_t,
        /// Pointer to extension-specific structure.
        pNext: *mut c_void,
        /// The memory type.
        r#type: zes_mem_type_t,
        /// True if this resource is located on a sub-device.
        onSubdevice: ze_bool_t,
        /// If onSubdevice is true, this gives the ID of the sub-device.
        subdeviceId: u32,
        /// Location of this memory (system, device).
        location: zes_mem_loc_t,
        /// Physical memory size in bytes.
        physicalSize: u64,
        /// Width of the memory bus. A value of -1 means that this property is unknown.
        busWidth: i32,
        /// The number of memory channels. A value of -1 means that this property is unknown.
        numChannels: i32,
    }
    /// Memory state - health, allocated.
    zes_mem_state_t = ZES_STRUCTURE_TYPE_MEM_STATE {
        /// Type of this structure.
        stype: zes_structure_type_t,
        /// Pointer to extension-specific structure.
        pNext: *const c_void,
        /// Indicates the health of the memory.
        health: zes_mem_health_t,
        /// The free memory in bytes.
        free: u64,
        /// The total allocatable memory in bytes (can be less than zes_mem_properties_t.physicalSize).
        size: u64,
    }
    /// Memory bandwidth.
    zes_mem_bandwidth_t {
        /// Total bytes read from memory.
        readCounter: u64,
        /// Total bytes written to memory.
        writeCounter: u64,
        /// Current maximum bandwidth in units of bytes/sec.
        maxBandwidth: u64,
        /// The timestamp when these measurements were sampled.
        timestamp: u64,
    }
}
