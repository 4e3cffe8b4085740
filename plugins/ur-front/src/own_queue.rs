//! Work that the caller requests without a queue.
#![expect(unsafe_code, reason = "the queue is released")]

use sycl_pi_backend::api::QueueProperties;
use sycl_pi_backend::{Backend, New, Object, Result, view};

/// Does `work` in a queue created for it, on `device` or else on the context's first device. The work is complete when
/// this returns.
pub(crate) fn in_own_queue<B: Backend>(
    context: &B::Context, device: Option<&B::Device>, work: impl FnOnce(&B::Queue) -> Result<()>,
) -> Result<()> {
    let device = match device {
        Some(device) => device,
        None => B::context_first_device(context)?,
    };
    let queue = New::into_raw(B::queue_create(context, device, QueueProperties::default())?);
    // SAFETY: the queue was just created.
    let queue = unsafe { view::object::<B::Queue>(queue, "the queue")? };
    let done = work(queue).and_then(|()| B::queue_finish(queue));
    // SAFETY: this is the only reference, and the queue is not used any more.
    done.and(unsafe { queue.release() })
}
