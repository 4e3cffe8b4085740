//! The layouts of `pi_plugin`, and the sizes of scalar types, as compiled.

use std::collections::BTreeMap;
use std::mem::{align_of, offset_of, size_of};

use sycl_pi_core::*;

use crate::data::{list, number, structs, word};

/// Size, alignment, and the fields with their offsets.
type Layout = (usize, usize, Vec<(&'static str, usize)>);

macro_rules! layouts {
    ($($golden:ident: $ours:ty { $($field:ident)* };)*) => {
        BTreeMap::from([$((
            stringify!($golden),
            (size_of::<$ours>(), align_of::<$ours>(), vec![$((stringify!($field), offset_of!($ours, $field))),*]),
        )),*])
    };
}

fn compiled() -> BTreeMap<&'static str, Layout> {
    layouts! {
        _pi_plugin_9_11: pi_plugin_9_11 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_11_15: pi_plugin_11_15 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_12_21: pi_plugin_12_21 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_12_27: pi_plugin_12_27 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_14_37: pi_plugin_14_37 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_14_39: pi_plugin_14_37 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_15_47: pi_plugin_15_47 { PiVersion PluginVersion Targets PiFunctionTable SanitizeType };
    }
}

#[test]
fn pi_plugin_has_its_size_alignment_and_offsets_in_every_version() {
    let (golden, mut ours) = (structs(), compiled());
    for item in list(&golden, "structs").iter().filter(|item| item["name"] == "_pi_plugin") {
        let name = format!("_pi_plugin_{}", word(item, "variant").replace('.', "_"));
        let (size, alignment, fields) =
            ours.remove(name.as_str()).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(size, number(item, "size"), "{name}");
        assert_eq!(alignment, number(item, "alignment"), "{name}");
        let expected: Vec<_> =
            list(item, "fields").iter().map(|field| (word(field, "name"), number(field, "offset"))).collect();
        assert_eq!(fields, expected, "{name}");
    }
    assert!(ours.is_empty(), "not in the golden data: {:?}", ours.keys());
}

macro_rules! sizes {
    ($($name:ident)*) => { BTreeMap::from([$((stringify!($name), size_of::<$name>())),*]) };
}

#[test]
fn every_scalar_and_handle_has_its_size() {
    let mut ours = sizes! {
        pi_int32 pi_uint32 pi_uint64 pi_bool pi_bitfield pi_native_handle pi_context_properties
        pi_device_partition_property pi_device_exec_capabilities pi_sampler_properties
        pi_memory_order_capabilities pi_memory_scope_capabilities pi_mem_flags pi_map_flags
        pi_mem_properties pi_usm_mem_properties pi_queue_properties pi_device_affinity_domain
        pi_device_fp_config pi_device_binary_type pi_mem_access_flag pi_ext_sync_point pi_image_handle
        pi_image_mem_handle pi_interop_mem_handle pi_interop_semaphore_handle pi_result pi_event_status
        pi_platform_info pi_program_build_info pi_program_build_status pi_program_binary_type pi_device_type
        pi_platform_backend pi_device_mem_cache_type pi_device_local_mem_type pi_device_info pi_program_info
        pi_context_info pi_queue_info pi_kernel_info pi_kernel_group_info pi_image_info
        pi_kernel_sub_group_info pi_event_info pi_command_type pi_mem_type pi_mem_advice
        pi_image_channel_order pi_image_channel_type pi_image_copy_flags pi_buffer_create_type
        pi_sampler_info pi_sampler_addressing_mode pi_sampler_filter_mode pi_sampler_cubemap_filter_mode
        pi_profiling_info pi_kernel_cache_config pi_property_type pi_mem_info pi_peer_attr
        pi_kernel_exec_info pi_mem_obj_access pi_mem_obj_property_type pi_usm_capability_query
        pi_usm_capabilities pi_mem_alloc_info pi_usm_type pi_usm_migration_flags pi_ext_structure_type
        pi_sanitize_type pi_platform pi_device pi_context pi_queue pi_mem pi_program pi_kernel pi_event
        pi_sampler pi_ext_command_buffer pi_ext_command_buffer_command
    };
    let golden = structs();
    for item in list(&golden, "typedefs").iter().chain(list(&golden, "handles")) {
        let name = word(item, "name");
        if name.starts_with("bool ") {
            assert_eq!(size_of::<pi_cxx_bool>(), number(item, "size"));
            continue;
        }
        let size = ours.remove(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(size, number(item, "size"), "{name}");
    }
    assert!(ours.is_empty(), "not in the golden data: {:?}", ours.keys());
}
