//! Recording: one node of the graph for each command.

use core::ffi::c_void;

use sycl_pi_backend::api::CommandToRecord;
use sycl_pi_backend::{Counted, Error, NdRange, Rect, Result, SyncPointDependencies};

use crate::Cuda;
use crate::copy::{BoxCopy, End, device_address, end_at};
use crate::enqueue::check_box;
use crate::kernel::Kernel;
use crate::launch::offset_of;
use crate::mem::Mem;
use crate::sys::{CUDA_KERNEL_NODE_PARAMS_v2, CUgraphNode};
use crate::work_group::grid;

use super::graph::{CommandBuffer, KeptAlive, NodeBuilder};

/// A node, and the objects that it needs.
type Recorded = (CUgraphNode, Vec<KeptAlive>);

/// Adds a command to a command buffer.
pub(super) fn record(
    buffer: &Counted<CommandBuffer>,
    command: CommandToRecord<'_, Cuda>,
    dependencies: SyncPointDependencies<'_>,
) -> Result<()> {
    if let CommandToRecord::KernelLaunch { kernel, .. } = &command {
        buffer.check_context(&kernel.program.context, "kernel")?;
    }
    buffer.record(dependencies, |nodes| match command {
        CommandToRecord::KernelLaunch { kernel, range } => launch(buffer, nodes, kernel, &range),
        CommandToRecord::UsmMemcpy { size: 0, .. } => Ok((nodes.empty()?, Vec::new())),
        CommandToRecord::UsmMemcpy { dst, src, size } => {
            Ok((nodes.copy(&line(end_at(src, 0)?, end_at(dst, 0)?, size))?, Vec::new()))
        }
        CommandToRecord::UsmFill { ptr, pattern, size } => {
            Ok((nodes.fill(device_address(ptr), pattern, size)?, Vec::new()))
        }
        CommandToRecord::UsmPrefetch { .. } | CommandToRecord::UsmAdvise { .. } => {
            Ok((nodes.empty()?, Vec::new()))
        }
        CommandToRecord::BufferCopy { src, dst, src_offset, dst_offset, size } => {
            let from = bytes_of(buffer, src, src_offset, size, false)?;
            let to = bytes_of(buffer, dst, dst_offset, size, true)?;
            Ok((nodes.copy(&line(from, to, size))?, kept(&[src, dst])))
        }
        CommandToRecord::BufferCopyRect { src, dst, rect } => {
            let from = first_box(buffer, src, &rect, false)?;
            let to = second_box(buffer, dst, &rect, true)?;
            Ok((nodes.copy(&forward(from, to, &rect))?, kept(&[src, dst])))
        }
        CommandToRecord::BufferRead { buffer: mem, offset, size, dst } => {
            let from = bytes_of(buffer, mem, offset, size, false)?;
            let to = End::Host { start: dst, row: 0, slice: 0 };
            Ok((nodes.copy(&line(from, to, size))?, kept(&[mem])))
        }
        CommandToRecord::BufferReadRect { buffer: mem, rect, dst } => {
            let from = first_box(buffer, mem, &rect, false)?;
            Ok((nodes.copy(&forward(from, host_box(dst, &rect), &rect))?, kept(&[mem])))
        }
        CommandToRecord::BufferWrite { buffer: mem, offset, size, src } => {
            let from = End::Host { start: src.cast_mut(), row: 0, slice: 0 };
            let to = bytes_of(buffer, mem, offset, size, true)?;
            Ok((nodes.copy(&line(from, to, size))?, kept(&[mem])))
        }
        CommandToRecord::BufferWriteRect { buffer: mem, rect, src } => {
            let to = first_box(buffer, mem, &rect, true)?;
            Ok((nodes.copy(&backward(host_box(src.cast_mut(), &rect), to, &rect))?, kept(&[mem])))
        }
        CommandToRecord::BufferFill { buffer: mem, pattern, offset, size } => {
            bytes_of(buffer, mem, offset, size, true)?;
            let start = mem.range(buffer.index, offset, size, true)?;
            Ok((nodes.fill(start, pattern, size)?, kept(&[mem])))
        }
    })
}

fn launch(
    buffer: &CommandBuffer,
    nodes: &NodeBuilder<'_>,
    kernel: &Counted<Kernel>,
    range: &NdRange<'_>,
) -> Result<Recorded> {
    let function = kernel.function(buffer.index)?;
    let grid = grid(kernel, function, &nodes.place.device, range)?;
    if grid.empty {
        return Ok((nodes.empty()?, Vec::new()));
    }
    let mut args = kernel.args.lock();
    args.resolve(buffer.index)?;
    let mut offset = offset_of(range)?;
    let raw = match function.with_offset {
        Some(variant) if offset != [0; 3] => variant,
        _ => function.raw,
    };
    function.allow(args.shared, &nodes.place.device)?;
    let node = nodes.kernel(&CUDA_KERNEL_NODE_PARAMS_v2 {
        func: raw.get(),
        gridDimX: grid.groups[0],
        gridDimY: grid.groups[1],
        gridDimZ: grid.groups[2],
        blockDimX: grid.local[0],
        blockDimY: grid.local[1],
        blockDimZ: grid.local[2],
        sharedMemBytes: args.shared as u32,
        kernelParams: args.params.list(&mut offset),
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    })?;
    Ok((node, vec![KeptAlive::Kernel(kernel.share())]))
}

fn kept(mems: &[&Counted<Mem>]) -> Vec<KeptAlive> {
    mems.iter().map(|mem| KeptAlive::Mem(mem.share())).collect()
}

/// One end of a copy: `size` bytes of a buffer.
fn bytes_of(
    buffer: &CommandBuffer,
    mem: &Counted<Mem>,
    offset: usize,
    size: usize,
    writes: bool,
) -> Result<End> {
    buffer.check_context(&mem.context, MEMORY)?;
    if size == 0 {
        return Err(Error::invalid_value("size is 0: nothing to do"));
    }
    Ok(End::Device { start: mem.range(buffer.index, offset, size, writes)?, row: 0, slice: 0 })
}

/// The parameters that memory objects come in.
const MEMORY: &str = "buffer (or src_buffer, dst_buffer)";

/// One end of a copy: the first box of `rect`, in a buffer.
fn first_box(buffer: &CommandBuffer, mem: &Counted<Mem>, rect: &Rect<'_>, writes: bool) -> Result<End> {
    let (row, slice) = (rect.first_row_pitch, rect.first_slice_pitch);
    box_of(buffer, mem, rect, (rect.first_origin, row, slice), writes)
}

/// One end of a copy: the second box of `rect`, in a buffer.
fn second_box(buffer: &CommandBuffer, mem: &Counted<Mem>, rect: &Rect<'_>, writes: bool) -> Result<End> {
    let (row, slice) = (rect.second_row_pitch, rect.second_slice_pitch);
    box_of(buffer, mem, rect, (rect.second_origin, row, slice), writes)
}

fn box_of(
    buffer: &CommandBuffer,
    mem: &Counted<Mem>,
    rect: &Rect<'_>,
    (origin, row, slice): (&[usize; 3], usize, usize),
    writes: bool,
) -> Result<End> {
    buffer.check_context(&mem.context, MEMORY)?;
    check_box(mem, origin, rect, row, slice)?;
    Ok(End::Device { start: mem.range(buffer.index, 0, 0, writes)?, row, slice })
}

/// One end of a copy: the second box of `rect`, in host memory.
fn host_box(start: *mut c_void, rect: &Rect<'_>) -> End {
    End::Host { start, row: rect.second_row_pitch, slice: rect.second_slice_pitch }
}

/// A copy of bytes side by side.
fn line(src: End, dst: End, size: usize) -> BoxCopy {
    BoxCopy { src, src_origin: [0; 3], dst, dst_origin: [0; 3], region: [size, 1, 1] }
}

/// A copy from the first box to the second.
fn forward(src: End, dst: End, rect: &Rect<'_>) -> BoxCopy {
    let (src_origin, dst_origin) = (*rect.first_origin, *rect.second_origin);
    BoxCopy { src, src_origin, dst, dst_origin, region: *rect.region }
}

/// A copy from the second box to the first.
fn backward(src: End, dst: End, rect: &Rect<'_>) -> BoxCopy {
    let (src_origin, dst_origin) = (*rect.second_origin, *rect.first_origin);
    BoxCopy { src, src_origin, dst, dst_origin, region: *rect.region }
}
