//! Command buffers.
//!
//! The plugin records commands itself ([`record`]) and replays them with the calls of a queue ([`replay`]), so that every
//! command works on every driver. Where the driver has cl_khr_command_buffer and it covers every command that was
//! recorded, the driver's own command buffer runs instead ([`native`]).
//!
//! What a caller may rely on:
//!
//! - A launch keeps the kernel's arguments and USM settings as they are when it is recorded: the kernel is cloned. Drivers
//!   older than OpenCL 2.1 cannot clone; there the arguments must stay until the last run.
//! - Buffers named in copies and fills, kernels, the context and the device stay until the command buffer goes. OpenCL
//!   does not tell a kernel's arguments: buffers that a kernel uses must live until its last run, as for any launch.
//! - Runs are independent of each other but for the queue's order and the wait lists; one command buffer may run many
//!   times at once, from many threads. It may be released right after it was enqueued.
//! - Errors that can be known are found when recording. An error while enqueueing names the command; the ones before it
//!   run.

mod command;
mod native;
mod record;
mod replay;

use core::ffi::c_void;

use sycl_pi_backend::api::CommandBufferApi;
use sycl_pi_backend::{Blocks, Counted, Kind, NdRange, New, Dependencies, SyncPointDependencies, Rect, Result};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::check::{check_extent, check_fill, check_rect, check_span};
use crate::sys::{Context, Device, Event, Kernel, Mem, Owned, Queue};

use command::{Address, Box3, Launch, Work};
use record::Recorder;

/// Behind `*mut RawCommandBuffer`: OpenCL has no object for it, so it is one of the plugin's own.
pub(crate) type CommandBuffer = Counted<Recorder>;

impl CountedKind for Recorder {
    type Raw = RawCommandBuffer;
    const INVALID: ErrorCode = ErrorCode::INVALID_COMMAND_BUFFER_KHR;
    const NAME: &'static str = "*mut RawCommandBuffer";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl CommandBufferApi for OpenCl {
    fn command_buffer_create(
        context: &Context,
        device: &Device,
        _: Option<&pi_ext_command_buffer_desc>,
    ) -> Result<New<CommandBuffer>> {
        // It says nothing that matters here: every command buffer can run many times at once, in any order.
        Recorder::new(context, device).map(Counted::create)
    }

    fn command_buffer_retain(buffer: &CommandBuffer) -> Result<()> {
        buffer.retain();
        Ok(())
    }

    fn command_buffer_release(buffer: &CommandBuffer) -> Result<()> {
        buffer.release();
        Ok(())
    }

    fn command_buffer_finalize(buffer: &CommandBuffer) -> Result<()> {
        buffer.finalize()
    }

    fn command_buffer_nd_range_kernel(
        buffer: &CommandBuffer,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            buffer.check_context(kernel.context()?, "kernel")?;
            Ok(Work::Kernel(Launch::new(kernel, range)?))
        })
    }

    fn command_buffer_memcpy_usm(
        buffer: &CommandBuffer,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || Ok(Work::MemcpyUsm { dst: Address::new(dst), src: Address::new(src), size }))
    }

    fn command_buffer_mem_buffer_copy(
        buffer: &CommandBuffer,
        src: &Mem,
        dst: &Mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_span(src, src_offset, size, "src_buffer")?;
            check_span(dst, dst_offset, size, "dst_buffer")?;
            let (src, dst) = (buffer.keep(src, "src_buffer")?, buffer.keep(dst, "dst_buffer")?);
            Ok(Work::Copy { src, dst, src_offset, dst_offset, size })
        })
    }

    fn command_buffer_mem_buffer_copy_rect(
        buffer: &CommandBuffer,
        src: &Mem,
        dst: &Mem,
        rect: Rect<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_rect(&rect)?;
            check_extent(src, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
            check_extent(dst, rect.second_origin, &rect, (rect.second_row_pitch, rect.second_slice_pitch))?;
            let (src, dst) = (buffer.keep(src, "src_buffer")?, buffer.keep(dst, "dst_buffer")?);
            Ok(Work::CopyRect { src, dst, rect: Box3::new(rect) })
        })
    }

    fn command_buffer_mem_buffer_write(
        buffer: &CommandBuffer,
        mem: &Mem,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_span(mem, offset, size, "buffer")?;
            Ok(Work::Write { mem: buffer.keep(mem, "buffer")?, offset, size, src: Address::new(ptr) })
        })
    }

    fn command_buffer_mem_buffer_write_rect(
        buffer: &CommandBuffer,
        mem: &Mem,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_rect(&rect)?;
            check_extent(mem, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
            let mem = buffer.keep(mem, "buffer")?;
            Ok(Work::WriteRect { mem, rect: Box3::new(rect), src: Address::new(ptr) })
        })
    }

    fn command_buffer_mem_buffer_read(
        buffer: &CommandBuffer,
        mem: &Mem,
        offset: usize,
        size: usize,
        dst: *mut c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_span(mem, offset, size, "buffer")?;
            Ok(Work::Read { mem: buffer.keep(mem, "buffer")?, offset, size, dst: Address::new(dst) })
        })
    }

    fn command_buffer_mem_buffer_read_rect(
        buffer: &CommandBuffer,
        mem: &Mem,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_rect(&rect)?;
            check_extent(mem, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
            let mem = buffer.keep(mem, "buffer")?;
            Ok(Work::ReadRect { mem, rect: Box3::new(rect), dst: Address::new(ptr) })
        })
    }

    fn command_buffer_mem_buffer_fill(
        buffer: &CommandBuffer,
        mem: &Mem,
        pattern: &[u8],
        offset: usize,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            check_span(mem, offset, size, "buffer")?;
            check_fill(pattern.len(), offset, size)?;
            Ok(Work::Fill { mem: buffer.keep(mem, "buffer")?, pattern: pattern.into(), offset, size })
        })
    }

    fn command_buffer_fill_usm(
        buffer: &CommandBuffer,
        ptr: *mut c_void,
        pattern: &[u8],
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || {
            // No bytes at all are fine, as with `piextUSMEnqueueMemset`.
            if size > 0 {
                check_fill(pattern.len(), ptr.addr(), size)?;
            }
            Ok(Work::FillUsm { ptr: Address::new(ptr), pattern: pattern.into(), size })
        })
    }

    fn command_buffer_prefetch_usm(
        buffer: &CommandBuffer,
        ptr: *const c_void,
        size: usize,
        flags: UsmMigrationFlags,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || Ok(Work::PrefetchUsm { ptr: Address::new(ptr), size, flags }))
    }

    fn command_buffer_advise_usm(
        buffer: &CommandBuffer,
        ptr: *const c_void,
        length: usize,
        advice: MemAdvice,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || Ok(Work::AdviseUsm { ptr: Address::new(ptr), size: length, advice }))
    }

    fn enqueue_command_buffer(
        buffer: &CommandBuffer,
        queue: &Queue,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        buffer.enqueue(queue, dependencies)
    }
}

impl Recorder {
    /// A reference to a buffer of this command buffer's context.
    fn keep(&self, mem: &Mem, name: &str) -> Result<Owned<Mem>> {
        self.check_context(mem.context()?, name)?;
        Owned::retain(mem)
    }
}
