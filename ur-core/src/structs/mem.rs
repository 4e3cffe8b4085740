//! Buffers, images and their regions.

use core::ffi::c_void;

use crate::consts::*;

/// `ur_buffer_alloc_location_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_buffer_alloc_location_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `uint32_t` at offset 16.
    pub location: u32,
}

/// `ur_buffer_channel_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_buffer_channel_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `uint32_t` at offset 16.
    pub channel: u32,
}

/// `ur_buffer_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_buffer_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `void*` at offset 16.
    pub pHost: *mut c_void,
}

/// `ur_buffer_region_t`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_buffer_region_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `size_t` at offset 16.
    pub origin: usize,
    /// `size_t` at offset 24.
    pub size: usize,
}

/// `ur_rect_offset_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_rect_offset_t {
    /// `uint64_t` at offset 0.
    pub x: u64,
    /// `uint64_t` at offset 8.
    pub y: u64,
    /// `uint64_t` at offset 16.
    pub z: u64,
}

/// `ur_rect_region_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_rect_region_t {
    /// `uint64_t` at offset 0.
    pub width: u64,
    /// `uint64_t` at offset 8.
    pub height: u64,
    /// `uint64_t` at offset 16.
    pub depth: u64,
}

/// `ur_image_desc_t`: 80 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_image_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_mem_type_t` at offset 16.
    pub type_: ur_mem_type_t,
    /// `size_t` at offset 24.
    pub width: usize,
    /// `size_t` at offset 32.
    pub height: usize,
    /// `size_t` at offset 40.
    pub depth: usize,
    /// `size_t` at offset 48.
    pub arraySize: usize,
    /// `size_t` at offset 56.
    pub rowPitch: usize,
    /// `size_t` at offset 64.
    pub slicePitch: usize,
    /// `uint32_t` at offset 72.
    pub numMipLevel: u32,
    /// `uint32_t` at offset 76.
    pub numSamples: u32,
}

/// `ur_image_format_t`: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_image_format_t {
    /// `ur_image_channel_order_t` at offset 0.
    pub channelOrder: ur_image_channel_order_t,
    /// `ur_image_channel_type_t` at offset 4.
    pub channelType: ur_image_channel_type_t,
}

/// `ur_mem_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_mem_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}
