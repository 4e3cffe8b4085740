//! Access to a peer's memory.

enumerations! {
    /// Queries for `urUsmP2PPeerAccessGetInfoExp`.
    ur_exp_peer_info_t {
        /// Until 2025.2.
        UR_EXP_PEER_INFO_UR_PEER_ACCESS_SUPPORTED = 0;
        /// Until 2025.2.
        UR_EXP_PEER_INFO_UR_PEER_ATOMICS_SUPPORTED = 1;
        /// Since 2025.3.
        UR_EXP_PEER_INFO_UR_PEER_ACCESS_SUPPORT = 0;
        /// Since 2025.3.
        UR_EXP_PEER_INFO_UR_PEER_ATOMICS_SUPPORT = 1;
    }
}
