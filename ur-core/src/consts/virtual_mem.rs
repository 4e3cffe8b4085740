//! Virtual and physical memory.

enumerations! {
    /// Flags of physical memory.
    ur_physical_mem_flag_t {
        /// Until 2026.1.1.
        UR_PHYSICAL_MEM_FLAG_TBD = 1 << 0;
        /// Since 2026.2.
        UR_PHYSICAL_MEM_FLAG_ENABLE_IPC = 1 << 1;
    }

    /// Queries for `urPhysicalMemGetInfo`. Since 2025.2.
    ur_physical_mem_info_t {
        UR_PHYSICAL_MEM_INFO_CONTEXT = 0;
        UR_PHYSICAL_MEM_INFO_DEVICE = 1;
        UR_PHYSICAL_MEM_INFO_SIZE = 2;
        UR_PHYSICAL_MEM_INFO_PROPERTIES = 3;
        UR_PHYSICAL_MEM_INFO_REFERENCE_COUNT = 4;
    }

    /// Access modes of mapped virtual memory.
    ur_virtual_mem_access_flag_t {
        UR_VIRTUAL_MEM_ACCESS_FLAG_NONE = 1 << 0;
        UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE = 1 << 1;
        UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY = 1 << 2;
    }

    /// Queries for `urVirtualMemGranularityGetInfo`.
    ur_virtual_mem_granularity_info_t {
        UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM = 0x30100;
        UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED = 0x30101;
    }

    /// Queries for `urVirtualMemGetInfo`.
    ur_virtual_mem_info_t {
        UR_VIRTUAL_MEM_INFO_ACCESS_MODE = 0;
    }
}
