//! Programs: images, binaries, metadata, device variables.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{image, last_error, program_binary as binary, wait};
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("program_of_junk_is_refused", junk),
    ("program_logs_and_bad_images", bad_images),
    ("variable_by_symbol_and_by_id", variable),
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

/// A cubin of this GPU's, marked as one for another architecture.
fn foreign_cubin(fixture: &Fixture) -> Vec<u8> {
    let mut bytes = binary(&fixture.program("kernels"));
    let mut version = [0_u8; 8];
    let room = version.as_mut_ptr().cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_VERSION, 8, room, null_mut()));
    let own = (version[0] - b'0') * 10 + (version[2] - b'0');
    // The architecture's number is in the flags of the ELF header, in one or two places.
    const FLAGS: usize = 0x30;
    for byte in bytes[FLAGS..FLAGS + 4].iter_mut().filter(|byte| **byte == own) {
        *byte = 50;
    }
    bytes
}

/// A property of an image: its length in bits, then the payload.
fn property(name: &std::ffi::CStr, payload: &[u8]) -> (_pi_device_binary_property_struct, Vec<u8>) {
    let mut bytes = (8 * payload.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(payload);
    let property = _pi_device_binary_property_struct {
        Name: name.as_ptr().cast_mut(),
        ValAddr: bytes.as_mut_ptr().cast(),
        Type: PI_PROPERTY_TYPE_BYTE_ARRAY,
        ValSize: bytes.len() as u64,
    };
    (property, bytes)
}

fn variable() {
    let fixture = Fixture::new();
    let (mut property, _bytes) = property(c"unique id@global_id_mapping", b"counter\0");
    let program = fixture.binary(&image("kernels"), &[&raw mut property]);
    ok!(piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
    let kernel = program.kernel("bump");
    let (value, mut back) = (40_i32, 0_i32);
    let (from, to) = ((&raw const value).cast::<c_void>(), (&raw mut back).cast::<c_void>());
    for name in [c"counter", c"unique id"] {
        ok!(piextEnqueueDeviceGlobalVariableWrite(
            fixture.queue,
            program.raw,
            name.as_ptr(),
            1,
            4,
            0,
            from,
            0,
            null(),
            null_mut()
        ));
        fixture.launch(kernel.raw, &[1], None);
        let mut event = null_mut();
        ok!(piextEnqueueDeviceGlobalVariableRead(
            fixture.queue,
            program.raw,
            name.as_ptr(),
            0,
            4,
            0,
            to,
            0,
            null(),
            &mut event
        ));
        wait(&[event]);
        assert_eq!(back, 41);
    }
    for (count, offset) in [(4, 1), (1, usize::MAX), (usize::MAX, 1)] {
        fails!(
            piextEnqueueDeviceGlobalVariableRead(
                fixture.queue,
                program.raw,
                c"counter".as_ptr(),
                1,
                count,
                offset,
                to,
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE
        );
    }
    fails!(
        piextEnqueueDeviceGlobalVariableRead(
            fixture.queue,
            program.raw,
            c"no such".as_ptr(),
            1,
            4,
            0,
            to,
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_INVALID_VALUE
    );
    let (mut size, mut address) = (0, null_mut());
    ok!(piextGetGlobalVariablePointer(
        fixture.device,
        program.raw,
        c"table".as_ptr(),
        &mut size,
        &mut address
    ));
    assert!(size == 64 && !address.is_null());
}
