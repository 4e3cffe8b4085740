//! Bindless images and imported memory.

use core::ffi::{c_int, c_void};

use super::mem::{ur_rect_offset_t, ur_rect_region_t};
use crate::consts::*;

/// `ur_exp_external_mem_desc_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_external_mem_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
}

/// `ur_exp_external_semaphore_desc_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_external_semaphore_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
}

/// `ur_exp_file_descriptor_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_file_descriptor_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `int` at offset 16.
    pub fd: c_int,
}

/// `ur_exp_image_copy_region_t`: 88 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_image_copy_region_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_rect_offset_t` at offset 16.
    pub srcOffset: ur_rect_offset_t,
    /// `ur_rect_offset_t` at offset 40.
    pub dstOffset: ur_rect_offset_t,
    /// `ur_rect_region_t` at offset 64.
    pub copyExtent: ur_rect_region_t,
}

/// `ur_exp_win32_handle_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_win32_handle_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `void*` at offset 16.
    pub handle: *mut c_void,
}

/// `ur_exp_win32_name_t`: 24 bytes, since 2026.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_win32_name_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `const void*` at offset 16.
    pub name: *const c_void,
}
