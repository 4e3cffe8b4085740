//! The loader's configuration.

enumerations! {
    /// Queries for `urLoaderConfigGetInfo`.
    ur_loader_config_info_t {
        UR_LOADER_CONFIG_INFO_AVAILABLE_LAYERS = 0;
        UR_LOADER_CONFIG_INFO_REFERENCE_COUNT = 1;
    }
}
