//! Compares the answer to each device query with the driver's own functions, or with NVIDIA's documents for all
//! GPUs.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::{Case, unified_runtime};
use crate::fixture::{devices, platform};
use crate::software::{function, set_attributes};
use crate::{fails, ok};

pub(crate) const CASES: &[Case] = &[
    ("device_answers_what_the_driver_says", attributes),
    ("device_answers_what_each_gpu_has", constants),
    ("devices_are_listed_by_type", types),
    ("free_memory_falls_by_what_is_allocated", free_memory),
    ("what_a_device_can_follows_its_attributes", switches),
    ("what_a_device_can_follows_its_compute_capability", capabilities),
];

/// Returns the bytes of an answer.
fn answer(name: pi_device_info) -> Vec<u8> {
    let (device, mut size) = (devices()[0], 0);
    ok!(piDeviceGetInfo(device, name, 0, null_mut(), &mut size));
    let mut bytes = vec![0; size];
    ok!(piDeviceGetInfo(device, name, size, bytes.as_mut_ptr().cast(), null_mut()));
    bytes
}

/// Returns an answer of 4 or 8 bytes.
fn number(name: pi_device_info) -> u64 {
    let bytes = answer(name);
    assert!([4, 8].contains(&bytes.len()), "query {name:#x} has {} bytes", bytes.len());
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn text(name: pi_device_info) -> String {
    String::from_utf8(answer(name)).unwrap().trim_end_matches('\0').to_owned()
}

/// Returns a Boolean of Unified Runtime.
fn says(name: ur_device_info_t) -> bool {
    let (host, mut says) = (unified_runtime::newest(), 7_u8);
    let code =
        // SAFETY: a live handle, and room for a truth value.
        unsafe { host.calls.urDeviceGetInfo(host.device, name, 1, (&raw mut says).cast(), null_mut()) };
    assert_eq!((code, says | 1), (UR_RESULT_SUCCESS, 1), "query {name:#x}");
    says == 1
}

/// Returns an attribute by its number in cuda.h.
fn attribute(name: c_int) -> u64 {
    known_attribute(name).unwrap_or_else(|| panic!("the driver does not know attribute {name}"))
}

/// The same, if the driver supports it.
fn known_attribute(name: c_int) -> Option<u64> {
    let ask: unsafe extern "C" fn(*mut c_int, c_int, c_int) -> u32 = function("cuDeviceGetAttribute");
    let mut value = -1;
    // SAFETY: room for a number, and the first device.
    (unsafe { ask(&mut value, name, 0) } == 0).then(|| (value as u32).into())
}

fn sizes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn attributes() {
    // Query, attribute in cuda.h, multiplier, divisor.
    for (name, of, times, by) in [
        (PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 16, 1, 1),
        (PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 1, 1, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS, 5, 1, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, 5, 1, 1),
        (PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY, 13, 1, 1000),
        (PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, 36, 1, 1000),
        (PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, 37, 1, 1),
        (PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE, 38, 1, 1),
        (PI_DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE, 9, 1, 1),
        (PI_DEVICE_INFO_LOCAL_MEM_SIZE, 97, 1, 1),
        // In bits.
        (PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 14, 8, 1),
        (PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT, 32, 1, 1),
        (PI_DEVICE_INFO_HOST_UNIFIED_MEMORY, 18, 1, 1),
        (PI_EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, 12, 1, 1),
        (PI_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, 69, 1, 1),
        (PI_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, 29, 1, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN, 51, 1, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH, 70, 1, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT, 71, 1, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH, 72, 1, 1),
        // The clock in kilohertz, with two transfers each.
        (PI_DEVICE_INFO_MAX_MEM_BANDWIDTH, 36, 2 * 1000 * (attribute(37) / 8), 1),
        (PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS, 1, 1, attribute(10)),
    ] {
        assert_eq!(number(name), attribute(of) * times / by, "query {name:#x}");
    }
    // Textures read images, and surfaces write them.
    for (name, texture, surface) in [
        (PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH, 22, 56),
        (PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT, 23, 57),
        (PI_DEVICE_INFO_IMAGE3D_MAX_WIDTH, 24, 58),
        (PI_DEVICE_INFO_IMAGE3D_MAX_HEIGHT, 25, 59),
        (PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH, 26, 60),
    ] {
        assert_eq!(number(name), attribute(texture).min(attribute(surface)), "query {name:#x}");
    }
    assert_eq!(answer(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL), sizes(&[attribute(10)]));
    assert_eq!(answer(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES), sizes(&[2, 3, 4].map(attribute)));
    assert_eq!(answer(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D), sizes(&[6, 5].map(attribute)));
    assert_eq!(answer(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D), sizes(&[7, 6, 5].map(attribute)));
    assert_eq!(number(PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION), 10 * attribute(75) + attribute(76));
    let version = format!("{}.{}", attribute(75), attribute(76));
    assert_eq!([PI_DEVICE_INFO_VERSION, PI_DEVICE_INFO_BACKEND_VERSION].map(text), [&version[..]; 2]);
    memory_and_names();
}

fn memory_and_names() {
    let total: unsafe extern "C" fn(*mut usize, c_int) -> u32 = function("cuDeviceTotalMem_v2");
    let release: unsafe extern "C" fn(*mut c_int) -> u32 = function("cuDriverGetVersion");
    let uuid: unsafe extern "C" fn(*mut u8, c_int) -> u32 = function("cuDeviceGetUuid_v2");
    type Name = unsafe extern "C" fn(*mut c_char, c_int, c_int) -> u32;
    let names: [Name; 2] = [function("cuDeviceGetName"), function("cuDeviceGetPCIBusId")];
    let (mut bytes, mut number_of_release, mut id) = (0, 0, [0_u8; 16]);
    // SAFETY: room for the answers, and the first device.
    unsafe {
        assert_eq!(
            (total(&mut bytes, 0), release(&mut number_of_release), uuid(id.as_mut_ptr(), 0)),
            (0, 0, 0)
        );
    }
    let [name, address] = names.map(|name| {
        let mut room = [0_u8; 256];
        // SAFETY: room for a text, and the first device.
        assert_eq!(unsafe { name(room.as_mut_ptr().cast(), 256, 0) }, 0);
        String::from_utf8_lossy(&room).trim_end_matches('\0').to_owned()
    });
    assert_eq!(number(PI_DEVICE_INFO_GLOBAL_MEM_SIZE), bytes as u64);
    assert_eq!(number(PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE), bytes as u64);
    let free = number(PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY);
    assert!(free > 1 << 20 && free <= bytes as u64, "{free}");
    assert_eq!((text(PI_DEVICE_INFO_NAME), text(PI_DEVICE_INFO_PCI_ADDRESS)), (name, address.to_lowercase()));
    assert_eq!(answer(PI_DEVICE_INFO_UUID), id);
    // Drivers before CUDA 12.9 do not support the attribute. In this case the system's file has the value.
    if let Some(ids) = known_attribute(139).filter(|ids| *ids != 0) {
        assert_eq!(number(PI_DEVICE_INFO_DEVICE_ID), ids >> 16);
    }
    let release = format!("CUDA {}.{}", number_of_release / 1000, number_of_release % 1000 / 10);
    assert_eq!(text(PI_DEVICE_INFO_DRIVER_VERSION), release);
    assert_eq!(text(PI_DEVICE_INFO_VENDOR), "NVIDIA Corporation");
}

/// Answers that are the same for all of NVIDIA's GPUs, or for all CUDA plugins.
fn constants() {
    let fp_config = PI_FP_DENORM
        | PI_FP_INF_NAN
        | PI_FP_ROUND_TO_NEAREST
        | PI_FP_ROUND_TO_ZERO
        | PI_FP_ROUND_TO_INF
        | PI_FP_FMA;
    let vendor_of_pci = 0x10de;
    for (name, expected) in [
        (PI_DEVICE_INFO_TYPE, PI_DEVICE_TYPE_GPU),
        (PI_DEVICE_INFO_VENDOR_ID, vendor_of_pci),
        (PI_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS, 3),
        (PI_DEVICE_INFO_SINGLE_FP_CONFIG, fp_config | PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
        (PI_DEVICE_INFO_DOUBLE_FP_CONFIG, fp_config),
        (
            PI_DEVICE_INFO_QUEUE_PROPERTIES,
            PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE,
        ),
        (PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES, 0),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR, 4),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR, 4),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT, 2),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT, 2),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF, 2),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF, 2),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT, 1),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE, 1),
        (PI_DEVICE_INFO_ADDRESS_BITS, 64),
        (PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE.into()),
        (PI_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE, 128),
        (PI_DEVICE_INFO_MAX_CONSTANT_ARGS, 9),
        (PI_DEVICE_INFO_LOCAL_MEM_TYPE, PI_DEVICE_LOCAL_MEM_TYPE_LOCAL.into()),
        (PI_DEVICE_INFO_MAX_PARAMETER_SIZE, 4000),
        (PI_DEVICE_INFO_IMAGE_SUPPORT, 1),
        (PI_DEVICE_INFO_MAX_READ_IMAGE_ARGS, 128),
        (PI_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, 128),
        (PI_DEVICE_INFO_MAX_SAMPLERS, 16),
        (PI_DEVICE_INFO_IMAGE_SRGB, 0),
        (PI_DEVICE_INFO_PROFILING_TIMER_RESOLUTION, 1000),
        (PI_DEVICE_INFO_ENDIAN_LITTLE, 1),
        (PI_DEVICE_INFO_AVAILABLE, 1),
        (PI_DEVICE_INFO_COMPILER_AVAILABLE, 1),
        (PI_DEVICE_INFO_LINKER_AVAILABLE, 1),
        (PI_DEVICE_INFO_BUILD_ON_SUBDEVICE, 1),
        (PI_DEVICE_INFO_EXECUTION_CAPABILITIES, PI_EXEC_KERNEL),
        (PI_DEVICE_INFO_PLATFORM, platform().addr() as u64),
        (PI_DEVICE_INFO_REFERENCE_COUNT, 1),
        (PI_DEVICE_INFO_PRINTF_BUFFER_SIZE, 1024),
        (PI_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC, 1),
        (PI_DEVICE_INFO_PARENT_DEVICE, 0),
        (PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES, 0),
        (PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN, 0),
        (PI_DEVICE_INFO_USM_DEVICE_SUPPORT, USM),
        (PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, 1),
        (PI_EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION, 0),
        (PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, 0),
        (PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, 0),
        (PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT, 0),
        (PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY, 16.0_f32.to_bits().into()),
        (PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT, 1),
    ] {
        assert_eq!(number(name), expected, "query {name:#x}");
    }
    assert!(answer(PI_DEVICE_INFO_PARTITION_PROPERTIES).is_empty());
    for (name, expected) in [
        (PI_DEVICE_INFO_PROFILE, "CUDA"),
        (PI_DEVICE_INFO_BUILT_IN_KERNELS, ""),
        (PI_DEVICE_INFO_OPENCL_C_VERSION, ""),
    ] {
        assert_eq!(text(name), expected, "query {name:#x}");
    }
    for name in [
        UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP,
        UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP,
        UR_DEVICE_INFO_TIMESTAMP_RECORDING_SUPPORT_EXP,
        UR_DEVICE_INFO_DEVICE_WAIT_SUPPORT_EXP,
        UR_DEVICE_INFO_REUSABLE_EVENTS_SUPPORT_EXP,
        UR_DEVICE_INFO_USM_HOST_ALLOC_REGISTER_SUPPORT_EXP,
    ] {
        assert!(says(name), "query {name:#x}");
    }
    let mut room = 0_u64;
    let why = fails!(
        piDeviceGetInfo(devices()[0], 0x7777, 8, (&raw mut room).cast(), null_mut()),
        PI_ERROR_INVALID_VALUE
    );
    assert!(why.contains("0x7777"), "{why}");
}

fn types() {
    let all = devices().len() as u32;
    let unknown = 0x20;
    let (default, gpu, cpu) = (PI_DEVICE_TYPE_DEFAULT, PI_DEVICE_TYPE_GPU, PI_DEVICE_TYPE_CPU);
    for (kind, expected) in [
        (PI_DEVICE_TYPE_ALL, Some(all)),
        (default, Some(all)),
        (gpu, Some(all)),
        (cpu | gpu, Some(all)),
        (default | gpu, Some(all)),
        (cpu, Some(0)),
        (PI_DEVICE_TYPE_ACC, Some(0)),
        (PI_DEVICE_TYPE_CUSTOM, Some(0)),
        (cpu | PI_DEVICE_TYPE_ACC | PI_DEVICE_TYPE_CUSTOM, Some(0)),
        (0, None),
        (unknown, None),
        (gpu | unknown, None),
    ] {
        let mut count = 77;
        let code = crate::code!(piDevicesGet(platform(), kind, 0, null_mut(), &mut count));
        let told =
            if code == PI_ERROR_DEVICE_NOT_FOUND { Some(0) } else { (code == PI_SUCCESS).then_some(count) };
        assert_eq!(told, expected, "{kind:#x}");
    }
}

/// All kinds of access to memory, and access without atomics.
const USM: u64 = ACCESS | PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS;
const ACCESS: u64 = PI_USM_ACCESS | PI_USM_CONCURRENT_ACCESS;

/// Switches each attribute off or on separately. In cuda.h: 18 integrated, 32 error correction, 41 unified
/// addresses, 83 managed memory, 86 atomics on host memory, 88 any host memory, 89 concurrent access to managed memory,
/// 102 virtual memory, 103 its file descriptors.
fn switches() {
    let shared = [PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT];
    for (attributes, host, shared_memory, system) in [
        ("", ACCESS, USM, 0),
        ("83=0", ACCESS, USM & !PI_USM_ACCESS, 0),
        ("89=0", ACCESS, PI_USM_ACCESS, 0),
        ("86=1", USM, USM, 0),
        ("88=1", ACCESS, USM, ACCESS),
        ("88=1;86=1", USM, USM, USM),
        ("88=1;86=1;89=0", USM, PI_USM_ACCESS, USM & !PI_USM_CONCURRENT_ACCESS),
    ] {
        set_attributes(attributes);
        assert_eq!(number(PI_DEVICE_INFO_USM_HOST_SUPPORT), host, "{attributes}");
        assert_eq!(shared.map(number), [shared_memory; 2], "{attributes}");
        assert_eq!(number(PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT), system, "{attributes}");
    }
    let [virtual_memory, memory, event, physical, export] = [
        UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT,
        UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP,
        UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP,
        UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP,
        UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP,
    ];
    for (attributes, expected) in [
        ("", [true; 5]),
        ("102=0", [false, true, true, false, false]),
        ("103=0", [true, true, true, false, false]),
        ("41=0", [true, false, false, true, true]),
    ] {
        set_attributes(attributes);
        assert_eq!([virtual_memory, memory, event, physical, export].map(says), expected, "{attributes}");
    }
    for (attributes, integrated, corrects) in [("18=1;32=0", 1, 0), ("18=0;32=1", 0, 1)] {
        set_attributes(attributes);
        let told = [PI_DEVICE_INFO_HOST_UNIFIED_MEMORY, PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT].map(number);
        assert_eq!(told, [integrated, corrects]);
    }
    set_attributes("");
}

/// The task of a child whose device has the compute capability of this variable.
pub(crate) const CAPABILITY: &str = "capability";
const ATTRIBUTES: &str = "PI_SOFTWARE_CUDA_ATTRIBUTES";

fn capabilities() {
    for (major, minor) in [(5, 2), (5, 3), (6, 0), (7, 0), (7, 5), (8, 0)] {
        super::child::run(CAPABILITY, &[(ATTRIBUTES, format!("75={major};76={minor}"))]);
    }
}

/// From the table of features for each compute capability in the CUDA C++ programming guide.
pub(crate) fn of_capability() {
    let capability = attribute(75) * 10 + attribute(76);
    let since = |least: u64, flags: u64| if capability >= least { flags } else { 0 };
    let half = PI_FP_DENORM | PI_FP_INF_NAN | PI_FP_ROUND_TO_NEAREST | PI_FP_FMA;
    let acquire_release = PI_MEMORY_ORDER_ACQUIRE | PI_MEMORY_ORDER_RELEASE | PI_MEMORY_ORDER_ACQ_REL;
    let orders = PI_MEMORY_ORDER_RELAXED | since(60, acquire_release) | since(70, PI_MEMORY_ORDER_SEQ_CST);
    let scopes = PI_MEMORY_SCOPE_WORK_ITEM
        | PI_MEMORY_SCOPE_SUB_GROUP
        | PI_MEMORY_SCOPE_WORK_GROUP
        | PI_MEMORY_SCOPE_DEVICE
        | since(60, PI_MEMORY_SCOPE_SYSTEM);
    for (name, expected) in [
        (PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION, capability),
        (PI_DEVICE_INFO_HALF_FP_CONFIG, since(53, half)),
        (PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, orders),
        (PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, orders),
        (PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, scopes),
        (PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, scopes),
        (PI_DEVICE_INFO_ATOMIC_64, since(60, 1)),
        (PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, since(70, 1)),
        (PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, since(80, 1)),
        (PI_EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER, since(80, 1)),
        (PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, if capability < 60 { ACCESS } else { USM }),
    ] {
        assert_eq!(number(name), expected, "query {name:#x} of {capability}");
    }
    let extensions = text(PI_DEVICE_INFO_EXTENSIONS);
    let has = |name| extensions.split(' ').any(|extension| extension == name);
    assert!(has("cl_khr_fp64") && has("cl_khr_subgroups") && has("pi_ext_intel_devicelib_assert"));
    assert_eq!(has("cl_khr_fp16"), capability >= 53, "{extensions}");
    assert_eq!(has("cl_khr_int64_base_atomics"), capability >= 60, "{extensions}");
    assert_eq!(has("cl_khr_int64_extended_atomics"), capability >= 60, "{extensions}");
}

/// The other device has as much as before.
fn free_memory() {
    const SIZE: usize = 33 << 20;
    let free = || {
        devices().into_iter().map(|device| {
            let mut bytes = 0_u64;
            let (name, room) = (PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY, (&raw mut bytes).cast());
            ok!(piDeviceGetInfo(device, name, 8, room, null_mut()));
            bytes
        })
    };
    let fixture = crate::Fixture::new();
    let before: Vec<u64> = free().collect();
    let memory = fixture.device_memory(SIZE);
    for (index, (before, now)) in before.into_iter().zip(free()).enumerate() {
        let gone = before - now;
        assert!(if index == 0 { gone >= SIZE as u64 } else { gone == 0 }, "device {index}: {gone}");
    }
    drop(memory);
}
