//! Queries of devices.

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::DeviceInfo as D;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Info, Result};
use sycl_ur_core::*;

use crate::encode::{self, BOOL, Encode, FLAGS, SIZE, U32, U64};
use crate::handle::{Handle, origin};
use crate::info::{Answer, read, unknown_query};

const SAME: Encode = Encode::Same;

/// Answers a query of a device.
pub(crate) fn device<B: Backend>(
    device: &Handle<B::Device>, name: ur_device_info_t, answer: Answer,
) -> Result<()> {
    let origin = origin(device);
    if !exists(name, origin.layout) {
        return Err(unknown_query(name, false));
    }
    match of_backend(name) {
        Some((query, encode)) => {
            answer.answered_by(encode, origin, |info| B::device_info(device, query, info))
        }
        None => of_more::<B>(device, name, answer),
    }
}

/// Answers a query that requires more than one query of the backend.
fn of_more<B: Backend>(device: &Handle<B::Device>, name: ur_device_info_t, answer: Answer) -> Result<()> {
    let origin = origin(device);
    let ask = |query| move |info: Info<'_>| B::device_info(device, query, info);
    // A limit of bindless images is 0 if they are not supported.
    let limit = |query| read(&ask(query)).and_then(|bytes| encode::number(&bytes)).unwrap_or(0);
    match name {
        // A device without half-precision numbers has no such capabilities; drivers return an error for it.
        UR_DEVICE_INFO_HALF_FP_CONFIG if read(&ask(D::HALF_FP_CONFIG)).is_err() => answer.value(0_u32),
        UR_DEVICE_INFO_HALF_FP_CONFIG => {
            answer.answered_by(encode::FP_CONFIG, origin, ask(D::HALF_FP_CONFIG))
        }
        UR_DEVICE_INFO_IMAGE_PITCH_ALIGN_EXP => answer.value(limit(D::IMAGE_PITCH_ALIGN) as u32),
        UR_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY_EXP => answer.value(limit(D::MIPMAP_MAX_ANISOTROPY) as u32),
        UR_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH_EXP => answer.value(limit(D::MAX_IMAGE_LINEAR_WIDTH)),
        UR_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT_EXP => answer.value(limit(D::MAX_IMAGE_LINEAR_HEIGHT)),
        UR_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH_EXP => answer.value(limit(D::MAX_IMAGE_LINEAR_PITCH)),
        UR_DEVICE_INFO_REFERENCE_COUNT => answer.value(device.reference_count()),
        UR_DEVICE_INFO_2D_BLOCK_ARRAY_CAPABILITIES_EXP => answer.value(0_u32),
        UR_DEVICE_INFO_KERNEL_LAUNCH_CAPABILITIES => {
            let capabilities = [
                (D::COOPERATIVE_LAUNCH_SUPPORT, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_COOPERATIVE),
                (D::CLUSTER_LAUNCH_SUPPORT, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_CLUSTER_DIMENSION),
                (D::LAUNCH_LOCAL_MEMORY_SUPPORT, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_WORK_GROUP_MEMORY),
            ];
            let has = |(query, bit): (D, u32)| if flag::<B>(device, query) { bit } else { 0 };
            answer.value(capabilities.into_iter().map(has).fold(0, |all, bit| all | bit))
        }
        // A boolean in 2025.0 and flags later: all of them except events.
        UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP => {
            let can = flag::<B>(device, D::LAUNCH_UPDATE_SUPPORT);
            match origin.layout {
                Layout::V2025_0 => answer.bool(can),
                _ if can => answer.value(UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_EVENTS - 1),
                _ => answer.value(0_u32),
            }
        }
        UR_DEVICE_INFO_NUM_COMPUTE_UNITS => match sub_slices::<B>(device) {
            Some(count) => answer.value(count),
            None => answer.answered_by(SAME, origin, ask(D::MAX_COMPUTE_UNITS)),
        },
        // Number 133 was another query before 2026.2.
        UR_DEVICE_INFO_MAX_WORK_GROUPS if origin.layout >= Layout::V2026_2 => {
            answer.answered_by(SIZE, origin, ask(D::MAX_GLOBAL_WORK_GROUPS))
        }
        UR_DEVICE_INFO_IS_INTEGRATED_GPU => {
            let is_gpu =
                read(&ask(D::TYPE)).is_ok_and(|kind| u64::from(kind[0]) & DeviceType::GPU.bits() != 0);
            answer.bool(is_gpu && flag::<B>(device, D::HOST_UNIFIED_MEMORY))
        }
        _ => match same_for_all(name) {
            Some(is_supported) => answer.bool(is_supported),
            None => Err(unknown_query(name, true)),
        },
    }
}

/// Returns whether a backend answers a device query with "true".
pub(crate) fn flag<B: Backend>(device: &B::Device, query: D) -> bool {
    let answer = read(&|info: Info<'_>| B::device_info(device, query, info));
    answer.is_ok_and(|answer| answer.iter().any(|byte| *byte != 0))
}

/// Returns the number of sub-slices of a device that has them. Each is a compute unit in SYCL, while OpenCL counts the
/// execution units in them.
fn sub_slices<B: Backend>(device: &B::Device) -> Option<u32> {
    let number = |query| {
        let answer = read(&|info: Info<'_>| B::device_info(device, query, info)).ok()?;
        Some(u32::from_ne_bytes(answer.as_slice().try_into().ok()?))
    };
    number(D::GPU_SLICES)?.checked_mul(number(D::GPU_SUBSLICES_PER_SLICE)?)
}

/// Returns the neutral query that corresponds to a query, and the encoding of its answer.
fn of_backend(name: ur_device_info_t) -> Option<(D, Encode)> {
    Some(match name {
        UR_DEVICE_INFO_TYPE => (D::TYPE, encode::DEVICE_TYPE),
        UR_DEVICE_INFO_VENDOR_ID => (D::VENDOR_ID, SAME),
        UR_DEVICE_INFO_DEVICE_ID => (D::DEVICE_ID, SAME),
        UR_DEVICE_INFO_MAX_COMPUTE_UNITS => (D::MAX_COMPUTE_UNITS, SAME),
        UR_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS => (D::MAX_WORK_ITEM_DIMENSIONS, SAME),
        UR_DEVICE_INFO_MAX_WORK_ITEM_SIZES => (D::MAX_WORK_ITEM_SIZES, SAME),
        UR_DEVICE_INFO_MAX_WORK_GROUP_SIZE => (D::MAX_WORK_GROUP_SIZE, SAME),
        UR_DEVICE_INFO_SINGLE_FP_CONFIG => (D::SINGLE_FP_CONFIG, encode::FP_CONFIG),
        UR_DEVICE_INFO_DOUBLE_FP_CONFIG => (D::DOUBLE_FP_CONFIG, encode::FP_CONFIG),
        UR_DEVICE_INFO_QUEUE_PROPERTIES => (D::QUEUE_PROPERTIES, FLAGS),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR => (D::PREFERRED_VECTOR_WIDTH_CHAR, SAME),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT => (D::PREFERRED_VECTOR_WIDTH_SHORT, SAME),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT => (D::PREFERRED_VECTOR_WIDTH_INT, SAME),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG | UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG_LONG => {
            (D::PREFERRED_VECTOR_WIDTH_LONG, SAME)
        }
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT => (D::PREFERRED_VECTOR_WIDTH_FLOAT, SAME),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE => (D::PREFERRED_VECTOR_WIDTH_DOUBLE, SAME),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF => (D::PREFERRED_VECTOR_WIDTH_HALF, SAME),
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR => (D::NATIVE_VECTOR_WIDTH_CHAR, SAME),
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT => (D::NATIVE_VECTOR_WIDTH_SHORT, SAME),
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT => (D::NATIVE_VECTOR_WIDTH_INT, SAME),
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG | UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG_LONG => {
            (D::NATIVE_VECTOR_WIDTH_LONG, SAME)
        }
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT => (D::NATIVE_VECTOR_WIDTH_FLOAT, SAME),
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE => (D::NATIVE_VECTOR_WIDTH_DOUBLE, SAME),
        UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF => (D::NATIVE_VECTOR_WIDTH_HALF, SAME),
        UR_DEVICE_INFO_MAX_CLOCK_FREQUENCY => (D::MAX_CLOCK_FREQUENCY, SAME),
        UR_DEVICE_INFO_MEMORY_CLOCK_RATE => (D::MEMORY_CLOCK_RATE, SAME),
        UR_DEVICE_INFO_ADDRESS_BITS => (D::ADDRESS_BITS, SAME),
        UR_DEVICE_INFO_MAX_MEM_ALLOC_SIZE => (D::MAX_MEM_ALLOC_SIZE, SAME),
        UR_DEVICE_INFO_IMAGE_SUPPORT => (D::IMAGE_SUPPORT, BOOL),
        UR_DEVICE_INFO_MAX_READ_IMAGE_ARGS => (D::MAX_READ_IMAGE_ARGS, SAME),
        UR_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS => (D::MAX_WRITE_IMAGE_ARGS, SAME),
        UR_DEVICE_INFO_MAX_READ_WRITE_IMAGE_ARGS => (D::MAX_READ_WRITE_IMAGE_ARGS, SAME),
        UR_DEVICE_INFO_IMAGE2D_MAX_WIDTH => (D::IMAGE2D_MAX_WIDTH, SIZE),
        UR_DEVICE_INFO_IMAGE2D_MAX_HEIGHT => (D::IMAGE2D_MAX_HEIGHT, SIZE),
        UR_DEVICE_INFO_IMAGE3D_MAX_WIDTH => (D::IMAGE3D_MAX_WIDTH, SIZE),
        UR_DEVICE_INFO_IMAGE3D_MAX_HEIGHT => (D::IMAGE3D_MAX_HEIGHT, SIZE),
        UR_DEVICE_INFO_IMAGE3D_MAX_DEPTH => (D::IMAGE3D_MAX_DEPTH, SIZE),
        UR_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE => (D::IMAGE_MAX_BUFFER_SIZE, SIZE),
        UR_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE => (D::IMAGE_MAX_ARRAY_SIZE, SIZE),
        UR_DEVICE_INFO_MAX_SAMPLERS => (D::MAX_SAMPLERS, SAME),
        UR_DEVICE_INFO_MAX_PARAMETER_SIZE => (D::MAX_PARAMETER_SIZE, SIZE),
        UR_DEVICE_INFO_MEM_BASE_ADDR_ALIGN => (D::MEM_BASE_ADDR_ALIGN, SAME),
        UR_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE => (D::GLOBAL_MEM_CACHE_TYPE, SAME),
        UR_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE => (D::GLOBAL_MEM_CACHELINE_SIZE, SAME),
        UR_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE => (D::GLOBAL_MEM_CACHE_SIZE, SAME),
        UR_DEVICE_INFO_GLOBAL_MEM_SIZE => (D::GLOBAL_MEM_SIZE, SAME),
        UR_DEVICE_INFO_GLOBAL_MEM_FREE => (D::FREE_MEMORY, U64),
        UR_DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE => (D::MAX_CONSTANT_BUFFER_SIZE, SAME),
        UR_DEVICE_INFO_MAX_CONSTANT_ARGS => (D::MAX_CONSTANT_ARGS, SAME),
        UR_DEVICE_INFO_LOCAL_MEM_TYPE => (D::LOCAL_MEM_TYPE, SAME),
        UR_DEVICE_INFO_LOCAL_MEM_SIZE => (D::LOCAL_MEM_SIZE, SAME),
        UR_DEVICE_INFO_ERROR_CORRECTION_SUPPORT => (D::ERROR_CORRECTION_SUPPORT, BOOL),
        UR_DEVICE_INFO_HOST_UNIFIED_MEMORY => (D::HOST_UNIFIED_MEMORY, BOOL),
        UR_DEVICE_INFO_PROFILING_TIMER_RESOLUTION => (D::PROFILING_TIMER_RESOLUTION, SIZE),
        UR_DEVICE_INFO_ENDIAN_LITTLE => (D::ENDIAN_LITTLE, BOOL),
        UR_DEVICE_INFO_AVAILABLE => (D::AVAILABLE, BOOL),
        UR_DEVICE_INFO_COMPILER_AVAILABLE => (D::COMPILER_AVAILABLE, BOOL),
        UR_DEVICE_INFO_LINKER_AVAILABLE => (D::LINKER_AVAILABLE, BOOL),
        UR_DEVICE_INFO_EXECUTION_CAPABILITIES => (D::EXECUTION_CAPABILITIES, FLAGS),
        UR_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES => (D::QUEUE_ON_DEVICE_PROPERTIES, FLAGS),
        UR_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES => (D::QUEUE_ON_HOST_PROPERTIES, FLAGS),
        UR_DEVICE_INFO_BUILT_IN_KERNELS => (D::BUILT_IN_KERNELS, SAME),
        UR_DEVICE_INFO_PLATFORM => (D::PLATFORM, Encode::Handles),
        UR_DEVICE_INFO_IL_VERSION => (D::IL_VERSION, SAME),
        UR_DEVICE_INFO_NAME => (D::NAME, SAME),
        UR_DEVICE_INFO_VENDOR => (D::VENDOR, SAME),
        UR_DEVICE_INFO_DRIVER_VERSION => (D::DRIVER_VERSION, SAME),
        UR_DEVICE_INFO_PROFILE => (D::PROFILE, SAME),
        UR_DEVICE_INFO_VERSION => (D::VERSION, SAME),
        UR_DEVICE_INFO_BACKEND_RUNTIME_VERSION => (D::BACKEND_VERSION, SAME),
        UR_DEVICE_INFO_EXTENSIONS => (D::EXTENSIONS, SAME),
        UR_DEVICE_INFO_PRINTF_BUFFER_SIZE => (D::PRINTF_BUFFER_SIZE, SIZE),
        UR_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC => (D::PREFERRED_INTEROP_USER_SYNC, BOOL),
        UR_DEVICE_INFO_PARENT_DEVICE => (D::PARENT_DEVICE, Encode::Handles),
        UR_DEVICE_INFO_SUPPORTED_PARTITIONS => (D::PARTITION_PROPERTIES, encode::PARTITIONS),
        UR_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES => (D::PARTITION_MAX_SUB_DEVICES, SAME),
        UR_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN => (D::PARTITION_AFFINITY_DOMAIN, FLAGS),
        UR_DEVICE_INFO_PARTITION_TYPE => (D::PARTITION_TYPE, encode::PARTITION_TYPE),
        UR_DEVICE_INFO_MAX_NUM_SUB_GROUPS => (D::MAX_NUM_SUB_GROUPS, SAME),
        UR_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => {
            (D::SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, BOOL)
        }
        UR_DEVICE_INFO_SUB_GROUP_SIZES_INTEL => (D::SUB_GROUP_SIZES_INTEL, encode::SIZES_AS_U32),
        UR_DEVICE_INFO_USM_HOST_SUPPORT => (D::USM_HOST_SUPPORT, FLAGS),
        UR_DEVICE_INFO_USM_DEVICE_SUPPORT => (D::USM_DEVICE_SUPPORT, FLAGS),
        UR_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT => (D::USM_SINGLE_SHARED_SUPPORT, FLAGS),
        UR_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT => (D::USM_CROSS_SHARED_SUPPORT, FLAGS),
        UR_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT => (D::USM_SYSTEM_SHARED_SUPPORT, FLAGS),
        UR_DEVICE_INFO_UUID => (D::UUID, SAME),
        UR_DEVICE_INFO_PCI_ADDRESS => (D::PCI_ADDRESS, SAME),
        UR_DEVICE_INFO_GPU_EU_COUNT => (D::GPU_EU_COUNT, SAME),
        UR_DEVICE_INFO_GPU_EU_SIMD_WIDTH => (D::GPU_EU_SIMD_WIDTH, SAME),
        UR_DEVICE_INFO_GPU_EU_SLICES => (D::GPU_SLICES, SAME),
        UR_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE => (D::GPU_EU_COUNT_PER_SUBSLICE, SAME),
        UR_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE => (D::GPU_SUBSLICES_PER_SLICE, SAME),
        UR_DEVICE_INFO_GPU_HW_THREADS_PER_EU => (D::GPU_HW_THREADS_PER_EU, SAME),
        UR_DEVICE_INFO_MAX_MEMORY_BANDWIDTH => (D::MAX_MEM_BANDWIDTH, U64),
        UR_DEVICE_INFO_IMAGE_SRGB => (D::IMAGE_SRGB, BOOL),
        UR_DEVICE_INFO_BUILD_ON_SUBDEVICE => (D::BUILD_ON_SUBDEVICE, BOOL),
        UR_DEVICE_INFO_ATOMIC_64 => (D::ATOMIC_64, BOOL),
        UR_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES => (D::ATOMIC_MEMORY_ORDER_CAPABILITIES, FLAGS),
        UR_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES => (D::ATOMIC_MEMORY_SCOPE_CAPABILITIES, FLAGS),
        UR_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES => (D::ATOMIC_FENCE_ORDER_CAPABILITIES, FLAGS),
        UR_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES => (D::ATOMIC_FENCE_SCOPE_CAPABILITIES, FLAGS),
        UR_DEVICE_INFO_BFLOAT16 | UR_DEVICE_INFO_BFLOAT16_CONVERSIONS_NATIVE => {
            (D::BFLOAT16_MATH_FUNCTIONS, BOOL)
        }
        UR_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES => (D::MAX_COMPUTE_QUEUE_INDICES, U32),
        UR_DEVICE_INFO_MEMORY_BUS_WIDTH => (D::MEMORY_BUS_WIDTH, SAME),
        UR_DEVICE_INFO_MAX_WORK_GROUPS_3D => (D::MAX_WORK_GROUPS_3D, SAME),
        UR_DEVICE_INFO_ASYNC_BARRIER => (D::CUDA_ASYNC_BARRIER, BOOL),
        UR_DEVICE_INFO_MEM_CHANNEL_SUPPORT => (D::MEM_CHANNEL_SUPPORT, BOOL),
        UR_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP => (D::MAX_REGISTERS_PER_WORK_GROUP, SAME),
        UR_DEVICE_INFO_IP_VERSION => (D::IP_VERSION, SAME),
        UR_DEVICE_INFO_COMPONENT_DEVICES => (D::COMPONENT_DEVICES, Encode::Handles),
        UR_DEVICE_INFO_COMPOSITE_DEVICE => (D::COMPOSITE_DEVICE, Encode::Handles),
        UR_DEVICE_INFO_COMMAND_BUFFER_SUPPORT_EXP | UR_DEVICE_INFO_GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP => {
            (D::COMMAND_BUFFER_SUPPORT, BOOL)
        }
        UR_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT_EXP => (D::BINDLESS_IMAGES_SUPPORT, BOOL),
        UR_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT_EXP => {
            (D::BINDLESS_IMAGES_SHARED_USM_SUPPORT, BOOL)
        }
        UR_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT_EXP => (D::BINDLESS_IMAGES_1D_USM_SUPPORT, BOOL),
        UR_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT_EXP => (D::BINDLESS_IMAGES_2D_USM_SUPPORT, BOOL),
        UR_DEVICE_INFO_MIPMAP_SUPPORT_EXP => (D::MIPMAP_SUPPORT, BOOL),
        UR_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT_EXP => (D::MIPMAP_ANISOTROPY_SUPPORT, BOOL),
        UR_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT_EXP => (D::MIPMAP_LEVEL_REFERENCE_SUPPORT, BOOL),
        UR_DEVICE_INFO_EXTERNAL_MEMORY_IMPORT_SUPPORT_EXP => (D::INTEROP_MEMORY_IMPORT_SUPPORT, BOOL),
        UR_DEVICE_INFO_EXTERNAL_SEMAPHORE_IMPORT_SUPPORT_EXP => (D::INTEROP_SEMAPHORE_IMPORT_SUPPORT, BOOL),
        UR_DEVICE_INFO_CUBEMAP_SUPPORT_EXP => (D::CUBEMAP_SUPPORT, BOOL),
        UR_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT_EXP => {
            (D::CUBEMAP_SEAMLESS_FILTERING_SUPPORT, BOOL)
        }
        UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT => (D::VIRTUAL_MEMORY_SUPPORT, BOOL),
        UR_DEVICE_INFO_TIMESTAMP_RECORDING_SUPPORT_EXP => (D::TIMESTAMP_SUPPORT, BOOL),
        UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP => (D::NATIVE_COMMAND_SUPPORT, BOOL),
        UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP => (D::HOST_TASK_SUPPORT, BOOL),
        UR_DEVICE_INFO_DEVICE_WAIT_SUPPORT_EXP => (D::DEVICE_WAIT_SUPPORT, BOOL),
        UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP => (D::IPC_MEMORY_SUPPORT, BOOL),
        UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP => (D::DEVICE_MEMORY_EXPORT_SUPPORT, BOOL),
        UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP => (D::IPC_PHYSICAL_MEMORY_SUPPORT, BOOL),
        UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP => (D::IPC_EVENT_SUPPORT, BOOL),
        UR_DEVICE_INFO_REUSABLE_EVENTS_SUPPORT_EXP => (D::REUSABLE_EVENT_SUPPORT, BOOL),
        UR_DEVICE_INFO_CLUSTER_LAUNCH_EXP => (D::CLUSTER_LAUNCH_SUPPORT, BOOL),
        UR_DEVICE_INFO_LAUNCH_PROPERTIES_SUPPORT_EXP => (D::LAUNCH_LOCAL_MEMORY_SUPPORT, BOOL),
        UR_DEVICE_INFO_USM_HOST_ALLOC_REGISTER_SUPPORT_EXP => (D::HOST_MEMORY_REGISTER_SUPPORT, BOOL),
        UR_DEVICE_INFO_USM_P2P_SUPPORT_EXP => (D::PEER_ACCESS_SUPPORT, BOOL),
        UR_DEVICE_INFO_USE_NATIVE_ASSERT => (D::NATIVE_ASSERT_SUPPORT, BOOL),
        UR_DEVICE_INFO_HOST_PIPE_READ_WRITE_SUPPORT => (D::HOST_PIPE_SUPPORT, BOOL),
        UR_DEVICE_INFO_CLOCK_SUB_GROUP_SUPPORT_EXP
        | UR_DEVICE_INFO_CLOCK_WORK_GROUP_SUPPORT_EXP
        | UR_DEVICE_INFO_CLOCK_DEVICE_SUPPORT_EXP => (D::KERNEL_CLOCK_SUPPORT, BOOL),
        UR_DEVICE_INFO_ESIMD_SUPPORT => (D::ESIMD_SUPPORT, BOOL),
        _ => return None,
    })
}

/// Returns whether every backend supports the feature that a query is about, or none does yet.
fn same_for_all(name: ur_device_info_t) -> Option<bool> {
    Some(match name {
        UR_DEVICE_INFO_USM_CONTEXT_MEMCPY_SUPPORT_EXP
        | UR_DEVICE_INFO_USM_POOL_SUPPORT
        | UR_DEVICE_INFO_ASYNC_USM_ALLOCATIONS_SUPPORT_EXP
        | UR_DEVICE_INFO_PROGRAM_SET_SPECIALIZATION_CONSTANTS
        | UR_DEVICE_INFO_GLOBAL_VARIABLE_SUPPORT
        | UR_DEVICE_INFO_COOPERATIVE_KERNEL_SUPPORT_EXP
        | UR_DEVICE_INFO_MULTI_DEVICE_COMPILE_SUPPORT_EXP => true,
        UR_DEVICE_INFO_KERNEL_SET_SPECIALIZATION_CONSTANTS
        | UR_DEVICE_INFO_COMMAND_BUFFER_EVENT_SUPPORT_EXP
        | UR_DEVICE_INFO_COMMAND_BUFFER_SUBGRAPH_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_1D_USM_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_1D_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_2D_USM_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_2D_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_3D_SUPPORT_EXP
        | UR_DEVICE_INFO_IMAGE_ARRAY_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_UNIQUE_ADDRESSING_PER_DIM_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLE_1D_USM_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLE_2D_USM_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_IMAGES_GATHER_SUPPORT_EXP
        | UR_DEVICE_INFO_LOW_POWER_EVENTS_SUPPORT_EXP
        | UR_DEVICE_INFO_PER_EVENT_PROFILING_SUPPORT_EXP
        | UR_DEVICE_INFO_DYNAMIC_LINK_SUPPORT_EXP => false,
        _ => return None,
    })
}

/// Returns whether a layout has a query with the given number. A query that is missing here is unknown, even if
/// [`of_backend`] maps it.
fn exists(name: ur_device_info_t, layout: Layout) -> bool {
    let (since, until) = match name {
        // Most queries come first, so that they cost two comparisons.
        UR_DEVICE_INFO_TYPE..=UR_DEVICE_INFO_GLOBAL_VARIABLE_SUPPORT => return true,
        UR_DEVICE_INFO_COMMAND_BUFFER_SUPPORT_EXP
        | UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP
        | UR_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT_EXP..=UR_DEVICE_INFO_EXTERNAL_MEMORY_IMPORT_SUPPORT_EXP
        | UR_DEVICE_INFO_EXTERNAL_SEMAPHORE_IMPORT_SUPPORT_EXP
        | UR_DEVICE_INFO_CUBEMAP_SUPPORT_EXP..=UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_2D_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_SAMPLED_IMAGE_FETCH_3D_SUPPORT_EXP
            ..=UR_DEVICE_INFO_BINDLESS_SAMPLE_2D_USM_SUPPORT_EXP
        | UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP => (Layout::V2025_0, Layout::NEWEST),
        UR_DEVICE_INFO_USM_POOL_SUPPORT
        | UR_DEVICE_INFO_COMMAND_BUFFER_EVENT_SUPPORT_EXP
        | UR_DEVICE_INFO_LOW_POWER_EVENTS_SUPPORT_EXP
        | UR_DEVICE_INFO_2D_BLOCK_ARRAY_CAPABILITIES_EXP => (Layout::V2025_1, Layout::NEWEST),
        UR_DEVICE_INFO_NUM_COMPUTE_UNITS..=UR_DEVICE_INFO_MAX_POWER_LIMIT
        | UR_DEVICE_INFO_COMMAND_BUFFER_SUBGRAPH_SUPPORT_EXP
        | UR_DEVICE_INFO_BINDLESS_IMAGES_GATHER_SUPPORT_EXP
        | UR_DEVICE_INFO_ASYNC_USM_ALLOCATIONS_SUPPORT_EXP
        | UR_DEVICE_INFO_USM_P2P_SUPPORT_EXP
        | UR_DEVICE_INFO_MULTI_DEVICE_COMPILE_SUPPORT_EXP => (Layout::V2025_2, Layout::NEWEST),
        UR_DEVICE_INFO_BFLOAT16_CONVERSIONS_NATIVE..=UR_DEVICE_INFO_NODE_MASK
        | UR_DEVICE_INFO_USM_CONTEXT_MEMCPY_SUPPORT_EXP
        | UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP => (Layout::V2025_3, Layout::NEWEST),
        // The second release with this layout has the queries about parts of GPUs. 2026.2 has them with the next
        // number.
        UR_DEVICE_INFO_XE_STACK_COUNT_until_2026_1_1
            ..=UR_DEVICE_INFO_MAX_LANES_PER_HW_THREAD_until_2026_1_1
        | UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP
        | UR_DEVICE_INFO_CLOCK_SUB_GROUP_SUPPORT_EXP..=UR_DEVICE_INFO_CLOCK_DEVICE_SUPPORT_EXP
        | UR_DEVICE_INFO_IS_INTEGRATED_GPU
        | UR_DEVICE_INFO_GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP
        | UR_DEVICE_INFO_DEVICE_WAIT_SUPPORT_EXP
        | UR_DEVICE_INFO_DYNAMIC_LINK_SUPPORT_EXP
        | UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP => (Layout::V2026_0, Layout::NEWEST),
        UR_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG_LONG
        | UR_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG_LONG
        | UR_DEVICE_INFO_MAX_LANES_PER_HW_THREAD
        | UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP
        | UR_DEVICE_INFO_REUSABLE_EVENTS_SUPPORT_EXP
        | UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP
        | UR_DEVICE_INFO_USM_HOST_ALLOC_REGISTER_SUPPORT_EXP
        | UR_DEVICE_INFO_PER_EVENT_PROFILING_SUPPORT_EXP => (Layout::V2026_2, Layout::NEWEST),
        UR_DEVICE_INFO_CLUSTER_LAUNCH_EXP => (Layout::V2025_0, Layout::V2025_2),
        UR_DEVICE_INFO_LAUNCH_PROPERTIES_SUPPORT_EXP | UR_DEVICE_INFO_COOPERATIVE_KERNEL_SUPPORT_EXP => {
            (Layout::V2025_2, Layout::V2025_2)
        }
        _ => return false,
    };
    (since..=until).contains(&layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every device query in the headers, with its number and layouts.
    fn golden() -> Vec<(ur_device_info_t, Vec<String>)> {
        let data: serde_json::Value =
            serde_json::from_str(include_str!("../../../../ur-core/golden/enums.json")).unwrap();
        let texts = |list: &serde_json::Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        let enums = data["enums"].as_array().unwrap();
        let queries = enums.iter().find(|of| of["name"] == "ur_device_info_t").unwrap();
        let mut all = Vec::new();
        for item in queries["items"].as_array().unwrap() {
            match item.get("value_per_layout").and_then(serde_json::Value::as_object) {
                Some(values) => all.extend(
                    values
                        .iter()
                        .map(|(layout, value)| (value.as_u64().unwrap() as u32, vec![layout.clone()])),
                ),
                None => {
                    let present = item.get("present").unwrap_or(&queries["layouts"]);
                    all.push((item["value"].as_u64().unwrap() as u32, texts(present)));
                }
            }
        }
        all
    }

    #[test]
    fn a_query_is_known_in_the_layouts_whose_headers_have_it() {
        let (golden, mut wrong) = (golden(), Vec::new());
        for layout in Layout::ALL {
            for number in 0..0x10000 {
                let is_here = |layouts: &Vec<String>| {
                    let same = |name: &String| {
                        // This is one of our layouts; the second release with it has more queries.
                        let name = if name == "2026.1.0" { "2026.0" } else { name };
                        name == layout.name()
                    };
                    layouts.iter().any(same)
                };
                let expected = golden.iter().any(|(value, layouts)| *value == number && is_here(layouts));
                if exists(number, layout) != expected {
                    wrong.push(format!("{number:#x} in {}", layout.name()));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
