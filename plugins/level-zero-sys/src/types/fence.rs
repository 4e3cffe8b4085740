//! Fences.

use std::ffi::c_void;

use super::structure_type::*;

flags! {
    /// Supported fence creation flags.
    ze_fence_flags_t | ze_fence_flag_t {
        /// Fence is created in the signaled state, otherwise not signaled.
        ZE_FENCE_FLAG_SIGNALED = 1 << 0,
    }
}

structs! {
    /// Fence descriptor.
    ze_fence_desc_t = ZE_STRUCTURE_TYPE_FENCE_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Creation flags. must be 0 (default) or a valid combination of ze_fence_flag_t.
        flags: ze_fence_flags_t,
    }
}
