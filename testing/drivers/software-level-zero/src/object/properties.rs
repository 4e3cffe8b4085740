//! Properties of devices.

use level_zero_sys::*;

use crate::caller::{chained, fill_with, put_name, update};
use crate::cl::runtime;
use crate::complaints::complain_here;
use crate::config::{MEMORY, config};
use crate::entry::driver_calls;
use crate::object::device::{device, groups};
use crate::{allocations, clock};

/// Returns the maximum number of work-items in a group.
pub(crate) fn max_group() -> u32 {
    runtime().map_or(1024, |runtime| runtime.max_group.min(1024) as u32)
}

/// Returns the bytes of local memory.
pub(crate) fn local_memory() -> u32 {
    runtime().map_or(65536, |runtime| runtime.local_memory.min(65536) as u32)
}

/// Returns the sub-group sizes that kernels may require.
pub(crate) fn sub_group_sizes() -> Vec<u32> {
    let known = runtime().map_or(&[][..], |runtime| &runtime.sub_group_sizes);
    [8, 16, 32].into_iter().filter(|size| known.is_empty() || known.contains(&(*size as usize))).collect()
}

fn has(extension: &str) -> bool {
    runtime().is_ok_and(|runtime| runtime.extensions.split_whitespace().any(|name| name == extension))
}

fn images() -> bool {
    runtime().is_ok_and(|runtime| runtime.images)
}

/// The PCI device id, by which clients choose code paths.
const DEVICE_ID: u32 = 0x4905;
/// The version of that device's architecture: 12.10.0.
const IP_VERSION: u32 = 12 << 22 | 10 << 14;

driver_calls! {
    fn zeDeviceGetProperties(hDevice: ze_device_handle_t, pDeviceProperties: *mut ze_device_properties_t) {
        let device = device(hDevice)?;
        let config = config();
        update(pDeviceProperties, |properties| {
            let cycles = properties.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
            if !cycles && properties.stype != ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES {
                complain_here(format!("stype is {:?}", properties.stype));
            }
            properties.r#type = ZE_DEVICE_TYPE_GPU;
            properties.vendorId = 0x8086;
            properties.deviceId = DEVICE_ID;
            properties.flags = 0;
            properties.subdeviceId = 0;
            if let Some(sub) = device.sub {
                properties.flags |= ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
                properties.subdeviceId = sub;
            }
            properties.coreClockRate = 1300;
            properties.maxMemAllocSize = allocations::max_size();
            properties.maxHardwareContexts = 65536;
            properties.maxCommandQueuePriority = 0;
            properties.numThreadsPerEU = 8;
            properties.physicalEUSimdWidth = 8;
            properties.numEUsPerSubslice = 8;
            properties.numSubslicesPerSlice = config.sub_slices;
            properties.numSlices = if device.sub.is_some() { 1 } else { config.subdevices.max(1) };
            properties.timerResolution =
                if cycles { 1_000_000_000 / clock::TICK_NS } else { clock::TICK_NS };
            properties.timestampValidBits = clock::BITS;
            properties.kernelTimestampValidBits = clock::KERNEL_BITS;
            let mut uuid = *b"soft\0\0\0\0\0\0\0\0\0\0\0\0";
            let [.., root, _, _, sub] = &mut uuid;
            *root = device.root as u8;
            *sub = device.sub.map_or(0, |sub| sub as u8 + 1);
            properties.uuid.id = uuid;
            put_name(&mut properties.name, "Software Level Zero Device");
            let version: Option<*mut ze_device_ip_version_ext_t> =
                chained(properties.pNext, ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
            if let Some(version) = version {
                let _ = update(version, |version| version.ipVersion = IP_VERSION);
            }
        })
    }

    fn zeDeviceGetComputeProperties(
        hDevice: ze_device_handle_t,
        pComputeProperties: *mut ze_device_compute_properties_t,
    ) {
        device(hDevice)?;
        let sizes = sub_group_sizes();
        update(pComputeProperties, |properties| {
            properties.maxTotalGroupSize = max_group();
            properties.maxGroupSizeX = max_group();
            properties.maxGroupSizeY = max_group();
            properties.maxGroupSizeZ = max_group();
            properties.maxGroupCountX = u32::MAX;
            properties.maxGroupCountY = u32::MAX;
            properties.maxGroupCountZ = u32::MAX;
            properties.maxSharedLocalMemory = local_memory();
            properties.numSubGroupSizes = sizes.len() as u32;
            properties.subGroupSizes = [0; ZE_SUBGROUPSIZE_COUNT];
            for (place, size) in properties.subGroupSizes.iter_mut().zip(&sizes) {
                *place = *size;
            }
        })
    }

    fn zeDeviceGetModuleProperties(
        hDevice: ze_device_handle_t,
        pModuleProperties: *mut ze_device_module_properties_t,
    ) {
        device(hDevice)?;
        update(pModuleProperties, |properties| {
            properties.spirvVersionSupported = 1 << 16 | 2;
            properties.flags = ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
            let float = ZE_DEVICE_FP_FLAG_DENORM
                | ZE_DEVICE_FP_FLAG_INF_NAN
                | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST
                | ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO
                | ZE_DEVICE_FP_FLAG_ROUND_TO_INF
                | ZE_DEVICE_FP_FLAG_FMA;
            properties.fp16flags = 0;
            properties.fp64flags = 0;
            if has("cl_khr_fp16") {
                properties.flags |= ZE_DEVICE_MODULE_FLAG_FP16;
                properties.fp16flags = float;
            }
            if has("cl_khr_fp64") {
                properties.flags |= ZE_DEVICE_MODULE_FLAG_FP64;
                properties.fp64flags = float;
            }
            properties.fp32flags = float | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
            properties.maxArgumentsSize = 2048;
            properties.printfBufferSize = 4 << 20;
            properties.nativeKernelSupported.id = [0; ZE_MAX_NATIVE_KERNEL_UUID_SIZE];
            let atomics: Option<*mut ze_float_atomic_ext_properties_t> =
                chained(properties.pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES);
            if let Some(atomics) = atomics {
                let _ = update(atomics, |atomics| {
                    let all = ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE
                        | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD
                        | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX;
                    atomics.fp16Flags = 0;
                    atomics.fp32Flags = all;
                    atomics.fp64Flags = all;
                });
            }
        })
    }

    fn zeDeviceGetCommandQueueGroupProperties(
        hDevice: ze_device_handle_t,
        pCount: *mut u32,
        pCommandQueueGroupProperties: *mut ze_command_queue_group_properties_t,
    ) {
        device(hDevice)?;
        fill_with(pCount, pCommandQueueGroupProperties, &groups(), |place, group| {
            place.flags = group.flags;
            place.maxMemoryFillPatternSize = group.max_pattern;
            place.numQueues = group.queues;
        })
    }

    fn zeDeviceGetMemoryProperties(
        hDevice: ze_device_handle_t,
        pCount: *mut u32,
        pMemProperties: *mut ze_device_memory_properties_t,
    ) {
        device(hDevice)?;
        fill_with(pCount, pMemProperties, &[MEMORY], |place, size| {
            place.flags = 0;
            place.maxClockRate = 2133;
            place.maxBusWidth = 128;
            place.totalSize = *size;
            put_name(&mut place.name, "DDR");
        })
    }

    fn zeDeviceGetMemoryAccessProperties(
        hDevice: ze_device_handle_t,
        pMemAccessProperties: *mut ze_device_memory_access_properties_t,
    ) {
        device(hDevice)?;
        let all = ZE_MEMORY_ACCESS_CAP_FLAG_RW
            | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC
            | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT
            | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
        update(pMemAccessProperties, |properties| {
            properties.hostAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
            properties.deviceAllocCapabilities = all;
            properties.sharedSingleDeviceAllocCapabilities = all;
            properties.sharedCrossDeviceAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
            properties.sharedSystemAllocCapabilities = 0;
        })
    }

    fn zeDeviceGetCacheProperties(
        hDevice: ze_device_handle_t,
        pCount: *mut u32,
        pCacheProperties: *mut ze_device_cache_properties_t,
    ) {
        device(hDevice)?;
        fill_with(pCount, pCacheProperties, &[4_usize << 20], |place, size| {
            place.flags = 0;
            place.cacheSize = *size;
        })
    }

    fn zeDeviceGetImageProperties(
        hDevice: ze_device_handle_t,
        pImageProperties: *mut ze_device_image_properties_t,
    ) {
        device(hDevice)?;
        let there = u32::from(images());
        update(pImageProperties, |properties| {
            properties.maxImageDims1D = 8192 * there;
            properties.maxImageDims2D = 16384 * there;
            properties.maxImageDims3D = 2048 * there;
            properties.maxImageBufferSize = (1 << 26) * u64::from(there);
            properties.maxImageArraySlices = 2048 * there;
            properties.maxSamplers = 16 * there;
            properties.maxReadImageArgs = 128 * there;
            properties.maxWriteImageArgs = 128 * there;
        })
    }

    fn zeDeviceGetExternalMemoryProperties(
        hDevice: ze_device_handle_t,
        pExternalMemoryProperties: *mut ze_device_external_memory_properties_t,
    ) {
        device(hDevice)?;
        update(pExternalMemoryProperties, |properties| {
            properties.memoryAllocationImportTypes = 0;
            properties.memoryAllocationExportTypes = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
            properties.imageImportTypes = 0;
            properties.imageExportTypes = 0;
        })
    }

    fn zeDeviceGetP2PProperties(
        hDevice: ze_device_handle_t,
        hPeerDevice: ze_device_handle_t,
        pP2PProperties: *mut ze_device_p2p_properties_t,
    ) {
        device(hDevice)?;
        device(hPeerDevice)?;
        update(pP2PProperties, |properties| {
            properties.flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
        })
    }

    fn zeDevicePciGetPropertiesExt(hDevice: ze_device_handle_t, pPciProperties: *mut ze_pci_ext_properties_t) {
        let device = device(hDevice)?;
        update(pPciProperties, |properties| {
            properties.address.domain = 0;
            properties.address.bus = 3 + device.root;
            properties.address.device = 2;
            properties.address.function = 1;
        })
    }
}
