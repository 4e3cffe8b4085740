//! Constants of the queue entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_queue_info
/// `_pi_queue_info`.
pub const PI_QUEUE_INFO_CONTEXT: pi_queue_info = 0x1090;
/// `_pi_queue_info`.
pub const PI_QUEUE_INFO_DEVICE: pi_queue_info = 0x1091;
/// `_pi_queue_info`.
pub const PI_QUEUE_INFO_DEVICE_DEFAULT: pi_queue_info = 0x1095;
/// `_pi_queue_info`.
pub const PI_QUEUE_INFO_PROPERTIES: pi_queue_info = 0x1093;
/// `_pi_queue_info`.
pub const PI_QUEUE_INFO_REFERENCE_COUNT: pi_queue_info = 0x1092;
/// `_pi_queue_info`.
pub const PI_QUEUE_INFO_SIZE: pi_queue_info = 0x1094;
/// `_pi_queue_info`, since PI 11.18.
pub const PI_EXT_ONEAPI_QUEUE_INFO_EMPTY: pi_queue_info = 0x2096;

// pi_queue_property_keys
/// `pi_queue_property_keys`, since PI 12.20.
pub const PI_QUEUE_FLAGS: pi_queue_properties = -1i64 as u64;
/// `pi_queue_property_keys`, since PI 12.20.
pub const PI_QUEUE_COMPUTE_INDEX: pi_queue_properties = -2i64 as u64;

// pi_queue_flag_bits
/// `pi_queue_flag_bits`.
pub const PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE: pi_queue_properties = 1;
/// `pi_queue_flag_bits`.
pub const PI_QUEUE_FLAG_PROFILING_ENABLE: pi_queue_properties = 2;
/// `pi_queue_flag_bits`.
pub const PI_QUEUE_FLAG_ON_DEVICE: pi_queue_properties = 4;
/// `pi_queue_flag_bits`.
pub const PI_QUEUE_FLAG_ON_DEVICE_DEFAULT: pi_queue_properties = 8;
/// `pi_queue_flag_bits`, since PI 10.13.
pub const PI_EXT_ONEAPI_QUEUE_FLAG_DISCARD_EVENTS: pi_queue_properties = 0x10;
/// `pi_queue_flag_bits`, since PI 11.17.
pub const PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW: pi_queue_properties = 0x20;
/// `pi_queue_flag_bits`, since PI 11.17.
pub const PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH: pi_queue_properties = 0x40;
/// `pi_queue_flag_bits`.
pub const PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE: pi_queue_properties = 0x80;
/// `pi_queue_flag_bits`.
pub const PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE: pi_queue_properties = 0x100;
