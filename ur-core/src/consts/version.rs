//! Interface versions.

enumerations! {
    /// Versions of the interface.
    ur_api_version_t {
        UR_API_VERSION_0_6 = 6;
        UR_API_VERSION_0_7 = 7;
        UR_API_VERSION_0_8 = 8;
        UR_API_VERSION_0_9 = 9;
        UR_API_VERSION_0_10 = 10;
        /// Until 2025.0.
        UR_API_VERSION_CURRENT_until_2025_0 = 10;
        /// Only in 2025.1.
        UR_API_VERSION_CURRENT_until_2025_1 = 11;
        /// Since 2025.2.
        UR_API_VERSION_CURRENT = 12;
        /// Since 2025.1.
        UR_API_VERSION_0_11 = 11;
        /// Since 2025.2.
        UR_API_VERSION_0_12 = 12;
    }
}
