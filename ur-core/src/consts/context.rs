//! Contexts.

enumerations! {
    /// Flags of a new context.
    ur_context_flag_t {
        UR_CONTEXT_FLAG_TBD = 1 << 0;
    }

    /// Queries for `urContextGetInfo`.
    ur_context_info_t {
        UR_CONTEXT_INFO_NUM_DEVICES = 0;
        UR_CONTEXT_INFO_DEVICES = 1;
        UR_CONTEXT_INFO_REFERENCE_COUNT = 2;
        UR_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT = 3;
        UR_CONTEXT_INFO_USM_FILL2D_SUPPORT = 4;
        /// Until 2025.1.
        UR_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES = 5;
        /// Until 2025.1.
        UR_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES = 6;
        /// Until 2025.1.
        UR_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES = 7;
        /// Until 2025.1.
        UR_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES = 8;
    }
}
