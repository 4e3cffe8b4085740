//! Structures that cross the boundary by pointer or value.

use core::ffi::{c_char, c_void};

use crate::types::*;

/// `_pi_offload_entry_struct`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct _pi_offload_entry_struct {
    /// `void *` at offset 0.
    pub addr: *mut c_void,
    /// `char *` at offset 8.
    pub name: *mut c_char,
    /// `size_t` at offset 16.
    pub size: usize,
    /// `int32_t` at offset 24.
    pub flags: i32,
    /// `int32_t` at offset 28.
    pub reserved: i32,
}
/// Pointer to [`_pi_offload_entry_struct`].
pub type _pi_offload_entry = *mut _pi_offload_entry_struct;

/// `_pi_device_binary_property_struct`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct _pi_device_binary_property_struct {
    /// `char *` at offset 0.
    pub Name: *mut c_char,
    /// `void *` at offset 8.
    pub ValAddr: *mut c_void,
    /// `uint32_t` at offset 16.
    pub Type: u32,
    /// `uint64_t` at offset 24.
    pub ValSize: u64,
}
/// Pointer to [`_pi_device_binary_property_struct`].
pub type pi_device_binary_property = *mut _pi_device_binary_property_struct;

/// `_pi_device_binary_property_set_struct`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct _pi_device_binary_property_set_struct {
    /// `char *` at offset 0.
    pub Name: *mut c_char,
    /// `pi_device_binary_property` at offset 8.
    pub PropertiesBegin: pi_device_binary_property,
    /// `pi_device_binary_property` at offset 16.
    pub PropertiesEnd: pi_device_binary_property,
}
/// Pointer to [`_pi_device_binary_property_set_struct`].
pub type pi_device_binary_property_set = *mut _pi_device_binary_property_set_struct;

/// `pi_device_binary_struct`: 96 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_device_binary_struct {
    /// `uint16_t` at offset 0.
    pub Version: u16,
    /// `uint8_t` at offset 2.
    pub Kind: u8,
    /// `uint8_t` at offset 3.
    pub Format: u8,
    /// `const char *` at offset 8.
    pub DeviceTargetSpec: *const c_char,
    /// `const char *` at offset 16.
    pub CompileOptions: *const c_char,
    /// `const char *` at offset 24.
    pub LinkOptions: *const c_char,
    /// `const char *` at offset 32.
    pub ManifestStart: *const c_char,
    /// `const char *` at offset 40.
    pub ManifestEnd: *const c_char,
    /// `const unsigned char *` at offset 48.
    pub BinaryStart: *const u8,
    /// `const unsigned char *` at offset 56.
    pub BinaryEnd: *const u8,
    /// `_pi_offload_entry` at offset 64.
    pub EntriesBegin: _pi_offload_entry,
    /// `_pi_offload_entry` at offset 72.
    pub EntriesEnd: _pi_offload_entry,
    /// `pi_device_binary_property_set` at offset 80.
    pub PropertySetsBegin: pi_device_binary_property_set,
    /// `pi_device_binary_property_set` at offset 88.
    pub PropertySetsEnd: pi_device_binary_property_set,
}
/// Pointer to [`pi_device_binary_struct`].
pub type pi_device_binary = *mut pi_device_binary_struct;

/// `pi_device_binaries_struct`: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_device_binaries_struct {
    /// `uint16_t` at offset 0.
    pub Version: u16,
    /// `uint16_t` at offset 2.
    pub NumDeviceBinaries: u16,
    /// `pi_device_binary` at offset 8.
    pub DeviceBinaries: pi_device_binary,
    /// `_pi_offload_entry *` at offset 16.
    pub HostEntriesBegin: *mut _pi_offload_entry,
    /// `_pi_offload_entry *` at offset 24.
    pub HostEntriesEnd: *mut _pi_offload_entry,
}
/// Pointer to [`pi_device_binaries_struct`].
pub type pi_device_binaries = *mut pi_device_binaries_struct;

/// `pi_buffer_region_struct`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_buffer_region_struct {
    /// `size_t` at offset 0.
    pub origin: usize,
    /// `size_t` at offset 8.
    pub size: usize,
}
/// Pointer to [`pi_buffer_region_struct`].
pub type pi_buffer_region = *mut pi_buffer_region_struct;

/// `pi_buff_rect_offset_struct`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_buff_rect_offset_struct {
    /// `size_t` at offset 0.
    pub x_bytes: usize,
    /// `size_t` at offset 8.
    pub y_scalar: usize,
    /// `size_t` at offset 16.
    pub z_scalar: usize,
}
/// Pointer to [`pi_buff_rect_offset_struct`].
pub type pi_buff_rect_offset = *mut pi_buff_rect_offset_struct;

/// `pi_buff_rect_region_struct`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_buff_rect_region_struct {
    /// `size_t` at offset 0.
    pub width_bytes: usize,
    /// `size_t` at offset 8.
    pub height_scalar: usize,
    /// `size_t` at offset 16.
    pub depth_scalar: usize,
}
/// Pointer to [`pi_buff_rect_region_struct`].
pub type pi_buff_rect_region = *mut pi_buff_rect_region_struct;

/// `pi_image_offset_struct`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_image_offset_struct {
    /// `size_t` at offset 0.
    pub x: usize,
    /// `size_t` at offset 8.
    pub y: usize,
    /// `size_t` at offset 16.
    pub z: usize,
}
/// Pointer to [`pi_image_offset_struct`].
pub type pi_image_offset = *mut pi_image_offset_struct;

/// `pi_image_region_struct`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_image_region_struct {
    /// `size_t` at offset 0.
    pub width: usize,
    /// `size_t` at offset 8.
    pub height: usize,
    /// `size_t` at offset 16.
    pub depth: usize,
}
/// Pointer to [`pi_image_region_struct`].
pub type pi_image_region = *mut pi_image_region_struct;

/// `_pi_image_format`: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_image_format {
    /// `pi_image_channel_order` at offset 0.
    pub image_channel_order: pi_image_channel_order,
    /// `pi_image_channel_type` at offset 4.
    pub image_channel_data_type: pi_image_channel_type,
}

/// `_pi_image_desc`: 72 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_image_desc {
    /// `pi_mem_type` at offset 0.
    pub image_type: pi_mem_type,
    /// `size_t` at offset 8.
    pub image_width: usize,
    /// `size_t` at offset 16.
    pub image_height: usize,
    /// `size_t` at offset 24.
    pub image_depth: usize,
    /// `size_t` at offset 32.
    pub image_array_size: usize,
    /// `size_t` at offset 40.
    pub image_row_pitch: usize,
    /// `size_t` at offset 48.
    pub image_slice_pitch: usize,
    /// `pi_uint32` at offset 56.
    pub num_mip_levels: pi_uint32,
    /// `pi_uint32` at offset 60.
    pub num_samples: pi_uint32,
    /// `pi_mem` at offset 64.
    pub buffer: pi_mem,
}

/// `_pi_mem_obj_property`: 24 bytes.
/// cbindgen:field-names=[type, pNext, mem_access]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_mem_obj_property {
    /// `pi_mem_obj_property_type` at offset 0.
    pub type_: pi_mem_obj_property_type,
    /// `void *` at offset 8.
    pub pNext: *mut c_void,
    /// `pi_mem_access_flag` at offset 16.
    pub mem_access: pi_mem_access_flag,
}

/// `pi_ext_command_buffer_desc`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pi_ext_command_buffer_desc {
    /// `pi_ext_structure_type` at offset 0.
    pub stype: pi_ext_structure_type,
    /// `const void *` at offset 8.
    pub pNext: *const c_void,
    /// `pi_queue_properties *` at offset 16.
    pub properties: *mut pi_queue_properties,
}
