//! Numbers of memory objects.

enumeration! {
    /// Kinds of memory objects.
    pub struct MemType: u32 {
        BUFFER = 0x10f0,
        IMAGE2D = 0x10f1,
        IMAGE3D = 0x10f2,
        IMAGE2D_ARRAY = 0x10f3,
        IMAGE1D = 0x10f4,
        IMAGE1D_ARRAY = 0x10f5,
        IMAGE1D_BUFFER = 0x10f6,
        IMAGE_CUBEMAP = 0x10f7,
    }
}

enumeration! {
    /// Queries of a memory object.
    pub struct MemInfo: u32 {
        CONTEXT = 0x1106,
        SIZE = 0x1102,
    }
}

flags! {
    /// How a memory object is accessed, and where its initial contents come from.
    pub struct MemFlags: u64 {
        ACCESS_RW = 1,
        ACCESS_READ_ONLY = 4,
        HOST_PTR_USE = 8,
        HOST_PTR_COPY = 0x20,
        HOST_PTR_ALLOC = 0x10,
    }
}

flags! {
    /// How a mapped part of a buffer is accessed.
    pub struct MapFlags: u64 {
        READ = 1,
        WRITE = 2,
        WRITE_INVALIDATE_REGION = 4,
    }
}

enumeration! {
    /// How a kernel accesses a memory object.
    pub struct MemAccess: u32 {
        READ_WRITE = 1,
        WRITE_ONLY = 2,
        READ_ONLY = 4,
    }
}

/// A part of a buffer, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferRegion {
    /// Start offset.
    pub origin: usize,
    /// Length.
    pub size: usize,
}
