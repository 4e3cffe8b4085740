//! Tests of device queries: what the software driver says is answered in the interface's terms.

use std::ptr::null_mut;

use level_zero_sys::*;

use super::Case;
use crate::fixture::newest;
use crate::{Fixture, Soft, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("numbers_of_32_bits_are_those_of_the_driver", narrow),
    ("numbers_of_64_bits_are_those_of_the_driver", wide),
    ("lists_of_sizes_are_those_of_the_driver", lists),
    ("texts_are_those_of_the_driver", texts),
    ("parts_of_a_device_know_what_they_are", parts),
    ("free_memory_falls_by_what_is_allocated", free_memory),
    ("a_driver_without_memory_modules_has_no_free_memory_to_tell", no_modules),
];

/// Returns the answer's bytes.
fn answer(device: pi_device, name: pi_device_info) -> Vec<u8> {
    let (pi, mut size) = (newest(), 0);
    ok!(pi, piDeviceGetInfo(device, name, 0, null_mut(), &mut size));
    let mut bytes = vec![0_u8; size];
    ok!(pi, piDeviceGetInfo(device, name, size, bytes.as_mut_ptr().cast(), null_mut()));
    bytes
}

fn answer_u32(device: pi_device, name: pi_device_info) -> u32 {
    u32::from_ne_bytes(answer(device, name).try_into().unwrap())
}

fn answer_u64(device: pi_device, name: pi_device_info) -> u64 {
    u64::from_ne_bytes(answer(device, name).try_into().unwrap())
}

fn answer_list(device: pi_device, name: pi_device_info) -> Vec<u64> {
    answer(device, name).chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect()
}

/// The driver's answers about a device, as far as they depend on the machine.
struct Driver {
    properties: ze_device_properties_t,
    compute: ze_device_compute_properties_t,
    module: ze_device_module_properties_t,
}

impl Driver {
    fn of(device: pi_device) -> Self {
        let mut native = 0;
        ok!(newest(), piextDeviceGetNativeHandle(device, &mut native));
        let device = ze_device_handle_t(std::ptr::with_exposed_provenance_mut(native));
        let mut said = Self {
            properties: ze_device_properties_t::default(),
            compute: ze_device_compute_properties_t::default(),
            module: ze_device_module_properties_t::default(),
        };
        let ze = ze().unwrap();
        // SAFETY: a live device, and room for the answers.
        unsafe {
            ze.zeDeviceGetProperties(device, &mut said.properties).unwrap();
            ze.zeDeviceGetComputeProperties(device, &mut said.compute).unwrap();
            ze.zeDeviceGetModuleProperties(device, &mut said.module).unwrap();
        }
        said
    }

    fn has(&self, flag: u32) -> bool {
        self.module.flags & flag != 0
    }

    fn sub_group_sizes(&self) -> &[u32] {
        &self.compute.subGroupSizes[..self.compute.numSubGroupSizes as usize]
    }
}

fn narrow() {
    let fixture = Fixture::new(newest());
    let said = Driver::of(fixture.device);
    let (slices, sub_slices) = (said.properties.numSlices, said.properties.numSubslicesPerSlice);
    assert!(said.sub_group_sizes().len() > 1, "{:?}", said.sub_group_sizes());
    // The smaller the sub-groups are, the more a work-group has.
    let smallest = said.sub_group_sizes().iter().min().unwrap();
    for (name, expected) in [
        (PI_DEVICE_INFO_VENDOR_ID, 0x8086),
        (PI_DEVICE_INFO_DEVICE_ID, 0x4905),
        (PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION, 12 << 22 | 10 << 14),
        (PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY, 1300),
        (PI_DEVICE_INFO_ADDRESS_BITS, 64),
        (PI_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS, 3),
        // Vendors' plugins count the lanes as bytes, of which wider numbers need several.
        (PI_DEVICE_INFO_GPU_EU_SIMD_WIDTH, 8),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR, 8),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT, 4),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF, 4),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT, 2),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT, 2),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG, 1),
        (PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE, 1),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR, 8),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT, 4),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF, 4),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT, 2),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT, 2),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG, 1),
        (PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE, 1),
        (PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, 2133),
        (PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, 128),
        (PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, 4),
        (PI_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE, 8),
        (PI_DEVICE_INFO_GPU_HW_THREADS_PER_EU, 8),
        (PI_DEVICE_INFO_GPU_SLICES, slices),
        (PI_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE, sub_slices),
        (PI_DEVICE_INFO_GPU_EU_COUNT, slices * sub_slices * 8),
        (PI_DEVICE_INFO_MAX_COMPUTE_UNITS, slices * sub_slices * 8),
        (PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS, said.compute.maxTotalGroupSize / smallest),
        (PI_DEVICE_INFO_MAX_SAMPLERS, 16),
        (PI_DEVICE_INFO_MAX_READ_IMAGE_ARGS, 128),
        (PI_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, 128),
        (PI_DEVICE_INFO_LOCAL_MEM_TYPE, PI_DEVICE_LOCAL_MEM_TYPE_LOCAL),
        (PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE),
        (PI_DEVICE_INFO_REFERENCE_COUNT, 1),
        (PI_DEVICE_INFO_AVAILABLE, 1),
        (PI_DEVICE_INFO_COMPILER_AVAILABLE, 1),
        (PI_DEVICE_INFO_LINKER_AVAILABLE, 1),
        (PI_DEVICE_INFO_ENDIAN_LITTLE, 1),
        (PI_DEVICE_INFO_IMAGE_SUPPORT, 1),
        (PI_DEVICE_INFO_ATOMIC_64, 1),
        (PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, 1),
        (PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT, 1),
        (PI_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC, 1),
        // Drivers do not report these, so the expected answers are those of the vendors' plugins.
        (PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 8),
        (PI_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE, 64),
        (PI_DEVICE_INFO_MAX_CONSTANT_ARGS, 64),
        (PI_DEVICE_INFO_BUILD_ON_SUBDEVICE, 0),
        (PI_DEVICE_INFO_IMAGE_SRGB, 0),
        (PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 0),
        (PI_EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION, 0),
        (PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, 0),
        (PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT, 0),
        (PI_DEVICE_INFO_HOST_UNIFIED_MEMORY, 0),
        (PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, 0),
    ] {
        assert_eq!(answer_u32(fixture.device, name), expected, "{name:#x}");
    }
}

fn wide() {
    let fixture = Fixture::new(newest());
    let said = Driver::of(fixture.device);
    let float = PI_FP_DENORM
        | PI_FP_INF_NAN
        | PI_FP_ROUND_TO_NEAREST
        | PI_FP_ROUND_TO_ZERO
        | PI_FP_ROUND_TO_INF
        | PI_FP_FMA;
    let if_there = |flag| if said.has(flag) { float } else { 0 };
    let all =
        PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS;
    // Drivers say nothing of these: every GPU has all of them.
    let orders = PI_MEMORY_ORDER_RELAXED
        | PI_MEMORY_ORDER_ACQUIRE
        | PI_MEMORY_ORDER_RELEASE
        | PI_MEMORY_ORDER_ACQ_REL
        | PI_MEMORY_ORDER_SEQ_CST;
    let scopes = PI_MEMORY_SCOPE_WORK_ITEM
        | PI_MEMORY_SCOPE_SUB_GROUP
        | PI_MEMORY_SCOPE_WORK_GROUP
        | PI_MEMORY_SCOPE_DEVICE
        | PI_MEMORY_SCOPE_SYSTEM;
    for (name, expected) in [
        (PI_DEVICE_INFO_TYPE, PI_DEVICE_TYPE_GPU),
        (PI_DEVICE_INFO_SINGLE_FP_CONFIG, float | PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
        (PI_DEVICE_INFO_HALF_FP_CONFIG, if_there(ZE_DEVICE_MODULE_FLAG_FP16)),
        (PI_DEVICE_INFO_DOUBLE_FP_CONFIG, if_there(ZE_DEVICE_MODULE_FLAG_FP64)),
        (PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE, (4 << 30) - 4096),
        (PI_DEVICE_INFO_GLOBAL_MEM_SIZE, 4 << 30),
        (PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE, 4 << 20),
        (PI_DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE, 1 << 26),
        (PI_DEVICE_INFO_LOCAL_MEM_SIZE, said.compute.maxSharedLocalMemory.into()),
        (PI_DEVICE_INFO_MAX_MEM_BANDWIDTH, 68_000_000_000),
        (PI_DEVICE_INFO_MAX_PARAMETER_SIZE, 2048),
        (PI_DEVICE_INFO_PRINTF_BUFFER_SIZE, 4 << 20),
        (PI_DEVICE_INFO_PROFILING_TIMER_RESOLUTION, 80),
        (PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, said.compute.maxTotalGroupSize.into()),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS, u32::MAX.into()),
        (PI_DEVICE_INFO_EXECUTION_CAPABILITIES, PI_DEVICE_EXEC_CAPABILITIES_KERNEL),
        (
            PI_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES,
            PI_QUEUE_FLAG_PROFILING_ENABLE | PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        ),
        (PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES, 0),
        (PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH, 16384),
        (PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT, 16384),
        (PI_DEVICE_INFO_IMAGE3D_MAX_WIDTH, 2048),
        (PI_DEVICE_INFO_IMAGE3D_MAX_HEIGHT, 2048),
        (PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH, 2048),
        (PI_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, 1 << 26),
        (PI_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, 2048),
        (PI_DEVICE_INFO_USM_HOST_SUPPORT, PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS),
        (PI_DEVICE_INFO_USM_DEVICE_SUPPORT, all),
        (PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, all),
        (PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT, PI_USM_ACCESS),
        (PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT, 0),
        (PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, orders),
        (PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, orders),
        (PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, scopes),
        (PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, scopes),
    ] {
        assert_eq!(answer_u64(fixture.device, name), expected, "{name:#x}");
    }
}

fn lists() {
    let fixture = Fixture::new(newest());
    let said = Driver::of(fixture.device);
    let side = u64::from(said.compute.maxGroupSizeX);
    let count = u64::from(u32::MAX);
    let sizes: Vec<u64> = said.sub_group_sizes().iter().map(|size| u64::from(*size)).collect();
    for (name, expected) in [
        (PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, vec![side; 3]),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, vec![count; 1]),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D, vec![count; 2]),
        (PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, vec![count; 3]),
        (PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sizes),
    ] {
        assert_eq!(answer_list(fixture.device, name), expected, "{name:#x}");
    }
    let root_and_part = *b"soft\0\0\0\0\0\0\0\0\0\0\0\0";
    assert_eq!(answer(fixture.device, PI_DEVICE_INFO_UUID), root_and_part);
}

fn texts() {
    let fixture = Fixture::new(newest());
    let said = Driver::of(fixture.device);
    let text = |name| {
        let mut bytes = answer(fixture.device, name);
        assert_eq!(bytes.pop(), Some(0), "{name:#x}");
        String::from_utf8(bytes).unwrap()
    };
    let minor = std::env::var("PI_SOFT_ZE_API_MINOR").unwrap_or_else(|_| "6".to_owned());
    for (name, expected) in [
        (PI_DEVICE_INFO_NAME, "Software Level Zero Device"),
        (PI_DEVICE_INFO_VENDOR, "Intel(R) Corporation"),
        (PI_DEVICE_INFO_DRIVER_VERSION, "1.3.24595"),
        (PI_DEVICE_INFO_BACKEND_VERSION, "1.3.24595"),
        (PI_DEVICE_INFO_VERSION, &format!("1.{minor}")),
        (PI_DEVICE_INFO_PROFILE, "FULL_PROFILE"),
        (PI_DEVICE_INFO_OPENCL_C_VERSION, ""),
        (PI_DEVICE_INFO_BUILT_IN_KERNELS, ""),
        (PI_DEVICE_INFO_IL_VERSION, "SPIR-V_1.2"),
        (PI_DEVICE_INFO_PCI_ADDRESS, "0000:03:02.1"),
    ] {
        assert_eq!(text(name), expected, "{name:#x}");
    }
    let extensions = text(PI_DEVICE_INFO_EXTENSIONS);
    let extensions: Vec<&str> = extensions.split_whitespace().collect();
    for (name, there) in [
        ("cl_khr_il_program", true),
        ("cl_khr_subgroups", true),
        ("cl_khr_int64_base_atomics", said.has(ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS)),
        ("cl_khr_fp16", said.has(ZE_DEVICE_MODULE_FLAG_FP16)),
        ("cl_khr_fp64", said.has(ZE_DEVICE_MODULE_FLAG_FP64)),
        ("cl_khr_3d_image_writes", true),
        ("cl_intel_bfloat16_conversions", false),
    ] {
        assert_eq!(extensions.contains(&name), there, "{name}");
    }
}

/// Returns the sub-devices by a scheme and its value.
pub(super) fn partition(device: pi_device, scheme: &[pi_device_partition_property]) -> Vec<pi_device> {
    let (pi, mut count, scheme) = (newest(), 0, scheme.as_ptr());
    ok!(pi, piDevicePartition(device, scheme, 0, null_mut(), &mut count));
    let mut list = vec![null_mut(); count as usize];
    ok!(pi, piDevicePartition(device, scheme, count, list.as_mut_ptr(), null_mut()));
    list
}

/// The software driver has sub-devices if it is told so, and every device without them has 4 compute engines.
fn parts() {
    let fixture = Fixture::new(newest());
    let by_engine = PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE;
    let by_domain = PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    let next = PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    let said = Driver::of(fixture.device);
    let units = said.properties.numSubslicesPerSlice * 8;
    let (root, mut whole) = (fixture.device, fixture.device);
    let is = |device, scheme: u64, count, domains| {
        let schemes = if scheme == 0 { vec![0] } else { vec![scheme, 0] };
        assert_eq!(answer_list(device, PI_DEVICE_INFO_PARTITION_PROPERTIES), schemes);
        assert_eq!(answer_u32(device, PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES), count);
        assert_eq!(answer_u64(device, PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN), domains);
    };
    assert_eq!(answer_u64(root, PI_DEVICE_INFO_PARENT_DEVICE), 0);
    assert!(answer(root, PI_DEVICE_INFO_PARTITION_TYPE).is_empty());
    if said.properties.numSlices > 1 {
        is(root, by_domain as u64, said.properties.numSlices, PI_DEVICE_AFFINITY_DOMAIN_NUMA | next);
        let tiles = partition(root, &[by_domain, next as pi_device_partition_property, 0]);
        assert_eq!(tiles.len(), said.properties.numSlices as usize);
        whole = tiles[1];
        assert_eq!(answer_u64(whole, PI_DEVICE_INFO_PARENT_DEVICE), root.addr() as u64);
        assert_eq!(answer_list(whole, PI_DEVICE_INFO_PARTITION_TYPE), [by_domain as u64, next, 0]);
        assert_eq!(answer_u32(whole, PI_DEVICE_INFO_MAX_COMPUTE_UNITS), units);
    }
    is(whole, by_engine as u64, 4, 0);
    let engines = partition(whole, &[by_engine, 0]);
    assert_eq!(engines.len(), 4);
    for engine in engines {
        is(engine, 0, 0, 0);
        assert_eq!(answer_u64(engine, PI_DEVICE_INFO_PARENT_DEVICE), whole.addr() as u64);
        assert_eq!(answer_list(engine, PI_DEVICE_INFO_PARTITION_TYPE), [by_engine as u64, 0]);
        assert_eq!(answer_u32(engine, PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES), 1);
        assert_eq!(answer_u32(engine, PI_DEVICE_INFO_MAX_COMPUTE_UNITS), units / 4);
        assert_eq!(answer_u32(engine, PI_DEVICE_INFO_REFERENCE_COUNT), 1);
        ok!(newest(), piDeviceRetain(engine));
        assert_eq!(answer_u32(engine, PI_DEVICE_INFO_REFERENCE_COUNT), 2);
        ok!(newest(), piDeviceRelease(engine));
        ok!(newest(), piDeviceRelease(engine));
    }
}

fn free_memory() {
    // Larger than what the plugin shares among allocations.
    const SIZE: u64 = 8 << 20;
    let fixture = Fixture::new(newest());
    let free = || answer_u64(fixture.device, PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY);
    let before = free();
    assert!((1..=4 << 30).contains(&before), "{before}");
    let memory = fixture.device_memory(SIZE as usize);
    assert_eq!(free(), before - SIZE);
    drop(memory);
    assert_eq!(free(), before);
}

fn no_modules() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(newest()));
    // The second one reports success, and a count of 0.
    for (fault, expected) in [("ERROR_UNINITIALIZED", "ZES_ENABLE_SYSMAN"), ("SUCCESS", "no memory modules")]
    {
        for name in [PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY, PI_DEVICE_INFO_MAX_MEM_BANDWIDTH] {
            soft.fault(&format!("zesDeviceEnumMemoryModules:*=ZE_RESULT_{fault}"));
            let mut room = [0_u8; 8];
            let text = fails!(
                fixture.pi,
                piDeviceGetInfo(fixture.device, name, 8, room.as_mut_ptr().cast(), null_mut()),
                PI_ERROR_INVALID_VALUE
            );
            soft.fault("");
            assert!(text.contains(expected), "{text}");
        }
    }
}
