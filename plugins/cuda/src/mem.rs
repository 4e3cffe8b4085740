//! Memory objects: buffers, sub-buffers and images.

use sycl_pi_backend::api::{HostPtr, MemApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Properties, Result, Shared};

use crate::Cuda;
use crate::context::Context;
use crate::copy::check_range;
use crate::device::device_object::Device;
use crate::image::ArrayImage;
use crate::memory::buffer::{Buffer, Storage};
use crate::memory::pointer::attributes_of;
use crate::opencl;
use crate::sys::{CUdeviceptr, cuda};

/// A memory object.
pub struct Mem {
    pub(crate) context: Shared<Context>,
    flags: MemFlags,
    pub(crate) kind: MemKind,
}

sycl_pi_backend::counted_kinds!(Mem: RawMem, INVALID_MEM_OBJECT, "memory object";);

/// The kinds of memory objects.
pub(crate) enum MemKind {
    Buffer(Buffer),
    /// A sub-buffer, which starts at `origin` in its parent.
    SubBuffer {
        parent: Shared<Mem>,
        origin: usize,
        size: usize,
    },
    Image(ArrayImage),
}

/// A buffer, or the part of one that a sub-buffer refers to.
pub(crate) struct BufferPart<'a> {
    pub(crate) buffer: &'a Buffer,
    pub(crate) origin: usize,
    pub(crate) size: usize,
}

impl Mem {
    fn new(context: &Counted<Context>, flags: MemFlags, kind: MemKind) -> New<Counted<Self>> {
        Counted::create(Self { context: context.share(), flags, kind })
    }

    /// Returns the memory behind a buffer or a sub-buffer.
    pub(crate) fn buffer(&self) -> Result<BufferPart<'_>> {
        match &self.kind {
            MemKind::Buffer(buffer) => Ok(BufferPart { buffer, origin: 0, size: buffer.size }),
            MemKind::SubBuffer { parent, origin, size } => match &parent.kind {
                MemKind::Buffer(buffer) => Ok(BufferPart { buffer, origin: *origin, size: *size }),
                _ => Err(Error::image_for_buffer()),
            },
            MemKind::Image(_) => Err(Error::image_for_buffer()),
        }
    }

    /// Returns the image behind a memory object.
    pub(crate) fn image(&self) -> Result<&ArrayImage> {
        match &self.kind {
            MemKind::Image(image) => Ok(image),
            _ => Err(Error::buffer_for_image()),
        }
    }

    /// Returns the device address of `size` bytes at `offset` on the context's device with the given index. A command that
    /// uses it is enqueued `with_buffers`, for the newest bytes.
    pub(crate) fn range(&self, index: usize, offset: usize, size: usize) -> Result<CUdeviceptr> {
        let part = self.buffer()?;
        check_range(offset, size, part.size, "the buffer")?;
        Ok(part.buffer.address(&self.context, index)? + (part.origin + offset) as u64)
    }

    /// Returns the value that is passed to a kernel: a buffer's address, or an image's surface.
    pub(crate) fn kernel_argument(&self, index: usize) -> Result<u64> {
        match &self.kind {
            MemKind::Image(image) => Ok(image.surface),
            _ => self.range(index, 0, 0),
        }
    }
}

impl Drop for Mem {
    fn drop(&mut self) {
        // A lost context frees its memory, so an error is ignored.
        let _ = match &self.kind {
            MemKind::Buffer(buffer) => buffer.free(&self.context),
            MemKind::Image(image) => self.context.first().and_then(|device_context| {
                let _current = device_context.enter()?;
                image.destroy()
            }),
            MemKind::SubBuffer { .. } => Ok(()),
        };
    }
}

impl MemApi for Cuda {
    fn mem_buffer_create(
        context: &Counted<Context>,
        flags: MemFlags,
        size: usize,
        host_ptr: HostPtr,
        _: Properties<'_, u64>,
    ) -> Result<New<Counted<Mem>>> {
        let buffer = Buffer::new(context, flags, size, host_ptr)?;
        Ok(Mem::new(context, flags, MemKind::Buffer(buffer)))
    }

    fn mem_image_create(
        context: &Counted<Context>,
        flags: MemFlags,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: HostPtr,
    ) -> Result<New<Counted<Mem>>> {
        let device_context = context.first()?;
        let _current = device_context.enter()?;
        let image = ArrayImage::new(&device_context.device, format, desc, host_ptr)?;
        Ok(Mem::new(context, flags, MemKind::Image(image)))
    }

    fn mem_info(mem: &Counted<Mem>, name: MemInfo, info: Info<'_>) -> Result<()> {
        match name {
            MemInfo::CONTEXT => info.value(mem.context.handle()),
            MemInfo::SIZE => info.value(match &mem.kind {
                MemKind::Buffer(buffer) => buffer.size,
                MemKind::SubBuffer { size, .. } => *size,
                MemKind::Image(image) => image.bytes(),
            }),
            _ => Err(Error::unknown_query("memory", name)),
        }
    }

    fn mem_image_info(image: &Counted<Mem>, name: ImageInfo, info: Info<'_>) -> Result<()> {
        image.image()?.info(name, info)
    }

    fn mem_buffer_partition(
        buffer: &Counted<Mem>,
        flags: MemFlags,
        region: BufferRegion,
    ) -> Result<New<Counted<Mem>>> {
        let MemKind::Buffer(whole) = &buffer.kind else {
            let text = "a sub-buffer must be made from a whole buffer";
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, text));
        };
        let write_only = MemFlags::from_bits_retain(2);
        let access = MemFlags::ACCESS_RW | MemFlags::ACCESS_READ_ONLY | write_only;
        if !access.contains(flags) {
            return Err(Error::invalid_value(format!(
                "flags {flags:#x}: a sub-buffer has only access flags"
            )));
        }
        if buffer.flags.contains(MemFlags::ACCESS_READ_ONLY)
            && flags.intersects(MemFlags::ACCESS_RW | write_only)
        {
            return Err(Error::invalid_value("a writable sub-buffer of a read-only buffer"));
        }
        let invalid_size = ErrorCode::INVALID_BUFFER_SIZE;
        if region.size == 0 {
            return Err(Error::empty_sub_buffer());
        }
        check_range(region.origin, region.size, whole.size, "the buffer")
            .map_err(|error| error.with_code(invalid_size))?;
        let kind = MemKind::SubBuffer { parent: buffer.share(), origin: region.origin, size: region.size };
        let flags = if flags.is_empty() { MemFlags::ACCESS_RW } else { flags };
        Ok(Mem::new(&buffer.context, flags, kind))
    }

    fn mem_native_handle(mem: &Counted<Mem>, device: Option<&Counted<Device>>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        let index = device.map_or(Ok(0), |device| mem.context.index_of(device))?;
        match &mem.kind {
            MemKind::Image(image) => Ok(image.array.addr()),
            _ => {
                let start = mem.range(index, 0, 0)?;
                mem.buffer()?.buffer.expose(&mem.context, index)?;
                Ok(start as NativeHandle)
            }
        }
    }

    fn mem_create_with_native_handle(
        native: NativeHandle,
        context: &Counted<Context>,
        owned: bool,
    ) -> Result<New<Counted<Mem>>> {
        opencl::refuse_native_handles()?;
        let _current = context.first()?.enter()?;
        let (mut base, mut size, device) = (0, 0, native as CUdeviceptr);
        cuda()?.cuMemGetAddressRange_v2(&mut base, &mut size, device).map_err(|error| {
            error
                .with_code(ErrorCode::INVALID_MEM_OBJECT)
                .context(format!("{native:#x} is not device memory"))
        })?;
        let buffer = Buffer::over(Storage::Native { device, owned }, size - (device - base) as usize);
        Ok(Mem::new(context, MemFlags::ACCESS_RW, MemKind::Buffer(buffer)))
    }

    fn mem_image_create_with_native_handle(
        native: NativeHandle,
        context: &Counted<Context>,
        owned: bool,
        format: Option<&ImageFormat>,
        desc: Option<&ImageDesc>,
    ) -> Result<New<Counted<Mem>>> {
        opencl::refuse_native_handles()?;
        let (Some(format), Some(desc)) = (format, desc) else {
            return Err(Error::invalid_value("ImageFormat and ImageDesc: a native image needs both"));
        };
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_MEM_OBJECT, "an array"));
        }
        let device_context = context.first()?;
        let _current = device_context.enter()?;
        // The driver would take such an address for an array and crash.
        if attributes_of(native as CUdeviceptr)?.is_known() {
            let text = format!("{native:#x} is an address of memory, not an array");
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, text));
        }
        let array = std::ptr::with_exposed_provenance_mut(native);
        let image = ArrayImage::native(&device_context.device, array, format, desc, owned)?;
        Ok(Mem::new(context, MemFlags::ACCESS_RW, MemKind::Image(image)))
    }
}
