//! Tests of programs from SPIR-V, source and binaries, through compile, link and build.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use testing_opencl::kernels::{self, SOURCE};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "program",
        [
            spirv_is_refused_with_the_reason_where_the_driver_takes_none,
            the_driver_gets_the_program_s_own_spirv,
            source_builds_and_runs,
            a_failed_build_leaves_its_log,
            the_log_in_an_error_is_that_of_the_device,
            build_facts,
            program_facts,
            a_build_callback_is_called,
            headers_are_found_at_compile,
            a_compile_for_a_device_that_the_program_is_not_for_is_refused,
            an_unresolved_symbol_fails_the_link_and_leaves_a_program,
            metadata_are_accepted,
        ],
        isolated [
            what_has_no_source_is_built_twice,
            lists_that_name_a_device_twice_are_taken,
            a_header_without_source_is_refused,
            what_could_not_be_compiled_cannot_be_linked,
            programs_that_define_the_same_are_not_linked,
            spirv_that_is_truncated_is_refused,
            what_is_no_spirv_is_refused,
            spirv_with_damage_never_crashes_the_create,
        ]
    );
}

fn run_fill_index(f: &Fixture, program: pi_program) {
    let kernel = f.kernel(program, c"fill_index");
    let buffer = f.buffer(&[-1_i32; 8]);
    f.set_mem(*kernel, 0, *buffer);
    f.launch(*kernel, 8);
    assert_eq!(f.content::<i32>(*buffer, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
}

fn spirv_is_refused_with_the_reason_where_the_driver_takes_none() {
    let f = Fixture::new();
    let il = kernels::SPEC_SCALAR;
    let mut out = null_mut();
    let result = call!(f.pi, piProgramCreate(f.context, il.as_ptr().cast(), il.len(), &mut out));
    let codes = [PI_ERROR_COMPILER_NOT_AVAILABLE, PI_ERROR_INVALID_OPERATION];
    let text = calls::expect_refusal(result, &codes);
    assert!(text.contains("SPIR-V"), "{text}");
}

/// Programs are rewritten for some drivers only. This module has sub-groups, which are rewritten for those.
fn the_driver_gets_the_program_s_own_spirv() {
    /// `CL_PROGRAM_IL`, which PI lacks: the driver answers it.
    const PROGRAM_IL: u32 = 0x1169;
    let f = Fixture::new();
    for il in [kernels::SPEC_SCALAR, include_bytes!("../../../kernels/subgroups.spv")] {
        let program = f.spirv(il);
        let mut received = vec![0_u8; il.len() + 1];
        let (room, start, mut size) = (received.len(), received.as_mut_ptr().cast(), 0);
        ok!(f.pi, piProgramGetInfo(*program, PROGRAM_IL, room, start, &mut size));
        received.truncate(size);
        assert!(received == il, "{} bytes came of {}", received.len(), il.len());
    }
}

fn source_builds_and_runs() {
    let f = Fixture::new();
    run_fill_index(&f, *f.built_source());
    // Some lengths are given, and 0 stands for a NUL-terminated text.
    let texts = kernels::pointers(&[
        c"kernel void fill_index(global int *out)~",
        c"{ out[get_global_id(0)] = get_global_id(0); }",
    ]);
    let lengths = [texts_len(c"kernel void fill_index(global int *out)"), 0];
    let program = made!(kernels::old_table(), |out| piclProgramCreateWithSource(
        f.context,
        2,
        texts.as_ptr(),
        lengths.as_ptr(),
        out
    ));
    let program = f.own_program(program);
    f.build(*program, c"").unwrap();
    run_fill_index(&f, *program);
}

fn texts_len(text: &CStr) -> usize {
    text.count_bytes()
}

/// Returns the binary of a program for one device.
fn binary(f: &Fixture, program: pi_program) -> Vec<u8> {
    let size = get!(f.pi, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES) as usize);
    assert!(size > 0, "a built program has a binary");
    let mut room = vec![0_u8; size];
    let mut list = [room.as_mut_ptr()];
    let (bytes, start) = (size_of_val(&list), list.as_mut_ptr().cast());
    ok!(f.pi, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, bytes, start, null_mut()));
    room
}

fn from_binary(f: &Fixture, binary: &[u8], status: *mut i32) -> Result<pi_program, CallError> {
    let mut out = null_mut();
    let (length, start) = (binary.len(), binary.as_ptr());
    call!(
        f.pi,
        piProgramCreateWithBinary(f.context, 1, &f.device, &length, &start, 0, null_mut(), status, &mut out)
    )
    .map(|()| out)
}

/// PoCL 3.1 and Intel's CPU runtime of 2026 end the process over such a header.
fn a_header_without_source_is_refused() {
    let f = Fixture::new();
    let bytes = binary(&f, *f.built_source());
    let header = f.own_program(from_binary(&f, &bytes, null_mut()).unwrap());
    let (program, names) = (f.source(SOURCE), kernels::pointers(&[c"own.h"]));
    let (list, options) = (names.as_ptr(), c"".as_ptr());
    refused!(
        f.pi,
        piProgramCompile(*program, 1, &f.device, options, 1, &*header, list, None, null_mut()),
        PI_ERROR_INVALID_OPERATION
    );
}

/// PoCL 3.1 ends the process over the second build of a binary or a linked program, so the plugin refuses it there.
fn what_has_no_source_is_built_twice() {
    let f = Fixture::new();
    let refuses = f.driver() == Driver::Pocl;
    let again = |program: pi_program| {
        let result = f.build(program, c"");
        if refuses {
            calls::expect_refusal(result, &[PI_ERROR_INVALID_OPERATION]);
        } else {
            result.unwrap();
        }
    };
    let bytes = binary(&f, *f.built_source());
    let good = f.own_program(from_binary(&f, &bytes, null_mut()).unwrap());
    f.build(*good, c"").unwrap();
    again(*good);
    again(*good);
    run_fill_index(&f, *good);
    let failed = f.own_program(from_binary(&f, &bytes, null_mut()).unwrap());
    // Intel's CPU runtimes continue to refuse it, with the first build's log.
    if f.build(*failed, c"-no-such-option").is_err() && refuses {
        again(*failed);
    }
    let (object, mut linked) = (f.source(SOURCE), null_mut());
    compile(&f, *object).unwrap();
    link(&f, &[*object], &mut linked).unwrap();
    let linked = f.own_program(linked);
    // OpenCL allows this only for programs from source, binaries and SPIR-V, but not every driver checks it.
    for _ in 0..2 {
        if let Err(error) = f.build(*linked, c"") {
            calls::expect_refusal(Err(error), &[PI_ERROR_INVALID_OPERATION]);
        }
    }
    run_fill_index(&f, *linked);
    // Programs with source may be built any number of times.
    let source = f.built_source();
    f.build(*source, c"").unwrap();
    run_fill_index(&f, *source);
}

fn a_failed_build_leaves_its_log() {
    let f = Fixture::new();
    let program = f.source("kernel void broken() { no_such_function_xyz(; }");
    let text = calls::expect_refusal(f.build(*program, c""), &[PI_ERROR_BUILD_PROGRAM_FAILURE]);
    let log = f.log(*program);
    assert!(log.contains("error"), "{log}");
    assert!(text.contains("error"), "the refusal's text has the log's start: {text}");
    let lines: String =
        (0..15).map(|line| format!("kernel void k{line}() {{ unknown_{}(); }}\n", "x".repeat(200))).collect();
    let long = f.source(&lines);
    let text = calls::expect_refusal(f.build(*long, c""), &[PI_ERROR_BUILD_PROGRAM_FAILURE]);
    let log = f.log(*long);
    assert!(log.len() > 3000, "{log}");
    assert!((2000..2500).contains(&text.len()), "no more than the log's start: {text}");
    let status = get!(f.pi, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_STATUS) as i32);
    assert_eq!(status, PI_PROGRAM_BUILD_STATUS_ERROR);
}

/// A part of a device has no log of a build for another part.
fn the_log_in_an_error_is_that_of_the_device() {
    let f = Fixture::new();
    let (equally, mut parts) = ([PI_DEVICE_PARTITION_EQUALLY, 1, 0], [null_mut(); 2]);
    ok!(f.pi, piDevicePartition(f.device, equally.as_ptr(), 2, parts.as_mut_ptr(), null_mut()));
    let context = made!(f.pi, |out| piContextCreate(null(), 2, parts.as_ptr(), None, null_mut(), out));
    let source = [c"kernel void broken() { no_such_function_xyz(; }".as_ptr()];
    let program = made!(kernels::old_table(), |out| piclProgramCreateWithSource(
        context,
        1,
        source.as_ptr(),
        null(),
        out
    ));
    let options = c"".as_ptr();
    let text = refused!(
        f.pi,
        piProgramBuild(program, 1, &parts[1], options, None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    assert!(text.contains("build log") && text.contains("no_such_function_xyz"), "{text}");
    ok!(f.pi, piProgramRelease(program));
    ok!(f.pi, piContextRelease(context));
    parts.iter().for_each(|part| ok!(f.pi, piDeviceRelease(*part)));
}

fn build_facts() {
    let f = Fixture::new();
    let program = f.source(SOURCE);
    let status =
        || get!(f.pi, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_STATUS) as i32);
    let kind =
        || get!(f.pi, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_BINARY_TYPE) as u32);
    assert_eq!((status(), kind()), (PI_PROGRAM_BUILD_STATUS_NONE, PI_PROGRAM_BINARY_TYPE_NONE));
    f.build(*program, c"-cl-mad-enable").unwrap();
    assert_eq!((status(), kind()), (PI_PROGRAM_BUILD_STATUS_SUCCESS, PI_PROGRAM_BINARY_TYPE_EXECUTABLE));
    let options = text!(f.pi, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_OPTIONS));
    assert_eq!(options.trim(), "-cl-mad-enable");
    calls::expect_refusal(
        f.build(*program, c"-no-such-option"),
        &[PI_ERROR_INVALID_BUILD_OPTIONS, PI_ERROR_BUILD_PROGRAM_FAILURE],
    );
}

fn program_facts() {
    let f = Fixture::new();
    let program = f.built_source();
    let pi = f.pi;
    assert_eq!(get!(pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_CONTEXT) as pi_context), f.context);
    assert_eq!(get!(pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_NUM_DEVICES) as u32), 1);
    assert_eq!(get!(pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_DEVICES) as pi_device), f.device);
    assert_eq!(text!(pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_SOURCE)), SOURCE);
    let names = text!(pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_KERNEL_NAMES));
    let mut names: Vec<&str> = names.split(';').collect();
    names.sort_unstable();
    let expected = [
        "add_value",
        "copy_bytes",
        "count_places",
        "fill_index",
        "fixed_size",
        "global_ids",
        "is_null",
        "local_sum",
        "mul_value",
        "nothing",
        "slow",
        "sum_list",
    ];
    assert_eq!(names, expected);
    assert_eq!(get!(pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_NUM_KERNELS) as usize), names.len());
}

/// # Safety
/// `data` must point to a mutex and a condition variable that stay valid until the mutex has been released.
unsafe extern "C" fn built(_: pi_program, data: *mut c_void) {
    // SAFETY: the caller's pair, which stays valid until this has released the lock.
    let (lock, signal) = unsafe { &*data.cast::<(std::sync::Mutex<bool>, std::sync::Condvar)>() };
    let mut done = lock.lock().unwrap();
    *done = true;
    signal.notify_one();
}

fn a_build_callback_is_called() {
    let f = Fixture::new();
    let (program, parts) = (f.source(SOURCE), f.source(SOURCE));
    let done = (std::sync::Mutex::new(false), std::sync::Condvar::new());
    let data = (&raw const done).cast_mut().cast();
    let is_called = |what: &str| {
        let seen = done.0.lock().unwrap();
        let minute = std::time::Duration::from_secs(60);
        let (mut seen, _) = done.1.wait_timeout_while(seen, minute, |seen| !*seen).unwrap();
        assert!(std::mem::take(&mut *seen), "never called for {what}");
    };
    let (options, none) = (c"".as_ptr(), null());
    ok!(f.pi, piProgramBuild(*program, 1, &f.device, options, Some(built), data));
    is_called("a build");
    ok!(f.pi, piProgramCompile(*parts, 1, &f.device, options, 0, none, null(), Some(built), data));
    is_called("a compilation");
    let linked = made!(f.pi, |out| piProgramLink(
        f.context,
        1,
        &f.device,
        options,
        1,
        &*parts,
        Some(built),
        data,
        out
    ));
    is_called("a link");
    drop(f.own_program(linked));
}

/// OpenCL ignores repetitions. Intel's CPU runtimes end the process if a list names one device twice before another
/// one.
fn lists_that_name_a_device_twice_are_taken() {
    let f = Fixture::new();
    let (equally, mut parts) = ([PI_DEVICE_PARTITION_EQUALLY, 1, 0], [null_mut(); 2]);
    ok!(f.pi, piDevicePartition(f.device, equally.as_ptr(), 2, parts.as_mut_ptr(), null_mut()));
    let context = made!(f.pi, |out| piContextCreate(null(), 2, parts.as_ptr(), None, null_mut(), out));
    let twice = [parts[0], parts[0], parts[1]];
    let (count, list, options, source) = (3, twice.as_ptr(), c"".as_ptr(), [c"kernel void k() {}".as_ptr()]);
    let programs: [pi_program; 2] = std::array::from_fn(|_| {
        made!(kernels::old_table(), |out| piclProgramCreateWithSource(
            context,
            1,
            source.as_ptr(),
            null(),
            out
        ))
    });
    ok!(f.pi, piProgramBuild(programs[0], count, list, options, None, null_mut()));
    let mut built = vec![programs[0]];
    // PoCL 3.1 says that a program for parts of a device is one for the whole device, so it compiles none for a part.
    if f.driver() != Driver::Pocl {
        ok!(f.pi, piProgramCompile(programs[1], count, list, options, 0, null(), null(), None, null_mut()));
        let part = &programs[1];
        built.push(made!(f.pi, |out| piProgramLink(
            context,
            count,
            list,
            options,
            1,
            part,
            None,
            null_mut(),
            out
        )));
    }
    for program in &built {
        let binaries = bytes!(f.pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_BINARY_SIZES));
        let sizes = binaries.as_chunks::<8>().0.iter().map(|size| usize::from_ne_bytes(*size));
        assert!(sizes.min().is_some_and(|size| size > 0));
    }
    built.iter().chain([&programs[1]]).for_each(|program| ok!(f.pi, piProgramRelease(*program)));
    ok!(f.pi, piContextRelease(context));
    parts.iter().for_each(|part| ok!(f.pi, piDeviceRelease(*part)));
}

fn compile(f: &Fixture, program: pi_program) -> Result<(), CallError> {
    let options = c"".as_ptr();
    call!(f.pi, piProgramCompile(program, 1, &f.device, options, 0, null(), null(), None, null_mut()))
}

fn link(f: &Fixture, programs: &[pi_program], out: *mut pi_program) -> Result<(), CallError> {
    let (count, list, options) = (programs.len() as u32, programs.as_ptr(), c"".as_ptr());
    call!(f.pi, piProgramLink(f.context, 1, &f.device, options, count, list, None, null_mut(), out))
}

const CALLER: &str = "int helper(int);\nkernel void fill_index(global int *out) \
                      { out[get_global_id(0)] = helper((int)get_global_id(0)); }";

fn headers_are_found_at_compile() {
    let f = Fixture::new();
    let main = f.source(
        "#include \"own.h\"\nkernel void fill_index(global int *out) { out[get_global_id(0)] = OWN(get_global_id(0)); }",
    );
    let header = f.source("#define OWN(x) ((int)(x))\n");
    let (headers, names) = ([*header], kernels::pointers(&[c"own.h"]));
    let (list, names) = (headers.as_ptr(), names.as_ptr());
    ok!(f.pi, piProgramCompile(*main, 1, &f.device, c"".as_ptr(), 1, list, names, None, null_mut()));
    let mut linked = null_mut();
    link(&f, &[*main], &mut linked).unwrap();
    run_fill_index(&f, *f.own_program(linked));
}

/// Intel's CPU runtimes end the process over it.
fn a_compile_for_a_device_that_the_program_is_not_for_is_refused() {
    let f = Fixture::new();
    let (program, mut part) = (f.source(SOURCE), null_mut());
    let equally = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    ok!(f.pi, piDevicePartition(f.device, equally.as_ptr(), 1, &mut part, null_mut()));
    let (options, devices) = (c"".as_ptr(), [f.device, part]);
    refused!(
        f.pi,
        piProgramCompile(*program, 2, devices.as_ptr(), options, 0, null(), null(), None, null_mut()),
        PI_ERROR_INVALID_DEVICE
    );
    compile(&f, *program).unwrap();
    ok!(f.pi, piDeviceRelease(part));
}

fn an_unresolved_symbol_fails_the_link_and_leaves_a_program() {
    let f = Fixture::new();
    let program = if f.driver() == Driver::Intel { f.spirv(kernels::DL_MISSING) } else { f.source(CALLER) };
    compile(&f, *program).unwrap();
    let mut linked = null_mut();
    let result = link(&f, &[*program], &mut linked);
    let text = calls::expect_refusal(result, &[PI_ERROR_LINK_PROGRAM_FAILURE]);
    assert!(!linked.is_null(), "no program to read the log from");
    let linked = f.own_program(linked);
    let log = f.log(*linked);
    assert!(log.contains("nowhere") || log.contains("helper"), "log: {log}, text: {text}");
    assert!(text.contains("nowhere") || text.contains("helper"), "{text}");
}

/// PoCL 3.1 ends the process over it, so the plugin refuses it there.
fn what_could_not_be_compiled_cannot_be_linked() {
    let f = Fixture::new();
    let program = f.source("kernel void nothing() { no such thing }");
    let codes = [PI_ERROR_COMPILE_PROGRAM_FAILURE, PI_ERROR_BUILD_PROGRAM_FAILURE];
    calls::expect_refusal(compile(&f, *program), &codes);
    let mut out = null_mut();
    let not_compiled = [PI_ERROR_INVALID_OPERATION, PI_ERROR_LINK_PROGRAM_FAILURE];
    calls::expect_refusal(link(&f, &[*program], &mut out), &not_compiled);
    if !out.is_null() {
        drop(f.own_program(out));
    }
}

/// Intel's CPU runtime 2023.2.4 ends the process over both.
fn programs_that_define_the_same_are_not_linked() {
    let f = Fixture::new();
    let create = || if f.driver() == Driver::Intel { f.spirv(kernels::BASIC) } else { f.source(SOURCE) };
    let programs = [create(), create()];
    programs.iter().for_each(|program| compile(&f, **program).unwrap());
    let [first, second] = programs.each_ref().map(|program| **program);
    let mut out = null_mut();
    let refusal = |result| calls::expect_refusal(result, &[PI_ERROR_LINK_PROGRAM_FAILURE]);
    let text = refusal(link(&f, &[first, first], &mut out));
    assert!(text.contains("in the list twice"), "{text}");
    if f.driver() == Driver::Intel {
        let text = refusal(link(&f, &[first, second], &mut out));
        assert!(text.contains("programs 0 and 1 to link both define"), "{text}");
    }
    assert!(out.is_null());
}

fn metadata_are_accepted() {
    let f = Fixture::new();
    let bytes = binary(&f, *f.built_source());
    let mut sizes = [24_u64, 0, 0];
    sizes[1] = 4 | 2 << 32;
    let mut entry = _pi_device_binary_property_struct {
        Name: c"fixed_size@reqd_work_group_size".as_ptr().cast_mut(),
        ValAddr: sizes.as_mut_ptr().cast(),
        Type: 2,
        ValSize: 20,
    };
    let (length, start, mut out) = (bytes.len(), bytes.as_ptr(), null_mut());
    let list = &raw mut entry;
    ok!(
        f.pi,
        piProgramCreateWithBinary(f.context, 1, &f.device, &length, &start, 1, &list, null_mut(), &mut out)
    );
    drop(f.own_program(out));
}

/// Creates and builds a program. An error at either step is right, a success at both is not.
fn create_and_build(f: &Fixture, il: &[u8]) -> Result<(), CallError> {
    let mut out = null_mut();
    call!(f.pi, piProgramCreate(f.context, il.as_ptr().cast(), il.len(), &mut out))?;
    let program = f.own_program(out);
    f.build(*program, c"")
}

const BAD_IL: [pi_result; 4] = [
    PI_ERROR_INVALID_BINARY,
    PI_ERROR_INVALID_VALUE,
    PI_ERROR_INVALID_BUFFER_SIZE,
    PI_ERROR_BUILD_PROGRAM_FAILURE,
];

fn spirv_that_is_truncated_is_refused() {
    let f = Fixture::new();
    let il = kernels::SPEC_SCALAR;
    // Truncated anywhere, within words and between them: refused at once, without the driver's compiler.
    for length in (0..il.len()).filter(|length| *length != up_to_entry_points(il)) {
        let mut out = null_mut();
        let result = call!(f.pi, piProgramCreate(f.context, il.as_ptr().cast(), length, &mut out));
        if result.is_ok() {
            panic!("the first {length} of {} bytes are accepted", il.len());
        }
        calls::expect_refusal(result, &BAD_IL);
    }
}

/// Returns the only truncation that leaves a whole, though empty, module: after the memory model, before the entry
/// points.
fn up_to_entry_points(il: &[u8]) -> usize {
    const OP_ENTRY_POINT: u16 = 15;
    let half = |at: usize| u16::from_le_bytes([il[at], il[at + 1]]);
    let mut at = 20;
    while half(at) != OP_ENTRY_POINT {
        at += 4 * usize::from(half(at + 2));
    }
    at
}

fn what_is_no_spirv_is_refused() {
    let f = Fixture::new();
    for il in [&b"BC\xc0\xde and then some bitcode"[..], b"kernel void x() {}", &[0; 64], &[0xff; 64], b"x"] {
        calls::expect_refusal(create_and_build(&f, il), &BAD_IL);
    }
}

fn spirv_with_damage_never_crashes_the_create() {
    let f = Fixture::new();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..300 {
        let mut il = kernels::SPEC_SCALAR.to_vec();
        for _ in 0..4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (seed >> 33) as usize % il.len();
            il[at] = seed as u8;
        }
        let mut out = null_mut();
        if call!(f.pi, piProgramCreate(f.context, il.as_ptr().cast(), il.len(), &mut out)).is_ok() {
            // The driver's compiler checks the rest, including modules damaged inside.
            drop(f.own_program(out));
        }
    }
}
