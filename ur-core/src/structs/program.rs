//! Programs.

use core::ffi::{c_char, c_void};

use crate::consts::*;

/// `ur_program_metadata_value_t`: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ur_program_metadata_value_t {
    /// `uint32_t` at offset 0.
    pub data32: u32,
    /// `uint64_t` at offset 0.
    pub data64: u64,
    /// `char*` at offset 0.
    pub pString: *mut c_char,
    /// `void*` at offset 0.
    pub pData: *mut c_void,
}

/// `ur_program_metadata_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_program_metadata_t {
    /// `const char*` at offset 0.
    pub pName: *const c_char,
    /// `ur_program_metadata_type_t` at offset 8.
    pub type_: ur_program_metadata_type_t,
    /// `size_t` at offset 16.
    pub size: usize,
    /// `ur_program_metadata_value_t` at offset 24.
    pub value: ur_program_metadata_value_t,
}

/// `ur_program_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_program_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}

/// `ur_program_properties_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_program_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `uint32_t` at offset 16.
    pub count: u32,
    /// `const ur_program_metadata_t*` at offset 24.
    pub pMetadatas: *const ur_program_metadata_t,
}

/// `ur_specialization_constant_info_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_specialization_constant_info_t {
    /// `uint32_t` at offset 0.
    pub id: u32,
    /// `size_t` at offset 8.
    pub size: usize,
    /// `const void*` at offset 16.
    pub pValue: *const c_void,
}
