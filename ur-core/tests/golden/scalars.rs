//! Scalar types, as compiled.

use std::collections::BTreeMap;

use sycl_ur_core::consts::ENUMERATIONS;
use sycl_ur_core::*;

use crate::data::{list, number, structs, word};

macro_rules! sizes {
    ($($name:ident)*) => { BTreeMap::from([$((stringify!($name), size_of::<$name>())),*]) };
}

#[test]
fn every_scalar_handle_and_callback_has_its_size() {
    let mut ours = sizes! {
        ur_adapter_handle_t ur_bool_t ur_code_location_callback_t ur_context_extended_deleter_t
        ur_context_flags_t ur_context_handle_t ur_device_affinity_domain_flags_t
        ur_device_command_buffer_update_capability_flags_t ur_device_exec_capability_flags_t
        ur_device_fp_capability_flags_t ur_device_handle_t ur_device_init_flags_t
        ur_device_throttle_reasons_flags_t ur_device_usm_access_capability_flags_t
        ur_event_callback_t ur_event_handle_t ur_exp_async_usm_alloc_flags_t
        ur_exp_command_buffer_command_handle_t ur_exp_command_buffer_handle_t
        ur_exp_command_buffer_native_command_function_t ur_exp_command_buffer_sync_point_t
        ur_exp_device_2d_block_array_capability_flags_t ur_exp_enqueue_ext_flags_t
        ur_exp_enqueue_native_command_flags_t ur_exp_enqueue_native_command_function_t
        ur_exp_event_flags_t ur_exp_executable_graph_handle_t ur_exp_external_mem_handle_t
        ur_exp_external_semaphore_handle_t ur_exp_graph_destruction_callback_t ur_exp_graph_handle_t
        ur_exp_host_task_flags_t ur_exp_host_task_function_t ur_exp_image_copy_flags_t
        ur_exp_image_mem_native_handle_t ur_exp_image_native_handle_t ur_exp_program_flags_t
        ur_exp_tensor_map_data_type_flags_t ur_exp_tensor_map_handle_t
        ur_exp_tensor_map_interleave_flags_t ur_exp_tensor_map_l2_promotion_flags_t
        ur_exp_tensor_map_oob_fill_flags_t ur_exp_tensor_map_swizzle_flags_t
        ur_exp_usm_host_alloc_register_flags_t ur_kernel_handle_t ur_kernel_launch_flags_t
        ur_kernel_launch_properties_flags_t ur_loader_config_handle_t ur_logger_callback_t
        ur_map_flags_t ur_mem_flags_t ur_mem_handle_t ur_memory_order_capability_flags_t
        ur_memory_scope_capability_flags_t ur_native_handle_t ur_physical_mem_flags_t
        ur_physical_mem_handle_t ur_platform_handle_t ur_program_handle_t ur_queue_flags_t
        ur_queue_handle_t ur_sampler_handle_t ur_usm_advice_flags_t ur_usm_device_mem_flags_t
        ur_usm_host_mem_flags_t ur_usm_migration_flags_t ur_usm_pool_flags_t ur_usm_pool_handle_t
        ur_virtual_mem_access_flags_t
    };
    // The constants of each enumeration are in a list of `u32`, so its type is `u32`.
    ours.extend(ENUMERATIONS.iter().copied().flatten().map(|of| (of.name, size_of::<u32>())));
    let golden = structs();
    for of in list(&golden, "typedefs") {
        let name = word(of, "name");
        let size = ours.remove(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(size, number(of, "size"), "{name}");
    }
    assert!(ours.is_empty(), "not in the golden data: {:?}", ours.keys());
}
