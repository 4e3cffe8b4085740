//! Queues.

enumerations! {
    /// Flags of a queue.
    ur_queue_flag_t {
        UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE = 1 << 0;
        UR_QUEUE_FLAG_PROFILING_ENABLE = 1 << 1;
        UR_QUEUE_FLAG_ON_DEVICE = 1 << 2;
        UR_QUEUE_FLAG_ON_DEVICE_DEFAULT = 1 << 3;
        UR_QUEUE_FLAG_DISCARD_EVENTS = 1 << 4;
        UR_QUEUE_FLAG_PRIORITY_LOW = 1 << 5;
        UR_QUEUE_FLAG_PRIORITY_HIGH = 1 << 6;
        UR_QUEUE_FLAG_SUBMISSION_BATCHED = 1 << 7;
        UR_QUEUE_FLAG_SUBMISSION_IMMEDIATE = 1 << 8;
        UR_QUEUE_FLAG_USE_DEFAULT_STREAM = 1 << 9;
        UR_QUEUE_FLAG_SYNC_WITH_DEFAULT_STREAM = 1 << 10;
        /// Since 2025.1, until 2025.2.
        UR_QUEUE_FLAG_LOW_POWER_EVENTS_EXP = 1 << 11;
        /// Since 2025.3.
        UR_QUEUE_FLAG_LOW_POWER_EVENTS_SUPPORT_EXP = 1 << 11;
    }

    /// Queries for `urQueueGetInfo`.
    ur_queue_info_t {
        UR_QUEUE_INFO_CONTEXT = 0;
        UR_QUEUE_INFO_DEVICE = 1;
        UR_QUEUE_INFO_DEVICE_DEFAULT = 2;
        UR_QUEUE_INFO_FLAGS = 3;
        UR_QUEUE_INFO_REFERENCE_COUNT = 4;
        UR_QUEUE_INFO_SIZE = 5;
        UR_QUEUE_INFO_EMPTY = 6;
    }
}
