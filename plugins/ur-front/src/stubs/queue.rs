//! Queues.

use sycl_pi_backend::api::{QueueProperties, no_queue_on_device};

use super::prelude::*;
use crate::capture::check_takes_commands;

#[entry]
pub unsafe extern "C" fn urQueueGetInfo<B: Backend>(
    hQueue: ur_queue_handle_t, propName: ur_queue_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::queue::<B>(queue, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urQueueCreate<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pProperties: *const ur_queue_properties_t,
    phQueue: *mut ur_queue_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { queue_properties(pProperties)? }.check()?;
    check_on_device::<B>(device, properties)?;
    // SAFETY: `phQueue` is null or writable.
    unsafe { create(phQueue, "phQueue", context, || B::queue_create(context, device, properties))? };
    if properties.is_on_device() {
        // SAFETY: `*phQueue` is null or a live handle.
        unsafe { object::<B::Queue>(*phQueue, "phQueue")? }.kept().take_for_device();
    }
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urQueueRetain<B: Backend>(hQueue: ur_queue_handle_t) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    unsafe { object::<B::Queue>(hQueue, "hQueue")? }.retain_by_caller()
}

#[entry]
pub unsafe extern "C" fn urQueueRelease<B: Backend>(hQueue: ur_queue_handle_t) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    unsafe { object::<B::Queue>(hQueue, "hQueue")?.release_by_caller() }
}

#[entry]
pub unsafe extern "C" fn urQueueGetNativeHandle<B: Backend>(
    hQueue: ur_queue_handle_t, pDesc: *mut ur_queue_native_desc_t, phNativeQueue: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `pDesc` is null or points to what its type says.
    let desc = unsafe { pDesc.as_ref() };
    // SAFETY: `desc.pNativeData` is null or writable.
    let kind = desc.and_then(|desc| unsafe { out_or_null(desc.pNativeData.cast::<i32>()) });
    // SAFETY: `phNativeQueue` is null or writable.
    unsafe {
        put(phNativeQueue, "phNativeQueue", || {
            let (native, is) = B::queue_native_handle(queue)?;
            if let Some(kind) = kind {
                *kind = is;
            }
            Ok(native)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urQueueCreateWithNativeHandle<B: Backend>(
    hNativeQueue: ur_native_handle_t, hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
    pProperties: *const ur_queue_native_properties_t, phQueue: *mut ur_queue_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object_or_null::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    let chain =
        // SAFETY: `pProperties` is null or points to what its type says.
        unsafe { pProperties.as_ref() }.map_or(core::ptr::null(), |properties| properties.pNext.cast_const());
    // SAFETY: the arguments are passed on under the same contract.
    let kind = unsafe { chained::<ur_queue_native_desc_t>(chain, UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC) }
        // SAFETY: the arguments are passed on under the same contract.
        .and_then(|desc| unsafe { desc.pNativeData.cast::<i32>().as_ref() })
        .copied()
        .unwrap_or(0);
    // SAFETY: the arguments are passed on under the same contract.
    let flags = unsafe { chained::<ur_queue_properties_t>(chain, UR_STRUCTURE_TYPE_QUEUE_PROPERTIES) };
    let properties =
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { queue_properties(flags.map_or(core::ptr::null(), core::ptr::from_ref))? }.check()?;
    // SAFETY: `phQueue` is null or writable.
    unsafe {
        create(phQueue, "phQueue", context, || {
            B::queue_create_with_native_handle(
                hNativeQueue,
                kind,
                context,
                device.map(|device| &***device),
                owned,
                properties,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn urQueueFinish<B: Backend>(hQueue: ur_queue_handle_t) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object::<B::Queue>(hQueue, "hQueue")? };
    check_runs::<B>(queue, "waiting for its commands")?;
    B::queue_finish(queue)
}

#[entry]
pub unsafe extern "C" fn urQueueFlush<B: Backend>(hQueue: ur_queue_handle_t) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object::<B::Queue>(hQueue, "hQueue")? };
    check_takes_commands::<B>(queue)?;
    B::queue_flush(queue)
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
