//! Constants of the result entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_result
/// `_pi_result`.
pub const PI_SUCCESS: pi_result = 0;
/// `_pi_result`.
pub const PI_ERROR_DEVICE_NOT_FOUND: pi_result = -1;
/// `_pi_result`.
pub const PI_ERROR_DEVICE_NOT_AVAILABLE: pi_result = -2;
/// `_pi_result`.
pub const PI_ERROR_COMPILER_NOT_AVAILABLE: pi_result = -3;
/// `_pi_result`.
pub const PI_ERROR_MEM_OBJECT_ALLOCATION_FAILURE: pi_result = -4;
/// `_pi_result`.
pub const PI_ERROR_OUT_OF_RESOURCES: pi_result = -5;
/// `_pi_result`.
pub const PI_ERROR_OUT_OF_HOST_MEMORY: pi_result = -6;
/// `_pi_result`.
pub const PI_ERROR_PROFILING_INFO_NOT_AVAILABLE: pi_result = -7;
/// `_pi_result`.
pub const PI_ERROR_MEM_COPY_OVERLAP: pi_result = -8;
/// `_pi_result`.
pub const PI_ERROR_IMAGE_FORMAT_MISMATCH: pi_result = -9;
/// `_pi_result`.
pub const PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: pi_result = -10;
/// `_pi_result`.
pub const PI_ERROR_BUILD_PROGRAM_FAILURE: pi_result = -11;
/// `_pi_result`.
pub const PI_ERROR_MAP_FAILURE: pi_result = -12;
/// `_pi_result`.
pub const PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET: pi_result = -13;
/// `_pi_result`.
pub const PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: pi_result = -14;
/// `_pi_result`.
pub const PI_ERROR_COMPILE_PROGRAM_FAILURE: pi_result = -15;
/// `_pi_result`.
pub const PI_ERROR_LINKER_NOT_AVAILABLE: pi_result = -16;
/// `_pi_result`.
pub const PI_ERROR_LINK_PROGRAM_FAILURE: pi_result = -17;
/// `_pi_result`.
pub const PI_ERROR_DEVICE_PARTITION_FAILED: pi_result = -18;
/// `_pi_result`.
pub const PI_ERROR_KERNEL_ARG_INFO_NOT_AVAILABLE: pi_result = -19;
/// `_pi_result`.
pub const PI_ERROR_INVALID_VALUE: pi_result = -30;
/// `_pi_result`.
pub const PI_ERROR_INVALID_DEVICE_TYPE: pi_result = -31;
/// `_pi_result`.
pub const PI_ERROR_INVALID_PLATFORM: pi_result = -32;
/// `_pi_result`.
pub const PI_ERROR_INVALID_DEVICE: pi_result = -33;
/// `_pi_result`.
pub const PI_ERROR_INVALID_CONTEXT: pi_result = -34;
/// `_pi_result`.
pub const PI_ERROR_INVALID_QUEUE_PROPERTIES: pi_result = -35;
/// `_pi_result`.
pub const PI_ERROR_INVALID_QUEUE: pi_result = -36;
/// `_pi_result`.
pub const PI_ERROR_INVALID_HOST_PTR: pi_result = -37;
/// `_pi_result`.
pub const PI_ERROR_INVALID_MEM_OBJECT: pi_result = -38;
/// `_pi_result`.
pub const PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: pi_result = -39;
/// `_pi_result`.
pub const PI_ERROR_INVALID_IMAGE_SIZE: pi_result = -40;
/// `_pi_result`.
pub const PI_ERROR_INVALID_SAMPLER: pi_result = -41;
/// `_pi_result`.
pub const PI_ERROR_INVALID_BINARY: pi_result = -42;
/// `_pi_result`.
pub const PI_ERROR_INVALID_BUILD_OPTIONS: pi_result = -43;
/// `_pi_result`.
pub const PI_ERROR_INVALID_PROGRAM: pi_result = -44;
/// `_pi_result`.
pub const PI_ERROR_INVALID_PROGRAM_EXECUTABLE: pi_result = -45;
/// `_pi_result`.
pub const PI_ERROR_INVALID_KERNEL_NAME: pi_result = -46;
/// `_pi_result`.
pub const PI_ERROR_INVALID_KERNEL_DEFINITION: pi_result = -47;
/// `_pi_result`.
pub const PI_ERROR_INVALID_KERNEL: pi_result = -48;
/// `_pi_result`.
pub const PI_ERROR_INVALID_ARG_INDEX: pi_result = -49;
/// `_pi_result`.
pub const PI_ERROR_INVALID_ARG_VALUE: pi_result = -50;
/// `_pi_result`.
pub const PI_ERROR_INVALID_ARG_SIZE: pi_result = -51;
/// `_pi_result`.
pub const PI_ERROR_INVALID_KERNEL_ARGS: pi_result = -52;
/// `_pi_result`.
pub const PI_ERROR_INVALID_WORK_DIMENSION: pi_result = -53;
/// `_pi_result`.
pub const PI_ERROR_INVALID_WORK_GROUP_SIZE: pi_result = -54;
/// `_pi_result`.
pub const PI_ERROR_INVALID_WORK_ITEM_SIZE: pi_result = -55;
/// `_pi_result`.
pub const PI_ERROR_INVALID_GLOBAL_OFFSET: pi_result = -56;
/// `_pi_result`.
pub const PI_ERROR_INVALID_EVENT_WAIT_LIST: pi_result = -57;
/// `_pi_result`.
pub const PI_ERROR_INVALID_EVENT: pi_result = -58;
/// `_pi_result`.
pub const PI_ERROR_INVALID_OPERATION: pi_result = -59;
/// `_pi_result`.
pub const PI_ERROR_INVALID_GL_OBJECT: pi_result = -60;
/// `_pi_result`.
pub const PI_ERROR_INVALID_BUFFER_SIZE: pi_result = -61;
/// `_pi_result`.
pub const PI_ERROR_INVALID_MIP_LEVEL: pi_result = -62;
/// `_pi_result`.
pub const PI_ERROR_INVALID_GLOBAL_WORK_SIZE: pi_result = -63;
/// `_pi_result`.
pub const PI_ERROR_INVALID_PROPERTY: pi_result = -64;
/// `_pi_result`.
pub const PI_ERROR_INVALID_IMAGE_DESCRIPTOR: pi_result = -65;
/// `_pi_result`.
pub const PI_ERROR_INVALID_COMPILER_OPTIONS: pi_result = -66;
/// `_pi_result`.
pub const PI_ERROR_INVALID_LINKER_OPTIONS: pi_result = -67;
/// `_pi_result`.
pub const PI_ERROR_INVALID_DEVICE_PARTITION_COUNT: pi_result = -68;
/// `_pi_result`.
pub const PI_ERROR_INVALID_GL_SHAREGROUP_REFERENCE_KHR: pi_result = -1000;
/// `_pi_result`.
pub const PI_ERROR_PLATFORM_NOT_FOUND_KHR: pi_result = -1001;
/// `_pi_result`.
pub const PI_ERROR_INVALID_D3D10_DEVICE_KHR: pi_result = -1002;
/// `_pi_result`.
pub const PI_ERROR_INVALID_D3D10_RESOURCE_KHR: pi_result = -1003;
/// `_pi_result`.
pub const PI_ERROR_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR: pi_result = -1004;
/// `_pi_result`.
pub const PI_ERROR_D3D10_RESOURCE_NOT_ACQUIRED_KHR: pi_result = -1005;
/// `_pi_result`.
pub const PI_ERROR_INVALID_D3D11_DEVICE_KHR: pi_result = -1006;
/// `_pi_result`.
pub const PI_ERROR_INVALID_D3D11_RESOURCE_KHR: pi_result = -1007;
/// `_pi_result`.
pub const PI_ERROR_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR: pi_result = -1008;
/// `_pi_result`.
pub const PI_ERROR_D3D11_RESOURCE_NOT_ACQUIRED_KHR: pi_result = -1009;
/// `_pi_result`.
pub const PI_ERROR_INVALID_DX9_DEVICE_INTEL: pi_result = -1010;
/// `_pi_result`.
pub const PI_ERROR_INVALID_DX9_RESOURCE_INTEL: pi_result = -1011;
/// `_pi_result`.
pub const PI_ERROR_DX9_RESOURCE_ALREADY_ACQUIRED_INTEL: pi_result = -1012;
/// `_pi_result`.
pub const PI_ERROR_DX9_RESOURCE_NOT_ACQUIRED_INTEL: pi_result = -1013;
/// `_pi_result`.
pub const PI_ERROR_INVALID_COMMAND_BUFFER_KHR: pi_result = -1138;
/// `_pi_result`.
pub const PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR: pi_result = -1139;
/// `_pi_result`.
pub const PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR: pi_result = -1140;
/// `_pi_result`.
pub const PI_ERROR_DEVICE_PARTITION_FAILED_EXT: pi_result = -1057;
/// `_pi_result`.
pub const PI_ERROR_INVALID_PARTITION_COUNT_EXT: pi_result = -1058;
/// `_pi_result`.
pub const PI_ERROR_INVALID_PARTITION_NAME_EXT: pi_result = -1059;
/// `_pi_result`.
pub const PI_ERROR_EGL_RESOURCE_NOT_ACQUIRED_KHR: pi_result = -1092;
/// `_pi_result`.
pub const PI_ERROR_INVALID_EGL_OBJECT_KHR: pi_result = -1093;
/// `_pi_result`.
pub const PI_ERROR_INVALID_ACCELERATOR_INTEL: pi_result = -1094;
/// `_pi_result`.
pub const PI_ERROR_INVALID_ACCELERATOR_TYPE_INTEL: pi_result = -1095;
/// `_pi_result`.
pub const PI_ERROR_INVALID_ACCELERATOR_DESCRIPTOR_INTEL: pi_result = -1096;
/// `_pi_result`.
pub const PI_ERROR_ACCELERATOR_TYPE_NOT_SUPPORTED_INTEL: pi_result = -1097;
/// `_pi_result`.
pub const PI_ERROR_INVALID_VA_API_MEDIA_ADAPTER_INTEL: pi_result = -1098;
/// `_pi_result`.
pub const PI_ERROR_INVALID_VA_API_MEDIA_SURFACE_INTEL: pi_result = -1099;
/// `_pi_result`.
pub const PI_ERROR_VA_API_MEDIA_SURFACE_ALREADY_ACQUIRED_INTEL: pi_result = -1100;
/// `_pi_result`.
pub const PI_ERROR_VA_API_MEDIA_SURFACE_NOT_ACQUIRED_INTEL: pi_result = -1101;
/// `_pi_result`.
pub const PI_ERROR_UNINITIALIZED: pi_result = -1102;
/// `_pi_result`, since PI 15.47.
pub const PI_ERROR_UNSUPPORTED_FEATURE: pi_result = -995;
/// `_pi_result`.
pub const PI_ERROR_PLUGIN_SPECIFIC_ERROR: pi_result = -996;
/// `_pi_result`.
pub const PI_ERROR_COMMAND_EXECUTION_FAILURE: pi_result = -997;
/// `_pi_result`.
pub const PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE: pi_result = -998;
/// `_pi_result`.
pub const PI_ERROR_UNKNOWN: pi_result = -999;
