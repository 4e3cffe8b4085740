//! Numbers of devices, except the long list of queries.

flags! {
    /// Kinds of devices.
    pub struct DeviceType: u64 {
        DEFAULT = 1,
        ALL = 0xffffffff,
        CPU = 2,
        GPU = 4,
        ACC = 8,
        CUSTOM = 0x10,
    }
}

enumeration! {
    /// Type of a device's global memory cache.
    pub struct DeviceMemCacheType: u32 {
        NONE = 0,
        READ_ONLY_CACHE = 1,
        READ_WRITE_CACHE = 2,
    }
}

enumeration! {
    /// Type of a device's local memory.
    pub struct DeviceLocalMemType: u32 {
        LOCAL = 1,
        GLOBAL = 2,
    }
}

flags! {
    /// Floating-point capabilities of a device.
    pub struct FpConfig: u64 {
        DENORM = 1,
        INF_NAN = 2,
        ROUND_TO_NEAREST = 4,
        ROUND_TO_ZERO = 8,
        ROUND_TO_INF = 0x10,
        FMA = 0x20,
        SOFT_FLOAT = 0x40,
        CORRECTLY_ROUNDED_DIVIDE_SQRT = 0x80,
    }
}

flags! {
    /// Kinds of kernels that a device can execute.
    pub struct ExecCapabilities: u64 {
        KERNEL = 1,
        NATIVE_KERNEL = 2,
    }
}

flags! {
    /// Memory orders of atomics and fences.
    pub struct MemoryOrders: u64 {
        RELAXED = 1,
        ACQUIRE = 2,
        RELEASE = 4,
        ACQ_REL = 8,
        SEQ_CST = 0x10,
    }
}

flags! {
    /// Memory scopes of atomics and fences.
    pub struct MemoryScopes: u64 {
        WORK_ITEM = 1,
        SUB_GROUP = 2,
        WORK_GROUP = 4,
        DEVICE = 8,
        SYSTEM = 0x10,
    }
}

enumeration! {
    /// Schemes for partitioning a device.
    pub struct PartitionProperty: isize {
        PARTITION_EQUALLY = 0x1086,
        PARTITION_BY_COUNTS = 0x1087,
        PARTITION_BY_COUNTS_LIST_END = 0,
        PARTITION_BY_AFFINITY_DOMAIN = 0x1088,
        PARTITION_BY_CSLICE = 0x1089,
    }
}

flags! {
    /// Affinity domains: the resources that sub-devices share.
    pub struct AffinityDomain: u64 {
        NUMA = 1,
        L4_CACHE = 2,
        L3_CACHE = 4,
        L2_CACHE = 8,
        L1_CACHE = 0x10,
        NEXT_PARTITIONABLE = 0x20,
    }
}

flags! {
    /// Capabilities of a kind of USM allocation on a device.
    pub struct UsmCapabilities: u64 {
        ACCESS = 1,
        ATOMIC_ACCESS = 2,
        CONCURRENT_ACCESS = 4,
        CONCURRENT_ATOMIC_ACCESS = 8,
    }
}

enumeration! {
    /// Queries for a pair of devices.
    pub struct PeerAttribute: u32 {
        ACCESS_SUPPORTED = 0,
        ATOMICS_SUPPORTED = 1,
    }
}
