//! Constants of the sampler entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_sampler_info
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_REFERENCE_COUNT: pi_sampler_info = 0x1150;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_CONTEXT: pi_sampler_info = 0x1151;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_NORMALIZED_COORDS: pi_sampler_info = 0x1152;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_ADDRESSING_MODE: pi_sampler_info = 0x1153;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_FILTER_MODE: pi_sampler_info = 0x1154;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_MIP_FILTER_MODE: pi_sampler_info = 0x1155;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_LOD_MIN: pi_sampler_info = 0x1156;
/// `_pi_sampler_info`.
pub const PI_SAMPLER_INFO_LOD_MAX: pi_sampler_info = 0x1157;

// _pi_sampler_addressing_mode
/// `_pi_sampler_addressing_mode`.
pub const PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT: pi_sampler_addressing_mode = 0x1134;
/// `_pi_sampler_addressing_mode`.
pub const PI_SAMPLER_ADDRESSING_MODE_REPEAT: pi_sampler_addressing_mode = 0x1133;
/// `_pi_sampler_addressing_mode`.
pub const PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE: pi_sampler_addressing_mode = 0x1131;
/// `_pi_sampler_addressing_mode`.
pub const PI_SAMPLER_ADDRESSING_MODE_CLAMP: pi_sampler_addressing_mode = 0x1132;
/// `_pi_sampler_addressing_mode`.
pub const PI_SAMPLER_ADDRESSING_MODE_NONE: pi_sampler_addressing_mode = 0x1130;

// _pi_sampler_filter_mode
/// `_pi_sampler_filter_mode`.
pub const PI_SAMPLER_FILTER_MODE_NEAREST: pi_sampler_filter_mode = 0x1140;
/// `_pi_sampler_filter_mode`.
pub const PI_SAMPLER_FILTER_MODE_LINEAR: pi_sampler_filter_mode = 0x1141;

// _pi_sampler_cubemap_filter_mode
/// `_pi_sampler_cubemap_filter_mode`, since PI 15.49.
pub const PI_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED: pi_sampler_cubemap_filter_mode = 0x1142;
/// `_pi_sampler_cubemap_filter_mode`, since PI 15.49.
pub const PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS: pi_sampler_cubemap_filter_mode = 0x1143;

// pi_sampler_properties
/// `pi_sampler_properties`.
pub const PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS: pi_sampler_properties = 0x1152;
/// `pi_sampler_properties`.
pub const PI_SAMPLER_PROPERTIES_ADDRESSING_MODE: pi_sampler_properties = 0x1153;
/// `pi_sampler_properties`.
pub const PI_SAMPLER_PROPERTIES_FILTER_MODE: pi_sampler_properties = 0x1154;
/// `pi_sampler_properties`.
pub const PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE: pi_sampler_properties = 0x1155;
/// `pi_sampler_properties`, since PI 15.49.
pub const PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE: pi_sampler_properties = 0x1156;
