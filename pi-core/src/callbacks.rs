//! Function pointers passed by callers. All of them may be null.

use core::ffi::{c_char, c_void};

use crate::types::*;

/// `piContextCreate`'s error callback: (errinfo, private_info, cb, user_data).
pub type pi_context_notify = Option<
    unsafe extern "C" fn(
        errinfo: *const c_char,
        private_info: *const c_void,
        cb: usize,
        user_data: *mut c_void,
    ),
>;
/// Completion callback of `piProgramCompile`, `piProgramBuild` and `piProgramLink`.
pub type pi_program_notify = Option<unsafe extern "C" fn(program: pi_program, user_data: *mut c_void)>;
/// Callback of `piEventSetCallback`; the status is a `pi_event_status` or a negative error code.
pub type pi_event_notify =
    Option<unsafe extern "C" fn(event: pi_event, event_command_status: pi_int32, user_data: *mut c_void)>;
/// `piEnqueueNativeKernel`'s function, called with a copy of the arguments.
pub type pi_native_kernel = Option<unsafe extern "C" fn(args: *mut c_void)>;
/// `piextContextSetExtendedDeleter`'s function, called once when the context is freed.
pub type pi_context_extended_deleter = Option<unsafe extern "C" fn(user_data: *mut c_void)>;
