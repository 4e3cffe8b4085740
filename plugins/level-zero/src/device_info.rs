//! All device queries.

use std::ptr::null_mut;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result, absent_feature};

use crate::objects::{Device, DeviceHandle, raw_handle};
use crate::sys::{self, ze, *};

/// Orders and scopes of atomics and fences. Drivers do not report them, and all devices support all of them.
pub(crate) const ORDERS: MemoryOrders = MemoryOrders::all();
pub(crate) const SCOPES: MemoryScopes = MemoryScopes::all();

/// Features that devices and programs of every driver support, under the names of OpenCL's extensions, which runtimes
/// look for.
pub(crate) const COMMON_EXTENSIONS: &str = "cl_khr_il_program cl_khr_subgroups cl_intel_subgroups \
     cl_intel_subgroups_short cl_intel_required_subgroup_size ";

/// The terminator of a list of partition properties, and the scheme of a device that is not a partition.
const NO_PARTITION: PartitionProperty = PartitionProperty(0);
/// PCI vendor number.
const INTEL: u32 = 0x8086;

pub(crate) fn device_type(device: &Device) -> DeviceType {
    type_of(device.properties.r#type)
}

fn type_of(kind: ze_device_type_t) -> DeviceType {
    match kind {
        ZE_DEVICE_TYPE_GPU => DeviceType::GPU,
        ZE_DEVICE_TYPE_CPU => DeviceType::CPU,
        ZE_DEVICE_TYPE_FPGA => DeviceType::ACC,
        _ => DeviceType::CUSTOM,
    }
}

fn has(flags: u32, flag: u32) -> bool {
    flags & flag != 0
}

/// Answers one query. The error for a query that the device does not support is `ErrorCode::INVALID_VALUE`.
pub(crate) fn get(device: &DeviceHandle, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    let own = &device.properties;
    let limits = &device.compute;
    match name {
        DeviceInfo::TYPE => info.value(device_type(device)),
        DeviceInfo::VENDOR_ID => info.value(own.vendorId),
        DeviceInfo::DEVICE_ID => info.value(own.deviceId),
        DeviceInfo::UUID => info.value(own.uuid.id),
        DeviceInfo::NAME => info.str(&sys::text_of(&own.name)),
        DeviceInfo::VENDOR => info.str("Intel(R) Corporation"),
        DeviceInfo::DRIVER_VERSION | DeviceInfo::BACKEND_VERSION => info.str(&device.platform.version_text()),
        DeviceInfo::VERSION => {
            let (major, minor) = device.platform.api;
            info.str(&format!("{major}.{minor}"))
        }
        DeviceInfo::PROFILE => info.str("FULL_PROFILE"),
        DeviceInfo::OPENCL_C_VERSION | DeviceInfo::BUILT_IN_KERNELS => info.str(""),
        DeviceInfo::IL_VERSION => {
            let version = device.lazy.module()?.spirvVersionSupported;
            info.str(&format!("SPIR-V_{}.{}", version >> 16, version & 0xffff))
        }
        DeviceInfo::EXTENSIONS => info.str(&extensions(device)?),
        DeviceInfo::PLATFORM => info.value(raw_handle(&device.platform)),
        DeviceInfo::PARENT_DEVICE => {
            info.value(device.parent.as_ref().map_or(null_mut(), |parent| raw_handle(parent)))
        }
        DeviceInfo::REFERENCE_COUNT => info.value(device.references()),
        DeviceInfo::IP_VERSION => info.value(ip_version(device)?),

        DeviceInfo::AVAILABLE
        | DeviceInfo::COMPILER_AVAILABLE
        | DeviceInfo::LINKER_AVAILABLE
        | DeviceInfo::ENDIAN_LITTLE
        | DeviceInfo::PREFERRED_INTEROP_USER_SYNC
        | DeviceInfo::COMMAND_BUFFER_SUPPORT
        | DeviceInfo::NATIVE_COMMAND_SUPPORT
        | DeviceInfo::TIMESTAMP_SUPPORT
        | DeviceInfo::COOPERATIVE_LAUNCH_SUPPORT
        | DeviceInfo::PEER_ACCESS_SUPPORT
        | DeviceInfo::LAUNCH_UPDATE_SUPPORT
        | DeviceInfo::VIRTUAL_MEMORY_SUPPORT => info.bool(true),
        // A module of a root device runs on its sub-devices, so one build serves all.
        DeviceInfo::BUILD_ON_SUBDEVICE
        | DeviceInfo::IMAGE_SRGB
        | DeviceInfo::SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
        | DeviceInfo::SUPPORTS_FUSION
        | DeviceInfo::MEM_CHANNEL_SUPPORT => info.bool(false),
        DeviceInfo::ERROR_CORRECTION_SUPPORT => info.bool(has(own.flags, ZE_DEVICE_PROPERTY_FLAG_ECC)),
        DeviceInfo::IPC_MEMORY_SUPPORT => info.bool(device.platform.shares_memory()),
        DeviceInfo::DEVICE_MEMORY_EXPORT_SUPPORT => info.bool(device.export_type()?.is_some()),
        DeviceInfo::HOST_MEMORY_REGISTER_SUPPORT => {
            info.bool(device.platform.has(ZE_EXTERNAL_MEMORY_MAPPING_EXT_NAME))
        }
        DeviceInfo::HOST_UNIFIED_MEMORY => info.bool(device.is_integrated()),
        DeviceInfo::ATOMIC_64 => {
            info.bool(has(device.lazy.module()?.flags, ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS))
        }
        DeviceInfo::ESIMD_SUPPORT => info.bool(own.vendorId == INTEL && own.r#type == ZE_DEVICE_TYPE_GPU),
        DeviceInfo::BFLOAT16_MATH_FUNCTIONS => info.bool(is_ponte_vecchio(own)),

        DeviceInfo::MAX_COMPUTE_UNITS => {
            let units = own.numEUsPerSubslice * own.numSubslicesPerSlice * own.numSlices;
            let engines = device.parent.as_ref().map_or(1, |parent| parent.compute_engines());
            info.value(if device.slice.is_some() { units / engines.max(1) } else { units })
        }
        DeviceInfo::MAX_CLOCK_FREQUENCY => info.value(own.coreClockRate),
        DeviceInfo::ADDRESS_BITS => info.value::<u32>(64),
        DeviceInfo::PROFILING_TIMER_RESOLUTION => info.value((device.tick as usize).max(1)),
        DeviceInfo::EXECUTION_CAPABILITIES => info.value(ExecCapabilities::KERNEL),
        DeviceInfo::QUEUE_PROPERTIES => {
            info.value(QueueFlags::PROFILING_ENABLE | QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE)
        }
        DeviceInfo::QUEUE_ON_DEVICE_PROPERTIES => info.value(QueueFlags::empty()),
        DeviceInfo::MAX_COMPUTE_QUEUE_INDICES => info.value(device.compute_engines() as i32),

        DeviceInfo::MAX_WORK_ITEM_DIMENSIONS => info.value::<u32>(3),
        DeviceInfo::MAX_WORK_GROUP_SIZE => info.value(limits.maxTotalGroupSize as usize),
        DeviceInfo::MAX_WORK_ITEM_SIZES => info.value([
            limits.maxGroupSizeX as usize,
            limits.maxGroupSizeY as usize,
            limits.maxGroupSizeZ as usize,
        ]),
        DeviceInfo::MAX_GLOBAL_WORK_GROUPS | DeviceInfo::MAX_WORK_GROUPS_1D => {
            info.value(limits.maxGroupCountX as usize)
        }
        DeviceInfo::MAX_WORK_GROUPS_2D => {
            info.value([limits.maxGroupCountX as usize, limits.maxGroupCountY as usize])
        }
        DeviceInfo::MAX_WORK_GROUPS_3D => info.value([
            limits.maxGroupCountX as usize,
            limits.maxGroupCountY as usize,
            limits.maxGroupCountZ as usize,
        ]),
        DeviceInfo::SUB_GROUP_SIZES_INTEL => {
            let count = (limits.numSubGroupSizes as usize).min(limits.subGroupSizes.len());
            let sizes: Vec<usize> = limits.subGroupSizes[..count].iter().map(|size| *size as usize).collect();
            info.slice(&sizes)
        }
        DeviceInfo::MAX_NUM_SUB_GROUPS => {
            let count = (limits.numSubGroupSizes as usize).min(limits.subGroupSizes.len());
            let least = limits.subGroupSizes[..count].iter().min().copied().unwrap_or(1);
            info.value(limits.maxTotalGroupSize / least.max(1))
        }
        DeviceInfo::LOCAL_MEM_TYPE => info.value(DeviceLocalMemType::LOCAL),
        DeviceInfo::LOCAL_MEM_SIZE => info.value(u64::from(limits.maxSharedLocalMemory)),

        DeviceInfo::SINGLE_FP_CONFIG => info.value(fp_config(device.lazy.module()?.fp32flags)),
        DeviceInfo::HALF_FP_CONFIG => {
            let module = device.lazy.module()?;
            let flags = if has(module.flags, ZE_DEVICE_MODULE_FLAG_FP16) { module.fp16flags } else { 0 };
            info.value(fp_config(flags))
        }
        DeviceInfo::DOUBLE_FP_CONFIG => {
            let module = device.lazy.module()?;
            let flags = if has(module.flags, ZE_DEVICE_MODULE_FLAG_FP64) { module.fp64flags } else { 0 };
            info.value(fp_config(flags))
        }
        DeviceInfo::MAX_PARAMETER_SIZE => info.value(device.lazy.module()?.maxArgumentsSize as usize),
        DeviceInfo::PRINTF_BUFFER_SIZE => info.value(device.lazy.module()?.printfBufferSize as usize),

        DeviceInfo::PREFERRED_VECTOR_WIDTH_CHAR | DeviceInfo::NATIVE_VECTOR_WIDTH_CHAR => {
            info.value(own.physicalEUSimdWidth)
        }
        DeviceInfo::PREFERRED_VECTOR_WIDTH_SHORT
        | DeviceInfo::NATIVE_VECTOR_WIDTH_SHORT
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_HALF
        | DeviceInfo::NATIVE_VECTOR_WIDTH_HALF => info.value(own.physicalEUSimdWidth / 2),
        DeviceInfo::PREFERRED_VECTOR_WIDTH_INT
        | DeviceInfo::NATIVE_VECTOR_WIDTH_INT
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_FLOAT
        | DeviceInfo::NATIVE_VECTOR_WIDTH_FLOAT => info.value(own.physicalEUSimdWidth / 4),
        DeviceInfo::PREFERRED_VECTOR_WIDTH_LONG
        | DeviceInfo::NATIVE_VECTOR_WIDTH_LONG
        | DeviceInfo::PREFERRED_VECTOR_WIDTH_DOUBLE
        | DeviceInfo::NATIVE_VECTOR_WIDTH_DOUBLE => info.value(own.physicalEUSimdWidth / 8),

        DeviceInfo::MAX_MEM_ALLOC_SIZE => info.value(own.maxMemAllocSize),
        DeviceInfo::GLOBAL_MEM_SIZE => {
            info.value(memories(device)?.iter().map(|memory| memory.totalSize).sum::<u64>())
        }
        DeviceInfo::MEM_BASE_ADDR_ALIGN => info.value::<u32>(8),
        DeviceInfo::GLOBAL_MEM_CACHE_TYPE => info.value(DeviceMemCacheType::READ_WRITE_CACHE),
        DeviceInfo::GLOBAL_MEM_CACHELINE_SIZE => info.value::<u32>(64),
        DeviceInfo::GLOBAL_MEM_CACHE_SIZE => info.value(cache_size(device)?),
        DeviceInfo::MAX_CONSTANT_BUFFER_SIZE => info.value(device.lazy.images()?.maxImageBufferSize),
        DeviceInfo::MAX_CONSTANT_ARGS => info.value::<u32>(64),
        DeviceInfo::MEMORY_CLOCK_RATE => {
            info.value(memories(device)?.first().map_or(0, |memory| memory.maxClockRate))
        }
        DeviceInfo::MEMORY_BUS_WIDTH => {
            info.value(memories(device)?.first().map_or(0, |memory| memory.maxBusWidth))
        }
        DeviceInfo::FREE_MEMORY => info.value(free_memory(device)?),
        DeviceInfo::MAX_MEM_BANDWIDTH => info.value(bandwidth(device)?),

        DeviceInfo::IMAGE_SUPPORT => info.bool(device.lazy.images()?.maxImageDims2D > 0),
        DeviceInfo::MAX_READ_IMAGE_ARGS => info.value(device.lazy.images()?.maxReadImageArgs),
        DeviceInfo::MAX_WRITE_IMAGE_ARGS => info.value(device.lazy.images()?.maxWriteImageArgs),
        DeviceInfo::MAX_SAMPLERS => info.value(device.lazy.images()?.maxSamplers),
        DeviceInfo::IMAGE2D_MAX_WIDTH | DeviceInfo::IMAGE2D_MAX_HEIGHT => {
            info.value(device.lazy.images()?.maxImageDims2D as usize)
        }
        DeviceInfo::IMAGE3D_MAX_WIDTH | DeviceInfo::IMAGE3D_MAX_HEIGHT | DeviceInfo::IMAGE3D_MAX_DEPTH => {
            info.value(device.lazy.images()?.maxImageDims3D as usize)
        }
        DeviceInfo::IMAGE_MAX_BUFFER_SIZE => info.value(device.lazy.images()?.maxImageBufferSize as usize),
        DeviceInfo::IMAGE_MAX_ARRAY_SIZE => info.value(device.lazy.images()?.maxImageArraySlices as usize),

        DeviceInfo::USM_HOST_SUPPORT => info.value(usm(device.lazy.memory_access()?.hostAllocCapabilities)),
        DeviceInfo::USM_DEVICE_SUPPORT => {
            info.value(usm(device.lazy.memory_access()?.deviceAllocCapabilities))
        }
        DeviceInfo::USM_SINGLE_SHARED_SUPPORT => {
            info.value(usm(device.lazy.memory_access()?.sharedSingleDeviceAllocCapabilities))
        }
        DeviceInfo::USM_CROSS_SHARED_SUPPORT => {
            info.value(usm(device.lazy.memory_access()?.sharedCrossDeviceAllocCapabilities))
        }
        DeviceInfo::USM_SYSTEM_SHARED_SUPPORT => {
            info.value(usm(device.lazy.memory_access()?.sharedSystemAllocCapabilities))
        }

        DeviceInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES | DeviceInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
            info.value(ORDERS)
        }
        DeviceInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES | DeviceInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            info.value(SCOPES)
        }

        DeviceInfo::PARTITION_PROPERTIES => match scheme(device) {
            Some((scheme, _)) => info.value([scheme, NO_PARTITION]),
            None => info.value(NO_PARTITION),
        },
        DeviceInfo::PARTITION_MAX_SUB_DEVICES => {
            info.value(scheme(device).map_or(0, |(_, parts)| parts as u32))
        }
        DeviceInfo::PARTITION_AFFINITY_DOMAIN => info.value(match scheme(device) {
            Some((PartitionProperty::PARTITION_BY_AFFINITY_DOMAIN, _)) => {
                AffinityDomain::NUMA | AffinityDomain::NEXT_PARTITIONABLE
            }
            _ => AffinityDomain::empty(),
        }),
        DeviceInfo::PARTITION_TYPE => match (&device.parent, device.slice) {
            (None, _) => info.bytes(&[]),
            (Some(_), Some(_)) => info.value([PartitionProperty::PARTITION_BY_CSLICE, NO_PARTITION]),
            (Some(_), None) => {
                let next = PartitionProperty(AffinityDomain::NEXT_PARTITIONABLE.bits() as isize);
                info.value([PartitionProperty::PARTITION_BY_AFFINITY_DOMAIN, next, NO_PARTITION])
            }
        },

        DeviceInfo::PCI_ADDRESS => info.str(&pci_address(device)?),
        DeviceInfo::GPU_EU_COUNT => {
            info.value(own.numEUsPerSubslice * own.numSubslicesPerSlice * own.numSlices)
        }
        DeviceInfo::GPU_EU_SIMD_WIDTH => info.value(own.physicalEUSimdWidth),
        DeviceInfo::GPU_SLICES => info.value(own.numSlices),
        DeviceInfo::GPU_SUBSLICES_PER_SLICE => info.value(own.numSubslicesPerSlice),
        DeviceInfo::GPU_EU_COUNT_PER_SUBSLICE => info.value(own.numEUsPerSubslice),
        DeviceInfo::GPU_HW_THREADS_PER_EU => info.value(own.numThreadsPerEU),

        _ => absent_feature(name, info).unwrap_or_else(|| Err(Error::unknown_query("device", name))),
    }
}

fn memories(device: &DeviceHandle) -> Result<Vec<ze_device_memory_properties_t>> {
    let ze = ze()?;
    sys::list_of(|count, list| ze.zeDeviceGetMemoryProperties(device.ze, count, list))
}

fn cache_size(device: &DeviceHandle) -> Result<u64> {
    let ze = ze()?;
    let caches: Vec<ze_device_cache_properties_t> =
        sys::list_of(|count, list| ze.zeDeviceGetCacheProperties(device.ze, count, list))?;
    Ok(caches.iter().map(|cache| cache.cacheSize as u64).sum())
}

/// Converts USM capabilities. The driver's bits are those of OpenCL.
fn usm(capabilities: ze_memory_access_cap_flags_t) -> UsmCapabilities {
    const { assert!(ZE_MEMORY_ACCESS_CAP_FLAG_RW as u64 == UsmCapabilities::ACCESS.bits()) };
    const {
        assert!(
            ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC as u64
                == UsmCapabilities::CONCURRENT_ATOMIC_ACCESS.bits()
        )
    };
    UsmCapabilities::from_bits_retain(capabilities.into())
}

fn fp_config(flags: ze_device_fp_flags_t) -> FpConfig {
    [
        (ZE_DEVICE_FP_FLAG_DENORM, FpConfig::DENORM),
        (ZE_DEVICE_FP_FLAG_INF_NAN, FpConfig::INF_NAN),
        (ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST, FpConfig::ROUND_TO_NEAREST),
        (ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO, FpConfig::ROUND_TO_ZERO),
        (ZE_DEVICE_FP_FLAG_ROUND_TO_INF, FpConfig::ROUND_TO_INF),
        (ZE_DEVICE_FP_FLAG_FMA, FpConfig::FMA),
        (ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT, FpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT),
        (ZE_DEVICE_FP_FLAG_SOFT_FLOAT, FpConfig::SOFT_FLOAT),
    ]
    .into_iter()
    .filter(|(flag, _)| has(flags, *flag))
    .map(|(_, config)| config)
    .collect()
}

/// Returns the extensions that every device has, and those that are specific to this one.
fn extensions(device: &DeviceHandle) -> Result<String> {
    let module = device.lazy.module()?;
    let mut list = String::from(COMMON_EXTENSIONS);
    for (flag, names) in [
        (ZE_DEVICE_MODULE_FLAG_FP16, "cl_khr_fp16 "),
        (ZE_DEVICE_MODULE_FLAG_FP64, "cl_khr_fp64 "),
        (ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS, "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "),
    ] {
        if has(module.flags, flag) {
            list.push_str(names);
        }
    }
    if device.lazy.images().is_ok_and(|images| images.maxImageDims3D > 0) {
        list.push_str("cl_khr_3d_image_writes ");
    }
    if is_ponte_vecchio(&device.properties) {
        list.push_str("cl_intel_bfloat16_conversions ");
    }
    Ok(list)
}

fn is_ponte_vecchio(properties: &ze_device_properties_t) -> bool {
    [0xbd0, 0xb60].contains(&(properties.deviceId & 0xff0))
}

/// Returns the scheme by which the device can be partitioned and the number of parts. A single part does not count as a
/// partition.
fn scheme(device: &DeviceHandle) -> Option<(PartitionProperty, usize)> {
    if device.slice.is_some() {
        return None;
    }
    let (tiles, slices) = (device.tiles().len(), device.slices().len());
    if tiles > 1 {
        Some((PartitionProperty::PARTITION_BY_AFFINITY_DOMAIN, tiles))
    } else if slices > 1 {
        Some((PartitionProperty::PARTITION_BY_CSLICE, slices))
    } else {
        None
    }
}

fn ip_version(device: &DeviceHandle) -> Result<u32> {
    if !device.platform.has(ZE_DEVICE_IP_VERSION_EXT_NAME) {
        return Err(Error::invalid_value(
            "zeDeviceGetProperties does not report the IP version: the driver lacks ZE_extension_device_ip_version",
        ));
    }
    let mut version = ze_device_ip_version_ext_t::default();
    let mut properties =
        ze_device_properties_t { pNext: (&raw mut version).cast(), ..ze_device_properties_t::default() };
    ze()?.zeDeviceGetProperties(device.ze, &mut properties)?;
    Ok(version.ipVersion)
}

fn pci_address(device: &DeviceHandle) -> Result<String> {
    let mut properties = ze_pci_ext_properties_t::default();
    let asked = ze()?.zeDevicePciGetPropertiesExt(device.ze, &mut properties);
    asked.map_err(|error| error.with_code(ErrorCode::INVALID_VALUE))?;
    let ze_pci_address_ext_t { domain, bus, device, function } = properties.address;
    Ok(format!("{domain:04x}:{bus:02x}:{device:02x}.{function:x}"))
}

/// Returns the device's memory modules, which Sysman reports if it is enabled (ZES_ENABLE_SYSMAN=1).
fn modules(device: &DeviceHandle) -> Result<Vec<zes_mem_handle_t>> {
    let unknown = |error: Error| {
        error.with_code(ErrorCode::INVALID_VALUE).context("memory modules; ZES_ENABLE_SYSMAN=1 may be needed")
    };
    let ze = ze()?;
    let list: Vec<zes_mem_handle_t> =
        sys::list_of(|count, list| ze.zesDeviceEnumMemoryModules(device.ze, count, list)).map_err(unknown)?;
    if list.is_empty() {
        return Err(Error::invalid_value("the driver reports no memory modules"));
    }
    Ok(list)
}

fn free_memory(device: &DeviceHandle) -> Result<u64> {
    let ze = ze()?;
    let mut free = 0;
    for module in modules(device)? {
        let mut state = zes_mem_state_t::default();
        ze.zesMemoryGetState(module, &mut state)?;
        free += state.free;
    }
    Ok(free)
}

fn bandwidth(device: &DeviceHandle) -> Result<u64> {
    let ze = ze()?;
    let mut best = 0;
    for module in modules(device)? {
        let mut bandwidth = zes_mem_bandwidth_t::default();
        ze.zesMemoryGetBandwidth(module, &mut bandwidth)?;
        best = best.max(bandwidth.maxBandwidth);
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_set_whatever_else_is() {
        assert!(has(0b101, 0b100) && has(0b100, 0b100));
        assert!(!has(0b101, 0b010) && !has(0, 0b001));
    }

    #[test]
    fn devices_have_the_type_that_the_driver_says() {
        assert_eq!(type_of(ZE_DEVICE_TYPE_GPU), DeviceType::GPU);
        assert_eq!(type_of(ZE_DEVICE_TYPE_CPU), DeviceType::CPU);
        assert_eq!(type_of(ZE_DEVICE_TYPE_FPGA), DeviceType::ACC);
        assert_eq!(type_of(ZE_DEVICE_TYPE_VPU), DeviceType::CUSTOM);
    }

    #[test]
    fn only_data_center_gpus_max_are_ponte_vecchio() {
        let is = |id| is_ponte_vecchio(&ze_device_properties_t { deviceId: id, ..Default::default() });
        assert!([0x0bd5, 0x0bda, 0x0b69, 0x0b6e].into_iter().all(is));
        // DG1, Arc A770, Alder Lake, Battlemage.
        assert!(![0x4905, 0x56a0, 0x4680, 0xe20b].into_iter().any(is));
    }
}
