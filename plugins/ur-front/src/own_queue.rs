//! Work that the caller requests without a queue, and the objects that a queue belongs to.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::ptr::with_exposed_provenance_mut;

use sycl_pi_backend::api::QueueProperties;
use sycl_pi_backend::types::{ContextInfo, QueueInfo};
use sycl_pi_backend::{Backend, Info, New, Object, Result, view};

use crate::info::read;

/// Does `work` in a queue created for it, on `device` or else on the context's first device. The work is complete when
/// this returns.
pub(crate) fn in_own_queue<B: Backend>(
    context: &B::Context, device: Option<&B::Device>, work: impl FnOnce(&B::Queue) -> Result<()>,
) -> Result<()> {
    let device = match device {
        Some(device) => device,
        None => first_device::<B>(context)?,
    };
    let queue = New::into_raw(B::queue_create(context, device, QueueProperties::default())?);
    // SAFETY: the queue was just created.
    let queue = unsafe { view::object::<B::Queue>(queue, "the queue")? };
    let done = work(queue).and_then(|()| B::queue_finish(queue));
    // SAFETY: this is the only reference, and the queue is not used any more.
    done.and(unsafe { queue.release() })
}

/// Returns the queue's device.
pub(crate) fn device_of<B: Backend>(queue: &B::Queue) -> Result<&B::Device> {
    let device = read(&|info: Info<'_>| B::queue_info(queue, QueueInfo::DEVICE, info))?;
    let device = device.first_chunk().map(|first| usize::from_ne_bytes(*first)).unwrap_or_default();
    // SAFETY: the queue's device lives as long as the queue.
    unsafe { view::object(with_exposed_provenance_mut(device), "the queue's device") }
}

/// Returns the context's first device.
pub(crate) fn first_device<B: Backend>(context: &B::Context) -> Result<&B::Device> {
    let devices = read(&|info: Info<'_>| B::context_info(context, ContextInfo::DEVICES, info))?;
    let first = devices.first_chunk().map(|first| usize::from_ne_bytes(*first)).unwrap_or_default();
    // SAFETY: the context's device lives as long as the context.
    unsafe { view::object(with_exposed_provenance_mut(first), "the context's device") }
}

/// Returns the context and the device of a queue, which live as long as the queue.
pub(crate) fn of_queue<B: Backend>(queue: &B::Queue) -> Result<(&B::Context, &B::Device)> {
    let address = |name: QueueInfo| -> Result<usize> {
        let answer = read(&|info: Info<'_>| B::queue_info(queue, name, info))?;
        Ok(answer.first_chunk().map(|address| usize::from_ne_bytes(*address)).unwrap_or_default())
    };
    let context = with_exposed_provenance_mut(address(QueueInfo::CONTEXT)?);
    let device = with_exposed_provenance_mut(address(QueueInfo::DEVICE)?);
    // SAFETY: the backend returns objects that live as long as the queue.
    unsafe {
        Ok((view::object(context, "the queue's context")?, view::object(device, "the queue's device")?))
    }
}
