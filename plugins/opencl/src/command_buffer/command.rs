//! Recorded commands, which own everything that they need to run again.

use core::ffi::c_void;

use sycl_pi_backend::api::{EnqueueApi, KernelApi, LaunchUpdate, NewArg, UsmApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, NdRange, OwnedRange, Rect, Result};

use crate::OpenCl;
use crate::fill::{FillStart, fill};
use crate::local_args;
use crate::sys::{Event, HasPlatform, Kernel, Mem, Owned, Queue, cl, create};

/// A command, and the commands of the same buffer that it waits for.
pub(super) struct RecordedCommand {
    pub(super) command: OwnedCommand,
    /// Sync points, each of which is the number of an earlier command, counted from 1.
    pub(super) waits: Box<[SyncPoint]>,
}

/// A command with everything that it needs to run again.
pub(super) enum OwnedCommand {
    KernelLaunch(OwnedLaunch),
    UsmMemcpy { dst: CallerAddress, src: CallerAddress, size: usize },
    UsmFill { ptr: CallerAddress, pattern: Box<[u8]>, size: usize },
    UsmPrefetch { ptr: CallerAddress, size: usize, flags: UsmMigrationFlags },
    UsmAdvise { ptr: CallerAddress, length: usize, advice: MemAdvice },
    BufferCopy { src: Owned<Mem>, dst: Owned<Mem>, src_offset: usize, dst_offset: usize, size: usize },
    BufferCopyRect { src: Owned<Mem>, dst: Owned<Mem>, rect: OwnedRect },
    BufferRead { buffer: Owned<Mem>, offset: usize, size: usize, dst: CallerAddress },
    BufferReadRect { buffer: Owned<Mem>, rect: OwnedRect, dst: CallerAddress },
    BufferWrite { buffer: Owned<Mem>, offset: usize, size: usize, src: CallerAddress },
    BufferWriteRect { buffer: Owned<Mem>, rect: OwnedRect, src: CallerAddress },
    BufferFill { buffer: Owned<Mem>, pattern: Box<[u8]>, offset: usize, size: usize },
}

impl OwnedCommand {
    /// Enqueues the command to a queue.
    pub(super) fn enqueue(&self, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        match self {
            Self::KernelLaunch(launch) => {
                OpenCl::enqueue_kernel_launch(queue, &launch.kernel, launch.range.view(), dependencies)
            }
            Self::UsmMemcpy { dst, src, size } => {
                OpenCl::enqueue_usm_memcpy(queue, false, dst.get(), src.get(), *size, dependencies)
            }
            Self::UsmFill { size: 0, .. } => OpenCl::enqueue_events_wait(queue, dependencies),
            Self::UsmFill { ptr, pattern, size } => {
                fill(queue, FillStart::Usm(ptr.get()), pattern, *size, dependencies)
            }
            Self::UsmPrefetch { ptr, size, flags } => {
                OpenCl::enqueue_usm_prefetch(queue, ptr.get(), *size, *flags, dependencies)
            }
            Self::UsmAdvise { ptr, length, advice } => {
                OpenCl::enqueue_usm_mem_advise(queue, ptr.get(), *length, *advice, dependencies)
            }
            Self::BufferCopy { src, dst, src_offset, dst_offset, size } => {
                let (from, to) = (*src_offset, *dst_offset);
                OpenCl::enqueue_mem_buffer_copy(queue, src, dst, from, to, *size, dependencies)
            }
            Self::BufferCopyRect { src, dst, rect } => {
                OpenCl::enqueue_mem_buffer_copy_rect(queue, src, dst, rect.view(), dependencies)
            }
            Self::BufferRead { buffer, offset, size, dst } => {
                let dst = dst.get();
                OpenCl::enqueue_mem_buffer_read(queue, buffer, false, *offset, *size, dst, dependencies)
            }
            Self::BufferReadRect { buffer, rect, dst } => {
                let (rect, dst) = (rect.view(), dst.get());
                OpenCl::enqueue_mem_buffer_read_rect(queue, buffer, false, rect, dst, dependencies)
            }
            Self::BufferWrite { buffer, offset, size, src } => {
                let src = src.get();
                OpenCl::enqueue_mem_buffer_write(queue, buffer, false, *offset, *size, src, dependencies)
            }
            Self::BufferWriteRect { buffer, rect, src } => {
                let (rect, src) = (rect.view(), src.get());
                OpenCl::enqueue_mem_buffer_write_rect(queue, buffer, false, rect, src, dependencies)
            }
            Self::BufferFill { buffer, pattern, offset, size } => {
                OpenCl::enqueue_mem_buffer_fill(queue, buffer, pattern, *offset, *size, dependencies)
            }
        }
    }

    /// Returns the command's name in error messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::KernelLaunch(_) => "kernel launch",
            Self::UsmMemcpy { .. } => "USM copy",
            Self::UsmFill { .. } => "USM fill",
            Self::UsmPrefetch { .. } => "USM prefetch",
            Self::UsmAdvise { .. } => "USM advice",
            Self::BufferCopy { .. } => "buffer copy",
            Self::BufferCopyRect { .. } => "buffer copy of a box",
            Self::BufferRead { .. } => "buffer read",
            Self::BufferReadRect { .. } => "buffer read of a box",
            Self::BufferWrite { .. } => "buffer write",
            Self::BufferWriteRect { .. } => "buffer write of a box",
            Self::BufferFill { .. } => "buffer fill",
        }
    }
}

/// A clone of a kernel that the command buffer owns, and its index space.
pub(super) struct OwnedLaunch {
    pub(super) kernel: Owned<Kernel>,
    pub(super) range: OwnedRange,
}

impl OwnedLaunch {
    /// Clones the kernel with its current arguments.
    pub(super) fn new(kernel: &Kernel, range: NdRange<'_>) -> Result<Self> {
        let clone = Owned::from(create::<Kernel>(|code| cl().clCloneKernel(kernel.cl(), code))?);
        local_args::copy(kernel, &clone)?;
        if kernel.driver()?.has_usm {
            // According to OpenCL, a clone also has the settings of clSetKernelExecInfo, but Intel's GPU driver omits
            // those of its own extension. Runtimes set this one on every kernel that they create.
            OpenCl::kernel_set_exec_info(&clone, KernelExecInfo::USM_INDIRECT_ACCESS, &[1])?;
        }
        Ok(Self { kernel: clone, range: OwnedRange::new(range) })
    }

    /// Updates the launch of subsequent runs.
    pub(super) fn update(&mut self, update: &LaunchUpdate<'_, OpenCl>) -> Result<()> {
        if let Some(kernel) = update.kernel {
            self.kernel = Self::new(kernel, self.range.view())?.kernel;
        }
        for (index, arg) in update.args {
            match arg {
                NewArg::Plain(arg) => OpenCl::kernel_set_arg(&self.kernel, *index, *arg)?,
                NewArg::Pointer(pointer) => OpenCl::kernel_set_arg_pointer(&self.kernel, *index, *pointer)?,
                NewArg::Mem(access, mem) => {
                    OpenCl::kernel_set_arg_mem_obj(&self.kernel, *index, *access, *mem)?;
                }
            }
        }
        if let Some(range) = update.range {
            self.range = OwnedRange::new(range);
        }
        Ok(())
    }
}

/// An owned box in each of two memories.
pub(super) struct OwnedRect {
    first_origin: [usize; 3],
    second_origin: [usize; 3],
    region: [usize; 3],
    /// First row, first slice, second row, second slice.
    pitches: [usize; 4],
}

impl OwnedRect {
    pub(super) fn new(rect: Rect<'_>) -> Self {
        Self {
            first_origin: *rect.first_origin,
            second_origin: *rect.second_origin,
            region: *rect.region,
            pitches: [
                rect.first_row_pitch,
                rect.first_slice_pitch,
                rect.second_row_pitch,
                rect.second_slice_pitch,
            ],
        }
    }

    pub(super) fn view(&self) -> Rect<'_> {
        Rect {
            first_origin: &self.first_origin,
            second_origin: &self.second_origin,
            region: &self.region,
            first_row_pitch: self.pitches[0],
            first_slice_pitch: self.pitches[1],
            second_row_pitch: self.pitches[2],
            second_slice_pitch: self.pitches[3],
        }
    }
}

/// An address of the caller, for commands. The backend never reads from it.
#[derive(Clone, Copy)]
pub(super) struct CallerAddress(usize);

impl CallerAddress {
    pub(super) fn new(address: *const c_void) -> Self {
        Self(address.expose_provenance())
    }

    fn get(self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}
