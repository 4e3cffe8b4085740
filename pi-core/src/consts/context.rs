//! Constants of the context entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_context_info
/// `_pi_context_info`.
pub const PI_CONTEXT_INFO_DEVICES: pi_context_info = 0x1081;
/// `_pi_context_info`.
pub const PI_CONTEXT_INFO_PLATFORM: pi_context_info = 0x1084;
/// `_pi_context_info`.
pub const PI_CONTEXT_INFO_NUM_DEVICES: pi_context_info = 0x1083;
/// `_pi_context_info`.
pub const PI_CONTEXT_INFO_PROPERTIES: pi_context_info = 0x1082;
/// `_pi_context_info`.
pub const PI_CONTEXT_INFO_REFERENCE_COUNT: pi_context_info = 0x1080;
/// `_pi_context_info`.
pub const PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES: pi_context_info = 0x10010;
/// `_pi_context_info`.
pub const PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES: pi_context_info = 0x10011;
/// `_pi_context_info`.
pub const PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES: pi_context_info = 0x10012;
/// `_pi_context_info`.
pub const PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES: pi_context_info = 0x10013;
/// `_pi_context_info`, since PI 12.21.
pub const PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT: pi_context_info = 0x30000;
/// `_pi_context_info`, since PI 12.21.
pub const PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT: pi_context_info = 0x30001;
/// `_pi_context_info`, since PI 12.21.
pub const PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT: pi_context_info = 0x30002;
