//! All device queries. OpenCL's own queries are passed through; the answers to others are derived from them.

use std::ffi::{CStr, CString};

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result, absent_feature};

use crate::sys::{self, Device, HasPlatform, Queried, has_word};
use crate::{legal, sub_groups, svm};

/// Queries from this number on do not belong to OpenCL.
const FIRST_FOREIGN: DeviceInfo = DeviceInfo(0x1_0000);
/// The sizes of a cache and of its lines if the driver does not report them. rusticl answers 0, and programs divide by
/// the answer. One line of the usual length is the smallest possible cache.
const UNTOLD_CACHE: u64 = 64;
const INT64_ATOMICS: [&CStr; 2] = [c"cl_khr_int64_base_atomics", c"cl_khr_int64_extended_atomics"];
/// PCI vendor number.
const INTEL: u32 = 0x8086;
// cl_intel_device_attribute_query.
const NUM_SLICES: u32 = 0x4252;
const SUB_SLICES: u32 = 0x4253;
const EUS: u32 = 0x4254;
const THREADS_PER_EU: u32 = 0x4255;
/// cl_khr_pci_bus_info: domain, bus, device, function.
const PCI_BUS_INFO: u32 = 0x410f;

/// Answers one query. Returns `ErrorCode::INVALID_VALUE` if the device does not support it.
pub(crate) fn get(device: &Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    match name {
        DeviceInfo::PARTITION_PROPERTIES => partition_properties(device, info),
        DeviceInfo::USM_HOST_SUPPORT
        | DeviceInfo::USM_DEVICE_SUPPORT
        | DeviceInfo::USM_SINGLE_SHARED_SUPPORT
        | DeviceInfo::USM_CROSS_SHARED_SUPPORT
        | DeviceInfo::USM_SYSTEM_SHARED_SUPPORT
            if !device.driver()?.has_usm =>
        {
            info.value(svm::usm_capabilities(device, name).bits())
        }
        DeviceInfo::MAX_NUM_SUB_GROUPS => info.value(sub_groups::most_in_group(device)?),
        DeviceInfo::SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => info.bool(sub_groups::progress_alone(device)?),
        DeviceInfo::SUB_GROUP_SIZES_INTEL => info.slice(&sub_groups::sizes(device)?),
        DeviceInfo::GLOBAL_MEM_CACHELINE_SIZE if cache_line(device)? == 0 => info.value(UNTOLD_CACHE as u32),
        DeviceInfo::GLOBAL_MEM_CACHE_SIZE if device.value(name.0, 0_u64)? == 0 => info.value(UNTOLD_CACHE),
        // Intel's FPGA emulator implements OpenCL 1.2, but reports properties of queues that it cannot create.
        DeviceInfo::QUEUE_ON_DEVICE_PROPERTIES if device.driver()?.version < (2, 0) => info.value(0_u64),
        DeviceInfo::EXTENSIONS if !unlisted(device)?.is_empty() => info.c_str(&extensions(device)?),
        DeviceInfo::HALF_FP_CONFIG if has_halves_as_floats(device)? => {
            info.value(sys::CL_FP_DENORM | sys::CL_FP_INF_NAN | sys::CL_FP_ROUND_TO_NEAREST)
        }
        DeviceInfo::PREFERRED_VECTOR_WIDTH_HALF | DeviceInfo::NATIVE_VECTOR_WIDTH_HALF
            if has_halves_as_floats(device)? =>
        {
            info.value(1_u32)
        }
        _ if name < FIRST_FOREIGN => {
            info.answered_by(|size, value, size_ret| device.query(name.0, size, value, size_ret))
        }
        _ => derived(device, name, info),
    }
}

/// Answers a query that OpenCL does not have. The answer is derived from other queries.
fn derived(device: &Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
    match name {
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

        // OpenCL drivers that support images also support sRGB images.
        DeviceInfo::IMAGE_SRGB => info.bool(true),
        // A program that was built for a root GPU also runs on its sub-devices.
        DeviceInfo::BUILD_ON_SUBDEVICE => info.bool(is_gpu(device)?),
        DeviceInfo::MAX_COMPUTE_QUEUE_INDICES => info.value::<i32>(1),
        DeviceInfo::ATOMIC_64 => info.bool(has_extensions(device, &INT64_ATOMICS)?),
        DeviceInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES => {
            info.value(atomic_capabilities(device, AtomicCapability::MemoryOrders)?)
        }
        DeviceInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES => {
            info.value(atomic_capabilities(device, AtomicCapability::MemoryScopes)?)
        }
        DeviceInfo::ATOMIC_FENCE_ORDER_CAPABILITIES => {
            info.value(atomic_capabilities(device, AtomicCapability::FenceOrders)?)
        }
        DeviceInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            info.value(atomic_capabilities(device, AtomicCapability::FenceScopes)?)
        }
        DeviceInfo::BACKEND_VERSION => {
            let (major, minor) = version(device)?;
            info.str(&format!("{major}.{minor}"))
        }
        DeviceInfo::BFLOAT16_MATH_FUNCTIONS => {
            info.bool(has_extensions(device, &[c"cl_intel_bfloat16_conversions"])?)
        }
        // OpenCL does not limit the number of work-groups.
        DeviceInfo::MAX_GLOBAL_WORK_GROUPS | DeviceInfo::MAX_WORK_GROUPS_1D => info.value(usize::MAX),
        DeviceInfo::MAX_WORK_GROUPS_2D => info.value([usize::MAX; 2]),
        DeviceInfo::MAX_WORK_GROUPS_3D => info.value([usize::MAX; 3]),
        DeviceInfo::MEM_CHANNEL_SUPPORT => {
            info.bool(has_extensions(device, &[c"cl_intel_mem_channel_property"])?)
        }
        DeviceInfo::NATIVE_ASSERT_SUPPORT => {
            info.bool(has_extensions(device, &[c"cl_intel_devicelib_assert"])?)
        }
        DeviceInfo::HOST_PIPE_SUPPORT => {
            info.bool(has_extensions(device, &[c"cl_intel_program_scope_host_pipe"])?)
        }
        DeviceInfo::KERNEL_CLOCK_SUPPORT => info.bool(has_extensions(device, &[c"cl_khr_kernel_clock"])?),
        DeviceInfo::ESIMD_SUPPORT => info.bool(is_gpu(device)? && vendor_id(device)? == INTEL),
        DeviceInfo::NATIVE_COMMAND_SUPPORT => info.bool(true),
        // A recorded launch needs its own clone of the kernel.
        DeviceInfo::COMMAND_BUFFER_SUPPORT | DeviceInfo::LAUNCH_UPDATE_SUPPORT => {
            info.bool(device.driver()?.clones_kernels())
        }
        DeviceInfo::HOST_TASK_SUPPORT => info.bool(runs_native_kernels(device)?),
        _ => absent_feature(name, info).unwrap_or_else(|| Err(Error::unknown_query("device", name))),
    }
}

/// Returns the extensions of a device, with those that it has although its driver does not list them.
fn extensions(device: &Device) -> Result<CString> {
    let mut all = device.text(sys::CL_DEVICE_EXTENSIONS)?.into_bytes();
    for name in unlisted(device)? {
        all.push(b' ');
        all.extend(name.to_bytes());
    }
    CString::new(all).map_err(|_| Error::invalid_value("the list of extensions contains a zero byte"))
}

/// Returns the extensions that the driver does not list. rusticl lists no atomic operations on 64-bit integers, but
/// compiles them, and llvmpipe, its device for CPUs, executes them. No GPU was tried.
fn unlisted(device: &Device) -> Result<&'static [&'static CStr]> {
    let driver = device.driver()?;
    Ok(if driver.is_rusticl && device.is_cpu()? {
        &INT64_ATOMICS
    } else if has_halves_as_floats(device)? {
        &[c"cl_khr_fp16"]
    } else {
        &[]
    })
}

/// Returns whether the device has half precision only because programs are rewritten.
fn has_halves_as_floats(device: &Device) -> Result<bool> {
    Ok(device.driver()?.is_pocl && legal::has_halves_as_floats(device)?)
}

/// Returns whether a device runs functions of the program.
pub(crate) fn runs_native_kernels(device: &Device) -> Result<bool> {
    let capabilities = device.value(sys::CL_DEVICE_EXECUTION_CAPABILITIES, 0_u64)?;
    Ok(capabilities & sys::CL_EXEC_NATIVE_KERNEL != 0)
}

fn is_gpu(device: &Device) -> Result<bool> {
    Ok(device.value(sys::CL_DEVICE_TYPE, 0_u64)? & sys::CL_DEVICE_TYPE_GPU != 0)
}

fn cache_line(device: &Device) -> Result<u32> {
    device.value(DeviceInfo::GLOBAL_MEM_CACHELINE_SIZE.0, 0)
}

fn vendor_id(device: &Device) -> Result<u32> {
    device.value(sys::CL_DEVICE_VENDOR_ID, 0)
}

fn version(device: &Device) -> Result<(u32, u32)> {
    Ok(sys::parse_version(&device.text(sys::CL_DEVICE_VERSION)?))
}

fn has_extensions(device: &Device, wanted: &[&CStr]) -> Result<bool> {
    let list = extensions(device)?;
    Ok(wanted.iter().all(|name| has_word(&list, name)))
}

/// Returns an attribute of an Intel GPU.
fn attribute(device: &Device, name: u32) -> Result<u32> {
    if is_gpu(device)? && has_extensions(device, &[c"cl_intel_device_attribute_query"])? {
        return device.value(name, 0);
    }
    Err(Error::invalid_value(format!("the name {name:#x} is an attribute of Intel's GPUs only")))
}

fn pci_address(device: &Device, info: Info<'_>) -> Result<()> {
    if !has_extensions(device, &[c"cl_khr_pci_bus_info"])? {
        return Err(Error::invalid_value(
            "the name asks for a PCI address, which the driver does not have (no cl_khr_pci_bus_info)",
        ));
    }
    info.str(&pci_text(device.value(PCI_BUS_INFO, [0_u32; 4])?))
}

fn pci_text([domain, bus, device, function]: [u32; 4]) -> String {
    format!("{domain:04x}:{bus:02x}:{device:02x}.{function:x}")
}

/// Answers with the partition schemes of the interface. OpenCL drivers may list more, whose places are left at 0.
fn partition_properties(device: &Device, info: Info<'_>) -> Result<()> {
    const KNOWN: [PartitionProperty; 4] = [
        PartitionProperty::PARTITION_EQUALLY,
        PartitionProperty::PARTITION_BY_COUNTS,
        PartitionProperty::PARTITION_BY_AFFINITY_DOMAIN,
        PartitionProperty::PARTITION_BY_CSLICE,
    ];
    // For a sub-device, Intel's CPU runtime of 2023 reports and writes 4 bytes, so the list is rounded up to a whole
    // value.
    let mut list = device.list(sys::CL_DEVICE_PARTITION_PROPERTIES, 0_isize)?;
    let count = list.len();
    list.retain(|scheme| KNOWN.contains(&PartitionProperty(*scheme)));
    list.resize(count, 0);
    info.slice(&list)
}

/// Returns whether the device accepts SPIR-V: it reports an IL version, or has the extension of older versions.
pub(crate) fn takes_spirv(device: &Device) -> bool {
    let named = device.text(sys::CL_DEVICE_IL_VERSION).is_ok_and(|versions| !versions.is_empty());
    named || has_extensions(device, &[c"cl_khr_il_program"]).unwrap_or(false)
}

/// The capability of atomics or fences that is queried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicCapability {
    MemoryOrders,
    MemoryScopes,
    FenceOrders,
    FenceScopes,
}

/// Returns memory orders or scopes of atomics or fences, for a query of a device or a context.
///
/// Before OpenCL 3.0, there is no such query, and the answer is what that version requires. Stronger orders and wider
/// scopes imply the others, and the minimum that SYCL requires is always included.
pub(crate) fn atomic_capabilities(device: &Device, capability: AtomicCapability) -> Result<u64> {
    capabilities_of(version(device)?, capability, |query| device.value(query, 0))
}

/// Returns the capabilities of a device of this version, which is asked only for what the version has.
fn capabilities_of(
    version: (u32, u32),
    capability: AtomicCapability,
    ask: impl FnOnce(u32) -> Result<u64>,
) -> Result<u64> {
    let is_fence = matches!(capability, AtomicCapability::FenceOrders | AtomicCapability::FenceScopes);
    let known: u64 = if version >= (3, 0) {
        let query = if is_fence {
            sys::CL_DEVICE_ATOMIC_FENCE_CAPABILITIES
        } else {
            sys::CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES
        };
        ask(query)?
    } else if version >= (2, 0) {
        u64::MAX
    } else {
        0
    };
    let has = |bit: u64| known & bit != 0;
    if matches!(capability, AtomicCapability::MemoryScopes | AtomicCapability::FenceScopes) {
        let mut scopes = MemoryScopes::WORK_ITEM | MemoryScopes::SUB_GROUP | MemoryScopes::WORK_GROUP;
        scopes.set(MemoryScopes::DEVICE, has(sys::CL_DEVICE_ATOMIC_SCOPE_DEVICE));
        scopes.set(MemoryScopes::SYSTEM, has(sys::CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES));
        return Ok(scopes.bits());
    }
    let acquire_release = MemoryOrders::ACQUIRE | MemoryOrders::RELEASE | MemoryOrders::ACQ_REL;
    let mut orders = MemoryOrders::RELAXED;
    orders.set(acquire_release, is_fence || has(sys::CL_DEVICE_ATOMIC_ORDER_ACQ_REL));
    orders.set(MemoryOrders::SEQ_CST, has(sys::CL_DEVICE_ATOMIC_ORDER_SEQ_CST));
    Ok(orders.bits())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_pci_address_is_written_as_the_system_writes_it() {
        assert_eq!(pci_text([0, 0x3b, 0, 0]), "0000:3b:00.0");
        assert_eq!(pci_text([0x1_0000, 3, 31, 7]), "10000:03:1f.7");
    }

    /// OpenCL 1.2 has atomics of a work-group without an order; OpenCL 2.0 requires all orders and scopes of a device.
    #[test]
    fn atomics_before_opencl_3_are_those_that_the_version_requires() {
        use AtomicCapability::{FenceOrders, FenceScopes, MemoryOrders as Orders, MemoryScopes as Scopes};
        const ALL_ORDERS: MemoryOrders = MemoryOrders::RELAXED
            .union(MemoryOrders::ACQUIRE)
            .union(MemoryOrders::RELEASE)
            .union(MemoryOrders::ACQ_REL)
            .union(MemoryOrders::SEQ_CST);
        const FENCES: MemoryOrders = ALL_ORDERS.difference(MemoryOrders::SEQ_CST);
        const OF_GROUP: MemoryScopes =
            MemoryScopes::WORK_ITEM.union(MemoryScopes::SUB_GROUP).union(MemoryScopes::WORK_GROUP);
        const ALL_SCOPES: MemoryScopes = OF_GROUP.union(MemoryScopes::DEVICE).union(MemoryScopes::SYSTEM);
        let unasked = |capability, version| {
            capabilities_of(version, capability, |_| Err(Error::invalid_value("it has no such query")))
                .unwrap()
        };
        for version in [(1, 0), (1, 2)] {
            assert_eq!(unasked(Orders, version), MemoryOrders::RELAXED.bits());
            assert_eq!(unasked(FenceOrders, version), FENCES.bits());
            assert_eq!(unasked(Scopes, version), OF_GROUP.bits());
            assert_eq!(unasked(FenceScopes, version), OF_GROUP.bits());
        }
        for version in [(2, 0), (2, 2)] {
            assert_eq!(unasked(Orders, version), ALL_ORDERS.bits());
            assert_eq!(unasked(FenceOrders, version), ALL_ORDERS.bits());
            assert_eq!(unasked(Scopes, version), ALL_SCOPES.bits());
            assert_eq!(unasked(FenceScopes, version), ALL_SCOPES.bits());
        }
    }

    #[test]
    fn atomics_of_opencl_3_are_what_the_device_tells_of_each() {
        let of = |capability, memory: u64, fences: u64| {
            let ask = |query| match query {
                sys::CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => Ok(memory),
                sys::CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => Ok(fences),
                other => Err(Error::invalid_value(format!("{other:#x}"))),
            };
            capabilities_of((3, 0), capability, ask).unwrap()
        };
        let (acquire, all) = (sys::CL_DEVICE_ATOMIC_ORDER_ACQ_REL, sys::CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
        let has = |set: u64, bit: u64| set & bit != 0;
        let acq_rel = MemoryOrders::ACQ_REL.bits();
        assert!(has(of(AtomicCapability::MemoryOrders, acquire, 0), acq_rel));
        assert!(!has(of(AtomicCapability::MemoryOrders, 0, acquire), acq_rel));
        let system = MemoryScopes::SYSTEM.bits();
        assert!(has(of(AtomicCapability::MemoryScopes, all, 0), system));
        assert!(!has(of(AtomicCapability::MemoryScopes, 0, all), system));
        assert!(has(of(AtomicCapability::FenceScopes, 0, all), system));
        assert!(!has(of(AtomicCapability::FenceScopes, all, 0), system));
        let sequential = sys::CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
        assert!(!has(of(AtomicCapability::FenceOrders, sequential, 0), MemoryOrders::SEQ_CST.bits()));
    }
}
