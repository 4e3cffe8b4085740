//! Events and commands.

enumerations! {
    /// The kind of command behind an event.
    ur_command_t {
        UR_COMMAND_KERNEL_LAUNCH = 0;
        UR_COMMAND_EVENTS_WAIT = 1;
        UR_COMMAND_EVENTS_WAIT_WITH_BARRIER = 2;
        UR_COMMAND_MEM_BUFFER_READ = 3;
        UR_COMMAND_MEM_BUFFER_WRITE = 4;
        UR_COMMAND_MEM_BUFFER_READ_RECT = 5;
        UR_COMMAND_MEM_BUFFER_WRITE_RECT = 6;
        UR_COMMAND_MEM_BUFFER_COPY = 7;
        UR_COMMAND_MEM_BUFFER_COPY_RECT = 8;
        UR_COMMAND_MEM_BUFFER_FILL = 9;
        UR_COMMAND_MEM_IMAGE_READ = 10;
        UR_COMMAND_MEM_IMAGE_WRITE = 11;
        UR_COMMAND_MEM_IMAGE_COPY = 12;
        UR_COMMAND_MEM_BUFFER_MAP = 14;
        UR_COMMAND_MEM_UNMAP = 16;
        UR_COMMAND_USM_FILL = 17;
        UR_COMMAND_USM_MEMCPY = 18;
        UR_COMMAND_USM_PREFETCH = 19;
        UR_COMMAND_USM_ADVISE = 20;
        UR_COMMAND_USM_FILL_2D = 21;
        UR_COMMAND_USM_MEMCPY_2D = 22;
        UR_COMMAND_DEVICE_GLOBAL_VARIABLE_WRITE = 23;
        UR_COMMAND_DEVICE_GLOBAL_VARIABLE_READ = 24;
        UR_COMMAND_READ_HOST_PIPE = 25;
        UR_COMMAND_WRITE_HOST_PIPE = 26;
        /// Until 2025.1.
        UR_COMMAND_COMMAND_BUFFER_ENQUEUE_EXP = 0x1000;
        UR_COMMAND_EXTERNAL_SEMAPHORE_WAIT_EXP = 0x2000;
        UR_COMMAND_EXTERNAL_SEMAPHORE_SIGNAL_EXP = 0x2001;
        UR_COMMAND_TIMESTAMP_RECORDING_EXP = 0x2002;
        UR_COMMAND_ENQUEUE_NATIVE_EXP = 0x2004;
        /// Since 2025.2.
        UR_COMMAND_ENQUEUE_COMMAND_BUFFER_EXP = 0x1000;
        /// Since 2025.2.
        UR_COMMAND_ENQUEUE_USM_DEVICE_ALLOC_EXP = 0x2050;
        /// Since 2025.2.
        UR_COMMAND_ENQUEUE_USM_SHARED_ALLOC_EXP = 0x2051;
        /// Since 2025.2.
        UR_COMMAND_ENQUEUE_USM_HOST_ALLOC_EXP = 0x2052;
        /// Since 2025.2.
        UR_COMMAND_ENQUEUE_USM_FREE_EXP = 0x2053;
        /// Since 2026.0.
        UR_COMMAND_ENQUEUE_GRAPH_EXP = 0x2100;
        /// Since 2026.0.
        UR_COMMAND_HOST_TASK_EXP = 0x2200;
    }

    /// Queries for `urEventGetInfo`.
    ur_event_info_t {
        UR_EVENT_INFO_COMMAND_QUEUE = 0;
        UR_EVENT_INFO_CONTEXT = 1;
        UR_EVENT_INFO_COMMAND_TYPE = 2;
        UR_EVENT_INFO_COMMAND_EXECUTION_STATUS = 3;
        UR_EVENT_INFO_REFERENCE_COUNT = 4;
    }

    /// Execution status of an event's command.
    ur_event_status_t {
        UR_EVENT_STATUS_COMPLETE = 0;
        UR_EVENT_STATUS_RUNNING = 1;
        UR_EVENT_STATUS_SUBMITTED = 2;
        UR_EVENT_STATUS_QUEUED = 3;
        UR_EVENT_STATUS_ERROR = 4;
    }

    /// Execution status at which an event's callback is called.
    ur_execution_info_t {
        UR_EXECUTION_INFO_COMPLETE = 0;
        UR_EXECUTION_INFO_RUNNING = 1;
        UR_EXECUTION_INFO_SUBMITTED = 2;
        UR_EXECUTION_INFO_QUEUED = 3;
    }

    /// Flags of a new event. Since 2026.2.
    ur_exp_event_flag_t {
        UR_EXP_EVENT_FLAG_ENABLE_PROFILING = 1 << 0;
        UR_EXP_EVENT_FLAG_IPC_EXP = 1 << 1;
    }

    /// Queries for `urEventGetProfilingInfo`.
    ur_profiling_info_t {
        UR_PROFILING_INFO_COMMAND_QUEUED = 0;
        UR_PROFILING_INFO_COMMAND_SUBMIT = 1;
        UR_PROFILING_INFO_COMMAND_START = 2;
        UR_PROFILING_INFO_COMMAND_END = 3;
        UR_PROFILING_INFO_COMMAND_COMPLETE = 4;
    }
}
