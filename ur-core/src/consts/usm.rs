//! Unified shared memory.

enumerations! {
    /// Flags of an allocation made by a queue. Since 2025.2.
    ur_exp_async_usm_alloc_flag_t {
        UR_EXP_ASYNC_USM_ALLOC_FLAG_TBD = 1 << 0;
    }

    /// Flags of registered host memory. Since 2026.2.
    ur_exp_usm_host_alloc_register_flag_t {
        UR_EXP_USM_HOST_ALLOC_REGISTER_FLAG_READ_ONLY = 1 << 0;
    }

    /// Advice about unified shared memory.
    ur_usm_advice_flag_t {
        UR_USM_ADVICE_FLAG_DEFAULT = 1 << 0;
        UR_USM_ADVICE_FLAG_SET_READ_MOSTLY = 1 << 1;
        UR_USM_ADVICE_FLAG_CLEAR_READ_MOSTLY = 1 << 2;
        UR_USM_ADVICE_FLAG_SET_PREFERRED_LOCATION = 1 << 3;
        UR_USM_ADVICE_FLAG_CLEAR_PREFERRED_LOCATION = 1 << 4;
        UR_USM_ADVICE_FLAG_SET_NON_ATOMIC_MOSTLY = 1 << 5;
        UR_USM_ADVICE_FLAG_CLEAR_NON_ATOMIC_MOSTLY = 1 << 6;
        UR_USM_ADVICE_FLAG_BIAS_CACHED = 1 << 7;
        UR_USM_ADVICE_FLAG_BIAS_UNCACHED = 1 << 8;
        UR_USM_ADVICE_FLAG_SET_ACCESSED_BY_DEVICE = 1 << 9;
        UR_USM_ADVICE_FLAG_CLEAR_ACCESSED_BY_DEVICE = 1 << 10;
        UR_USM_ADVICE_FLAG_SET_ACCESSED_BY_HOST = 1 << 11;
        UR_USM_ADVICE_FLAG_CLEAR_ACCESSED_BY_HOST = 1 << 12;
        UR_USM_ADVICE_FLAG_SET_PREFERRED_LOCATION_HOST = 1 << 13;
        UR_USM_ADVICE_FLAG_CLEAR_PREFERRED_LOCATION_HOST = 1 << 14;
        UR_USM_ADVICE_FLAG_SET_NON_COHERENT_MEMORY = 1 << 15;
        UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY = 1 << 16;
    }

    /// Queries for `urUSMGetMemAllocInfo`.
    ur_usm_alloc_info_t {
        UR_USM_ALLOC_INFO_TYPE = 0;
        UR_USM_ALLOC_INFO_BASE_PTR = 1;
        UR_USM_ALLOC_INFO_SIZE = 2;
        UR_USM_ALLOC_INFO_DEVICE = 3;
        UR_USM_ALLOC_INFO_POOL = 4;
    }

    /// Flags of device memory.
    ur_usm_device_mem_flag_t {
        UR_USM_DEVICE_MEM_FLAG_WRITE_COMBINED = 1 << 0;
        UR_USM_DEVICE_MEM_FLAG_INITIAL_PLACEMENT = 1 << 1;
        UR_USM_DEVICE_MEM_FLAG_DEVICE_READ_ONLY = 1 << 2;
    }

    /// Flags of host memory.
    ur_usm_host_mem_flag_t {
        UR_USM_HOST_MEM_FLAG_INITIAL_PLACEMENT = 1 << 0;
    }

    /// Destinations of a prefetch.
    ur_usm_migration_flag_t {
        /// Until 2025.3.
        UR_USM_MIGRATION_FLAG_DEFAULT = 1 << 0;
        /// Since 2026.0.
        UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE = 1 << 0;
        /// Since 2026.0.
        UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST = 1 << 1;
    }

    /// Flags of a memory pool.
    ur_usm_pool_flag_t {
        UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK = 1 << 0;
        /// Since 2025.2.
        UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP = 1 << 1;
        /// Since 2025.2.
        UR_USM_POOL_FLAG_READ_ONLY_EXP = 1 << 2;
    }

    /// Queries for `urUSMPoolGetInfo`.
    ur_usm_pool_info_t {
        UR_USM_POOL_INFO_REFERENCE_COUNT = 0;
        UR_USM_POOL_INFO_CONTEXT = 1;
        /// Since 2025.2.
        UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP = 0x2050;
        /// Since 2025.2.
        UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP = 0x2051;
        /// Since 2025.2.
        UR_USM_POOL_INFO_RESERVED_CURRENT_EXP = 0x2052;
        /// Since 2025.2.
        UR_USM_POOL_INFO_RESERVED_HIGH_EXP = 0x2053;
        /// Since 2025.2.
        UR_USM_POOL_INFO_USED_CURRENT_EXP = 0x2054;
        /// Since 2025.2.
        UR_USM_POOL_INFO_USED_HIGH_EXP = 0x2055;
    }

    /// Kinds of unified shared memory.
    ur_usm_type_t {
        UR_USM_TYPE_UNKNOWN = 0;
        UR_USM_TYPE_HOST = 1;
        UR_USM_TYPE_DEVICE = 2;
        UR_USM_TYPE_SHARED = 3;
    }
}
