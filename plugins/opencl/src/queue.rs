//! Queues.

use sycl_pi_backend::api::{QueueApi, QueueProperties};
use sycl_pi_backend::{Error, Info, New, Result, cold_case};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::sys::{self, Context, Device, Driver, Event, Owned, Queue, Rooted, Wrap, cl};

/// Flags that OpenCL queues have, under the same numbers.
const OPENCL_FLAGS: QueueFlags = QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE
    | QueueFlags::PROFILING_ENABLE
    | QueueFlags::ON_DEVICE
    | QueueFlags::ON_DEVICE_DEFAULT;

/// Flags of queues that kernels fill.
const ON_DEVICE: QueueFlags = QueueFlags::ON_DEVICE | QueueFlags::ON_DEVICE_DEFAULT;

/// A queue of a driver of OpenCL 2.0.
#[inline(always)]
fn create(
    driver: &Driver,
    context: &Context,
    device: &Device,
    flags: QueueFlags,
) -> Result<New<Queue>> {
    let list = [u64::from(sys::CL_QUEUE_PROPERTIES), flags, 0];
    driver.cl().clCreateCommandQueueWithProperties(context.cl(), device.cl(), list.as_ptr())?.wrap()
}

/// As [`create`], of any driver; refuses one that kernels fill.
fn create_rare(context: &Context, device: &Device, flags: QueueFlags) -> Result<New<Queue>> {
    if flags & ON_DEVICE != 0 {
        // PoCL ends the process over the creation, Intel's CPU runtime of 2026 over any command in one.
        let text =
            "properties ask for a queue on the device, which kernels fill; PI has commands of the host only";
        return Err(Error::new(ErrorCode::INVALID_QUEUE_PROPERTIES, text));
    }
    let driver = device.driver()?;
    if driver.version >= (2, 0) {
        create(driver, context, device, flags)
    } else {
        cl().clCreateCommandQueue(context.cl(), device.cl(), flags)?.wrap()
    }
}

impl QueueApi for OpenCl {
    #[inline(always)]
    fn queue_create_with_flags(context: &Context, device: &Device, flags: QueueFlags) -> Result<New<Queue>> {
        // The others are hints that OpenCL has no word for; the queue works without.
        let flags = flags & OPENCL_FLAGS;
        match device.known_driver() {
            // Through the ICD a function of a newer version than the driver's is a jump to null: ask first.
            Some(driver) if driver.version >= (2, 0) && flags & ON_DEVICE == 0 => {
                create(driver, context, device, flags)
            }
            _ => cold_case(move || create_rare(context, device, flags)),
        }
    }

    #[inline(always)]
    fn queue_create(
        context: &Context,
        device: &Device,
        properties: QueueProperties,
    ) -> Result<New<Queue>> {
        // OpenCL queues have no index; every queue of the device serves.
        Self::queue_create_with_flags(context, device, properties.flags)
    }

    #[inline(always)]
    fn queue_info(queue: &Queue, name: QueueInfo, mut info: Info<'_>) -> Result<()> {
        match name {
            QueueInfo::EMPTY => cold_case(move || info.bool(is_empty(queue)?)),
            _ => {
                let (size, value, size_ret) = info.raw_parts();
                cl().clGetCommandQueueInfo(queue.cl(), name, size, value, size_ret)
            }
        }
    }

    fn queue_finish(queue: &Queue) -> Result<()> {
        cl().clFinish(queue.cl())
    }

    fn queue_flush(queue: &Queue) -> Result<()> {
        cl().clFlush(queue.cl())
    }

    fn queue_retain(queue: &Queue) -> Result<()> {
        cl().clRetainCommandQueue(queue.cl())
    }

    fn queue_release(queue: &Queue) -> Result<()> {
        cl().clReleaseCommandQueue(queue.cl())
    }

    fn queue_native_handle(queue: &Queue) -> Result<(NativeHandle, i32)> {
        Ok((queue.cl().addr(), 0))
    }

    fn queue_native_command_queue(queue: &Queue) -> Result<NativeHandle> {
        Ok(queue.cl().addr())
    }

    fn queue_create_with_native_handle(
        native: NativeHandle,
        _: i32,
        _: &Context,
        _: Option<&Device>,
        owned: bool,
        _: QueueProperties,
    ) -> Result<New<Queue>> {
        let queue = sys::adopt::<Queue>(native)?;
        // The vendor's plugin takes its own reference, whoever owns the handle: the caller's interop release follows.
        let _ = owned;
        cl().clRetainCommandQueue(queue.cl())?;
        queue.cl().wrap()
    }
}

/// Whether nothing is pending. OpenCL cannot tell, so a marker behind everything is asked for its status.
fn is_empty(queue: &Queue) -> Result<bool> {
    let cl = cl();
    let mut marker: sys::cl_event = std::ptr::null_mut();
    cl.clEnqueueMarkerWithWaitList(queue.cl(), 0, std::ptr::null(), &mut marker)?;
    let marker = Owned::<Event>::adopt(marker)?;
    cl.clFlush(queue.cl())?;
    let mut status = sys::CL_QUEUED;
    let room = (&raw mut status).cast();
    let param = sys::CL_EVENT_COMMAND_EXECUTION_STATUS;
    cl.clGetEventInfo(marker.cl(), param, size_of_val(&status), room, std::ptr::null_mut())?;
    Ok(status <= sys::CL_COMPLETE)
}
