//! Every device query.

use std::ffi::{CStr, c_char};

use sycl_pi_backend::{Counted, Error, Info, Result};
use sycl_pi_core::*;

use crate::device::Device;
use crate::platform::{handle, platform};
use crate::sys::{CUdevice_attribute, CUuuid, cuda, with_primary};

/// PCI vendor number.
const NVIDIA: pi_uint32 = 0x10de;

/// Orders of memory operations and fences: all, from the first architecture on that has scopes.
pub(crate) fn memory_orders(device: &Device) -> pi_memory_order_capabilities {
    let relaxed = PI_MEMORY_ORDER_RELAXED;
    let acquire_release = PI_MEMORY_ORDER_ACQUIRE | PI_MEMORY_ORDER_RELEASE | PI_MEMORY_ORDER_ACQ_REL;
    match device.limits.major {
        ..6 => relaxed,
        6 => relaxed | acquire_release,
        _ => relaxed | acquire_release | PI_MEMORY_ORDER_SEQ_CST,
    }
}

/// Scopes likewise.
pub(crate) fn memory_scopes(device: &Device) -> pi_memory_scope_capabilities {
    let near = PI_MEMORY_SCOPE_WORK_ITEM
        | PI_MEMORY_SCOPE_SUB_GROUP
        | PI_MEMORY_SCOPE_WORK_GROUP
        | PI_MEMORY_SCOPE_DEVICE;
    if device.limits.major >= 6 { near | PI_MEMORY_SCOPE_SYSTEM } else { near }
}

/// Answers one query. What CUDA devices cannot tell is `PI_ERROR_INVALID_VALUE`.
pub(crate) fn get(device: &Counted<Device>, name: pi_device_info, info: Info<'_>) -> Result<()> {
    use CUdevice_attribute::*;
    let limits = &device.limits;
    let size = |attribute| device.attribute(attribute).map(|value| value.max(0) as usize);
    let number = |attribute| device.attribute(attribute).map(|value| value.max(0) as pi_uint32);
    match name {
        PI_DEVICE_INFO_TYPE => info.value(PI_DEVICE_TYPE_GPU),
        PI_DEVICE_INFO_VENDOR_ID => info.value(NVIDIA),
        PI_DEVICE_INFO_MAX_COMPUTE_UNITS => info.value(limits.multiprocessors as pi_uint32),
        PI_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS => info.value::<pi_uint32>(3),
        PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES => info.value(limits.block),
        PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE => info.value(limits.threads),
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS | PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D => {
            info.value(limits.grid[0])
        }
        // The last dimension of SYCL is the first of CUDA.
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D => info.value([limits.grid[1], limits.grid[0]]),
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D => {
            info.value([limits.grid[2], limits.grid[1], limits.grid[0]])
        }

        PI_DEVICE_INFO_SINGLE_FP_CONFIG => info.value(
            PI_FP_DENORM
                | PI_FP_INF_NAN
                | PI_FP_ROUND_TO_NEAREST
                | PI_FP_ROUND_TO_ZERO
                | PI_FP_ROUND_TO_INF
                | PI_FP_FMA
                | PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        ),
        PI_DEVICE_INFO_DOUBLE_FP_CONFIG => info.value(
            PI_FP_DENORM
                | PI_FP_INF_NAN
                | PI_FP_ROUND_TO_NEAREST
                | PI_FP_ROUND_TO_ZERO
                | PI_FP_ROUND_TO_INF
                | PI_FP_FMA,
        ),
        PI_DEVICE_INFO_HALF_FP_CONFIG => {
            let has = (limits.major, limits.minor) >= (5, 3);
            info.value(if has {
                PI_FP_DENORM | PI_FP_INF_NAN | PI_FP_ROUND_TO_NEAREST | PI_FP_FMA
            } else {
                0
            })
        }
        PI_DEVICE_INFO_QUEUE_PROPERTIES => {
            info.value(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE)
        }
        PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES => info.value::<pi_queue_properties>(0),
        PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR => {
            info.value::<pi_uint32>(4)
        }
        PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT
        | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT
        | PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF
        | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF => info.value::<pi_uint32>(2),
        PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT
        | PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG
        | PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT
        | PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE
        | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT
        | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG
        | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT
        | PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE => info.value::<pi_uint32>(1),

        PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS => {
            info.value(limits.threads.div_ceil(limits.warp.max(1)) as pi_uint32)
        }
        PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL => info.value(limits.warp),
        PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => info.bool(limits.major >= 7),

        PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY => info.value(number(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? / 1000),
        PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE => {
            info.value(number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)? / 1000)
        }
        PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH => {
            info.value(number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?)
        }
        PI_DEVICE_INFO_MAX_MEM_BANDWIDTH => {
            let kilohertz = number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
            let bits = number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
            // Two transfers in a clock.
            info.value(2 * u64::from(kilohertz) * 1000 * (u64::from(bits) / 8))
        }
        PI_DEVICE_INFO_ADDRESS_BITS => info.value::<pi_uint32>(64),
        PI_DEVICE_INFO_GLOBAL_MEM_SIZE | PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE => {
            info.value(device.memory()? as pi_uint64)
        }
        PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY => info.value(free_memory(device)?),
        PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE => {
            info.value::<pi_device_mem_cache_type>(PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE)
        }
        PI_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE => info.value::<pi_uint32>(128),
        PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)? as pi_uint64)
        }
        PI_DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY)? as pi_uint64)
        }
        PI_DEVICE_INFO_MAX_CONSTANT_ARGS => info.value::<pi_uint32>(9),
        PI_DEVICE_INFO_LOCAL_MEM_TYPE => {
            info.value::<pi_device_local_mem_type>(PI_DEVICE_LOCAL_MEM_TYPE_LOCAL)
        }
        PI_DEVICE_INFO_LOCAL_MEM_SIZE => info.value(limits.shared as pi_uint64),
        PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN => info.value(number(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)? * 8),
        PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT => info.bool(device.has(CU_DEVICE_ATTRIBUTE_ECC_ENABLED)),
        PI_DEVICE_INFO_HOST_UNIFIED_MEMORY => info.bool(device.has(CU_DEVICE_ATTRIBUTE_INTEGRATED)),
        PI_DEVICE_INFO_MAX_PARAMETER_SIZE => info.value::<usize>(4000),
        PI_EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP => info.value(limits.registers as pi_uint32),

        PI_DEVICE_INFO_IMAGE_SUPPORT => info.bool(true),
        PI_DEVICE_INFO_MAX_READ_IMAGE_ARGS | PI_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS => {
            info.value::<pi_uint32>(128)
        }
        PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH => info.value(
            size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH)?
                .min(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH)?),
        ),
        PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT => info.value(
            size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT)?
                .min(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT)?),
        ),
        PI_DEVICE_INFO_IMAGE3D_MAX_WIDTH => info.value(
            size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH)?
                .min(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH)?),
        ),
        PI_DEVICE_INFO_IMAGE3D_MAX_HEIGHT => info.value(
            size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT)?
                .min(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT)?),
        ),
        PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH => info.value(
            size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH)?
                .min(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH)?),
        ),
        PI_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH)?)
        }
        PI_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS)?)
        }
        PI_DEVICE_INFO_MAX_SAMPLERS => info.value::<pi_uint32>(16),
        PI_DEVICE_INFO_IMAGE_SRGB => info.bool(false),

        PI_DEVICE_INFO_PROFILING_TIMER_RESOLUTION => info.value::<usize>(1000),
        PI_DEVICE_INFO_ENDIAN_LITTLE | PI_DEVICE_INFO_AVAILABLE => info.bool(true),
        // The driver takes PTX and links it, but no source.
        PI_DEVICE_INFO_COMPILER_AVAILABLE | PI_DEVICE_INFO_LINKER_AVAILABLE => info.bool(true),
        PI_DEVICE_INFO_BUILD_ON_SUBDEVICE => info.bool(true),
        PI_DEVICE_INFO_EXECUTION_CAPABILITIES => info.value(PI_DEVICE_EXEC_CAPABILITIES_KERNEL),
        PI_DEVICE_INFO_BUILT_IN_KERNELS => info.c_str(c""),
        PI_DEVICE_INFO_PLATFORM => info.value(handle(&**platform()?)),
        PI_DEVICE_INFO_REFERENCE_COUNT => info.value::<pi_uint32>(1),
        PI_DEVICE_INFO_NAME => {
            let mut text = [0; 256];
            cuda()?.cuDeviceGetName(text.as_mut_ptr(), text.len() as i32, device.raw)?;
            info.str(&text_of(&text))
        }
        PI_DEVICE_INFO_VENDOR => info.c_str(c"NVIDIA Corporation"),
        PI_DEVICE_INFO_DRIVER_VERSION => info.str(&format!("CUDA {}", platform()?.version())),
        PI_DEVICE_INFO_PROFILE => info.c_str(c"CUDA"),
        PI_DEVICE_INFO_VERSION | PI_DEVICE_INFO_BACKEND_VERSION => {
            info.str(&format!("{}.{}", limits.major, limits.minor))
        }
        PI_DEVICE_INFO_OPENCL_C_VERSION | PI_DEVICE_INFO_IL_VERSION => info.c_str(c""),
        PI_DEVICE_INFO_EXTENSIONS => info.c_str(extensions(device)),
        PI_DEVICE_INFO_PRINTF_BUFFER_SIZE => info.value::<usize>(1024),
        PI_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC => info.bool(true),

        PI_DEVICE_INFO_PARENT_DEVICE | PI_EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE => {
            info.value::<pi_device>(std::ptr::null_mut())
        }
        PI_DEVICE_INFO_PARTITION_PROPERTIES
        | PI_DEVICE_INFO_PARTITION_TYPE
        | PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS
        | PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES => info.bytes(&[]),
        PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES => info.value::<pi_uint32>(0),
        PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN => info.value::<pi_device_affinity_domain>(0),

        PI_DEVICE_INFO_USM_HOST_SUPPORT => {
            let atomics = device.has(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
            let more = if atomics { PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS } else { 0 };
            info.value(PI_USM_ACCESS | PI_USM_CONCURRENT_ACCESS | more)
        }
        PI_DEVICE_INFO_USM_DEVICE_SUPPORT => info.value(
            PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS,
        ),
        PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT | PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT => {
            let mut can = 0;
            if device.has(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) {
                can |= PI_USM_ACCESS;
            }
            if device.has(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) {
                can |= PI_USM_CONCURRENT_ACCESS;
                if limits.major >= 6 {
                    can |= PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS;
                }
            }
            info.value(can)
        }
        PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT => {
            let mut can = 0;
            if device.has(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) {
                can |= PI_USM_ACCESS;
                if device.has(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) {
                    can |= PI_USM_CONCURRENT_ACCESS;
                }
                if device.has(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) {
                    can |= PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS;
                }
            }
            info.value(can)
        }

        PI_DEVICE_INFO_UUID => {
            let mut uuid = CUuuid { bytes: [0; 16] };
            let cuda = cuda()?;
            if cuda.has("cuDeviceGetUuid_v2") {
                cuda.cuDeviceGetUuid_v2(&mut uuid, device.raw)?;
            } else {
                cuda.cuDeviceGetUuid(&mut uuid, device.raw)?;
            }
            info.slice(&uuid.bytes)
        }
        PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION => {
            info.value((limits.major * 10 + limits.minor).max(0) as pi_uint32)
        }
        PI_DEVICE_INFO_DEVICE_ID => Err(unknown(name)),
        PI_DEVICE_INFO_PCI_ADDRESS => {
            let mut text = [0; 32];
            cuda()?.cuDeviceGetPCIBusId(text.as_mut_ptr(), text.len() as i32, device.raw)?;
            info.str(&text_of(&text).to_lowercase())
        }
        PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES => info.value::<pi_int32>(1),
        PI_DEVICE_INFO_ATOMIC_64 => info.bool(limits.major >= 6),
        PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES
        | PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES => info.value(memory_orders(device)),
        PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES
        | PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES => info.value(memory_scopes(device)),
        PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS | PI_EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER => {
            info.bool(limits.major >= 8)
        }
        PI_EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION
        | PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT
        | PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_UPDATE_SUPPORT => info.bool(false),
        PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT => info.bool(true),

        PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT => info.bool(true),
        PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT
        | PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT => info.bool(false),
        PI_EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN => {
            info.value(number(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)?)
        }
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)?)
        }
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)?)
        }
        PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)?)
        }
        PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY => info.value::<f32>(16.0),
        _ => Err(unknown(name)),
    }
}

#[cold]
fn unknown(name: pi_device_info) -> Error {
    Error::invalid_value(format!("param_name: a CUDA device does not know query {name:#x}"))
}

fn extensions(device: &Device) -> &'static CStr {
    match (device.limits.major, device.limits.minor) {
        (..5, _) | (5, ..3) => c"cl_khr_fp64 cl_khr_subgroups pi_ext_intel_devicelib_assert",
        (5, _) => c"cl_khr_fp64 cl_khr_fp16 cl_khr_subgroups pi_ext_intel_devicelib_assert",
        _ => c"cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_subgroups pi_ext_intel_devicelib_assert",
    }
}

fn text_of(room: &[c_char]) -> String {
    let bytes: Vec<u8> = room.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn free_memory(device: &Device) -> Result<pi_uint64> {
    let (mut free, mut total) = (0, 0);
    with_primary(device.raw, |_| cuda()?.cuMemGetInfo_v2(&mut free, &mut total))?;
    Ok(free as pi_uint64)
}
