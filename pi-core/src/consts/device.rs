//! Constants of the device entry points, as of PI 15.47 (values: golden/enums.json).

use core::ffi::CStr;

use crate::types::*;

// _pi_device_type
/// `_pi_device_type`.
pub const PI_DEVICE_TYPE_DEFAULT: pi_device_type = 1;
/// `_pi_device_type`.
pub const PI_DEVICE_TYPE_ALL: pi_device_type = 0xffffffff;
/// `_pi_device_type`.
pub const PI_DEVICE_TYPE_CPU: pi_device_type = 2;
/// `_pi_device_type`.
pub const PI_DEVICE_TYPE_GPU: pi_device_type = 4;
/// `_pi_device_type`.
pub const PI_DEVICE_TYPE_ACC: pi_device_type = 8;
/// `_pi_device_type`.
pub const PI_DEVICE_TYPE_CUSTOM: pi_device_type = 0x10;

// _pi_device_info
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_TYPE: pi_device_info = 0x1000;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_VENDOR_ID: pi_device_info = 0x1001;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_COMPUTE_UNITS: pi_device_info = 0x1002;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS: pi_device_info = 0x1003;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES: pi_device_info = 0x1005;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE: pi_device_info = 0x1004;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_SINGLE_FP_CONFIG: pi_device_info = 0x101b;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_HALF_FP_CONFIG: pi_device_info = 0x1033;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_DOUBLE_FP_CONFIG: pi_device_info = 0x1032;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_QUEUE_PROPERTIES: pi_device_info = 0x102a;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR: pi_device_info = 0x1006;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT: pi_device_info = 0x1007;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT: pi_device_info = 0x1008;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG: pi_device_info = 0x1009;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT: pi_device_info = 0x100a;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE: pi_device_info = 0x100b;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF: pi_device_info = 0x1034;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR: pi_device_info = 0x1036;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT: pi_device_info = 0x1037;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT: pi_device_info = 0x1038;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG: pi_device_info = 0x1039;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT: pi_device_info = 0x103a;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE: pi_device_info = 0x103b;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF: pi_device_info = 0x103c;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY: pi_device_info = 0x100c;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_ADDRESS_BITS: pi_device_info = 0x100d;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE: pi_device_info = 0x1010;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE_SUPPORT: pi_device_info = 0x1016;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_READ_IMAGE_ARGS: pi_device_info = 0x100e;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS: pi_device_info = 0x100f;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH: pi_device_info = 0x1011;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT: pi_device_info = 0x1012;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE3D_MAX_WIDTH: pi_device_info = 0x1013;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE3D_MAX_HEIGHT: pi_device_info = 0x1014;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH: pi_device_info = 0x1015;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE: pi_device_info = 0x1040;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE: pi_device_info = 0x1041;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_SAMPLERS: pi_device_info = 0x1018;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_PARAMETER_SIZE: pi_device_info = 0x1017;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN: pi_device_info = 0x1019;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE: pi_device_info = 0x101c;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE: pi_device_info = 0x101d;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE: pi_device_info = 0x101e;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GLOBAL_MEM_SIZE: pi_device_info = 0x101f;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE: pi_device_info = 0x1020;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_CONSTANT_ARGS: pi_device_info = 0x1021;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_LOCAL_MEM_TYPE: pi_device_info = 0x1022;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_LOCAL_MEM_SIZE: pi_device_info = 0x1023;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT: pi_device_info = 0x1024;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_HOST_UNIFIED_MEMORY: pi_device_info = 0x1035;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PROFILING_TIMER_RESOLUTION: pi_device_info = 0x1025;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_ENDIAN_LITTLE: pi_device_info = 0x1026;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_AVAILABLE: pi_device_info = 0x1027;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_COMPILER_AVAILABLE: pi_device_info = 0x1028;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_LINKER_AVAILABLE: pi_device_info = 0x103e;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_EXECUTION_CAPABILITIES: pi_device_info = 0x1029;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES: pi_device_info = 0x104e;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES: pi_device_info = 0x102a;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_BUILT_IN_KERNELS: pi_device_info = 0x103f;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PLATFORM: pi_device_info = 0x1031;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_REFERENCE_COUNT: pi_device_info = 0x1047;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IL_VERSION: pi_device_info = 0x105b;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_NAME: pi_device_info = 0x102b;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_VENDOR: pi_device_info = 0x102c;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_DRIVER_VERSION: pi_device_info = 0x102d;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PROFILE: pi_device_info = 0x102e;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_VERSION: pi_device_info = 0x102f;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_OPENCL_C_VERSION: pi_device_info = 0x103d;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_EXTENSIONS: pi_device_info = 0x1030;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PRINTF_BUFFER_SIZE: pi_device_info = 0x1049;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC: pi_device_info = 0x1048;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PARENT_DEVICE: pi_device_info = 0x1042;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PARTITION_PROPERTIES: pi_device_info = 0x1044;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES: pi_device_info = 0x1043;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN: pi_device_info = 0x1045;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PARTITION_TYPE: pi_device_info = 0x1046;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS: pi_device_info = 0x105c;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: pi_device_info = 0x105d;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL: pi_device_info = 0x4108;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_USM_HOST_SUPPORT: pi_device_info = 0x4190;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_USM_DEVICE_SUPPORT: pi_device_info = 0x4191;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT: pi_device_info = 0x4192;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT: pi_device_info = 0x4193;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT: pi_device_info = 0x4194;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_UUID: pi_device_info = 0x106a;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION: pi_device_info = 0x4250;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_DEVICE_ID: pi_device_info = 0x4251;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_PCI_ADDRESS: pi_device_info = 0x10020;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GPU_EU_COUNT: pi_device_info = 0x10021;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GPU_EU_SIMD_WIDTH: pi_device_info = 0x10022;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GPU_SLICES: pi_device_info = 0x10023;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE: pi_device_info = 0x10024;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE: pi_device_info = 0x10025;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_MAX_MEM_BANDWIDTH: pi_device_info = 0x10026;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_IMAGE_SRGB: pi_device_info = 0x10027;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_BUILD_ON_SUBDEVICE: pi_device_info = 0x10028;
/// `_pi_device_info`, since PI 10.14.
pub const PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY: pi_device_info = 0x10029;
/// `_pi_device_info`, since PI 11.16.
pub const PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE: pi_device_info = 0x10030;
/// `_pi_device_info`, since PI 11.16.
pub const PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH: pi_device_info = 0x10031;
/// `_pi_device_info`, since PI 12.20.
pub const PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES: pi_device_info = 0x10032;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_ATOMIC_64: pi_device_info = 0x10110;
/// `_pi_device_info`.
pub const PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES: pi_device_info = 0x10111;
/// `_pi_device_info`.
pub const PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES: pi_device_info = 0x11000;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_GPU_HW_THREADS_PER_EU: pi_device_info = 0x10112;
/// `_pi_device_info`.
pub const PI_DEVICE_INFO_BACKEND_VERSION: pi_device_info = 0x10113;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS: pi_device_info = 0x1ffff;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS: pi_device_info = 0x20000;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D: pi_device_info = 0x20001;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D: pi_device_info = 0x20002;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D: pi_device_info = 0x20003;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER: pi_device_info = 0x20004;
/// `_pi_device_info`.
pub const PI_EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION: pi_device_info = 0x20005;
/// `_pi_device_info`, since PI 12.25.
pub const PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES: pi_device_info = 0x20006;
/// `_pi_device_info`, since PI 12.25.
pub const PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES: pi_device_info = 0x20007;
/// `_pi_device_info`, since PI 12.30.
pub const PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT: pi_device_info = 0x20008;
/// `_pi_device_info`, since PI 12.31.
pub const PI_EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP: pi_device_info = 0x20009;
/// `_pi_device_info`, since PI 14.39.
pub const PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT: pi_device_info = 0x2000a;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_WORK_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL: pi_device_info = 0x2000b;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_SUB_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL: pi_device_info = 0x2000c;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_SUB_GROUP_PROGRESS_AT_WORK_GROUP_LEVEL: pi_device_info = 0x2000d;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_WORK_ITEM_PROGRESS_AT_ROOT_GROUP_LEVEL: pi_device_info = 0x2000e;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_WORK_ITEM_PROGRESS_AT_WORK_GROUP_LEVEL: pi_device_info = 0x2000f;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_WORK_ITEM_PROGRESS_AT_SUB_GROUP_LEVEL: pi_device_info = 0x20010;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT: pi_device_info = 0x20100;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT: pi_device_info = 0x20101;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT: pi_device_info = 0x20102;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT: pi_device_info = 0x20103;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN: pi_device_info = 0x20104;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH: pi_device_info = 0x20105;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT: pi_device_info = 0x20106;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH: pi_device_info = 0x20107;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT: pi_device_info = 0x20108;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT: pi_device_info = 0x20109;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY: pi_device_info = 0x2010a;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT: pi_device_info = 0x2010b;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT: pi_device_info = 0x2010c;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT: pi_device_info = 0x2010d;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT: pi_device_info = 0x2010e;
/// `_pi_device_info`, since PI 14.36.
pub const PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT: pi_device_info = 0x2010f;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS: pi_device_info = 0x20110;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES: pi_device_info = 0x20111;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE: pi_device_info = 0x20112;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT: pi_device_info = 0x20113;
/// `_pi_device_info`.
pub const PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_UPDATE_SUPPORT: pi_device_info = 0x20114;
/// `_pi_device_info`, since PI 15.49.
pub const PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT: pi_device_info = 0x20115;
/// `_pi_device_info`, since PI 15.49.
pub const PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT: pi_device_info = 0x20116;

// _pi_device_mem_cache_type
/// `_pi_device_mem_cache_type`.
pub const PI_DEVICE_MEM_CACHE_TYPE_NONE: pi_device_mem_cache_type = 0;
/// `_pi_device_mem_cache_type`.
pub const PI_DEVICE_MEM_CACHE_TYPE_READ_ONLY_CACHE: pi_device_mem_cache_type = 1;
/// `_pi_device_mem_cache_type`.
pub const PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE: pi_device_mem_cache_type = 2;

// _pi_device_local_mem_type
/// `_pi_device_local_mem_type`.
pub const PI_DEVICE_LOCAL_MEM_TYPE_LOCAL: pi_device_local_mem_type = 1;
/// `_pi_device_local_mem_type`.
pub const PI_DEVICE_LOCAL_MEM_TYPE_GLOBAL: pi_device_local_mem_type = 2;

// _pi_fp_capabilities
/// `_pi_fp_capabilities`.
pub const PI_FP_DENORM: pi_device_fp_config = 1;
/// `_pi_fp_capabilities`.
pub const PI_FP_INF_NAN: pi_device_fp_config = 2;
/// `_pi_fp_capabilities`.
pub const PI_FP_ROUND_TO_NEAREST: pi_device_fp_config = 4;
/// `_pi_fp_capabilities`.
pub const PI_FP_ROUND_TO_ZERO: pi_device_fp_config = 8;
/// `_pi_fp_capabilities`.
pub const PI_FP_ROUND_TO_INF: pi_device_fp_config = 0x10;
/// `_pi_fp_capabilities`.
pub const PI_FP_FMA: pi_device_fp_config = 0x20;
/// `_pi_fp_capabilities`.
pub const PI_FP_SOFT_FLOAT: pi_device_fp_config = 0x40;
/// `_pi_fp_capabilities`.
pub const PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: pi_device_fp_config = 0x80;

// pi_device_exec_capabilities
/// `pi_device_exec_capabilities`.
pub const PI_DEVICE_EXEC_CAPABILITIES_KERNEL: pi_device_exec_capabilities = 1;
/// `pi_device_exec_capabilities`.
pub const PI_DEVICE_EXEC_CAPABILITIES_NATIVE_KERNEL: pi_device_exec_capabilities = 2;
/// `pi_device_exec_capabilities`.
pub const PI_EXEC_KERNEL: pi_device_exec_capabilities = 1;
/// `pi_device_exec_capabilities`.
pub const PI_EXEC_NATIVE_KERNEL: pi_device_exec_capabilities = 2;

// pi_memory_order_capabilities
/// `pi_memory_order_capabilities`.
pub const PI_MEMORY_ORDER_RELAXED: pi_memory_order_capabilities = 1;
/// `pi_memory_order_capabilities`.
pub const PI_MEMORY_ORDER_ACQUIRE: pi_memory_order_capabilities = 2;
/// `pi_memory_order_capabilities`.
pub const PI_MEMORY_ORDER_RELEASE: pi_memory_order_capabilities = 4;
/// `pi_memory_order_capabilities`.
pub const PI_MEMORY_ORDER_ACQ_REL: pi_memory_order_capabilities = 8;
/// `pi_memory_order_capabilities`.
pub const PI_MEMORY_ORDER_SEQ_CST: pi_memory_order_capabilities = 0x10;

// pi_memory_scope_capabilities
/// `pi_memory_scope_capabilities`.
pub const PI_MEMORY_SCOPE_WORK_ITEM: pi_memory_scope_capabilities = 1;
/// `pi_memory_scope_capabilities`.
pub const PI_MEMORY_SCOPE_SUB_GROUP: pi_memory_scope_capabilities = 2;
/// `pi_memory_scope_capabilities`.
pub const PI_MEMORY_SCOPE_WORK_GROUP: pi_memory_scope_capabilities = 4;
/// `pi_memory_scope_capabilities`.
pub const PI_MEMORY_SCOPE_DEVICE: pi_memory_scope_capabilities = 8;
/// `pi_memory_scope_capabilities`.
pub const PI_MEMORY_SCOPE_SYSTEM: pi_memory_scope_capabilities = 0x10;

// pi_device_partition_property
/// `pi_device_partition_property`.
pub const PI_DEVICE_PARTITION_EQUALLY: pi_device_partition_property = 0x1086;
/// `pi_device_partition_property`.
pub const PI_DEVICE_PARTITION_BY_COUNTS: pi_device_partition_property = 0x1087;
/// `pi_device_partition_property`.
pub const PI_DEVICE_PARTITION_BY_COUNTS_LIST_END: pi_device_partition_property = 0;
/// `pi_device_partition_property`.
pub const PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: pi_device_partition_property = 0x1088;
/// `pi_device_partition_property`, since PI 12.19.
pub const PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE: pi_device_partition_property = 0x1089;

// pi_device_affinity_domain
/// `pi_device_affinity_domain`.
pub const PI_DEVICE_AFFINITY_DOMAIN_NUMA: pi_device_affinity_domain = 1;
/// `pi_device_affinity_domain`.
pub const PI_DEVICE_AFFINITY_DOMAIN_L4_CACHE: pi_device_affinity_domain = 2;
/// `pi_device_affinity_domain`.
pub const PI_DEVICE_AFFINITY_DOMAIN_L3_CACHE: pi_device_affinity_domain = 4;
/// `pi_device_affinity_domain`.
pub const PI_DEVICE_AFFINITY_DOMAIN_L2_CACHE: pi_device_affinity_domain = 8;
/// `pi_device_affinity_domain`.
pub const PI_DEVICE_AFFINITY_DOMAIN_L1_CACHE: pi_device_affinity_domain = 0x10;
/// `pi_device_affinity_domain`.
pub const PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE: pi_device_affinity_domain = 0x20;

// _pi_usm_capability_query
/// `_pi_usm_capability_query`.
pub const PI_USM_HOST_SUPPORT: pi_usm_capability_query = 0x4190;
/// `_pi_usm_capability_query`.
pub const PI_USM_DEVICE_SUPPORT: pi_usm_capability_query = 0x4191;
/// `_pi_usm_capability_query`.
pub const PI_USM_SINGLE_SHARED_SUPPORT: pi_usm_capability_query = 0x4192;
/// `_pi_usm_capability_query`.
pub const PI_USM_CROSS_SHARED_SUPPORT: pi_usm_capability_query = 0x4193;
/// `_pi_usm_capability_query`.
pub const PI_USM_SYSTEM_SHARED_SUPPORT: pi_usm_capability_query = 0x4194;

// _pi_usm_capabilities
/// `_pi_usm_capabilities`.
pub const PI_USM_ACCESS: pi_usm_capabilities = 1;
/// `_pi_usm_capabilities`.
pub const PI_USM_ATOMIC_ACCESS: pi_usm_capabilities = 2;
/// `_pi_usm_capabilities`.
pub const PI_USM_CONCURRENT_ACCESS: pi_usm_capabilities = 4;
/// `_pi_usm_capabilities`.
pub const PI_USM_CONCURRENT_ATOMIC_ACCESS: pi_usm_capabilities = 8;

// extension_string
/// `cl_intel_devicelib_assert` ("pi_ext_intel_devicelib_assert" up to 14.42).
pub const PI_DEVICE_INFO_EXTENSION_DEVICELIB_ASSERT: &CStr = c"cl_intel_devicelib_assert";

// _pi_peer_attr
/// `_pi_peer_attr`, since PI 14.35.
pub const PI_PEER_ACCESS_SUPPORTED: pi_peer_attr = 0;
/// `_pi_peer_attr`, since PI 14.35.
pub const PI_PEER_ATOMICS_SUPPORTED: pi_peer_attr = 1;
