//! Events, their pools, their timestamps.

use std::ffi::c_void;

use super::structure_type::*;

flags! {
    /// Supported event pool creation flags.
    ze_event_pool_flags_t | ze_event_pool_flag_t {
        /// Signals and waits are also visible to host.
        ZE_EVENT_POOL_FLAG_HOST_VISIBLE = 1 << 0,
        /// Signals and waits may be shared across processes.
        ZE_EVENT_POOL_FLAG_IPC = 1 << 1,
        /// Indicates all events in pool will contain kernel timestamps.
        ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP = 1 << 2,
    }
    /// Supported event scope flags.
    ze_event_scope_flags_t | ze_event_scope_flag_t {
        /// Cache hierarchies are flushed or invalidated sufficient for local sub-device access.
        ZE_EVENT_SCOPE_FLAG_SUBDEVICE = 1 << 0,
        /// Cache hierarchies are flushed or invalidated sufficient for global device access and peer.
        ZE_EVENT_SCOPE_FLAG_DEVICE = 1 << 1,
        /// Cache hierarchies are flushed or invalidated sufficient for device and host access.
        ZE_EVENT_SCOPE_FLAG_HOST = 1 << 2,
    }
}

structs! {
    /// Event pool descriptor.
    ze_event_pool_desc_t = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Creation flags.
        flags: ze_event_pool_flags_t,
        /// Number of events within the pool; must be greater than 0.
        count: u32,
    }
    /// Event descriptor.
    ze_event_desc_t = ZE_STRUCTURE_TYPE_EVENT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Index of the event within the pool; must be less-than the count specified during pool creation.
        index: u32,
        /// Defines the scope of relevant cache hierarchies to flush on a signal action before the event is.
        signal: ze_event_scope_flags_t,
        /// Defines the scope of relevant cache hierarchies to invalidate on a wait action after the event.
        wait: ze_event_scope_flags_t,
    }
    /// Kernel timestamp clock data.
    ze_kernel_timestamp_data_t {
        /// Device clock at start of kernel execution.
        kernelStart: u64,
        /// Device clock at end of kernel execution.
        kernelEnd: u64,
    }
    /// Kernel timestamp result.
    ze_kernel_timestamp_result_t {
        /// Wall-clock data.
        global: ze_kernel_timestamp_data_t,
        /// Context-active data; only includes clocks while device context was actively executing.
        context: ze_kernel_timestamp_data_t,
    }
}
