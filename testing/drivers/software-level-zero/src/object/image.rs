//! Images and samplers.

use std::sync::Arc;

use level_zero_sys::*;
use opencl_sys::*;

use crate::caller::{desc, update, write};
use crate::cl::{ClImage, ClSampler};
use crate::entry::{Answer, driver_calls};
use crate::object::context::{Context, context};
use crate::object::device::device;
use crate::object::table;
use crate::{faults, requests};

/// An image.
pub(crate) struct Image {
    image: Arc<ClImage>,
    pub(crate) size: [usize; 3],
    /// The bytes of a pixel.
    pub(crate) pixel: usize,
    /// Whether it is an array of one-dimensional images.
    pub(crate) has_lines: bool,
    _context: Arc<Context>,
}
table::object!(Image, 12, "image");

/// A sampler.
pub(crate) struct Sampler {
    sampler: Arc<ClSampler>,
    _context: Arc<Context>,
}
table::object!(Sampler, 13, "sampler");

impl Image {
    pub(crate) fn cl(&self) -> Arc<ClImage> {
        self.image.clone()
    }
}

impl Sampler {
    pub(crate) fn cl(&self) -> Arc<ClSampler> {
        self.sampler.clone()
    }
}

pub(crate) fn image(handle: ze_image_handle_t) -> Answer<Arc<Image>> {
    table::get(handle.0)
}

pub(crate) fn sampler(handle: ze_sampler_handle_t) -> Answer<Arc<Sampler>> {
    table::get(handle.0)
}

/// Returns OpenCL's format, and the bytes of a pixel.
fn format(from: &ze_image_format_t) -> Option<(cl_image_format, usize)> {
    let (channels, bits) = match from.layout {
        ZE_IMAGE_FORMAT_LAYOUT_8 => (1, 8),
        ZE_IMAGE_FORMAT_LAYOUT_16 => (1, 16),
        ZE_IMAGE_FORMAT_LAYOUT_32 => (1, 32),
        ZE_IMAGE_FORMAT_LAYOUT_8_8 => (2, 8),
        ZE_IMAGE_FORMAT_LAYOUT_16_16 => (2, 16),
        ZE_IMAGE_FORMAT_LAYOUT_32_32 => (2, 32),
        ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8 => (4, 8),
        ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16 => (4, 16),
        ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32 => (4, 32),
        _ => return None,
    };
    let order = match (channels, from.x) {
        (1, _) => CL_R,
        (2, _) => CL_RG,
        (_, ZE_IMAGE_FORMAT_SWIZZLE_B) => CL_BGRA,
        _ => CL_RGBA,
    };
    let kind = match (from.r#type, bits) {
        (ZE_IMAGE_FORMAT_TYPE_UINT, 8) => CL_UNSIGNED_INT8,
        (ZE_IMAGE_FORMAT_TYPE_UINT, 16) => CL_UNSIGNED_INT16,
        (ZE_IMAGE_FORMAT_TYPE_UINT, _) => CL_UNSIGNED_INT32,
        (ZE_IMAGE_FORMAT_TYPE_SINT, 8) => CL_SIGNED_INT8,
        (ZE_IMAGE_FORMAT_TYPE_SINT, 16) => CL_SIGNED_INT16,
        (ZE_IMAGE_FORMAT_TYPE_SINT, _) => CL_SIGNED_INT32,
        (ZE_IMAGE_FORMAT_TYPE_UNORM, 8) => CL_UNORM_INT8,
        (ZE_IMAGE_FORMAT_TYPE_UNORM, 16) => CL_UNORM_INT16,
        (ZE_IMAGE_FORMAT_TYPE_SNORM, 8) => CL_SNORM_INT8,
        (ZE_IMAGE_FORMAT_TYPE_SNORM, 16) => CL_SNORM_INT16,
        (ZE_IMAGE_FORMAT_TYPE_FLOAT, 16) => CL_HALF_FLOAT,
        (ZE_IMAGE_FORMAT_TYPE_FLOAT, 32) => CL_FLOAT,
        _ => return None,
    };
    let format = cl_image_format { image_channel_order: order, image_channel_data_type: kind };
    Some((format, channels * bits / 8))
}

fn create(from: &ze_image_desc_t) -> Answer<(ClImage, [usize; 3], usize)> {
    let (format, pixel) = format(&from.format).ok_or(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT)?;
    let (width, height) = (from.width as usize, from.height as usize);
    let levels = from.arraylevels.max(1) as usize;
    let (kind, size) = match from.r#type {
        ZE_IMAGE_TYPE_1D => (CL_MEM_OBJECT_IMAGE1D, [width, 1, 1]),
        ZE_IMAGE_TYPE_1DARRAY => (CL_MEM_OBJECT_IMAGE1D_ARRAY, [width, levels, 1]),
        ZE_IMAGE_TYPE_2D => (CL_MEM_OBJECT_IMAGE2D, [width, height, 1]),
        ZE_IMAGE_TYPE_2DARRAY => (CL_MEM_OBJECT_IMAGE2D_ARRAY, [width, height, levels]),
        ZE_IMAGE_TYPE_3D => (CL_MEM_OBJECT_IMAGE3D, [width, height, from.depth as usize]),
        _ => return Err(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
    };
    // SAFETY: numbers and null pointers, which may all be zero.
    let mut cl: cl_image_desc = unsafe { std::mem::zeroed() };
    cl.image_type = kind;
    cl.image_width = width;
    cl.image_height = height;
    cl.image_depth = from.depth as usize;
    cl.image_array_size = levels;
    let image = ClImage::new(&format, &cl).map_err(|_| ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT)?;
    Ok((image, size, pixel))
}

driver_calls! {
    fn zeImageGetProperties(
        hDevice: ze_device_handle_t,
        from: *const ze_image_desc_t,
        pImageProperties: *mut ze_image_properties_t,
    ) {
        device(hDevice)?;
        desc(from)?;
        update(pImageProperties, |properties| {
            properties.samplerFilterFlags =
                ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR;
        })
    }

    fn zeImageCreate(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        from: *const ze_image_desc_t,
        phImage: *mut ze_image_handle_t,
    ) {
        let context = context(hContext)?;
        device(hDevice)?;
        faults::alive()?;
        let from = desc(from)?;
        let (image, size, pixel) = create(&from)?;
        let has_lines = from.r#type == ZE_IMAGE_TYPE_1DARRAY;
        let ze_image_format_t { layout, r#type, x, y, z, w } = from.format;
        let (format, places) = ([layout.0, r#type.0], [x.0, y.0, z.0, w.0]);
        requests::record(format!("format {format:?} components {places:?} flags {}", from.flags));
        let image = Image { image: Arc::new(image), size, pixel, has_lines, _context: context };
        write(phImage, ze_image_handle_t(table::insert(image)))
    }

    fn zeImageDestroy(hImage: ze_image_handle_t) {
        table::remove::<Image>(hImage.0).map(drop)
    }

    fn zeSamplerCreate(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        from: *const ze_sampler_desc_t,
        phSampler: *mut ze_sampler_handle_t,
    ) {
        let context = context(hContext)?;
        device(hDevice)?;
        let from = desc(from)?;
        let (addressing, filter, normalized) = (from.addressMode.0, from.filterMode.0, from.isNormalized);
        requests::record(format!("addressing {addressing} filter {filter} normalized {normalized}"));
        let addressing = match from.addressMode {
            ZE_SAMPLER_ADDRESS_MODE_NONE => CL_ADDRESS_NONE,
            ZE_SAMPLER_ADDRESS_MODE_REPEAT => CL_ADDRESS_REPEAT,
            ZE_SAMPLER_ADDRESS_MODE_CLAMP => CL_ADDRESS_CLAMP_TO_EDGE,
            ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER => CL_ADDRESS_CLAMP,
            ZE_SAMPLER_ADDRESS_MODE_MIRROR => CL_ADDRESS_MIRRORED_REPEAT,
            _ => return Err(ZE_RESULT_ERROR_INVALID_ENUMERATION),
        };
        let filter = match from.filterMode {
            ZE_SAMPLER_FILTER_MODE_NEAREST => CL_FILTER_NEAREST,
            ZE_SAMPLER_FILTER_MODE_LINEAR => CL_FILTER_LINEAR,
            _ => return Err(ZE_RESULT_ERROR_INVALID_ENUMERATION),
        };
        let sampler = ClSampler::new(from.isNormalized != 0, addressing, filter)
            .map_err(|_| ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let sampler = Sampler { sampler: Arc::new(sampler), _context: context };
        write(phSampler, ze_sampler_handle_t(table::insert(sampler)))
    }

    fn zeSamplerDestroy(hSampler: ze_sampler_handle_t) {
        table::remove::<Sampler>(hSampler.0).map(drop)
    }
}
