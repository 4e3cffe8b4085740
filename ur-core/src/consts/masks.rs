//! Masks of the unused bits of each set of flags.

use crate::types::*;

masks! {
    UR_CONTEXT_FLAGS_MASK: ur_context_flags_t = 0xfffffffe;
    UR_DEVICE_AFFINITY_DOMAIN_FLAGS_MASK: ur_device_affinity_domain_flags_t = 0xffffffc0;
    /// Since 2025.1.
    UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAGS_MASK: ur_device_command_buffer_update_capability_flags_t = 0xffffffc0;
    UR_DEVICE_EXEC_CAPABILITY_FLAGS_MASK: ur_device_exec_capability_flags_t = 0xfffffffc;
    UR_DEVICE_FP_CAPABILITY_FLAGS_MASK: ur_device_fp_capability_flags_t = 0xffffff00;
    UR_DEVICE_INIT_FLAGS_MASK: ur_device_init_flags_t = 0xffffffe0;
    /// Since 2025.2.
    UR_DEVICE_THROTTLE_REASONS_FLAGS_MASK: ur_device_throttle_reasons_flags_t = 0xffffff80;
    UR_DEVICE_USM_ACCESS_CAPABILITY_FLAGS_MASK: ur_device_usm_access_capability_flags_t = 0xfffffff0;
    /// Since 2025.2.
    UR_EXP_ASYNC_USM_ALLOC_FLAGS_MASK: ur_exp_async_usm_alloc_flags_t = 0xfffffffe;
    /// Since 2025.1.
    UR_EXP_DEVICE_2D_BLOCK_ARRAY_CAPABILITY_FLAGS_MASK: ur_exp_device_2d_block_array_capability_flags_t = 0xfffffffc;
    /// Since 2025.1.
    UR_EXP_ENQUEUE_EXT_FLAGS_MASK: ur_exp_enqueue_ext_flags_t = 0xfffff7ff;
    UR_EXP_ENQUEUE_NATIVE_COMMAND_FLAGS_MASK: ur_exp_enqueue_native_command_flags_t = 0xfffffffe;
    /// Since 2026.2.
    UR_EXP_EVENT_FLAGS_MASK: ur_exp_event_flags_t = 0xfffffffc;
    /// Since 2026.0.
    UR_EXP_HOST_TASK_FLAGS_MASK: ur_exp_host_task_flags_t = 0xfffffffe;
    /// Until 2025.1.
    UR_EXP_IMAGE_COPY_FLAGS_MASK_until_2025_1: ur_exp_image_copy_flags_t = 0xfffffff8;
    /// Since 2025.2.
    UR_EXP_IMAGE_COPY_FLAGS_MASK: ur_exp_image_copy_flags_t = 0xfffffff0;
    /// Since 2026.0.
    UR_EXP_PROGRAM_FLAGS_MASK: ur_exp_program_flags_t = 0xfffffffe;
    /// Only in 2025.1.
    UR_EXP_TENSOR_MAP_DATA_TYPE_FLAGS_MASK: ur_exp_tensor_map_data_type_flags_t = 0xffffe000;
    /// Only in 2025.1.
    UR_EXP_TENSOR_MAP_INTERLEAVE_FLAGS_MASK: ur_exp_tensor_map_interleave_flags_t = 0xfffffff8;
    /// Only in 2025.1.
    UR_EXP_TENSOR_MAP_L2_PROMOTION_FLAGS_MASK: ur_exp_tensor_map_l2_promotion_flags_t = 0xfffffff0;
    /// Only in 2025.1.
    UR_EXP_TENSOR_MAP_OOB_FILL_FLAGS_MASK: ur_exp_tensor_map_oob_fill_flags_t = 0xfffffffc;
    /// Only in 2025.1.
    UR_EXP_TENSOR_MAP_SWIZZLE_FLAGS_MASK: ur_exp_tensor_map_swizzle_flags_t = 0xfffffff0;
    /// Since 2026.2.
    UR_EXP_USM_HOST_ALLOC_REGISTER_FLAGS_MASK: ur_exp_usm_host_alloc_register_flags_t = 0xfffffffe;
    /// Since 2026.0.
    UR_KERNEL_LAUNCH_FLAGS_MASK: ur_kernel_launch_flags_t = 0xfffffffc;
    /// Only in 2025.3.
    UR_KERNEL_LAUNCH_PROPERTIES_FLAGS_MASK_until_2025_3: ur_kernel_launch_properties_flags_t = 0xfffffff0;
    /// Since 2026.0.
    UR_KERNEL_LAUNCH_PROPERTIES_FLAGS_MASK: ur_kernel_launch_properties_flags_t = 0xffffff80;
    UR_MAP_FLAGS_MASK: ur_map_flags_t = 0xfffffff8;
    UR_MEMORY_ORDER_CAPABILITY_FLAGS_MASK: ur_memory_order_capability_flags_t = 0xffffffe0;
    UR_MEMORY_SCOPE_CAPABILITY_FLAGS_MASK: ur_memory_scope_capability_flags_t = 0xffffffe0;
    UR_MEM_FLAGS_MASK: ur_mem_flags_t = 0xffffffc0;
    /// Until 2026.1.1.
    UR_PHYSICAL_MEM_FLAGS_MASK_until_2026_1_1: ur_physical_mem_flags_t = 0xfffffffe;
    /// Since 2026.2.
    UR_PHYSICAL_MEM_FLAGS_MASK: ur_physical_mem_flags_t = 0xfffffffd;
    /// Until 2025.0.
    UR_QUEUE_FLAGS_MASK_until_2025_0: ur_queue_flags_t = 0xfffff800;
    /// Since 2025.1.
    UR_QUEUE_FLAGS_MASK: ur_queue_flags_t = 0xfffff000;
    UR_USM_ADVICE_FLAGS_MASK: ur_usm_advice_flags_t = 0xfffe0000;
    UR_USM_DEVICE_MEM_FLAGS_MASK: ur_usm_device_mem_flags_t = 0xfffffff8;
    UR_USM_HOST_MEM_FLAGS_MASK: ur_usm_host_mem_flags_t = 0xfffffffe;
    /// Until 2025.3.
    UR_USM_MIGRATION_FLAGS_MASK_until_2025_3: ur_usm_migration_flags_t = 0xfffffffe;
    /// Since 2026.0.
    UR_USM_MIGRATION_FLAGS_MASK: ur_usm_migration_flags_t = 0xfffffffc;
    /// Until 2025.1.
    UR_USM_POOL_FLAGS_MASK_until_2025_1: ur_usm_pool_flags_t = 0xfffffffe;
    /// Since 2025.2.
    UR_USM_POOL_FLAGS_MASK: ur_usm_pool_flags_t = 0xfffffff8;
    UR_VIRTUAL_MEM_ACCESS_FLAGS_MASK: ur_virtual_mem_access_flags_t = 0xfffffff8;
}
