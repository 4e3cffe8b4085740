//! Queues: both create calls, native handles in the signatures of every version.

use pi_core::*;

use crate::view::Properties;
use crate::{Info, New};

api! {
    /// Queues.
    trait QueueApi {
        /// A queue with flag bits (`PI_QUEUE_FLAG_*`), as PI 9.11 and 11.15 create them.
        fn piQueueCreate(context: &Self::Context, device: &Self::Device, flags: pi_queue_properties)
            -> New<Self::Queue>;
        /// A queue with a list of `PI_QUEUE_FLAGS` and `PI_QUEUE_COMPUTE_INDEX`, as later versions create them.
        fn piextQueueCreate(context: &Self::Context, device: &Self::Device,
            properties: Properties<'_, pi_queue_properties>) -> New<Self::Queue>;
        /// Context, device, flags, reference count, emptiness.
        fn piQueueGetInfo(queue: &Self::Queue, name: pi_queue_info, info: Info<'_>);
        /// Returns when all commands are done.
        fn piQueueFinish(queue: &Self::Queue);
        /// Hands all commands to the device.
        fn piQueueFlush(queue: &Self::Queue);
        /// One reference more.
        fn piQueueRetain(queue: &Self::Queue);
        /// One reference less.
        fn piQueueRelease(queue: &Self::Queue);
        /// The driver's own handle, and what it is (0 where there is one kind only).
        fn piextQueueGetNativeHandle(queue: &Self::Queue) -> (pi_native_handle, i32);
        /// As PI 12.27 and older ask for it: there is no word for what the handle is, so it is the oldest kind.
        fn piextQueueGetNativeHandle_until_12_27(queue: &Self::Queue) -> pi_native_handle;
        /// The queue of a driver's handle. `desc` says what the handle is; `owned`: the plugin takes over the
        /// caller's reference.
        fn piextQueueCreateWithNativeHandle(native: pi_native_handle, desc: i32, context: &Self::Context,
            device: Option<&Self::Device>, owned: bool, properties: Properties<'_, pi_queue_properties>)
            -> New<Self::Queue>;
    }
}

stubs! {
    piQueueCreate(context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        create(queue, "queue", || B::piQueueCreate(context, device, properties))
    };

    piextQueueCreate(context: pi_context, device: pi_device, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let list = properties_list(properties.cast_const())?;
        create(queue, "queue", || B::piextQueueCreate(context, device, list))
    };

    piextQueueCreate2(context: pi_context, device: pi_device, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let list = properties_list(properties.cast_const())?;
        create(queue, "queue", || B::piextQueueCreate(context, device, list))
    };

    piQueueGetInfo(queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let queue = object(queue, "command_queue")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piQueueGetInfo(queue, param_name, info))
    };

    piQueueFinish(queue: pi_queue) B::piQueueFinish(object(queue, "command_queue")?);

    piQueueFlush(queue: pi_queue) B::piQueueFlush(object(queue, "command_queue")?);

    piQueueRetain(queue: pi_queue) B::piQueueRetain(object(queue, "command_queue")?);

    piQueueRelease(queue: pi_queue) B::piQueueRelease(object(queue, "command_queue")?);

    piextQueueGetNativeHandle(queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32) {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || {
            let (handle, desc) = B::piextQueueGetNativeHandle(queue)?;
            if let Some(out) = out_or_null(native_handle_desc) {
                *out = desc;
            }
            Ok(handle)
        })
    };

    piextQueueGetNativeHandle2(queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32) {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || {
            let (handle, desc) = B::piextQueueGetNativeHandle(queue)?;
            if let Some(out) = out_or_null(native_handle_desc) {
                *out = desc;
            }
            Ok(handle)
        })
    };

    piextQueueGetNativeHandle_until_12_27(queue: pi_queue, native_handle: *mut pi_native_handle) {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || B::piextQueueGetNativeHandle_until_12_27(queue))
    };

    piextQueueCreateWithNativeHandle(native_handle: pi_native_handle, native_handle_desc: i32, context: pi_context,
        device: pi_device, plugin_owns_native_handle: pi_cxx_bool, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        let list = properties_list(properties.cast_const())?;
        create(queue, "queue", || B::piextQueueCreateWithNativeHandle(native_handle, native_handle_desc, context,
            device, plugin_owns_native_handle != 0, list))
    };

    piextQueueCreateWithNativeHandle2(native_handle: pi_native_handle, native_handle_desc: i32, context: pi_context,
        device: pi_device, plugin_owns_native_handle: pi_cxx_bool, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        let list = properties_list(properties.cast_const())?;
        create(queue, "queue", || B::piextQueueCreateWithNativeHandle(native_handle, native_handle_desc, context,
            device, plugin_owns_native_handle != 0, list))
    };

    piextQueueCreateWithNativeHandle_until_12_27(native_handle: pi_native_handle, context: pi_context,
        device: pi_device, plugin_owns_native_handle: pi_cxx_bool, queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        let list = properties_list(core::ptr::null())?;
        create(queue, "queue", || B::piextQueueCreateWithNativeHandle(native_handle, 0, context, device,
            plugin_owns_native_handle != 0, list))
    };
}
