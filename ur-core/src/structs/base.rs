//! The common header of all structures, and code locations.

use core::ffi::{c_char, c_void};

use crate::consts::*;

/// `ur_base_desc_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_base_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
}

/// `ur_base_properties_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_base_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
}

/// `ur_code_location_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_code_location_t {
    /// `const char*` at offset 0.
    pub functionName: *const c_char,
    /// `const char*` at offset 8.
    pub sourceFile: *const c_char,
    /// `uint32_t` at offset 16.
    pub lineNumber: u32,
    /// `uint32_t` at offset 20.
    pub columnNumber: u32,
}
