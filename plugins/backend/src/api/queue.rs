//! Queues: both create calls, native handles in the signatures of every version.

use sycl_pi_core::*;

use crate::api::Backend;
use crate::view::{address, create, each_property, object, object_or_null, out_or_null, put};
use crate::{Error, Info, New, Result, cold_error};

/// What a queue is asked to be.
#[derive(Clone, Copy, Default, Debug)]
pub struct QueueProperties {
    /// `PI_QUEUE_FLAG_*` bits: known ones, and none that rules another out.
    pub flags: pi_queue_properties,
    /// `PI_QUEUE_COMPUTE_INDEX`: which of the device's compute engines, if it matters.
    pub compute_index: Option<u64>,
}

impl QueueProperties {
    /// Reads a list; refuses unknown keys and flags.
    ///
    /// # Safety
    ///
    /// `list` is null or a zero-terminated list.
    #[inline(always)]
    unsafe fn read(list: *const pi_queue_properties) -> Result<Self> {
        let mut asked = Self::default();
        let take = |key, value| {
            match key {
                PI_QUEUE_FLAGS => asked.flags = value,
                PI_QUEUE_COMPUTE_INDEX => asked.compute_index = Some(value),
                _ => {
                    return Err(cold_error(move || {
                        Error::invalid_value(format!("properties has the unknown queue property {key:#x}"))
                    }));
                }
            }
            Ok(())
        };
        // SAFETY: passed on.
        unsafe { each_property(list, take)? };
        check_flags(asked.flags)?;
        Ok(asked)
    }
}

/// Flags that go with each other.
const FREE_FLAGS: pi_queue_properties = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE
    | PI_QUEUE_FLAG_PROFILING_ENABLE
    | PI_QUEUE_FLAG_ON_DEVICE
    | PI_QUEUE_FLAG_ON_DEVICE_DEFAULT
    | PI_EXT_ONEAPI_QUEUE_FLAG_DISCARD_EVENTS;
/// Flags that rule each other out, and what both would be.
const RIVALS: [(pi_queue_properties, &str); 2] = [
    (PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH, "low and high priority"),
    (
        PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE | PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE,
        "batched and immediate submission",
    ),
];

/// Refuses unknown flags, and two that rule each other out.
#[inline(always)]
fn check_flags(flags: pi_queue_properties) -> Result<()> {
    if flags & !FREE_FLAGS == 0 { Ok(()) } else { check_rare_flags(flags) }
}

#[cold]
fn check_rare_flags(flags: pi_queue_properties) -> Result<()> {
    let unknown = flags & !(FREE_FLAGS | RIVALS[0].0 | RIVALS[1].0);
    if unknown != 0 {
        return Err(Error::invalid_value(format!("properties has the unknown queue flags {unknown:#x}")));
    }
    match RIVALS.iter().find(|(both, _)| flags & both == *both) {
        None => Ok(()),
        Some((_, what)) => {
            Err(Error::new(PI_ERROR_INVALID_QUEUE_PROPERTIES, format!("properties: {what} together")))
        }
    }
}

/// Both numbers of `piextQueueGetNativeHandle` and its later name.
///
/// # Safety
///
/// `queue` is null or a live queue of `B`; the other two are null or writable room.
#[inline(always)]
unsafe fn native_handle_of<B: Backend>(
    queue: pi_queue,
    native_handle: *mut pi_native_handle,
    native_handle_desc: *mut i32,
) -> Result<()> {
    // SAFETY: the three pointers are as the views ask for them, by this function's own contract.
    unsafe {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || {
            let (handle, desc) = B::piextQueueGetNativeHandle(queue)?;
            if let Some(out) = out_or_null(native_handle_desc) {
                *out = desc;
            }
            Ok(handle)
        })
    }
}

/// What `piextQueueCreate` and its later name do.
///
/// # Safety
///
/// `context` and `device` are null or live objects of `B`; `properties` is null or a zero-terminated list; `queue` is null or
/// writable room.
#[inline(always)]
unsafe fn create_of_list<B: Backend>(
    context: pi_context,
    device: pi_device,
    properties: *mut pi_queue_properties,
    queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the four pointers are as the views ask for them, by this function's own contract.
    unsafe {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        address(queue, "queue")?;
        // Not as a closure: it would have several users, and stay out of line.
        let made = B::piextQueueCreate(context, device, QueueProperties::read(properties)?)?;
        create(queue, "queue", || Ok(made))
    }
}

/// What every `piextQueueCreateWithNativeHandle` does; `(handle, desc)` is the driver's, `owned` a `pi_cxx_bool`.
///
/// # Safety
///
/// `context` and `device` are null or live objects of `B`; `properties` is null or a zero-terminated list; `queue` is null or
/// writable room.
#[inline(always)]
unsafe fn create_of_native<B: Backend>(
    (native, desc): (pi_native_handle, i32),
    context: pi_context,
    device: pi_device,
    owned: pi_cxx_bool,
    properties: *const pi_queue_properties,
    queue: *mut pi_queue,
) -> Result<()> {
    // SAFETY: the four pointers are as the views ask for them, by this function's own contract.
    unsafe {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        create(queue, "queue", || {
            let asked = QueueProperties::read(properties)?;
            B::piextQueueCreateWithNativeHandle(native, desc, context, device, owned != 0, asked)
        })
    }
}

api! {
    /// Queues.
    trait QueueApi {
        /// A queue with flag bits (`PI_QUEUE_FLAG_*`, known ones that go together), as PI 9.11 and 11.15 create them.
        fn piQueueCreate(context: &Self::Context, device: &Self::Device, flags: pi_queue_properties)
            -> New<Self::Queue>;
        /// A queue with a list of `PI_QUEUE_FLAGS` and `PI_QUEUE_COMPUTE_INDEX`, as later versions create them.
        fn piextQueueCreate(context: &Self::Context, device: &Self::Device, properties: QueueProperties)
            -> New<Self::Queue>;
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
            device: Option<&Self::Device>, owned: bool, properties: QueueProperties) -> New<Self::Queue>;
    }
}

stubs! {
    piQueueCreate(context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        create(queue, "queue", || {
            check_flags(properties)?;
            B::piQueueCreate(context, device, properties)
        })
    };

    piextQueueCreate(context: pi_context, device: pi_device, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) create_of_list::<B>(context, device, properties, queue);

    piextQueueCreate2(context: pi_context, device: pi_device, properties: *mut pi_queue_properties,
        queue: *mut pi_queue) create_of_list::<B>(context, device, properties, queue);

    piQueueGetInfo(queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) => jump, {
        let queue = object(queue, "command_queue")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piQueueGetInfo(queue, param_name, info))
    };

    piQueueFinish(queue: pi_queue) => jump, B::piQueueFinish(object(queue, "command_queue")?);

    piQueueFlush(queue: pi_queue) => jump, B::piQueueFlush(object(queue, "command_queue")?);

    piQueueRetain(queue: pi_queue) => jump, B::piQueueRetain(object(queue, "command_queue")?);

    piQueueRelease(queue: pi_queue) => jump, B::piQueueRelease(object(queue, "command_queue")?);

    piextQueueGetNativeHandle(queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32)
        native_handle_of::<B>(queue, native_handle, native_handle_desc);

    piextQueueGetNativeHandle2(queue: pi_queue, native_handle: *mut pi_native_handle, native_handle_desc: *mut i32)
        native_handle_of::<B>(queue, native_handle, native_handle_desc);

    piextQueueGetNativeHandle_until_12_27(queue: pi_queue, native_handle: *mut pi_native_handle) {
        let queue = object(queue, "queue")?;
        put(native_handle, "nativeHandle", || B::piextQueueGetNativeHandle_until_12_27(queue))
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
