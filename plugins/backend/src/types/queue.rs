//! Numbers of queues.

enumeration! {
    /// Queries of a queue.
    pub struct QueueInfo: u32 {
        CONTEXT = 0x1090,
        DEVICE = 0x1091,
        DEVICE_DEFAULT = 0x1095,
        PROPERTIES = 0x1093,
        REFERENCE_COUNT = 0x1092,
        SIZE = 0x1094,
        EMPTY = 0x2096,
    }
}

flags! {
    /// Flags of a new queue.
    pub struct QueueFlags: u64 {
        OUT_OF_ORDER_EXEC_MODE_ENABLE = 1,
        PROFILING_ENABLE = 2,
        ON_DEVICE = 4,
        ON_DEVICE_DEFAULT = 8,
        DISCARD_EVENTS = 0x10,
        PRIORITY_LOW = 0x20,
        PRIORITY_HIGH = 0x40,
        SUBMISSION_NO_IMMEDIATE = 0x80,
        SUBMISSION_IMMEDIATE = 0x100,
    }
}
