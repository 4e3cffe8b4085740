//! Queues, and the selection of their submission strategy.

use sycl_pi_backend::api::{QueueApi, QueueProperties};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result};

use crate::LevelZero;
use crate::driver::{CommandList, EngineDesc, LazyList, queue_priority};
use crate::objects::{ContextHandle, DeviceHandle, Queue, QueueHandle, raw_handle};
use crate::submission::Strategy;
use crate::submission::in_order::InOrder;
use crate::submission::rotating::Rotating;
use crate::submission::unordered::Unordered;
use crate::sys::{self, *};

impl QueueApi for LevelZero {
    fn queue_create(
        context: &ContextHandle,
        device: &DeviceHandle,
        QueueProperties { flags, compute_index: index }: QueueProperties,
    ) -> Result<New<QueueHandle>> {
        context.check(device)?;
        let engines = device.compute_engines();
        let index = match (device.slice, index) {
            (Some(slice), _) => slice,
            (None, None) => 0,
            (None, Some(index)) if index < u64::from(engines) => index as u32,
            (None, Some(index)) => {
                return Err(Error::invalid_value(format!("compute index {index}; the device has {engines}")));
            }
        };
        let ordinal = device
            .compute_group()
            .ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, "the device has no compute engine"))?;
        // Since version 1.7 of the specification, drivers can keep lists in order themselves.
        let in_order = device.platform.api >= (1, 7);
        let priority = queue_priority(flags);
        let engine =
            EngineDesc { context: context.ze, device: device.ze, ordinal, index, priority, in_order };
        // An in-order queue uses a single list to stay simple. In an out-of-order queue, copies need not wait for
        // kernels.
        let copy = device.copy_group().filter(|_| device.slice.is_none());
        let copy = copy.map(|ordinal| EngineDesc { ordinal, index: 0, ..engine });
        let out_of_order = flags.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let strategy: Box<dyn Strategy> = match (out_of_order, in_order) {
            (false, true) => Box::new(InOrder::of_driver(LazyList::new(engine))),
            (false, false) => Box::new(InOrder::chained(LazyList::new(engine))),
            (true, true) => Box::new(Rotating::new(engine, copy, device.sub_slices())),
            (true, false) => Box::new(Unordered::new(LazyList::new(engine), copy.map(LazyList::new))),
        };
        Ok(Counted::create(Queue::new(context, device, flags, engine, strategy)))
    }

    fn queue_context(queue: &QueueHandle) -> Result<&ContextHandle> {
        Ok(&queue.context)
    }

    fn queue_device(queue: &QueueHandle) -> Result<&DeviceHandle> {
        Ok(&queue.device)
    }

    fn queue_flags(queue: &QueueHandle) -> Result<QueueFlags> {
        Ok(queue.flags)
    }

    fn queue_info(queue: &QueueHandle, name: QueueInfo, info: Info<'_>) -> Result<()> {
        match name {
            QueueInfo::CONTEXT => info.value(raw_handle(&queue.context)),
            QueueInfo::DEVICE => info.value(raw_handle(&queue.device)),
            QueueInfo::PROPERTIES => info.value(queue.flags),
            QueueInfo::REFERENCE_COUNT => info.value(queue.reference_count()),
            QueueInfo::DEVICE_DEFAULT | QueueInfo::SIZE => Err(Error::query_of_device_queue()),
            QueueInfo::EMPTY => info.bool(queue.commands.is_empty()?),
            _ => Err(Error::unknown_query("queue", name)),
        }
    }

    fn queue_finish(queue: &QueueHandle) -> Result<()> {
        queue.finish()
    }

    fn queue_flush(_: &QueueHandle) -> Result<()> {
        // Immediate command lists submit every command at once.
        Ok(())
    }

    fn queue_native_handle(queue: &QueueHandle) -> Result<(NativeHandle, i32)> {
        let (native, immediate) = queue.commands.native()?;
        Ok((native, immediate.into()))
    }

    fn queue_native_command_queue(queue: &QueueHandle) -> Result<NativeHandle> {
        // Those versions know only the driver's command queues.
        let (native, immediate) = queue.commands.native()?;
        if !immediate {
            return Ok(native);
        }
        Ok(queue.command_queue()?.0.expose_provenance())
    }

    fn queue_create_with_native_handle(
        native: NativeHandle,
        desc: i32,
        context: &ContextHandle,
        device: Option<&DeviceHandle>,
        owned: bool,
        properties: QueueProperties,
    ) -> Result<New<QueueHandle>> {
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_QUEUE, "a queue"));
        }
        let flags = properties.flags;
        let device = match device {
            Some(device) => device,
            None => &context.devices[0],
        };
        context.check(device)?;
        let address = sys::Address::from_number(native).get();
        let ordinal = device.compute_group().unwrap_or_default();
        let priority = queue_priority(flags);
        let (context_ze, device_ze) = (context.ze, device.ze);
        let engine = EngineDesc {
            context: context_ze,
            device: device_ze,
            ordinal,
            index: 0,
            priority,
            in_order: false,
        };
        let list = if desc == 1 {
            CommandList::Immediate { list: ze_command_list_handle_t(address), owned }
        } else {
            let queue = ze_command_queue_handle_t(address);
            CommandList::Queue { queue, owned, engine, idle: Vec::new() }
        };
        let list = LazyList::adopt(engine, list);
        let strategy: Box<dyn Strategy> = if flags.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE) {
            Box::new(Unordered::new(list, None))
        } else {
            Box::new(InOrder::chained(list))
        };
        Ok(Counted::create(Queue::new(context, device, flags, engine, strategy)))
    }
}
