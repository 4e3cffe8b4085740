//! Platforms.

enumerations! {
    /// The driver interface behind an adapter or a platform. Since 2025.3.
    ur_backend_t {
        UR_BACKEND_UNKNOWN = 0;
        UR_BACKEND_LEVEL_ZERO = 1;
        UR_BACKEND_OPENCL = 2;
        UR_BACKEND_CUDA = 3;
        UR_BACKEND_HIP = 4;
        UR_BACKEND_NATIVE_CPU = 5;
        UR_BACKEND_OFFLOAD = 256;
    }

    /// The driver interface behind a platform. Until 2025.2.
    ur_platform_backend_t {
        UR_PLATFORM_BACKEND_UNKNOWN = 0;
        UR_PLATFORM_BACKEND_LEVEL_ZERO = 1;
        UR_PLATFORM_BACKEND_OPENCL = 2;
        UR_PLATFORM_BACKEND_CUDA = 3;
        UR_PLATFORM_BACKEND_HIP = 4;
        UR_PLATFORM_BACKEND_NATIVE_CPU = 5;
    }

    /// Queries for `urPlatformGetInfo`.
    ur_platform_info_t {
        UR_PLATFORM_INFO_NAME = 1;
        UR_PLATFORM_INFO_VENDOR_NAME = 2;
        UR_PLATFORM_INFO_VERSION = 3;
        UR_PLATFORM_INFO_EXTENSIONS = 4;
        UR_PLATFORM_INFO_PROFILE = 5;
        UR_PLATFORM_INFO_BACKEND = 6;
        /// Since 2025.2.
        UR_PLATFORM_INFO_ADAPTER = 7;
    }
}
