//! Conversion of driver codes to errors. The backend's codes are OpenCL's; the message contains the names of the call
//! and of the code.

use std::ffi::c_void;

use opencl_sys::*;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, New, Object, Result};
use sycl_pi_dynload::FromDriver;

use super::extensions::ExtensionFunctions;

/// An object that a function returned. The function's code states whether it may be used.
pub(crate) struct Created {
    function: &'static str,
    pub(crate) object: *mut c_void,
}

impl Created {
    /// Wraps the object that the function returned.
    pub(super) fn new(function: &'static str, object: *mut c_void) -> Self {
        Self { function, object }
    }
}

/// Calls a function that returns an object and writes a code. A null object is also an error.
pub(crate) fn create<T: Object>(call: impl FnOnce(*mut cl_int) -> Result<Created>) -> Result<New<T>> {
    new_reference(create_raw(call)?)
}

/// Calls a function like [`create`] does, for memory and for objects that are not passed to callers. The result may be
/// null.
pub(crate) fn create_raw(call: impl FnOnce(*mut cl_int) -> Result<Created>) -> Result<*mut c_void> {
    let mut code = CL_SUCCESS;
    let created = call(&mut code)?;
    check(created.function, code)?;
    Ok(created.object)
}

/// Returns the caller's reference to an object of the driver.
pub(crate) fn new_reference<T: Object>(object: *mut c_void) -> Result<New<T>> {
    // SAFETY: this layer gets references only from the driver.
    unsafe { New::from_raw(object.cast()) }.ok_or_else(|| no_object(T::INVALID, T::NAME))
}

/// Returns the error for a driver that reports success but returns no object.
#[cold]
pub(super) fn no_object(code: ErrorCode, name: &str) -> Error {
    Error::new(code, format!("the driver reported success but gave no {name}"))
}

/// Returns success for `CL_SUCCESS`, or else the error of a function.
#[inline]
pub(super) fn check(function: &'static str, code: cl_int) -> Result<()> {
    if code == CL_SUCCESS { Ok(()) } else { Err(driver_error(function, code)) }
}

/// Returns the error for a function that the driver behind an object does not have.
#[cold]
fn missing(function: &'static str) -> Error {
    Error::unsupported(format!("the OpenCL driver has no {function}"))
}

/// Makes a table's functions return the error for their code, or the error for a missing function.
macro_rules! answers_errors {
    ($table:ty, $missing:path) => {
        impl FromDriver<$table> for cl_int {
            type Answer = Result<()>;

            #[inline]
            fn answer(function: &'static str, code: cl_int) -> Result<()> {
                check(function, code)
            }

            fn missing(function: &'static str) -> Result<()> {
                Err($missing(function))
            }
        }

        impl FromDriver<$table> for *mut c_void {
            type Answer = Result<Created>;

            #[inline]
            fn answer(function: &'static str, object: *mut c_void) -> Result<Created> {
                Ok(Created::new(function, object))
            }

            fn missing(function: &'static str) -> Result<Created> {
                Err($missing(function))
            }
        }
    };
}
pub(super) use answers_errors;

answers_errors!(ExtensionFunctions, missing);

/// Returns the error for a function that returned a code.
#[cold]
pub(crate) fn driver_error(function: &'static str, code: cl_int) -> Error {
    let hint = match code {
        CL_DEVICE_NOT_FOUND => "no device of that type",
        CL_OUT_OF_RESOURCES => {
            "the device does not have the resources for this; smaller work-groups or buffers may fit"
        }
        CL_INVALID_WORK_GROUP_SIZE => {
            "the local size must divide the global size where the program was built for uniform work-groups, stay \
             within the device's and the kernel's limits, and equal a required size"
        }
        CL_INVALID_KERNEL_ARGS => "an argument of the kernel was not set",
        CL_INVALID_BINARY => "the device cannot load this binary or SPIR-V module",
        CL_BUILD_PROGRAM_FAILURE => "the build log says why",
        CL_INVALID_KERNEL_NAME => "the program has no kernel of that name",
        _ => "",
    };
    let separator = if hint.is_empty() { "" } else { ": " };
    Error::new(ErrorCode(code), format!("{function} answered {} ({code}){separator}{hint}", code_name(code)))
}

/// Returns the specification's name of a code.
fn code_name(code: cl_int) -> &'static str {
    macro_rules! names {
        ($($name:ident)*) => { match code { $($name => stringify!($name),)* _ => "an unknown code" } };
    }
    names! {
        CL_DEVICE_NOT_FOUND CL_DEVICE_NOT_AVAILABLE CL_COMPILER_NOT_AVAILABLE CL_MEM_OBJECT_ALLOCATION_FAILURE
        CL_OUT_OF_RESOURCES CL_OUT_OF_HOST_MEMORY CL_PROFILING_INFO_NOT_AVAILABLE CL_MEM_COPY_OVERLAP
        CL_IMAGE_FORMAT_MISMATCH CL_IMAGE_FORMAT_NOT_SUPPORTED CL_BUILD_PROGRAM_FAILURE CL_MAP_FAILURE
        CL_MISALIGNED_SUB_BUFFER_OFFSET CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST CL_COMPILE_PROGRAM_FAILURE
        CL_LINKER_NOT_AVAILABLE CL_LINK_PROGRAM_FAILURE CL_DEVICE_PARTITION_FAILED CL_KERNEL_ARG_INFO_NOT_AVAILABLE
        CL_INVALID_VALUE CL_INVALID_DEVICE_TYPE CL_INVALID_PLATFORM CL_INVALID_DEVICE CL_INVALID_CONTEXT
        CL_INVALID_QUEUE_PROPERTIES CL_INVALID_COMMAND_QUEUE CL_INVALID_HOST_PTR CL_INVALID_MEM_OBJECT
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR CL_INVALID_IMAGE_SIZE CL_INVALID_SAMPLER CL_INVALID_BINARY
        CL_INVALID_BUILD_OPTIONS CL_INVALID_PROGRAM CL_INVALID_PROGRAM_EXECUTABLE CL_INVALID_KERNEL_NAME
        CL_INVALID_KERNEL_DEFINITION CL_INVALID_KERNEL CL_INVALID_ARG_INDEX CL_INVALID_ARG_VALUE CL_INVALID_ARG_SIZE
        CL_INVALID_KERNEL_ARGS CL_INVALID_WORK_DIMENSION CL_INVALID_WORK_GROUP_SIZE CL_INVALID_WORK_ITEM_SIZE
        CL_INVALID_GLOBAL_OFFSET CL_INVALID_EVENT_WAIT_LIST CL_INVALID_EVENT CL_INVALID_OPERATION
        CL_INVALID_GL_OBJECT CL_INVALID_BUFFER_SIZE CL_INVALID_MIP_LEVEL CL_INVALID_GLOBAL_WORK_SIZE
        CL_INVALID_PROPERTY CL_INVALID_IMAGE_DESCRIPTOR CL_INVALID_COMPILER_OPTIONS CL_INVALID_LINKER_OPTIONS
        CL_INVALID_DEVICE_PARTITION_COUNT CL_INVALID_PIPE_SIZE CL_INVALID_DEVICE_QUEUE CL_INVALID_SPEC_ID
        CL_MAX_SIZE_RESTRICTION_EXCEEDED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_the_function_and_the_code_and_says_what_helps() {
        let cases = [
            (CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND (-1): no device of that type"),
            (CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY (-6)"),
            (CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE (-11): the build log says why"),
            (
                CL_INVALID_BINARY,
                "CL_INVALID_BINARY (-42): the device cannot load this binary or SPIR-V module",
            ),
            (CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME (-46): the program has no kernel of that name"),
            (CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS (-52): an argument of the kernel was not set"),
            (-9999, "an unknown code (-9999)"),
        ];
        for (code, expected) in cases {
            let error = driver_error("clCall", code);
            assert_eq!(error.code(), ErrorCode(code));
            assert_eq!(error.to_string(), format!("clCall answered {expected}"));
        }
        for (code, hint) in
            [(CL_OUT_OF_RESOURCES, "resources"), (CL_INVALID_WORK_GROUP_SIZE, "required size")]
        {
            let text = driver_error("clCall", code).to_string();
            assert!(text.contains(hint), "{text}");
        }
    }
}
