//! Queues.

use std::ptr::{null, null_mut};

use sycl_pi_backend::api::{QueueApi, QueueProperties, no_queue_on_device};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Info, New, Result};

use crate::OpenCl;
use crate::sys::{self, Context, Device, Event, HasPlatform, Owned, Queried, Queue, cl, create};

/// Flags of OpenCL queues, which have the same numbers.
const OPENCL_FLAGS: QueueFlags =
    QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE.union(QueueFlags::PROFILING_ENABLE).union(ON_DEVICE);

/// Flags of on-device queues.
const ON_DEVICE: QueueFlags = QueueFlags::ON_DEVICE.union(QueueFlags::ON_DEVICE_DEFAULT);

impl QueueApi for OpenCl {
    fn queue_create(context: &Context, device: &Device, properties: QueueProperties) -> Result<New<Queue>> {
        // OpenCL has no queue index, so any queue of the device is suitable. It has no hints either, which the queue
        // does not need.
        let flags = properties.flags & OPENCL_FLAGS;
        sys::note_thread();
        sys::release_complete();
        sys::note_process();
        let has_lists = device.driver()?.version >= (2, 0);
        // PoCL terminates the process when an on-device queue is created.
        let on_device = flags.intersects(ON_DEVICE);
        if on_device && !(has_lists && device.value(sys::CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0_u64)? != 0) {
            return Err(no_queue_on_device());
        }
        let (cl_context, cl_device, flags) = (context.cl(), device.cl(), flags.bits());
        let queue = if has_lists {
            let list = [u64::from(sys::CL_QUEUE_PROPERTIES), flags, 0];
            // Intel's CPU runtime takes 0.2 to 0.4 us to read a list.
            let list = if flags == 0 { null() } else { list.as_ptr() };
            create(|code| cl().clCreateCommandQueueWithProperties(cl_context, cl_device, list, code))
        } else {
            create(|code| cl().clCreateCommandQueue(cl_context, cl_device, flags, code))
        }?;
        if !on_device {
            sys::note_queue(device, &queue);
            sys::watch_queue(context, &queue);
        }
        Ok(queue)
    }

    fn queue_context(queue: &Queue) -> Result<&Context> {
        queue.context()
    }

    fn queue_device(queue: &Queue) -> Result<&Device> {
        queue.device()
    }

    fn queue_flags(queue: &Queue) -> Result<QueueFlags> {
        queue.flags()
    }

    #[inline]
    fn queue_info(queue: &Queue, name: QueueInfo, info: Info<'_>) -> Result<()> {
        match name {
            QueueInfo::EMPTY => info.bool(is_empty(queue)?),
            _ => queue.answer(name.0, info),
        }
    }

    fn queue_finish(queue: &Queue) -> Result<()> {
        let finished = sys::finish(queue);
        sys::free_complete();
        finished
    }

    fn queue_flush(queue: &Queue) -> Result<()> {
        cl().clFlush(queue.cl())
    }

    fn queue_native_handle(queue: &Queue) -> Result<(NativeHandle, i32)> {
        Ok((sys::native_handle(queue), 0))
    }

    fn queue_native_command_queue(queue: &Queue) -> Result<NativeHandle> {
        Ok(sys::native_handle(queue))
    }

    fn queue_create_with_native_handle(
        native: NativeHandle,
        _: i32,
        context: &Context,
        _: Option<&Device>,
        _owned: bool,
        _: QueueProperties,
    ) -> Result<New<Queue>> {
        // The vendor's plugin takes its own reference regardless of who owns the handle, because the caller's interop
        // code releases one afterwards.
        let queue = sys::from_native(native, false)?;
        sys::watch_queue(context, &queue);
        Ok(queue)
    }
}

/// Returns whether no command is pending. OpenCL has no such query, so the status of a marker after all commands is
/// queried.
fn is_empty(queue: &Queue) -> Result<bool> {
    let mut marker = null_mut();
    cl().clEnqueueMarkerWithWaitList(queue.cl(), 0, null(), &mut marker)?;
    let marker = Owned::<Event>::adopt(marker)?;
    cl().clFlush(queue.cl())?;
    let status = marker.value(sys::CL_EVENT_COMMAND_EXECUTION_STATUS, sys::CL_QUEUED)?;
    Ok(status <= sys::CL_COMPLETE)
}
