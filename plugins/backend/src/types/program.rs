//! Numbers of programs.

enumeration! {
    /// Queries of a program.
    pub struct ProgramInfo: u32 {
        REFERENCE_COUNT = 0x1160,
        CONTEXT = 0x1161,
        NUM_DEVICES = 0x1162,
        DEVICES = 0x1163,
        SOURCE = 0x1164,
        BINARY_SIZES = 0x1165,
        BINARIES = 0x1166,
        NUM_KERNELS = 0x1167,
        KERNEL_NAMES = 0x1168,
        IL = 0x1169,
    }
}

enumeration! {
    /// Queries of a program's build for a device.
    pub struct ProgramBuildInfo: u32 {
        STATUS = 0x1181,
        OPTIONS = 0x1182,
        LOG = 0x1183,
        BINARY_TYPE = 0x1184,
    }
}

enumeration! {
    /// Status of a build.
    pub struct ProgramBuildStatus: i32 {
        NONE = -1,
        ERROR = -2,
        SUCCESS = 0,
        IN_PROGRESS = -3,
    }
}

enumeration! {
    /// Type of a program binary.
    pub struct ProgramBinaryType: u32 {
        NONE = 0,
        COMPILED_OBJECT = 1,
        LIBRARY = 2,
        EXECUTABLE = 4,
    }
}
