//! Queues.

use parking_lot::Mutex;
use sycl_pi_backend::api::{QueueApi, QueueProperties};
use sycl_pi_backend::{Counted, Error, Info, New, Result};
use sycl_pi_backend::types::*;

use crate::engine::{Engine, Place, priority};
use crate::lane::{Lane, Ordering};
use crate::pool::log_failure;
use crate::sys::{self, ze, *};
use crate::tracks::Main;
use crate::{Context, Device, LevelZero, Queue, context, device, handle};

/// A queue.
pub struct Body {
    pub(crate) lane: Lane,
    pub(crate) flags: QueueFlags,
    pub(crate) place: Place,
    /// A driver's queue beside the immediate list, once a caller of PI 12.27 or older asked for the native handle.
    beside: Mutex<Option<ze_command_queue_handle_t>>,
}

kind!(Body, RawQueue, ErrorCode::INVALID_QUEUE);

fn create(
    context: &Context,
    device: &Device,
    QueueProperties { flags, compute_index: index }: QueueProperties,
) -> Result<New<Queue>> {
    context.check(device)?;
    let engines = device.compute_engines();
    let index = match (device.slice, index) {
        (Some(slice), _) => slice,
        (None, None) => 0,
        (None, Some(index)) if index < u64::from(engines) => index as u32,
        (None, Some(index)) => {
            return Err(Error::invalid_value(format!(
                "properties: compute index {index}; the device has {engines}"
            )));
        }
    };
    let in_order = flags & QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE == 0;
    let ordinal = device
        .compute_group()
        .ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, "the device has no compute engine"))?;
    // Drivers keep lists in order themselves from version 1.7 of the specification on.
    let keeps_order = device.platform.api >= (1, 7);
    let place = Place { ordinal, index, priority: priority(flags), in_order: keeps_order };
    let ordering = match (in_order, keeps_order) {
        (true, true) => Ordering::Driver,
        (true, false) => Ordering::Chained,
        (false, true) => Ordering::Turns,
        (false, false) => Ordering::Free,
    };
    // One list keeps an in-order queue simple; out of order, copies need not wait for kernels.
    let copy = device.copy_group().filter(|_| !in_order && device.slice.is_none());
    let copy = copy.map(|ordinal| Place { ordinal, index: 0, ..place });
    let profiling = flags & QueueFlags::PROFILING_ENABLE != 0;
    let lane = Lane::new(context.share(), device.share(), ordering, profiling, Main::At(place), copy);
    Ok(Counted::create(Body { lane, flags, place, beside: Mutex::new(None) }))
}

impl Body {
    /// Returns when every command is done, also of the driver's queue that the caller was given.
    pub(crate) fn finish(&self) -> Result<()> {
        self.lane.finish()?;
        let beside = *self.beside.lock();
        match beside {
            Some(queue) => ze()?.zeCommandQueueSynchronize(queue, u64::MAX),
            None => Ok(()),
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if let Some(queue) = self.beside.get_mut().take() {
            log_failure(ze().and_then(|ze| ze.zeCommandQueueDestroy(queue)));
        }
    }
}

impl QueueApi for LevelZero {
    fn queue_create_with_flags(context: &Context, device: &Device, flags: QueueFlags) -> Result<New<Queue>> {
        create(context, device, QueueProperties { flags, ..Default::default() })
    }

    fn queue_create(
        context: &Context,
        device: &Device,
        properties: QueueProperties,
    ) -> Result<New<Queue>> {
        create(context, device, properties)
    }

    fn queue_info(queue: &Queue, name: QueueInfo, info: Info<'_>) -> Result<()> {
        match name {
            QueueInfo::CONTEXT => info.value(handle::<context::Body>(&queue.lane.context)),
            QueueInfo::DEVICE => info.value(handle::<device::Body>(&queue.lane.device)),
            QueueInfo::PROPERTIES => info.value(queue.flags),
            QueueInfo::REFERENCE_COUNT => info.value(queue.reference_count()),
            QueueInfo::DEVICE_DEFAULT | QueueInfo::SIZE => Err(Error::new(
                ErrorCode::INVALID_QUEUE,
                "param_name: only queues on a device have this; Level Zero has none",
            )),
            QueueInfo::EMPTY => info.bool(queue.lane.is_empty()?),
            _ => Err(Error::invalid_value(format!("param_name: unknown queue query {name:#x}"))),
        }
    }

    fn queue_finish(queue: &Queue) -> Result<()> {
        queue.finish()
    }

    fn queue_flush(_: &Queue) -> Result<()> {
        // Immediate lists hold nothing back.
        Ok(())
    }

    fn queue_retain(queue: &Queue) -> Result<()> {
        queue.retain();
        Ok(())
    }

    fn queue_release(queue: &Queue) -> Result<()> {
        queue.release();
        Ok(())
    }

    fn queue_native_handle(queue: &Queue) -> Result<(NativeHandle, i32)> {
        let (native, immediate) = queue.lane.native()?;
        Ok((native, immediate.into()))
    }

    fn queue_native_command_queue(queue: &Queue) -> Result<NativeHandle> {
        // Those versions know only the driver's queues.
        let (native, immediate) = queue.lane.native()?;
        if !immediate {
            return Ok(native);
        }
        let mut beside = queue.beside.lock();
        let beside = match *beside {
            Some(queue) => queue,
            None => *beside.insert(queue.place.queue(&queue.lane.context, &queue.lane.device)?),
        };
        Ok(beside.0.expose_provenance())
    }

    fn queue_create_with_native_handle(
        native: NativeHandle,
        desc: i32,
        context: &Context,
        device: Option<&Device>,
        owned: bool,
        properties: QueueProperties,
    ) -> Result<New<Queue>> {
        if native == 0 {
            return Err(Error::new(ErrorCode::INVALID_QUEUE, "nativeHandle is null; a queue is needed"));
        }
        let flags = properties.flags;
        let device = match device {
            Some(device) => device,
            None => &context.devices[0],
        };
        context.check(device)?;
        let address = sys::Address::from_number(native).get();
        let ordinal = device.compute_group().unwrap_or_default();
        let engine = if desc == 1 {
            Engine::Immediate { list: ze_command_list_handle_t(address), owned }
        } else {
            let queue = ze_command_queue_handle_t(address);
            Engine::Outside { queue, owned, ordinal, idle: Vec::new() }
        };
        let in_order = flags & QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE == 0;
        let ordering = if in_order { Ordering::Chained } else { Ordering::Free };
        let profiling = flags & QueueFlags::PROFILING_ENABLE != 0;
        let place = Place { ordinal, index: 0, priority: priority(flags), in_order: false };
        let main = Main::Ready(engine);
        let lane = Lane::new(context.share(), device.share(), ordering, profiling, main, None);
        Ok(Counted::create(Body { lane, flags, place, beside: Mutex::new(None) }))
    }
}
