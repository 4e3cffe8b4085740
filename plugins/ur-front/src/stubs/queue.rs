//! Queues.

use sycl_pi_backend::api::{QueueProperties, no_queue_on_device};

use super::prelude::*;
use crate::capture::check_takes_commands;

stubs! {
    urQueueGetInfo(hQueue: ur_queue_handle_t, propName: ur_queue_info_t, propSize: usize, pPropValue: *mut c_void,
        pPropSizeRet: *mut usize) {
        let queue = object(hQueue, "hQueue")?;
        query::queue::<B>(queue, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urQueueCreate(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pProperties: *const
        ur_queue_properties_t, phQueue: *mut ur_queue_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        let properties = queue_properties(pProperties)?.check()?;
        check_on_device::<B>(device, properties)?;
        create(phQueue, "phQueue", context, || B::queue_create(context, device, properties))?;
        if properties.is_on_device() {
            object::<B::Queue>(*phQueue, "phQueue")?.kept().take_for_device();
        }
        Ok(())
    };

    urQueueRetain(hQueue: ur_queue_handle_t)
        object::<B::Queue>(hQueue, "hQueue")?.retain_by_caller();

    urQueueRelease(hQueue: ur_queue_handle_t)
        object::<B::Queue>(hQueue, "hQueue")?.release_by_caller();

    urQueueGetNativeHandle(hQueue: ur_queue_handle_t, pDesc: *mut ur_queue_native_desc_t, phNativeQueue: *mut
        ur_native_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        let kind = pDesc.as_ref().and_then(|desc| out_or_null(desc.pNativeData.cast::<i32>()));
        put(phNativeQueue, "phNativeQueue", || {
            let (native, is) = B::queue_native_handle(queue)?;
            if let Some(kind) = kind {
                *kind = is;
            }
            Ok(native)
        })
    };

    urQueueCreateWithNativeHandle(hNativeQueue: ur_native_handle_t, hContext: ur_context_handle_t, hDevice:
        ur_device_handle_t, pProperties: *const ur_queue_native_properties_t, phQueue: *mut ur_queue_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object_or_null::<B::Device>(hDevice, "hDevice")?);
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        let chain = pProperties.as_ref().map_or(core::ptr::null(), |properties| properties.pNext.cast_const());
        let kind = chained::<ur_queue_native_desc_t>(chain, UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC)
            .and_then(|desc| desc.pNativeData.cast::<i32>().as_ref()).copied().unwrap_or(0);
        let flags = chained::<ur_queue_properties_t>(chain, UR_STRUCTURE_TYPE_QUEUE_PROPERTIES);
        let properties = queue_properties(flags.map_or(core::ptr::null(), core::ptr::from_ref))?.check()?;
        create(phQueue, "phQueue", context, || B::queue_create_with_native_handle(hNativeQueue, kind, context,
            device.map(|device| &***device), owned, properties))
    };

    urQueueFinish(hQueue: ur_queue_handle_t) {
        let queue = object::<B::Queue>(hQueue, "hQueue")?;
        check_runs::<B>(queue, "waiting for its commands")?;
        B::queue_finish(queue)
    };

    urQueueFlush(hQueue: ur_queue_handle_t) {
        let queue = object::<B::Queue>(hQueue, "hQueue")?;
        check_takes_commands::<B>(queue)?;
        B::queue_flush(queue)
    };
}

/// Refuses an on-device queue on a device that does not support any, and flags that such a queue cannot have: its
/// commands are unordered, and the default queue is an on-device queue.
fn check_on_device<B: Backend>(device: &B::Device, properties: QueueProperties) -> Result<()> {
    if !properties.is_on_device() {
        return Ok(());
    }
    let needed = QueueFlags::ON_DEVICE | QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if !query::flag::<B>(device, DeviceInfo::QUEUE_ON_DEVICE_PROPERTIES) {
        return Err(no_queue_on_device());
    }
    if !properties.flags.contains(needed) {
        let text = "pProperties->flags: a queue on the device is out of order, and so is the default one";
        return Err(Error::new(ErrorCode::INVALID_QUEUE_PROPERTIES, text));
    }
    Ok(())
}

/// Returns the properties of a new queue. A null pointer means no properties.
///
/// # Safety
///
/// `properties` must be null or point to properties, to which valid structures are chained.
unsafe fn queue_properties(properties: *const ur_queue_properties_t) -> Result<QueueProperties> {
    // SAFETY: guaranteed by the caller.
    let Some(properties) = (unsafe { properties.as_ref() }) else { return Ok(QueueProperties::default()) };
    // SAFETY: guaranteed by the caller.
    let index = unsafe {
        chained::<ur_queue_index_properties_t>(properties.pNext, UR_STRUCTURE_TYPE_QUEUE_INDEX_PROPERTIES)
    };
    Ok(QueueProperties {
        flags: convert::queue_flags(properties.flags)?,
        compute_index: index.map(|index| u64::from(index.computeIndex)),
    })
}
