//! Bindless images and imported memory.

enumerations! {
    /// Kinds of imported memory handles.
    ur_exp_external_mem_type_t {
        UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD = 0;
        UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT = 1;
        UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT_DX12_RESOURCE = 2;
        /// Since 2025.3.
        UR_EXP_EXTERNAL_MEM_TYPE_DMA_BUF = 3;
        /// Since 2025.3.
        UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT_DX11_RESOURCE = 4;
    }

    /// Kinds of imported semaphore handles.
    ur_exp_external_semaphore_type_t {
        UR_EXP_EXTERNAL_SEMAPHORE_TYPE_OPAQUE_FD = 0;
        UR_EXP_EXTERNAL_SEMAPHORE_TYPE_WIN32_NT = 1;
        UR_EXP_EXTERNAL_SEMAPHORE_TYPE_WIN32_NT_DX12_FENCE = 2;
        /// Since 2025.2.
        UR_EXP_EXTERNAL_SEMAPHORE_TYPE_TIMELINE_FD = 3;
        /// Since 2025.2.
        UR_EXP_EXTERNAL_SEMAPHORE_TYPE_TIMELINE_WIN32_NT = 4;
        /// Since 2026.2.
        UR_EXP_EXTERNAL_SEMAPHORE_TYPE_WIN32_NT_DX11_FENCE = 5;
    }

    /// Directions of an image copy.
    ur_exp_image_copy_flag_t {
        UR_EXP_IMAGE_COPY_FLAG_HOST_TO_DEVICE = 1 << 0;
        UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_HOST = 1 << 1;
        UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_DEVICE = 1 << 2;
        /// Since 2025.2.
        UR_EXP_IMAGE_COPY_FLAG_HOST_TO_HOST = 1 << 3;
    }

    /// Kinds of source and destination of an image copy: images or memory. Since 2026.0.
    ur_exp_image_copy_input_types_t {
        UR_EXP_IMAGE_COPY_INPUT_TYPES_MEM_TO_IMAGE = 0;
        UR_EXP_IMAGE_COPY_INPUT_TYPES_IMAGE_TO_MEM = 1;
        UR_EXP_IMAGE_COPY_INPUT_TYPES_MEM_TO_MEM = 2;
        UR_EXP_IMAGE_COPY_INPUT_TYPES_IMAGE_TO_IMAGE = 3;
    }

    /// Kinds of memory behind an image. Since 2025.3.
    ur_exp_image_mem_type_t {
        UR_EXP_IMAGE_MEM_TYPE_USM_POINTER = 0;
        UR_EXP_IMAGE_MEM_TYPE_OPAQUE_HANDLE = 1;
    }
}
