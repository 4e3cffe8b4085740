//! Platforms, devices and contexts.

use core::ffi::{c_char, c_void};

use crate::consts::*;
use crate::types::*;

/// `ur_context_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_context_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}

/// `ur_context_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_context_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_context_flags_t` at offset 16.
    pub flags: ur_context_flags_t,
}

/// `ur_device_binary_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_device_binary_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `const char*` at offset 16.
    pub pDeviceTargetSpec: *const c_char,
}

/// `ur_device_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_device_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}

/// `ur_device_partition_value_t`: 4 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ur_device_partition_value_t {
    /// `uint32_t` at offset 0.
    pub equally: u32,
    /// `uint32_t` at offset 0.
    pub count: u32,
    /// `ur_device_affinity_domain_flags_t` at offset 0.
    pub affinity_domain: ur_device_affinity_domain_flags_t,
}

/// `ur_device_partition_property_t`: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_device_partition_property_t {
    /// `ur_device_partition_t` at offset 0.
    pub type_: ur_device_partition_t,
    /// `ur_device_partition_value_t` at offset 4.
    pub value: ur_device_partition_value_t,
}

/// `ur_device_partition_properties_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_device_partition_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `const ur_device_partition_property_t*` at offset 16.
    pub pProperties: *const ur_device_partition_property_t,
    /// `size_t` at offset 24.
    pub PropCount: usize,
}

/// `ur_platform_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_platform_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}
