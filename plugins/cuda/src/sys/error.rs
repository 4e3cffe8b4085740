//! Conversion of driver codes to errors: an error code, and a message with the call, the code's name and the driver's
//! own text.

use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use super::code::{self, Code, SUCCESS};

/// The result of a missing query, which is not a driver code.
pub(super) const MISSING: Code = Code::MAX - 0x5049;

/// Returns success, or the error of the call `name`.
#[inline]
pub(crate) fn check(name: &'static str, code: Code) -> Result<()> {
    if code == SUCCESS { Ok(()) } else { Err(driver_error(name, code)) }
}

/// Returns the error code for a driver code.
fn error_code(code: Code) -> ErrorCode {
    match code {
        code::INVALID_VALUE | code::INVALID_HANDLE | code::NOT_FOUND => ErrorCode::INVALID_VALUE,
        code::OUT_OF_MEMORY | code::LAUNCH_OUT_OF_RESOURCES => ErrorCode::OUT_OF_RESOURCES,
        code::NOT_INITIALIZED | code::DEINITIALIZED => ErrorCode::UNINITIALIZED,
        code::NO_DEVICE => ErrorCode::DEVICE_NOT_FOUND,
        code::INVALID_DEVICE => ErrorCode::INVALID_DEVICE,
        code::INVALID_IMAGE | code::NO_BINARY_FOR_GPU | code::INVALID_SOURCE => ErrorCode::INVALID_BINARY,
        code::INVALID_CONTEXT | code::CONTEXT_IS_DESTROYED => ErrorCode::INVALID_CONTEXT,
        code::INVALID_PTX | code::UNSUPPORTED_PTX_VERSION | code::JIT_COMPILATION_DISABLED => {
            ErrorCode::BUILD_PROGRAM_FAILURE
        }
        code::JIT_COMPILER_NOT_FOUND => ErrorCode::COMPILER_NOT_AVAILABLE,
        code::DEVICE_UNAVAILABLE | code::SYSTEM_NOT_READY => ErrorCode::DEVICE_NOT_AVAILABLE,
        code::NOT_SUPPORTED => ErrorCode::INVALID_OPERATION,
        _ if is_sticky(code) => ErrorCode::COMMAND_EXECUTION_FAILURE,
        _ => ErrorCode::UNKNOWN,
    }
}

/// Returns whether this is a code after which the driver returns the same error for every call of the process, even in
/// new contexts.
fn is_sticky(code: Code) -> bool {
    matches!(
        code,
        code::ECC_UNCORRECTABLE
            | code::NVLINK_UNCORRECTABLE
            | code::CONTAINED
            | code::ILLEGAL_ADDRESS
            | code::LAUNCH_TIMEOUT
            | code::ASSERT
            | code::HARDWARE_STACK_ERROR
            | code::ILLEGAL_INSTRUCTION
            | code::MISALIGNED_ADDRESS
            | code::INVALID_ADDRESS_SPACE
            | code::INVALID_PC
            | code::LAUNCH_FAILED
    )
}

/// Returns the error of the call `name`, which returned `code`.
#[cold]
pub(crate) fn driver_error(name: &'static str, code: Code) -> Error {
    if code == MISSING {
        return missing(name);
    }
    let hint = match code {
        code::OUT_OF_MEMORY => "; free memory or ask for less",
        code::NOT_INITIALIZED | code::DEINITIALIZED => {
            "; the driver is shut down, or the process was forked after its first use"
        }
        code::INVALID_IMAGE => "; the image is not PTX, cubin or fatbin that this driver reads",
        code::NO_BINARY_FOR_GPU => {
            "; the image has no code for this GPU's architecture: give PTX, or build for it"
        }
        code::UNSUPPORTED_PTX_VERSION => {
            "; the PTX is newer than this driver: update the driver, or build for an older PTX version"
        }
        code::LAUNCH_OUT_OF_RESOURCES => {
            "; registers or local memory do not suffice for this work-group: make it smaller"
        }
        _ if is_sticky(code) => {
            "; a kernel failed, and the driver does no more work for this process: restart it"
        }
        _ => "",
    };
    Error::new(error_code(code), format!("{name} answered {}{hint}", describe(code)))
}

/// Returns the error of a call that the driver does not have.
#[cold]
pub(super) fn missing(name: &str) -> Error {
    Error::unsupported(format!("the CUDA driver has no {name}, but a newer driver does"))
}

/// A driver function that writes the address of a code's text.
pub(super) type CodeText = unsafe extern "C" fn(Code, *mut *const c_char) -> Code;

/// The driver functions for texts of codes.
pub(super) struct CodeTexts {
    pub(super) name: Option<CodeText>,
    pub(super) description: Option<CodeText>,
}

static CODE_TEXTS: OnceLock<CodeTexts> = OnceLock::new();

/// Makes errors contain the driver's texts from now on.
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
    // SAFETY: this is the driver's own constant, NUL-terminated text.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Describes a code: "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory", with the driver's text.
fn describe(code: Code) -> String {
    let Some(texts) = CODE_TEXTS.get() else { return format!("code {code}") };
    let name = text_of(texts.name, code).unwrap_or_else(|| "an unknown code".into());
    match text_of(texts.description, code) {
        Some(words) => format!("{name} ({code}): {words}"),
        None => format!("{name} ({code})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of `CUresult` in cuda.h.
    #[test]
    fn each_code_of_the_driver_has_an_error_code_and_a_hint() {
        for (codes, expected, hint) in [
            (&[1, 400, 500][..], ErrorCode::INVALID_VALUE, ""),
            (&[2], ErrorCode::OUT_OF_RESOURCES, "free memory"),
            (&[701], ErrorCode::OUT_OF_RESOURCES, "make it smaller"),
            (&[3, 4], ErrorCode::UNINITIALIZED, "was forked"),
            (&[100], ErrorCode::DEVICE_NOT_FOUND, ""),
            (&[101], ErrorCode::INVALID_DEVICE, ""),
            (&[200], ErrorCode::INVALID_BINARY, "not PTX, cubin or fatbin"),
            (&[209], ErrorCode::INVALID_BINARY, "this GPU's architecture"),
            (&[300], ErrorCode::INVALID_BINARY, ""),
            (&[201, 709], ErrorCode::INVALID_CONTEXT, ""),
            (&[218, 223], ErrorCode::BUILD_PROGRAM_FAILURE, ""),
            (&[222], ErrorCode::BUILD_PROGRAM_FAILURE, "newer than this driver"),
            (&[221], ErrorCode::COMPILER_NOT_AVAILABLE, ""),
            (&[46, 802], ErrorCode::DEVICE_NOT_AVAILABLE, ""),
            (&[801], ErrorCode::INVALID_OPERATION, ""),
            (
                &[214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719],
                ErrorCode::COMMAND_EXECUTION_FAILURE,
                "restart it",
            ),
            (&[713, 720, 999], ErrorCode::UNKNOWN, ""),
        ] {
            for code in codes {
                let error = check("cuCall", *code).unwrap_err();
                assert_eq!(error.code(), expected, "{code}");
                let text = error.text();
                assert!(text.starts_with(&format!("cuCall answered code {code}")), "{text}");
                assert_eq!(hint.is_empty(), !text.contains(';'), "{text}");
                assert!(text.contains(hint), "{text}");
            }
        }
        assert!(check("cuCall", SUCCESS).is_ok());
        let missing = check("cuCall", MISSING).unwrap_err();
        assert!(missing.text().contains("has no cuCall"), "{}", missing.text());
    }
}
