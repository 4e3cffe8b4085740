//! Commands as values, which queues run and command buffers record.

use core::ffi::c_void;
use std::fmt;

use crate::api::{EnqueueApi, Objects, UsmApi};
use crate::types::{MemAdvice, UsmMigrationFlags};
use crate::{Dependencies, Fill, NdRange, Rect, Result};

/// A command that a queue runs ([`Command::enqueue`]) or a command buffer records
/// ([`CommandBufferApi::command_buffer_record`](super::CommandBufferApi::command_buffer_record)). Each run of a recorded command
/// reads or writes the host memory that the command names.
#[allow(missing_docs, reason = "the fields are the arguments of the command of that name")]
pub enum Command<'a, B: Objects> {
    /// A launch, with the kernel's arguments as they are now.
    #[doc(alias = "piextCommandBufferNDRangeKernel")]
    #[doc(alias = "urCommandBufferAppendKernelLaunchExp")]
    KernelLaunch { kernel: &'a B::Kernel, range: NdRange<'a> },
    /// A copy between addresses, in bytes.
    #[doc(alias = "piextCommandBufferMemcpyUSM")]
    #[doc(alias = "urCommandBufferAppendUSMMemcpyExp")]
    UsmMemcpy { dst: *mut c_void, src: *const c_void, size: usize },
    /// A fill of USM with a pattern.
    #[doc(alias = "piextCommandBufferFillUSM")]
    #[doc(alias = "urCommandBufferAppendUSMFillExp")]
    UsmFill { ptr: *mut c_void, fill: Fill<'a> },
    /// A hint that the device will want the range.
    #[doc(alias = "piextCommandBufferPrefetchUSM")]
    #[doc(alias = "urCommandBufferAppendUSMPrefetchExp")]
    UsmPrefetch { ptr: *const c_void, size: usize, flags: UsmMigrationFlags },
    /// A hint about the use of the range.
    #[doc(alias = "piextCommandBufferAdviseUSM")]
    #[doc(alias = "urCommandBufferAppendUSMAdviseExp")]
    UsmAdvise { ptr: *const c_void, length: usize, advice: MemAdvice },
    /// A copy between buffers.
    #[doc(alias = "piextCommandBufferMemBufferCopy")]
    #[doc(alias = "urCommandBufferAppendMemBufferCopyExp")]
    BufferCopy { src: &'a B::Mem, dst: &'a B::Mem, src_offset: usize, dst_offset: usize, size: usize },
    /// A copy of a box between buffers.
    #[doc(alias = "piextCommandBufferMemBufferCopyRect")]
    #[doc(alias = "urCommandBufferAppendMemBufferCopyRectExp")]
    BufferCopyRect { src: &'a B::Mem, dst: &'a B::Mem, rect: Rect<'a> },
    /// A read into host memory.
    #[doc(alias = "piextCommandBufferMemBufferRead")]
    #[doc(alias = "urCommandBufferAppendMemBufferReadExp")]
    BufferRead { buffer: &'a B::Mem, offset: usize, size: usize, dst: *mut c_void },
    /// A read of a box into host memory.
    #[doc(alias = "piextCommandBufferMemBufferReadRect")]
    #[doc(alias = "urCommandBufferAppendMemBufferReadRectExp")]
    BufferReadRect { buffer: &'a B::Mem, rect: Rect<'a>, dst: *mut c_void },
    /// A write from host memory.
    #[doc(alias = "piextCommandBufferMemBufferWrite")]
    #[doc(alias = "urCommandBufferAppendMemBufferWriteExp")]
    BufferWrite { buffer: &'a B::Mem, offset: usize, size: usize, src: *const c_void },
    /// A write of a box from host memory.
    #[doc(alias = "piextCommandBufferMemBufferWriteRect")]
    #[doc(alias = "urCommandBufferAppendMemBufferWriteRectExp")]
    BufferWriteRect { buffer: &'a B::Mem, rect: Rect<'a>, src: *const c_void },
    /// A fill of a buffer with a pattern.
    #[doc(alias = "piextCommandBufferMemBufferFill")]
    #[doc(alias = "urCommandBufferAppendMemBufferFillExp")]
    BufferFill { buffer: &'a B::Mem, offset: usize, fill: Fill<'a> },
}

impl<'a, B: EnqueueApi + UsmApi> Command<'a, B> {
    /// Enqueues the command. With `blocking`, a command that reads or writes host memory returns once it is complete.
    ///
    /// # Errors
    ///
    /// Those of the command's own method.
    #[inline(always)]
    pub fn enqueue(
        self,
        queue: &B::Queue,
        blocking: bool,
        dependencies: Dependencies<'_, B::Event>,
    ) -> Result<()> {
        match self {
            Self::KernelLaunch { kernel, range } => {
                B::enqueue_kernel_launch(queue, kernel, range, dependencies)
            }
            Self::UsmMemcpy { dst, src, size } => {
                B::enqueue_usm_memcpy(queue, blocking, dst, src, size, dependencies)
            }
            Self::UsmFill { ptr, fill } => match fill.pattern() {
                [byte] => B::enqueue_usm_memset(queue, ptr, *byte, fill.width(), dependencies),
                _ => B::enqueue_usm_fill_2d(queue, ptr, fill.width(), fill, dependencies),
            },
            Self::UsmPrefetch { ptr, size, flags } => {
                B::enqueue_usm_prefetch(queue, ptr, size, flags, dependencies)
            }
            Self::UsmAdvise { ptr, length, advice } => {
                B::enqueue_usm_mem_advise(queue, ptr, length, advice, dependencies)
            }
            Self::BufferCopy { src, dst, src_offset, dst_offset, size } => {
                B::enqueue_mem_buffer_copy(queue, src, dst, src_offset, dst_offset, size, dependencies)
            }
            Self::BufferCopyRect { src, dst, rect } => {
                B::enqueue_mem_buffer_copy_rect(queue, src, dst, rect, dependencies)
            }
            Self::BufferRead { buffer, offset, size, dst } => {
                B::enqueue_mem_buffer_read(queue, buffer, blocking, offset, size, dst, dependencies)
            }
            Self::BufferReadRect { buffer, rect, dst } => {
                B::enqueue_mem_buffer_read_rect(queue, buffer, blocking, rect, dst, dependencies)
            }
            Self::BufferWrite { buffer, offset, size, src } => {
                B::enqueue_mem_buffer_write(queue, buffer, blocking, offset, size, src, dependencies)
            }
            Self::BufferWriteRect { buffer, rect, src } => {
                B::enqueue_mem_buffer_write_rect(queue, buffer, blocking, rect, src, dependencies)
            }
            Self::BufferFill { buffer, offset, fill } => {
                B::enqueue_mem_buffer_fill(queue, buffer, offset, fill, dependencies)
            }
        }
    }
}

impl<B: Objects> fmt::Debug for Command<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KernelLaunch { .. } => "KernelLaunch",
            Self::UsmMemcpy { .. } => "UsmMemcpy",
            Self::UsmFill { .. } => "UsmFill",
            Self::UsmPrefetch { .. } => "UsmPrefetch",
            Self::UsmAdvise { .. } => "UsmAdvise",
            Self::BufferCopy { .. } => "BufferCopy",
            Self::BufferCopyRect { .. } => "BufferCopyRect",
            Self::BufferRead { .. } => "BufferRead",
            Self::BufferReadRect { .. } => "BufferReadRect",
            Self::BufferWrite { .. } => "BufferWrite",
            Self::BufferWriteRect { .. } => "BufferWriteRect",
            Self::BufferFill { .. } => "BufferFill",
        })
    }
}
