//! Constants of the kernel entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_kernel_info
/// `_pi_kernel_info`.
pub const PI_KERNEL_INFO_FUNCTION_NAME: pi_kernel_info = 0x1190;
/// `_pi_kernel_info`.
pub const PI_KERNEL_INFO_NUM_ARGS: pi_kernel_info = 0x1191;
/// `_pi_kernel_info`.
pub const PI_KERNEL_INFO_REFERENCE_COUNT: pi_kernel_info = 0x1192;
/// `_pi_kernel_info`.
pub const PI_KERNEL_INFO_CONTEXT: pi_kernel_info = 0x1193;
/// `_pi_kernel_info`.
pub const PI_KERNEL_INFO_PROGRAM: pi_kernel_info = 0x1194;
/// `_pi_kernel_info`.
pub const PI_KERNEL_INFO_ATTRIBUTES: pi_kernel_info = 0x1195;
/// `_pi_kernel_info`.
pub const PI_EXT_ONEAPI_KERNEL_INFO_WORK_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL: pi_kernel_info = 0x1196;
/// `_pi_kernel_info`.
pub const PI_EXT_ONEAPI_KERNEL_INFO_SUB_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL: pi_kernel_info = 0x1197;
/// `_pi_kernel_info`.
pub const PI_EXT_ONEAPI_KERNEL_INFO_SUB_GROUP_PROGRESS_AT_WORK_GROUP_LEVEL: pi_kernel_info = 0x1198;
/// `_pi_kernel_info`.
pub const PI_EXT_ONEAPI_KERNEL_INFO_WORK_ITEM_PROGRESS_AT_ROOT_GROUP_LEVEL: pi_kernel_info = 0x1199;
/// `_pi_kernel_info`.
pub const PI_EXT_ONEAPI_KERNEL_INFO_WORK_ITEM_PROGRESS_AT_WORK_GROUP_LEVEL: pi_kernel_info = 0x119a;
/// `_pi_kernel_info`.
pub const PI_EXT_ONEAPI_KERNEL_INFO_WORK_ITEM_PROGRESS_AT_SUB_GROUP_LEVEL: pi_kernel_info = 0x119b;

// _pi_kernel_group_info
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE: pi_kernel_group_info = 0x11b5;
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE: pi_kernel_group_info = 0x11b0;
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE: pi_kernel_group_info = 0x11b1;
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE: pi_kernel_group_info = 0x11b2;
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: pi_kernel_group_info = 0x11b3;
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE: pi_kernel_group_info = 0x11b4;
/// `_pi_kernel_group_info`.
pub const PI_KERNEL_GROUP_INFO_NUM_REGS: pi_kernel_group_info = 0x10112;

// _pi_kernel_sub_group_info
/// `_pi_kernel_sub_group_info`.
pub const PI_KERNEL_MAX_SUB_GROUP_SIZE: pi_kernel_sub_group_info = 0x2033;
/// `_pi_kernel_sub_group_info`.
pub const PI_KERNEL_MAX_NUM_SUB_GROUPS: pi_kernel_sub_group_info = 0x11b9;
/// `_pi_kernel_sub_group_info`.
pub const PI_KERNEL_COMPILE_NUM_SUB_GROUPS: pi_kernel_sub_group_info = 0x11ba;
/// `_pi_kernel_sub_group_info`.
pub const PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: pi_kernel_sub_group_info = 0x410a;

// _pi_kernel_exec_info
/// `_pi_kernel_exec_info`.
pub const PI_USM_INDIRECT_ACCESS: pi_kernel_exec_info = 0;
/// `_pi_kernel_exec_info`.
pub const PI_USM_PTRS: pi_kernel_exec_info = 0x4203;
/// `_pi_kernel_exec_info`, since PI 12.24.
pub const PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG: pi_kernel_exec_info = 0x4204;

// _pi_kernel_cache_config
/// `_pi_kernel_cache_config`, since PI 12.24.
pub const PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT: pi_kernel_cache_config = 0;
/// `_pi_kernel_cache_config`, since PI 12.24.
pub const PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM: pi_kernel_cache_config = 1;
/// `_pi_kernel_cache_config`, since PI 12.24.
pub const PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA: pi_kernel_cache_config = 2;
