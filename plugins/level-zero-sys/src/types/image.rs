//! Images, their views and copies.

use std::ffi::c_void;

use super::structure_type::*;

enums! {
    /// Supported image types.
    ze_image_type_t {
        /// 1D.
        ZE_IMAGE_TYPE_1D = 0,
        /// 1D array.
        ZE_IMAGE_TYPE_1DARRAY = 1,
        /// 2D.
        ZE_IMAGE_TYPE_2D = 2,
        /// 2D array.
        ZE_IMAGE_TYPE_2DARRAY = 3,
        /// 3D.
        ZE_IMAGE_TYPE_3D = 4,
        /// Buffer.
        ZE_IMAGE_TYPE_BUFFER = 5,
    }
    /// Supported image format layouts.
    ze_image_format_layout_t {
        /// 8-bit single component layout.
        ZE_IMAGE_FORMAT_LAYOUT_8 = 0,
        /// 16-bit single component layout.
        ZE_IMAGE_FORMAT_LAYOUT_16 = 1,
        /// 32-bit single component layout.
        ZE_IMAGE_FORMAT_LAYOUT_32 = 2,
        /// 2-component 8-bit layout.
        ZE_IMAGE_FORMAT_LAYOUT_8_8 = 3,
        /// 4-component 8-bit layout.
        ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8 = 4,
        /// 2-component 16-bit layout.
        ZE_IMAGE_FORMAT_LAYOUT_16_16 = 5,
        /// 4-component 16-bit layout.
        ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16 = 6,
        /// 2-component 32-bit layout.
        ZE_IMAGE_FORMAT_LAYOUT_32_32 = 7,
        /// 4-component 32-bit layout.
        ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32 = 8,
    }
    /// Supported image format types.
    ze_image_format_type_t {
        /// Unsigned integer.
        ZE_IMAGE_FORMAT_TYPE_UINT = 0,
        /// Signed integer.
        ZE_IMAGE_FORMAT_TYPE_SINT = 1,
        /// Unsigned normalized integer.
        ZE_IMAGE_FORMAT_TYPE_UNORM = 2,
        /// Signed normalized integer.
        ZE_IMAGE_FORMAT_TYPE_SNORM = 3,
        /// Float.
        ZE_IMAGE_FORMAT_TYPE_FLOAT = 4,
    }
    /// Supported image format component swizzle into channel.
    ze_image_format_swizzle_t {
        /// Red component.
        ZE_IMAGE_FORMAT_SWIZZLE_R = 0,
        /// Green component.
        ZE_IMAGE_FORMAT_SWIZZLE_G = 1,
        /// Blue component.
        ZE_IMAGE_FORMAT_SWIZZLE_B = 2,
        /// Alpha component.
        ZE_IMAGE_FORMAT_SWIZZLE_A = 3,
        /// Zero.
        ZE_IMAGE_FORMAT_SWIZZLE_0 = 4,
        /// One.
        ZE_IMAGE_FORMAT_SWIZZLE_1 = 5,
    }
}

flags! {
    /// Supported image creation flags.
    ze_image_flags_t | ze_image_flag_t {
        /// Kernels will write contents.
        ZE_IMAGE_FLAG_KERNEL_WRITE = 1 << 0,
    }
    /// Supported sampler filtering flags.
    ze_image_sampler_filter_flags_t | ze_image_sampler_filter_flag_t {
        /// Device supports point filtering.
        ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT = 1 << 0,
        /// Device supports linear filtering.
        ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR = 1 << 1,
    }
}

structs! {
    /// Image format.
    ze_image_format_t {
        /// Image format component layout.
        layout: ze_image_format_layout_t,
        /// Image format type. Media formats can't be used for ZE_IMAGE_TYPE_BUFFER.
        r#type: ze_image_format_type_t,
        /// Image component swizzle into channel x.
        x: ze_image_format_swizzle_t,
        /// Image component swizzle into channel y.
        y: ze_image_format_swizzle_t,
        /// Image component swizzle into channel z.
        z: ze_image_format_swizzle_t,
        /// Image component swizzle into channel w.
        w: ze_image_format_swizzle_t,
    }
    /// Image descriptor.
    ze_image_desc_t = ZE_STRUCTURE_TYPE_IMAGE_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Creation flags.
        flags: ze_image_flags_t,
        /// Image type.
        r#type: ze_image_type_t,
        /// Image format.
        format: ze_image_format_t,
        /// Width dimension.
        width: u64,
        /// Height dimension.
        height: u32,
        /// Depth dimension.
        depth: u32,
        /// Array levels.
        arraylevels: u32,
        /// Mipmap levels (must be 0).
        miplevels: u32,
    }
    /// Image properties.
    ze_image_properties_t = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *mut c_void,
        /// Supported sampler filtering.
        samplerFilterFlags: ze_image_sampler_filter_flags_t,
    }
}
