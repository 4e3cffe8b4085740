//! Memory objects: buffers, sub-buffers, images.

use core::ffi::c_void;

use sycl_pi_backend::api::{HostPtr, MemApi};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::buffer::Buffer;
use crate::image::Image;
use crate::sys::Address;
use crate::usm_pool::Place;
use crate::{Context, Device, LevelZero, Mem, context, handle, usm};

/// A buffer or an image.
pub struct Body {
    content: Content,
    /// The last field: memory goes before its context.
    pub(crate) context: Shared<context::Body>,
}

enum Content {
    Buffer(Buffer),
    Image(Image),
}

kind!(Body, RawMem, ErrorCode::INVALID_MEM_OBJECT);

impl Body {
    /// As a buffer.
    #[inline]
    pub(crate) fn buffer(&self) -> Result<&Buffer> {
        match &self.content {
            Content::Buffer(buffer) => Ok(buffer),
            Content::Image(_) => Err(Error::new(
                ErrorCode::INVALID_MEM_OBJECT,
                "buffer (or memobj, src_buffer, dst_buffer): an image; a buffer is needed",
            )),
        }
    }

    /// As an image.
    pub(crate) fn image(&self) -> Result<&Image> {
        match &self.content {
            Content::Image(image) => Ok(image),
            Content::Buffer(_) => Err(Error::new(
                ErrorCode::INVALID_MEM_OBJECT,
                "image (or src_image, dst_image): a buffer; an image is needed",
            )),
        }
    }

    /// What a kernel's argument is set to: an address, or the driver's image.
    pub(crate) fn argument(&self) -> usize {
        match &self.content {
            Content::Buffer(buffer) => buffer.address.number(),
            Content::Image(image) => image.ze.0.expose_provenance(),
        }
    }
}

fn create(context: &Context, content: Content) -> New<Mem> {
    Counted::create(Body { context: context.share(), content })
}

impl MemApi for LevelZero {
    fn mem_buffer_create(
        context: &Context,
        flags: MemFlags,
        size: usize,
        host_ptr: HostPtr,
        _: Properties<'_, u64>,
    ) -> Result<New<Mem>> {
        // The properties place a buffer on FPGA channels and banks: GPUs have one place only.
        let buffer = Buffer::new(context, flags, size, Address::new(host_ptr))?;
        Ok(create(context, Content::Buffer(buffer)))
    }

    fn mem_image_create(
        context: &Context,
        _: MemFlags,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: HostPtr,
    ) -> Result<New<Mem>> {
        let image = Image::new(context, format, desc, Address::new(host_ptr))?;
        Ok(create(context, Content::Image(image)))
    }

    fn mem_info(mem: &Mem, name: MemInfo, info: Info<'_>) -> Result<()> {
        match (name, &mem.content) {
            (MemInfo::CONTEXT, _) => info.value(handle::<context::Body>(&mem.context)),
            (MemInfo::SIZE, Content::Buffer(buffer)) => info.value(buffer.size),
            (MemInfo::SIZE, Content::Image(image)) => info.value(image.bytes()),
            _ => Err(Error::invalid_value(format!("param_name: unknown memory query {name:#x}"))),
        }
    }

    fn mem_image_info(image: &Mem, name: ImageInfo, info: Info<'_>) -> Result<()> {
        image.image()?.info(name, info)
    }

    fn mem_retain(mem: &Mem) -> Result<()> {
        mem.retain();
        Ok(())
    }

    fn mem_release(mem: &Mem) -> Result<()> {
        mem.release();
        Ok(())
    }

    fn mem_buffer_partition(
        buffer: &Mem,
        flags: MemFlags,
        _: pi_buffer_create_type,
        region: &BufferRegion,
    ) -> Result<New<Mem>> {
        if flags & !(MemFlags::ACCESS_RW | MemFlags::ACCESS_READ_ONLY) != 0 {
            return Err(Error::invalid_value(format!("flags {flags:#x} of a sub-buffer")));
        }
        if region.size == 0 {
            return Err(Error::new(
                ErrorCode::INVALID_BUFFER_SIZE,
                "buffer_create_info: the region's size is 0",
            ));
        }
        let part = Buffer::part(buffer, region.origin, region.size)?;
        let context = buffer.context.clone();
        Ok(create(&context, Content::Buffer(part)))
    }

    fn mem_native_handle(mem: &Mem, _: Option<&Device>) -> Result<NativeHandle> {
        Ok(mem.argument())
    }

    fn mem_create_with_native_handle(
        native: NativeHandle,
        context: &Context,
        owned: bool,
    ) -> Result<New<Mem>> {
        let address = Address::from_number(native);
        let found = if native == 0 { None } else { usm::find(context, address)? };
        let Some(found) = found else {
            return Err(Error::new(
                ErrorCode::INVALID_MEM_OBJECT,
                format!("{native:#x} is no USM allocation of the context"),
            ));
        };
        let size = found.size - (native - found.base);
        let on_host = !matches!(found.place, Place::Device(_));
        Ok(create(context, Content::Buffer(Buffer::native(context, address, size, on_host, owned))))
    }

    fn mem_image_create_with_native_handle(
        native: NativeHandle,
        context: &Context,
        owned: bool,
        format: Option<&ImageFormat>,
        desc: Option<&ImageDesc>,
    ) -> Result<New<Mem>> {
        let (Some(format), Some(desc)) = (format, desc) else {
            return Err(Error::invalid_value("ImageFormat and ImageDesc are needed"));
        };
        if native == 0 {
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, "nativeHandle is null; an image is needed"));
        }
        let address: *mut c_void = Address::from_number(native).get();
        let image = Image::native(context, format, desc, crate::sys::ze_image_handle_t(address), owned)?;
        Ok(create(context, Content::Image(image)))
    }
}
