//! Tensor maps.

enumerations! {
    /// Element types of a tensor map. Only in 2025.1.
    ur_exp_tensor_map_data_type_flag_t {
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_UINT8 = 1 << 0;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_UINT16 = 1 << 1;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_UINT32 = 1 << 2;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_INT32 = 1 << 3;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_UINT64 = 1 << 4;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_INT64 = 1 << 5;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_FLOAT16 = 1 << 6;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_FLOAT32 = 1 << 7;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_FLOAT64 = 1 << 8;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_BFLOAT16 = 1 << 9;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_FLOAT32_FTZ = 1 << 10;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_TFLOAT32 = 1 << 11;
        UR_EXP_TENSOR_MAP_DATA_TYPE_FLAG_TFLOAT32_FTZ = 1 << 12;
    }

    /// Interleave modes of a tensor map. Only in 2025.1.
    ur_exp_tensor_map_interleave_flag_t {
        UR_EXP_TENSOR_MAP_INTERLEAVE_FLAG_NONE = 1 << 0;
        UR_EXP_TENSOR_MAP_INTERLEAVE_FLAG_16B = 1 << 1;
        UR_EXP_TENSOR_MAP_INTERLEAVE_FLAG_32B = 1 << 2;
    }

    /// Promotion modes of a tensor map for the level 2 cache. Only in 2025.1.
    ur_exp_tensor_map_l2_promotion_flag_t {
        UR_EXP_TENSOR_MAP_L2_PROMOTION_FLAG_NONE = 1 << 0;
        UR_EXP_TENSOR_MAP_L2_PROMOTION_FLAG_64B = 1 << 1;
        UR_EXP_TENSOR_MAP_L2_PROMOTION_FLAG_128B = 1 << 2;
        UR_EXP_TENSOR_MAP_L2_PROMOTION_FLAG_256B = 1 << 3;
    }

    /// Fill modes of a tensor map for out-of-bounds elements. Only in 2025.1.
    ur_exp_tensor_map_oob_fill_flag_t {
        UR_EXP_TENSOR_MAP_OOB_FILL_FLAG_NONE = 1 << 0;
        UR_EXP_TENSOR_MAP_OOB_FILL_FLAG_REQUEST_ZERO_FMA = 1 << 1;
    }

    /// Swizzle modes of a tensor map in shared memory. Only in 2025.1.
    ur_exp_tensor_map_swizzle_flag_t {
        UR_EXP_TENSOR_MAP_SWIZZLE_FLAG_NONE = 1 << 0;
        UR_EXP_TENSOR_MAP_SWIZZLE_FLAG_32B = 1 << 1;
        UR_EXP_TENSOR_MAP_SWIZZLE_FLAG_64B = 1 << 2;
        UR_EXP_TENSOR_MAP_SWIZZLE_FLAG_128B = 1 << 3;
    }
}
