//! Driver codes as errors: an error code, and a text with the call, the code's name and the driver's own words.

use std::ffi::{CStr, c_char, c_uint};
use std::sync::OnceLock;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

/// A driver's answer, as a number: newer drivers have newer ones.
pub(crate) type Code = c_uint;

pub(crate) const SUCCESS: Code = 0;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const NOT_READY: Code = 600;

/// The answer of a missing query. No driver's code.
pub(super) const MISSING: Code = Code::MAX - 0x5049;

/// Success, or the error of the call `name`.
#[inline]
pub(crate) fn check(name: &'static str, code: Code) -> Result<()> {
    if code == SUCCESS { Ok(()) } else { Err(driver_error(name, code)) }
}

/// The error code for a driver's code.
fn error_code(code: Code) -> ErrorCode {
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

/// Codes after which the driver answers every call of the process with the same error, in new contexts too.
fn is_sticky(code: Code) -> bool {
    matches!(code, 214 | 220 | 226 | 700 | 702 | 710 | 714..=719)
}

/// The error of the call `name` that answered `code`.
#[cold]
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
            "; a kernel failed, and the driver does no more work for this process: restart it"
        }
        _ => "",
    };
    Error::new(error_code(code), format!("{name} answered {}{hint}", describe(code)))
}

/// The error of a call that the driver does not have.
#[cold]
pub(super) fn missing(name: &str) -> Error {
    Error::unsupported(format!("the CUDA driver has no {name}; a newer driver has"))
}

/// A function of the driver's that writes the address of a code's text.
pub(super) type CodeText = unsafe extern "C" fn(Code, *mut *const c_char) -> Code;

/// The driver's functions for texts of codes.
pub(super) struct CodeTexts {
    pub(super) name: Option<CodeText>,
    pub(super) description: Option<CodeText>,
}

static CODE_TEXTS: OnceLock<CodeTexts> = OnceLock::new();

/// Lets errors have the driver's texts from now on.
pub(super) fn use_code_texts(texts: CodeTexts) {
    let _ = CODE_TEXTS.set(texts);
}

fn text_of(function: Option<CodeText>, code: Code) -> Option<String> {
    let mut text: *const c_char = std::ptr::null();
    // SAFETY: `text` has room for a pointer.
    let answer = unsafe { function?(code, &mut text) };
    if answer != SUCCESS || text.is_null() {
        return None;
    }
    // SAFETY: the driver's own constant, NUL-terminated text.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory", in the driver's words.
fn describe(code: Code) -> String {
    let Some(texts) = CODE_TEXTS.get() else { return format!("code {code}") };
    let name = text_of(texts.name, code).unwrap_or_else(|| "an unknown code".into());
    match text_of(texts.description, code) {
        Some(words) => format!("{name} ({code}): {words}"),
        None => format!("{name} ({code})"),
    }
}
