//! Launches of kernels.

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, NdRange, Result};

use crate::copy;
use crate::group_size::{self, Launch};
use crate::objects::{
    CommandResources, Device, EventHandle, Kernel, KernelArguments, KernelHandle, QueueHandle,
};
use crate::submission::{AppendTarget, EngineKind};
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{ze, *};

/// The driver's kernel, ready for a launch: group size and offset are set. None where nothing is to be run.
pub(crate) fn prepare(
    kernel: &Kernel,
    arguments: &mut KernelArguments,
    device: &Device,
    range: &NdRange<'_>,
) -> Result<Option<(ze_kernel_handle_t, Launch)>> {
    let (index, driver_kernel) = kernel.for_device(device)?;
    if arguments.unset > 0 {
        return Err(Error::new(
            ErrorCode::INVALID_KERNEL_ARGS,
            format!("{} arguments of kernel {:?} are not set", arguments.unset, kernel.name),
        ));
    }
    let shape = &mut arguments.shapes[index];
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
pub(crate) fn append(
    target: AppendTarget,
    kernel: ze_kernel_handle_t,
    launch: &Launch,
    cooperative: bool,
) -> Result<()> {
    let [x, y, z] = launch.count;
    let groups = ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z };
    target.launch(kernel, groups, cooperative)
}

/// What a launch needs until it is complete: the kernel and the memory objects among its arguments.
pub(crate) fn resources(kernel: &KernelHandle, arguments: &KernelArguments) -> CommandResources {
    let mems = arguments.mems.iter().map(|(_, mem)| mem.clone()).collect();
    CommandResources { kernel: Some(kernel.share()), mems, other: None }
}

/// Runs a kernel over an index space.
#[inline]
pub(crate) fn launch(
    queue: &QueueHandle,
    kernel: &KernelHandle,
    range: NdRange<'_>,
    cooperative: bool,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    if kernel.program.context.ze != queue.context.ze {
        return Err(Error::new(ErrorCode::INVALID_KERNEL, "the kernel is of another context than the queue"));
    }
    let request = CommandRequest::new(CommandType::NDRANGE_KERNEL, EngineKind::Compute);
    // Held until the launch is appended: arguments that are set afterwards are not its.
    let mut arguments = kernel.arguments.lock();
    let Some((driver_kernel, launch)) = prepare(kernel, &mut arguments, &queue.device, &range)? else {
        drop(arguments);
        return copy::nothing(queue, request, dependencies);
    };
    let request = request.holding(resources(kernel, &arguments));
    enqueue(queue, request, dependencies, |target| append(target, driver_kernel, &launch, cooperative))
}
