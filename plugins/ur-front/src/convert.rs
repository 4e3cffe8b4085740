//! Conversions between UR's numbers and those of the backends.

use sycl_pi_backend::Error;
use sycl_pi_backend::types::*;
use sycl_ur_core::*;

/// Results that exist only in UR are stored in an [`ErrorCode`] as this number minus the result.
const OWN: i32 = -0x5552_0000;

/// Creates an error with a result that exists only in UR.
pub fn error(result: ur_result_t, text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(own_code(result), text)
}

/// Returns the error code that stores a result which exists only in UR.
pub(crate) const fn own_code(result: ur_result_t) -> ErrorCode {
    ErrorCode(OWN - result as i32)
}

/// Returns the result of `function` for an error code.
pub(crate) fn result_in_call(function: &'static str, code: ErrorCode) -> ur_result_t {
    if code == ErrorCode::SUCCESS { UR_RESULT_SUCCESS } else { failure_in_call(function, code) }
}

/// For some functions, `ur_api.h` specifies another code than OpenCL does for the same error.
fn failure_in_call(function: &'static str, code: ErrorCode) -> ur_result_t {
    match code {
        ErrorCode::INVALID_VALUE | ErrorCode::INVALID_BUFFER_SIZE if moves_memory(function) => {
            UR_RESULT_ERROR_INVALID_SIZE
        }
        ErrorCode::INVALID_ARG_VALUE if function == "urProgramGetGlobalVariablePointer" => {
            UR_RESULT_ERROR_INVALID_VALUE
        }
        ErrorCode::INVALID_BUFFER_SIZE if function.contains("USM") => UR_RESULT_ERROR_INVALID_USM_SIZE,
        ErrorCode::INVALID_BINARY if function.starts_with("urProgramCreateWithBinary") => {
            UR_RESULT_ERROR_INVALID_NATIVE_BINARY
        }
        _ => failure(code),
    }
}

/// Returns whether only the sizes and offsets among a function's arguments can be invalid values.
fn moves_memory(function: &str) -> bool {
    const VERBS: [&str; 8] = ["Read", "Write", "Copy", "Memcpy", "Fill", "Map", "Prefetch", "Advise"];
    let command =
        function.strip_prefix("urEnqueue").or_else(|| function.strip_prefix("urCommandBufferAppend"));
    command.is_some_and(|command| {
        (command.starts_with("Mem") || command.starts_with("USM"))
            && VERBS.iter().any(|verb| command.contains(verb))
    })
}

/// Returns UR's number for an error code.
pub fn result(code: ErrorCode) -> ur_result_t {
    if code == ErrorCode::SUCCESS { UR_RESULT_SUCCESS } else { failure(code) }
}

fn failure(code: ErrorCode) -> ur_result_t {
    if code.0 <= OWN && code.0 > OWN - 0x10000 {
        return (OWN - code.0) as ur_result_t;
    }
    match code {
        ErrorCode::DEVICE_NOT_FOUND => UR_RESULT_ERROR_DEVICE_NOT_FOUND,
        ErrorCode::DEVICE_NOT_AVAILABLE => UR_RESULT_ERROR_DEVICE_NOT_AVAILABLE,
        ErrorCode::COMPILER_NOT_AVAILABLE | ErrorCode::LINKER_NOT_AVAILABLE => {
            UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE
        }
        ErrorCode::MEM_OBJECT_ALLOCATION_FAILURE => UR_RESULT_ERROR_MEM_OBJECT_ALLOCATION_FAILURE,
        ErrorCode::OUT_OF_RESOURCES => UR_RESULT_ERROR_OUT_OF_RESOURCES,
        ErrorCode::OUT_OF_HOST_MEMORY => UR_RESULT_ERROR_OUT_OF_HOST_MEMORY,
        ErrorCode::PROFILING_INFO_NOT_AVAILABLE => UR_RESULT_ERROR_PROFILING_INFO_NOT_AVAILABLE,
        ErrorCode::MEM_COPY_OVERLAP => UR_RESULT_ERROR_OVERLAPPING_REGIONS,
        ErrorCode::IMAGE_FORMAT_MISMATCH | ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED => {
            UR_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT
        }
        ErrorCode::BUILD_PROGRAM_FAILURE | ErrorCode::COMPILE_PROGRAM_FAILURE => {
            UR_RESULT_ERROR_PROGRAM_BUILD_FAILURE
        }
        ErrorCode::LINK_PROGRAM_FAILURE => UR_RESULT_ERROR_PROGRAM_LINK_FAILURE,
        ErrorCode::MISALIGNED_SUB_BUFFER_OFFSET => UR_RESULT_ERROR_MISALIGNED_SUB_BUFFER_OFFSET,
        ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST => UR_RESULT_ERROR_IN_EVENT_LIST_EXEC_STATUS,
        ErrorCode::DEVICE_PARTITION_FAILED | ErrorCode::DEVICE_PARTITION_FAILED_EXT => {
            UR_RESULT_ERROR_DEVICE_PARTITION_FAILED
        }
        ErrorCode::INVALID_DEVICE_PARTITION_COUNT | ErrorCode::INVALID_PARTITION_COUNT_EXT => {
            UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT
        }
        ErrorCode::INVALID_DEVICE_TYPE => UR_RESULT_ERROR_INVALID_ENUMERATION,
        ErrorCode::INVALID_PLATFORM => UR_RESULT_ERROR_INVALID_PLATFORM,
        ErrorCode::INVALID_DEVICE => UR_RESULT_ERROR_INVALID_DEVICE,
        ErrorCode::INVALID_CONTEXT => UR_RESULT_ERROR_INVALID_CONTEXT,
        ErrorCode::INVALID_QUEUE_PROPERTIES => UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES,
        ErrorCode::INVALID_QUEUE => UR_RESULT_ERROR_INVALID_QUEUE,
        ErrorCode::INVALID_HOST_PTR => UR_RESULT_ERROR_INVALID_HOST_PTR,
        ErrorCode::INVALID_MEM_OBJECT => UR_RESULT_ERROR_INVALID_MEM_OBJECT,
        ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR | ErrorCode::INVALID_IMAGE_DESCRIPTOR => {
            UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR
        }
        ErrorCode::INVALID_IMAGE_SIZE => UR_RESULT_ERROR_INVALID_IMAGE_SIZE,
        ErrorCode::INVALID_SAMPLER => UR_RESULT_ERROR_INVALID_SAMPLER,
        ErrorCode::INVALID_BINARY => UR_RESULT_ERROR_INVALID_BINARY,
        ErrorCode::INVALID_PROGRAM => UR_RESULT_ERROR_INVALID_PROGRAM,
        ErrorCode::INVALID_PROGRAM_EXECUTABLE => UR_RESULT_ERROR_INVALID_PROGRAM_EXECUTABLE,
        ErrorCode::INVALID_KERNEL_NAME => UR_RESULT_ERROR_INVALID_KERNEL_NAME,
        ErrorCode::INVALID_KERNEL | ErrorCode::INVALID_KERNEL_DEFINITION => UR_RESULT_ERROR_INVALID_KERNEL,
        ErrorCode::INVALID_ARG_INDEX => UR_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX,
        ErrorCode::INVALID_ARG_SIZE => UR_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE,
        ErrorCode::INVALID_ARG_VALUE => UR_RESULT_ERROR_INVALID_ARGUMENT,
        ErrorCode::INVALID_KERNEL_ARGS => UR_RESULT_ERROR_INVALID_KERNEL_ARGS,
        ErrorCode::INVALID_WORK_DIMENSION => UR_RESULT_ERROR_INVALID_WORK_DIMENSION,
        ErrorCode::INVALID_WORK_GROUP_SIZE => UR_RESULT_ERROR_INVALID_WORK_GROUP_SIZE,
        ErrorCode::INVALID_WORK_ITEM_SIZE => UR_RESULT_ERROR_INVALID_WORK_ITEM_SIZE,
        ErrorCode::INVALID_EVENT_WAIT_LIST => UR_RESULT_ERROR_INVALID_EVENT_WAIT_LIST,
        ErrorCode::INVALID_EVENT => UR_RESULT_ERROR_INVALID_EVENT,
        ErrorCode::INVALID_OPERATION => UR_RESULT_ERROR_INVALID_OPERATION,
        ErrorCode::INVALID_BUFFER_SIZE => UR_RESULT_ERROR_INVALID_BUFFER_SIZE,
        ErrorCode::INVALID_COMMAND_BUFFER_KHR => UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP,
        ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR => {
            UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP
        }
        ErrorCode::UNINITIALIZED => UR_RESULT_ERROR_UNINITIALIZED,
        ErrorCode::UNSUPPORTED_FEATURE => UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
        ErrorCode::FUNCTION_ADDRESS_IS_NOT_AVAILABLE => UR_RESULT_ERROR_FUNCTION_ADDRESS_NOT_AVAILABLE,
        ErrorCode::INVALID_VALUE
        | ErrorCode::INVALID_BUILD_OPTIONS
        | ErrorCode::INVALID_COMPILER_OPTIONS
        | ErrorCode::INVALID_LINKER_OPTIONS
        | ErrorCode::INVALID_GLOBAL_OFFSET
        | ErrorCode::INVALID_GLOBAL_WORK_SIZE
        | ErrorCode::INVALID_PROPERTY
        | ErrorCode::MAP_FAILURE
        | ErrorCode::KERNEL_ARG_INFO_NOT_AVAILABLE => UR_RESULT_ERROR_INVALID_VALUE,
        // Errors that UR has no number for, such as a kernel that failed. libsycl queries the message of this code,
        // whereas with `UR_RESULT_ERROR_UNKNOWN` users would see nothing but the code.
        _ => UR_RESULT_ERROR_ADAPTER_SPECIFIC,
    }
}

/// Returns the kinds of devices that a UR device type includes.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION`.
pub fn device_type(device_type: ur_device_type_t) -> sycl_pi_backend::Result<DeviceType> {
    Ok(match device_type {
        UR_DEVICE_TYPE_DEFAULT => DeviceType::DEFAULT,
        UR_DEVICE_TYPE_ALL => DeviceType::ALL,
        UR_DEVICE_TYPE_GPU => DeviceType::GPU,
        UR_DEVICE_TYPE_CPU => DeviceType::CPU,
        UR_DEVICE_TYPE_FPGA | UR_DEVICE_TYPE_MCA | UR_DEVICE_TYPE_VPU => DeviceType::ACC,
        UR_DEVICE_TYPE_CUSTOM => DeviceType::CUSTOM,
        _ => {
            let text = format!("DeviceType {device_type} is unknown");
            return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
        }
    })
}

/// Converts queue flags. Flags about streams and low-power events have no meaning here and are left out.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION` for an unknown bit.
pub fn queue_flags(flags: ur_queue_flags_t) -> sycl_pi_backend::Result<QueueFlags> {
    /// Default streams are specific to CUDA; low-power events are a hint.
    const IGNORED: ur_queue_flags_t = 0xe00;
    known_flags(flags, !UR_QUEUE_FLAGS_MASK, "pProperties->flags")?;
    Ok(QueueFlags::from_bits_retain(u64::from(flags & !IGNORED)))
}

/// Converts memory flags. "Write only" is a hint that the backends do not use.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION` for an unknown bit, `UR_RESULT_ERROR_INVALID_VALUE` for two access modes.
pub fn mem_flags(flags: ur_mem_flags_t) -> sycl_pi_backend::Result<MemFlags> {
    const ACCESS: ur_mem_flags_t = UR_MEM_FLAG_READ_WRITE | UR_MEM_FLAG_WRITE_ONLY | UR_MEM_FLAG_READ_ONLY;
    known_flags(flags, 2 * UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER - 1, "flags")?;
    if (flags & ACCESS).count_ones() > 1 {
        return Err(Error::invalid_value(format!("flags {flags:#x} name more than one way of access")));
    }
    let read_write = if flags & UR_MEM_FLAG_WRITE_ONLY != 0 { UR_MEM_FLAG_READ_WRITE } else { 0 };
    Ok(MemFlags::from_bits_retain(u64::from(flags & !UR_MEM_FLAG_WRITE_ONLY | read_write)))
}

/// Converts advice on how the host and devices will use a USM range. Hints about caches and atomics have no neutral
/// counterpart and are left out.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION` for an unknown bit.
pub fn advice(advice: ur_usm_advice_flags_t) -> sycl_pi_backend::Result<MemAdvice> {
    const BITS: [(ur_usm_advice_flags_t, MemAdvice); 12] = [
        (UR_USM_ADVICE_FLAG_SET_READ_MOSTLY, MemAdvice::CUDA_SET_READ_MOSTLY),
        (UR_USM_ADVICE_FLAG_CLEAR_READ_MOSTLY, MemAdvice::CUDA_UNSET_READ_MOSTLY),
        (UR_USM_ADVICE_FLAG_SET_PREFERRED_LOCATION, MemAdvice::CUDA_SET_PREFERRED_LOCATION),
        (UR_USM_ADVICE_FLAG_CLEAR_PREFERRED_LOCATION, MemAdvice::CUDA_UNSET_PREFERRED_LOCATION),
        (UR_USM_ADVICE_FLAG_SET_ACCESSED_BY_DEVICE, MemAdvice::CUDA_SET_ACCESSED_BY),
        (UR_USM_ADVICE_FLAG_CLEAR_ACCESSED_BY_DEVICE, MemAdvice::CUDA_UNSET_ACCESSED_BY),
        (UR_USM_ADVICE_FLAG_SET_ACCESSED_BY_HOST, MemAdvice::CUDA_SET_ACCESSED_BY_HOST),
        (UR_USM_ADVICE_FLAG_CLEAR_ACCESSED_BY_HOST, MemAdvice::CUDA_UNSET_ACCESSED_BY_HOST),
        (UR_USM_ADVICE_FLAG_SET_PREFERRED_LOCATION_HOST, MemAdvice::CUDA_SET_PREFERRED_LOCATION_HOST),
        (UR_USM_ADVICE_FLAG_CLEAR_PREFERRED_LOCATION_HOST, MemAdvice::CUDA_UNSET_PREFERRED_LOCATION_HOST),
        (UR_USM_ADVICE_FLAG_SET_NON_COHERENT_MEMORY, MemAdvice::HIP_SET_COARSE_GRAINED),
        (UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY, MemAdvice::HIP_UNSET_COARSE_GRAINED),
    ];
    let known = 2 * UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY - 1;
    if advice & !known != 0 {
        let text = format!("advice {advice:#x} has unknown bits");
        return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
    }
    let chosen = BITS.iter().filter(|(bit, _)| advice & bit != 0);
    Ok(chosen.fold(MemAdvice::empty(), |all, (_, neutral)| all | *neutral))
}

/// Refuses bits of `flags` that are not in `known`.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION`.
pub(crate) fn known_flags(flags: u32, known: u32, name: &'static str) -> sycl_pi_backend::Result<()> {
    if flags & !known == 0 { Ok(()) } else { Err(unknown_flags(flags, known, name)) }
}

fn unknown_flags(flags: u32, known: u32, name: &'static str) -> Error {
    error(
        UR_RESULT_ERROR_INVALID_ENUMERATION,
        format!("{name} {flags:#x} has the unknown bits {:#x}", flags & !known),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification lists INVALID_SIZE for a range that leaves its memory, in each of these commands.
    #[test]
    fn a_command_on_memory_has_an_invalid_size_where_its_range_is_invalid() {
        for call in [
            "urEnqueueMemBufferRead",
            "urEnqueueMemBufferWriteRect",
            "urEnqueueMemBufferCopy",
            "urEnqueueMemBufferFill",
            "urEnqueueMemBufferMap",
            "urEnqueueMemImageRead",
            "urEnqueueUSMFill",
            "urEnqueueUSMMemcpy2D",
            "urEnqueueUSMPrefetch",
            "urEnqueueUSMAdvise",
            "urCommandBufferAppendUSMPrefetchExp",
            "urCommandBufferAppendUSMAdviseExp",
        ] {
            assert_eq!(
                result_in_call(call, ErrorCode::INVALID_VALUE),
                UR_RESULT_ERROR_INVALID_SIZE,
                "{call}"
            );
        }
    }

    #[test]
    fn a_code_means_what_it_is_in_its_call() {
        let size = ErrorCode::INVALID_BUFFER_SIZE;
        for (call, code, wanted) in [
            ("urUSMDeviceAlloc", size, UR_RESULT_ERROR_INVALID_USM_SIZE),
            ("urMemBufferCreate", size, UR_RESULT_ERROR_INVALID_BUFFER_SIZE),
            ("urEnqueueUSMMemcpy", size, UR_RESULT_ERROR_INVALID_SIZE),
            ("urCommandBufferAppendMemBufferFillExp", ErrorCode::INVALID_VALUE, UR_RESULT_ERROR_INVALID_SIZE),
            ("urEnqueueKernelLaunch", ErrorCode::INVALID_VALUE, UR_RESULT_ERROR_INVALID_VALUE),
            ("urKernelSetArgValue", ErrorCode::INVALID_ARG_VALUE, UR_RESULT_ERROR_INVALID_ARGUMENT),
            (
                "urProgramGetGlobalVariablePointer",
                ErrorCode::INVALID_ARG_VALUE,
                UR_RESULT_ERROR_INVALID_VALUE,
            ),
            ("urProgramCreateWithBinary", ErrorCode::INVALID_BINARY, UR_RESULT_ERROR_INVALID_NATIVE_BINARY),
            ("urProgramCreateWithIL", ErrorCode::INVALID_BINARY, UR_RESULT_ERROR_INVALID_BINARY),
        ] {
            assert_eq!(result_in_call(call, code), wanted, "{call}");
        }
        for (code, wanted) in [
            (ErrorCode::DEVICE_NOT_FOUND, UR_RESULT_ERROR_DEVICE_NOT_FOUND),
            (ErrorCode::DEVICE_NOT_AVAILABLE, UR_RESULT_ERROR_DEVICE_NOT_AVAILABLE),
            (ErrorCode::COMPILER_NOT_AVAILABLE, UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE),
            (ErrorCode::LINKER_NOT_AVAILABLE, UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE),
            (ErrorCode::MEM_OBJECT_ALLOCATION_FAILURE, UR_RESULT_ERROR_MEM_OBJECT_ALLOCATION_FAILURE),
            (ErrorCode::OUT_OF_RESOURCES, UR_RESULT_ERROR_OUT_OF_RESOURCES),
            (ErrorCode::OUT_OF_HOST_MEMORY, UR_RESULT_ERROR_OUT_OF_HOST_MEMORY),
            (ErrorCode::PROFILING_INFO_NOT_AVAILABLE, UR_RESULT_ERROR_PROFILING_INFO_NOT_AVAILABLE),
            (ErrorCode::MEM_COPY_OVERLAP, UR_RESULT_ERROR_OVERLAPPING_REGIONS),
            (ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, UR_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT),
            (ErrorCode::BUILD_PROGRAM_FAILURE, UR_RESULT_ERROR_PROGRAM_BUILD_FAILURE),
            (ErrorCode::COMPILE_PROGRAM_FAILURE, UR_RESULT_ERROR_PROGRAM_BUILD_FAILURE),
            (ErrorCode::LINK_PROGRAM_FAILURE, UR_RESULT_ERROR_PROGRAM_LINK_FAILURE),
            (ErrorCode::DEVICE_PARTITION_FAILED, UR_RESULT_ERROR_DEVICE_PARTITION_FAILED),
            (ErrorCode::INVALID_DEVICE_PARTITION_COUNT, UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT),
            (ErrorCode::INVALID_DEVICE_TYPE, UR_RESULT_ERROR_INVALID_ENUMERATION),
            (ErrorCode::INVALID_IMAGE_DESCRIPTOR, UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
            (ErrorCode::INVALID_IMAGE_SIZE, UR_RESULT_ERROR_INVALID_IMAGE_SIZE),
            (ErrorCode::INVALID_SAMPLER, UR_RESULT_ERROR_INVALID_SAMPLER),
            (ErrorCode::INVALID_PROGRAM_EXECUTABLE, UR_RESULT_ERROR_INVALID_PROGRAM_EXECUTABLE),
            (ErrorCode::INVALID_KERNEL_NAME, UR_RESULT_ERROR_INVALID_KERNEL_NAME),
            (ErrorCode::INVALID_ARG_INDEX, UR_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX),
            (ErrorCode::INVALID_ARG_SIZE, UR_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE),
            (ErrorCode::INVALID_KERNEL_ARGS, UR_RESULT_ERROR_INVALID_KERNEL_ARGS),
            (ErrorCode::INVALID_WORK_DIMENSION, UR_RESULT_ERROR_INVALID_WORK_DIMENSION),
            (ErrorCode::INVALID_WORK_GROUP_SIZE, UR_RESULT_ERROR_INVALID_WORK_GROUP_SIZE),
            (ErrorCode::INVALID_COMMAND_BUFFER_KHR, UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP),
            (ErrorCode::UNINITIALIZED, UR_RESULT_ERROR_UNINITIALIZED),
            (ErrorCode::UNSUPPORTED_FEATURE, UR_RESULT_ERROR_UNSUPPORTED_FEATURE),
            (ErrorCode::FUNCTION_ADDRESS_IS_NOT_AVAILABLE, UR_RESULT_ERROR_FUNCTION_ADDRESS_NOT_AVAILABLE),
            (ErrorCode::MAP_FAILURE, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, UR_RESULT_ERROR_IN_EVENT_LIST_EXEC_STATUS),
            (ErrorCode::MISALIGNED_SUB_BUFFER_OFFSET, UR_RESULT_ERROR_MISALIGNED_SUB_BUFFER_OFFSET),
            (ErrorCode::INVALID_WORK_ITEM_SIZE, UR_RESULT_ERROR_INVALID_WORK_ITEM_SIZE),
            (ErrorCode::INVALID_HOST_PTR, UR_RESULT_ERROR_INVALID_HOST_PTR),
            (ErrorCode::INVALID_KERNEL, UR_RESULT_ERROR_INVALID_KERNEL),
            (ErrorCode::INVALID_KERNEL_DEFINITION, UR_RESULT_ERROR_INVALID_KERNEL),
            (ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR, UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
            (ErrorCode::IMAGE_FORMAT_MISMATCH, UR_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT),
            (ErrorCode::DEVICE_PARTITION_FAILED_EXT, UR_RESULT_ERROR_DEVICE_PARTITION_FAILED),
            (ErrorCode::INVALID_PARTITION_COUNT_EXT, UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT),
            (
                ErrorCode::INVALID_SYNC_POINT_WAIT_LIST_KHR,
                UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP,
            ),
            (ErrorCode::INVALID_BUILD_OPTIONS, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::INVALID_COMPILER_OPTIONS, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::INVALID_LINKER_OPTIONS, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::INVALID_GLOBAL_OFFSET, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::INVALID_GLOBAL_WORK_SIZE, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::INVALID_PROPERTY, UR_RESULT_ERROR_INVALID_VALUE),
            (ErrorCode::KERNEL_ARG_INFO_NOT_AVAILABLE, UR_RESULT_ERROR_INVALID_VALUE),
            (own_code(UR_RESULT_ERROR_INVALID_GRAPH), UR_RESULT_ERROR_INVALID_GRAPH),
        ] {
            assert_eq!(result(code), wanted);
        }
    }

    #[test]
    fn memory_is_for_one_way_of_access() {
        let flags = |flags| mem_flags(flags).ok().map(|flags| flags.bits());
        // The first bit means that kernels read and write.
        assert_eq!(flags(UR_MEM_FLAG_WRITE_ONLY), Some(1));
        assert_eq!(flags(UR_MEM_FLAG_READ_ONLY), Some(u64::from(UR_MEM_FLAG_READ_ONLY)));
        for two in
            [UR_MEM_FLAG_READ_WRITE | UR_MEM_FLAG_READ_ONLY, UR_MEM_FLAG_WRITE_ONLY | UR_MEM_FLAG_READ_ONLY]
        {
            assert_eq!(flags(two), None, "{two:#x}");
        }
    }

    #[test]
    fn each_advice_is_a_bit_of_its_own() {
        let last = UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY;
        let bits = (0..32)
            .map(|bit| 1_u32 << bit)
            .filter(|bit| (UR_USM_ADVICE_FLAG_SET_READ_MOSTLY..=last).contains(bit));
        let known: Vec<u32> =
            bits.filter(|bit| advice(*bit).is_ok_and(|advice| advice.bits() != 0)).collect();
        let all = known.iter().fold(0, |all, bit| all | bit);
        let neutral = known.iter().map(|bit| advice(*bit).map_or(0, |advice| advice.bits()));
        let neutral: std::collections::HashSet<_> = neutral.collect();
        assert_eq!((known.len(), neutral.len()), (12, 12));
        assert_eq!(advice(all).map_or(0, |advice| advice.bits()).count_ones(), 12);
    }

    #[test]
    fn what_has_no_number_is_the_one_whose_text_is_asked_for() {
        for code in
            [ErrorCode::UNKNOWN, ErrorCode::COMMAND_EXECUTION_FAILURE, ErrorCode::PLUGIN_SPECIFIC_ERROR]
        {
            assert_eq!(result(code), UR_RESULT_ERROR_ADAPTER_SPECIFIC);
        }
        assert_eq!(result(ErrorCode::INVALID_VALUE), UR_RESULT_ERROR_INVALID_VALUE);
    }
}
