//! Constants of the mem entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_mem_type
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_BUFFER: pi_mem_type = 0x10f0;
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_IMAGE2D: pi_mem_type = 0x10f1;
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_IMAGE3D: pi_mem_type = 0x10f2;
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_IMAGE2D_ARRAY: pi_mem_type = 0x10f3;
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_IMAGE1D: pi_mem_type = 0x10f4;
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_IMAGE1D_ARRAY: pi_mem_type = 0x10f5;
/// `_pi_mem_type`.
pub const PI_MEM_TYPE_IMAGE1D_BUFFER: pi_mem_type = 0x10f6;
/// `_pi_mem_type`, since PI 15.49.
pub const PI_MEM_TYPE_IMAGE_CUBEMAP: pi_mem_type = 0x10f7;

// _pi_mem_info
/// `_pi_mem_info`.
pub const PI_MEM_CONTEXT: pi_mem_info = 0x1106;
/// `_pi_mem_info`.
pub const PI_MEM_SIZE: pi_mem_info = 0x1102;

// _pi_image_info
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_FORMAT: pi_image_info = 0x1110;
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_ELEMENT_SIZE: pi_image_info = 0x1111;
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_ROW_PITCH: pi_image_info = 0x1112;
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_SLICE_PITCH: pi_image_info = 0x1113;
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_WIDTH: pi_image_info = 0x1114;
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_HEIGHT: pi_image_info = 0x1115;
/// `_pi_image_info`.
pub const PI_IMAGE_INFO_DEPTH: pi_image_info = 0x1116;

// _pi_image_channel_order
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_A: pi_image_channel_order = 0x10b1;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_R: pi_image_channel_order = 0x10b0;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_RG: pi_image_channel_order = 0x10b2;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_RA: pi_image_channel_order = 0x10b3;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_RGB: pi_image_channel_order = 0x10b4;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_RGBA: pi_image_channel_order = 0x10b5;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_BGRA: pi_image_channel_order = 0x10b6;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_ARGB: pi_image_channel_order = 0x10b7;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_ABGR: pi_image_channel_order = 0x10c3;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_INTENSITY: pi_image_channel_order = 0x10b8;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_LUMINANCE: pi_image_channel_order = 0x10b9;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_Rx: pi_image_channel_order = 0x10ba;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_RGx: pi_image_channel_order = 0x10bb;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_RGBx: pi_image_channel_order = 0x10bc;
/// `_pi_image_channel_order`.
pub const PI_IMAGE_CHANNEL_ORDER_sRGBA: pi_image_channel_order = 0x10c1;

// _pi_image_channel_type
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_SNORM_INT8: pi_image_channel_type = 0x10d0;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_SNORM_INT16: pi_image_channel_type = 0x10d1;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNORM_INT8: pi_image_channel_type = 0x10d2;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNORM_INT16: pi_image_channel_type = 0x10d3;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565: pi_image_channel_type = 0x10d4;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555: pi_image_channel_type = 0x10d5;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNORM_INT_101010: pi_image_channel_type = 0x10d6;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8: pi_image_channel_type = 0x10d7;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16: pi_image_channel_type = 0x10d8;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32: pi_image_channel_type = 0x10d9;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8: pi_image_channel_type = 0x10da;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16: pi_image_channel_type = 0x10db;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32: pi_image_channel_type = 0x10dc;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT: pi_image_channel_type = 0x10dd;
/// `_pi_image_channel_type`.
pub const PI_IMAGE_CHANNEL_TYPE_FLOAT: pi_image_channel_type = 0x10de;

// _pi_image_copy_flags
/// `_pi_image_copy_flags`, since PI 14.36.
pub const PI_IMAGE_COPY_HOST_TO_DEVICE: pi_image_copy_flags = 0;
/// `_pi_image_copy_flags`, since PI 14.36.
pub const PI_IMAGE_COPY_DEVICE_TO_HOST: pi_image_copy_flags = 1;
/// `_pi_image_copy_flags`, since PI 14.36.
pub const PI_IMAGE_COPY_DEVICE_TO_DEVICE: pi_image_copy_flags = 2;

// _pi_buffer_create_type
/// `_pi_buffer_create_type`.
pub const PI_BUFFER_CREATE_TYPE_REGION: pi_buffer_create_type = 0x1220;

// pi_mem_flags
/// `pi_mem_flags`.
pub const PI_MEM_FLAGS_ACCESS_RW: pi_mem_flags = 1;
/// `pi_mem_flags`.
pub const PI_MEM_ACCESS_READ_ONLY: pi_mem_flags = 4;
/// `pi_mem_flags`.
pub const PI_MEM_FLAGS_HOST_PTR_USE: pi_mem_flags = 8;
/// `pi_mem_flags`.
pub const PI_MEM_FLAGS_HOST_PTR_COPY: pi_mem_flags = 0x20;
/// `pi_mem_flags`.
pub const PI_MEM_FLAGS_HOST_PTR_ALLOC: pi_mem_flags = 0x10;

// pi_map_flags
/// `pi_map_flags`.
pub const PI_MAP_READ: pi_map_flags = 1;
/// `pi_map_flags`.
pub const PI_MAP_WRITE: pi_map_flags = 2;
/// `pi_map_flags`.
pub const PI_MAP_WRITE_INVALIDATE_REGION: pi_map_flags = 4;

// pi_mem_properties
/// `pi_mem_properties`.
pub const PI_MEM_PROPERTIES_CHANNEL: pi_mem_properties = 0x4213;
/// `pi_mem_properties`.
pub const PI_MEM_PROPERTIES_ALLOC_BUFFER_LOCATION: pi_mem_properties = 0x419e;

// _pi_mem_obj_access
/// `_pi_mem_obj_access`, since PI 14.33.
pub const PI_ACCESS_READ_WRITE: pi_mem_obj_access = 1;
/// `_pi_mem_obj_access`, since PI 14.33.
pub const PI_ACCESS_WRITE_ONLY: pi_mem_obj_access = 2;
/// `_pi_mem_obj_access`, since PI 14.33.
pub const PI_ACCESS_READ_ONLY: pi_mem_obj_access = 4;

// _pi_mem_obj_property_type
/// `_pi_mem_obj_property_type`, since PI 14.33.
pub const PI_KERNEL_ARG_MEM_OBJ_ACCESS: pi_mem_obj_property_type = 0x1b;
/// `_pi_mem_obj_property_type`, since PI 14.33.
pub const PI_ENUM_FORCE_UINT32: pi_mem_obj_property_type = 0x7fffffff;
