//! Numbers and names of device features, `enum class aspect` (SYCL 2020, 4.6.4.5, and the compilers' `aspects.def`).
//!
//! DPC++ 2026 renumbers the aspects: `ext_intel_esimd` is 49 there and was 53 before. Its images, version 3, are
//! translated when they are read and written. Everywhere else the numbers are those of DPC++ up to 2025; an aspect that
//! DPC++ 2026 added has its number there plus 1000.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::architecture;
use crate::parts::{PropertySet, Value};

/// Every named aspect: number, enumerator.
pub const ASPECTS: &[(u32, &str)] = &[
    (0, "host"),
    (1, "cpu"),
    (2, "gpu"),
    (3, "accelerator"),
    (4, "custom"),
    (5, "fp16"),
    (6, "fp64"),
    (9, "image"),
    (10, "online_compiler"),
    (11, "online_linker"),
    (12, "queue_profiling"),
    (13, "usm_device_allocations"),
    (14, "usm_host_allocations"),
    (15, "usm_shared_allocations"),
    (16, "usm_restricted_shared_allocations"),
    (17, "usm_system_allocations"),
    (18, "ext_intel_pci_address"),
    (19, "ext_intel_gpu_eu_count"),
    (20, "ext_intel_gpu_eu_simd_width"),
    (21, "ext_intel_gpu_slices"),
    (22, "ext_intel_gpu_subslices_per_slice"),
    (23, "ext_intel_gpu_eu_count_per_subslice"),
    (24, "ext_intel_max_mem_bandwidth"),
    (25, "ext_intel_mem_channel"),
    (26, "usm_atomic_host_allocations"),
    (27, "usm_atomic_shared_allocations"),
    (28, "atomic64"),
    (29, "ext_intel_device_info_uuid"),
    (30, "ext_oneapi_srgb"),
    (31, "ext_oneapi_native_assert"),
    (32, "host_debuggable"),
    (33, "ext_intel_gpu_hw_threads_per_eu"),
    (34, "ext_oneapi_cuda_async_barrier"),
    (35, "ext_oneapi_bfloat16_math_functions"),
    (36, "ext_intel_free_memory"),
    (37, "ext_intel_device_id"),
    (38, "ext_intel_memory_clock_rate"),
    (39, "ext_intel_memory_bus_width"),
    (40, "emulated"),
    (41, "ext_intel_legacy_image"),
    (42, "ext_oneapi_bindless_images"),
    (43, "ext_oneapi_bindless_images_shared_usm"),
    (44, "ext_oneapi_bindless_images_1d_usm"),
    (45, "ext_oneapi_bindless_images_2d_usm"),
    (46, "ext_oneapi_interop_memory_import"),
    (47, "ext_oneapi_interop_memory_export"),
    (48, "ext_oneapi_interop_semaphore_import"),
    (49, "ext_oneapi_interop_semaphore_export"),
    (50, "ext_oneapi_mipmap"),
    (51, "ext_oneapi_mipmap_anisotropy"),
    (52, "ext_oneapi_mipmap_level_reference"),
    (53, "ext_intel_esimd"),
    (54, "ext_oneapi_ballot_group"),
    (55, "ext_oneapi_fixed_size_group"),
    (56, "ext_oneapi_opportunistic_group"),
    (57, "ext_oneapi_tangle_group"),
    (58, "ext_intel_matrix"),
    (59, "ext_oneapi_is_composite"),
    (60, "ext_oneapi_is_component"),
    (61, "ext_oneapi_graph"),
    (62, "ext_intel_fpga_task_sequence"),
    (63, "ext_oneapi_limited_graph"),
    (64, "ext_oneapi_private_alloca"),
    (65, "ext_oneapi_cubemap"),
    (66, "ext_oneapi_cubemap_seamless_filtering"),
    (67, "ext_oneapi_bindless_sampled_image_fetch_1d_usm"),
    (68, "ext_oneapi_bindless_sampled_image_fetch_1d"),
    (69, "ext_oneapi_bindless_sampled_image_fetch_2d_usm"),
    (70, "ext_oneapi_bindless_sampled_image_fetch_2d"),
    (72, "ext_oneapi_bindless_sampled_image_fetch_3d"),
    (73, "ext_oneapi_queue_profiling_tag"),
    (74, "ext_oneapi_virtual_mem"),
    (75, "ext_oneapi_cuda_cluster_group"),
    (76, "ext_oneapi_image_array"),
    (77, "ext_oneapi_unique_addressing_per_dim"),
    (78, "ext_oneapi_bindless_images_sample_1d_usm"),
    (79, "ext_oneapi_bindless_images_sample_2d_usm"),
    (80, "ext_oneapi_atomic16"),
    (81, "ext_oneapi_virtual_functions"),
    (82, "ext_intel_spill_memory_size"),
    (83, "ext_oneapi_bindless_images_gather"),
    (84, "ext_intel_current_clock_throttle_reasons"),
    (85, "ext_intel_fan_speed"),
    (86, "ext_intel_power_limits"),
    (87, "ext_oneapi_async_memory_alloc"),
    (88, "ext_intel_device_info_luid"),
    (89, "ext_intel_device_info_node_mask"),
    (90, "ext_oneapi_exportable_device_mem"),
    (1050, "ext_oneapi_fragment"),
    (1051, "ext_oneapi_chunk"),
    (1052, "ext_oneapi_tangle"),
    (1084, "ext_oneapi_clock_sub_group"),
    (1085, "ext_oneapi_clock_work_group"),
    (1086, "ext_oneapi_clock_device"),
    (1087, "ext_oneapi_is_integrated_gpu"),
    (1088, "ext_oneapi_ipc_memory"),
    (1089, "ext_oneapi_device_wait"),
    (1090, "ext_intel_xe_stack_count"),
    (1091, "ext_intel_xe_regions_per_stack"),
    (1092, "ext_intel_xe_clusters_per_region"),
    (1093, "ext_intel_xe_cores_per_cluster"),
    (1094, "ext_intel_eus_per_xe_core"),
    (1095, "ext_intel_max_lanes_per_hw_thread"),
    (1096, "ext_oneapi_ipc_physical_memory"),
    (1097, "ext_oneapi_register_host_memory"),
    (1098, "ext_oneapi_per_event_profiling"),
    (1099, "ext_oneapi_ipc_event"),
];

/// Alternative names of aspects: newer names, and two that atomic64 has replaced.
const OTHER_NAMES: &[(u32, &str)] = &[
    (7, "int64_base_atomics"),
    (8, "int64_extended_atomics"),
    (46, "ext_oneapi_external_memory_import"),
    (48, "ext_oneapi_external_semaphore_import"),
];

/// The enumerators of DPC++ 2026.2, by their numbers there, from 0.
const NAMES_2026: &[&str] = &[
    "host",
    "cpu",
    "gpu",
    "accelerator",
    "custom",
    "fp16",
    "fp64",
    "int64_base_atomics",
    "int64_extended_atomics",
    "image",
    "online_compiler",
    "online_linker",
    "queue_profiling",
    "usm_device_allocations",
    "usm_host_allocations",
    "usm_shared_allocations",
    "usm_restricted_shared_allocations",
    "usm_system_allocations",
    "ext_intel_pci_address",
    "ext_intel_gpu_eu_count",
    "ext_intel_gpu_eu_simd_width",
    "ext_intel_gpu_slices",
    "ext_intel_gpu_subslices_per_slice",
    "ext_intel_gpu_eu_count_per_subslice",
    "ext_intel_max_mem_bandwidth",
    "usm_atomic_host_allocations",
    "usm_atomic_shared_allocations",
    "atomic64",
    "ext_intel_device_info_uuid",
    "ext_oneapi_srgb",
    "ext_oneapi_native_assert",
    "host_debuggable",
    "ext_intel_gpu_hw_threads_per_eu",
    "ext_oneapi_cuda_async_barrier",
    "ext_intel_free_memory",
    "ext_intel_device_id",
    "ext_intel_memory_clock_rate",
    "ext_intel_memory_bus_width",
    "emulated",
    "ext_intel_legacy_image",
    "ext_oneapi_bindless_images",
    "ext_oneapi_bindless_images_shared_usm",
    "ext_oneapi_bindless_images_1d_usm",
    "ext_oneapi_bindless_images_2d_usm",
    "ext_oneapi_external_memory_import",
    "ext_oneapi_external_semaphore_import",
    "ext_oneapi_mipmap",
    "ext_oneapi_mipmap_anisotropy",
    "ext_oneapi_mipmap_level_reference",
    "ext_intel_esimd",
    "ext_oneapi_fragment",
    "ext_oneapi_chunk",
    "ext_oneapi_tangle",
    "ext_intel_matrix",
    "ext_oneapi_is_composite",
    "ext_oneapi_is_component",
    "ext_oneapi_graph",
    "ext_oneapi_limited_graph",
    "ext_oneapi_private_alloca",
    "ext_oneapi_cubemap",
    "ext_oneapi_cubemap_seamless_filtering",
    "ext_oneapi_bindless_sampled_image_fetch_1d_usm",
    "ext_oneapi_bindless_sampled_image_fetch_1d",
    "ext_oneapi_bindless_sampled_image_fetch_2d_usm",
    "ext_oneapi_bindless_sampled_image_fetch_2d",
    "ext_oneapi_bindless_sampled_image_fetch_3d",
    "ext_oneapi_queue_profiling_tag",
    "ext_oneapi_virtual_mem",
    "ext_oneapi_cuda_cluster_group",
    "ext_oneapi_image_array",
    "ext_oneapi_unique_addressing_per_dim",
    "ext_oneapi_bindless_images_sample_1d_usm",
    "ext_oneapi_bindless_images_sample_2d_usm",
    "ext_oneapi_atomic16",
    "ext_oneapi_virtual_functions",
    "ext_intel_spill_memory_size",
    "ext_oneapi_bindless_images_gather",
    "ext_intel_current_clock_throttle_reasons",
    "ext_intel_fan_speed",
    "ext_intel_power_limits",
    "ext_oneapi_async_memory_alloc",
    "ext_intel_device_info_luid",
    "ext_intel_device_info_node_mask",
    "ext_oneapi_exportable_device_mem",
    "ext_oneapi_clock_sub_group",
    "ext_oneapi_clock_work_group",
    "ext_oneapi_clock_device",
    "ext_oneapi_is_integrated_gpu",
    "ext_oneapi_ipc_memory",
    "ext_oneapi_device_wait",
    "ext_intel_xe_stack_count",
    "ext_intel_xe_regions_per_stack",
    "ext_intel_xe_clusters_per_region",
    "ext_intel_xe_cores_per_cluster",
    "ext_intel_eus_per_xe_core",
    "ext_intel_max_lanes_per_hw_thread",
    "ext_oneapi_ipc_physical_memory",
    "ext_oneapi_register_host_memory",
    "ext_oneapi_per_event_profiling",
    "ext_oneapi_ipc_event",
];

/// The offset that is added to the numbers of aspects that DPC++ 2026 added.
const ADDED: u32 = 1000;

/// `aspect::fp16`
pub const FP16: u32 = 5;
/// `aspect::fp64`
pub const FP64: u32 = 6;
/// `aspect::atomic64`
pub const ATOMIC64: u32 = 28;
/// `aspect::ext_intel_esimd`
pub const EXT_INTEL_ESIMD: u32 = 53;

/// Returns the enumerator of an aspect.
pub fn name(aspect: u32) -> Option<&'static str> {
    let at = ASPECTS.binary_search_by_key(&aspect, |&(number, _)| number).ok()?;
    ASPECTS.get(at).map(|&(_, name)| name)
}

/// The numbers of all aspects, by enumerator.
static NUMBERS: LazyLock<HashMap<&str, u32>> =
    LazyLock::new(|| ASPECTS.iter().chain(OTHER_NAMES).map(|&(number, name)| (name, number)).collect());

/// Maps DPC++ 2026's numbers, from 0, to the numbers used here.
static FROM_2026: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let here = |(at, name): (u32, &&str)| NUMBERS.get(name).copied().unwrap_or(at + ADDED);
    (0..).zip(NAMES_2026).map(here).collect()
});

/// Maps the numbers used here to those of DPC++ 2026.
static TO_2026: LazyLock<HashMap<u32, u32>> = LazyLock::new(|| FROM_2026.iter().copied().zip(0..).collect());

/// Returns the number of an aspect by its enumerator or its number in digits, or the number of an architecture.
pub fn number(word: &str) -> Option<u32> {
    let word = word.trim();
    let by_name = NUMBERS.get(word).copied().or_else(|| architecture::number(word));
    by_name.or_else(|| word.parse().ok())
}

/// Describes an aspect: `fp16`, `intel_gpu_pvc`, or `aspect 99` if it has no name.
pub fn describe(aspect: u32) -> String {
    let known = name(aspect).map(Cow::Borrowed).or_else(|| architecture::name(aspect));
    known.map_or_else(|| format!("aspect {aspect}"), Cow::into_owned)
}

/// Converts an aspect's number in DPC++ 2026 to the number used here. Architectures have the same number everywhere.
pub fn from_2026(aspect: u32) -> u32 {
    let known = usize::try_from(aspect).ok().and_then(|at| FROM_2026.get(at).copied());
    known.unwrap_or(if architecture::is_architecture(aspect) { aspect } else { aspect + ADDED })
}

/// Converts an aspect's number to that in DPC++ 2026, or returns it unchanged if DPC++ 2026 lacks the aspect.
pub fn to_2026(aspect: u32) -> u32 {
    if architecture::is_architecture(aspect) {
        return aspect;
    }
    aspect.checked_sub(ADDED).or_else(|| TO_2026.get(&aspect).copied()).unwrap_or(aspect)
}

/// Renumbers the aspects that the property sets require.
pub fn renumbered<'a>(mut sets: Vec<PropertySet<'a>>, by: fn(u32) -> u32) -> Vec<PropertySet<'a>> {
    for set in sets.iter_mut().filter(|set| set.name == "SYCL/device requirements") {
        for property in &mut set.properties {
            if let ("aspects" | "aspect" | "fixed_target", Value::ByteArray(bytes)) =
                (property.name.as_ref(), &mut property.value)
            {
                renumber(bytes, by);
            }
        }
    }
    sets
}

/// Renumbers the aspects in a byte array, which follow its 8-byte length.
fn renumber(bytes: &mut Cow<'_, [u8]>, by: fn(u32) -> u32) {
    let (words, _) = bytes.get(8..).unwrap_or_default().as_chunks::<4>();
    if words.iter().all(|word| by(u32::from_le_bytes(*word)) == u32::from_le_bytes(*word)) {
        return;
    }
    let (words, _) = bytes.to_mut().get_mut(8..).unwrap_or_default().as_chunks_mut::<4>();
    for word in words {
        *word = by(u32::from_le_bytes(*word)).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        assert!(ASPECTS.is_sorted_by_key(|&(number, _)| number));
        for &(value, word) in ASPECTS {
            assert_eq!(name(value), Some(word));
            assert_eq!(number(word), Some(value));
            assert_eq!(number(&value.to_string()), Some(value));
        }
        assert_eq!(number("fp63"), None);
        assert_eq!(describe(7), "aspect 7");
        assert_eq!((number(" fp64 "), describe(6)), (Some(6), "fp64".into()));
    }

    #[test]
    fn an_aspect_of_2026_is_in_both_lists() {
        for name in NAMES_2026 {
            assert!(number(name).is_some(), "ASPECTS lacks {name}");
        }
        for &(number, name) in ASPECTS.iter().filter(|(number, _)| *number >= ADDED) {
            assert_eq!(NAMES_2026.get((number - ADDED) as usize), Some(&name), "{number}");
        }
    }

    /// The GMDID of Ponte Vecchio is 12.60.7.
    #[test]
    fn architectures_are_among_them() {
        assert_eq!(number("intel_gpu_pvc"), Some(0x030f_0007));
        assert_eq!(describe(0x030f_0007), "intel_gpu_pvc");
        assert_eq!((to_2026(0x030f_0007), from_2026(0x030f_0007)), (0x030f_0007, 0x030f_0007));
    }

    /// The numbers are from the headers of DPC++ 2025.3.3 and 2026.2.0.
    #[test]
    fn two_numberings() {
        for (before, after, word) in [
            (6, 6, "fp64"),
            (28, 27, "atomic64"),
            (53, 49, "ext_intel_esimd"),
            (80, 73, "ext_oneapi_atomic16"),
        ] {
            assert_eq!((number(word), from_2026(after), to_2026(before)), (Some(before), before, after));
        }
        assert_eq!((from_2026(50), name(1050)), (1050, Some("ext_oneapi_fragment")));
        assert_eq!((number("ext_oneapi_external_memory_import"), from_2026(44)), (Some(46), 46));
        for number in (0..200).chain([0x0200_0000, u32::MAX]) {
            assert_eq!(to_2026(from_2026(number)), number);
        }
    }
}
