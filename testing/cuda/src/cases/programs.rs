//! Programs: refused images.

use std::ptr::{null, null_mut};

use super::Case;
use super::devices::Pair;
use crate::fixture::{image, last_error, program_binary as binary};
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("program_of_junk_is_refused", junk),
    ("program_logs_and_bad_images", bad_images),
    ("programs_of_other_contexts_or_states_are_not_linked", other_programs),
    ("a_program_that_is_built_stays_as_it_was_built", built),
    ("two_devices_are_not_linked_for_where_a_program_is_missing", missing),
    ("two_devices_have_no_program_if_one_of_them_cannot_have_it", one_of_two),
    ("a_linked_program_has_the_sizes_and_the_log_of_its_images", linked),
];

fn junk() {
    for bytes in [&b"junk that is nothing"[..], &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 9]] {
        Fixture::new().refused_binary(bytes);
    }
}

fn bad_images() {
    let fixture = Fixture::new();
    let whole = image("kernels");
    for bytes in [&whole[..whole.len() / 2], &foreign_cubin(&fixture)[..]] {
        let program = fixture.binary(bytes, &[]);
        fails!(
            piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
            PI_ERROR_BUILD_PROGRAM_FAILURE
        );
        println!("{}", last_error());
        let mut log = vec![0_u8; 1 << 16];
        let room = log.as_mut_ptr().cast();
        let (mut size, name) = (0, PI_PROGRAM_BUILD_INFO_LOG);
        ok!(piProgramGetBuildInfo(program.raw, fixture.device, name, log.len(), room, &mut size));
        assert!(size > 10, "a log was expected");
    }
}

fn other_programs() {
    let (fixture, other) = (Fixture::new(), Fixture::new());
    let bytes = image("kernels");
    let [compiled, plain, foreign] = [&fixture, &fixture, &other].map(|fixture| fixture.binary(&bytes, &[]));
    for program in [&compiled, &foreign] {
        let (raw, device, options, none) = (program.raw, &raw const fixture.device, c"".as_ptr(), null_mut());
        ok!(piProgramCompile(raw, 1, device, options, 0, null(), null_mut(), None, none));
    }
    for (programs, expected, reason) in [
        ([compiled.raw, foreign.raw], PI_ERROR_INVALID_CONTEXT, "context"),
        ([compiled.raw, plain.raw], PI_ERROR_INVALID_OPERATION, "others are not"),
    ] {
        let (context, device, list, mut out) =
            (fixture.context, &raw const fixture.device, programs.as_ptr(), null_mut());
        let (options, none) = (c"".as_ptr(), null_mut());
        let why = fails!(piProgramLink(context, 1, device, options, 2, list, None, none, &mut out), expected);
        assert!(why.contains(reason) && out.is_null(), "{why}");
    }
}

fn built() {
    let fixture = Fixture::new();
    let program = fixture.binary(&image("kernels"), &[]);
    let device = &raw const fixture.device;
    let build = |options: &std::ffi::CStr| {
        software::inject("");
        ok!(piProgramBuild(program.raw, 1, device, options.as_ptr(), None, null_mut()));
        software::calls("cuModuleLoadDataEx")
    };
    assert_eq!(build(c"--ftz=true"), 1);
    assert_eq!(build(c"--ftz=false"), 0, "its kernels may be in use");
    let options = c"-O0".as_ptr();
    ok!(piProgramCompile(program.raw, 1, device, options, 0, null(), null_mut(), None, null_mut()));
    let (mut kind, mut text) = (77_u32, [0_u8; 64]);
    let (room, room_for_text) = ((&raw mut kind).cast(), text.as_mut_ptr().cast());
    let (raw, device) = (program.raw, fixture.device);
    ok!(piProgramGetBuildInfo(raw, device, PI_PROGRAM_BUILD_INFO_BINARY_TYPE, 4, room, null_mut()));
    ok!(piProgramGetBuildInfo(raw, device, PI_PROGRAM_BUILD_INFO_OPTIONS, 64, room_for_text, null_mut()));
    let options = std::ffi::CStr::from_bytes_until_nul(&text).unwrap();
    assert_eq!((kind, options), (PI_PROGRAM_BINARY_TYPE_EXECUTABLE, c"--ftz=true"));
}

fn missing() {
    let pair = Pair::new();
    let (bytes, options) = (image("kernels"), c"".as_ptr());
    let (length, start, mut program) = (bytes.len(), bytes.as_ptr(), null_mut());
    let ([first, second], context) = (pair.devices, pair.context);
    ok!(piProgramCreateWithBinary(context, 1, &first, &length, &start, 0, null(), null_mut(), &mut program));
    let link = |device: &pi_device| {
        let mut linked = null_mut();
        let (list, none) = (&raw const program, null_mut());
        let code = code!(piProgramLink(context, 1, device, options, 1, list, None, none, &mut linked));
        (code, linked)
    };
    assert_eq!(link(&second), (PI_ERROR_INVALID_DEVICE, null_mut()));
    let (code, linked) = link(&first);
    assert_eq!(code, PI_SUCCESS);
    ok!(piProgramRelease(linked));
    ok!(piProgramRelease(program));
}

fn one_of_two() {
    let pair = Pair::new();
    let (good, bad, worse) = (image("kernels"), &b"junk that is nothing"[..], &b"sycl-pi CUDA 3\n"[..]);
    let ([first, second], context) = (pair.devices, pair.context);
    let create = |binaries: [&[u8]; 2]| {
        let (mut program, mut codes) = (null_mut(), [77; 2]);
        let (lengths, mut starts) = (binaries.map(<[u8]>::len), binaries.map(<[u8]>::as_ptr));
        let (devices, lengths, starts) = ([first, second], lengths.as_ptr(), starts.as_mut_ptr());
        let (devices, status) = (devices.as_ptr(), codes.as_mut_ptr());
        let code = code!(piProgramCreateWithBinary(
            context,
            2,
            devices,
            lengths,
            starts,
            0,
            null(),
            status,
            &mut program
        ));
        (code, codes, program)
    };
    let invalid = PI_ERROR_INVALID_BINARY;
    for (binaries, codes) in [
        ([&good[..], bad], [PI_SUCCESS, invalid]),
        ([bad, &good[..]], [invalid, PI_SUCCESS]),
        ([bad, worse], [invalid; 2]),
    ] {
        assert_eq!(create(binaries), (invalid, codes, null_mut()));
        assert!(last_error().contains("6a, 75, 6e, 6b"), "the first one: {}", last_error());
    }
    let (code, codes, program) = create([&good, &good]);
    assert_eq!((code, codes), (PI_SUCCESS, [PI_SUCCESS; 2]));
    for nth in [1, 2] {
        software::inject(&format!("cuLinkComplete:{nth}:218"));
        let (options, mut linked) = (c"".as_ptr(), null_mut());
        let (list, none) = (&raw const program, null_mut());
        fails!(
            piProgramLink(context, 0, null(), options, 1, list, None, none, &mut linked),
            PI_ERROR_LINK_PROGRAM_FAILURE
        );
        software::inject("");
        ok!(piProgramRelease(linked));
    }
    ok!(piProgramRelease(program));
}

/// Links the only program, because the software driver cannot add a second one.
fn linked() {
    let fixture = Fixture::new();
    let declared: [(_, &[u32]); 2] =
        [(c"scale@reqd_work_group_size", &[4, 2, 1]), (c"noop@max_work_group_size", &[11, 3, 1])];
    let program = fixture.declaring(&image("kernels"), &declared);
    let (list, options, mut linked) = (&raw const program.raw, c"".as_ptr(), null_mut());
    let (context, device, none) = (fixture.context, &raw const fixture.device, null_mut());
    ok!(piProgramLink(context, 1, device, options, 1, list, None, none, &mut linked));
    let mut log = [0_u8; 1 << 10];
    let (room, name) = (log.as_mut_ptr().cast(), PI_PROGRAM_BUILD_INFO_LOG);
    ok!(piProgramGetBuildInfo(linked, fixture.device, name, log.len(), room, null_mut()));
    assert_eq!(std::ffi::CStr::from_bytes_until_nul(&log), Ok(c"one image is linked"));
    let program = fixture.build(program);
    for program in [program.raw, linked] {
        has_sizes(&fixture, program);
    }
    ok!(piProgramRelease(linked));
}

fn has_sizes(fixture: &Fixture, program: pi_program) {
    let [scale, noop] = [c"scale", c"noop"].map(|name| {
        let mut kernel = null_mut();
        ok!(piKernelCreate(program, name.as_ptr(), &mut kernel));
        kernel
    });
    let sizes = |kernel, name, size| {
        let mut sizes = [0_usize; 3];
        let (device, room) = (fixture.device, sizes.as_mut_ptr().cast());
        ok!(piKernelGetGroupInfo(kernel, device, name, size, room, null_mut()));
        sizes
    };
    assert_eq!(sizes(scale, PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, 24), [4, 2, 1]);
    assert_eq!(sizes(noop, PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, 24), [0; 3]);
    assert_eq!(sizes(noop, PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, 8), [33, 0, 0]);
    let (mut groups, name) = (77_u32, PI_KERNEL_MAX_NUM_SUB_GROUPS);
    let (device, room) = (fixture.device, (&raw mut groups).cast());
    ok!(piKernelGetSubGroupInfo(noop, device, name, 0, null(), 4, room, null_mut()));
    assert_eq!(groups, 2, "the second has one work-item");
    for kernel in [scale, noop] {
        ok!(piKernelRelease(kernel));
    }
}

/// Returns a cubin of this GPU, marked as one for another architecture.
fn foreign_cubin(fixture: &Fixture) -> Vec<u8> {
    let mut bytes = binary(&fixture.program("kernels"));
    let mut version = [0_u8; 8];
    let room = version.as_mut_ptr().cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_VERSION, 8, room, null_mut()));
    let own = (version[0] - b'0') * 10 + (version[2] - b'0');
    // The architecture's number is in one or two places of the flags in the ELF header.
    const FLAGS: usize = 0x30;
    for byte in bytes[FLAGS..FLAGS + 4].iter_mut().filter(|byte| **byte == own) {
        *byte = 50;
    }
    bytes
}
