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
        /// Of `zes_pci_bar_properties_t`.
        ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES = 0x3,
        /// Of `zes_mem_properties_t`.
        ZES_STRUCTURE_TYPE_MEM_PROPERTIES = 0xb,
        /// Of `zes_pci_state_t`.
        ZES_STRUCTURE_TYPE_PCI_STATE = 0x17,
        /// Of `zes_mem_state_t`.
        ZES_STRUCTURE_TYPE_MEM_STATE = 0x1e,
        /// Of `zes_pci_bar_properties_1_2_t`.
        ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES_1_2 = 0x24,
    }
    /// PCI link status.
    zes_pci_link_status_t {
        /// The link status could not be determined.
        ZES_PCI_LINK_STATUS_UNKNOWN = 0,
        /// The link is up and operating as expected.
        ZES_PCI_LINK_STATUS_GOOD = 1,
        /// The link is up but has quality and/or bandwidth degradation.
        ZES_PCI_LINK_STATUS_QUALITY_ISSUES = 2,
        /// The link has stability issues and preventing workloads making forward progress.
        ZES_PCI_LINK_STATUS_STABILITY_ISSUES = 3,
    }
    /// PCI bar types.
    zes_pci_bar_type_t {
        /// MMIO registers.
        ZES_PCI_BAR_TYPE_MMIO = 0,
        /// ROM aperture.
        ZES_PCI_BAR_TYPE_ROM = 1,
        /// Device memory.
        ZES_PCI_BAR_TYPE_MEM = 2,
    }
    /// Memory module types.
    zes_mem_type_t {
        /// HBM memory.
        ZES_MEM_TYPE_HBM = 0,
        /// DDR memory.
        ZES_MEM_TYPE_DDR = 1,
        /// DDR3 memory.
        ZES_MEM_TYPE_DDR3 = 2,
        /// DDR4 memory.
        ZES_MEM_TYPE_DDR4 = 3,
        /// DDR5 memory.
        ZES_MEM_TYPE_DDR5 = 4,
        /// LPDDR memory.
        ZES_MEM_TYPE_LPDDR = 5,
        /// LPDDR3 memory.
        ZES_MEM_TYPE_LPDDR3 = 6,
        /// LPDDR4 memory.
        ZES_MEM_TYPE_LPDDR4 = 7,
        /// LPDDR5 memory.
        ZES_MEM_TYPE_LPDDR5 = 8,
        /// SRAM memory.
        ZES_MEM_TYPE_SRAM = 9,
        /// L1 cache.
        ZES_MEM_TYPE_L1 = 10,
        /// L3 cache.
        ZES_MEM_TYPE_L3 = 11,
        /// Execution unit register file.
        ZES_MEM_TYPE_GRF = 12,
        /// Execution unit shared local memory.
        ZES_MEM_TYPE_SLM = 13,
        /// GDDR4 memory.
        ZES_MEM_TYPE_GDDR4 = 14,
        /// GDDR5 memory.
        ZES_MEM_TYPE_GDDR5 = 15,
        /// GDDR5X memory.
        ZES_MEM_TYPE_GDDR5X = 16,
        /// GDDR6 memory.
        ZES_MEM_TYPE_GDDR6 = 17,
        /// GDDR6X memory.
        ZES_MEM_TYPE_GDDR6X = 18,
        /// GDDR7 memory.
        ZES_MEM_TYPE_GDDR7 = 19,
    }
    /// Memory module location.
    zes_mem_loc_t {
        /// System memory.
        ZES_MEM_LOC_SYSTEM = 0,
        /// On board local device memory.
        ZES_MEM_LOC_DEVICE = 1,
    }
    /// Memory health.
    zes_mem_health_t {
        /// The memory health cannot be determined.
        ZES_MEM_HEALTH_UNKNOWN = 0,
        /// All memory channels are healthy.
        ZES_MEM_HEALTH_OK = 1,
        /// Excessive correctable errors have been detected on one or more channels. Device should be reset.
        ZES_MEM_HEALTH_DEGRADED = 2,
        /// Operating with reduced memory to cover banks with too many uncorrectable errors.
        ZES_MEM_HEALTH_CRITICAL = 3,
        /// Device should be replaced due to excessive uncorrectable errors.
        ZES_MEM_HEALTH_REPLACE = 4,
    }
}

flags! {
    /// PCI link quality degradation reasons.
    zes_pci_link_qual_issue_flags_t | zes_pci_link_qual_issue_flag_t {
        /// A significant number of replays are occurring.
        ZES_PCI_LINK_QUAL_ISSUE_FLAG_REPLAYS = 1 << 0,
        /// There is a degradation in the maximum bandwidth of the link.
        ZES_PCI_LINK_QUAL_ISSUE_FLAG_SPEED = 1 << 1,
    }
    /// PCI link stability issues.
    zes_pci_link_stab_issue_flags_t | zes_pci_link_stab_issue_flag_t {
        /// Link retraining has occurred to deal with quality issues.
        ZES_PCI_LINK_STAB_ISSUE_FLAG_RETRAINING = 1 << 0,
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
    /// Dynamic PCI state.
    zes_pci_state_t = ZES_STRUCTURE_TYPE_PCI_STATE {
        /// Type of this structure.
        stype: zes_structure_type_t,
        /// Pointer to extension-specific structure.
        pNext: *const c_void,
        /// The current status of the port.
        status: zes_pci_link_status_t,
        /// If status is ZES_PCI_LINK_STATUS_QUALITY_ISSUES.
        qualityIssues: zes_pci_link_qual_issue_flags_t,
        /// If status is ZES_PCI_LINK_STATUS_STABILITY_ISSUES.
        stabilityIssues: zes_pci_link_stab_issue_flags_t,
        /// The current port configure speed.
        speed: zes_pci_speed_t,
    }
    /// Properties of a pci bar.
    zes_pci_bar_properties_t = ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES {
        /// Type of this structure.
        stype: zes_structure_type_t,
        /// Pointer to extension-specific structure.
        pNext: *mut c_void,
        /// The type of bar.
        r#type: zes_pci_bar_type_t,
        /// The index of the bar.
        index: u32,
        /// Base address of the bar.
        base: u64,
        /// Size of the bar.
        size: u64,
    }
    /// Properties of a pci bar, including the resizable bar.
    zes_pci_bar_properties_1_2_t = ZES_STRUCTURE_TYPE_PCI_BAR_PROPERTIES_1_2 {
        /// Type of this structure.
        stype: zes_structure_type_t,
        /// Pointer to extension-specific structure.
        pNext: *mut c_void,
        /// The type of bar.
        r#type: zes_pci_bar_type_t,
        /// The index of the bar.
        index: u32,
        /// Base address of the bar.
        base: u64,
        /// Size of the bar.
        size: u64,
        /// Support for Resizable Bar on this device.
        resizableBarSupported: ze_bool_t,
        /// Resizable Bar enabled on this device.
        resizableBarEnabled: ze_bool_t,
    }
    /// PCI stats counters.
    zes_pci_stats_t {
        /// Monotonic timestamp counter in microseconds when the measurement was made.
        timestamp: u64,
        /// Monotonic counter for the number of replay packets (sum of all lanes).
        replayCounter: u64,
        /// Monotonic counter for the number of packets (sum of all lanes).
        packetCounter: u64,
        /// Monotonic counter for the number of bytes received (sum of all lanes).
        rxCounter: u64,
        /// Monotonic counter for the number of bytes transmitted (including replays) (sum of all lanes).
        txCounter: u64,
        /// The current speed of the link (sum of all lanes).
        speed: zes_pci_speed_t,
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
