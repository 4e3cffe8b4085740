//! Unified shared memory and physical memory.

use core::ffi::c_void;

use crate::consts::*;
use crate::types::*;

/// `ur_exp_async_usm_alloc_properties_t`: 24 bytes, since 2025.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_async_usm_alloc_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_async_usm_alloc_flags_t` at offset 16.
    pub flags: ur_exp_async_usm_alloc_flags_t,
}

/// `ur_exp_usm_host_alloc_register_properties_t`: 24 bytes, since 2026.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_usm_host_alloc_register_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_usm_host_alloc_register_flags_t` at offset 16.
    pub flags: ur_exp_usm_host_alloc_register_flags_t,
}

/// `ur_physical_mem_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_physical_mem_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_physical_mem_flags_t` at offset 16.
    pub flags: ur_physical_mem_flags_t,
}

/// `ur_usm_alloc_location_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_alloc_location_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `uint32_t` at offset 16.
    pub location: u32,
}

/// `ur_usm_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_usm_advice_flags_t` at offset 16.
    pub hints: ur_usm_advice_flags_t,
    /// `uint32_t` at offset 20.
    pub align: u32,
}

/// `ur_usm_device_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_device_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_usm_device_mem_flags_t` at offset 16.
    pub flags: ur_usm_device_mem_flags_t,
}

/// `ur_usm_host_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_host_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_usm_host_mem_flags_t` at offset 16.
    pub flags: ur_usm_host_mem_flags_t,
}

/// `ur_usm_pool_buffer_desc_t`: 48 bytes, since 2025.3.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_pool_buffer_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `void*` at offset 16.
    pub pMem: *mut c_void,
    /// `size_t` at offset 24.
    pub size: usize,
    /// `ur_usm_type_t` at offset 32.
    pub memType: ur_usm_type_t,
    /// `ur_device_handle_t` at offset 40.
    pub device: ur_device_handle_t,
}

/// `ur_usm_pool_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_pool_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_usm_pool_flags_t` at offset 16.
    pub flags: ur_usm_pool_flags_t,
}

/// `ur_usm_pool_limits_desc_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_usm_pool_limits_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `size_t` at offset 16.
    pub maxPoolableSize: usize,
    /// `size_t` at offset 24.
    pub minDriverAllocSize: usize,
}
