//! Scalar types and opaque handles, under their C names. Types of enumerations are declared with their constants.

/// `uint8_t` in C.
pub type ur_bool_t = u8;
/// `uint32_t` in C.
pub type ur_context_flags_t = u32;
/// `uint32_t` in C.
pub type ur_device_affinity_domain_flags_t = u32;
/// `uint32_t` in C, since 2025.1.
pub type ur_device_command_buffer_update_capability_flags_t = u32;
/// `uint32_t` in C.
pub type ur_device_exec_capability_flags_t = u32;
/// `uint32_t` in C.
pub type ur_device_fp_capability_flags_t = u32;
/// `uint32_t` in C.
pub type ur_device_init_flags_t = u32;
/// `uint32_t` in C, since 2025.2.
pub type ur_device_throttle_reasons_flags_t = u32;
/// `uint32_t` in C.
pub type ur_device_usm_access_capability_flags_t = u32;
/// `uint32_t` in C, since 2025.2.
pub type ur_exp_async_usm_alloc_flags_t = u32;
/// `uint32_t` in C.
pub type ur_exp_command_buffer_sync_point_t = u32;
/// `uint32_t` in C, since 2025.1.
pub type ur_exp_device_2d_block_array_capability_flags_t = u32;
/// `uint32_t` in C, since 2025.1.
pub type ur_exp_enqueue_ext_flags_t = u32;
/// `uint32_t` in C.
pub type ur_exp_enqueue_native_command_flags_t = u32;
/// `uint32_t` in C, since 2026.2.
pub type ur_exp_event_flags_t = u32;
/// `uint32_t` in C, since 2026.0.
pub type ur_exp_host_task_flags_t = u32;
/// `uint32_t` in C.
pub type ur_exp_image_copy_flags_t = u32;
/// `uintptr_t` in C.
pub type ur_exp_image_mem_native_handle_t = usize;
/// `uintptr_t` in C.
pub type ur_exp_image_native_handle_t = usize;
/// `uint32_t` in C, since 2026.0.
pub type ur_exp_program_flags_t = u32;
/// `uint32_t` in C, only in 2025.1.
pub type ur_exp_tensor_map_data_type_flags_t = u32;
/// `uint32_t` in C, only in 2025.1.
pub type ur_exp_tensor_map_interleave_flags_t = u32;
/// `uint32_t` in C, only in 2025.1.
pub type ur_exp_tensor_map_l2_promotion_flags_t = u32;
/// `uint32_t` in C, only in 2025.1.
pub type ur_exp_tensor_map_oob_fill_flags_t = u32;
/// `uint32_t` in C, only in 2025.1.
pub type ur_exp_tensor_map_swizzle_flags_t = u32;
/// `uint32_t` in C, since 2026.2.
pub type ur_exp_usm_host_alloc_register_flags_t = u32;
/// `uint32_t` in C, since 2026.0.
pub type ur_kernel_launch_flags_t = u32;
/// `uint32_t` in C, since 2025.3.
pub type ur_kernel_launch_properties_flags_t = u32;
/// `uint32_t` in C.
pub type ur_map_flags_t = u32;
/// `uint32_t` in C.
pub type ur_mem_flags_t = u32;
/// `uint32_t` in C.
pub type ur_memory_order_capability_flags_t = u32;
/// `uint32_t` in C.
pub type ur_memory_scope_capability_flags_t = u32;
/// `uintptr_t` in C.
pub type ur_native_handle_t = usize;
/// `uint32_t` in C.
pub type ur_physical_mem_flags_t = u32;
/// `uint32_t` in C.
pub type ur_queue_flags_t = u32;
/// `uint32_t` in C.
pub type ur_usm_advice_flags_t = u32;
/// `uint32_t` in C.
pub type ur_usm_device_mem_flags_t = u32;
/// `uint32_t` in C.
pub type ur_usm_host_mem_flags_t = u32;
/// `uint32_t` in C.
pub type ur_usm_migration_flags_t = u32;
/// `uint32_t` in C.
pub type ur_usm_pool_flags_t = u32;
/// `uint32_t` in C.
pub type ur_virtual_mem_access_flags_t = u32;

macro_rules! handles {
    ($($(#[$doc:meta])* $opaque:ident $handle:ident;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $opaque { _opaque: [u8; 0] }
        $(#[$doc])*
        pub type $handle = *mut $opaque;
    )* };
}

handles! {
    /// Opaque handle `ur_adapter_handle_t`.
    ur_adapter_handle_t_ ur_adapter_handle_t;
    /// Opaque handle `ur_context_handle_t`.
    ur_context_handle_t_ ur_context_handle_t;
    /// Opaque handle `ur_device_handle_t`.
    ur_device_handle_t_ ur_device_handle_t;
    /// Opaque handle `ur_event_handle_t`.
    ur_event_handle_t_ ur_event_handle_t;
    /// Opaque handle `ur_exp_command_buffer_command_handle_t`.
    ur_exp_command_buffer_command_handle_t_ ur_exp_command_buffer_command_handle_t;
    /// Opaque handle `ur_exp_command_buffer_handle_t`.
    ur_exp_command_buffer_handle_t_ ur_exp_command_buffer_handle_t;
    /// Opaque handle `ur_exp_executable_graph_handle_t`, since 2026.0.
    ur_exp_executable_graph_handle_t_ ur_exp_executable_graph_handle_t;
    /// Opaque handle `ur_exp_external_mem_handle_t`.
    ur_exp_external_mem_handle_t_ ur_exp_external_mem_handle_t;
    /// Opaque handle `ur_exp_external_semaphore_handle_t`.
    ur_exp_external_semaphore_handle_t_ ur_exp_external_semaphore_handle_t;
    /// Opaque handle `ur_exp_graph_handle_t`, since 2026.0.
    ur_exp_graph_handle_t_ ur_exp_graph_handle_t;
    /// Opaque handle `ur_exp_tensor_map_handle_t`, only in 2025.1.
    ur_exp_tensor_map_handle_t_ ur_exp_tensor_map_handle_t;
    /// Opaque handle `ur_kernel_handle_t`.
    ur_kernel_handle_t_ ur_kernel_handle_t;
    /// Opaque handle `ur_loader_config_handle_t`.
    ur_loader_config_handle_t_ ur_loader_config_handle_t;
    /// Opaque handle `ur_mem_handle_t`.
    ur_mem_handle_t_ ur_mem_handle_t;
    /// Opaque handle `ur_physical_mem_handle_t`.
    ur_physical_mem_handle_t_ ur_physical_mem_handle_t;
    /// Opaque handle `ur_platform_handle_t`.
    ur_platform_handle_t_ ur_platform_handle_t;
    /// Opaque handle `ur_program_handle_t`.
    ur_program_handle_t_ ur_program_handle_t;
    /// Opaque handle `ur_queue_handle_t`.
    ur_queue_handle_t_ ur_queue_handle_t;
    /// Opaque handle `ur_sampler_handle_t`.
    ur_sampler_handle_t_ ur_sampler_handle_t;
    /// Opaque handle `ur_usm_pool_handle_t`.
    ur_usm_pool_handle_t_ ur_usm_pool_handle_t;
}
