//! Queues: both create functions, and native handles with the signatures of every version.

use sycl_pi_backend::Result;
use sycl_pi_backend::api::QueueProperties;

stubs! {
    piQueueCreate(context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        create(queue, "queue", || {
            let flags = QueueFlags::from_bits_retain(properties);
            B::queue_create(context, device, QueueProperties { flags, compute_index: None }.check_for_host()?)
        })
    };

    piextQueueCreate(context: pi_context, device: pi_device, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) create_of_list::<B>(context, device, properties, queue);

    piextQueueCreate2(context: pi_context, device: pi_device, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) create_of_list::<B>(context, device, properties, queue);

    piQueueGetInfo(queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize)  {
        let queue = object(queue, "command_queue")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::queue_info(queue, QueueInfo(param_name), info))
    };

    piQueueFinish(queue: pi_queue)  B::queue_finish(object(queue, "command_queue")?);

    piQueueFlush(queue: pi_queue)  B::queue_flush(object(queue, "command_queue")?);

    piQueueRetain(queue: pi_queue) object::<B::Queue>(queue, "command_queue")?.retain();

    piQueueRelease(queue: pi_queue) object::<B::Queue>(queue, "command_queue")?.release();

    piextQueueGetNativeHandle(queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32)
        native_handle_of::<B>(queue, native_handle, native_handle_desc);

    piextQueueGetNativeHandle2(queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32)
        native_handle_of::<B>(queue, native_handle, native_handle_desc);

    piextQueueGetNativeHandle_until_12_27(queue: pi_queue, native_handle: *mut pi_native_handle) {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || B::queue_native_command_queue(queue))
    };

    piextQueueCreateWithNativeHandle(native_handle: pi_native_handle, native_handle_desc: i32, context: pi_context,
        device: pi_device, plugin_owns_native_handle: pi_cxx_bool, properties: *mut pi_queue_properties,
        queue: *mut pi_queue)
        create_of_native::<B>((native_handle, native_handle_desc), context, device, plugin_owns_native_handle,
            properties, queue);

    piextQueueCreateWithNativeHandle2(native_handle: pi_native_handle, native_handle_desc: i32, context: pi_context,
        device: pi_device, plugin_owns_native_handle: pi_cxx_bool, properties: *mut pi_queue_properties,
        queue: *mut pi_queue)
        create_of_native::<B>((native_handle, native_handle_desc), context, device, plugin_owns_native_handle,
            properties, queue);

    piextQueueCreateWithNativeHandle_until_12_27(native_handle: pi_native_handle, context: pi_context,
        device: pi_device, plugin_owns_native_handle: pi_cxx_bool, queue: *mut pi_queue)
        create_of_native::<B>((native_handle, 0), context, device, plugin_owns_native_handle, core::ptr::null(),
            queue);
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
    queue: pi_queue,
    native_handle: *mut pi_native_handle,
    native_handle_desc: *mut i32,
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
    context: pi_context,
    device: pi_device,
    properties: *mut pi_queue_properties,
    queue: *mut pi_queue,
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
    (native, desc): (pi_native_handle, i32),
    context: pi_context,
    device: pi_device,
    owned: pi_cxx_bool,
    properties: *const pi_queue_properties,
    queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: this function has the same contract as the views.
    unsafe {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        create(queue, "queue", || {
            B::queue_create_with_native_handle(native, desc, context, device, owned != 0, read(properties)?)
        })
    }
}
