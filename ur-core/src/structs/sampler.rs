//! Samplers.

use core::ffi::c_void;

use crate::consts::*;

/// `ur_exp_sampler_addr_modes_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_sampler_addr_modes_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_sampler_addressing_mode_t[3]` at offset 16.
    pub addrModes: [ur_sampler_addressing_mode_t; 3],
}

/// `ur_exp_sampler_cubemap_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_sampler_cubemap_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_sampler_cubemap_filter_mode_t` at offset 16.
    pub cubemapFilterMode: ur_exp_sampler_cubemap_filter_mode_t,
}

/// `ur_exp_sampler_mip_properties_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_sampler_mip_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `float` at offset 16.
    pub minMipmapLevelClamp: f32,
    /// `float` at offset 20.
    pub maxMipmapLevelClamp: f32,
    /// `float` at offset 24.
    pub maxAnisotropy: f32,
    /// `ur_sampler_filter_mode_t` at offset 28.
    pub mipFilterMode: ur_sampler_filter_mode_t,
}

/// `ur_sampler_desc_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_sampler_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `bool` at offset 16.
    pub normalizedCoords: u8,
    /// `ur_sampler_addressing_mode_t` at offset 20.
    pub addressingMode: ur_sampler_addressing_mode_t,
    /// `ur_sampler_filter_mode_t` at offset 24.
    pub filterMode: ur_sampler_filter_mode_t,
}

/// `ur_sampler_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_sampler_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}
