//! Function pointers passed by callers. All of them may be null.

use core::ffi::{c_char, c_void};

use crate::consts::*;
use crate::structs::*;
use crate::types::*;

/// `ur_code_location_t (*)(void*)`.
pub type ur_code_location_callback_t = Option<unsafe extern "C" fn(*mut c_void) -> ur_code_location_t>;
/// `void (*)(void*)`.
pub type ur_context_extended_deleter_t = Option<unsafe extern "C" fn(*mut c_void)>;
/// `void (*)(ur_event_handle_t, ur_execution_info_t, void*)`.
pub type ur_event_callback_t =
    Option<unsafe extern "C" fn(ur_event_handle_t, ur_execution_info_t, *mut c_void)>;
/// `void (*)(void*)`, since 2025.2.
pub type ur_exp_command_buffer_native_command_function_t = Option<unsafe extern "C" fn(*mut c_void)>;
/// `void (*)(ur_queue_handle_t, void*)`.
pub type ur_exp_enqueue_native_command_function_t =
    Option<unsafe extern "C" fn(ur_queue_handle_t, *mut c_void)>;
/// `void (*)(void*)`, since 2026.1.1.
pub type ur_exp_graph_destruction_callback_t = Option<unsafe extern "C" fn(*mut c_void)>;
/// `void (*)(void*)`, since 2026.0.
pub type ur_exp_host_task_function_t = Option<unsafe extern "C" fn(*mut c_void)>;
/// `void (*)(ur_logger_level_t, const char*, void*)`, since 2025.3.
pub type ur_logger_callback_t = Option<unsafe extern "C" fn(ur_logger_level_t, *const c_char, *mut c_void)>;
