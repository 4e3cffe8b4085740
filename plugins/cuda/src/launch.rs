//! Kernel launches.

pub(crate) mod launch_properties;
pub(crate) mod work_group;

use core::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, NdRange, Result};

use self::work_group::{Grid, grid};
use crate::device::device_context::DeviceContext;
use crate::event::event_object::Event;
use crate::kernel::Kernel;
use crate::kernel::kernel_args::KernelArgs;
use crate::memory::buffer_use::with_buffers;
use crate::queue::{Queue, StreamKind};
use crate::submit::{CommandRequest, submit};
use crate::sys::{CUfunction, CUstream, cuda};

/// A launch with checked arguments, in the driver's representation.
pub(crate) struct CheckedLaunch {
    pub(crate) function: CUfunction,
    pub(crate) grid: Grid,
    /// Bytes of local memory for the arguments.
    pub(crate) local_memory: u32,
    /// The hidden last arguments of some kernels: the global offset, and the number of dimensions.
    pub(crate) hidden: [u64; 4],
}

impl CheckedLaunch {
    /// Checks a launch on the context's device with the given index. Returns `None` for a range without work-items.
    #[inline(always)]
    pub(crate) fn new(
        kernel: &Kernel,
        args: &mut KernelArgs,
        index: usize,
        device_context: &DeviceContext,
        range: &NdRange<'_>,
    ) -> Result<Option<Self>> {
        let Some(grid) = grid(kernel.on_device(index)?, device_context, range)? else { return Ok(None) };
        let kernel = match args.has_null() || grid.folded {
            true => {
                args.params.set_counts(grid.counts(range));
                kernel.for_launch(index, args.null_arguments(), &grid)?
            }
            false => kernel.for_work_group(index, grid.work_items())?,
        };
        args.check_complete()?;
        args.resolve(index)?;
        let offset = offset_of(range, kernel.is_translated)?;
        let function = match kernel.with_offset {
            Some(variant) if offset != [0; 3] => variant,
            _ => kernel.raw,
        };
        kernel.allow_local_memory(args.local_memory, device_context)?;
        let [x, y, z] = offset;
        let hidden = [x, y, z, range.global.len() as u64];
        Ok(Some(Self { function: function.get(), grid, local_memory: args.local_memory as u32, hidden }))
    }

    /// Returns the addresses of the arguments, including the hidden ones. They are valid as long as both borrowed
    /// values.
    #[inline(always)]
    pub(crate) fn params(&mut self, args: &mut KernelArgs) -> *mut *mut c_void {
        match self.grid.folded {
            false => args.params.list(&mut self.hidden),
            true => args.params.list_with_counts(&mut self.hidden),
        }
    }

    /// Puts the launch into the stream.
    #[inline(always)]
    pub(crate) fn enqueue(&self, params: *mut *mut c_void, stream: CUstream) -> Result<()> {
        let ([gx, gy, gz], [lx, ly, lz]) = (self.grid.groups, self.grid.local);
        let (function, size, extra) = (self.function, self.local_memory, null_mut());
        cuda()?.cuLaunchKernel(function, gx, gy, gz, lx, ly, lz, size, stream, params, extra)
    }

    /// Puts the launch into the stream. Its work-groups run at the same time, so they can wait for each other.
    #[inline(always)]
    pub(crate) fn enqueue_cooperative(&self, params: *mut *mut c_void, stream: CUstream) -> Result<()> {
        let ([gx, gy, gz], [lx, ly, lz]) = (self.grid.groups, self.grid.local);
        let (function, size) = (self.function, self.local_memory);
        cuda()?.cuLaunchCooperativeKernel(function, gx, gy, gz, lx, ly, lz, size, stream, params)
    }
}

/// Enqueues a kernel over an index space. `enqueue` puts the launch into the stream.
#[inline(always)]
pub(crate) fn launch(
    queue: &Counted<Queue>,
    kernel: &Counted<Kernel>,
    range: NdRange<'_>,
    dependencies: Dependencies<'_, Counted<Event>>,
    enqueue: impl FnOnce(&CheckedLaunch, *mut *mut c_void, CUstream) -> Result<()>,
) -> Result<()> {
    launch_with(queue, kernel, &mut kernel.args.lock(), range, dependencies, enqueue)
}

/// Launches like [`launch`] does, with the given arguments.
#[inline(always)]
pub(crate) fn launch_with(
    queue: &Counted<Queue>,
    kernel: &Counted<Kernel>,
    args: &mut KernelArgs,
    range: NdRange<'_>,
    dependencies: Dependencies<'_, Counted<Event>>,
    enqueue: impl FnOnce(&CheckedLaunch, *mut *mut c_void, CUstream) -> Result<()>,
) -> Result<()> {
    if !std::ptr::eq(&*kernel.program.context, &*queue.context) {
        return Err(other_context());
    }
    let checked = CheckedLaunch::new(kernel, args, queue.index, queue.device_context(), &range)?;
    let Some(mut launch) = checked else { return launch_nothing(queue, dependencies) };
    let params = launch.params(args);
    let (launch, uses) = (&launch, args.buffer_uses());
    let request = CommandRequest::new(CommandType::NDRANGE_KERNEL, StreamKind::Compute);
    submit(queue, request, dependencies, |stream| {
        with_buffers(queue, stream, &uses, || enqueue(launch, params, stream))
    })
}

/// Enqueues a launch without work-items, which is only an event after its dependencies.
#[cold]
fn launch_nothing(queue: &Counted<Queue>, dependencies: Dependencies<'_, Counted<Event>>) -> Result<()> {
    let request = CommandRequest::new(CommandType::NDRANGE_KERNEL, StreamKind::Compute);
    submit(queue, request, dependencies, |_| Ok(()))
}

#[cold]
fn other_context() -> Error {
    Error::other_context("the kernel", "the queue")
}

/// Returns the global offset as kernels take it: three words of 64 bits, or of 32 bits packed into two.
#[inline(always)]
fn offset_of(range: &NdRange<'_>, wide: bool) -> Result<[u64; 3]> {
    let mut offset = [0_u32; 3];
    let Some(given) = range.offset else { return Ok([0; 3]) };
    if wide {
        return Ok(std::array::from_fn(|dim| given.get(dim).map_or(0, |size| *size as u64)));
    }
    for (to, from) in offset.iter_mut().zip(given) {
        *to = u32::try_from(*from).map_err(|_| {
            Error::new(ErrorCode::INVALID_GLOBAL_OFFSET, format!("global offset {from} does not fit 32 bits"))
        })?;
    }
    let [x, y, z] = offset.map(u64::from);
    Ok([x | y << 32, z, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_three_words_of_the_width_that_the_kernel_takes() {
        let range = |offset| NdRange { offset, global: &[8], local: None };
        for (given, wide, narrow) in [
            (Some(&[1, 2, 3][..]), [1, 2, 3], [1 | 2 << 32, 3, 0]),
            (Some(&[5]), [5, 0, 0], [5, 0, 0]),
            (Some(&[0, 0xffff_ffff]), [0, 0xffff_ffff, 0], [0xffff_ffff << 32, 0, 0]),
            (None, [0; 3], [0; 3]),
        ] {
            assert_eq!(offset_of(&range(given), true).unwrap(), wide, "{given:?}");
            assert_eq!(offset_of(&range(given), false).unwrap(), narrow, "{given:?}");
        }
        let large = [0, 1 << 32];
        assert_eq!(offset_of(&range(Some(&large)), true).unwrap(), [0, 1 << 32, 0]);
        let error = offset_of(&range(Some(&large)), false).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_GLOBAL_OFFSET);
    }
}
