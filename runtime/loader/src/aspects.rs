//! Determines SYCL's aspects of a device, each from the query that answers it.
//!
//! Some shipped plugins end the process on valid queries. Such a query is never sent to a plugin of those versions; if
//! an extension gives the same information, the extension is read instead (64-bit atomics).

use sycl_pi_core::*;

use crate::device_type::DeviceType;
use crate::queries::DeviceQueries;
use crate::{Backend, Version};

/// How to recognize that a device has an aspect.
enum Sign {
    /// The query has an answer.
    Answered(pi_device_info),
    /// The answer is not 0.
    Yes(pi_device_info),
    /// The answer has this bit.
    Bit(pi_device_info, u64),
    /// The answer is not 0. Plugins before 12.27 end the process on the query.
    YesSince12_27(pi_device_info),
    /// Both answers are not 0.
    YesTwice(pi_device_info, pi_device_info),
    /// The device has all of these extensions.
    Extensions(&'static [&'static str]),
    /// The answer is not 0, or the device has the extension, because a driver can omit OpenCL's configurations.
    YesOrExtension(pi_device_info, &'static str),
    /// The backend is OpenCL or Level Zero: the compiler implements the aspect in SPIR-V, regardless of the device.
    OfSpirv,
    /// Like `OfSpirv`, but only on processors and GPUs.
    OfSpirvOnCpuAndGpu,
    /// The device is an Intel GPU, because plugins end the process on the query. Nothing else runs explicit SIMD code.
    IntelsGpu,
    /// The backend is OpenCL, Level Zero or CUDA: the compiler implements the aspect with other features.
    Everywhere,
}

use Sign::*;

/// The aspects except the device's type, in the order of their numbers. Aspects that PI has no query for are missing:
/// whether a runtime knows the memory bandwidth (`ext_intel_max_mem_bandwidth`), `host_debuggable` (no device has it),
/// and those added after PI.
const SIGNS: &[(&str, Sign)] = &[
    ("fp16", YesOrExtension(PI_DEVICE_INFO_HALF_FP_CONFIG, "cl_khr_fp16")),
    ("fp64", YesOrExtension(PI_DEVICE_INFO_DOUBLE_FP_CONFIG, "cl_khr_fp64")),
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
    ("ext_intel_esimd", IntelsGpu),
    ("ext_oneapi_ballot_group", Everywhere),
    ("ext_oneapi_fixed_size_group", Everywhere),
    ("ext_oneapi_opportunistic_group", Everywhere),
    ("ext_oneapi_tangle_group", Everywhere),
    ("ext_intel_matrix", Answered(PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS)),
    ("ext_oneapi_is_composite", Answered(PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES)),
    ("ext_oneapi_is_component", Yes(PI_EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE)),
    (
        "ext_oneapi_graph",
        YesTwice(
            PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT,
            PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_UPDATE_SUPPORT,
        ),
    ),
    ("ext_oneapi_limited_graph", Yes(PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT)),
    ("ext_oneapi_private_alloca", OfSpirv),
    ("ext_oneapi_cubemap", Yes(PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT)),
    (
        "ext_oneapi_cubemap_seamless_filtering",
        Yes(PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT),
    ),
    ("ext_oneapi_virtual_functions", OfSpirvOnCpuAndGpu),
];

/// Returns every name that can appear in [`DeviceInfo::aspects`](crate::DeviceInfo).
pub fn aspect_names() -> impl Iterator<Item = &'static str> {
    DeviceType::ALL.into_iter().map(of_type).chain(SIGNS.iter().map(|(name, _)| *name))
}

/// Returns the aspect for a device's type.
fn of_type(kind: DeviceType) -> &'static str {
    match kind {
        DeviceType::Accelerator => "accelerator",
        other => other.name(),
    }
}

/// Returns the names of the aspects that the device has.
pub(crate) fn aspects(
    device: &impl DeviceQueries,
    kind: DeviceType,
    extensions: &[String],
) -> Vec<&'static str> {
    let held = SIGNS.iter().filter(|(_, sign)| shows(device, sign, kind, extensions)).map(|(name, _)| *name);
    std::iter::once(of_type(kind)).chain(held).collect()
}

fn shows(device: &impl DeviceQueries, sign: &Sign, kind: DeviceType, extensions: &[String]) -> bool {
    const INTEL: u64 = 0x8086;
    let yes = |query| device.number(query).is_some_and(|value| value != 0);
    let has = |name: &str| extensions.iter().any(|other| other == name);
    let of_spirv = || matches!(device.backend(), Some(Backend::OpenCl | Backend::LevelZero));
    match *sign {
        Answered(query) => device.answer(query).is_some_and(|answer| !answer.is_empty()),
        Yes(query) => yes(query),
        Bit(query, bit) => device.number(query).is_some_and(|value| value & bit != 0),
        YesSince12_27(query) => device.version() >= Version::V12_27 && yes(query),
        YesTwice(first, second) => yes(first) && yes(second),
        Extensions(all) => all.iter().all(|name| has(name)),
        YesOrExtension(query, extension) => yes(query) || has(extension),
        OfSpirv => of_spirv(),
        OfSpirvOnCpuAndGpu => matches!(kind, DeviceType::Cpu | DeviceType::Gpu) && of_spirv(),
        IntelsGpu => kind == DeviceType::Gpu && device.number(PI_DEVICE_INFO_VENDOR_ID) == Some(INTEL),
        Everywhere => matches!(device.backend(), Some(Backend::OpenCl | Backend::LevelZero | Backend::Cuda)),
    }
}
