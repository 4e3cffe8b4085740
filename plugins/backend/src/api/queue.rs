//! Queues.

use crate::types::*;
use crate::{Error, Info, New, Result, cold_error};

/// The properties of a new queue.
#[derive(Clone, Copy, Default, Debug)]
pub struct QueueProperties {
    /// How the queue orders and observes commands.
    pub flags: QueueFlags,
    /// The index of the device's compute engine; `None` lets the backend choose.
    pub compute_index: Option<u64>,
}

impl QueueProperties {
    /// Refuses unknown flags, and pairs of flags that exclude each other.
    ///
    /// # Errors
    ///
    /// `INVALID_VALUE` or `INVALID_QUEUE_PROPERTIES`.
    #[inline(always)]
    pub fn check(self) -> Result<Self> {
        if INDEPENDENT_FLAGS.contains(self.flags) { Ok(self) } else { self.check_rare_flags() }
    }

    /// Returns whether this is an on-device queue, which kernels fill instead of the host.
    pub fn is_on_device(self) -> bool {
        self.flags.intersects(QueueFlags::ON_DEVICE | QueueFlags::ON_DEVICE_DEFAULT)
    }

    /// Also refuses on-device queues, for a front whose handles cannot be distinguished from others. Drivers terminate
    /// the process on a host command in such a queue.
    ///
    /// # Errors
    ///
    /// Same as for [`check`](Self::check).
    #[inline(always)]
    pub fn check_for_host(self) -> Result<Self> {
        let checked = self.check()?;
        if checked.is_on_device() { Err(cold_error(no_queue_on_device)) } else { Ok(checked) }
    }

    #[cold]
    fn check_rare_flags(self) -> Result<Self> {
        let exclusive = EXCLUSIVE_FLAGS.iter().fold(QueueFlags::empty(), |all, (flags, _)| all | *flags);
        let unknown = self.flags - INDEPENDENT_FLAGS - exclusive;
        if !unknown.is_empty() {
            return Err(Error::invalid_value(format!("properties has the unknown queue flags {unknown:#x}")));
        }
        match EXCLUSIVE_FLAGS.iter().find(|(both, _)| self.flags.contains(*both)) {
            None => Ok(self),
            Some((_, name)) => {
                let text = format!("queue properties: {name} exclude each other");
                Err(Error::new(ErrorCode::INVALID_QUEUE_PROPERTIES, text))
            }
        }
    }
}

/// Returns the error for an on-device queue on a device that does not support any.
pub fn no_queue_on_device() -> Error {
    let text = "queue properties ask for a queue on the device, which kernels fill; commands come from the host only";
    Error::new(ErrorCode::INVALID_QUEUE_PROPERTIES, text)
}

/// Flags that may be combined with any other.
const INDEPENDENT_FLAGS: QueueFlags = QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE
    .union(QueueFlags::PROFILING_ENABLE)
    .union(QueueFlags::ON_DEVICE)
    .union(QueueFlags::ON_DEVICE_DEFAULT)
    .union(QueueFlags::DISCARD_EVENTS);
/// Pairs of flags that exclude each other, and their names.
const EXCLUSIVE_FLAGS: [(QueueFlags, &str); 2] = [
    (QueueFlags::PRIORITY_LOW.union(QueueFlags::PRIORITY_HIGH), "low and high priority"),
    (
        QueueFlags::SUBMISSION_NO_IMMEDIATE.union(QueueFlags::SUBMISSION_IMMEDIATE),
        "batched and immediate submission",
    ),
];

api! {
    /// Queues.
    trait QueueApi {
        /// Creates a queue. The properties have passed [`QueueProperties::check`].
        #[doc(alias = "piQueueCreate")]
        #[doc(alias = "piextQueueCreate")]
        #[doc(alias = "urQueueCreate")]
        fn queue_create(context: &Self::Context, device: &Self::Device, properties: QueueProperties)
            -> New<Self::Queue>;
        /// Returns the queue's context.
        fn queue_context(queue: &Self::Queue) -> &Self::Context;
        /// Returns the queue's device.
        fn queue_device(queue: &Self::Queue) -> &Self::Device;
        /// Returns the flags that the queue was created with.
        fn queue_flags(queue: &Self::Queue) -> QueueFlags;
        /// Answers queries for context, device, flags, reference count and emptiness.
        #[doc(alias = "piQueueGetInfo")]
        #[doc(alias = "urQueueGetInfo")]
        fn queue_info(queue: &Self::Queue, name: QueueInfo, info: Info<'_>);
        /// Waits until all commands are complete.
        #[doc(alias = "piQueueFinish")]
        #[doc(alias = "urQueueFinish")]
        fn queue_finish(queue: &Self::Queue);
        /// Submits all commands to the device.
        #[doc(alias = "piQueueFlush")]
        #[doc(alias = "urQueueFlush")]
        fn queue_flush(queue: &Self::Queue);
        /// Returns the native handle and its kind, which is 0 if there is only one kind.
        #[doc(alias = "piextQueueGetNativeHandle")]
        #[doc(alias = "urQueueGetNativeHandle")]
        fn queue_native_handle(queue: &Self::Queue) -> (NativeHandle, i32);
        /// Returns the driver's queue, even if commands go to an immediate command list, for interop code that does not
        /// know such lists.
        #[doc(alias = "piextQueueGetNativeHandle_until_12_27")]
        fn queue_native_command_queue(queue: &Self::Queue) -> NativeHandle;
        /// Creates a queue from a native handle. `desc` states the kind of the handle. If `owned`, the plugin takes
        /// over the caller's reference.
        #[doc(alias = "piextQueueCreateWithNativeHandle")]
        #[doc(alias = "urQueueCreateWithNativeHandle")]
        fn queue_create_with_native_handle(native: NativeHandle, desc: i32, context: &Self::Context,
            device: Option<&Self::Device>, owned: bool, properties: QueueProperties) -> New<Self::Queue>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of a check, and of one that refuses queues on a device, too.
    fn codes(flags: QueueFlags) -> [Option<ErrorCode>; 2] {
        let properties = QueueProperties { flags, compute_index: None };
        [properties.check(), properties.check_for_host()]
            .map(|checked| checked.err().map(|error| error.code()))
    }

    #[test]
    fn flags_that_exclude_each_other_are_refused() {
        let wrong = [Some(ErrorCode::INVALID_QUEUE_PROPERTIES); 2];
        let pairs = [
            (QueueFlags::PRIORITY_LOW, QueueFlags::PRIORITY_HIGH),
            (QueueFlags::SUBMISSION_NO_IMMEDIATE, QueueFlags::SUBMISSION_IMMEDIATE),
        ];
        let order = QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueFlags::PROFILING_ENABLE;
        for (one, other) in pairs {
            assert_eq!([one, other].map(codes), [[None; 2]; 2]);
            assert_eq!(codes(one | other), wrong);
            assert_eq!(codes(one | other | order), wrong);
        }
        assert_eq!(codes(QueueFlags::PRIORITY_LOW | QueueFlags::SUBMISSION_IMMEDIATE | order), [None; 2]);
        assert_eq!(codes(order | QueueFlags::DISCARD_EVENTS), [None; 2]);
    }

    #[test]
    fn unknown_flags_and_queues_on_a_device_are_refused() {
        let unknown = QueueFlags::from_bits_retain(1 << 40);
        let wrong = [Some(ErrorCode::INVALID_VALUE); 2];
        assert_eq!(codes(unknown), wrong);
        // It comes before flags that exclude each other.
        assert_eq!(codes(unknown | QueueFlags::PRIORITY_LOW | QueueFlags::PRIORITY_HIGH), wrong);
        for flags in [QueueFlags::ON_DEVICE, QueueFlags::ON_DEVICE | QueueFlags::ON_DEVICE_DEFAULT] {
            assert_eq!(codes(flags), [None, Some(ErrorCode::INVALID_QUEUE_PROPERTIES)]);
        }
    }
}
