//! Constants of the program entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_program_info
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_REFERENCE_COUNT: pi_program_info = 0x1160;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_CONTEXT: pi_program_info = 0x1161;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_NUM_DEVICES: pi_program_info = 0x1162;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_DEVICES: pi_program_info = 0x1163;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_SOURCE: pi_program_info = 0x1164;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_BINARY_SIZES: pi_program_info = 0x1165;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_BINARIES: pi_program_info = 0x1166;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_NUM_KERNELS: pi_program_info = 0x1167;
/// `_pi_program_info`.
pub const PI_PROGRAM_INFO_KERNEL_NAMES: pi_program_info = 0x1168;

// _pi_program_build_info
/// `_pi_program_build_info`.
pub const PI_PROGRAM_BUILD_INFO_STATUS: pi_program_build_info = 0x1181;
/// `_pi_program_build_info`.
pub const PI_PROGRAM_BUILD_INFO_OPTIONS: pi_program_build_info = 0x1182;
/// `_pi_program_build_info`.
pub const PI_PROGRAM_BUILD_INFO_LOG: pi_program_build_info = 0x1183;
/// `_pi_program_build_info`.
pub const PI_PROGRAM_BUILD_INFO_BINARY_TYPE: pi_program_build_info = 0x1184;

// _pi_program_build_status
/// `_pi_program_build_status`.
pub const PI_PROGRAM_BUILD_STATUS_NONE: pi_program_build_status = -1;
/// `_pi_program_build_status`.
pub const PI_PROGRAM_BUILD_STATUS_ERROR: pi_program_build_status = -2;
/// `_pi_program_build_status`.
pub const PI_PROGRAM_BUILD_STATUS_SUCCESS: pi_program_build_status = 0;
/// `_pi_program_build_status`.
pub const PI_PROGRAM_BUILD_STATUS_IN_PROGRESS: pi_program_build_status = -3;

// _pi_program_binary_type
/// `_pi_program_binary_type`.
pub const PI_PROGRAM_BINARY_TYPE_NONE: pi_program_binary_type = 0;
/// `_pi_program_binary_type`.
pub const PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT: pi_program_binary_type = 1;
/// `_pi_program_binary_type`.
pub const PI_PROGRAM_BINARY_TYPE_LIBRARY: pi_program_binary_type = 2;
/// `_pi_program_binary_type`.
pub const PI_PROGRAM_BINARY_TYPE_EXECUTABLE: pi_program_binary_type = 4;
