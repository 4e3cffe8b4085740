//! Every device query: OpenCL's own pass through, the others are answered from what OpenCL knows.

use std::ffi::{CStr, CString};
use std::ptr::null_mut;

use sycl_pi_backend::{Error, Info, Result, cold_case};
use sycl_pi_backend::types::*;

use crate::svm;
use crate::sys::{self, Device, Driver, Rooted, cl};

/// Answers one query. What the device cannot tell is `ErrorCode::INVALID_VALUE`.
#[inline(always)]
pub(crate) fn get(device: &Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    /// OpenCL's own numbers; one of them needs a second look.
    const CORE: std::ops::Range<DeviceInfo> = sys::CL_DEVICE_TYPE..sys::CL_DEVICE_TYPE + 0x100;
    const USM: std::ops::RangeInclusive<DeviceInfo> =
        DeviceInfo::USM_HOST_SUPPORT..=DeviceInfo::USM_SYSTEM_SHARED_SUPPORT;
    let is_core = CORE.contains(&name) && name != DeviceInfo::PARTITION_PROPERTIES;
    if is_core || USM.contains(&name) && device.known_driver().is_some_and(Driver::has_usm) {
        return ask(device, name, info);
    }
    cold_case(move || special(device, name, info))
}

/// A query that the driver answers.
#[inline(always)]
fn ask(device: &Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    info.answered_by(move |size, value, size_ret| {
        cl().clGetDeviceInfo(device.cl(), name, size, value, size_ret)
    })
}

fn special(device: &Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    match name {
        DeviceInfo::PARTITION_PROPERTIES => partition_properties(device, info),
        DeviceInfo::USM_HOST_SUPPORT
        | DeviceInfo::USM_DEVICE_SUPPORT
        | DeviceInfo::USM_SINGLE_SHARED_SUPPORT
        | DeviceInfo::USM_CROSS_SHARED_SUPPORT
        | DeviceInfo::USM_SYSTEM_SHARED_SUPPORT
            if !device.driver()?.has_usm() =>
        {
            info.value(svm::usm_capabilities(device, name))
        }

        DeviceInfo::PCI_ADDRESS => pci_address(device, info),
        DeviceInfo::GPU_EU_COUNT => {
            let total =
                attribute(device, NUM_SLICES)? * attribute(device, SUB_SLICES)? * attribute(device, EUS)?;
            info.value(total)
        }
        DeviceInfo::GPU_SLICES => info.value(attribute(device, NUM_SLICES)?),
        DeviceInfo::GPU_SUBSLICES_PER_SLICE => info.value(attribute(device, SUB_SLICES)?),
        DeviceInfo::GPU_EU_COUNT_PER_SUBSLICE => info.value(attribute(device, EUS)?),
        DeviceInfo::GPU_HW_THREADS_PER_EU => info.value(attribute(device, THREADS_PER_EU)?),

        // OpenCL drivers that have images have sRGB ones.
        DeviceInfo::IMAGE_SRGB => info.bool(true),
        // A program that was built for a root GPU runs on its sub-devices.
        DeviceInfo::BUILD_ON_SUBDEVICE => info.bool(is_gpu(device)?),
        DeviceInfo::MAX_COMPUTE_QUEUE_INDICES => info.value::<i32>(1),
        DeviceInfo::ATOMIC_64 => info
            .bool(has_extensions(device, &[c"cl_khr_int64_base_atomics", c"cl_khr_int64_extended_atomics"])?),
        DeviceInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES
        | DeviceInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES
        | DeviceInfo::ATOMIC_FENCE_ORDER_CAPABILITIES
        | DeviceInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            info.value(atomic_capabilities(device, name)?)
        }
        DeviceInfo::BACKEND_VERSION => {
            let (major, minor) = version(device)?;
            info.str(&format!("{major}.{minor}"))
        }
        DeviceInfo::BFLOAT16_MATH_FUNCTIONS => {
            info.bool(has_extensions(device, &[c"cl_intel_bfloat16_conversions"])?)
        }
        // OpenCL sets no limit to the number of work-groups.
        DeviceInfo::MAX_GLOBAL_WORK_GROUPS | DeviceInfo::MAX_WORK_GROUPS_1D => {
            info.value(usize::MAX)
        }
        DeviceInfo::MAX_WORK_GROUPS_2D => info.value([usize::MAX; 2]),
        DeviceInfo::MAX_WORK_GROUPS_3D => info.value([usize::MAX; 3]),
        DeviceInfo::MEM_CHANNEL_SUPPORT => {
            info.bool(has_extensions(device, &[c"cl_intel_mem_channel_property"])?)
        }
        DeviceInfo::ESIMD_SUPPORT => info.bool(is_gpu(device)? && vendor_id(device)? == INTEL),
        DeviceInfo::COMMAND_BUFFER_SUPPORT => info.bool(true),

        // What OpenCL has none of: no combinations, no components, not a part of anything, no bindless images.
        DeviceInfo::MATRIX_COMBINATIONS | DeviceInfo::COMPONENT_DEVICES => {
            info.bytes(&[])
        }
        DeviceInfo::COMPOSITE_DEVICE => info.value::<*mut RawDevice>(null_mut()),
        DeviceInfo::CUDA_ASYNC_BARRIER
        | DeviceInfo::COMMAND_BUFFER_UPDATE_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_SHARED_USM_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_1D_USM_SUPPORT
        | DeviceInfo::BINDLESS_IMAGES_2D_USM_SUPPORT
        | DeviceInfo::MIPMAP_SUPPORT
        | DeviceInfo::MIPMAP_ANISOTROPY_SUPPORT
        | DeviceInfo::MIPMAP_LEVEL_REFERENCE_SUPPORT
        | DeviceInfo::INTEROP_MEMORY_IMPORT_SUPPORT
        | DeviceInfo::INTEROP_MEMORY_EXPORT_SUPPORT
        | DeviceInfo::INTEROP_SEMAPHORE_IMPORT_SUPPORT
        | DeviceInfo::INTEROP_SEMAPHORE_EXPORT_SUPPORT
        | DeviceInfo::CUBEMAP_SUPPORT
        | DeviceInfo::CUBEMAP_SEAMLESS_FILTERING_SUPPORT => info.bool(false),

        // PI numbers its own queries from here on; OpenCL would not know them.
        FIRST_OF_PI.. => Err(Error::invalid_value(format!("OpenCL does not know device query {name:#x}"))),
        _ => ask(device, name, info),
    }
}

const FIRST_OF_PI: DeviceInfo = 0x1_0000;
/// PCI vendor number.
const INTEL: u32 = 0x8086;
// cl_intel_device_attribute_query.
const NUM_SLICES: u32 = 0x4252;
const SUB_SLICES: u32 = 0x4253;
const EUS: u32 = 0x4254;
const THREADS_PER_EU: u32 = 0x4255;
/// cl_khr_pci_bus_info: domain, bus, device, function.
const PCI_BUS_INFO: u32 = 0x410f;

/// One value of a fixed-size query.
fn value<T: Copy + Default>(device: &Device, name: u32) -> Result<T> {
    let mut value = T::default();
    cl().clGetDeviceInfo(device.cl(), name, size_of::<T>(), (&raw mut value).cast(), null_mut())?;
    Ok(value)
}

/// The text of a string query.
fn text(device: &Device, name: u32) -> Result<CString> {
    let cl = cl();
    let mut size = 0;
    cl.clGetDeviceInfo(device.cl(), name, 0, null_mut(), &mut size)?;
    let mut text = vec![0_u8; size];
    cl.clGetDeviceInfo(device.cl(), name, size, text.as_mut_ptr().cast(), null_mut())?;
    text.retain(|byte| *byte != 0);
    Ok(CString::new(text).unwrap_or_default())
}

fn is_gpu(device: &Device) -> Result<bool> {
    Ok(value::<sys::cl_device_type>(device, sys::CL_DEVICE_TYPE)? & sys::CL_DEVICE_TYPE_GPU != 0)
}

fn vendor_id(device: &Device) -> Result<u32> {
    value(device, sys::CL_DEVICE_VENDOR_ID)
}

fn version(device: &Device) -> Result<(u32, u32)> {
    Ok(sys::parse_version(&text(device, sys::CL_DEVICE_VERSION)?))
}

fn has_extensions(device: &Device, wanted: &[&CStr]) -> Result<bool> {
    let list = text(device, sys::CL_DEVICE_EXTENSIONS)?;
    let has = |name: &&CStr| {
        list.to_bytes().split(|byte| *byte == b' ').any(|extension| extension == name.to_bytes())
    };
    Ok(wanted.iter().all(has))
}

/// An attribute of an Intel GPU.
fn attribute(device: &Device, name: u32) -> Result<u32> {
    if is_gpu(device)? && has_extensions(device, &[c"cl_intel_device_attribute_query"])? {
        return value(device, name);
    }
    Err(Error::invalid_value("param_name: only Intel's GPUs have this attribute"))
}

fn pci_address(device: &Device, info: Info<'_>) -> Result<()> {
    if !has_extensions(device, &[c"cl_khr_pci_bus_info"])? {
        return Err(Error::invalid_value(
            "param_name: the driver does not tell PCI addresses (no cl_khr_pci_bus_info)",
        ));
    }
    let [domain, bus, device, function] = value::<[u32; 4]>(device, PCI_BUS_INFO)?;
    info.str(&format!("{domain:04x}:{bus:02x}:{device:02x}.{function:x}"))
}

/// The schemes that PI has numbers for. OpenCL drivers may list more; their places are left at 0.
fn partition_properties(device: &Device, info: Info<'_>) -> Result<()> {
    const KNOWN: [isize; 4] = [
        PartitionProperty::PARTITION_EQUALLY,
        PartitionProperty::PARTITION_BY_COUNTS,
        PartitionProperty::PARTITION_BY_AFFINITY_DOMAIN,
        PartitionProperty::PARTITION_BY_CSLICE,
    ];
    let cl = cl();
    let mut size = 0;
    cl.clGetDeviceInfo(device.cl(), sys::CL_DEVICE_PARTITION_PROPERTIES, 0, null_mut(), &mut size)?;
    // Intel's CPU runtime of 2023 tells 4 bytes for a sub-device, and writes them.
    let mut list = vec![0_isize; size.div_ceil(size_of::<isize>())];
    let room = list.as_mut_ptr().cast();
    cl.clGetDeviceInfo(device.cl(), sys::CL_DEVICE_PARTITION_PROPERTIES, size, room, null_mut())?;
    let count = list.len();
    list.retain(|scheme| KNOWN.contains(scheme));
    list.resize(count, 0);
    info.slice(&list)
}

/// Whether the device takes SPIR-V: it names an IL version, or has the extension of older versions.
pub(crate) fn takes_spirv(device: &Device) -> bool {
    let named = text(device, sys::CL_DEVICE_IL_VERSION).is_ok_and(|versions| !versions.is_empty());
    named || has_extensions(device, &[c"cl_khr_il_program"]).unwrap_or(false)
}

/// Memory orders and scopes of atomics and fences, for a device's or a context's query.
///
/// Before OpenCL 3.0 there is no query; then it is what the version demands. Stronger orders and wider scopes imply the
/// others, and SYCL's least is always there.
pub(crate) fn atomic_capabilities(device: &Device, name: u32) -> Result<u64> {
    let version = version(device)?;
    let fence = [
        DeviceInfo::ATOMIC_FENCE_ORDER_CAPABILITIES,
        DeviceInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES,
        ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES,
        ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES,
    ]
    .contains(&name);
    let scopes = [
        DeviceInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES,
        DeviceInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES,
        ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES,
        ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES,
    ]
    .contains(&name);
    let known: u64 = if version >= (3, 0) {
        let query = if fence {
            sys::CL_DEVICE_ATOMIC_FENCE_CAPABILITIES
        } else {
            sys::CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES
        };
        value(device, query)?
    } else if version >= (2, 0) {
        u64::MAX
    } else {
        0
    };
    let has = |bit: u64| known & bit != 0;
    let mut answer;
    if scopes {
        answer = MemoryScopes::WORK_ITEM | MemoryScopes::SUB_GROUP | MemoryScopes::WORK_GROUP;
        if has(sys::CL_DEVICE_ATOMIC_SCOPE_DEVICE) {
            answer |= MemoryScopes::DEVICE;
        }
        if has(sys::CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) {
            answer |= MemoryScopes::SYSTEM;
        }
    } else {
        let acquire_release = MemoryOrders::ACQUIRE | MemoryOrders::RELEASE | MemoryOrders::ACQ_REL;
        answer = MemoryOrders::RELAXED;
        if fence || has(sys::CL_DEVICE_ATOMIC_ORDER_ACQ_REL) {
            answer |= acquire_release;
        }
        if has(sys::CL_DEVICE_ATOMIC_ORDER_SEQ_CST) {
            answer |= MemoryOrders::SEQ_CST;
        }
    }
    Ok(answer)
}
