//! Queries of devices that are not at hand, which a fake driver answers.

use testing_opencl::fake::{FakeDriver, device_type, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "device_info",
        [
            a_cache_of_which_the_driver_tells_nothing_is_a_line,
            sub_groups_are_as_many_as_the_driver_tells_and_at_least_one,
            each_work_item_is_a_sub_group_where_the_driver_has_none,
            a_gpu_of_intel_tells_of_its_units,
            only_gpus_of_intel_have_explicit_simd,
            only_a_device_with_the_extension_has_a_pci_address,
            a_driver_before_opencl_2_has_no_queues_on_the_device,
            command_buffers_need_clones_of_kernels,
            atomics_of_64_bits_need_both_extensions,
            llvmpipe_has_atomics_of_64_bits_that_rusticl_does_not_list,
            a_processor_under_pocl_has_half_precision,
            usm_of_the_driver_s_own_is_told_as_it_is,
            only_partitions_of_the_interface_are_told,
            a_device_has_one_index_of_queues,
        ]
    );
}

fn number(driver: &FakeDriver, name: pi_device_info) -> u32 {
    get!(pi(), piDeviceGetInfo(driver.device.handle(), name) as u32)
}

fn is_refused(driver: &FakeDriver, name: pi_device_info) {
    let (device, mut size) = (driver.device.handle(), 0);
    refused!(pi(), piDeviceGetInfo(device, name, 0, std::ptr::null_mut(), &mut size), PI_ERROR_INVALID_VALUE);
}

/// rusticl tells 0, by which programs divide. The usual line has 64 bytes.
fn a_cache_of_which_the_driver_tells_nothing_is_a_line() {
    for (told, expected) in [((0, 0), (64, 64)), ((128, 1 << 20), (128, 1 << 20))] {
        let driver = FakeDriver::unknown();
        let (line, cache): (u32, u64) = told;
        driver.device.tell(query::DEVICE_GLOBAL_MEM_CACHELINE_SIZE, line);
        driver.device.tell(query::DEVICE_GLOBAL_MEM_CACHE_SIZE, cache);
        let size =
            get!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE) as u64);
        assert_eq!((number(&driver, PI_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE), size), expected);
    }
}

fn sub_group_sizes(driver: &FakeDriver) -> Vec<usize> {
    let bytes = bytes!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL));
    bytes.as_chunks().0.iter().map(|size| usize::from_ne_bytes(*size)).collect()
}

/// The facts of a device about sub-groups: most in a work-group, progress of each, sizes.
fn sub_groups(driver: &FakeDriver) -> (u32, u32, Vec<usize>) {
    let most = number(driver, PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS);
    let progress = number(driver, PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS);
    (most, progress, sub_group_sizes(driver))
}

fn sub_groups_are_as_many_as_the_driver_tells_and_at_least_one() {
    let driver = FakeDriver::unknown();
    driver.device.tell(query::DEVICE_MAX_NUM_SUB_GROUPS, 512_u32);
    driver.device.tell(query::DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 1_u32);
    driver.device.tell(query::DEVICE_SUB_GROUP_SIZES_INTEL, [4_usize, 8, 16]);
    assert_eq!(sub_groups(&driver), (512, PI_TRUE, vec![4, 8, 16]));
    // Drivers before OpenCL 2.1 refuse the queries. SYCL asks for values all the same.
    assert_eq!(sub_groups(&FakeDriver::unknown()), (1, PI_FALSE, vec![1]));
}

/// A work-group has as many sub-groups as work-items then: 4096 here. dpctl needs a last size of 16 at least.
fn each_work_item_is_a_sub_group_where_the_driver_has_none() {
    let driver = FakeDriver::unknown();
    driver.device.tell(query::DEVICE_MAX_NUM_SUB_GROUPS, 0_u32);
    driver.device.tell(query::DEVICE_SUB_GROUP_SIZES_INTEL, [0_usize, 1, 2, 3]);
    assert_eq!(sub_groups(&driver), (4096, PI_FALSE, vec![1, 16]));
}

const UNITS: [pi_device_info; 5] = [
    PI_DEVICE_INFO_GPU_EU_COUNT,
    PI_DEVICE_INFO_GPU_SLICES,
    PI_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE,
    PI_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE,
    PI_DEVICE_INFO_GPU_HW_THREADS_PER_EU,
];

/// A GPU with 2 slices of 3 sub-slices of 5 execution units with 7 threads each.
fn gpu(extensions: &str) -> FakeDriver {
    let driver = FakeDriver::unknown();
    driver
        .device
        .tell(query::DEVICE_TYPE, device_type::GPU)
        .tell_text(query::DEVICE_EXTENSIONS, extensions)
        .tell(query::DEVICE_NUM_SLICES_INTEL, 2_u32)
        .tell(query::DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, 3_u32)
        .tell(query::DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, 5_u32)
        .tell(query::DEVICE_NUM_THREADS_PER_EU_INTEL, 7_u32);
    driver
}

fn a_gpu_of_intel_tells_of_its_units() {
    let driver = gpu("cl_khr_fp64 cl_intel_device_attribute_query");
    assert_eq!(UNITS.map(|name| number(&driver, name)), [30, 2, 3, 5, 7]);
    for name in UNITS {
        is_refused(&gpu("cl_khr_fp64"), name);
    }
    let cpu = gpu("cl_intel_device_attribute_query");
    cpu.device.tell(query::DEVICE_TYPE, device_type::CPU);
    for name in UNITS {
        is_refused(&cpu, name);
    }
}

fn only_gpus_of_intel_have_explicit_simd() {
    const INTEL: u32 = 0x8086;
    const NVIDIA: u32 = 0x10de;
    for (kind, vendor, expected) in [
        (device_type::GPU | device_type::DEFAULT, INTEL, PI_TRUE),
        (device_type::GPU, NVIDIA, PI_FALSE),
        (device_type::CPU, INTEL, PI_FALSE),
    ] {
        let driver = gpu("");
        driver.device.tell(query::DEVICE_TYPE, kind).tell(query::DEVICE_VENDOR_ID, vendor);
        assert_eq!(number(&driver, PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT), expected, "{kind} {vendor:#x}");
        // A program built for a GPU also runs on its parts.
        let is_gpu = pi_bool::from(kind & device_type::GPU != 0);
        assert_eq!(number(&driver, PI_DEVICE_INFO_BUILD_ON_SUBDEVICE), is_gpu);
    }
}

fn only_a_device_with_the_extension_has_a_pci_address() {
    for (extensions, has_address) in [("cl_khr_fp64 cl_khr_pci_bus_info", true), ("cl_khr_fp64", false)] {
        let driver = gpu(extensions);
        driver.device.tell(query::DEVICE_PCI_BUS_INFO_KHR, [0_u32, 0x3b, 2, 1]);
        if has_address {
            let address = text!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_PCI_ADDRESS));
            assert_eq!(address, "0000:3b:02.1");
        } else {
            is_refused(&driver, PI_DEVICE_INFO_PCI_ADDRESS);
        }
    }
}

/// Intel's FPGA emulator implements OpenCL 1.2, and tells of properties of queues that it cannot create.
fn a_driver_before_opencl_2_has_no_queues_on_the_device() {
    for (version, expected) in [("OpenCL 1.2 fake", 0), ("OpenCL 2.0 fake", 3), ("OpenCL 3.0 fake", 3)] {
        let driver = FakeDriver::unknown();
        driver.platform.tell_text(query::PLATFORM_VERSION, version);
        let device = driver.device.tell(query::DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 3_u64).handle();
        let name = PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES;
        assert_eq!(get!(pi(), piDeviceGetInfo(device, name) as u64), expected, "{version}");
    }
}

/// `clCloneKernel` came with OpenCL 2.1.
fn command_buffers_need_clones_of_kernels() {
    for (version, expected) in [("OpenCL 2.0 fake", PI_FALSE), ("OpenCL 2.1 fake", PI_TRUE)] {
        let driver = FakeDriver::unknown();
        driver.platform.tell_text(query::PLATFORM_VERSION, version);
        let answer = number(&driver, PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT);
        assert_eq!(answer, expected, "{version}");
    }
}

fn atomics_of_64_bits_need_both_extensions() {
    const BASE: &str = "cl_khr_int64_base_atomics";
    const EXTENDED: &str = "cl_khr_int64_extended_atomics";
    for (extensions, expected) in [
        (format!("{BASE} {EXTENDED}"), PI_TRUE),
        (BASE.to_owned(), PI_FALSE),
        (EXTENDED.to_owned(), PI_FALSE),
        (String::new(), PI_FALSE),
    ] {
        let driver = FakeDriver::unknown();
        driver.device.tell_text(query::DEVICE_EXTENSIONS, &extensions);
        assert_eq!(number(&driver, PI_DEVICE_INFO_ATOMIC_64), expected, "{extensions}");
    }
}

/// Random kernels and dpnp's histograms compute with them on llvmpipe. No GPU of rusticl was tried.
fn llvmpipe_has_atomics_of_64_bits_that_rusticl_does_not_list() {
    const LISTED: &str = "cl_khr_fp64";
    for (platform, kind, expected) in [
        ("rusticl", device_type::CPU, PI_TRUE),
        ("rusticl", device_type::GPU, PI_FALSE),
        ("Portable Computing Language", device_type::CPU, PI_FALSE),
    ] {
        let driver = FakeDriver::unknown();
        driver.platform.tell_text(query::PLATFORM_NAME, platform);
        driver.device.tell(query::DEVICE_TYPE, kind).tell_text(query::DEVICE_EXTENSIONS, LISTED);
        assert_eq!(number(&driver, PI_DEVICE_INFO_ATOMIC_64), expected, "{platform} {kind}");
        let text = text!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_EXTENSIONS));
        let added = text.contains(" cl_khr_int64_base_atomics cl_khr_int64_extended_atomics");
        assert_eq!(
            (text.starts_with(LISTED), added),
            (true, expected == PI_TRUE),
            "{platform} {kind}: {text}"
        );
    }
}

/// Programs are rewritten for it. PoCL's other devices have what they say.
fn a_processor_under_pocl_has_half_precision() {
    const ROUNDED_WITH_DENORMALS_AND_INFINITY: u64 = 7;
    for (platform, version, kind, expected) in [
        ("Portable Computing Language", "7.1", device_type::CPU, true),
        ("Portable Computing Language", "6.0", device_type::CPU, true),
        ("Portable Computing Language", "3.1", device_type::CPU, false),
        ("Portable Computing Language", "7.1", device_type::GPU, false),
        ("rusticl", "26.1", device_type::CPU, false),
    ] {
        let driver = FakeDriver::unknown();
        driver.platform.tell_text(query::PLATFORM_NAME, platform);
        driver.device.tell(query::DEVICE_TYPE, kind).tell_text(query::DRIVER_VERSION, version);
        driver.device.tell_text(query::DEVICE_EXTENSIONS, "").tell(query::DEVICE_HALF_FP_CONFIG, 0_u64);
        let text = text!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_EXTENSIONS));
        assert_eq!(text.contains("cl_khr_fp16"), expected, "{platform} {version} {kind}");
        let config =
            get!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_HALF_FP_CONFIG) as u64);
        let told = if expected { ROUNDED_WITH_DENORMALS_AND_INFINITY } else { 0 };
        assert_eq!(config, told, "{platform} {version} {kind}");
    }
}

/// A driver with USM may have less of it than its shared virtual memory would allow, and more.
fn usm_of_the_driver_s_own_is_told_as_it_is() {
    const NAMES: [pi_device_info; 5] = [
        PI_DEVICE_INFO_USM_HOST_SUPPORT,
        PI_DEVICE_INFO_USM_DEVICE_SUPPORT,
        PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT,
        PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT,
        PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT,
    ];
    const COARSE_GRAIN_BUFFER: u64 = 1;
    let all =
        PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ACCESS | PI_USM_CONCURRENT_ATOMIC_ACCESS;
    let own = [all, PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS, 0, PI_USM_ACCESS, all];
    for has_usm in [true, false] {
        let driver = FakeDriver::unknown();
        for (name, value) in NAMES.into_iter().zip(own) {
            driver.device.tell(name, value);
        }
        driver.device.tell(query::DEVICE_SVM_CAPABILITIES, COARSE_GRAIN_BUFFER);
        if has_usm {
            driver.platform.extend("clDeviceMemAllocINTEL", driver.platform.handle::<()>().cast());
        }
        let answers = NAMES
            .map(|name| get!(pi(), piDeviceGetInfo(driver.device.handle(), name) as pi_usm_capabilities));
        // Coarse grains suffice for all but memory of several devices and of the system.
        let of_coarse = [PI_USM_ACCESS, PI_USM_ACCESS, PI_USM_ACCESS, 0, 0];
        assert_eq!(answers, if has_usm { own } else { of_coarse });
    }
}

/// OpenCL's partition by names has no number in PI. Intel's CPU runtime of 2023 answers half a word for a sub-device.
fn only_partitions_of_the_interface_are_told() {
    const BY_NAMES_INTEL: isize = 0x4052;
    let driver = FakeDriver::unknown();
    let told = || bytes!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_PARTITION_PROPERTIES));
    let list = [PI_DEVICE_PARTITION_EQUALLY, BY_NAMES_INTEL, PI_DEVICE_PARTITION_BY_COUNTS];
    driver.device.tell(query::DEVICE_PARTITION_PROPERTIES, list);
    let expected = [PI_DEVICE_PARTITION_EQUALLY, PI_DEVICE_PARTITION_BY_COUNTS, 0];
    assert_eq!(told(), expected.map(isize::to_ne_bytes).concat());
    driver.device.tell(query::DEVICE_PARTITION_PROPERTIES, 0_u32);
    assert_eq!(told(), [0; size_of::<pi_device_partition_property>()]);
}

/// OpenCL has no such index.
fn a_device_has_one_index_of_queues() {
    assert_eq!(number(&FakeDriver::unknown(), PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES), 1);
}
