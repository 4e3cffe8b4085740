//! Queues: both create functions, and native handles with the signatures of every version.

use super::prelude::*;
use sycl_pi_backend::Result;
use sycl_pi_backend::api::QueueProperties;

#[entry]
pub unsafe extern "C" fn piQueueCreate<B: Backend>(
    context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `queue` is null or writable.
    unsafe {
        create(queue, "queue", || {
            let flags = QueueFlags::from_bits_retain(properties);
            B::queue_create(context, device, QueueProperties { flags, compute_index: None }.check_for_host()?)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextQueueCreate<B: Backend>(
    context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { create_of_list::<B>(context, device, properties, queue) }
}

#[entry]
pub unsafe extern "C" fn piextQueueCreate2<B: Backend>(
    context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { create_of_list::<B>(context, device, properties, queue) }
}

#[entry]
pub unsafe extern "C" fn piQueueGetInfo<B: Backend>(
    queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "command_queue")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::queue_info(queue, QueueInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piQueueFinish<B: Backend>(queue: pi_queue) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    B::queue_finish(unsafe { object(queue, "command_queue")? })
}

#[entry]
pub unsafe extern "C" fn piQueueFlush<B: Backend>(queue: pi_queue) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    B::queue_flush(unsafe { object(queue, "command_queue")? })
}

#[entry]
pub unsafe extern "C" fn piQueueRetain<B: Backend>(queue: pi_queue) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    unsafe { object::<B::Queue>(queue, "command_queue")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piQueueRelease<B: Backend>(queue: pi_queue) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    unsafe { object::<B::Queue>(queue, "command_queue")?.release() }
}

#[entry]
pub unsafe extern "C" fn piextQueueGetNativeHandle<B: Backend>(
    queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { native_handle_of::<B>(queue, native_handle, native_handle_desc) }
}

#[entry]
pub unsafe extern "C" fn piextQueueGetNativeHandle2<B: Backend>(
    queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { native_handle_of::<B>(queue, native_handle, native_handle_desc) }
}

#[entry]
pub unsafe extern "C" fn piextQueueGetNativeHandle_until_12_27<B: Backend>(
    queue: pi_queue, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::queue_native_command_queue(queue)) }
}

#[entry]
pub unsafe extern "C" fn piextQueueCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, native_handle_desc: i32, context: pi_context, device: pi_device,
    plugin_owns_native_handle: pi_cxx_bool, properties: *mut pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe {
        create_of_native::<B>(
            (native_handle, native_handle_desc),
            context,
            device,
            plugin_owns_native_handle,
            properties,
            queue,
        )
    }
}

#[entry]
pub unsafe extern "C" fn piextQueueCreateWithNativeHandle2<B: Backend>(
    native_handle: pi_native_handle, native_handle_desc: i32, context: pi_context, device: pi_device,
    plugin_owns_native_handle: pi_cxx_bool, properties: *mut pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe {
        create_of_native::<B>(
            (native_handle, native_handle_desc),
            context,
            device,
            plugin_owns_native_handle,
            properties,
            queue,
        )
    }
}

#[entry]
pub unsafe extern "C" fn piextQueueCreateWithNativeHandle_until_12_27<B: Backend>(
    native_handle: pi_native_handle, context: pi_context, device: pi_device,
    plugin_owns_native_handle: pi_cxx_bool, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe {
        create_of_native::<B>(
            (native_handle, 0),
            context,
            device,
            plugin_owns_native_handle,
            core::ptr::null(),
            queue,
        )
    }
}

/// Reads a property list. Refuses unknown keys and flags.
///
/// # Safety
///
/// `list` must be null or zero-terminated.
#[inline(always)]
unsafe fn read(list: *const pi_queue_properties) -> Result<QueueProperties> {
    let mut properties = QueueProperties::default();
    // SAFETY: guaranteed by the caller.
    for (key, value) in unsafe { Properties::read(list)? }.pairs() {
        match key {
            PI_QUEUE_FLAGS => properties.flags = QueueFlags::from_bits_retain(value),
            PI_QUEUE_COMPUTE_INDEX => properties.compute_index = Some(value),
            _ => {
                let text = format!("properties has the unknown queue property {key:#x}");
                return Err(Error::invalid_value(text));
            }
        }
    }
    properties.check_for_host()
}

/// Implements `piextQueueGetNativeHandle` and its later name.
///
/// # Safety
///
/// `queue` must be null or a live queue of `B`; the other two must be null or writable.
#[inline(always)]
unsafe fn native_handle_of<B: Backend>(
    queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32,
) -> Result<()> {
    // SAFETY: this function has the same contract as the views.
    unsafe {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || {
            let (handle, desc) = B::queue_native_handle(queue)?;
            if let Some(out) = out_or_null(native_handle_desc) {
                *out = desc;
            }
            Ok(handle)
        })
    }
}

/// Implements `piextQueueCreate` and its later name.
///
/// # Safety
///
/// `context` and `device` must be null or live objects of `B`; `properties` must be null or a zero-terminated list;
/// `queue` must be null or writable.
#[inline(always)]
unsafe fn create_of_list<B: Backend>(
    context: pi_context, device: pi_device, properties: *mut pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: this function has the same contract as the views.
    unsafe {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        create(queue, "queue", || B::queue_create(context, device, read(properties)?))
    }
}

/// Implements every `piextQueueCreateWithNativeHandle`. `(handle, desc)` is the driver's handle and its kind, and
/// `owned` is a C++ `bool`.
///
/// # Safety
///
/// Same as for [`create_of_list`].
#[inline(always)]
unsafe fn create_of_native<B: Backend>(
    (native, desc): (pi_native_handle, i32), context: pi_context, device: pi_device, owned: pi_cxx_bool,
    properties: *const pi_queue_properties, queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: this function has the same contract as the views.
    unsafe {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        create(queue, "queue", || {
            B::queue_create_with_native_handle(native, desc, context, device, owned != 0, read(properties)?)
        })
    }
}
