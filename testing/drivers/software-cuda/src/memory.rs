//! Memory: host memory with records of its kind, copies, fills.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::Mutex;

use cudarc::driver::sys::*;

use crate::array::Array;
use crate::{Code, INVALID_VALUE, OUT_OF_MEMORY, context, entries, faults, lock, put, stream};

const ALIGNMENT: usize = 256;
/// The largest row pitch in bytes for copying a box.
const MOST_PITCH: usize = i32::MAX as usize;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Device,
    Host,
    Managed,
    Registered,
    /// A module's variable.
    Variable,
    /// Another process's memory.
    Imported,
    /// Physical memory at a virtual address.
    Mapped,
}

#[derive(Clone, Copy)]
struct Block {
    size: usize,
    kind: Kind,
    device: c_int,
}

static BLOCKS: Mutex<BTreeMap<usize, Block>> = Mutex::new(BTreeMap::new());

fn allocate(size: usize, kind: Kind) -> Result<usize, Code> {
    let device = context::current()?.device;
    if size == 0 {
        return Err(INVALID_VALUE);
    }
    let mut blocks = lock(&BLOCKS);
    let used: usize = blocks.values().filter(|block| block.device == device).map(|block| block.size).sum();
    if size > context::MEMORY - used.min(context::MEMORY) {
        return Err(OUT_OF_MEMORY);
    }
    let layout = std::alloc::Layout::from_size_align(size, ALIGNMENT).map_err(|_| OUT_OF_MEMORY)?;
    // SAFETY: the size is positive.
    let start = unsafe { std::alloc::alloc_zeroed(layout) }.expose_provenance();
    if start == 0 {
        return Err(OUT_OF_MEMORY);
    }
    blocks.insert(start, Block { size, kind, device });
    faults::live(1);
    Ok(start)
}

/// Allocates device memory with these bytes.
pub(crate) fn allocate_with(bytes: &[u8]) -> Result<CUdeviceptr, Code> {
    let start = allocate(bytes.len(), Kind::Device)?;
    let to = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: new memory of that size.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    Ok(start as CUdeviceptr)
}

fn free(start: usize, kinds: &[Kind]) -> Result<(), Code> {
    context::current()?;
    stream::finish_all();
    let mut blocks = lock(&BLOCKS);
    let block =
        blocks.get(&start).copied().filter(|block| kinds.contains(&block.kind)).ok_or(INVALID_VALUE)?;
    blocks.remove(&start);
    faults::live(-1);
    if block.kind != Kind::Registered {
        let layout = std::alloc::Layout::from_size_align(block.size, ALIGNMENT).map_err(|_| INVALID_VALUE)?;
        // SAFETY: allocated with that layout, and taken out of the table.
        unsafe { std::alloc::dealloc(std::ptr::with_exposed_provenance_mut(start), layout) };
    }
    Ok(())
}

/// Returns the start and size of the allocation of device memory that contains an address.
pub(crate) fn device_block(address: usize) -> Option<(usize, usize)> {
    find(address).filter(|(_, block)| block.kind == Kind::Device).map(|(start, block)| (start, block.size))
}

/// Records memory of another process, which is device memory here.
pub(crate) fn add_imported(start: usize, size: usize, device: c_int) {
    lock(&BLOCKS).insert(start, Block { size, kind: Kind::Imported, device });
    faults::live(1);
}

/// Removes memory of another process, and returns its size.
pub(crate) fn remove_imported(start: usize) -> Option<usize> {
    stream::finish_all();
    let mut blocks = lock(&BLOCKS);
    let block = blocks.get(&start).copied().filter(|block| block.kind == Kind::Imported)?;
    blocks.remove(&start);
    faults::live(-1);
    Some(block.size)
}

/// Records mapped physical memory, which is device memory.
pub(crate) fn add_mapped(start: usize, size: usize, device: c_int) {
    lock(&BLOCKS).insert(start, Block { size, kind: Kind::Mapped, device });
}

/// Removes mapped physical memory.
pub(crate) fn remove_mapped(start: usize) {
    lock(&BLOCKS).remove(&start);
}

/// Records a module's variable, which is device memory too.
pub(crate) fn add_variable(start: usize, size: usize, device: c_int) {
    lock(&BLOCKS).entry(start).or_insert(Block { size, kind: Kind::Variable, device });
}

/// Removes a module's variable.
pub(crate) fn remove_variable(start: usize) {
    lock(&BLOCKS).remove(&start);
}

fn find(address: usize) -> Option<(usize, Block)> {
    let blocks = lock(&BLOCKS);
    let (start, block) = blocks.range(..=address).next_back()?;
    (address - start < block.size).then_some((*start, *block))
}

/// Returns the number of bytes from an address to the end of its block, if the driver knows it.
fn left(address: usize) -> Option<usize> {
    find(address).map(|(start, block)| start + block.size - address)
}

/// Copies on the stream's thread.
fn copy(dst: usize, src: usize, size: usize, to: CUstream) -> Result<(), Code> {
    // A pageable source is read during the call, as the driver guarantees.
    let taken = match find(src) {
        None => Some(
            // SAFETY: the caller's memory of that size.
            unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(src), size) }
                .to_vec(),
        ),
        Some((start, block)) if size > block.size - (src - start) => return Err(INVALID_VALUE),
        Some(_) => None,
    };
    let room = left(dst);
    if room.is_some_and(|left| size > left) {
        return Err(INVALID_VALUE);
    }
    stream::push(
        to,
        Box::new(move || {
            let src = taken.as_ref().map_or(std::ptr::with_exposed_provenance(src), |bytes| bytes.as_ptr());
            // SAFETY: the interface requires that both ranges are alive until the copy is done.
            unsafe { std::ptr::copy(src, std::ptr::with_exposed_provenance_mut::<u8>(dst), size) };
        }),
    )?;
    // A copy to pageable memory returns when it is done.
    if room.is_none() { stream::finish(to) } else { Ok(()) }
}

/// Returns the copy of a box as work to run.
pub(crate) fn copy_3d(copy: &CUDA_MEMCPY3D) -> Result<impl FnMut() + Send + 'static, Code> {
    /// The start, the bytes of a row, the rows of a slice, and the number of bytes if known.
    type End = (usize, usize, usize, Option<usize>);
    let end = |kind: CUmemorytype, host: usize, device: u64, array: CUarray, pitch: usize, rows: usize| {
        match kind {
            CUmemorytype::CU_MEMORYTYPE_HOST => Ok::<End, Code>((host, pitch, rows, left(host))),
            // SAFETY: the caller guarantees a live array.
            CUmemorytype::CU_MEMORYTYPE_ARRAY => unsafe { Array::place(array) },
            _ => Ok((device as usize, pitch, rows, left(device as usize))),
        }
    };
    let host = copy.srcHost.expose_provenance();
    let src = end(copy.srcMemoryType, host, copy.srcDevice, copy.srcArray, copy.srcPitch, copy.srcHeight)?;
    let host = copy.dstHost.expose_provenance();
    let dst = end(copy.dstMemoryType, host, copy.dstDevice, copy.dstArray, copy.dstPitch, copy.dstHeight)?;
    let (width, height, depth) = (copy.WidthInBytes, copy.Height, copy.Depth);
    // As in the driver: the corner must be inside the rows and slices, and everything inside the memory.
    let fits = |(start, pitch, rows, size): End, x: usize, y: usize, z: usize| {
        let last = || {
            let before = z.checked_add(depth)?.saturating_sub(1).checked_mul(rows)?;
            let row = before.checked_add(y.checked_add(height)?.saturating_sub(1))?;
            let last = row.checked_mul(pitch)?.checked_add(x.checked_add(width)?)?;
            start.checked_add(last).map(|_| last)
        };
        (x.saturating_add(width)..=MOST_PITCH).contains(&pitch)
            && (depth == 1 || rows >= y.saturating_add(height))
            && last().is_some_and(|last| size.is_none_or(|size| last <= size))
    };
    if !fits(src, copy.srcXInBytes, copy.srcY, copy.srcZ)
        || !fits(dst, copy.dstXInBytes, copy.dstY, copy.dstZ)
    {
        return Err(INVALID_VALUE);
    }
    let src = (src.0 + copy.srcXInBytes, copy.srcY, copy.srcZ, src.1, src.2);
    let dst = (dst.0 + copy.dstXInBytes, copy.dstY, copy.dstZ, dst.1, dst.2);
    Ok(move || {
        let row = |(start, y, z, pitch, rows): (usize, usize, usize, usize, usize), at: (usize, usize)| {
            start + pitch * ((y + at.0) + rows * (z + at.1))
        };
        for at in (0..depth).flat_map(|z| (0..height).map(move |y| (y, z))) {
            let from = std::ptr::with_exposed_provenance::<u8>(row(src, at));
            let to = std::ptr::with_exposed_provenance_mut::<u8>(row(dst, at));
            // SAFETY: rows of the caller's boxes.
            unsafe { std::ptr::copy(from, to, width) };
        }
    })
}

/// Returns a fill as work to run.
pub(crate) fn fill(
    start: u64,
    pitch: usize,
    value: u32,
    element: usize,
    width: usize,
    height: usize,
) -> Result<impl FnMut() + Send + 'static, Code> {
    let reach = if height > 1 { pitch * (height - 1) + width * element } else { width * element };
    let Some((base, block)) = find(start as usize) else { return Err(INVALID_VALUE) };
    if start as usize - base + reach > block.size || !(start as usize).is_multiple_of(element) {
        return Err(INVALID_VALUE);
    }
    Ok(move || {
        // A whole row at once. Filling single elements takes seconds for large fills without optimization.
        let bytes = value.to_le_bytes()[..element].repeat(width);
        for row in 0..height {
            let to = std::ptr::with_exposed_provenance_mut::<u8>(start as usize + row * pitch);
            // SAFETY: inside the block, which was checked.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        }
    })
}

/// Returns the start of the registered host memory that contains an address.
pub(crate) fn registered_at(address: usize) -> Option<usize> {
    find(address).filter(|(_, block)| block.kind == Kind::Registered).map(|(start, _)| start)
}

fn push_fill(stream: CUstream, work: Result<impl FnMut() + Send + 'static, Code>) -> Result<(), Code> {
    stream::push(stream, Box::new(work?))
}

entries! {
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let device = context::current()?.device;
        let used: usize = lock(&BLOCKS).values().filter(|block| block.device == device).map(|block| block.size).sum();
        put(free, context::MEMORY - used.min(context::MEMORY))?;
        put(total, context::MEMORY)
    };
    cuMemAlloc_v2(out: *mut CUdeviceptr, size: usize) put(out, allocate(size, Kind::Device)? as u64);
    cuMemAllocManaged(out: *mut CUdeviceptr, size: usize, _flags: c_uint) {
        let start = allocate(size, Kind::Managed)?;
        // Like NVIDIA's driver, which reuses freed memory with its old bytes.
        let to = std::ptr::with_exposed_provenance_mut::<u8>(start);
        std::ptr::write_bytes(to, 0xcd, size.min(4096));
        put(out, start as u64)
    };
    cuMemAllocPitch_v2(out: *mut CUdeviceptr, pitch: *mut usize, width: usize, height: usize, element: c_uint) {
        if ![4, 8, 16].contains(&element) {
            return Err(INVALID_VALUE);
        }
        let row = width.next_multiple_of(128 * element as usize);
        put(out, allocate(row * height, Kind::Device)? as u64)?;
        put(pitch, row)
    };
    cuMemFree_v2(pointer: CUdeviceptr) free(pointer as usize, &[Kind::Device, Kind::Managed]);
    cuMemHostAlloc(out: *mut *mut c_void, size: usize, _flags: c_uint)
        put(out, std::ptr::with_exposed_provenance_mut(allocate(size, Kind::Host)?));
    cuMemFreeHost(pointer: *mut c_void) free(pointer.expose_provenance(), &[Kind::Host]);
    cuMemHostGetDevicePointer_v2(out: *mut CUdeviceptr, host: *mut c_void, _flags: c_uint) {
        let address = host.expose_provenance();
        find(address).ok_or(INVALID_VALUE)?;
        put(out, address as u64)
    };
    cuMemHostRegister_v2(pointer: *mut c_void, size: usize, _flags: c_uint) {
        let device = context::current()?.device;
        let start = pointer.expose_provenance();
        if start == 0 || size == 0 || find(start).is_some() {
            return Err(712);
        }
        lock(&BLOCKS).insert(start, Block { size, kind: Kind::Registered, device });
        faults::live(1);
        Ok(())
    };
    cuMemHostUnregister(pointer: *mut c_void) free(pointer.expose_provenance(), &[Kind::Registered]);
    cuMemGetAddressRange_v2(base: *mut CUdeviceptr, size: *mut usize, pointer: CUdeviceptr) {
        let (start, block) = find(pointer as usize).ok_or(crate::NOT_FOUND)?;
        put(base, start as u64)?;
        put(size, block.size)
    };
    cuPointerGetAttributes(count: c_uint, names: *mut c_int, values: *mut *mut c_void, pointer: CUdeviceptr) {
        let found = find(pointer as usize);
        for index in 0..count as usize {
            let (name, value) = (*names.add(index), *values.add(index));
            // Unknown memory: zeros and success.
            match (name, found) {
                (2, Some((_, block))) => {
                    let host = matches!(block.kind, Kind::Host | Kind::Registered);
                    value.cast::<u32>().write(if host { 1 } else { 2 });
                }
                (2, None) => value.cast::<u32>().write(0),
                (8, _) => value.cast::<u32>().write(found.is_some_and(|(_, block)| block.kind == Kind::Managed).into()),
                (9, _) => value.cast::<c_int>().write(found.map_or(-2, |(_, block)| block.device)),
                (11, _) => value.cast::<usize>().write(found.map_or(0, |(start, _)| start)),
                (12, _) => value.cast::<usize>().write(found.map_or(0, |(_, block)| block.size)),
                _ => return Err(INVALID_VALUE),
            }
        }
        Ok(())
    };
    cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, size: usize, stream: CUstream)
        copy(dst as usize, src as usize, size, stream);
    cuMemcpyHtoDAsync_v2(dst: CUdeviceptr, src: *const c_void, size: usize, stream: CUstream)
        copy(dst as usize, src.expose_provenance(), size, stream);
    cuMemcpyDtoHAsync_v2(dst: *mut c_void, src: CUdeviceptr, size: usize, stream: CUstream)
        copy(dst.expose_provenance(), src as usize, size, stream);
    cuMemcpyDtoDAsync_v2(dst: CUdeviceptr, src: CUdeviceptr, size: usize, stream: CUstream)
        copy(dst as usize, src as usize, size, stream);
    cuMemcpyHtoD_v2(dst: CUdeviceptr, src: *const c_void, size: usize) {
        context::current()?;
        let bytes = std::slice::from_raw_parts(src.cast::<u8>(), size).to_vec();
        stream::push_late(Box::new(move || {
            let to = std::ptr::with_exposed_provenance_mut::<u8>(dst as usize);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }));
        Ok(())
    };
    cuMemcpyPeerAsync(dst: CUdeviceptr, _to: CUcontext, src: CUdeviceptr, _from: CUcontext, size: usize,
        stream: CUstream)
        copy(dst as usize, src as usize, size, stream);
    cuMemcpy3D_v2(copy: *const CUDA_MEMCPY3D) {
        stream::push(std::ptr::null_mut(), Box::new(copy_3d(&*copy)?))?;
        stream::finish(std::ptr::null_mut())
    };
    cuMemcpy3DAsync_v2(copy: *const CUDA_MEMCPY3D, stream: CUstream) {
        stream::push(stream, Box::new(copy_3d(&*copy)?))
    };
    cuMemsetD8Async(start: CUdeviceptr, value: u8, count: usize, stream: CUstream)
        push_fill(stream, fill(start, 0, value.into(), 1, count, 1));
    cuMemsetD16Async(start: CUdeviceptr, value: u16, count: usize, stream: CUstream)
        push_fill(stream, fill(start, 0, value.into(), 2, count, 1));
    cuMemsetD32Async(start: CUdeviceptr, value: c_uint, count: usize, stream: CUstream)
        push_fill(stream, fill(start, 0, value, 4, count, 1));
    cuMemsetD2D8Async(start: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize, stream: CUstream)
        push_fill(stream, fill(start, pitch, value.into(), 1, width, height));
    cuMemsetD2D16Async(start: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize, stream: CUstream)
        push_fill(stream, fill(start, pitch, value.into(), 2, width, height));
    cuMemsetD2D32Async(start: CUdeviceptr, pitch: usize, value: c_uint, width: usize, height: usize, stream: CUstream)
        push_fill(stream, fill(start, pitch, value, 4, width, height));
    cuMemPrefetchAsync(start: CUdeviceptr, size: usize, device: CUdevice, stream: CUstream) {
        faults::note("cuMemPrefetchAsync's start", start);
        faults::note("cuMemPrefetchAsync's size", size as u64);
        faults::note("cuMemPrefetchAsync", u64::from(device.cast_unsigned()));
        stream::push(stream, Box::new(|| {}))
    };
    cuMemAdvise(start: CUdeviceptr, size: usize, advice: c_uint, device: CUdevice) {
        if !find(start as usize).is_some_and(|(_, block)| block.kind == Kind::Managed) {
            return Err(INVALID_VALUE);
        }
        faults::note("cuMemAdvise's start", start);
        faults::note("cuMemAdvise's size", size as u64);
        faults::note("cuMemAdvise", u64::from(advice) << 32 | u64::from(device.cast_unsigned()));
        Ok(())
    };
}
