//! Converts UR's results to PI's codes.

use std::cell::Cell;

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::recorded::{AdapterFailure, take_failed};

/// The origin of a thread's last failure, with its code.
#[derive(Clone, Copy)]
pub(super) enum Last {
    /// The adapter, which has the message.
    Adapter(pi_result),
    /// The bridge.
    Own(pi_result),
}

thread_local! {
    /// This thread's last failure, for `piPluginGetLastError`.
    static LAST: Cell<Last> = const { Cell::new(Last::Adapter(PI_SUCCESS)) };
}

/// Returns this thread's last failure.
pub(super) fn last() -> Last {
    LAST.get()
}

/// A call of PI that failed because the adapter refused one of UR.
#[derive(Clone, Copy)]
struct Refused {
    function: &'static str,
    code: pi_result,
    by: AdapterFailure,
}

thread_local! {
    /// This thread's last call that the adapter refused.
    static REFUSED: Cell<Option<Refused>> = const { Cell::new(None) };
}

/// Returns the call of UR whose failure made PI's `function` answer `code` on this thread, if that was the last call
/// that an adapter refused.
pub fn failed_call(function: &str, code: pi_result) -> Option<AdapterFailure> {
    let refused = REFUSED.get()?;
    (refused.function == function && refused.code == code).then_some(refused.by)
}

/// Returns the names of the results that the bridge converts to the code of PI with this name. The one that is spelled
/// alike comes first.
pub fn results_of(code: &str) -> Vec<&'static str> {
    let pi_name = |result| sycl_pi_loader::result_name(converted(result, &[]));
    let mut names: Vec<_> =
        results().filter(|(_, result)| pi_name(*result) == Some(code)).map(|(name, _)| name).collect();
    names.sort_by_key(|name| name.strip_prefix("UR_RESULT_") != code.strip_prefix("PI_"));
    names
}

fn results() -> impl Iterator<Item = (&'static str, ur_result_t)> {
    enumeration("ur_result_t").into_iter().flat_map(|results| results.items).copied()
}

/// Returns PI's code for the result of `function`, and records a failure. UR has one code for null handles, while PI
/// has one for each kind of object. The code for the first null handle in `handles` is returned.
pub(super) fn code(function: &'static str, result: ur_result_t, handles: &[(usize, pi_result)]) -> pi_result {
    let code = converted(result, handles);
    if code != PI_SUCCESS {
        LAST.set(Last::Adapter(code));
        REFUSED.set(take_failed().map(|by| Refused { function, code, by }));
    }
    code
}

fn converted(result: ur_result_t, handles: &[(usize, pi_result)]) -> pi_result {
    let null = || handles.iter().find(|(handle, _)| *handle == 0).map(|(_, code)| *code);
    match result {
        UR_RESULT_SUCCESS => PI_SUCCESS,
        UR_RESULT_ERROR_INVALID_NULL_HANDLE => null().unwrap_or(PI_ERROR_INVALID_VALUE),
        other => pi_result_of(other),
    }
}

/// Refuses a call that UR cannot express.
pub(super) fn refuse(code: pi_result) -> pi_result {
    REFUSED.set(None);
    LAST.set(Last::Own(code));
    code
}

/// Returns PI's code for a result, without regard to handles, and records nothing.
pub(super) fn pi_result_of(result: ur_result_t) -> pi_result {
    match result {
        UR_RESULT_ERROR_INVALID_OPERATION | UR_RESULT_ERROR_HANDLE_OBJECT_IN_USE => {
            PI_ERROR_INVALID_OPERATION
        }
        UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES => PI_ERROR_INVALID_QUEUE_PROPERTIES,
        UR_RESULT_ERROR_INVALID_QUEUE => PI_ERROR_INVALID_QUEUE,
        UR_RESULT_ERROR_INVALID_CONTEXT => PI_ERROR_INVALID_CONTEXT,
        UR_RESULT_ERROR_INVALID_PLATFORM => PI_ERROR_INVALID_PLATFORM,
        UR_RESULT_ERROR_INVALID_BINARY | UR_RESULT_ERROR_INVALID_NATIVE_BINARY => PI_ERROR_INVALID_BINARY,
        UR_RESULT_ERROR_INVALID_PROGRAM => PI_ERROR_INVALID_PROGRAM,
        UR_RESULT_ERROR_INVALID_SAMPLER => PI_ERROR_INVALID_SAMPLER,
        UR_RESULT_ERROR_INVALID_BUFFER_SIZE | UR_RESULT_ERROR_INVALID_USM_SIZE => {
            PI_ERROR_INVALID_BUFFER_SIZE
        }
        UR_RESULT_ERROR_INVALID_MEM_OBJECT => PI_ERROR_INVALID_MEM_OBJECT,
        UR_RESULT_ERROR_INVALID_EVENT => PI_ERROR_INVALID_EVENT,
        UR_RESULT_ERROR_INVALID_EVENT_WAIT_LIST => PI_ERROR_INVALID_EVENT_WAIT_LIST,
        UR_RESULT_ERROR_MISALIGNED_SUB_BUFFER_OFFSET => PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET,
        UR_RESULT_ERROR_INVALID_WORK_GROUP_SIZE | UR_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION => {
            PI_ERROR_INVALID_WORK_GROUP_SIZE
        }
        UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE => PI_ERROR_COMPILER_NOT_AVAILABLE,
        UR_RESULT_ERROR_PROFILING_INFO_NOT_AVAILABLE => PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
        UR_RESULT_ERROR_DEVICE_NOT_FOUND => PI_ERROR_DEVICE_NOT_FOUND,
        UR_RESULT_ERROR_INVALID_DEVICE => PI_ERROR_INVALID_DEVICE,
        UR_RESULT_ERROR_DEVICE_NOT_AVAILABLE | UR_RESULT_ERROR_DEVICE_LOST => PI_ERROR_DEVICE_NOT_AVAILABLE,
        UR_RESULT_ERROR_DEVICE_PARTITION_FAILED => PI_ERROR_DEVICE_PARTITION_FAILED,
        UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT => PI_ERROR_INVALID_DEVICE_PARTITION_COUNT,
        UR_RESULT_ERROR_INVALID_WORK_ITEM_SIZE => PI_ERROR_INVALID_WORK_ITEM_SIZE,
        UR_RESULT_ERROR_INVALID_WORK_DIMENSION => PI_ERROR_INVALID_WORK_DIMENSION,
        UR_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION => PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
        UR_RESULT_ERROR_INVALID_KERNEL_ARGS => PI_ERROR_INVALID_KERNEL_ARGS,
        UR_RESULT_ERROR_INVALID_KERNEL => PI_ERROR_INVALID_KERNEL,
        UR_RESULT_ERROR_INVALID_KERNEL_NAME => PI_ERROR_INVALID_KERNEL_NAME,
        UR_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX => PI_ERROR_INVALID_ARG_INDEX,
        UR_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE => PI_ERROR_INVALID_ARG_SIZE,
        UR_RESULT_ERROR_INVALID_IMAGE_SIZE => PI_ERROR_INVALID_IMAGE_SIZE,
        UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR => PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        UR_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT => PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
        UR_RESULT_ERROR_MEM_OBJECT_ALLOCATION_FAILURE => PI_ERROR_MEM_OBJECT_ALLOCATION_FAILURE,
        UR_RESULT_ERROR_INVALID_PROGRAM_EXECUTABLE | UR_RESULT_ERROR_PROGRAM_UNLINKED => {
            PI_ERROR_INVALID_PROGRAM_EXECUTABLE
        }
        UR_RESULT_ERROR_UNINITIALIZED => PI_ERROR_UNINITIALIZED,
        UR_RESULT_ERROR_OUT_OF_HOST_MEMORY | UR_RESULT_ERROR_OBJECT_ALLOCATION_FAILURE => {
            PI_ERROR_OUT_OF_HOST_MEMORY
        }
        UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY | UR_RESULT_ERROR_OUT_OF_RESOURCES => PI_ERROR_OUT_OF_RESOURCES,
        UR_RESULT_ERROR_PROGRAM_BUILD_FAILURE => PI_ERROR_BUILD_PROGRAM_FAILURE,
        UR_RESULT_ERROR_PROGRAM_LINK_FAILURE => PI_ERROR_LINK_PROGRAM_FAILURE,
        UR_RESULT_ERROR_UNSUPPORTED_FEATURE => PI_ERROR_UNSUPPORTED_FEATURE,
        UR_RESULT_ERROR_FUNCTION_ADDRESS_NOT_AVAILABLE => PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
        UR_RESULT_ERROR_OVERLAPPING_REGIONS => PI_ERROR_MEM_COPY_OVERLAP,
        UR_RESULT_ERROR_INVALID_HOST_PTR => PI_ERROR_INVALID_HOST_PTR,
        UR_RESULT_ERROR_ADAPTER_SPECIFIC => PI_ERROR_PLUGIN_SPECIFIC_ERROR,
        UR_RESULT_ERROR_IN_EVENT_LIST_EXEC_STATUS => PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP => PI_ERROR_INVALID_COMMAND_BUFFER_KHR,
        UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_SYNC_POINT_EXP
        | UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP => {
            PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR
        }
        UR_RESULT_ERROR_INVALID_VALUE
        | UR_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE
        | UR_RESULT_ERROR_INVALID_ARGUMENT
        | UR_RESULT_ERROR_INVALID_NULL_POINTER
        | UR_RESULT_ERROR_INVALID_SIZE
        | UR_RESULT_ERROR_UNSUPPORTED_SIZE
        | UR_RESULT_ERROR_UNSUPPORTED_ALIGNMENT
        | UR_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT
        | UR_RESULT_ERROR_INVALID_ENUMERATION
        | UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION
        | UR_RESULT_ERROR_INVALID_GLOBAL_NAME
        | UR_RESULT_ERROR_INVALID_SPEC_ID => PI_ERROR_INVALID_VALUE,
        _ => PI_ERROR_UNKNOWN,
    }
}

/// Replaces the code of the failure that was just reported.
pub(super) fn also(code: pi_result) -> pi_result {
    LAST.set(Last::Adapter(code));
    REFUSED.set(REFUSED.get().map(|refused| Refused { code, ..refused }));
    code
}
