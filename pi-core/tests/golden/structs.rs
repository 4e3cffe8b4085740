//! Sizes, alignments and offsets, as compiled.

use std::collections::BTreeMap;
use std::mem::{align_of, offset_of, size_of};

use serde_json::Value;
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
        _pi_offload_entry_struct: _pi_offload_entry_struct { addr name size flags reserved };
        _pi_device_binary_property_struct: _pi_device_binary_property_struct { Name ValAddr Type ValSize };
        _pi_device_binary_property_set_struct: _pi_device_binary_property_set_struct { Name PropertiesBegin PropertiesEnd };
        pi_device_binary_struct: pi_device_binary_struct { Version Kind Format DeviceTargetSpec CompileOptions LinkOptions ManifestStart ManifestEnd BinaryStart BinaryEnd EntriesBegin EntriesEnd PropertySetsBegin PropertySetsEnd };
        pi_device_binaries_struct: pi_device_binaries_struct { Version NumDeviceBinaries DeviceBinaries HostEntriesBegin HostEntriesEnd };
        pi_buffer_region_struct: pi_buffer_region_struct { origin size };
        pi_buff_rect_offset_struct: pi_buff_rect_offset_struct { x_bytes y_scalar z_scalar };
        pi_buff_rect_region_struct: pi_buff_rect_region_struct { width_bytes height_scalar depth_scalar };
        pi_image_offset_struct: pi_image_offset_struct { x y z };
        pi_image_region_struct: pi_image_region_struct { width height depth };
        _pi_image_format: pi_image_format { image_channel_order image_channel_data_type };
        _pi_image_desc: pi_image_desc { image_type image_width image_height image_depth image_array_size image_row_pitch image_slice_pitch num_mip_levels num_samples buffer };
        _pi_mem_obj_property: pi_mem_obj_property { type_ pNext mem_access };
        pi_ext_command_buffer_desc: pi_ext_command_buffer_desc { stype pNext properties };
        _pi_plugin_9_11: pi_plugin_9_11 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_11_15: pi_plugin_11_15 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_12_21: pi_plugin_12_21 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_12_27: pi_plugin_12_27 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_14_37: pi_plugin_14_37 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_14_39: pi_plugin_14_37 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_15_47: pi_plugin_15_47 { PiVersion PluginVersion Targets PiFunctionTable SanitizeType };
    }
}

/// Returns the name of a structure in `compiled`, which has `pi_plugin` once per version.
fn key(item: &Value) -> String {
    match (word(item, "name"), item["variant"].as_str()) {
        ("_pi_plugin", Some(version)) => format!("_pi_plugin_{}", version.replace('.', "_")),
        (name, _) => name.to_owned(),
    }
}

#[test]
fn every_structure_has_its_size_alignment_and_offsets() {
    let (golden, mut ours) = (structs(), compiled());
    let served = |item: &&Value| item["present"].as_object().unwrap().values().any(|present| present == true);
    for item in list(&golden, "structs").iter().filter(served) {
        let name = key(item);
        let (size, alignment, fields) =
            ours.remove(name.as_str()).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(size, number(item, "size"), "{name}");
        assert_eq!(alignment, number(item, "alignment"), "{name}");
        let fields: Vec<_> =
            fields.iter().map(|(field, offset)| (field.trim_end_matches('_'), *offset)).collect();
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
