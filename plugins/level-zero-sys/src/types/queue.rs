//! Command queues.

use std::ffi::c_void;

use super::structure_type::*;

enums! {
    /// Supported command queue modes.
    ze_command_queue_mode_t {
        /// Implicit default behavior; uses driver-based heuristics.
        ZE_COMMAND_QUEUE_MODE_DEFAULT = 0,
        /// Device execution always completes immediately on execute.
        ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS = 1,
        /// Device execution is scheduled and will complete in future.
        ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS = 2,
    }
    /// Supported command queue priorities.
    ze_command_queue_priority_t {
        /// Normal priority.
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL = 0,
        /// Lower priority than normal.
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW = 1,
        /// Higher priority than normal.
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH = 2,
    }
}

flags! {
    /// Supported command queue flags.
    ze_command_queue_flags_t | ze_command_queue_flag_t {
        /// Command queue should be optimized for submission to a single device engine.
        ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY = 1 << 0,
    }
}

structs! {
    /// Command Queue descriptor.
    ze_command_queue_desc_t = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Command queue group ordinal.
        ordinal: u32,
        /// Command queue index within the group.
        index: u32,
        /// Usage flags.
        flags: ze_command_queue_flags_t,
        /// Operation mode.
        mode: ze_command_queue_mode_t,
        /// Priority.
        priority: ze_command_queue_priority_t,
    }
}
