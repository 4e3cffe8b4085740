//! SYCL's aspects of a device, each from the query that answers it.
//!
//! Some shipped plugins end the process on a question that is valid. Such a question is asked of no plugin of those versions; where
//! an extension says the same, that is read instead (64-bit atomics).

use sycl_pi_core::*;

use crate::device::DeviceType;
use crate::{Backend, PluginDevice, Version};

/// What tells that a device has an aspect.
enum Sign {
    /// The question has an answer.
    Answered(pi_device_info),
    /// The answer is not 0.
    Yes(pi_device_info),
    /// The answer has this bit.
    Bit(pi_device_info, u64),
    /// The answer is not 0; plugins before 12.27 end the process on the question.
    YesSince12_27(pi_device_info),
    /// The device has all of these extensions.
    Extensions(&'static [&'static str]),
    /// Its backend is OpenCL or Level Zero: the compiler makes it of SPIR-V, whatever the device.
    OfSpirv,
    /// Its backend is OpenCL, Level Zero or CUDA: the compiler makes it of other features.
    Everywhere,
}

use Sign::*;

/// The aspects but for the device's type, in the order of their numbers. What is left out has no question in PI: whether memory
/// bandwidth is known to a runtime (`ext_intel_max_mem_bandwidth`), `host_debuggable` (no device is), and what came after PI.
const SIGNS: [(&str, Sign); 49] = [
    ("fp16", Yes(PI_DEVICE_INFO_HALF_FP_CONFIG)),
    ("fp64", Yes(PI_DEVICE_INFO_DOUBLE_FP_CONFIG)),
    ("image", Yes(PI_DEVICE_INFO_IMAGE_SUPPORT)),
    ("online_compiler", Yes(PI_DEVICE_INFO_COMPILER_AVAILABLE)),
    ("online_linker", Yes(PI_DEVICE_INFO_LINKER_AVAILABLE)),
    ("queue_profiling", Bit(PI_DEVICE_INFO_QUEUE_PROPERTIES, PI_QUEUE_FLAG_PROFILING_ENABLE)),
    ("usm_device_allocations", Bit(PI_DEVICE_INFO_USM_DEVICE_SUPPORT, PI_USM_ACCESS)),
    ("usm_host_allocations", Bit(PI_DEVICE_INFO_USM_HOST_SUPPORT, PI_USM_ACCESS)),
    ("usm_shared_allocations", Bit(PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, PI_USM_ACCESS)),
    ("usm_system_allocations", Bit(PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT, PI_USM_ACCESS)),
    ("ext_intel_pci_address", Answered(PI_DEVICE_INFO_PCI_ADDRESS)),
    ("ext_intel_gpu_eu_count", Answered(PI_DEVICE_INFO_GPU_EU_COUNT)),
    ("ext_intel_gpu_eu_simd_width", Answered(PI_DEVICE_INFO_GPU_EU_SIMD_WIDTH)),
    ("ext_intel_gpu_slices", Answered(PI_DEVICE_INFO_GPU_SLICES)),
    ("ext_intel_gpu_subslices_per_slice", Answered(PI_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE)),
    ("ext_intel_gpu_eu_count_per_subslice", Answered(PI_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE)),
    ("ext_intel_mem_channel", Yes(PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT)),
    ("usm_atomic_host_allocations", Bit(PI_DEVICE_INFO_USM_HOST_SUPPORT, PI_USM_CONCURRENT_ATOMIC_ACCESS)),
    (
        "usm_atomic_shared_allocations",
        Bit(PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, PI_USM_CONCURRENT_ATOMIC_ACCESS),
    ),
    ("atomic64", Extensions(&["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"])),
    ("ext_intel_device_info_uuid", Answered(PI_DEVICE_INFO_UUID)),
    ("ext_oneapi_srgb", YesSince12_27(PI_DEVICE_INFO_IMAGE_SRGB)),
    ("ext_oneapi_native_assert", Extensions(&["cl_intel_devicelib_assert"])),
    ("ext_intel_gpu_hw_threads_per_eu", Answered(PI_DEVICE_INFO_GPU_HW_THREADS_PER_EU)),
    ("ext_oneapi_cuda_async_barrier", Yes(PI_EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER)),
    ("ext_oneapi_bfloat16_math_functions", YesSince12_27(PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS)),
    ("ext_intel_free_memory", Answered(PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY)),
    ("ext_intel_device_id", Answered(PI_DEVICE_INFO_DEVICE_ID)),
    ("ext_intel_memory_clock_rate", Answered(PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE)),
    ("ext_intel_memory_bus_width", Answered(PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH)),
    ("ext_intel_legacy_image", Yes(PI_DEVICE_INFO_IMAGE_SUPPORT)),
    ("ext_oneapi_bindless_images", Yes(PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT)),
    (
        "ext_oneapi_bindless_images_shared_usm",
        Yes(PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT),
    ),
    ("ext_oneapi_bindless_images_1d_usm", Yes(PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT)),
    ("ext_oneapi_bindless_images_2d_usm", Yes(PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT)),
    ("ext_oneapi_interop_memory_import", Yes(PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT)),
    ("ext_oneapi_interop_memory_export", Yes(PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT)),
    ("ext_oneapi_interop_semaphore_import", Yes(PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT)),
    ("ext_oneapi_interop_semaphore_export", Yes(PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT)),
    ("ext_oneapi_mipmap", Yes(PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT)),
    ("ext_oneapi_mipmap_anisotropy", Yes(PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT)),
    ("ext_oneapi_mipmap_level_reference", Yes(PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT)),
    ("ext_oneapi_ballot_group", Everywhere),
    ("ext_oneapi_fixed_size_group", Everywhere),
    ("ext_oneapi_opportunistic_group", Everywhere),
    ("ext_oneapi_tangle_group", Everywhere),
    ("ext_oneapi_limited_graph", Yes(PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT)),
    ("ext_oneapi_private_alloca", OfSpirv),
    ("ext_oneapi_cubemap", Yes(PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT)),
];

impl PluginDevice<'_> {
    /// The names of the aspects that the device has.
    pub(crate) fn aspects(&self, kind: DeviceType, extensions: &[String]) -> Vec<&'static str> {
        let kind_aspect = match kind {
            DeviceType::Accelerator => "accelerator",
            other => other.name(),
        };
        let held = SIGNS.iter().filter(|(_, sign)| self.shows(sign, extensions)).map(|(name, _)| *name);
        let mut all: Vec<&'static str> = std::iter::once(kind_aspect).chain(held).collect();
        self.add_derived(kind, extensions, &mut all);
        all
    }

    /// The aspects that more than one answer decides.
    fn add_derived(&self, kind: DeviceType, extensions: &[String], all: &mut Vec<&'static str>) {
        let yes = |name| self.info_number(name).is_ok_and(|value| value != 0);
        // A driver can leave OpenCL's configurations out and have the extension.
        for (aspect, extension) in [("fp16", "cl_khr_fp16"), ("fp64", "cl_khr_fp64")] {
            if !all.contains(&aspect) && extensions.iter().any(|other| other == extension) {
                all.push(aspect);
            }
        }
        if all.contains(&"ext_oneapi_limited_graph")
            && yes(PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_UPDATE_SUPPORT)
        {
            all.push("ext_oneapi_graph");
        }
        if yes(PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT) {
            all.push("ext_oneapi_cubemap_seamless_filtering");
        }
        if self.info_bytes(PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS).is_ok_and(|all| !all.is_empty()) {
            all.push("ext_intel_matrix");
        }
        if self.info_bytes(PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES).is_ok_and(|parts| !parts.is_empty()) {
            all.push("ext_oneapi_is_composite");
        }
        if yes(PI_EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE) {
            all.push("ext_oneapi_is_component");
        }
        // Plugins end the process on the question. Intel's GPUs run explicit SIMD code, nothing else does.
        let is_intel = self.info_number(PI_DEVICE_INFO_VENDOR_ID).is_ok_and(|vendor| vendor == 0x8086);
        if kind == DeviceType::Gpu && is_intel {
            all.push("ext_intel_esimd");
        }
        if matches!(kind, DeviceType::Cpu | DeviceType::Gpu) && self.shows(&OfSpirv, extensions) {
            all.push("ext_oneapi_virtual_functions");
        }
    }

    fn shows(&self, sign: &Sign, extensions: &[String]) -> bool {
        let yes = |name| self.info_number(name).is_ok_and(|value| value != 0);
        let backend = || Backend::of_file(&self.plugin().path);
        match *sign {
            Answered(name) => self.info_bytes(name).is_ok_and(|answer| !answer.is_empty()),
            Yes(name) => yes(name),
            Bit(name, bit) => self.info_number(name).is_ok_and(|value| value & bit != 0),
            YesSince12_27(name) => self.plugin().version >= Version::V12_27 && yes(name),
            Extensions(all) => all.iter().all(|name| extensions.iter().any(|other| other == name)),
            OfSpirv => matches!(backend(), Some(Backend::OpenCl | Backend::LevelZero)),
            Everywhere => matches!(backend(), Some(Backend::OpenCl | Backend::LevelZero | Backend::Cuda)),
        }
    }
}
