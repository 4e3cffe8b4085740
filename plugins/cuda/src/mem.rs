//! Buffers, sub-buffers, images.

use core::ffi::c_void;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use sycl_pi_backend::api::{HostPtr, MemApi};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::context::{Context, Place};
use crate::copy::check_range;
use crate::device::Device;
use crate::enqueue_image::Picture;
use crate::mark::Mark;
use crate::platform::handle;
use crate::queue::Queue;
use crate::staging::Block;
use crate::sys::{self, CUdeviceptr, cuda};

/// Behind `*mut RawMem`.
pub struct Mem {
    pub(crate) context: Shared<Context>,
    pub(crate) flags: MemFlags,
    pub(crate) body: Body,
}

crate::kind!(Mem, RawMem, ErrorCode::INVALID_MEM_OBJECT, "*mut RawMem");

/// What a memory object is.
pub(crate) enum Body {
    Buffer(Buffer),
    /// Part of a buffer, from `origin` on.
    Part {
        parent: Shared<Mem>,
        origin: usize,
        size: usize,
    },
    Image(Picture),
}

/// A buffer's memory.
pub(crate) struct Buffer {
    pub(crate) size: usize,
    pub(crate) home: Home,
    /// Parts that are mapped now.
    pub(crate) maps: Mutex<Vec<Map>>,
}

/// Where a buffer's bytes are.
pub(crate) enum Home {
    /// On devices: one allocation per place of the context, made at first use, and the place with the newest bytes.
    Devices { copies: Box<[OnceLock<CUdeviceptr>]>, newest: Mutex<Option<usize>>, host: usize },
    /// In host memory that the driver allocated, which devices reach.
    Pinned { host: usize, device: CUdeviceptr },
    /// In host memory of the caller's, which the driver was told of.
    Registered { host: usize, device: CUdeviceptr },
    /// A driver's allocation that was handed in.
    Native { device: CUdeviceptr, owned: bool },
}

/// A mapped part.
pub(crate) struct Map {
    pub(crate) address: usize,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) flags: MapFlags,
    /// Memory of the plugin's for it, which the stream that unmaps keeps too; none where the buffer's own can be given out.
    pub(crate) block: Option<Arc<Block>>,
    /// The queue that copies into the block, and its stream's handle, where the call that maps does not wait.
    pub(crate) copied_by: Option<(Shared<Queue>, usize)>,
}

impl Map {
    /// The end of the stream that copies into the block, unless commands of `queue` are behind that anyway: the block must
    /// not go before.
    pub(crate) fn copied(&self, queue: &Counted<Queue>) -> Result<Option<Arc<Mark>>> {
        let Some((from, raw)) = &self.copied_by else { return Ok(None) };
        if std::ptr::eq(&**from, queue) && queue.in_order {
            return Ok(None);
        }
        let _current = from.place().enter()?;
        match from.used().find(|(_, stream)| stream.raw.addr() == *raw) {
            Some((_, stream)) if !stream.is_empty()? => stream.point(from.place()).map(Some),
            _ => Ok(None),
        }
    }
}

impl Mem {
    /// The buffer behind a buffer or a part of one, and where the part starts.
    pub(crate) fn buffer(&self) -> Result<(&Self, &Buffer, usize, usize)> {
        match &self.body {
            Body::Buffer(buffer) => Ok((self, buffer, 0, buffer.size)),
            Body::Part { parent, origin, size } => match &parent.body {
                Body::Buffer(buffer) => Ok((parent, buffer, *origin, *size)),
                _ => Err(Error::new(
                    ErrorCode::INVALID_MEM_OBJECT,
                    "buffer (or memobj, src_buffer, dst_buffer): the part is of no buffer",
                )),
            },
            Body::Image(_) => Err(Error::new(
                ErrorCode::INVALID_MEM_OBJECT,
                "buffer (or memobj, src_buffer, dst_buffer): an image where a buffer is needed",
            )),
        }
    }

    /// The device address of `size` bytes at `offset`, on the device at that place. The place's context is current.
    pub(crate) fn range(
        &self,
        place: usize,
        offset: usize,
        size: usize,
        writes: bool,
    ) -> Result<CUdeviceptr> {
        let (owner, buffer, origin, total) = self.buffer()?;
        check_range(offset, size, total, "buffer (or src_buffer, dst_buffer)")?;
        Ok(owner.address(buffer, place, writes)? + (origin + offset) as u64)
    }

    /// The buffer's start on the device at that place, with the newest bytes. The place's context is current.
    fn address(&self, buffer: &Buffer, place: usize, writes: bool) -> Result<CUdeviceptr> {
        match &buffer.home {
            Home::Pinned { device, .. } | Home::Registered { device, .. } | Home::Native { device, .. } => {
                Ok(*device)
            }
            Home::Devices { copies, newest, .. } => {
                let here = match copies[place].get() {
                    Some(here) => *here,
                    None => allocate(&copies[place], buffer.size)?,
                };
                if copies.len() > 1 {
                    self.follow(buffer.size, copies, newest, place, writes)?;
                }
                Ok(here)
            }
        }
    }

    /// Brings the newest bytes to the device at `place`. What runs on the other device is waited for.
    fn follow(
        &self,
        size: usize,
        copies: &[OnceLock<CUdeviceptr>],
        newest: &Mutex<Option<usize>>,
        place: usize,
        writes: bool,
    ) -> Result<()> {
        let mut newest = newest.lock();
        if let Some(from) = newest.filter(|from| *from != place)
            && let (Some(src), Some(dst)) = (copies[from].get(), copies[place].get())
        {
            self.context.link();
            let (there, here) = (&self.context.places[from], &self.context.places[place]);
            let current = there.enter()?;
            cuda()?.cuCtxSynchronize()?;
            drop(current);
            let _current = here.enter()?;
            let none = std::ptr::null_mut();
            cuda()?.cuMemcpyPeerAsync(*dst, here.raw.get(), *src, there.raw.get(), size, none)?;
            cuda()?.cuStreamSynchronize(none)?;
        }
        // Reading leaves two copies alike; the next writer decides.
        if writes || newest.is_none() || newest.is_some_and(|from| from != place) {
            *newest = Some(place);
        }
        Ok(())
    }

    /// What a kernel is given: a buffer's address, or an image's surface.
    pub(crate) fn kernel_argument(&self, place: usize) -> Result<u64> {
        let _current = self.context.places[place].enter()?;
        match &self.body {
            Body::Image(picture) => Ok(picture.surface),
            _ => self.range(place, 0, 0, true),
        }
    }
}

/// Allocates a buffer's memory on the current device, once.
#[cold]
fn allocate(slot: &OnceLock<CUdeviceptr>, size: usize) -> Result<CUdeviceptr> {
    let cuda = cuda()?;
    let mut fresh = 0;
    cuda.cuMemAlloc_v2(&mut fresh, size)?;
    let kept = *slot.get_or_init(|| fresh);
    if kept != fresh {
        cuda.cuMemFree_v2(fresh)?;
    }
    Ok(kept)
}

impl Drop for Mem {
    fn drop(&mut self) {
        let places = &self.context.places;
        let first = |work: &dyn Fn(&sys::Driver) -> Result<()>| {
            let free = || {
                let _current = self.context.first()?.enter()?;
                work(cuda()?)
            };
            // A lost context takes its memory along.
            let _ = free();
        };
        match &self.body {
            Body::Buffer(buffer) => match &buffer.home {
                Home::Devices { copies, .. } => {
                    for (place, copy) in places.iter().zip(copies) {
                        if let Some(copy) = copy.get() {
                            let free = || {
                                let _current = Place::enter(place)?;
                                cuda()?.cuMemFree_v2(*copy)
                            };
                            let _ = free();
                        }
                    }
                }
                Home::Pinned { host, .. } => {
                    first(&|cuda| cuda.cuMemFreeHost(std::ptr::with_exposed_provenance_mut(*host)));
                }
                Home::Registered { host, .. } => {
                    first(&|cuda| cuda.cuMemHostUnregister(std::ptr::with_exposed_provenance_mut(*host)));
                }
                Home::Native { device, owned: true } => first(&|cuda| cuda.cuMemFree_v2(*device)),
                Home::Native { .. } => {}
            },
            Body::Image(picture) => first(&|_| picture.destroy()),
            Body::Part { .. } => {}
        }
    }
}

impl Buffer {
    fn new(context: &Counted<Context>, flags: MemFlags, size: usize, host_ptr: HostPtr) -> Result<Self> {
        const PORTABLE_AND_MAPPED: u32 = 1 | 2;
        let place = context.first()?;
        let _current = place.enter()?;
        let cuda = cuda()?;
        let mut device = 0;
        let on_devices = |host| Home::Devices {
            copies: context.places.iter().map(|_| OnceLock::new()).collect(),
            newest: Mutex::new(None),
            host,
        };
        let mut home = None;
        if flags & MemFlags::HOST_PTR_ALLOC != 0 {
            let mut host = std::ptr::null_mut();
            cuda.cuMemHostAlloc(&mut host, size, PORTABLE_AND_MAPPED)?;
            cuda.cuMemHostGetDevicePointer_v2(&mut device, host, 0)?;
            if flags & MemFlags::HOST_PTR_COPY != 0 {
                sys::copy_bytes(host, host_ptr, size);
            }
            home = Some(Home::Pinned { host: host.expose_provenance(), device });
        } else if flags & MemFlags::HOST_PTR_USE != 0
            && cuda.cuMemHostRegister_v2(host_ptr, size, PORTABLE_AND_MAPPED).is_ok()
        {
            match cuda.cuMemHostGetDevicePointer_v2(&mut device, host_ptr, 0) {
                Ok(()) => home = Some(Home::Registered { host: host_ptr.expose_provenance(), device }),
                Err(_) => cuda.cuMemHostUnregister(host_ptr)?,
            }
        }
        let is_new = home.is_none();
        let used = flags & MemFlags::HOST_PTR_USE != 0;
        let host = if used { host_ptr.expose_provenance() } else { 0 };
        let home = home.unwrap_or_else(|| on_devices(host));
        if let (true, Home::Devices { copies, newest, .. }) = (is_new, &home) {
            let start = allocate(&copies[0], size)?;
            if !host_ptr.is_null() {
                if let Err(error) = sys::write_now(start, host_ptr, size) {
                    cuda.cuMemFree_v2(start)?;
                    return Err(error);
                }
                *newest.lock() = Some(0);
            }
        }
        Ok(Self { size, home, maps: Mutex::new(Vec::new()) })
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
        let body = Body::Buffer(Buffer::new(context, flags, size, host_ptr)?);
        Ok(Counted::create(Mem { context: context.share(), flags, body }))
    }

    fn mem_image_create(
        context: &Counted<Context>,
        flags: MemFlags,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: HostPtr,
    ) -> Result<New<Counted<Mem>>> {
        let _current = context.first()?.enter()?;
        let body = Body::Image(Picture::new(&context.first()?.device, format, desc, host_ptr)?);
        Ok(Counted::create(Mem { context: context.share(), flags, body }))
    }

    fn mem_info(mem: &Counted<Mem>, name: MemInfo, info: Info<'_>) -> Result<()> {
        match name {
            MemInfo::CONTEXT => info.value(handle(&*mem.context)),
            MemInfo::SIZE => info.value(match &mem.body {
                Body::Buffer(buffer) => buffer.size,
                Body::Part { size, .. } => *size,
                Body::Image(picture) => picture.bytes(),
            }),
            _ => Err(Error::invalid_value(format!("param_name: unknown memory query {name:#x}"))),
        }
    }

    fn mem_image_info(image: &Counted<Mem>, name: ImageInfo, info: Info<'_>) -> Result<()> {
        match &image.body {
            Body::Image(picture) => picture.info(name, info),
            _ => Err(Error::new(
                ErrorCode::INVALID_MEM_OBJECT,
                "image (or src_image, dst_image): a buffer where an image is needed",
            )),
        }
    }

    fn mem_retain(mem: &Counted<Mem>) -> Result<()> {
        mem.retain();
        Ok(())
    }

    fn mem_release(mem: &Counted<Mem>) -> Result<()> {
        mem.release();
        Ok(())
    }

    fn mem_buffer_partition(
        buffer: &Counted<Mem>,
        flags: MemFlags,
        _: pi_buffer_create_type,
        region: &BufferRegion,
    ) -> Result<New<Counted<Mem>>> {
        let Body::Buffer(whole) = &buffer.body else {
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, "buffer: only a whole one has parts"));
        };
        // Write-only: OpenCL's number, which PI has no name for.
        let access = MemFlags::ACCESS_RW | MemFlags::ACCESS_READ_ONLY | 2;
        if flags & !access != 0 {
            return Err(Error::invalid_value(format!(
                "flags {flags:#x} of a part: access alone can be asked for"
            )));
        }
        if buffer.flags & MemFlags::ACCESS_READ_ONLY != 0 && flags & (access & !MemFlags::ACCESS_READ_ONLY) != 0 {
            return Err(Error::invalid_value("flags: a part that is written, of a buffer that is only read"));
        }
        if region.size == 0 {
            return Err(Error::new(ErrorCode::INVALID_BUFFER_SIZE, "buffer_create_info: the part's size is 0"));
        }
        check_range(region.origin, region.size, whole.size, "buffer")
            .map_err(|error| error.with_code(ErrorCode::INVALID_BUFFER_SIZE))?;
        let body = Body::Part { parent: buffer.share(), origin: region.origin, size: region.size };
        let flags = if flags == 0 { MemFlags::ACCESS_RW } else { flags };
        Ok(Counted::create(Mem { context: buffer.context.share(), flags, body }))
    }

    fn mem_native_handle(
        mem: &Counted<Mem>,
        device: Option<&Counted<Device>>,
    ) -> Result<NativeHandle> {
        let place = device.map_or(Ok(0), |device| mem.context.index_of(device))?;
        let _current = mem.context.places[place].enter()?;
        match &mem.body {
            Body::Image(picture) => Ok(picture.array.addr()),
            _ => Ok(mem.range(place, 0, 0, true)? as NativeHandle),
        }
    }

    fn mem_create_with_native_handle(
        native: NativeHandle,
        context: &Counted<Context>,
        owned: bool,
    ) -> Result<New<Counted<Mem>>> {
        let _current = context.first()?.enter()?;
        let (mut base, mut size, device) = (0, 0, native as CUdeviceptr);
        cuda()?.cuMemGetAddressRange_v2(&mut base, &mut size, device).map_err(|error| {
            error.with_code(ErrorCode::INVALID_MEM_OBJECT).context(format!("{native:#x} is no device memory"))
        })?;
        let size = size - (device - base) as usize;
        let home = Home::Native { device, owned };
        let body = Body::Buffer(Buffer { size, home, maps: Mutex::new(Vec::new()) });
        Ok(Counted::create(Mem { context: context.share(), flags: MemFlags::ACCESS_RW, body }))
    }

    fn mem_image_create_with_native_handle(
        _: NativeHandle,
        _: &Counted<Context>,
        _: bool,
        _: Option<&ImageFormat>,
        _: Option<&ImageDesc>,
    ) -> Result<New<Counted<Mem>>> {
        Err(Error::unsupported("no image can be made of a CUarray"))
    }
}

impl Home {
    /// The bytes' host address, where they have one that devices share.
    pub(crate) fn host(&self) -> Option<*mut c_void> {
        match self {
            Self::Pinned { host, .. } | Self::Registered { host, .. } => {
                Some(std::ptr::with_exposed_provenance_mut(*host))
            }
            _ => None,
        }
    }

    /// The caller's memory that stands in for maps, where the driver did not take it.
    pub(crate) fn callers(&self) -> Option<*mut c_void> {
        match self {
            Self::Devices { host, .. } if *host != 0 => Some(std::ptr::with_exposed_provenance_mut(*host)),
            _ => None,
        }
    }
}
