//! Unified Runtime's names for what a backend's error is about. Backends use plain words, as they serve several interfaces.

use sycl_pi_backend::Error;
use sycl_pi_backend::types::ErrorCode;

/// The parameter that an error code is about, in the calls that have it.
const NAMES: &[(ErrorCode, &str)] = &[
    (ErrorCode::INVALID_DEVICE, "hDevice"),
    (ErrorCode::INVALID_DEVICE, "phDevices"),
    (ErrorCode::INVALID_DEVICE_TYPE, "DeviceType"),
    (ErrorCode::INVALID_MEM_OBJECT, "hMem"),
    (ErrorCode::INVALID_MEM_OBJECT, "hBuffer"),
    (ErrorCode::INVALID_MEM_OBJECT, "hImage"),
    (ErrorCode::INVALID_BUFFER_SIZE, "size"),
    (ErrorCode::INVALID_BUFFER_SIZE, "pRegion"),
    (ErrorCode::INVALID_HOST_PTR, "pHost"),
    (ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, "pImageFormat"),
    (ErrorCode::INVALID_IMAGE_DESCRIPTOR, "pImageDesc"),
    (ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR, "pImageDesc"),
    (ErrorCode::INVALID_IMAGE_SIZE, "pImageDesc"),
    (ErrorCode::INVALID_BINARY, "ppBinaries"),
    (ErrorCode::INVALID_BINARY, "pIL"),
    (ErrorCode::LINK_PROGRAM_FAILURE, "phPrograms"),
    (ErrorCode::INVALID_KERNEL_NAME, "pKernelName"),
    (ErrorCode::INVALID_ARG_INDEX, "argIndex"),
    (ErrorCode::INVALID_ARG_SIZE, "argSize"),
    (ErrorCode::INVALID_ARG_VALUE, "pArgValue"),
    (ErrorCode::INVALID_WORK_GROUP_SIZE, "pLocalWorkSize"),
    (ErrorCode::INVALID_GLOBAL_OFFSET, "pGlobalWorkOffset"),
];

/// The same error with the call's own name for what it is about.
#[cold]
pub(crate) fn named(error: Error, parameters: &[&str]) -> Error {
    error.naming(NAMES, parameters)
}
