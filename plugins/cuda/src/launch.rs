//! Kernel launches.

use sycl_pi_backend::{Counted, Error, NdRange, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::event::Event;
use crate::kernel::Kernel;
use crate::queue::Queue;
use crate::submit::{Lane, submit};
use crate::sys::cuda;
use crate::work_group::grid;

/// Runs a kernel over an index space.
#[inline(always)]
pub(crate) fn launch(
    queue: &Counted<Queue>,
    kernel: &Counted<Kernel>,
    range: NdRange<'_>,
    dependencies: Dependencies<'_, Counted<Event>>,
    cooperative: bool,
) -> Result<()> {
    if !std::ptr::eq(&*kernel.program.context, &*queue.context) {
        return Err(foreign());
    }
    let function = kernel.function(queue.index)?;
    let device = &queue.place().device;
    let mut args = kernel.args.lock();
    submit(queue, Lane::Compute, CommandType::NDRANGE_KERNEL, dependencies, false, |stream| {
        let grid = grid(kernel, function, device, &range)?;
        if grid.empty {
            return Ok(());
        }
        args.resolve(queue.index)?;
        let mut offset = offset_of(&range)?;
        let raw = match function.with_offset {
            Some(variant) if range.offset.is_some() && offset != [0; 3] => variant,
            _ => function.raw,
        };
        let shared = args.shared;
        function.allow(shared, device)?;
        let params = args.params.list(&mut offset);
        let ([gx, gy, gz], [lx, ly, lz], shared) = (grid.groups, grid.local, shared as u32);
        let cuda = cuda()?;
        if cooperative {
            cuda.cuLaunchCooperativeKernel(raw.get(), gx, gy, gz, lx, ly, lz, shared, stream, params)
        } else {
            let none = std::ptr::null_mut();
            cuda.cuLaunchKernel(raw.get(), gx, gy, gz, lx, ly, lz, shared, stream, params, none)
        }
    })
}

#[cold]
#[inline(never)]
fn foreign() -> Error {
    Error::new(ErrorCode::INVALID_KERNEL, "kernel is of another context than the queue")
}

/// The global offset as kernels take it.
#[inline(always)]
pub(crate) fn offset_of(range: &NdRange<'_>) -> Result<[u32; 3]> {
    let mut offset = [0; 3];
    let Some(given) = range.offset else { return Ok(offset) };
    for (to, from) in offset.iter_mut().zip(given) {
        *to = u32::try_from(*from).map_err(|_| {
            Error::new(
                ErrorCode::INVALID_GLOBAL_OFFSET,
                format!("global_work_offset {from} does not fit 32 bits"),
            )
        })?;
    }
    Ok(offset)
}
