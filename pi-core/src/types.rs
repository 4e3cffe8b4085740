//! Scalar types, opaque handles and callback types, under their C names.

use core::ffi::c_void;

/// `int32_t` in C.
pub type pi_int32 = i32;
/// `uint32_t` in C.
pub type pi_uint32 = u32;
/// `uint64_t` in C.
pub type pi_uint64 = u64;
/// `pi_uint32` in C.
pub type pi_bool = pi_uint32;
/// `pi_uint64` in C.
pub type pi_bitfield = pi_uint64;
/// `uintptr_t` in C.
pub type pi_native_handle = usize;
/// `intptr_t` in C.
pub type pi_context_properties = isize;
/// `intptr_t` in C.
pub type pi_device_partition_property = isize;
/// `pi_bitfield` in C.
pub type pi_device_exec_capabilities = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_sampler_properties = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_memory_order_capabilities = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_memory_scope_capabilities = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_mem_flags = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_map_flags = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_mem_properties = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_usm_mem_properties = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_queue_properties = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_device_affinity_domain = pi_bitfield;
/// `pi_bitfield` in C.
pub type pi_device_fp_config = pi_bitfield;
/// `uint8_t` in C.
pub type pi_device_binary_type = u8;
/// `uint32_t` in C.
pub type pi_mem_access_flag = u32;
/// `pi_uint32` in C.
pub type pi_ext_sync_point = pi_uint32;
/// `pi_uint64` in C.
pub type pi_image_handle = pi_uint64;
/// `void *` in C.
pub type pi_image_mem_handle = *mut c_void;
/// `pi_uint64` in C.
pub type pi_interop_mem_handle = pi_uint64;
/// `pi_uint64` in C.
pub type pi_interop_semaphore_handle = pi_uint64;
/// `enum _pi_result`, 4 bytes.
pub type pi_result = i32;
/// `enum _pi_event_status`, 4 bytes.
pub type pi_event_status = i32;
/// `enum _pi_platform_info`, 4 bytes.
pub type pi_platform_info = u32;
/// `enum _pi_program_build_info`, 4 bytes.
pub type pi_program_build_info = u32;
/// `enum _pi_program_build_status`, 4 bytes.
pub type pi_program_build_status = i32;
/// `enum _pi_program_binary_type`, 4 bytes.
pub type pi_program_binary_type = u32;
/// `enum _pi_device_type`, 8 bytes.
pub type pi_device_type = u64;
/// `enum _pi_platform_backend`, 4 bytes.
pub type pi_platform_backend = u32;
/// `enum _pi_device_mem_cache_type`, 4 bytes.
pub type pi_device_mem_cache_type = u32;
/// `enum _pi_device_local_mem_type`, 4 bytes.
pub type pi_device_local_mem_type = u32;
/// `enum _pi_device_info`, 4 bytes.
pub type pi_device_info = u32;
/// `enum _pi_program_info`, 4 bytes.
pub type pi_program_info = u32;
/// `enum _pi_context_info`, 4 bytes.
pub type pi_context_info = u32;
/// `enum _pi_queue_info`, 4 bytes.
pub type pi_queue_info = u32;
/// `enum _pi_kernel_info`, 4 bytes.
pub type pi_kernel_info = u32;
/// `enum _pi_kernel_group_info`, 4 bytes.
pub type pi_kernel_group_info = u32;
/// `enum _pi_image_info`, 4 bytes.
pub type pi_image_info = u32;
/// `enum _pi_kernel_sub_group_info`, 4 bytes.
pub type pi_kernel_sub_group_info = u32;
/// `enum _pi_event_info`, 4 bytes.
pub type pi_event_info = u32;
/// `enum _pi_command_type`, 4 bytes.
pub type pi_command_type = u32;
/// `enum _pi_mem_type`, 4 bytes.
pub type pi_mem_type = u32;
/// `enum _pi_mem_advice`, 4 bytes.
pub type pi_mem_advice = u32;
/// `enum _pi_image_channel_order`, 4 bytes.
pub type pi_image_channel_order = u32;
/// `enum _pi_image_channel_type`, 4 bytes.
pub type pi_image_channel_type = u32;
/// `enum _pi_image_copy_flags`, 4 bytes.
pub type pi_image_copy_flags = u32;
/// `enum _pi_buffer_create_type`, 4 bytes.
pub type pi_buffer_create_type = u32;
/// `enum _pi_sampler_info`, 4 bytes.
pub type pi_sampler_info = u32;
/// `enum _pi_sampler_addressing_mode`, 4 bytes.
pub type pi_sampler_addressing_mode = u32;
/// `enum _pi_sampler_filter_mode`, 4 bytes.
pub type pi_sampler_filter_mode = u32;
/// `enum _pi_sampler_cubemap_filter_mode`, 4 bytes.
pub type pi_sampler_cubemap_filter_mode = u32;
/// `enum _pi_profiling_info`, 4 bytes.
pub type pi_profiling_info = u32;
/// `enum _pi_kernel_cache_config`, 4 bytes.
pub type pi_kernel_cache_config = u32;
/// `enum pi_property_type`, 4 bytes.
pub type pi_property_type = u32;
/// `enum _pi_mem_info`, 4 bytes.
pub type pi_mem_info = u32;
/// `enum _pi_peer_attr`, 4 bytes.
pub type pi_peer_attr = u32;
/// `enum _pi_kernel_exec_info`, 4 bytes.
pub type pi_kernel_exec_info = u32;
/// `enum _pi_mem_obj_access`, 4 bytes.
pub type pi_mem_obj_access = u32;
/// `enum _pi_mem_obj_property_type`, 4 bytes.
pub type pi_mem_obj_property_type = u32;
/// `enum _pi_usm_capability_query`, 4 bytes.
pub type pi_usm_capability_query = u32;
/// `enum _pi_usm_capabilities`, 8 bytes.
pub type pi_usm_capabilities = u64;
/// `enum _pi_mem_alloc_info`, 4 bytes.
pub type pi_mem_alloc_info = u32;
/// `enum _pi_usm_type`, 4 bytes.
pub type pi_usm_type = u32;
/// `enum _pi_usm_migration_flags`, 8 bytes.
pub type pi_usm_migration_flags = u64;
/// `enum pi_ext_structure_type`, 4 bytes.
pub type pi_ext_structure_type = u32;
/// `enum _pi_sanitize_type`, 4 bytes.
pub type pi_sanitize_type = u32;
/// C++ `bool` as passed by the interface: one byte, which is true for any value except 0.
pub type pi_cxx_bool = u8;

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
    /// Opaque handle `pi_platform`.
    _pi_platform pi_platform;
    /// Opaque handle `pi_device`.
    _pi_device pi_device;
    /// Opaque handle `pi_context`.
    _pi_context pi_context;
    /// Opaque handle `pi_queue`.
    _pi_queue pi_queue;
    /// Opaque handle `pi_mem`.
    _pi_mem pi_mem;
    /// Opaque handle `pi_program`.
    _pi_program pi_program;
    /// Opaque handle `pi_kernel`.
    _pi_kernel pi_kernel;
    /// Opaque handle `pi_event`.
    _pi_event pi_event;
    /// Opaque handle `pi_sampler`.
    _pi_sampler pi_sampler;
    /// Opaque handle `pi_ext_command_buffer`.
    _pi_ext_command_buffer pi_ext_command_buffer;
    /// Opaque handle `pi_ext_command_buffer_command`.
    _pi_ext_command_buffer_command pi_ext_command_buffer_command;
}
