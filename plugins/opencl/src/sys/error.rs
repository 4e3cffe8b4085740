//! Driver codes as errors. PI's numbers are OpenCL's, so a code passes through; its name and call go into the text.

use opencl_sys::*;
use sycl_pi_backend::{Error, Result, cold_error};

use super::functions::{MISSING, REFUSED, missing};
use super::library::library;

/// `CL_SUCCESS`, or the error of the call `name`.
#[inline(always)]
pub(crate) fn check(name: &'static str, code: cl_int) -> Result<()> {
    if code == CL_SUCCESS { Ok(()) } else { Err(driver_error(name, code)) }
}

/// The error of the call `name` that answered `code`.
///
/// A C function for the sake of the stubs, as [`cold_error`] is.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this library only")]
pub(crate) extern "C" fn driver_error(name: &'static str, code: cl_int) -> Error {
    cold_error(|| describe(name, code))
}

fn describe(name: &'static str, code: cl_int) -> Error {
    match code {
        MISSING => return missing(name),
        REFUSED => {
            let unknown = || Error::new(sycl_pi_backend::types::ErrorCode::UNKNOWN, format!("{name} was not called"));
            return library().err().unwrap_or_else(unknown);
        }
        _ => {}
    }
    let hint = match code {
        CL_DEVICE_NOT_FOUND => "no device of that type",
        CL_OUT_OF_RESOURCES => {
            "the device has not the resources for this; smaller work-groups or buffers may fit"
        }
        CL_INVALID_WORK_GROUP_SIZE => {
            "the local size must divide the global size where the program was built for uniform work-groups, stay \
             within the device's and the kernel's limits, and equal a required size"
        }
        CL_INVALID_KERNEL_ARGS => "an argument of the kernel was not set",
        CL_INVALID_BINARY => "the device cannot load this binary or SPIR-V module",
        CL_BUILD_PROGRAM_FAILURE => "the build log (piProgramGetBuildInfo) says why",
        CL_INVALID_KERNEL_NAME => "the program has no kernel of that name",
        _ => "",
    };
    let separator = if hint.is_empty() { "" } else { ": " };
    Error::new(code, format!("{name} answered {} ({code}){separator}{hint}", code_name(code)))
}

/// The specification's name of a code.
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
