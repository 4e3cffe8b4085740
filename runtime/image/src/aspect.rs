//! `enum class aspect`: numbers and names of device features (SYCL 2020, 4.6.4.5, and intel/llvm's `aspects.def`).

/// Every aspect that has a name: number, enumerator.
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
];

/// `aspect::fp16`
pub const FP16: u32 = 5;
/// `aspect::fp64`
pub const FP64: u32 = 6;
/// `aspect::atomic64`
pub const ATOMIC64: u32 = 28;
/// `aspect::ext_intel_esimd`
pub const EXT_INTEL_ESIMD: u32 = 53;

/// The enumerator of an aspect.
pub fn name(aspect: u32) -> Option<&'static str> {
    let at = ASPECTS.binary_search_by_key(&aspect, |&(number, _)| number).ok()?;
    ASPECTS.get(at).map(|&(_, name)| name)
}

/// The number of an aspect, by its enumerator or by the number itself in digits.
pub fn number(word: &str) -> Option<u32> {
    let word = word.trim();
    let by_name = ASPECTS.iter().find(|&&(_, name)| name == word).map(|&(number, _)| number);
    by_name.or_else(|| word.parse().ok())
}

/// `fp16`, or `aspect 99` if there is no name for it.
pub fn describe(aspect: u32) -> String {
    name(aspect).map_or_else(|| format!("aspect {aspect}"), str::to_owned)
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
    }
}
