//! Copy commands.

use sycl_pi_backend::{Counted, Dependencies, Result};

use crate::copy::BoxCopy;
use crate::copy::pageable_copy::copy_async;
use crate::event::event_object::Event;
use crate::memory::buffer_use::{BufferUse, with_buffers};
use crate::queue::Queue;
use crate::submit::{CommandRequest, submit};
use crate::sys::{CUdeviceptr, cuda};

/// Enqueues a copy of `size` bytes between addresses of any kind.
#[inline(always)]
pub(crate) fn enqueue_memcpy(
    queue: &Counted<Queue>,
    request: CommandRequest,
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    submit(queue, request, dependencies, |stream| copy_async(queue.device_context(), dst, src, size, stream))
}

/// Enqueues a copy of a box, which uses these buffers.
pub(crate) fn enqueue_box_copy(
    queue: &Counted<Queue>,
    request: CommandRequest,
    copy: &BoxCopy,
    uses: &[BufferUse<'_>],
    dependencies: Dependencies<'_, Counted<Event>>,
) -> Result<()> {
    let copy = copy.descriptor()?;
    submit(queue, request, dependencies, |stream| {
        with_buffers(queue, stream, uses, || cuda()?.cuMemcpy3DAsync_v2(&copy, stream))
    })
}
