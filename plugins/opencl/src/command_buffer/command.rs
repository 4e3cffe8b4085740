//! Recorded commands: what each one needs to run again, owned.

use core::ffi::c_void;

use sycl_pi_backend::api::{EnqueueApi, KernelApi, UsmApi};
use sycl_pi_backend::{NdRange, Dependencies, Rect, Result};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::sys::{Event, Kernel, Mem, Owned, Queue, Rooted, cl};

/// A command and the commands of the same buffer that it waits for.
pub(super) struct Command {
    pub(super) work: Work,
    /// Sync points, each the number of an earlier command, counted from 1.
    pub(super) waits: Box<[SyncPoint]>,
}

/// What a command does.
pub(super) enum Work {
    Kernel(Launch),
    MemcpyUsm { dst: Address, src: Address, size: usize },
    Copy { src: Owned<Mem>, dst: Owned<Mem>, src_offset: usize, dst_offset: usize, size: usize },
    CopyRect { src: Owned<Mem>, dst: Owned<Mem>, rect: Box3 },
    Write { mem: Owned<Mem>, offset: usize, size: usize, src: Address },
    WriteRect { mem: Owned<Mem>, rect: Box3, src: Address },
    Read { mem: Owned<Mem>, offset: usize, size: usize, dst: Address },
    ReadRect { mem: Owned<Mem>, rect: Box3, dst: Address },
    Fill { mem: Owned<Mem>, pattern: Box<[u8]>, offset: usize, size: usize },
    FillUsm { ptr: Address, pattern: Box<[u8]>, size: usize },
    PrefetchUsm { ptr: Address, size: usize, flags: UsmMigrationFlags },
    AdviseUsm { ptr: Address, size: usize, advice: MemAdvice },
}

impl Work {
    /// Puts the command into a queue.
    pub(super) fn enqueue(&self, queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        type Cl = OpenCl;
        match self {
            Work::Kernel(launch) => {
                Cl::piEnqueueKernelLaunch(queue, &launch.kernel, launch.range.view(), dependencies)
            }
            Work::MemcpyUsm { dst, src, size } => {
                Cl::piextUSMEnqueueMemcpy(queue, false, dst.get(), src.get(), *size, dependencies)
            }
            Work::Copy { src, dst, src_offset, dst_offset, size } => {
                Cl::piEnqueueMemBufferCopy(queue, src, dst, *src_offset, *dst_offset, *size, dependencies)
            }
            Work::CopyRect { src, dst, rect } => {
                Cl::piEnqueueMemBufferCopyRect(queue, src, dst, rect.view(), dependencies)
            }
            Work::Write { mem, offset, size, src } => {
                Cl::piEnqueueMemBufferWrite(queue, mem, false, *offset, *size, src.get(), dependencies)
            }
            Work::WriteRect { mem, rect, src } => {
                Cl::piEnqueueMemBufferWriteRect(queue, mem, false, rect.view(), src.get(), dependencies)
            }
            Work::Read { mem, offset, size, dst } => {
                Cl::piEnqueueMemBufferRead(queue, mem, false, *offset, *size, dst.get(), dependencies)
            }
            Work::ReadRect { mem, rect, dst } => {
                Cl::piEnqueueMemBufferReadRect(queue, mem, false, rect.view(), dst.get(), dependencies)
            }
            Work::Fill { mem, pattern, offset, size } => {
                Cl::piEnqueueMemBufferFill(queue, mem, pattern, *offset, *size, dependencies)
            }
            Work::FillUsm { size: 0, .. } => Cl::piEnqueueEventsWait(queue, dependencies),
            Work::FillUsm { ptr, pattern, size } => crate::usm::fill(queue, ptr.get(), pattern, *size, dependencies),
            Work::PrefetchUsm { ptr, size, flags } => {
                Cl::piextUSMEnqueuePrefetch(queue, ptr.get(), *size, *flags, dependencies)
            }
            Work::AdviseUsm { ptr, size, advice } => {
                Cl::piextUSMEnqueueMemAdvise(queue, ptr.get(), *size, *advice, dependencies)
            }
        }
    }

    /// The command's entry point, for error texts.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Work::Kernel(_) => "piextCommandBufferNDRangeKernel",
            Work::MemcpyUsm { .. } => "piextCommandBufferMemcpyUSM",
            Work::Copy { .. } => "piextCommandBufferMemBufferCopy",
            Work::CopyRect { .. } => "piextCommandBufferMemBufferCopyRect",
            Work::Write { .. } => "piextCommandBufferMemBufferWrite",
            Work::WriteRect { .. } => "piextCommandBufferMemBufferWriteRect",
            Work::Read { .. } => "piextCommandBufferMemBufferRead",
            Work::ReadRect { .. } => "piextCommandBufferMemBufferReadRect",
            Work::Fill { .. } => "piextCommandBufferMemBufferFill",
            Work::FillUsm { .. } => "piextCommandBufferFillUSM",
            Work::PrefetchUsm { .. } => "piextCommandBufferPrefetchUSM",
            Work::AdviseUsm { .. } => "piextCommandBufferAdviseUSM",
        }
    }
}

/// A kernel of the command buffer's own, and its index space.
pub(super) struct Launch {
    pub(super) kernel: Owned<Kernel>,
    pub(super) range: Space,
}

impl Launch {
    /// The kernel with its arguments as they are now.
    pub(super) fn new(kernel: &Kernel, range: NdRange<'_>) -> Result<Self> {
        let driver = kernel.driver()?;
        let kernel = if driver.version >= (2, 1) {
            let clone = Owned::<Kernel>::adopt(cl().clCloneKernel(kernel.cl())?.cast())?;
            if driver.has_usm() {
                // A clone has the settings of clSetKernelExecInfo too, says OpenCL; Intel's GPU driver leaves out those of
                // its own extension. Runtimes set this one on every kernel that they create.
                OpenCl::kernel_set_exec_info(&clone, KernelExecInfo::USM_INDIRECT_ACCESS, &[1])?;
            }
            clone
        } else {
            Owned::retain(kernel)?
        };
        Ok(Self { kernel, range: Space::new(range) })
    }
}

/// An index space, owned.
pub(super) struct Space {
    dims: usize,
    offset: Option<[usize; 3]>,
    global: [usize; 3],
    local: Option<[usize; 3]>,
}

impl Space {
    fn new(range: NdRange<'_>) -> Self {
        let three = |list: &[usize]| {
            let mut all = [0; 3];
            all.iter_mut().zip(list).for_each(|(to, from)| *to = *from);
            all
        };
        Self {
            dims: range.global.len().min(3),
            offset: range.offset.map(three),
            global: three(range.global),
            local: range.local.map(three),
        }
    }

    pub(super) fn view(&self) -> NdRange<'_> {
        fn lend(list: &Option<[usize; 3]>, dims: usize) -> Option<&[usize]> {
            list.as_ref().map(|list| &list[..dims])
        }
        NdRange {
            offset: lend(&self.offset, self.dims),
            global: &self.global[..self.dims],
            local: lend(&self.local, self.dims),
        }
    }
}

/// A box in each of two memories, owned.
pub(super) struct Box3 {
    first_origin: [usize; 3],
    second_origin: [usize; 3],
    region: [usize; 3],
    /// First row, first slice, second row, second slice.
    pitches: [usize; 4],
}

impl Box3 {
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

/// An address of the caller's that commands are run on; never looked at here.
#[derive(Clone, Copy)]
pub(super) struct Address(usize);

impl Address {
    pub(super) fn new(address: *const c_void) -> Self {
        Self(address.expose_provenance())
    }

    fn get(self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}
