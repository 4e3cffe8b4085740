//! Kernel launches.

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, NdRange, Result};

use crate::copy;
use crate::group_size::{self, Launch};
use crate::objects::{
    CommandResources, Device, EventHandle, Kernel, KernelArguments, KernelHandle, LaunchShape, QueueHandle,
};
use crate::submission::{AppendTarget, EngineKind};
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{ze, *};

/// Refuses a launch if some arguments are not set.
pub(crate) fn check_set(kernel: &Kernel, unset: usize) -> Result<()> {
    if unset == 0 {
        return Ok(());
    }
    let text = format!("{unset} arguments of kernel {:?} are not set", kernel.name);
    Err(Error::new(ErrorCode::INVALID_KERNEL_ARGS, text))
}

/// Prepares the driver's kernel for a launch by setting the group size and the offset. Returns `None` if there is
/// nothing to run.
pub(crate) fn prepare(
    kernel: &Kernel,
    driver_kernel: ze_kernel_handle_t,
    shape: &mut LaunchShape,
    device: &Device,
    range: &NdRange<'_>,
) -> Result<Option<Launch>> {
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
    Ok(Some(launch))
}

/// Returns the number of work-groups of a launch, as the driver takes it.
pub(crate) fn group_count(launch: &Launch) -> ze_group_count_t {
    let [x, y, z] = launch.count;
    ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z }
}

/// Returns the objects that a launch needs until it is complete: the kernel and the memory objects among its arguments.
fn resources(kernel: &KernelHandle, arguments: &KernelArguments) -> CommandResources {
    let mems = arguments.set.mems.iter().map(|(_, mem)| mem.clone()).collect();
    CommandResources { kernel: Some(kernel.share()), mems, other: None }
}

/// Enqueues a kernel over an index space. `append` makes the driver's call.
pub(crate) fn launch(
    queue: &QueueHandle,
    kernel: &KernelHandle,
    range: NdRange<'_>,
    dependencies: Dependencies<'_, EventHandle>,
    append: impl FnOnce(AppendTarget, ze_kernel_handle_t, ze_group_count_t) -> Result<()>,
) -> Result<()> {
    if kernel.program.context.ze != queue.context.ze {
        return Err(Error::other_context("the kernel", "the queue"));
    }
    let request = CommandRequest::new(CommandType::NDRANGE_KERNEL, EngineKind::Compute);
    // Held until the launch is appended, because arguments that are set afterwards must not affect it.
    let mut arguments = kernel.arguments.lock();
    let (index, driver_kernel) = kernel.for_device(&queue.device)?;
    check_set(kernel, arguments.unset)?;
    let shape = &mut arguments.shapes[index];
    let Some(launch) = prepare(kernel, driver_kernel, shape, &queue.device, &range)? else {
        drop(arguments);
        return copy::nothing(queue, request, dependencies);
    };
    let request = request.holding(resources(kernel, &arguments));
    enqueue(queue, request, dependencies, |target| append(target, driver_kernel, group_count(&launch)))
}
