//! Recording: adds one graph node for each command.

use sycl_pi_backend::api::Command;
use sycl_pi_backend::{Counted, Error, NdRange, Result, SyncPointDependencies};

use crate::Cuda;
use crate::copy::rect::{first_end, first_to_second, host_end, second_end, second_to_first};
use crate::copy::{BoxCopy, CopyEnd, device_address, end_at};
use crate::kernel::Kernel;
use crate::mem::Mem;
use crate::memory::buffer_use::BufferUse;
use crate::sys::CUgraphNode;

use super::graph::{CommandBuffer, KeptAlive, NodeBuilder};
use super::launch::RecordedLaunch;

/// A node, and the objects that it needs.
type Recorded = (CUgraphNode, Vec<KeptAlive>);

/// Adds a command to a command buffer.
pub(super) fn record(
    buffer: &Counted<CommandBuffer>,
    command: Command<'_, Cuda>,
    dependencies: SyncPointDependencies<'_>,
) -> Result<()> {
    if let Command::KernelLaunch { kernel, .. } = &command {
        buffer.check_context(&kernel.program.context, "the kernel")?;
    }
    buffer.record(dependencies, |nodes| match command {
        Command::KernelLaunch { kernel, range } => launch(buffer, nodes, kernel, &range),
        Command::UsmMemcpy { size: 0, .. } => Ok((nodes.empty()?, Vec::new())),
        Command::UsmMemcpy { dst, src, size } => {
            Ok((nodes.copy(&line(end_at(src, 0), end_at(dst, 0), size))?, Vec::new()))
        }
        Command::UsmFill { ptr, fill } => {
            Ok((nodes.fill(device_address(ptr), fill.pattern(), fill.width())?, Vec::new()))
        }
        Command::UsmPrefetch { .. } | Command::UsmAdvise { .. } => Ok((nodes.empty()?, Vec::new())),
        Command::BufferCopy { src, dst, src_offset, dst_offset, size } => {
            let from = bytes_of(buffer, src, src_offset, size)?;
            let to = bytes_of(buffer, dst, dst_offset, size)?;
            Ok((nodes.copy(&line(from, to, size))?, kept([BufferUse::read(src), BufferUse::write(dst)])))
        }
        Command::BufferCopyRect { src, dst, rect } => {
            buffer.check_context(&src.context, "the memory object")?;
            buffer.check_context(&dst.context, "the memory object")?;
            let from = first_end(src, buffer.index, &rect)?;
            let to = second_end(dst, buffer.index, &rect)?;
            Ok((
                nodes.copy(&first_to_second(from, to, &rect))?,
                kept([BufferUse::read(src), BufferUse::write(dst)]),
            ))
        }
        Command::BufferRead { buffer: mem, offset, size, dst } => {
            let from = bytes_of(buffer, mem, offset, size)?;
            let to = CopyEnd::Host { start: dst, row: 0, slice: 0 };
            Ok((nodes.copy(&line(from, to, size))?, kept([BufferUse::read(mem)])))
        }
        Command::BufferReadRect { buffer: mem, rect, dst } => {
            buffer.check_context(&mem.context, "the memory object")?;
            let from = first_end(mem, buffer.index, &rect)?;
            Ok((
                nodes.copy(&first_to_second(from, host_end(dst, &rect), &rect))?,
                kept([BufferUse::read(mem)]),
            ))
        }
        Command::BufferWrite { buffer: mem, offset, size, src } => {
            let from = CopyEnd::Host { start: src.cast_mut(), row: 0, slice: 0 };
            let to = bytes_of(buffer, mem, offset, size)?;
            Ok((nodes.copy(&line(from, to, size))?, kept([BufferUse::write(mem)])))
        }
        Command::BufferWriteRect { buffer: mem, rect, src } => {
            buffer.check_context(&mem.context, "the memory object")?;
            let to = first_end(mem, buffer.index, &rect)?;
            let from = host_end(src.cast_mut(), &rect);
            Ok((nodes.copy(&second_to_first(from, to, &rect))?, kept([BufferUse::write(mem)])))
        }
        Command::BufferFill { buffer: mem, offset, fill } => {
            let (pattern, size) = (fill.pattern(), fill.width());
            bytes_of(buffer, mem, offset, size)?;
            let start = mem.range(buffer.index, offset, size)?;
            Ok((nodes.fill(start, pattern, size)?, kept([BufferUse::write(mem)])))
        }
    })
}

fn launch(
    buffer: &CommandBuffer,
    nodes: &NodeBuilder<'_>,
    kernel: &Counted<Kernel>,
    range: &NdRange<'_>,
) -> Result<Recorded> {
    let mut launch = RecordedLaunch::new(kernel, range);
    let node = match launch.parameters(buffer.index, nodes.device_context)? {
        Some(mut parameters) => nodes.kernel(&parameters.of_node())?,
        None => nodes.empty()?,
    };
    Ok((node, vec![KeptAlive::Launch(Box::new(launch))]))
}

fn kept<const N: usize>(uses: [BufferUse<'_>; N]) -> Vec<KeptAlive> {
    uses.map(|BufferUse { mem, writes }| KeptAlive::Mem { mem: mem.share(), writes }).into()
}

/// Returns one end of a copy: `size` bytes of a buffer.
fn bytes_of(buffer: &CommandBuffer, mem: &Counted<Mem>, offset: usize, size: usize) -> Result<CopyEnd> {
    buffer.check_context(&mem.context, "the memory object")?;
    if size == 0 {
        return Err(Error::empty_command("a command"));
    }
    Ok(CopyEnd::Device { start: mem.range(buffer.index, offset, size)?, row: 0, slice: 0 })
}

/// Returns a copy of contiguous bytes.
fn line(src: CopyEnd, dst: CopyEnd, size: usize) -> BoxCopy {
    BoxCopy { src, src_origin: [0; 3], dst, dst_origin: [0; 3], region: [size, 1, 1] }
}
