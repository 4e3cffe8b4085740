//! PI's names for what a backend's error is about. Backends use plain words, as they serve several interfaces.

use sycl_pi_backend::Error;
use sycl_pi_backend::types::ErrorCode;

/// The parameter that an error code is about, in the calls that have it.
const NAMES: &[(ErrorCode, &str)] = &[
    (ErrorCode::INVALID_DEVICE, "device"),
    (ErrorCode::INVALID_DEVICE, "dev"),
    (ErrorCode::INVALID_DEVICE, "device_list"),
    (ErrorCode::INVALID_DEVICE_TYPE, "device_type"),
    (ErrorCode::INVALID_MEM_OBJECT, "mem"),
    (ErrorCode::INVALID_MEM_OBJECT, "memobj"),
    (ErrorCode::INVALID_MEM_OBJECT, "buffer"),
    (ErrorCode::INVALID_MEM_OBJECT, "image"),
    (ErrorCode::INVALID_BUFFER_SIZE, "size"),
    (ErrorCode::INVALID_BUFFER_SIZE, "buffer_create_info"),
    (ErrorCode::INVALID_HOST_PTR, "host_ptr"),
    (ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, "image_format"),
    (ErrorCode::INVALID_IMAGE_DESCRIPTOR, "image_desc"),
    (ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_desc"),
    (ErrorCode::INVALID_IMAGE_SIZE, "image_desc"),
    (ErrorCode::INVALID_BINARY, "binaries"),
    (ErrorCode::INVALID_BINARY, "il"),
    (ErrorCode::LINK_PROGRAM_FAILURE, "input_programs"),
    (ErrorCode::INVALID_KERNEL_NAME, "kernel_name"),
    (ErrorCode::INVALID_ARG_INDEX, "arg_index"),
    (ErrorCode::INVALID_ARG_SIZE, "arg_size"),
    (ErrorCode::INVALID_ARG_VALUE, "arg_value"),
    (ErrorCode::INVALID_WORK_GROUP_SIZE, "local_work_size"),
    (ErrorCode::INVALID_GLOBAL_OFFSET, "global_work_offset"),
];

/// The same error with the call's own name for what it is about.
#[cold]
pub(crate) fn named(error: Error, parameters: &[&str]) -> Error {
    error.naming(NAMES, parameters)
}
