//! Launches of kernels.

use sycl_pi_backend::{Error, NdRange, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::group_size::{self, Launch};
use crate::kernel::State;
use crate::lane::{Ask, At, Held, Work, enqueue};
use crate::sys::{ze, *};
use crate::{Event, Kernel, Queue, copy, device, kernel};

/// The driver's kernel, ready for a launch: group size and offset are set. None where nothing is to be run.
pub(crate) fn prepare(
    kernel: &kernel::Body,
    state: &mut State,
    device: &device::Body,
    range: &NdRange<'_>,
) -> Result<Option<(ze_kernel_handle_t, Launch)>> {
    let (part, driver_kernel) = kernel.part(device)?;
    if state.unset > 0 {
        return Err(Error::new(
            ErrorCode::INVALID_KERNEL_ARGS,
            format!("{} arguments of kernel {:?} are not set", state.unset, kernel.name),
        ));
    }
    let shape = &mut state.per_part[part];
    let Some(launch) = group_size::launch(kernel, device, driver_kernel, shape, range)? else {
        return Ok(None);
    };
    let ze = ze()?;
    if shape.group != launch.group {
        let [x, y, z] = launch.group;
        ze.zeKernelSetGroupSize(driver_kernel, x, y, z)?;
        shape.group = launch.group;
    }
    if shape.offset != launch.offset {
        let [x, y, z] = launch.offset;
        ze.zeKernelSetGlobalOffsetExp(driver_kernel, x, y, z)?;
        shape.offset = launch.offset;
    }
    Ok(Some((driver_kernel, launch)))
}

/// Appends the launch.
pub(crate) fn append(at: &At, kernel: ze_kernel_handle_t, launch: &Launch, cooperative: bool) -> Result<()> {
    let [x, y, z] = launch.count;
    let count = ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z };
    let ze = ze()?;
    if cooperative {
        ze.zeCommandListAppendLaunchCooperativeKernel(at.list, kernel, &count, at.signal, at.count, at.waits)
    } else {
        ze.zeCommandListAppendLaunchKernel(at.list, kernel, &count, at.signal, at.count, at.waits)
    }
}

/// What a launch needs until it is done: the kernel and the memory objects among its arguments.
pub(crate) fn held(kernel: &Kernel, state: &State) -> Held {
    let mems = state.mems.iter().map(|(_, mem)| mem.clone()).collect();
    Held { kernel: Some(kernel.share()), mems, other: None }
}

/// Runs a kernel over an index space.
#[inline]
pub(crate) fn launch(
    queue: &Queue,
    kernel: &Kernel,
    range: NdRange<'_>,
    cooperative: bool,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    if kernel.program.context.ze != queue.lane.context.ze {
        return Err(Error::new(ErrorCode::INVALID_KERNEL, "the kernel is of another context than the queue"));
    }
    let ask = Ask::new(CommandType::NDRANGE_KERNEL, Work::Compute);
    // Held until the launch is appended: arguments that are set afterwards are not its.
    let mut state = kernel.state.lock();
    let Some((driver_kernel, launch)) = prepare(kernel, &mut state, &queue.lane.device, &range)? else {
        drop(state);
        return copy::nothing(queue, ask, dependencies);
    };
    let ask = ask.held(held(kernel, &state));
    enqueue(queue, ask, dependencies, |at| append(at, driver_kernel, &launch, cooperative))
}
