//! Buffers and images.

enumerations! {
    /// Ways to create a buffer from a region of another.
    ur_buffer_create_type_t {
        UR_BUFFER_CREATE_TYPE_REGION = 0;
    }

    /// Flags for mapping a buffer.
    ur_map_flag_t {
        UR_MAP_FLAG_READ = 1 << 0;
        UR_MAP_FLAG_WRITE = 1 << 1;
        UR_MAP_FLAG_WRITE_INVALIDATE_REGION = 1 << 2;
    }

    /// Flags of a memory object.
    ur_mem_flag_t {
        UR_MEM_FLAG_READ_WRITE = 1 << 0;
        UR_MEM_FLAG_WRITE_ONLY = 1 << 1;
        UR_MEM_FLAG_READ_ONLY = 1 << 2;
        UR_MEM_FLAG_USE_HOST_POINTER = 1 << 3;
        UR_MEM_FLAG_ALLOC_HOST_POINTER = 1 << 4;
        UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER = 1 << 5;
    }

    /// Queries for `urMemGetInfo`.
    ur_mem_info_t {
        UR_MEM_INFO_SIZE = 0;
        UR_MEM_INFO_CONTEXT = 1;
        /// Since 2025.1.
        UR_MEM_INFO_REFERENCE_COUNT = 2;
    }

    /// Kinds of memory objects.
    ur_mem_type_t {
        UR_MEM_TYPE_IMAGE2D = 0;
        UR_MEM_TYPE_IMAGE3D = 1;
        UR_MEM_TYPE_IMAGE2D_ARRAY = 2;
        UR_MEM_TYPE_IMAGE1D = 3;
        UR_MEM_TYPE_IMAGE1D_ARRAY = 4;
        UR_MEM_TYPE_IMAGE_CUBEMAP_EXP = 0x2000;
        /// Since 2025.2.
        UR_MEM_TYPE_IMAGE_GATHER_EXP = 0x2001;
    }
}
