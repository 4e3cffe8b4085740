//! Numbers of unified shared memory.

enumeration! {
    /// Queries of a USM allocation.
    pub struct UsmAllocInfo: u32 {
        TYPE = 0x419a,
        BASE_PTR = 0x419b,
        SIZE = 0x419c,
        DEVICE = 0x419d,
    }
}

enumeration! {
    /// Kinds of USM allocations.
    pub struct UsmType: u32 {
        UNKNOWN = 0x4196,
        HOST = 0x4197,
        DEVICE = 0x4198,
        SHARED = 0x4199,
    }
}

flags! {
    /// Flags of a prefetch.
    pub struct UsmMigrationFlags: u64 {
        TBD0 = 1,
    }
}

flags! {
    /// Flags of a USM allocation.
    pub struct UsmAllocFlags: u64 {
        WRITE_COMBINED = 1,
        INITIAL_PLACEMENT_DEVICE = 2,
        INITIAL_PLACEMENT_HOST = 4,
        DEVICE_READ_ONLY = 8,
    }
}

flags! {
    /// Advice on how the host and the devices will use a USM range.
    pub struct MemAdvice: u32 {
        RESET = 0,
        CUDA_SET_READ_MOSTLY = 1,
        CUDA_UNSET_READ_MOSTLY = 2,
        CUDA_SET_PREFERRED_LOCATION = 4,
        CUDA_UNSET_PREFERRED_LOCATION = 8,
        CUDA_SET_ACCESSED_BY = 0x10,
        CUDA_UNSET_ACCESSED_BY = 0x20,
        CUDA_SET_PREFERRED_LOCATION_HOST = 0x40,
        CUDA_UNSET_PREFERRED_LOCATION_HOST = 0x80,
        CUDA_SET_ACCESSED_BY_HOST = 0x100,
        CUDA_UNSET_ACCESSED_BY_HOST = 0x200,
        HIP_SET_COARSE_GRAINED = 0x400,
        HIP_UNSET_COARSE_GRAINED = 0x800,
        UNKNOWN = 0x7fffffff,
    }
}

/// Keys of the properties of a USM allocation.
pub mod usm_property {
    /// The value is [`UsmAllocFlags`](super::UsmAllocFlags).
    pub const ALLOC_FLAGS: u64 = 0x4195;
    /// The value is the number of a memory bank.
    pub const BUFFER_LOCATION: u64 = 0x419e;
}

enumeration! {
    /// Access of kernels to virtual memory.
    pub struct VirtualMemAccess: u32 {
        NONE = 0,
        READ_WRITE = 1,
        READ_ONLY = 2,
    }
}

/// A driver's native handle of physical memory.
pub type PhysicalMemHandle = u64;
