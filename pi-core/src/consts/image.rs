//! Constants of device images: binary kinds, target names, property-set names.

use core::ffi::CStr;

use crate::types::*;

// pi_property_type
/// `pi_property_type`.
pub const PI_PROPERTY_TYPE_UNKNOWN: pi_property_type = 0;
/// `pi_property_type`.
pub const PI_PROPERTY_TYPE_UINT32: pi_property_type = 1;
/// `pi_property_type`.
pub const PI_PROPERTY_TYPE_BYTE_ARRAY: pi_property_type = 2;
/// `pi_property_type`.
pub const PI_PROPERTY_TYPE_STRING: pi_property_type = 3;

// pi_device_binary_type
/// `pi_device_binary_type`.
pub const PI_DEVICE_BINARY_TYPE_NONE: pi_device_binary_type = 0;
/// `pi_device_binary_type`.
pub const PI_DEVICE_BINARY_TYPE_NATIVE: pi_device_binary_type = 1;
/// `pi_device_binary_type`.
pub const PI_DEVICE_BINARY_TYPE_SPIRV: pi_device_binary_type = 2;
/// `pi_device_binary_type`.
pub const PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE: pi_device_binary_type = 3;

// version_constants
/// `version_constants`.
pub const PI_DEVICE_BINARY_VERSION: u16 = 1;
/// `version_constants`.
pub const PI_DEVICE_BINARIES_VERSION: u16 = 1;

// offload_kind
/// `offload_kind`.
pub const PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL: u8 = 4;

// device_binary_target
/// `<unknown>`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_UNKNOWN: &CStr = c"<unknown>";
/// `spir`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV32: &CStr = c"spir";
/// `spir64`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64: &CStr = c"spir64";
/// `spir64_x86_64`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64: &CStr = c"spir64_x86_64";
/// `spir64_gen`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_GEN: &CStr = c"spir64_gen";
/// `spir64_fpga`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA: &CStr = c"spir64_fpga";
/// `nvptx64`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_NVPTX64: &CStr = c"nvptx64";
/// `amdgcn`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_AMDGCN: &CStr = c"amdgcn";
/// `native_cpu`.
pub const __SYCL_PI_DEVICE_BINARY_TARGET_NATIVE_CPU: &CStr = c"native_cpu";

// property_set_name
/// `SYCL/specialization constants`.
pub const __SYCL_PI_PROPERTY_SET_SPEC_CONST_MAP: &CStr = c"SYCL/specialization constants";
/// `SYCL/specialization constants default values`.
pub const __SYCL_PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP: &CStr =
    c"SYCL/specialization constants default values";
/// `SYCL/devicelib req mask`.
pub const __SYCL_PI_PROPERTY_SET_DEVICELIB_REQ_MASK: &CStr = c"SYCL/devicelib req mask";
/// `SYCL/kernel param opt`.
pub const __SYCL_PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO: &CStr = c"SYCL/kernel param opt";
/// `SYCL/program metadata`.
pub const __SYCL_PI_PROPERTY_SET_PROGRAM_METADATA: &CStr = c"SYCL/program metadata";
/// `SYCL/misc properties`.
pub const __SYCL_PI_PROPERTY_SET_SYCL_MISC_PROP: &CStr = c"SYCL/misc properties";
/// `SYCL/assert used`.
pub const __SYCL_PI_PROPERTY_SET_SYCL_ASSERT_USED: &CStr = c"SYCL/assert used";
/// `SYCL/exported symbols`.
pub const __SYCL_PI_PROPERTY_SET_SYCL_EXPORTED_SYMBOLS: &CStr = c"SYCL/exported symbols";
/// `SYCL/device globals`.
pub const __SYCL_PI_PROPERTY_SET_SYCL_DEVICE_GLOBALS: &CStr = c"SYCL/device globals";
/// `SYCL/device requirements`.
pub const __SYCL_PI_PROPERTY_SET_SYCL_DEVICE_REQUIREMENTS: &CStr = c"SYCL/device requirements";
/// `SYCL/host pipes`.
pub const __SYCL_PI_PROPERTY_SET_SYCL_HOST_PIPES: &CStr = c"SYCL/host pipes";

// program_metadata_tag
/// `@reqd_work_group_size`.
pub const __SYCL_PI_PROGRAM_METADATA_TAG_REQD_WORK_GROUP_SIZE: &CStr = c"@reqd_work_group_size";
/// `@global_id_mapping`.
pub const __SYCL_PI_PROGRAM_METADATA_GLOBAL_ID_MAPPING: &CStr = c"@global_id_mapping";
/// `Requires finalization`.
pub const __SYCL_PI_PROGRAM_METADATA_TAG_NEED_FINALIZATION: &CStr = c"Requires finalization";
