//! Command lists, barriers and copies.

use std::ffi::c_void;

use super::structure_type::*;

enums! {
    /// Supported memory advice hints.
    ze_memory_advice_t {
        /// Hint that memory will be read from frequently and written to rarely.
        ZE_MEMORY_ADVICE_SET_READ_MOSTLY = 0,
        /// Removes the affect of ZE_MEMORY_ADVICE_SET_READ_MOSTLY.
        ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY = 1,
        /// Hint that the preferred memory location is the specified device.
        ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION = 2,
        /// Removes the affect of ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION.
        ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION = 3,
        /// Hints that memory should be not be cached.
        ZE_MEMORY_ADVICE_BIAS_UNCACHED = 7,
    }
}

flags! {
    /// Supported command list creation flags.
    ze_command_list_flags_t | ze_command_list_flag_t {
        /// Driver may reorder commands (e.g., kernels.
        ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING = 1 << 0,
        /// Driver may perform additional optimizations that increase execution throughput.
        ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT = 1 << 1,
        /// Command list should be optimized for submission to a single command queue and device engine.
        ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY = 1 << 2,
    }
}

structs! {
    /// Command List descriptor.
    ze_command_list_desc_t = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Command queue group ordinal to which this command list will be submitted.
        commandQueueGroupOrdinal: u32,
        /// Usage flags.
        flags: ze_command_list_flags_t,
    }
    /// Copy region descriptor.
    ze_copy_region_t {
        /// The origin x offset for region in bytes.
        originX: u32,
        /// The origin y offset for region in rows.
        originY: u32,
        /// The origin z offset for region in slices.
        originZ: u32,
        /// The region width relative to origin in bytes.
        width: u32,
        /// The region height relative to origin in rows.
        height: u32,
        /// The region depth relative to origin in slices. Set this to 0 for 2D copy.
        depth: u32,
    }
    /// Region descriptor.
    ze_image_region_t {
        /// The origin x offset for region in pixels.
        originX: u32,
        /// The origin y offset for region in pixels.
        originY: u32,
        /// The origin z offset for region in pixels.
        originZ: u32,
        /// The region width relative to origin in pixels.
        width: u32,
        /// The region height relative to origin in pixels.
        height: u32,
        /// The region depth relative to origin. For 1D or 2D images, set this to 1.
        depth: u32,
    }
}
