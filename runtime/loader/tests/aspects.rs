//! Tests which answers give a device which aspect, according to SYCL's documents and PI's numbers.
//!
//! The plugin is a fake, which gives the answers that a test requests, and an error for every other query.
#![expect(unsafe_code, reason = "the tests open plugins")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;

use sycl_pi_loader::{DeviceInfo, Plugin, Version, aspect_names};

/// What `piDevicesGet` answers: the number that it says first, whether each handle that it then writes is one, and the
/// number that it then says. Without any it fails as a platform without devices does.
type Listing = Option<(u32, &'static [bool], u32)>;

thread_local! {
    static LISTING: Cell<Listing> = const { Cell::new(Some((1, &[true], 1))) };
    static ANSWERS: RefCell<BTreeMap<u32, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    static ASKED: RefCell<BTreeSet<u32>> = const { RefCell::new(BTreeSet::new()) };
}

const DEVICE_NOT_FOUND: i32 = -1;
const INVALID_VALUE: i32 = -30;

/// # Safety
/// `handles` and `found` are null or valid.
unsafe extern "C" fn one_handle(count: u32, handles: *mut *mut c_void, found: *mut u32) -> i32 {
    static HANDLE: u64 = 0;
    // SAFETY: each address is null or valid.
    unsafe {
        if count > 0 && !handles.is_null() {
            handles.write((&raw const HANDLE).cast_mut().cast());
        }
        if !found.is_null() {
            found.write(1);
        }
    }
    0
}

/// # Safety
/// The requirements of [`one_handle`] apply.
unsafe extern "C" fn devices_get(
    _platform: *mut c_void,
    _kind: u64,
    count: u32,
    handles: *mut *mut c_void,
    found: *mut u32,
) -> i32 {
    static HANDLE: u64 = 0;
    let Some((first, listed, then)) = LISTING.get() else { return DEVICE_NOT_FOUND };
    // SAFETY: each address is null or valid.
    unsafe {
        if !handles.is_null() {
            for (number, is_one) in (0..count as usize).zip(listed) {
                let handle = if *is_one { &raw const HANDLE } else { std::ptr::null() };
                handles.add(number).write(handle.cast_mut().cast());
            }
        }
        if !found.is_null() {
            found.write(if handles.is_null() { first } else { then });
        }
    }
    0
}

/// # Safety
/// `value` is null or has `size` bytes, and `needed` is null or valid.
unsafe extern "C" fn device_get_info(
    _device: *mut c_void,
    name: u32,
    size: usize,
    value: *mut c_void,
    needed: *mut usize,
) -> i32 {
    ASKED.with_borrow_mut(|asked| asked.insert(name));
    let Some(answer) = ANSWERS.with_borrow(|answers| answers.get(&name).cloned()) else {
        return INVALID_VALUE;
    };
    // SAFETY: each address is null or valid, the first for `size` bytes.
    unsafe {
        if !value.is_null() && size >= answer.len() {
            value.cast::<u8>().copy_from_nonoverlapping(answer.as_ptr(), answer.len());
        }
        if !needed.is_null() {
            needed.write(answer.len());
        }
    }
    0
}

/// `piPluginInit` of a plugin that serves every version.
///
/// # Safety
/// `plugin` is the structure of the version whose text it starts with.
unsafe extern "C" fn init(plugin: *mut c_void) -> i32 {
    // SAFETY: the structure starts with the host's version.
    let text = unsafe { CStr::from_ptr(plugin.cast::<c_char>()) };
    let Some(version) = Version::from_text(text.to_bytes()) else { return INVALID_VALUE };
    let offsets = version.offsets();
    // piPlatformsGet, piDevicesGet and piDeviceGetInfo have these slots in every version.
    let functions = [
        (0, one_handle as *const c_void),
        (4, devices_get as *const c_void),
        (5, device_get_info as *const c_void),
    ];
    // SAFETY: all offsets are this version's.
    unsafe {
        let bytes = plugin.cast::<u8>();
        bytes.add(offsets.version_field).copy_from(text.as_ptr().cast(), text.to_bytes_with_nul().len());
        for (slot, function) in functions {
            bytes.add(offsets.table).cast::<*const c_void>().add(slot).write(function);
        }
    }
    0
}

/// Returns the device of a fake plugin, with this file name, that gives these answers.
fn device(file: &str, version: Version, answers: &[(u32, Vec<u8>)]) -> DeviceInfo {
    ANSWERS.set(answers.iter().cloned().collect());
    // SAFETY: the plugin is above.
    let plugin = unsafe { Plugin::of_init(Path::new(file), init, version) }.unwrap();
    let platforms = plugin.platforms().unwrap();
    platforms[0].devices().unwrap()[0].info()
}

fn aspects(file: &str, version: Version, answers: &[(u32, Vec<u8>)]) -> BTreeSet<&'static str> {
    device(file, version, answers).aspects.into_iter().collect()
}

const OPENCL: &str = "libpi_opencl.so";

const TYPE: u32 = 0x1000;
const VENDOR_ID: u32 = 0x1001;
const EXTENSIONS: u32 = 0x1030;

fn number(value: u64) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

/// The answer required for the aspects in the same entry.
#[derive(Clone, Copy)]
enum Answer {
    /// Any answer: the aspect means that the query is supported.
    Any,
    /// True, or a configuration that is not empty.
    True,
    /// A number with this bit.
    Bit(u64),
}
use Answer::{Any, Bit, True};

/// Capabilities of USM (cl_intel_unified_shared_memory): access is bit 0, concurrent atomic access bit 3.
const ACCESS: u64 = 1;
const CONCURRENT_ATOMIC: u64 = 8;

/// Queries, and the aspects that they determine (SYCL 2020, 4.6.4.5, and the extensions that name the other aspects).
const QUESTIONS: &[(u32, Answer, &[&str])] = &[
    (0x1033, True, &["fp16"]),
    (0x1032, True, &["fp64"]),
    (0x1016, True, &["image", "ext_intel_legacy_image"]),
    (0x1028, True, &["online_compiler"]),
    (0x103e, True, &["online_linker"]),
    // CL_QUEUE_PROFILING_ENABLE is bit 1.
    (0x102a, Bit(2), &["queue_profiling"]),
    (0x4191, Bit(ACCESS), &["usm_device_allocations"]),
    (0x4190, Bit(ACCESS), &["usm_host_allocations"]),
    (0x4190, Bit(CONCURRENT_ATOMIC), &["usm_atomic_host_allocations"]),
    (0x4192, Bit(ACCESS), &["usm_shared_allocations"]),
    (0x4192, Bit(CONCURRENT_ATOMIC), &["usm_atomic_shared_allocations"]),
    (0x4194, Bit(ACCESS), &["usm_system_allocations"]),
    (0x10020, Any, &["ext_intel_pci_address"]),
    (0x10021, Any, &["ext_intel_gpu_eu_count"]),
    (0x10022, Any, &["ext_intel_gpu_eu_simd_width"]),
    (0x10023, Any, &["ext_intel_gpu_slices"]),
    (0x10024, Any, &["ext_intel_gpu_subslices_per_slice"]),
    (0x10025, Any, &["ext_intel_gpu_eu_count_per_subslice"]),
    (0x20008, True, &["ext_intel_mem_channel"]),
    (0x106a, Any, &["ext_intel_device_info_uuid"]),
    (0x10027, True, &["ext_oneapi_srgb"]),
    (0x10112, Any, &["ext_intel_gpu_hw_threads_per_eu"]),
    (0x20004, True, &["ext_oneapi_cuda_async_barrier"]),
    (0x1ffff, True, &["ext_oneapi_bfloat16_math_functions"]),
    (0x10029, Any, &["ext_intel_free_memory"]),
    (0x4251, Any, &["ext_intel_device_id"]),
    (0x10030, Any, &["ext_intel_memory_clock_rate"]),
    (0x10031, Any, &["ext_intel_memory_bus_width"]),
    (0x20100, True, &["ext_oneapi_bindless_images"]),
    (0x20101, True, &["ext_oneapi_bindless_images_shared_usm"]),
    (0x20102, True, &["ext_oneapi_bindless_images_1d_usm"]),
    (0x20103, True, &["ext_oneapi_bindless_images_2d_usm"]),
    (0x2010c, True, &["ext_oneapi_interop_memory_import"]),
    (0x2010d, True, &["ext_oneapi_interop_memory_export"]),
    (0x2010e, True, &["ext_oneapi_interop_semaphore_import"]),
    (0x2010f, True, &["ext_oneapi_interop_semaphore_export"]),
    (0x20108, True, &["ext_oneapi_mipmap"]),
    (0x20109, True, &["ext_oneapi_mipmap_anisotropy"]),
    (0x2010b, True, &["ext_oneapi_mipmap_level_reference"]),
    (0x20110, Any, &["ext_intel_matrix"]),
    (0x20111, Any, &["ext_oneapi_is_composite"]),
    (0x20112, True, &["ext_oneapi_is_component"]),
    (0x20113, True, &["ext_oneapi_limited_graph"]),
    (0x20115, True, &["ext_oneapi_cubemap"]),
    (0x20116, True, &["ext_oneapi_cubemap_seamless_filtering"]),
];

/// Aspects that other tests of this file determine: from extensions, the backend, the vendor or two queries.
const OTHERWISE: [&str; 10] = [
    "atomic64",
    "ext_oneapi_native_assert",
    "ext_intel_esimd",
    "ext_oneapi_ballot_group",
    "ext_oneapi_fixed_size_group",
    "ext_oneapi_opportunistic_group",
    "ext_oneapi_tangle_group",
    "ext_oneapi_graph",
    "ext_oneapi_private_alloca",
    "ext_oneapi_virtual_functions",
];

#[test]
fn every_aspect_is_decided_by_a_test() {
    let types = ["cpu", "gpu", "accelerator", "custom"];
    let by_question: Vec<&str> = QUESTIONS.iter().flat_map(|(.., aspects)| *aspects).copied().collect();
    let decided = BTreeSet::from_iter([&types[..], &OTHERWISE, &by_question].concat());
    assert_eq!(decided, aspect_names().collect());
}

/// Each query changes only its own aspects.
#[test]
fn each_question_decides_its_aspects_and_no_other() {
    let processor = (TYPE, number(2));
    let without = aspects(OPENCL, Version::NEWEST, std::slice::from_ref(&processor));
    let added = |question: u32, answer: Vec<u8>| {
        let with = aspects(OPENCL, Version::NEWEST, &[processor.clone(), (question, answer)]);
        assert!(without.is_subset(&with), "{question:#x}");
        with.difference(&without).copied().collect::<BTreeSet<_>>()
    };
    for &(question, answer, expected) in QUESTIONS {
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        let (yes, no) = match answer {
            Any => (vec![number(0), vec![1; 16]], vec![vec![]]),
            True => (vec![vec![1], vec![1, 0, 0, 0], number(1 << 40)], vec![vec![0], number(0), vec![]]),
            Bit(bit) => {
                (vec![number(bit)], vec![number(0xf & !(bit | ACCESS | CONCURRENT_ATOMIC)), number(0)])
            }
        };
        for answer in yes {
            assert_eq!(added(question, answer.clone()), expected, "{question:#x} answers {answer:?}");
        }
        for answer in no {
            assert_eq!(added(question, answer.clone()), BTreeSet::new(), "{question:#x} answers {answer:?}");
        }
    }
    // A number has at most eight bytes.
    assert_eq!(added(0x1033, vec![1; 9]), BTreeSet::new());
}

/// USM that is accessible without concurrent atomics, and with all capabilities at once.
#[test]
fn bits_are_taken_one_by_one() {
    let all = [0x4190, 0x4191, 0x4192, 0x4194].map(|question| (question, number(0xf)));
    let found = aspects(OPENCL, Version::NEWEST, &all);
    for name in ["device", "host", "shared", "system", "atomic_host", "atomic_shared"] {
        assert!(found.contains(format!("usm_{name}_allocations").as_str()), "{name}");
    }
    // Cross-device sharing determines no aspect.
    assert_eq!(
        aspects(OPENCL, Version::NEWEST, &[(0x4193, number(0xf))]),
        aspects(OPENCL, Version::NEWEST, &[])
    );
}

#[test]
fn graphs_that_change_need_both_answers() {
    let graph = |answers: &[u32]| {
        let answers: Vec<_> = answers.iter().map(|&question| (question, vec![1])).collect();
        aspects(OPENCL, Version::NEWEST, &answers).contains("ext_oneapi_graph")
    };
    assert!(graph(&[0x20113, 0x20114]));
    assert!(!graph(&[0x20113]) && !graph(&[0x20114]));
}

#[test]
fn extensions_decide_where_they_say_the_same() {
    let with = |extensions: &str| {
        let mut text = extensions.as_bytes().to_vec();
        text.push(0);
        aspects(OPENCL, Version::NEWEST, &[(EXTENSIONS, text)])
    };
    let none = with("");
    let added = |extensions: &str| with(extensions).difference(&none).copied().collect::<Vec<_>>();
    assert_eq!(added("cl_khr_fp16"), ["fp16"]);
    assert_eq!(added("cl_khr_fp64"), ["fp64"]);
    assert_eq!(added("cl_intel_devicelib_assert"), ["ext_oneapi_native_assert"]);
    assert_eq!(added("cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"), ["atomic64"]);
    assert!(added("cl_khr_int64_base_atomics cl_khr_fp16x").is_empty());
    assert!(added("cl_khr_int64_extended_atomics").is_empty());
    // The configuration gives the same information, and the aspect is listed once.
    let answers = [(EXTENSIONS, b"cl_khr_fp64\0".to_vec()), (0x1032, number(1))];
    let found = device(OPENCL, Version::NEWEST, &answers).aspects;
    assert_eq!(found.iter().filter(|name| **name == "fp64").count(), 1);
}

#[test]
fn a_device_has_the_aspect_of_its_type() {
    let of = |kind: u64| aspects("libpi_other.so", Version::NEWEST, &[(TYPE, number(kind))]);
    // CL_DEVICE_TYPE_CPU, _GPU, _ACCELERATOR, _CUSTOM. A default device has bit 0 in addition to its own.
    for (kind, name) in [(2, "cpu"), (4, "gpu"), (8, "accelerator"), (16, "custom"), (3, "cpu")] {
        assert_eq!(of(kind), [name].into(), "{kind}");
    }
    assert_eq!(aspects("libpi_other.so", Version::NEWEST, &[]), ["custom"].into());
}

/// Non-uniform groups are implemented with other features, and private memory whose size is a constant is implemented
/// in SPIR-V.
#[test]
fn some_aspects_come_with_the_backend() {
    let of = |file: &str, kind: u64| aspects(file, Version::NEWEST, &[(TYPE, number(kind))]);
    let groups =
        ["ballot", "fixed_size", "opportunistic", "tangle"].map(|name| format!("ext_oneapi_{name}_group"));
    for (file, is_known, takes_spirv) in [
        (OPENCL, true, true),
        ("/opt/libpi_level_zero.so", true, true),
        ("libpi_cuda.so", true, false),
        ("libpi_hip.so", false, false),
    ] {
        for kind in [2, 4, 8] {
            let found = of(file, kind);
            assert!(groups.iter().all(|group| found.contains(group.as_str()) == is_known), "{file}");
            assert_eq!(found.contains("ext_oneapi_private_alloca"), takes_spirv, "{file}");
            let has_functions = takes_spirv && kind != 8;
            assert_eq!(found.contains("ext_oneapi_virtual_functions"), has_functions, "{file} {kind}");
        }
    }
}

#[test]
fn intels_gpus_run_explicit_simd() {
    let runs = |kind: u64, vendor: u64| {
        let answers = [(TYPE, number(kind)), (VENDOR_ID, number(vendor))];
        aspects(OPENCL, Version::NEWEST, &answers).contains("ext_intel_esimd")
    };
    assert!(runs(4, 0x8086));
    assert!(!runs(2, 0x8086) && !runs(4, 0x10de) && !runs(8, 0x8086));
}

/// Numbers have up to eight bytes, texts end at their zero byte, and arrays consist of `size_t`. Properties without an
/// answer are absent.
#[test]
fn a_device_is_read_as_it_answers() {
    let text = |text: &str| [text.as_bytes(), b" \0rest"].concat();
    let found = device(
        OPENCL,
        Version::NEWEST,
        &[
            (TYPE, number(4)),
            (VENDOR_ID, vec![0x86, 0x80, 0, 0]),
            (0x102b, text(" A GPU")),
            (0x102c, text("A vendor")),
            (0x102f, text("OpenCL 3.0 (Build 0)")),
            (0x102d, text("1.2.3")),
            (0x101f, number(1 << 40)),
            (0x1023, number(1 << 16)),
            (0x1002, vec![96, 0, 0, 0]),
            (0x1004, number(1024)),
            (0x4108, [number(8), number(16), number(32)].concat()),
            (0x4250, vec![7, 0, 0xf, 3]),
            (0x105b, text("SPIR-V_1.4")),
            (EXTENSIONS, text("cl_khr_fp16  cl_khr_fp64")),
        ],
    );
    assert_eq!((found.name.as_str(), found.vendor.as_str()), ("A GPU", "A vendor"));
    assert_eq!((found.version.as_str(), found.driver_version.as_str()), ("OpenCL 3.0 (Build 0)", "1.2.3"));
    assert_eq!((found.vendor_id, found.ip_version), (Some(0x8086), Some(0x030f_0007)));
    assert_eq!((found.global_memory, found.local_memory), (Some(1 << 40), Some(1 << 16)));
    assert_eq!((found.compute_units, found.max_work_group_size), (Some(96), Some(1024)));
    assert_eq!(found.sub_group_sizes, [8, 16, 32]);
    assert_eq!((found.il_version.as_str(), found.kind.name()), ("SPIR-V_1.4", "gpu"));
    assert_eq!(found.extensions, ["cl_khr_fp16", "cl_khr_fp64"]);
    let silent = device(OPENCL, Version::NEWEST, &[]);
    assert_eq!((silent.name.as_str(), silent.vendor_id, silent.ip_version), ("", None, None));
    assert!(silent.sub_group_sizes.is_empty() && silent.extensions.is_empty());
    // Numbers have one byte at least.
    let odd = device(OPENCL, Version::NEWEST, &[(VENDOR_ID, vec![]), (0x1002, vec![1; 9])]);
    assert_eq!((odd.vendor_id, odd.compute_units), (None, None));
}

/// A device may go between the question for the number and the one for the handles.
#[test]
fn the_devices_are_those_that_the_plugin_lists_at_last() {
    // SAFETY: the plugin is above.
    let plugin = unsafe { Plugin::of_init(Path::new(OPENCL), init, Version::NEWEST) }.unwrap();
    let platforms = plugin.platforms().unwrap();
    let listed: [(Listing, usize); 5] = [
        (Some((2, &[true, true], 2)), 2),
        (Some((3, &[true, true, true], 1)), 1),
        (Some((3, &[true, false, true], 3)), 2),
        (Some((0, &[], 0)), 0),
        (None, 0),
    ];
    for (listing, count) in listed {
        LISTING.set(listing);
        assert_eq!(platforms[0].devices().unwrap().len(), count, "{listing:?}");
    }
}

/// Valid queries that end the process in the plugins of these releases, 2022.2 to 2024.2.
#[test]
fn no_question_is_asked_that_ends_a_shipped_plugin() {
    let deadly: [(Version, &[u32]); Version::COUNT] = [
        (Version::V9_11, &[0x10027, 0x10028, 0x10110]),
        (Version::V11_15, &[0x10027, 0x10028, 0x10110]),
        (Version::V12_21, &[0x10027, 0x10028, 0x10032, 0x10110, 0x1ffff]),
        (Version::V12_27, &[0x10032, 0x10110]),
        (Version::V14_37, &[0x10032, 0x10110]),
        (Version::V14_39, &[0x1046]),
        (Version::V15_47, &[0x1046]),
    ];
    for (version, questions) in deadly {
        ASKED.take();
        aspects(OPENCL, version, &[]);
        let asked = ASKED.take();
        assert!(asked.len() > 40, "{version:?}");
        for question in questions {
            assert!(!asked.contains(question), "{version:?} {question:#x}");
        }
        let is_new = version >= Version::V12_27;
        assert_eq!((asked.contains(&0x10027), asked.contains(&0x1ffff)), (is_new, is_new), "{version:?}");
    }
}
