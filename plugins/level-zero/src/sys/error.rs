//! Driver errors: an error code, the call, the specification's name of the result, and the driver's own message.

use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

use level_zero_sys::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

static DRIVERS: OnceLock<Vec<ze_driver_handle_t>> = OnceLock::new();

/// Sets the drivers that are queried for an error message.
pub(crate) fn know_drivers(drivers: Vec<ze_driver_handle_t>) {
    let _ = DRIVERS.set(drivers);
}

/// Returns the error of a failed call.
#[cold]
#[inline(never)]
pub(crate) fn error_of(error: ZeError) -> Error {
    if error.by == AnsweredBy::MissingFunction {
        return Error::unsupported(format!("{error}; a newer one (Debian: libze1) may have it"));
    }
    if error.by == AnsweredBy::MissingLibrary {
        // It says what was tried, and needs no other words.
        let why = why_missing().map_or_else(|| error.to_string(), str::to_owned);
        return Error::new(ErrorCode::UNINITIALIZED, why);
    }
    let hint = hint(error.result);
    let message = driver_message();
    let mut text = error.to_string();
    for part in [hint, message.as_deref().unwrap_or_default()] {
        if !part.is_empty() {
            text.push_str(": ");
            text.push_str(part);
        }
    }
    Error::new(code(error.result), text)
}

/// Adds the kind and the name of an object to an error.
pub(crate) fn named<'a>(what: &'a str, name: &'a CStr) -> impl FnOnce(Error) -> Error + 'a {
    move |error| error.context(format!("{what} {name:?}"))
}

/// Converts a number to 32 bits, which the driver uses for boxes.
pub(crate) fn narrow(number: usize) -> Result<u32> {
    u32::try_from(number).map_err(|_| {
        Error::invalid_value(format!("region: {number} is more than Level Zero's boxes can have"))
    })
}

/// Logs an error of a call that destroys an object, because no caller could handle it.
pub(crate) fn log_failure(result: Result<()>) {
    if let Err(error) = result {
        log::warn!("while destroying an object: {error}");
    }
}

fn driver_message() -> Option<String> {
    let ze = level_zero_sys::ze().ok()?;
    if !ze.has("zeDriverGetLastErrorDescription") {
        return None;
    }
    for driver in DRIVERS.get()? {
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the driver is live, and the pointer is written to a local variable.
        if unsafe { ze.zeDriverGetLastErrorDescription(*driver, &mut text) }.is_ok() && !text.is_null() {
            // SAFETY: this is the driver's own text, which it keeps until its next error on this thread.
            let message = unsafe { CStr::from_ptr(text) }.to_string_lossy();
            if !message.is_empty() {
                return Some(message.into_owned());
            }
        }
    }
    None
}

fn hint(result: ze_result_t) -> &'static str {
    match result {
        ZE_RESULT_ERROR_DEVICE_LOST => "the device hung, was reset or removed; restart the process",
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY => "smaller work-groups or fewer allocations may fit",
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE => "more than the device can take at once",
        ZE_RESULT_ERROR_INVALID_NATIVE_BINARY => "the binary is for another device or driver",
        ZE_RESULT_ERROR_INVALID_KERNEL_NAME => "the program has no kernel of that name",
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION => {
            "the work-group is larger than kernel or device allow"
        }
        ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED => "the program has imports that are not linked yet",
        _ => "",
    }
}

/// Returns the error code for a result.
fn code(result: ze_result_t) -> ErrorCode {
    match result {
        ZE_RESULT_ERROR_DEVICE_LOST
        | ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET
        | ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE
        | ZE_RESULT_ERROR_NOT_AVAILABLE => ErrorCode::DEVICE_NOT_AVAILABLE,
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY => ErrorCode::OUT_OF_HOST_MEMORY,
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY => ErrorCode::OUT_OF_RESOURCES,
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE => ErrorCode::BUILD_PROGRAM_FAILURE,
        ZE_RESULT_ERROR_MODULE_LINK_FAILURE => ErrorCode::LINK_PROGRAM_FAILURE,
        ZE_RESULT_ERROR_UNINITIALIZED => ErrorCode::UNINITIALIZED,
        ZE_RESULT_ERROR_UNSUPPORTED_VERSION
        | ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
        | ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE => ErrorCode::UNSUPPORTED_FEATURE,
        ZE_RESULT_ERROR_INVALID_SIZE | ZE_RESULT_ERROR_UNSUPPORTED_SIZE => ErrorCode::INVALID_BUFFER_SIZE,
        ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT => ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED,
        ZE_RESULT_ERROR_INVALID_NATIVE_BINARY => ErrorCode::INVALID_BINARY,
        ZE_RESULT_ERROR_INVALID_KERNEL_NAME => ErrorCode::INVALID_KERNEL_NAME,
        ZE_RESULT_ERROR_INVALID_FUNCTION_NAME => ErrorCode::FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION | ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION => {
            ErrorCode::INVALID_WORK_GROUP_SIZE
        }
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX => ErrorCode::INVALID_ARG_INDEX,
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE => ErrorCode::INVALID_ARG_SIZE,
        ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED => ErrorCode::INVALID_PROGRAM_EXECUTABLE,
        ZE_RESULT_ERROR_OVERLAPPING_REGIONS => ErrorCode::MEM_COPY_OVERLAP,
        ZE_RESULT_ERROR_INVALID_ARGUMENT
        | ZE_RESULT_ERROR_INVALID_NULL_HANDLE
        | ZE_RESULT_ERROR_INVALID_NULL_POINTER
        | ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE
        | ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT
        | ZE_RESULT_ERROR_INVALID_ENUMERATION
        | ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION
        | ZE_RESULT_ERROR_INVALID_GLOBAL_NAME
        | ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE
        | ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE
        | ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT => ErrorCode::INVALID_VALUE,
        _ => ErrorCode::UNKNOWN,
    }
}
