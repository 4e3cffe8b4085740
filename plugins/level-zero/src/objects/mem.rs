//! Memory objects: buffers, sub-buffers and images.

use sycl_pi_backend::{Counted, Error, Result, Shared};

use super::buffer::Buffer;
use super::context::{Context, ContextHandle};
use super::image::Image;

/// A buffer or an image.
pub struct Mem {
    pub(crate) content: MemContent,
    /// The parent of a sub-buffer, which is only held until drop.
    _parent: Option<Shared<Mem>>,
    /// Last field, because memory must be freed before its context.
    pub(crate) context: Shared<Context>,
}

pub(crate) enum MemContent {
    Buffer(Buffer),
    Image(Image),
}

pub(crate) type MemHandle = Counted<Mem>;

sycl_pi_backend::counted_kinds!(Mem: RawMem, INVALID_MEM_OBJECT, "memory object";);

impl Mem {
    pub(crate) fn new(context: &ContextHandle, content: MemContent, parent: Option<&MemHandle>) -> Self {
        Self { content, _parent: parent.map(|parent| parent.share()), context: context.share() }
    }

    /// Returns the buffer, or an error for an image.
    pub(crate) fn buffer(&self) -> Result<&Buffer> {
        match &self.content {
            MemContent::Buffer(buffer) => Ok(buffer),
            MemContent::Image(_) => Err(Error::image_for_buffer()),
        }
    }

    /// Returns the image, or an error for a buffer.
    pub(crate) fn image(&self) -> Result<&Image> {
        match &self.content {
            MemContent::Image(image) => Ok(image),
            MemContent::Buffer(_) => Err(Error::buffer_for_image()),
        }
    }

    /// Returns the value of a kernel argument: an address, or the driver's image.
    pub(crate) fn argument(&self) -> usize {
        match &self.content {
            MemContent::Buffer(buffer) => buffer.address.number(),
            MemContent::Image(image) => image.ze.0.expose_provenance(),
        }
    }
}
