//! Recorded commands, which own everything that they need to run again.

use core::ffi::c_void;

use sycl_pi_backend::api::{Command, EnqueueApi, KernelApi, LaunchUpdate, NewArg};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Fill, NdRange, OwnedRange, Rect, Result};

use crate::OpenCl;
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
        if let Self::UsmFill { size: 0, .. } = self {
            return OpenCl::enqueue_events_wait(queue, dependencies);
        }
        self.view()?.enqueue(queue, false, dependencies)
    }

    fn view(&self) -> Result<Command<'_, OpenCl>> {
        Ok(match self {
            Self::KernelLaunch(launch) => {
                Command::KernelLaunch { kernel: &launch.kernel, range: launch.range.view() }
            }
            Self::UsmMemcpy { dst, src, size } => {
                Command::UsmMemcpy { dst: dst.get(), src: src.get(), size: *size }
            }
            Self::UsmFill { ptr, pattern, size } => {
                Command::UsmFill { ptr: ptr.get(), fill: Fill::or_nothing(pattern, *size)? }
            }
            Self::UsmPrefetch { ptr, size, flags } => {
                Command::UsmPrefetch { ptr: ptr.get(), size: *size, flags: *flags }
            }
            Self::UsmAdvise { ptr, length, advice } => {
                Command::UsmAdvise { ptr: ptr.get(), length: *length, advice: *advice }
            }
            Self::BufferCopy { src, dst, src_offset, dst_offset, size } => Command::BufferCopy {
                src,
                dst,
                src_offset: *src_offset,
                dst_offset: *dst_offset,
                size: *size,
            },
            Self::BufferCopyRect { src, dst, rect } => {
                Command::BufferCopyRect { src, dst, rect: rect.view() }
            }
            Self::BufferRead { buffer, offset, size, dst } => {
                Command::BufferRead { buffer, offset: *offset, size: *size, dst: dst.get() }
            }
            Self::BufferReadRect { buffer, rect, dst } => {
                Command::BufferReadRect { buffer, rect: rect.view(), dst: dst.get() }
            }
            Self::BufferWrite { buffer, offset, size, src } => {
                Command::BufferWrite { buffer, offset: *offset, size: *size, src: src.get() }
            }
            Self::BufferWriteRect { buffer, rect, src } => {
                Command::BufferWriteRect { buffer, rect: rect.view(), src: src.get() }
            }
            Self::BufferFill { buffer, pattern, offset, size } => {
                Command::BufferFill { buffer, offset: *offset, fill: Fill::new(pattern, *size, 1)? }
            }
        })
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
