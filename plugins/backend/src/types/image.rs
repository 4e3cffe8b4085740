//! Numbers and shapes of images.

use super::MemType;
use crate::raw::RawMem;

enumeration! {
    /// Queries of an image.
    pub struct ImageInfo: u32 {
        FORMAT = 0x1110,
        ELEMENT_SIZE = 0x1111,
        ROW_PITCH = 0x1112,
        SLICE_PITCH = 0x1113,
        WIDTH = 0x1114,
        HEIGHT = 0x1115,
        DEPTH = 0x1116,
        ARRAY_SIZE = 0x1117,
        NUM_MIP_LEVELS = 0x1119,
        NUM_SAMPLES = 0x111a,
    }
}

enumeration! {
    /// Channel order of an image's elements.
    pub struct ImageChannelOrder: u32 {
        A = 0x10b1,
        R = 0x10b0,
        RG = 0x10b2,
        RA = 0x10b3,
        RGB = 0x10b4,
        RGBA = 0x10b5,
        BGRA = 0x10b6,
        ARGB = 0x10b7,
        ABGR = 0x10c3,
        INTENSITY = 0x10b8,
        LUMINANCE = 0x10b9,
        RX = 0x10ba,
        RGX = 0x10bb,
        RGBX = 0x10bc,
        SRGBA = 0x10c1,
    }
}

enumeration! {
    /// The type of an image's channels.
    pub struct ImageChannelType: u32 {
        SNORM_INT8 = 0x10d0,
        SNORM_INT16 = 0x10d1,
        UNORM_INT8 = 0x10d2,
        UNORM_INT16 = 0x10d3,
        UNORM_SHORT_565 = 0x10d4,
        UNORM_SHORT_555 = 0x10d5,
        UNORM_INT_101010 = 0x10d6,
        SIGNED_INT8 = 0x10d7,
        SIGNED_INT16 = 0x10d8,
        SIGNED_INT32 = 0x10d9,
        UNSIGNED_INT8 = 0x10da,
        UNSIGNED_INT16 = 0x10db,
        UNSIGNED_INT32 = 0x10dc,
        HALF_FLOAT = 0x10dd,
        FLOAT = 0x10de,
    }
}

enumeration! {
    /// Direction of an image copy.
    pub struct ImageCopyDirection: u32 {
        HOST_TO_DEVICE = 0,
        DEVICE_TO_HOST = 1,
        DEVICE_TO_DEVICE = 2,
    }
}

/// Format of an image's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ImageFormat {
    /// Order of the channels.
    pub channel_order: ImageChannelOrder,
    /// The type of each channel.
    pub channel_type: ImageChannelType,
}

/// Shape of an image. Sizes are in elements and pitches in bytes. A pitch of 0 follows from the sizes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ImageDesc {
    /// Number of dimensions, and whether the image is an array or a cube map.
    pub image_type: MemType,
    /// Width.
    pub width: usize,
    /// Height.
    pub height: usize,
    /// Depth.
    pub depth: usize,
    /// Number of images in an array.
    pub array_size: usize,
    /// Bytes from row to row.
    pub row_pitch: usize,
    /// Bytes from slice to slice.
    pub slice_pitch: usize,
    /// Number of mipmap levels.
    pub num_mip_levels: u32,
    /// Number of samples.
    pub num_samples: u32,
    /// The buffer that the image is created from, or null.
    pub buffer: *mut RawMem,
}

/// An image on a device, as passed to kernels.
pub type ImageHandle = u64;
/// The memory of a bindless image.
pub type ImageMemHandle = *mut core::ffi::c_void;
/// Memory imported from another interface.
pub type InteropMemHandle = u64;
/// A semaphore imported from another interface.
pub type InteropSemaphoreHandle = u64;
