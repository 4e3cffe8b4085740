//! Numbers of events.

enumeration! {
    /// Queries of an event.
    pub struct EventInfo: u32 {
        COMMAND_QUEUE = 0x11d0,
        CONTEXT = 0x11d4,
        COMMAND_TYPE = 0x11d1,
        COMMAND_EXECUTION_STATUS = 0x11d3,
        REFERENCE_COUNT = 0x11d2,
    }
}

enumeration! {
    /// Execution status of a command. A negative number is the error that terminated it.
    pub struct EventStatus: i32 {
        COMPLETE = 0,
        RUNNING = 1,
        SUBMITTED = 2,
        QUEUED = 3,
    }
}

enumeration! {
    /// Type of an event's command.
    pub struct CommandType: u32 {
        NDRANGE_KERNEL = 0x11f0,
        MEM_BUFFER_READ = 0x11f3,
        MEM_BUFFER_WRITE = 0x11f4,
        MEM_BUFFER_COPY = 0x11f5,
        MEM_BUFFER_MAP = 0x11fb,
        MEM_BUFFER_UNMAP = 0x11fd,
        MEM_BUFFER_READ_RECT = 0x1201,
        MEM_BUFFER_WRITE_RECT = 0x1202,
        MEM_BUFFER_COPY_RECT = 0x1203,
        USER = 0x1204,
        MEM_BUFFER_FILL = 0x1207,
        IMAGE_READ = 0x11f6,
        IMAGE_WRITE = 0x11f7,
        IMAGE_COPY = 0x11f8,
        NATIVE_KERNEL = 0x11f2,
        COPY_BUFFER_TO_IMAGE = 0x11fa,
        COPY_IMAGE_TO_BUFFER = 0x11f9,
        MAP_IMAGE = 0x11fc,
        MARKER = 0x11fe,
        ACQUIRE_GL_OBJECTS = 0x11ff,
        RELEASE_GL_OBJECTS = 0x1200,
        BARRIER = 0x1205,
        MIGRATE_MEM_OBJECTS = 0x1206,
        FILL_IMAGE = 0x1208,
        SVM_FREE = 0x1209,
        SVM_MEMCPY = 0x120a,
        SVM_MEMFILL = 0x120b,
        SVM_MAP = 0x120c,
        SVM_UNMAP = 0x120d,
        EXT_COMMAND_BUFFER = 0x12a8,
        DEVICE_GLOBAL_VARIABLE_READ = 0x418e,
        DEVICE_GLOBAL_VARIABLE_WRITE = 0x418f,
    }
}

enumeration! {
    /// Timestamps of a command.
    pub struct ProfilingInfo: u32 {
        COMMAND_QUEUED = 0x1280,
        COMMAND_SUBMIT = 0x1281,
        COMMAND_START = 0x1282,
        COMMAND_END = 0x1283,
    }
}
