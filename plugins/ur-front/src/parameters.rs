//! Unified Runtime's names of the parameters that a backend's errors refer to. Backends use plain words because they
//! serve several interfaces.

use sycl_pi_backend::Error;
use sycl_pi_backend::types::ErrorCode;
use sycl_ur_core::table;

/// The parameter that an error code refers to, in calls that have such a parameter.
const NAMES: &[(ErrorCode, &str)] = &[
    (ErrorCode::INVALID_VALUE, "pMappedPtr"),
    (ErrorCode::INVALID_DEVICE, "hDevice"),
    (ErrorCode::INVALID_DEVICE, "phDevices"),
    (ErrorCode::INVALID_PLATFORM, "hNativePlatform"),
    (ErrorCode::INVALID_DEVICE_TYPE, "DeviceType"),
    (ErrorCode::INVALID_MEM_OBJECT, "hMem"),
    (ErrorCode::INVALID_MEM_OBJECT, "hBuffer"),
    (ErrorCode::INVALID_MEM_OBJECT, "hImage"),
    (ErrorCode::INVALID_MEM_OBJECT, "hNativeMem"),
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

/// Adds the name of the faulty parameter in this call to an error.
pub(crate) fn named(error: Error, function: &'static str) -> Error {
    let name = function.split("_until_").next().unwrap_or(function);
    let parameters = table::function(name).map_or(&[][..], |function| function.params);
    error.naming(NAMES, |name| parameters.iter().any(|(parameter, _)| *parameter == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(code: ErrorCode, function: &'static str) -> String {
        named(Error::new(code, "it is wrong"), function).text().to_owned()
    }

    #[test]
    fn an_error_has_the_parameter_s_name_in_that_call() {
        assert_eq!(text(ErrorCode::INVALID_IMAGE_DESCRIPTOR, "urMemImageCreate"), "pImageDesc: it is wrong");
        assert_eq!(text(ErrorCode::INVALID_MEM_OBJECT, "urMemBufferPartition"), "hBuffer: it is wrong");
        assert_eq!(text(ErrorCode::INVALID_VALUE, "urEnqueueMemUnmap"), "pMappedPtr: it is wrong");
    }

    #[test]
    fn every_name_is_a_parameter_of_some_call() {
        for (_, name) in NAMES {
            let has =
                |function: &table::Function| function.params.iter().any(|(parameter, _)| parameter == name);
            assert!(table::FUNCTIONS.iter().any(has), "{name}");
        }
    }
}
