//! Numbers of platforms.

enumeration! {
    /// Queries of a platform.
    pub struct PlatformInfo: u32 {
        EXTENSIONS = 0x904,
        NAME = 0x902,
        PROFILE = 0x900,
        VENDOR = 0x903,
        VERSION = 0x901,
        BACKEND = 0x21000,
    }
}

enumeration! {
    /// The driver interface behind a platform.
    pub struct PlatformBackend: u32 {
        UNKNOWN = 0,
        LEVEL_ZERO = 1,
        OPENCL = 2,
        CUDA = 3,
        HIP = 4,
        ESIMD = 5,
        NATIVE_CPU = 6,
    }
}
