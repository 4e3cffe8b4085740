//! Contexts.

use std::ffi::c_void;

use super::structure_type::*;

flags! {
    /// Supported context creation flags.
    ze_context_flags_t | ze_context_flag_t {
        /// Reserved for future use.
        ZE_CONTEXT_FLAG_TBD = 1 << 0,
    }
}

structs! {
    /// Context descriptor.
    ze_context_desc_t = ZE_STRUCTURE_TYPE_CONTEXT_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Creation flags.
        flags: ze_context_flags_t,
    }
}
