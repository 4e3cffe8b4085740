//! Constants of the platform entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_platform_info
/// `_pi_platform_info`.
pub const PI_PLATFORM_INFO_EXTENSIONS: pi_platform_info = 0x904;
/// `_pi_platform_info`.
pub const PI_PLATFORM_INFO_NAME: pi_platform_info = 0x902;
/// `_pi_platform_info`.
pub const PI_PLATFORM_INFO_PROFILE: pi_platform_info = 0x900;
/// `_pi_platform_info`.
pub const PI_PLATFORM_INFO_VENDOR: pi_platform_info = 0x903;
/// `_pi_platform_info`.
pub const PI_PLATFORM_INFO_VERSION: pi_platform_info = 0x901;
/// `_pi_platform_info`, since PI 12.29.
pub const PI_EXT_PLATFORM_INFO_BACKEND: pi_platform_info = 0x21000;

// _pi_platform_backend
/// `_pi_platform_backend`, since PI 12.29.
pub const PI_EXT_PLATFORM_BACKEND_UNKNOWN: pi_platform_backend = 0;
/// `_pi_platform_backend`, since PI 12.29.
pub const PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO: pi_platform_backend = 1;
/// `_pi_platform_backend`, since PI 12.29.
pub const PI_EXT_PLATFORM_BACKEND_OPENCL: pi_platform_backend = 2;
/// `_pi_platform_backend`, since PI 12.29.
pub const PI_EXT_PLATFORM_BACKEND_CUDA: pi_platform_backend = 3;
/// `_pi_platform_backend`, since PI 12.29.
pub const PI_EXT_PLATFORM_BACKEND_HIP: pi_platform_backend = 4;
/// `_pi_platform_backend`, since PI 12.29.
pub const PI_EXT_PLATFORM_BACKEND_ESIMD: pi_platform_backend = 5;
/// `_pi_platform_backend`.
pub const PI_EXT_PLATFORM_BACKEND_NATIVE_CPU: pi_platform_backend = 6;
