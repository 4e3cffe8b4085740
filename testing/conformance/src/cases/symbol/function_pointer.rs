//! `piextGetDeviceFunctionPointer`.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{BASIC, Env};
use crate::outcome::{DEVICE, PROGRAM, UNBUILT, VALUE, Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("PRG-39", "piextGetDeviceFunctionPointer", of_a_kernel),
    case("PRG-40", "piextGetDeviceFunctionPointer", unknown_name),
    case("PRG-41", "piextGetDeviceFunctionPointer", not_built),
];

/// An address, or a code by which the runtime recognizes that there is none.
fn of_a_kernel(f: &Env) -> Verdict {
    let (program, mut address) = (f.program()?, 77_u64);
    match call!(f, piextGetDeviceFunctionPointer(f.device, program, c"nothing".as_ptr(), &mut address)) {
        Ok(()) => check("", address != 0, "an address", "0"),
        Err(error) => {
            let known = [
                Some(PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE),
                Some(PI_ERROR_INVALID_KERNEL_NAME),
                Some(PI_ERROR_INVALID_OPERATION),
            ];
            let expected = "an address, or PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE";
            check("", known.contains(&error.code()), expected, crate::outcome::answer(error))?;
            same("address after a refusal", 0, address)
        }
    }
}

fn unknown_name(f: &Env) -> Verdict {
    let (program, mut address) = (f.program()?, 77_u64);
    let codes = codes(
        &[PI_ERROR_INVALID_KERNEL_NAME],
        &[PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE, PI_ERROR_INVALID_OPERATION],
    );
    refused!(f, piextGetDeviceFunctionPointer(f.device, program, c"no_such".as_ptr(), &mut address), codes);
    same("address after a refusal", 0, address)?;
    let name = c"nothing".as_ptr();
    refused!(f, piextGetDeviceFunctionPointer(null_mut(), program, name, &mut address), DEVICE);
    refused!(f, piextGetDeviceFunctionPointer(f.device, null_mut(), name, &mut address), PROGRAM);
    refused!(f, piextGetDeviceFunctionPointer(f.device, program, name, null_mut()), VALUE);
    Ok(())
}

fn not_built(f: &Env) -> Verdict {
    let (program, mut address) = (f.create(&BASIC)?, 77_u64);
    let name = c"nothing".as_ptr();
    refused!(f, piextGetDeviceFunctionPointer(f.device, *program, name, &mut address), UNBUILT);
    Ok(())
}
