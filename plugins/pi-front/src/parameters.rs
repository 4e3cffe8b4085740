//! PI's names of the parameters that a backend's errors refer to. Backends use plain words because they serve several
//! interfaces.

use sycl_pi_backend::Error;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_core::table;

/// The parameter that an error code refers to, in calls that have such a parameter.
const NAMES: &[(ErrorCode, &str)] = &[
    (ErrorCode::INVALID_VALUE, "mapped_ptr"),
    (ErrorCode::INVALID_DEVICE, "device"),
    (ErrorCode::INVALID_DEVICE, "dev"),
    (ErrorCode::INVALID_DEVICE, "device_list"),
    (ErrorCode::INVALID_DEVICE, "devices"),
    (ErrorCode::INVALID_PLATFORM, "nativeHandle"),
    (ErrorCode::INVALID_DEVICE_TYPE, "device_type"),
    (ErrorCode::INVALID_MEM_OBJECT, "mem"),
    (ErrorCode::INVALID_MEM_OBJECT, "memobj"),
    (ErrorCode::INVALID_MEM_OBJECT, "buffer"),
    (ErrorCode::INVALID_MEM_OBJECT, "image"),
    (ErrorCode::INVALID_MEM_OBJECT, "nativeHandle"),
    (ErrorCode::INVALID_BUFFER_SIZE, "size"),
    (ErrorCode::INVALID_BUFFER_SIZE, "buffer_create_info"),
    (ErrorCode::INVALID_HOST_PTR, "host_ptr"),
    (ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, "image_format"),
    (ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, "ImageFormat"),
    (ErrorCode::INVALID_IMAGE_DESCRIPTOR, "image_desc"),
    (ErrorCode::INVALID_IMAGE_DESCRIPTOR, "ImageDesc"),
    (ErrorCode::INVALID_IMAGE_SIZE, "ImageDesc"),
    (ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_desc"),
    (ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR, "ImageDesc"),
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

/// Adds the name of the faulty parameter in this call to an error.
#[cold]
pub(crate) fn named(error: Error, function: &'static str) -> Error {
    let name = function.split("_until_").next().unwrap_or(function);
    let parameters = table::entry_point(name).map_or(&[][..], |entry| entry.params);
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
        assert_eq!(text(ErrorCode::INVALID_IMAGE_DESCRIPTOR, "piMemImageCreate"), "image_desc: it is wrong");
        let native = "piextMemImageCreateWithNativeHandle";
        assert_eq!(text(ErrorCode::INVALID_IMAGE_DESCRIPTOR, native), "ImageDesc: it is wrong");
        assert_eq!(
            text(ErrorCode::INVALID_DEVICE, "piextMemGetNativeHandle_until_14_39"),
            "dev: it is wrong"
        );
        assert_eq!(text(ErrorCode::INVALID_VALUE, "piEnqueueMemUnmap"), "mapped_ptr: it is wrong");
    }

    #[test]
    fn every_name_is_a_parameter_of_some_call() {
        for (_, name) in NAMES {
            let has = |entry: &table::EntryPoint| entry.params.iter().any(|(parameter, _)| parameter == name);
            assert!(table::ENTRY_POINTS.iter().any(has), "{name}");
        }
    }
}
