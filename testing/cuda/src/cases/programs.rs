//! Programs: refused images.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{image, last_error, program_binary as binary};
use crate::{Fixture, fails, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("program_of_junk_is_refused", junk),
    ("program_logs_and_bad_images", bad_images),
    ("programs_of_other_contexts_or_states_are_not_linked", other_programs),
    ("a_program_that_is_built_stays_as_it_was_built", built),
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
