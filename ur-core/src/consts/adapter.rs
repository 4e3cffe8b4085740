//! Adapters and their log.

enumerations! {
    /// The driver interface behind an adapter. Until 2025.2.
    ur_adapter_backend_t {
        UR_ADAPTER_BACKEND_UNKNOWN = 0;
        UR_ADAPTER_BACKEND_LEVEL_ZERO = 1;
        UR_ADAPTER_BACKEND_OPENCL = 2;
        UR_ADAPTER_BACKEND_CUDA = 3;
        UR_ADAPTER_BACKEND_HIP = 4;
        UR_ADAPTER_BACKEND_NATIVE_CPU = 5;
    }

    /// Queries for `urAdapterGetInfo`.
    ur_adapter_info_t {
        UR_ADAPTER_INFO_BACKEND = 0;
        UR_ADAPTER_INFO_REFERENCE_COUNT = 1;
        /// Since 2025.1.
        UR_ADAPTER_INFO_VERSION = 2;
    }

    /// Log levels. Since 2025.3.
    ur_logger_level_t {
        UR_LOGGER_LEVEL_DEBUG = 0;
        UR_LOGGER_LEVEL_INFO = 1;
        UR_LOGGER_LEVEL_WARN = 2;
        UR_LOGGER_LEVEL_ERROR = 3;
        UR_LOGGER_LEVEL_QUIET = 4;
    }
}
