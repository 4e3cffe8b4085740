//! Samplers.

use std::ffi::c_void;

use super::common::ze_bool_t;
use super::structure_type::*;

enums! {
    /// Sampler addressing modes.
    ze_sampler_address_mode_t {
        /// No coordinate modifications for out-of-bounds image access.
        ZE_SAMPLER_ADDRESS_MODE_NONE = 0,
        /// Out-of-bounds coordinates are wrapped back around.
        ZE_SAMPLER_ADDRESS_MODE_REPEAT = 1,
        /// Out-of-bounds coordinates are clamped to edge.
        ZE_SAMPLER_ADDRESS_MODE_CLAMP = 2,
        /// Out-of-bounds coordinates are clamped to border color which is (0.0f, 0.0f, 0.0f.
        ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER = 3,
        /// Out-of-bounds coordinates are mirrored starting from edge.
        ZE_SAMPLER_ADDRESS_MODE_MIRROR = 4,
    }
    /// Sampler filtering modes.
    ze_sampler_filter_mode_t {
        /// No coordinate modifications for out of bounds image access.
        ZE_SAMPLER_FILTER_MODE_NEAREST = 0,
        /// Out-of-bounds coordinates are wrapped back around.
        ZE_SAMPLER_FILTER_MODE_LINEAR = 1,
    }
}

structs! {
    /// Sampler descriptor.
    ze_sampler_desc_t = ZE_STRUCTURE_TYPE_SAMPLER_DESC {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
        /// Sampler addressing mode to determine how out-of-bounds coordinates are handled.
        addressMode: ze_sampler_address_mode_t,
        /// Sampler filter mode to determine how samples are filtered.
        filterMode: ze_sampler_filter_mode_t,
        /// Are coordinates normalized \[0, 1\] or not.
        isNormalized: ze_bool_t,
    }
}
