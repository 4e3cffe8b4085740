//! Driver codes as errors: a PI code, and a text with the call, the code's name and the driver's own words.

use sycl_pi_backend::{Error, Result};
use sycl_pi_backend::types::*;

use super::functions::{Code, MISSING, missing};
use super::library::loaded;

pub(crate) const SUCCESS: Code = 0;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const NOT_READY: Code = 600;

/// Success, or the error of the call `name`.
#[inline(always)]
pub(crate) fn check(name: &'static str, code: Code) -> Result<()> {
    if code == SUCCESS { Ok(()) } else { Err(driver_error(name, code)) }
}

/// The PI code for a driver's code.
fn pi_code(code: Code) -> ErrorCode {
    match code {
        1 | 400 | 500 => ErrorCode::INVALID_VALUE,
        OUT_OF_MEMORY | 701 => ErrorCode::OUT_OF_RESOURCES,
        3 | 4 => ErrorCode::UNINITIALIZED,
        100 => ErrorCode::DEVICE_NOT_FOUND,
        101 => ErrorCode::INVALID_DEVICE,
        200 | 209 | 300 => ErrorCode::INVALID_BINARY,
        201 | 709 => ErrorCode::INVALID_CONTEXT,
        218 | 222 | 223 => ErrorCode::BUILD_PROGRAM_FAILURE,
        221 => ErrorCode::COMPILER_NOT_AVAILABLE,
        46 | 802 => ErrorCode::DEVICE_NOT_AVAILABLE,
        801 => ErrorCode::INVALID_OPERATION,
        _ if is_sticky(code) => ErrorCode::COMMAND_EXECUTION_FAILURE,
        _ => ErrorCode::UNKNOWN,
    }
}

/// Codes after which a CUDA context answers every call with the same error.
fn is_sticky(code: Code) -> bool {
    matches!(code, 214 | 220 | 226 | 700 | 702 | 710 | 714..=719)
}

/// The error of the call `name` that answered `code`.
#[cold]
#[inline(never)]
pub(crate) fn driver_error(name: &'static str, code: Code) -> Error {
    if code == MISSING {
        return missing(name);
    }
    let hint = match code {
        OUT_OF_MEMORY => "; free memory or ask for less",
        3 | 4 => "; the driver is shut down, or the process was forked after its first use",
        200 => "; the image is no PTX, cubin or fatbin that this driver reads",
        209 => "; the image has no code for this GPU's architecture: give PTX, or build for it",
        222 => "; the PTX is newer than this driver: update the driver, or build for an older PTX version",
        701 => "; registers or local memory do not suffice for this work-group: make it smaller",
        _ if is_sticky(code) => {
            "; a kernel failed and the CUDA context is lost: release everything, or restart the process"
        }
        _ => "",
    };
    Error::new(pi_code(code), format!("{name} answered {}{hint}", describe(code)))
}

/// "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory", in the driver's words.
pub(crate) fn describe(code: Code) -> String {
    let Some(driver) = loaded() else { return format!("code {code}") };
    let name = driver.words(true, code).unwrap_or_else(|| "an unknown code".into());
    match driver.words(false, code) {
        Some(words) => format!("{name} ({code}): {words}"),
        None => format!("{name} ({code})"),
    }
}
