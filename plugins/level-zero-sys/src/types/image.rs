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
        /// 4-component 10_10_10_2 layout.
        ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2 = 9,
        /// 3-component 11_11_10 layout.
        ZE_IMAGE_FORMAT_LAYOUT_11_11_10 = 10,
        /// 3-component 5_6_5 layout.
        ZE_IMAGE_FORMAT_LAYOUT_5_6_5 = 11,
        /// 4-component 5_5_5_1 layout.
        ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1 = 12,
        /// 4-component 4_4_4_4 layout.
        ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4 = 13,
        /// Media Format: Y8. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_Y8 = 14,
        /// Media Format: NV12. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_NV12 = 15,
        /// Media Format: YUYV. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_YUYV = 16,
        /// Media Format: VYUY. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_VYUY = 17,
        /// Media Format: YVYU. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_YVYU = 18,
        /// Media Format: UYVY. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_UYVY = 19,
        /// Media Format: AYUV. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_AYUV = 20,
        /// Media Format: P010. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_P010 = 21,
        /// Media Format: Y410. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_Y410 = 22,
        /// Media Format: P012. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_P012 = 23,
        /// Media Format: Y16. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_Y16 = 24,
        /// Media Format: P016. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_P016 = 25,
        /// Media Format: Y216. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_Y216 = 26,
        /// Media Format: P216. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_P216 = 27,
        /// Media Format: P8. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_P8 = 28,
        /// Media Format: YUY2. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_YUY2 = 29,
        /// Media Format: A8P8. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_A8P8 = 30,
        /// Media Format: IA44. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_IA44 = 31,
        /// Media Format: AI44. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_AI44 = 32,
        /// Media Format: Y416. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_Y416 = 33,
        /// Media Format: Y210. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_Y210 = 34,
        /// Media Format: I420. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_I420 = 35,
        /// Media Format: YV12. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_YV12 = 36,
        /// Media Format: 400P. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_400P = 37,
        /// Media Format: 422H. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_422H = 38,
        /// Media Format: 422V. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_422V = 39,
        /// Media Format: 444P. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_444P = 40,
        /// Media Format: RGBP. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_RGBP = 41,
        /// Media Format: BRGP. Format type and swizzle is ignored for this.
        ZE_IMAGE_FORMAT_LAYOUT_BRGP = 42,
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
        /// Don't care.
        ZE_IMAGE_FORMAT_SWIZZLE_X = 6,
    }
}

flags! {
    /// Supported image creation flags.
    ze_image_flags_t | ze_image_flag_t {
        /// Kernels will write contents.
        ZE_IMAGE_FLAG_KERNEL_WRITE = 1 << 0,
        /// Device should not cache contents.
        ZE_IMAGE_FLAG_BIAS_UNCACHED = 1 << 1,
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
