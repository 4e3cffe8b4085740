//! Images: their formats and shapes in the driver's terms.

use std::sync::Arc;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use super::context::ContextHandle;
use crate::driver::DriverContext;
use crate::submission::AppendTarget;
use crate::sys::{self, Address, log_failure, narrow, ze, *};

/// A driver image.
pub(crate) struct Image {
    pub(crate) ze: ze_image_handle_t,
    owned: bool,
    pub(crate) format: ImageFormat,
    /// Width, height, and depth or layers; 1 for dimensions that the image does not have.
    pub(crate) extent: [usize; 3],
    pub(crate) element: usize,
    shape: [usize; 3],
    /// The number of layers; 0 if the image is not an array.
    layers: usize,
    row_pitch: usize,
    slice_pitch: usize,
    _context: Arc<DriverContext>,
}

/// A part of an image that is copied to or from host memory.
pub(crate) struct ImagePart {
    region: ze_image_region_t,
    /// Row pitch and slice pitch in bytes, unless the data is contiguous.
    pitches: Option<(u32, u32)>,
}

/// Returns the driver's type and layout, and the bytes per component.
fn channel(format: ImageChannelType) -> Option<(ze_image_format_type_t, usize)> {
    Some(match format {
        ImageChannelType::SNORM_INT8 => (ZE_IMAGE_FORMAT_TYPE_SNORM, 1),
        ImageChannelType::SNORM_INT16 => (ZE_IMAGE_FORMAT_TYPE_SNORM, 2),
        ImageChannelType::UNORM_INT8 => (ZE_IMAGE_FORMAT_TYPE_UNORM, 1),
        ImageChannelType::UNORM_INT16 => (ZE_IMAGE_FORMAT_TYPE_UNORM, 2),
        ImageChannelType::SIGNED_INT8 => (ZE_IMAGE_FORMAT_TYPE_SINT, 1),
        ImageChannelType::SIGNED_INT16 => (ZE_IMAGE_FORMAT_TYPE_SINT, 2),
        ImageChannelType::SIGNED_INT32 => (ZE_IMAGE_FORMAT_TYPE_SINT, 4),
        ImageChannelType::UNSIGNED_INT8 => (ZE_IMAGE_FORMAT_TYPE_UINT, 1),
        ImageChannelType::UNSIGNED_INT16 => (ZE_IMAGE_FORMAT_TYPE_UINT, 2),
        ImageChannelType::UNSIGNED_INT32 => (ZE_IMAGE_FORMAT_TYPE_UINT, 4),
        ImageChannelType::HALF_FLOAT => (ZE_IMAGE_FORMAT_TYPE_FLOAT, 2),
        ImageChannelType::FLOAT => (ZE_IMAGE_FORMAT_TYPE_FLOAT, 4),
        _ => return None,
    })
}

/// Returns the driver's swizzle of red, green, blue and alpha, and the number of components.
fn swizzle(order: ImageChannelOrder) -> Option<([ze_image_format_swizzle_t; 4], usize)> {
    const R: ze_image_format_swizzle_t = ZE_IMAGE_FORMAT_SWIZZLE_R;
    const G: ze_image_format_swizzle_t = ZE_IMAGE_FORMAT_SWIZZLE_G;
    const B: ze_image_format_swizzle_t = ZE_IMAGE_FORMAT_SWIZZLE_B;
    const A: ze_image_format_swizzle_t = ZE_IMAGE_FORMAT_SWIZZLE_A;
    const ZERO: ze_image_format_swizzle_t = ZE_IMAGE_FORMAT_SWIZZLE_0;
    const ONE: ze_image_format_swizzle_t = ZE_IMAGE_FORMAT_SWIZZLE_1;
    Some(match order {
        ImageChannelOrder::R => ([R, ZERO, ZERO, ONE], 1),
        ImageChannelOrder::A => ([ZERO, ZERO, ZERO, A], 1),
        ImageChannelOrder::RG => ([R, G, ZERO, ONE], 2),
        ImageChannelOrder::RGBA => ([R, G, B, A], 4),
        ImageChannelOrder::BGRA => ([B, G, R, A], 4),
        ImageChannelOrder::ARGB => ([A, R, G, B], 4),
        ImageChannelOrder::ABGR => ([A, B, G, R], 4),
        _ => return None,
    })
}

fn layout(components: usize, bytes: usize) -> Option<ze_image_format_layout_t> {
    Some(match (components, bytes) {
        (1, 1) => ZE_IMAGE_FORMAT_LAYOUT_8,
        (1, 2) => ZE_IMAGE_FORMAT_LAYOUT_16,
        (1, 4) => ZE_IMAGE_FORMAT_LAYOUT_32,
        (2, 1) => ZE_IMAGE_FORMAT_LAYOUT_8_8,
        (2, 2) => ZE_IMAGE_FORMAT_LAYOUT_16_16,
        (2, 4) => ZE_IMAGE_FORMAT_LAYOUT_32_32,
        (4, 1) => ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
        (4, 2) => ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16,
        (4, 4) => ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32,
        _ => return None,
    })
}

/// Returns the driver's description, the bytes per element, and the extent.
fn describe(format: &ImageFormat, desc: &ImageDesc) -> Result<(ze_image_desc_t, usize, [usize; 3])> {
    let unsupported = || {
        Error::new(
            ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED,
            format!(
                "image format: channel order {:#x}, type {:#x}",
                format.channel_order, format.channel_type
            ),
        )
    };
    let bad =
        |what: &str| Error::new(ErrorCode::INVALID_IMAGE_DESCRIPTOR, format!("image descriptor: {what}"));
    let (ty, bytes) = channel(format.channel_type).ok_or_else(unsupported)?;
    let (places, components) = swizzle(format.channel_order).ok_or_else(unsupported)?;
    if desc.num_mip_levels != 0 || desc.num_samples != 0 {
        return Err(bad("mip levels and samples are not supported"));
    }
    if !desc.buffer.is_null() {
        return Err(bad("images over buffers are not supported"));
    }
    let (width, height, depth) = (desc.width, desc.height, desc.depth);
    let layers = desc.array_size.max(1);
    let (shape, extent) = match desc.image_type {
        MemType::IMAGE1D => (ZE_IMAGE_TYPE_1D, [width, 1, 1]),
        MemType::IMAGE2D => (ZE_IMAGE_TYPE_2D, [width, height, 1]),
        MemType::IMAGE3D => (ZE_IMAGE_TYPE_3D, [width, height, depth]),
        MemType::IMAGE1D_ARRAY => (ZE_IMAGE_TYPE_1DARRAY, [width, layers, 1]),
        MemType::IMAGE2D_ARRAY => (ZE_IMAGE_TYPE_2DARRAY, [width, height, layers]),
        _ => return Err(bad("unknown image_type")),
    };
    let bad_size = || Error::new(ErrorCode::INVALID_IMAGE_SIZE, format!("image of extent {extent:?}"));
    if extent.contains(&0) {
        return Err(bad_size());
    }
    let number = |n: usize| u32::try_from(n).map_err(|_| bad_size());
    // Checked here, so that products of these numbers need no further checks.
    extent.iter().try_fold(components * bytes, |all, side| all.checked_mul(*side)).ok_or_else(bad_size)?;
    let [x, y, z, w] = places;
    let array = shape == ZE_IMAGE_TYPE_1DARRAY || shape == ZE_IMAGE_TYPE_2DARRAY;
    let ze = ze_image_desc_t {
        r#type: shape,
        format: ze_image_format_t {
            layout: layout(components, bytes).ok_or_else(unsupported)?,
            r#type: ty,
            x,
            y,
            z,
            w,
        },
        flags: ZE_IMAGE_FLAG_KERNEL_WRITE,
        width: number(extent[0])?.into(),
        height: if shape == ZE_IMAGE_TYPE_1DARRAY { 1 } else { number(extent[1])? },
        depth: if array { 1 } else { number(extent[2])? },
        arraylevels: if array { number(layers)? } else { 0 },
        ..Default::default()
    };
    Ok((ze, components * bytes, extent))
}

/// Refuses an image that exceeds a device's limits.
fn check_limits(context: &ContextHandle, extent: [usize; 3], desc: &ze_image_desc_t) -> Result<()> {
    let mut limits = ze_device_image_properties_t::default();
    ze()?.zeDeviceGetImageProperties(context.devices[0].ze, &mut limits)?;
    let (sides, most) = match desc.r#type {
        ZE_IMAGE_TYPE_1D | ZE_IMAGE_TYPE_1DARRAY => (1, limits.maxImageDims1D),
        ZE_IMAGE_TYPE_3D => (3, limits.maxImageDims3D),
        _ => (2, limits.maxImageDims2D),
    };
    if most == 0 {
        return Err(Error::unsupported("the device has no images of that shape"));
    }
    let (side, layers) = (extent[..sides].iter().max(), limits.maxImageArraySlices);
    let larger = if side.is_some_and(|side| *side > most as usize) {
        most
    } else if desc.arraylevels > layers {
        layers
    } else {
        return Ok(());
    };
    Err(Error::new(
        ErrorCode::INVALID_IMAGE_SIZE,
        format!("image of extent {extent:?}; the device has up to {larger}"),
    ))
}

impl Image {
    pub(crate) fn new(
        context: &ContextHandle,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: Address,
    ) -> Result<Self> {
        if host_ptr.is_null() && desc.row_pitch != 0 {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                "image descriptor: a row pitch without memory of the host",
            ));
        }
        let (ze_desc, _, extent) = describe(format, desc)?;
        check_limits(context, extent, &ze_desc)?;
        let mut ze = ze_image_handle_t::NULL;
        sys::ze()?.zeImageCreate(context.ze, context.devices[0].ze, &ze_desc, &mut ze)?;
        let image = Self::native(context, format, desc, ze, true)?;
        if !host_ptr.is_null() {
            let device = &context.devices[0];
            let ordinal = device.compute_group().unwrap_or_default();
            let list = context.synchronous.list(device.ze, ordinal)?;
            let target = AppendTarget::without_events(list);
            let part = image.part([0; 3], extent, (desc.row_pitch, desc.slice_pitch))?;
            image.append_write(target, host_ptr, &part)?;
        }
        Ok(image)
    }

    /// Wraps an image from a native handle.
    pub(crate) fn native(
        context: &ContextHandle,
        format: &ImageFormat,
        desc: &ImageDesc,
        ze: ze_image_handle_t,
        owned: bool,
    ) -> Result<Self> {
        let (_, element, extent) = describe(format, desc)?;
        let row_pitch = if desc.row_pitch == 0 { extent[0] * element } else { desc.row_pitch };
        let slices =
            matches!(desc.image_type, MemType::IMAGE3D | MemType::IMAGE1D_ARRAY | MemType::IMAGE2D_ARRAY);
        let rows = if desc.image_type == MemType::IMAGE1D_ARRAY { 1 } else { extent[1] };
        let slice_pitch = match (slices, desc.slice_pitch) {
            (false, _) => 0,
            (true, 0) => row_pitch.checked_mul(rows).ok_or_else(|| {
                Error::new(
                    ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                    format!("image descriptor: a row pitch of {row_pitch}"),
                )
            })?,
            (true, pitch) => pitch,
        };
        let shape = match desc.image_type {
            MemType::IMAGE1D | MemType::IMAGE1D_ARRAY => [extent[0], 0, 0],
            MemType::IMAGE3D => extent,
            _ => [extent[0], extent[1], 0],
        };
        let layers = match desc.image_type {
            MemType::IMAGE1D_ARRAY => extent[1],
            MemType::IMAGE2D_ARRAY => extent[2],
            _ => 0,
        };
        Ok(Self {
            ze,
            owned,
            format: *format,
            extent,
            element,
            shape,
            layers,
            row_pitch,
            slice_pitch,
            _context: context.driver.clone(),
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.extent.iter().product::<usize>() * self.element
    }

    /// Returns the driver's region for an origin and an extent. Refuses a region past the edge.
    pub(crate) fn region(&self, origin: [usize; 3], region: [usize; 3]) -> Result<ze_image_region_t> {
        for side in 0..3 {
            let (start, length, all) = (origin[side], region[side], self.extent[side]);
            if length == 0 || length > all || start > all - length {
                return Err(Error::invalid_value(format!(
                    "region {region:?} at {origin:?} of an image of {:?}",
                    self.extent
                )));
            }
        }
        Ok(ze_image_region_t {
            originX: origin[0] as u32,
            originY: origin[1] as u32,
            originZ: origin[2] as u32,
            width: region[0] as u32,
            height: region[1] as u32,
            depth: region[2] as u32,
        })
    }

    /// Returns how many of a part's rows are one slice. Each image of an array of one-dimensional images is a slice.
    fn rows_of_slice(&self, rows: usize) -> usize {
        if self.layers > 0 && self.shape[1] == 0 { 1 } else { rows }
    }

    /// Returns a part of the image with the layout of host memory for it. Refuses a part past the edge.
    pub(crate) fn part(
        &self,
        origin: [usize; 3],
        region: [usize; 3],
        (row, slice): (usize, usize),
    ) -> Result<ImagePart> {
        // Sizes inside the image are bounded, so their products cannot overflow.
        let inside = self.region(origin, region)?;
        let width = region[0] * self.element;
        let rows = self.rows_of_slice(region[1]);
        let is_dense = (row == 0 || row == width) && (slice == 0 || slice == width * rows);
        let (row, slice) = (narrow(row)?, narrow(slice)?);
        Ok(ImagePart { region: inside, pitches: (!is_dense).then_some((row, slice)) })
    }

    /// Appends a copy to host memory.
    pub(crate) fn append_read(&self, target: AppendTarget, dst: Address, part: &ImagePart) -> Result<()> {
        let (ze, region) = (ze()?, &part.region);
        let AppendTarget { list, signal, count, waits } = target;
        match part.pitches {
            None => ze.zeCommandListAppendImageCopyToMemory(
                list,
                dst.get(),
                self.ze,
                region,
                signal,
                count,
                waits,
            ),
            Some((row, slice)) => ze.zeCommandListAppendImageCopyToMemoryExt(
                list,
                dst.get(),
                self.ze,
                region,
                row,
                slice,
                signal,
                count,
                waits,
            ),
        }
    }

    /// Appends a copy from host memory.
    pub(crate) fn append_write(&self, target: AppendTarget, src: Address, part: &ImagePart) -> Result<()> {
        let (ze, region) = (ze()?, &part.region);
        let AppendTarget { list, signal, count, waits } = target;
        match part.pitches {
            None => ze.zeCommandListAppendImageCopyFromMemory(
                list,
                self.ze,
                src.get(),
                region,
                signal,
                count,
                waits,
            ),
            Some((row, slice)) => ze.zeCommandListAppendImageCopyFromMemoryExt(
                list,
                self.ze,
                src.get(),
                region,
                row,
                slice,
                signal,
                count,
                waits,
            ),
        }
    }

    /// Answers a query.
    pub(crate) fn info(&self, name: ImageInfo, info: Info<'_>) -> Result<()> {
        match name {
            ImageInfo::FORMAT => info.value([self.format.channel_order.0, self.format.channel_type.0]),
            ImageInfo::ELEMENT_SIZE => info.value(self.element),
            ImageInfo::ROW_PITCH => info.value(self.row_pitch),
            ImageInfo::SLICE_PITCH => info.value(self.slice_pitch),
            ImageInfo::WIDTH => info.value(self.shape[0]),
            ImageInfo::HEIGHT => info.value(self.shape[1]),
            ImageInfo::DEPTH => info.value(self.shape[2]),
            ImageInfo::ARRAY_SIZE => info.value(self.layers),
            ImageInfo::NUM_MIP_LEVELS | ImageInfo::NUM_SAMPLES => info.value(0_u32),
            _ => Err(Error::unknown_query("image", name)),
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        if self.owned {
            log_failure(ze().and_then(|ze| ze.zeImageDestroy(self.ze)));
        }
    }
}
