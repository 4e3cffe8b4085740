//! Queues, events and extensions of commands.

use core::ffi::c_void;

use crate::consts::*;
use crate::types::*;

/// `ur_event_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_event_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}

/// `ur_exp_enqueue_ext_properties_t`: 24 bytes, since 2025.1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_enqueue_ext_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_enqueue_ext_flags_t` at offset 16.
    pub flags: ur_exp_enqueue_ext_flags_t,
}

/// `ur_exp_enqueue_native_command_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_enqueue_native_command_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_enqueue_native_command_flags_t` at offset 16.
    pub flags: ur_exp_enqueue_native_command_flags_t,
}

/// `ur_exp_event_desc_t`: 24 bytes, since 2026.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_event_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_exp_event_flags_t` at offset 16.
    pub flags: ur_exp_event_flags_t,
}

/// `ur_exp_host_task_properties_t`: 24 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_host_task_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_host_task_flags_t` at offset 16.
    pub flags: ur_exp_host_task_flags_t,
}

/// `ur_queue_index_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_queue_index_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `uint32_t` at offset 16.
    pub computeIndex: u32,
}

/// `ur_queue_native_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_queue_native_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `void*` at offset 16.
    pub pNativeData: *mut c_void,
}

/// `ur_queue_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_queue_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}

/// `ur_queue_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_queue_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_queue_flags_t` at offset 16.
    pub flags: ur_queue_flags_t,
}
