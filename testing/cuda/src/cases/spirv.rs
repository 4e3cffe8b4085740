//! SPIR-V, as far as possible with a driver without a PTX compiler: the choice of images, missing parts, kernels of
//! a stored binary, and a platform that calls itself OpenCL. The last needs a separate process because the plugin looks
//! only once.

use std::path::PathBuf;
use std::ptr::{null, null_mut};

use super::basics::platform_text;
use super::{Case, child};
use crate::fixture::{device_text, devices, image, last_error, platform, program_binary};
use crate::{Fixture, Program, code, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("spirv_without_libnvvm_says_what_to_install", || in_child(NO_LIBNVVM, &[("PI_NVVM", "/nonexistent")])),
    ("spirv_is_taken_where_no_image_is_compiled_ahead_of_time", || with_libnvvm(LIBNVVM, &[])),
    ("spirv_that_is_none_is_refused", no_spirv),
    ("spirv_kernels_of_a_binary_check_their_arguments", binary),
    ("spirv_binaries_of_others_are_refused", foreign_binaries),
    ("spirv_kernels_have_the_size_that_their_image_declares", declared_size),
    ("spirv_kernels_that_require_no_sub_group_size_say_so", no_required_sub_group),
    ("a_platform_that_calls_itself_opencl_takes_spirv", || with_libnvvm(OPENCL, &[("PI_CUDA_AS", "opencl")])),
    ("a_platform_calls_itself_as_it_is_told", names),
];

/// The tasks of children.
pub(crate) const NO_LIBNVVM: &str = "no libnvvm";
pub(crate) const LIBNVVM: &str = "libnvvm";
pub(crate) const OPENCL: &str = "opencl";
pub(crate) const NAMES: &str = "names";

/// Runs this program again with variables, and shows its output.
fn in_child(what: &str, variables: &[(&str, &str)]) {
    println!("{}", child::run(what, variables).trim());
}

/// Returns the smallest module: a memory model, and no kernel.
fn module() -> Vec<u8> {
    let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 2 << 16 | 17, 4, 2 << 16 | 17, 6, 3 << 16 | 14, 2, 2_u32];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the index of the image that the plugin selects among images for these targets.
fn select(fixture: &Fixture, targets: &[&std::ffi::CStr]) -> Result<u32, String> {
    let mut images: Vec<pi_device_binary_struct> = targets
        .iter()
        .map(|target| pi_device_binary_struct {
            Version: 1,
            Kind: 4,
            Format: 0,
            DeviceTargetSpec: target.as_ptr(),
            CompileOptions: c"".as_ptr(),
            LinkOptions: c"".as_ptr(),
            ManifestStart: null(),
            ManifestEnd: null(),
            BinaryStart: null(),
            BinaryEnd: null(),
            EntriesBegin: null_mut(),
            EntriesEnd: null_mut(),
            PropertySetsBegin: null_mut(),
            PropertySetsEnd: null_mut(),
        })
        .collect();
    let mut list: Vec<pi_device_binary> = images.iter_mut().map(std::ptr::from_mut).collect();
    let (mut index, count) = (77, list.len() as u32);
    let (device, start) = (fixture.device, list.as_mut_ptr());
    match crate::code!(piextDeviceSelectBinary(device, start, count, &mut index)) {
        PI_SUCCESS => Ok(index),
        code => {
            assert_eq!(code, PI_ERROR_INVALID_BINARY, "{}", last_error());
            Err(last_error())
        }
    }
}

pub(crate) fn without_libnvvm() {
    let fixture = Fixture::new();
    let why = select(&fixture, &[c"spir64"]).unwrap_err();
    assert!(why.contains("pip install nvidia-cuda-nvcc-cu12") && why.contains("/nonexistent"), "{why}");
    assert_eq!(select(&fixture, &[c"spir64", c"nvptx64"]), Ok(1));
    assert_eq!(device_text(&fixture, PI_DEVICE_INFO_IL_VERSION), "");
    let program = fixture.unbuilt(&module());
    let why = fails!(
        piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    assert!(why.contains("pip install nvidia-cuda-nvcc-cu12"), "{why}");
    let mut log = vec![0_u8; 1 << 12];
    let (room, name) = (log.as_mut_ptr().cast(), PI_PROGRAM_BUILD_INFO_LOG);
    ok!(piProgramGetBuildInfo(program.raw, fixture.device, name, log.len(), room, null_mut()));
    assert!(String::from_utf8_lossy(&log).contains("pip install"), "the build log has it too");
    options_of_a_link(&fixture);
}

/// A program that cannot be linked reports the options of its parts, and those of the link.
fn options_of_a_link(fixture: &Fixture) {
    let parts = [c"-O1", c"-g"].map(|options| {
        let (program, device, none) = (fixture.unbuilt(&module()), &raw const fixture.device, null_mut());
        ok!(piProgramCompile(program.raw, 1, device, options.as_ptr(), 0, null(), null_mut(), None, none));
        program
    });
    let (list, mut linked) = (parts.each_ref().map(|part| part.raw), null_mut());
    let (context, device, none) = (fixture.context, &raw const fixture.device, null_mut());
    let (options, list) = (c"-O2".as_ptr(), list.as_ptr());
    fails!(
        piProgramLink(context, 1, device, options, 2, list, None, none, &mut linked),
        PI_ERROR_LINK_PROGRAM_FAILURE
    );
    let mut options = [0_u8; 64];
    let (name, room) = (PI_PROGRAM_BUILD_INFO_OPTIONS, options.as_mut_ptr().cast());
    ok!(piProgramGetBuildInfo(linked, fixture.device, name, options.len(), room, null_mut()));
    assert_eq!(std::ffi::CStr::from_bytes_until_nul(&options), Ok(c"-O1 -g -O2"));
    ok!(piProgramRelease(linked));
}

/// Runs this program again with variables, with fake files of libnvvm.
fn with_libnvvm(what: &str, variables: &[(&str, &str)]) {
    let folder: PathBuf = std::env::temp_dir().join(format!("pi-cuda-{}-nvvm", std::process::id()));
    for file in ["nvvm/lib64/libnvvm.so", "nvvm/libdevice/libdevice.10.bc"] {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "no library").unwrap();
    }
    let files = [("PI_NVVM", folder.to_str().unwrap()), ("PI_NVVM_COMPILER", "/bin/true")];
    in_child(what, &[&files, variables].concat());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The files exist, but the started program is not a worker.
pub(crate) fn with_files_only() {
    let fixture = Fixture::new();
    assert_eq!(select(&fixture, &[c"spir64"]), Ok(0));
    assert_eq!(select(&fixture, &[c"spir64", c"nvptx64"]), Ok(1), "compiled ahead of time");
    assert!(device_text(&fixture, PI_DEVICE_INFO_IL_VERSION).starts_with("SPIR-V_1."));
    let program = fixture.unbuilt(&module());
    let why = fails!(
        piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    println!("{why}");
}

fn no_spirv() {
    let (fixture, mut program) = (Fixture::new(), null_mut());
    for il in [&b"junk that is nothing"[..], &module()[..module().len() - 4]] {
        let start = il.as_ptr().cast();
        fails!(piProgramCreate(fixture.context, start, il.len(), &mut program), PI_ERROR_INVALID_BINARY);
    }
}

/// Returns a binary in the plugin's format: the driver's own image, whose kernel `scale` has another name in
/// SPIR-V.
fn kept(fixture: &Fixture, version: &str) -> Vec<u8> {
    kept_with(fixture, version, r#","required_sub_group":8"#)
}

/// Returns such a binary, with more facts about `scale`, which runs in sub-groups of 8.
fn kept_with(fixture: &Fixture, version: &str, facts: &str) -> Vec<u8> {
    // "9.0", or part of "OpenCL 2.1 (CUDA, compute capability 9.0)".
    let text = device_text(fixture, PI_DEVICE_INFO_VERSION);
    let capability: String = text.split(' ').next_back().unwrap().matches(char::is_numeric).collect();
    let header = format!(
        r#"{{"translator":"{version}","libnvvm":"12.9.86","arch":"compute_90","capability":{capability},"facts":{{"kernels":[
        {{"name":"a kernel","symbol":"scale","parameters":[{{"Value":4}},"Pointer","Pointer"],"takes_offset":false,"required":null,
        "largest":null,"sub_group":8{facts}}},{{"name":"of 64","symbol":"k1","parameters":[],"takes_offset":false,
        "required":null,"largest":null,"sub_group":32,"refused":"kernel of 64 requires sub-groups of 64 work-items"}}],"variables":[["an id","counter"]]}}}}"#
    );
    let length = (header.len() as u32).to_le_bytes();
    [&b"sycl-pi CUDA 3\n"[..], &length, header.as_bytes(), &image("kernels")].concat()
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the possible sizes of sub-groups, and the maximum number of them in a work-group, as reported by the
/// device.
fn sub_groups(fixture: &Fixture) -> (Vec<usize>, u32) {
    let (mut sizes, mut size) = ([0_usize; 8], 0);
    let (name, room) = (PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sizes.as_mut_ptr().cast());
    ok!(piDeviceGetInfo(fixture.device, name, 64, room, &mut size));
    let mut most = 0_u32;
    let (name, room) = (PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS, (&raw mut most).cast());
    ok!(piDeviceGetInfo(fixture.device, name, 4, room, null_mut()));
    (sizes[..size / 8].to_vec(), most)
}

fn binary() {
    let fixture = Fixture::new();
    // Images that are compiled ahead of time use whole warps.
    assert_eq!(sub_groups(&fixture), (vec![32], largest(&fixture) / 32));
    let program = fixture.build(fixture.binary(&kept(&fixture, VERSION), &[]));
    let again = fixture.build(fixture.binary(&program_binary(&program), &[]));
    for program in [program, again] {
        let mut names = [0_u8; 32];
        let (name, room) = (PI_PROGRAM_INFO_KERNEL_NAMES, names.as_mut_ptr().cast());
        ok!(piProgramGetInfo(program.raw, name, names.len(), room, null_mut()));
        assert_eq!(std::ffi::CStr::from_bytes_until_nul(&names), Ok(c"a kernel;of 64"));
        launch(&fixture, &program);
    }
}

/// Returns the maximum number of work-items of a work-group.
fn largest(fixture: &Fixture) -> u32 {
    let mut most = 0_usize;
    let room = (&raw mut most).cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 8, room, null_mut()));
    most as u32
}

/// Returns a kernel's answer about its sub-groups.
fn sub_group_answer(fixture: &Fixture, kernel: pi_kernel, name: pi_kernel_sub_group_info) -> u32 {
    let mut answer = 77_u32;
    let room = (&raw mut answer).cast();
    ok!(piKernelGetSubGroupInfo(kernel, fixture.device, name, 0, null(), 4, room, null_mut()));
    answer
}

fn launch(fixture: &Fixture, program: &Program) {
    let (from, to) = (fixture.device_memory(64), fixture.device_memory(64));
    fixture.write(&from, &(0..16_i32).collect::<Vec<_>>());
    let (kernel, mut none) = (program.kernel("a kernel"), null_mut());
    let (value, wide) = (5_i32, 5_u64);
    let mut count = 0_u32;
    ok!(piKernelGetInfo(kernel.raw, PI_KERNEL_INFO_NUM_ARGS, 4, (&raw mut count).cast(), null_mut()));
    assert_eq!(count, 3);
    let answer = |name| sub_group_answer(fixture, kernel.raw, name);
    assert_eq!(answer(PI_KERNEL_MAX_SUB_GROUP_SIZE), 8);
    assert_eq!(answer(PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), 8);
    assert_eq!(answer(PI_KERNEL_COMPILE_NUM_SUB_GROUPS), 0);
    let most = largest(fixture);
    assert!((1..=most / 8).contains(&answer(PI_KERNEL_MAX_NUM_SUB_GROUPS)));
    fails!(piKernelCreate(program.raw, c"scale".as_ptr(), &mut none), PI_ERROR_INVALID_KERNEL_NAME);
    let why = fails!(piKernelCreate(program.raw, c"of 64".as_ptr(), &mut none), PI_ERROR_INVALID_OPERATION);
    assert!(why.contains("kernel of 64 requires sub-groups of 64 work-items"), "{why}");
    fails!(piKernelSetArg(kernel.raw, 0, 8, (&raw const wide).cast()), PI_ERROR_INVALID_ARG_SIZE);
    fails!(piKernelSetArg(kernel.raw, 0, 64, null()), PI_ERROR_INVALID_ARG_VALUE);
    fails!(piKernelSetArg(kernel.raw, 3, 4, (&raw const value).cast()), PI_ERROR_INVALID_ARG_INDEX);
    kernel.set(0, value).pointer(1, from.start);
    let (global, events) = ([16_usize], null_mut());
    let why = fails!(
        piEnqueueKernelLaunch(
            fixture.queue,
            kernel.raw,
            1,
            null(),
            global.as_ptr(),
            null(),
            0,
            null(),
            events
        ),
        PI_ERROR_INVALID_KERNEL_ARGS
    );
    assert!(why.contains("argument 2 of 3"), "{why}");
    kernel.pointer(2, to.start);
    refuse_many_groups(fixture, kernel.raw);
    fixture.launch(kernel.raw, &global, None);
    fixture.finish();
    assert_eq!(fixture.read::<i32>(&to, 16), (0..16).map(|number| 5 * number).collect::<Vec<_>>());
    let mut number = 0_i32;
    let (name, room) = (c"an id".as_ptr(), (&raw mut number).cast());
    ok!(piextEnqueueDeviceGlobalVariableRead(
        fixture.queue,
        program.raw,
        name,
        1,
        4,
        0,
        room,
        0,
        null(),
        null_mut()
    ));
    assert_eq!(number, 7, "the variable's first value, by its unique id");
}

/// This binary has no SPIR-V from which the kernel could be translated again.
fn refuse_many_groups(fixture: &Fixture, kernel: pi_kernel) {
    let (global, local) = ([1_usize, 70_000], [1_usize; 2]);
    let (queue, global, local) = (fixture.queue, global.as_ptr(), local.as_ptr());
    let why = fails!(
        piEnqueueKernelLaunch(queue, kernel, 2, null(), global, local, 0, null(), null_mut()),
        PI_ERROR_INVALID_OPERATION
    );
    assert!(why.contains("kernel \"a kernel\" cannot be translated again"), "{why}");
    assert!(
        why.contains("more work-groups than CUDA has") && why.contains("a binary without SPIR-V"),
        "{why}"
    );
}

fn foreign_binaries() {
    let fixture = Fixture::new();
    let whole = kept(&fixture, VERSION);
    let mut old = whole.clone();
    old[13] = b'0';
    for (bytes, why) in
        [(kept(&fixture, "0.0.1"), "0.0.1"), (old, "another version"), (whole[..40].to_vec(), "cut")]
    {
        let text = fixture.refused_binary(&bytes);
        assert!(text.contains(why), "{text}");
    }
}

fn declared_size() {
    let fixture = Fixture::new();
    let program =
        fixture.declaring(&kept(&fixture, VERSION), &[(c"a kernel@reqd_work_group_size", &[4, 2, 1])]);
    let program = fixture.build(program);
    let (kernel, mut required) = (program.kernel("a kernel"), [0_usize; 3]);
    let (name, room) = (PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, (&raw mut required).cast());
    ok!(piKernelGetGroupInfo(kernel.raw, fixture.device, name, 24, room, null_mut()));
    assert_eq!(required, [4, 2, 1]);
}

/// OpenCL (`cl_khr_subgroups` and `cl_intel_required_subgroup_size`): what the source does not specify is 0. The kernel
/// has sub-groups nonetheless.
fn no_required_sub_group() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.binary(&kept_with(&fixture, VERSION, ""), &[]));
    let kernel = program.kernel("a kernel");
    let answer = |name| sub_group_answer(&fixture, kernel.raw, name);
    assert_eq!(answer(PI_KERNEL_MAX_SUB_GROUP_SIZE), 8);
    assert_eq!(answer(PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), 0);
    assert_eq!(answer(PI_KERNEL_COMPILE_NUM_SUB_GROUPS), 0);
}

fn names() {
    for (value, backend) in [
        ("OpenCL", PI_EXT_PLATFORM_BACKEND_OPENCL),
        ("level_zero", PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO),
        ("cuda", PI_EXT_PLATFORM_BACKEND_CUDA),
        ("", PI_EXT_PLATFORM_BACKEND_CUDA),
        ("metal", PI_EXT_PLATFORM_BACKEND_CUDA),
    ] {
        in_child(NAMES, &[("PI_CUDA_AS", value), (NAMES, &backend.to_string())]);
    }
}

pub(crate) fn with_a_name() {
    let mut backend: pi_platform_backend = 77;
    let room = (&raw mut backend).cast();
    ok!(piPlatformGetInfo(platform(), PI_EXT_PLATFORM_INFO_BACKEND, 4, room, null_mut()));
    assert_eq!(Ok(backend.to_string()), std::env::var(NAMES));
    let mut native = 77;
    let told = crate::code!(piextDeviceGetNativeHandle(devices()[0], &mut native));
    assert_eq!(told == PI_SUCCESS, backend == PI_EXT_PLATFORM_BACKEND_CUDA, "{told}");
}

pub(crate) fn as_opencl() {
    let fixture = Fixture::new();
    let mut text = [0_u8; 128];
    let (platform, room) = (platform(), text.as_mut_ptr().cast());
    ok!(piPlatformGetInfo(platform, PI_PLATFORM_INFO_VERSION, text.len(), room, null_mut()));
    assert!(text.starts_with(b"OpenCL 2.1"), "{text:?}");
    let mut backend: pi_platform_backend = 77;
    let room = (&raw mut backend).cast();
    ok!(piPlatformGetInfo(platform, PI_EXT_PLATFORM_INFO_BACKEND, 4, room, null_mut()));
    assert_eq!(backend, PI_EXT_PLATFORM_BACKEND_OPENCL);
    for (name, text) in [
        (PI_DEVICE_INFO_EXTENSIONS, "cl_khr_il_program"),
        (PI_DEVICE_INFO_DRIVER_VERSION, "(sycl-pi "),
        (PI_DEVICE_INFO_PROFILE, "FULL_PROFILE"),
        (PI_DEVICE_INFO_VERSION, "OpenCL 2.1"),
        (PI_DEVICE_INFO_OPENCL_C_VERSION, "OpenCL C 1.2"),
        (PI_DEVICE_INFO_IL_VERSION, "SPIR-V_1.4"),
    ] {
        let told = device_text(&fixture, name);
        assert!(told.contains(text), "{told}");
    }
    for (name, expected) in [
        (PI_PLATFORM_INFO_NAME, "SPIR-V on NVIDIA GPUs"),
        (PI_PLATFORM_INFO_PROFILE, "FULL_PROFILE"),
        (PI_PLATFORM_INFO_EXTENSIONS, "cl_khr_il_program"),
    ] {
        assert_eq!(platform_text(name), expected);
    }
    let mut native = 0;
    let why = fails!(piextDeviceGetNativeHandle(fixture.device, &mut native), PI_ERROR_PLUGIN_SPECIFIC_ERROR);
    assert_eq!(sub_groups(&fixture), (vec![8, 16, 32], largest(&fixture) / 8));
    for part in ["PI_CUDA_AS", "OpenCL handles", "such as oneMKL"] {
        assert!(why.contains(part), "{why}");
    }
    no_native_handles(&fixture);

    // OpenCL's way to set a memory object: the bytes of its handle.
    let program = fixture.build(fixture.binary(&kept(&fixture, VERSION), &[]));
    let kernel = program.kernel("a kernel");
    let buffers = [[3_i32; 4], [0; 4]].map(|mut values| fixture.buffer(&mut values));
    let (half, mut native) = ([0_u8; 4], 0);
    let refused = PI_ERROR_PLUGIN_SPECIFIC_ERROR;
    fails!(piextProgramGetNativeHandle(program.raw, &mut native), refused);
    fails!(piextKernelGetNativeHandle(kernel.raw, &mut native), refused);
    fails!(piKernelSetArg(kernel.raw, 1, 4, half.as_ptr().cast()), PI_ERROR_INVALID_ARG_SIZE);
    kernel.set(0, 5_i32).set(1, buffers[0]).set(2, buffers[1]);
    fixture.launch(kernel.raw, &[4], None);
    let mut values = [0_i32; 4];
    let room = values.as_mut_ptr().cast();
    ok!(piEnqueueMemBufferRead(fixture.queue, buffers[1], 1, 0, 16, room, 0, null(), null_mut()));
    assert_eq!(values, [15; 4]);
    for buffer in buffers {
        ok!(piMemRelease(buffer));
    }
}

/// A program would take them for OpenCL's.
fn no_native_handles(fixture: &Fixture) {
    let (context, device, queue) = (fixture.context, fixture.device, fixture.queue);
    let (mut native, mut kind, mut event, list) = (0, 0, null_mut(), &raw const device);
    let buffer = fixture.buffer(&mut [0_u8; 8]);
    ok!(piEnqueueEventsWait(queue, 0, null(), &mut event));
    let (mut of_platform, mut of_device, mut of_context) = (null_mut(), null_mut(), null_mut());
    let (mut of_queue, mut of_mem, mut of_event) = (null_mut(), null_mut(), null_mut());
    let codes = [
        code!(piextPlatformGetNativeHandle(platform(), &mut native)),
        code!(piextDeviceGetNativeHandle(device, &mut native)),
        code!(piextContextGetNativeHandle(context, &mut native)),
        code!(piextQueueGetNativeHandle(queue, &mut native, &mut kind)),
        code!(piextMemGetNativeHandle(buffer, device, &mut native)),
        code!(piextEventGetNativeHandle(event, &mut native)),
        code!(piextPlatformCreateWithNativeHandle(0, &mut of_platform)),
        code!(piextDeviceCreateWithNativeHandle(0, platform(), &mut of_device)),
        code!(piextContextCreateWithNativeHandle(1, 1, list, 0, &mut of_context)),
        code!(piextQueueCreateWithNativeHandle(1, 0, context, device, 0, null_mut(), &mut of_queue)),
        code!(piextMemCreateWithNativeHandle(1, context, 0, &mut of_mem)),
        code!(piextEventCreateWithNativeHandle(1, context, 0, &mut of_event)),
    ];
    assert_eq!(codes, [PI_ERROR_PLUGIN_SPECIFIC_ERROR; 12]);
    crate::fixture::wait(&[event]);
    ok!(piMemRelease(buffer));
}
