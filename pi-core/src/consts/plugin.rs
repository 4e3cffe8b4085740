//! Constants of the plugin entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// bool_values
/// `bool_values`.
pub const PI_TRUE: pi_bool = 1;
/// `bool_values`.
pub const PI_FALSE: pi_bool = 0;

// pi_ext_structure_type
/// `pi_ext_structure_type`, since PI 14.34.
pub const PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC: pi_ext_structure_type = 0;

// _pi_sanitize_type
/// `_pi_sanitize_type`.
pub const _PI_SANITIZE_TYPE_NONE: pi_sanitize_type = 0;
/// `_pi_sanitize_type`.
pub const _PI_SANITIZE_TYPE_ADDRESS: pi_sanitize_type = 1;
/// `_pi_sanitize_type`.
pub const _PI_SANITIZE_TYPE_MEMORY: pi_sanitize_type = 2;
/// `_pi_sanitize_type`.
pub const _PI_SANITIZE_TYPE_THREAD: pi_sanitize_type = 3;
