//! All device queries.

use std::ffi::CStr;

use sycl_pi_backend::raw::RawDevice;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, Result, absent_feature};

use crate::device::device_object::Device;
use crate::opencl;
use crate::platform::platform;
use crate::program::spirv;
use crate::sys::{CUdevice_attribute, CUuuid, cuda, with_primary};

/// PCI vendor number.
const NVIDIA: u32 = 0x10de;

const DOUBLE_FP_CONFIG: FpConfig = FpConfig::DENORM
    .union(FpConfig::INF_NAN)
    .union(FpConfig::ROUND_TO_NEAREST)
    .union(FpConfig::ROUND_TO_ZERO)
    .union(FpConfig::ROUND_TO_INF)
    .union(FpConfig::FMA);

/// Returns the memory orders of atomics and fences.
pub(crate) fn memory_orders(device: &Device) -> MemoryOrders {
    let relaxed = MemoryOrders::RELAXED;
    let acquire_release = MemoryOrders::ACQUIRE | MemoryOrders::RELEASE | MemoryOrders::ACQ_REL;
    match device.limits.major {
        ..6 => relaxed,
        6 => relaxed | acquire_release,
        _ => relaxed | acquire_release | MemoryOrders::SEQ_CST,
    }
}

/// Returns the memory scopes of atomics and fences.
pub(crate) fn memory_scopes(device: &Device) -> MemoryScopes {
    let near =
        MemoryScopes::WORK_ITEM | MemoryScopes::SUB_GROUP | MemoryScopes::WORK_GROUP | MemoryScopes::DEVICE;
    if device.limits.major >= 6 { near | MemoryScopes::SYSTEM } else { near }
}

/// Answers one query. Returns `INVALID_VALUE` for a query that CUDA devices cannot answer.
pub(crate) fn get(device: &Counted<Device>, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    use CUdevice_attribute::*;
    let limits = &device.limits;
    let size = |attribute| device.attribute(attribute).map(|value| value.max(0) as usize);
    let number = |attribute| device.attribute(attribute).map(|value| value.max(0) as u32);
    let smaller = |one, other| size(one).and_then(|size_of_one| Ok(size_of_one.min(size(other)?)));
    match name {
        DeviceInfo::TYPE => info.value(DeviceType::GPU),
        DeviceInfo::VENDOR_ID => info.value(NVIDIA),
        DeviceInfo::MAX_COMPUTE_UNITS => info.value(limits.multiprocessors as u32),
        DeviceInfo::MAX_WORK_ITEM_DIMENSIONS => info.value::<u32>(3),
        DeviceInfo::MAX_WORK_ITEM_SIZES => info.value(limits.block),
        DeviceInfo::MAX_WORK_GROUP_SIZE => info.value(limits.threads),
        DeviceInfo::MAX_GLOBAL_WORK_GROUPS | DeviceInfo::MAX_WORK_GROUPS_1D => info.value(limits.grid[0]),
        // The last dimension in SYCL is the first in CUDA.
        DeviceInfo::MAX_WORK_GROUPS_2D => info.value([limits.grid[1], limits.grid[0]]),
        DeviceInfo::MAX_WORK_GROUPS_3D => info.value([limits.grid[2], limits.grid[1], limits.grid[0]]),

        DeviceInfo::SINGLE_FP_CONFIG => {
            info.value(DOUBLE_FP_CONFIG | FpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT)
        }
        DeviceInfo::DOUBLE_FP_CONFIG => info.value(DOUBLE_FP_CONFIG),
        DeviceInfo::HALF_FP_CONFIG => {
            let has = (limits.major, limits.minor) >= (5, 3);
            info.value(if has {
                FpConfig::DENORM | FpConfig::INF_NAN | FpConfig::ROUND_TO_NEAREST | FpConfig::FMA
            } else {
                FpConfig::empty()
            })
        }
        DeviceInfo::QUEUE_PROPERTIES => {
            info.value(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueFlags::PROFILING_ENABLE)
        }
        DeviceInfo::QUEUE_ON_DEVICE_PROPERTIES => info.value(QueueFlags::empty()),
        DeviceInfo::PREFERRED_VECTOR_WIDTH_CHAR | DeviceInfo::NATIVE_VECTOR_WIDTH_CHAR => {
            info.value::<u32>(4)
        }
        DeviceInfo::PREFERRED_VECTOR_WIDTH_SHORT
        | DeviceInfo::NATIVE_VECTOR_WIDTH_SHORT
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_HALF
        | DeviceInfo::NATIVE_VECTOR_WIDTH_HALF => info.value::<u32>(2),
        DeviceInfo::PREFERRED_VECTOR_WIDTH_INT
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_LONG
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_FLOAT
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_DOUBLE
        | DeviceInfo::NATIVE_VECTOR_WIDTH_INT
        | DeviceInfo::NATIVE_VECTOR_WIDTH_LONG
        | DeviceInfo::NATIVE_VECTOR_WIDTH_FLOAT
        | DeviceInfo::NATIVE_VECTOR_WIDTH_DOUBLE => info.value::<u32>(1),

        DeviceInfo::MAX_NUM_SUB_GROUPS => {
            let smallest = sub_group_sizes(limits.warp).first().copied().unwrap_or(1);
            info.value(limits.threads.div_ceil(smallest.max(1)) as u32)
        }
        DeviceInfo::SUB_GROUP_SIZES_INTEL => info.slice(&sub_group_sizes(limits.warp)),
        DeviceInfo::SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => info.bool(limits.major >= 7),

        DeviceInfo::MAX_CLOCK_FREQUENCY => info.value(number(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? / 1000),
        DeviceInfo::MEMORY_CLOCK_RATE => info.value(number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)? / 1000),
        DeviceInfo::MEMORY_BUS_WIDTH => info.value(number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?),
        DeviceInfo::MAX_MEM_BANDWIDTH => {
            let kilohertz = number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
            let bits = number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
            // There are two transfers per clock cycle.
            info.value(2 * u64::from(kilohertz) * 1000 * (u64::from(bits) / 8))
        }
        DeviceInfo::ADDRESS_BITS => info.value::<u32>(64),
        DeviceInfo::GLOBAL_MEM_SIZE | DeviceInfo::MAX_MEM_ALLOC_SIZE => info.value(device.memory as u64),
        DeviceInfo::FREE_MEMORY => info.value(free_memory(device)?),
        DeviceInfo::GLOBAL_MEM_CACHE_TYPE => {
            info.value::<DeviceMemCacheType>(DeviceMemCacheType::READ_WRITE_CACHE)
        }
        DeviceInfo::GLOBAL_MEM_CACHELINE_SIZE => info.value::<u32>(128),
        DeviceInfo::GLOBAL_MEM_CACHE_SIZE => info.value(size(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)? as u64),
        DeviceInfo::MAX_CONSTANT_BUFFER_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY)? as u64)
        }
        DeviceInfo::MAX_CONSTANT_ARGS => info.value::<u32>(9),
        DeviceInfo::LOCAL_MEM_TYPE => info.value::<DeviceLocalMemType>(DeviceLocalMemType::LOCAL),
        // This is the maximum that a launch may request. oneDPL's sort starts no work-groups if its kernel needs more
        // than this value.
        DeviceInfo::LOCAL_MEM_SIZE => info.value(limits.most_shared as u64),
        DeviceInfo::MEM_BASE_ADDR_ALIGN => info.value(number(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)? * 8),
        DeviceInfo::ERROR_CORRECTION_SUPPORT => info.bool(device.has(CU_DEVICE_ATTRIBUTE_ECC_ENABLED)),
        DeviceInfo::HOST_UNIFIED_MEMORY => info.bool(device.has(CU_DEVICE_ATTRIBUTE_INTEGRATED)),
        DeviceInfo::MAX_PARAMETER_SIZE => info.value::<usize>(4000),
        DeviceInfo::MAX_REGISTERS_PER_WORK_GROUP => info.value(limits.registers as u32),

        DeviceInfo::IMAGE_SUPPORT => info.bool(true),
        DeviceInfo::MAX_READ_IMAGE_ARGS | DeviceInfo::MAX_WRITE_IMAGE_ARGS => info.value::<u32>(128),
        DeviceInfo::IMAGE2D_MAX_WIDTH => info.value(smaller(
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
        )?),
        DeviceInfo::IMAGE2D_MAX_HEIGHT => info.value(smaller(
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT,
        )?),
        DeviceInfo::IMAGE3D_MAX_WIDTH => info.value(smaller(
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH,
        )?),
        DeviceInfo::IMAGE3D_MAX_HEIGHT => info.value(smaller(
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT,
        )?),
        DeviceInfo::IMAGE3D_MAX_DEPTH => info.value(smaller(
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH,
        )?),
        DeviceInfo::IMAGE_MAX_BUFFER_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH)?)
        }
        DeviceInfo::IMAGE_MAX_ARRAY_SIZE => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS)?)
        }
        DeviceInfo::MAX_SAMPLERS => info.value::<u32>(16),
        DeviceInfo::IMAGE_SRGB => info.bool(false),

        DeviceInfo::PROFILING_TIMER_RESOLUTION => info.value::<usize>(1000),
        DeviceInfo::ENDIAN_LITTLE | DeviceInfo::AVAILABLE => info.bool(true),
        // PTX and SPIR-V can be compiled, but not source.
        DeviceInfo::COMPILER_AVAILABLE | DeviceInfo::LINKER_AVAILABLE => info.bool(true),
        DeviceInfo::BUILD_ON_SUBDEVICE => info.bool(true),
        DeviceInfo::EXECUTION_CAPABILITIES => info.value(ExecCapabilities::KERNEL),
        DeviceInfo::BUILT_IN_KERNELS => info.c_str(c""),
        DeviceInfo::PLATFORM => info.value(platform()?.handle()),
        DeviceInfo::REFERENCE_COUNT => info.value::<u32>(1),
        DeviceInfo::NAME => info.str(&device.name()?),
        DeviceInfo::VENDOR => info.c_str(c"NVIDIA Corporation"),
        // The runtime's program cache uses this text in its keys, and binaries of another version are refused.
        DeviceInfo::DRIVER_VERSION if opencl::is_asked_for() => {
            let version = env!("CARGO_PKG_VERSION");
            info.str(&format!("CUDA {} (sycl-pi {version})", platform()?.version()))
        }
        DeviceInfo::DRIVER_VERSION => info.str(&format!("CUDA {}", platform()?.version())),
        DeviceInfo::PROFILE if opencl::is_asked_for() => info.c_str(c"FULL_PROFILE"),
        DeviceInfo::VERSION if opencl::is_asked_for() => {
            info.str(&format!("OpenCL 2.1 (CUDA, compute capability {}.{})", limits.major, limits.minor))
        }
        DeviceInfo::OPENCL_C_VERSION if opencl::is_asked_for() => info.c_str(c"OpenCL C 1.2"),
        DeviceInfo::EXTENSIONS if opencl::is_asked_for() => info.c_str(opencl::EXTENSIONS),
        DeviceInfo::IL_VERSION if spirv::check_possible().is_ok() => info.c_str(c"SPIR-V_1.4"),
        DeviceInfo::PROFILE => info.c_str(c"CUDA"),
        DeviceInfo::VERSION | DeviceInfo::BACKEND_VERSION => {
            info.str(&format!("{}.{}", limits.major, limits.minor))
        }
        DeviceInfo::OPENCL_C_VERSION | DeviceInfo::IL_VERSION => info.c_str(c""),
        DeviceInfo::EXTENSIONS => info.c_str(extensions(device)),
        DeviceInfo::PRINTF_BUFFER_SIZE => info.value::<usize>(1024),
        DeviceInfo::PREFERRED_INTEROP_USER_SYNC => info.bool(true),

        DeviceInfo::PARENT_DEVICE => info.value::<*mut RawDevice>(std::ptr::null_mut()),
        DeviceInfo::PARTITION_PROPERTIES | DeviceInfo::PARTITION_TYPE => info.bytes(&[]),
        DeviceInfo::PARTITION_MAX_SUB_DEVICES => info.value::<u32>(0),
        DeviceInfo::PARTITION_AFFINITY_DOMAIN => info.value(AffinityDomain::empty()),

        DeviceInfo::USM_HOST_SUPPORT => {
            let atomics = device.has(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
            let more = if atomics {
                UsmCapabilities::ATOMIC_ACCESS | UsmCapabilities::CONCURRENT_ATOMIC_ACCESS
            } else {
                UsmCapabilities::empty()
            };
            info.value(UsmCapabilities::ACCESS | UsmCapabilities::CONCURRENT_ACCESS | more)
        }
        DeviceInfo::USM_DEVICE_SUPPORT => info.value(
            UsmCapabilities::ACCESS
                | UsmCapabilities::ATOMIC_ACCESS
                | UsmCapabilities::CONCURRENT_ACCESS
                | UsmCapabilities::CONCURRENT_ATOMIC_ACCESS,
        ),
        DeviceInfo::USM_SINGLE_SHARED_SUPPORT | DeviceInfo::USM_CROSS_SHARED_SUPPORT => {
            let mut can = UsmCapabilities::empty();
            if device.has(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) {
                can |= UsmCapabilities::ACCESS;
            }
            if device.has(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) {
                can |= UsmCapabilities::CONCURRENT_ACCESS;
                if limits.major >= 6 {
                    can |= UsmCapabilities::ATOMIC_ACCESS | UsmCapabilities::CONCURRENT_ATOMIC_ACCESS;
                }
            }
            info.value(can)
        }
        DeviceInfo::USM_SYSTEM_SHARED_SUPPORT => {
            let mut can = UsmCapabilities::empty();
            if device.has(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) {
                can |= UsmCapabilities::ACCESS;
                if device.has(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) {
                    can |= UsmCapabilities::CONCURRENT_ACCESS;
                }
                if device.has(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) {
                    can |= UsmCapabilities::ATOMIC_ACCESS | UsmCapabilities::CONCURRENT_ATOMIC_ACCESS;
                }
            }
            info.value(can)
        }

        DeviceInfo::UUID => {
            let mut uuid = CUuuid { bytes: [0; 16] };
            let cuda = cuda()?;
            if cuda.has("cuDeviceGetUuid_v2") {
                cuda.cuDeviceGetUuid_v2(&mut uuid, device.raw)?;
            } else {
                cuda.cuDeviceGetUuid(&mut uuid, device.raw)?;
            }
            info.slice(&uuid.bytes)
        }
        DeviceInfo::IP_VERSION => info.value((limits.major * 10 + limits.minor).max(0) as u32),
        DeviceInfo::PCI_ADDRESS => info.str(&device.pci_address()?),
        DeviceInfo::DEVICE_ID => info.value(device.pci_device_id()?),
        DeviceInfo::MAX_COMPUTE_QUEUE_INDICES => info.value::<i32>(1),
        DeviceInfo::ATOMIC_64 => info.bool(limits.major >= 6),
        DeviceInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES | DeviceInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
            info.value(memory_orders(device))
        }
        DeviceInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES | DeviceInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            info.value(memory_scopes(device))
        }
        DeviceInfo::BFLOAT16_MATH_FUNCTIONS | DeviceInfo::CUDA_ASYNC_BARRIER => info.bool(limits.major >= 8),
        DeviceInfo::SUPPORTS_FUSION | DeviceInfo::MEM_CHANNEL_SUPPORT | DeviceInfo::ESIMD_SUPPORT => {
            info.bool(false)
        }
        DeviceInfo::COMMAND_BUFFER_SUPPORT
        | DeviceInfo::NATIVE_COMMAND_SUPPORT
        | DeviceInfo::HOST_TASK_SUPPORT
        | DeviceInfo::TIMESTAMP_SUPPORT
        | DeviceInfo::DEVICE_WAIT_SUPPORT
        | DeviceInfo::COOPERATIVE_LAUNCH_SUPPORT
        | DeviceInfo::PEER_ACCESS_SUPPORT
        | DeviceInfo::REUSABLE_EVENT_SUPPORT => info.bool(true),
        DeviceInfo::VIRTUAL_MEMORY_SUPPORT => {
            info.bool(number(CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED)? != 0)
        }
        DeviceInfo::IPC_MEMORY_SUPPORT => {
            let unified = number(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING)? != 0;
            info.bool(unified && cuda()?.has("cuIpcGetMemHandle"))
        }
        DeviceInfo::IPC_EVENT_SUPPORT => {
            let unified = number(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING)? != 0;
            info.bool(unified && cuda()?.has("cuIpcGetEventHandle"))
        }
        DeviceInfo::CLUSTER_LAUNCH_SUPPORT => info.bool(device.launches_clusters()),
        DeviceInfo::LAUNCH_LOCAL_MEMORY_SUPPORT => info.bool(true),
        DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT => {
            info.bool(exports_memory(device)? && cuda()?.has("cuMemImportFromShareableHandle"))
        }
        DeviceInfo::DEVICE_MEMORY_EXPORT_SUPPORT => info.bool(exports_memory(device)?),
        DeviceInfo::HOST_MEMORY_REGISTER_SUPPORT => info.bool(cuda()?.has("cuMemHostRegister_v2")),
        DeviceInfo::LAUNCH_UPDATE_SUPPORT => info.bool(cuda()?.has("cuGraphExecKernelNodeSetParams_v2")),

        DeviceInfo::BINDLESS_IMAGES_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_SHARED_USM_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_2D_USM_SUPPORT
        | DeviceInfo::MIPMAP_SUPPORT
        | DeviceInfo::MIPMAP_ANISOTROPY_SUPPORT
        | DeviceInfo::MIPMAP_LEVEL_REFERENCE_SUPPORT
        | DeviceInfo::INTEROP_MEMORY_IMPORT_SUPPORT
        | DeviceInfo::INTEROP_SEMAPHORE_IMPORT_SUPPORT
        | DeviceInfo::CUBEMAP_SUPPORT
        | DeviceInfo::CUBEMAP_SEAMLESS_FILTERING_SUPPORT => info.bool(true),
        DeviceInfo::IMAGE_PITCH_ALIGN => info.value(number(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)?),
        DeviceInfo::MAX_IMAGE_LINEAR_WIDTH => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)?)
        }
        DeviceInfo::MAX_IMAGE_LINEAR_HEIGHT => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)?)
        }
        DeviceInfo::MAX_IMAGE_LINEAR_PITCH => {
            info.value(size(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)?)
        }
        DeviceInfo::MIPMAP_MAX_ANISOTROPY => info.value::<f32>(16.0),
        _ => absent_feature(name, info).unwrap_or_else(|| Err(unknown(name))),
    }
}

/// Returns whether physical memory can be exported as file descriptors.
fn exports_memory(device: &Device) -> Result<bool> {
    use CUdevice_attribute::*;
    Ok(device.has(CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED)
        && device.has(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED)
        && cuda()?.has("cuMemExportToShareableHandle"))
}

#[cold]
fn unknown(name: DeviceInfo) -> Error {
    Error::unknown_query("device", name)
}

fn extensions(device: &Device) -> &'static CStr {
    match (device.limits.major, device.limits.minor) {
        (..5, _) | (5, ..3) => c"cl_khr_fp64 cl_khr_subgroups pi_ext_intel_devicelib_assert",
        (5, _) => c"cl_khr_fp64 cl_khr_fp16 cl_khr_subgroups pi_ext_intel_devicelib_assert",
        _ => c"cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_subgroups pi_ext_intel_devicelib_assert",
    }
}

fn free_memory(device: &Device) -> Result<u64> {
    let (mut free, mut total) = (0, 0);
    with_primary(device.raw, |_| cuda()?.cuMemGetInfo_v2(&mut free, &mut total))?;
    Ok(free as u64)
}

/// Returns the possible sub-group sizes. Kernels compiled ahead of time use whole warps; a SPIR-V kernel can request
/// part of one.
fn sub_group_sizes(warp: usize) -> Vec<usize> {
    if opencl::is_asked_for() && spirv::check_possible().is_ok() {
        sycl_pi_nvvm::SUB_GROUP_SIZES.map(|size| size as usize).to_vec()
    } else {
        vec![warp]
    }
}
