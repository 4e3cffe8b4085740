/*
 * The SYCL Plugin Interface (PI), versions 9.11 to 15.47: types, constants, functions.
 *
 * Versions. A plugin serves several PI versions, whose function tables differ in order, length and, for some
 * functions, in signature. The host writes the version that it speaks into `PiVersion` of the structure that it passes
 * to `piPluginInit`; the plugin fills the table of that version. Use the structure of the version that you name:
 *
 *     pi_plugin_15_47 plugin = {.PiVersion = "15.47"};
 *     if (piPluginInit(&plugin) == PI_SUCCESS)
 *         plugin.PiFunctionTable.piPlatformsGet(0, NULL, &count);
 *
 * With dlsym, cast the symbol to `piPluginInit_fn`. Exported symbols and prototypes below are those of PI 15.47, and so
 * are the constants' values; a comment says since which version a constant exists, and where a number was another before.
 *
 * Ownership. What piXCreate, piDevicePartition and the like return holds one reference, which the caller gives back with
 * piXRelease; piXRetain takes one more. Memory of piextUSM*Alloc is freed with piextUSMFree. Arrays and texts that the
 * caller passes in are read during the call and stay the caller's, except the host memory of asynchronous commands,
 * which must live until their event is complete. Query results are written to the caller's memory: ask first with size 0
 * and a null pointer for the size. Texts from piPluginGetLastError and piPluginGetBackendOption belong to the plugin.
 * The OpenCL plugin keeps texts of what the driver refuses from the first call of piPluginGetLastError on: who wants the
 * first one too calls it once at the beginning.
 * Device images passed to piextDeviceSelectBinary stay the caller's.
 *
 * Every function returns a `pi_result`: PI_SUCCESS, or a negative number.
 */

#ifndef PI_PI_H
#define PI_PI_H

/* Written by `cargo xtask headers` from pi-core. Do not edit. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names in device images, and extensions' names. */
#define PI_DEVICE_INFO_EXTENSION_DEVICELIB_ASSERT "cl_intel_devicelib_assert"
#define __SYCL_PI_DEVICE_BINARY_TARGET_UNKNOWN "<unknown>"
#define __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV32 "spir"
#define __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64 "spir64"
#define __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64 "spir64_x86_64"
#define __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_GEN "spir64_gen"
#define __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA "spir64_fpga"
#define __SYCL_PI_DEVICE_BINARY_TARGET_NVPTX64 "nvptx64"
#define __SYCL_PI_DEVICE_BINARY_TARGET_AMDGCN "amdgcn"
#define __SYCL_PI_DEVICE_BINARY_TARGET_NATIVE_CPU "native_cpu"
#define __SYCL_PI_PROPERTY_SET_SPEC_CONST_MAP "SYCL/specialization constants"
#define __SYCL_PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP "SYCL/specialization constants default values"
#define __SYCL_PI_PROPERTY_SET_DEVICELIB_REQ_MASK "SYCL/devicelib req mask"
#define __SYCL_PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO "SYCL/kernel param opt"
#define __SYCL_PI_PROPERTY_SET_PROGRAM_METADATA "SYCL/program metadata"
#define __SYCL_PI_PROPERTY_SET_SYCL_MISC_PROP "SYCL/misc properties"
#define __SYCL_PI_PROPERTY_SET_SYCL_ASSERT_USED "SYCL/assert used"
#define __SYCL_PI_PROPERTY_SET_SYCL_EXPORTED_SYMBOLS "SYCL/exported symbols"
#define __SYCL_PI_PROPERTY_SET_SYCL_DEVICE_GLOBALS "SYCL/device globals"
#define __SYCL_PI_PROPERTY_SET_SYCL_DEVICE_REQUIREMENTS "SYCL/device requirements"
#define __SYCL_PI_PROPERTY_SET_SYCL_HOST_PIPES "SYCL/host pipes"
#define __SYCL_PI_PROGRAM_METADATA_TAG_REQD_WORK_GROUP_SIZE "@reqd_work_group_size"
#define __SYCL_PI_PROGRAM_METADATA_GLOBAL_ID_MAPPING "@global_id_mapping"
#define __SYCL_PI_PROGRAM_METADATA_TAG_NEED_FINALIZATION "Requires finalization"


#define PI_DEVICE_BINARY_VERSION ((uint16_t)1)

#define PI_DEVICE_BINARIES_VERSION ((uint16_t)1)

#define PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL ((uint8_t)4)

typedef enum _pi_result {
    PI_SUCCESS = 0,
    PI_ERROR_DEVICE_NOT_FOUND = -1,
    PI_ERROR_DEVICE_NOT_AVAILABLE = -2,
    PI_ERROR_COMPILER_NOT_AVAILABLE = -3,
    PI_ERROR_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    PI_ERROR_OUT_OF_RESOURCES = -5,
    PI_ERROR_OUT_OF_HOST_MEMORY = -6,
    PI_ERROR_PROFILING_INFO_NOT_AVAILABLE = -7,
    PI_ERROR_MEM_COPY_OVERLAP = -8,
    PI_ERROR_IMAGE_FORMAT_MISMATCH = -9,
    PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED = -10,
    PI_ERROR_BUILD_PROGRAM_FAILURE = -11,
    PI_ERROR_MAP_FAILURE = -12,
    PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET = -13,
    PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    PI_ERROR_COMPILE_PROGRAM_FAILURE = -15,
    PI_ERROR_LINKER_NOT_AVAILABLE = -16,
    PI_ERROR_LINK_PROGRAM_FAILURE = -17,
    PI_ERROR_DEVICE_PARTITION_FAILED = -18,
    PI_ERROR_KERNEL_ARG_INFO_NOT_AVAILABLE = -19,
    PI_ERROR_INVALID_VALUE = -30,
    PI_ERROR_INVALID_DEVICE_TYPE = -31,
    PI_ERROR_INVALID_PLATFORM = -32,
    PI_ERROR_INVALID_DEVICE = -33,
    PI_ERROR_INVALID_CONTEXT = -34,
    PI_ERROR_INVALID_QUEUE_PROPERTIES = -35,
    PI_ERROR_INVALID_QUEUE = -36,
    PI_ERROR_INVALID_HOST_PTR = -37,
    PI_ERROR_INVALID_MEM_OBJECT = -38,
    PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR = -39,
    PI_ERROR_INVALID_IMAGE_SIZE = -40,
    PI_ERROR_INVALID_SAMPLER = -41,
    PI_ERROR_INVALID_BINARY = -42,
    PI_ERROR_INVALID_BUILD_OPTIONS = -43,
    PI_ERROR_INVALID_PROGRAM = -44,
    PI_ERROR_INVALID_PROGRAM_EXECUTABLE = -45,
    PI_ERROR_INVALID_KERNEL_NAME = -46,
    PI_ERROR_INVALID_KERNEL_DEFINITION = -47,
    PI_ERROR_INVALID_KERNEL = -48,
    PI_ERROR_INVALID_ARG_INDEX = -49,
    PI_ERROR_INVALID_ARG_VALUE = -50,
    PI_ERROR_INVALID_ARG_SIZE = -51,
    PI_ERROR_INVALID_KERNEL_ARGS = -52,
    PI_ERROR_INVALID_WORK_DIMENSION = -53,
    PI_ERROR_INVALID_WORK_GROUP_SIZE = -54,
    PI_ERROR_INVALID_WORK_ITEM_SIZE = -55,
    PI_ERROR_INVALID_GLOBAL_OFFSET = -56,
    PI_ERROR_INVALID_EVENT_WAIT_LIST = -57,
    PI_ERROR_INVALID_EVENT = -58,
    PI_ERROR_INVALID_OPERATION = -59,
    PI_ERROR_INVALID_GL_OBJECT = -60,
    PI_ERROR_INVALID_BUFFER_SIZE = -61,
    PI_ERROR_INVALID_MIP_LEVEL = -62,
    PI_ERROR_INVALID_GLOBAL_WORK_SIZE = -63,
    PI_ERROR_INVALID_PROPERTY = -64,
    PI_ERROR_INVALID_IMAGE_DESCRIPTOR = -65,
    PI_ERROR_INVALID_COMPILER_OPTIONS = -66,
    PI_ERROR_INVALID_LINKER_OPTIONS = -67,
    PI_ERROR_INVALID_DEVICE_PARTITION_COUNT = -68,
    PI_ERROR_INVALID_GL_SHAREGROUP_REFERENCE_KHR = -1000,
    PI_ERROR_PLATFORM_NOT_FOUND_KHR = -1001,
    PI_ERROR_INVALID_D3D10_DEVICE_KHR = -1002,
    PI_ERROR_INVALID_D3D10_RESOURCE_KHR = -1003,
    PI_ERROR_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR = -1004,
    PI_ERROR_D3D10_RESOURCE_NOT_ACQUIRED_KHR = -1005,
    PI_ERROR_INVALID_D3D11_DEVICE_KHR = -1006,
    PI_ERROR_INVALID_D3D11_RESOURCE_KHR = -1007,
    PI_ERROR_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR = -1008,
    PI_ERROR_D3D11_RESOURCE_NOT_ACQUIRED_KHR = -1009,
    PI_ERROR_INVALID_DX9_DEVICE_INTEL = -1010,
    PI_ERROR_INVALID_DX9_RESOURCE_INTEL = -1011,
    PI_ERROR_DX9_RESOURCE_ALREADY_ACQUIRED_INTEL = -1012,
    PI_ERROR_DX9_RESOURCE_NOT_ACQUIRED_INTEL = -1013,
    PI_ERROR_INVALID_COMMAND_BUFFER_KHR = -1138,
    PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR = -1139,
    PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR = -1140,
    PI_ERROR_DEVICE_PARTITION_FAILED_EXT = -1057,
    PI_ERROR_INVALID_PARTITION_COUNT_EXT = -1058,
    PI_ERROR_INVALID_PARTITION_NAME_EXT = -1059,
    PI_ERROR_EGL_RESOURCE_NOT_ACQUIRED_KHR = -1092,
    PI_ERROR_INVALID_EGL_OBJECT_KHR = -1093,
    PI_ERROR_INVALID_ACCELERATOR_INTEL = -1094,
    PI_ERROR_INVALID_ACCELERATOR_TYPE_INTEL = -1095,
    PI_ERROR_INVALID_ACCELERATOR_DESCRIPTOR_INTEL = -1096,
    PI_ERROR_ACCELERATOR_TYPE_NOT_SUPPORTED_INTEL = -1097,
    PI_ERROR_INVALID_VA_API_MEDIA_ADAPTER_INTEL = -1098,
    PI_ERROR_INVALID_VA_API_MEDIA_SURFACE_INTEL = -1099,
    PI_ERROR_VA_API_MEDIA_SURFACE_ALREADY_ACQUIRED_INTEL = -1100,
    PI_ERROR_VA_API_MEDIA_SURFACE_NOT_ACQUIRED_INTEL = -1101,
    PI_ERROR_UNINITIALIZED = -1102,
    /// Since PI 15.47.
    PI_ERROR_UNSUPPORTED_FEATURE = -995,
    PI_ERROR_PLUGIN_SPECIFIC_ERROR = -996,
    PI_ERROR_COMMAND_EXECUTION_FAILURE = -997,
    PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE = -998,
    PI_ERROR_UNKNOWN = -999,
} _pi_result;

typedef enum _pi_platform_info {
    PI_PLATFORM_INFO_EXTENSIONS = 0x904,
    PI_PLATFORM_INFO_NAME = 0x902,
    PI_PLATFORM_INFO_PROFILE = 0x900,
    PI_PLATFORM_INFO_VENDOR = 0x903,
    PI_PLATFORM_INFO_VERSION = 0x901,
    /// Since PI 12.29.
    PI_EXT_PLATFORM_INFO_BACKEND = 0x21000,
} _pi_platform_info;

typedef enum _pi_device_info {
    PI_DEVICE_INFO_TYPE = 0x1000,
    PI_DEVICE_INFO_VENDOR_ID = 0x1001,
    PI_DEVICE_INFO_MAX_COMPUTE_UNITS = 0x1002,
    PI_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS = 0x1003,
    PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES = 0x1005,
    PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE = 0x1004,
    PI_DEVICE_INFO_SINGLE_FP_CONFIG = 0x101b,
    PI_DEVICE_INFO_HALF_FP_CONFIG = 0x1033,
    PI_DEVICE_INFO_DOUBLE_FP_CONFIG = 0x1032,
    PI_DEVICE_INFO_QUEUE_PROPERTIES = 0x102a,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR = 0x1006,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT = 0x1007,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT = 0x1008,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG = 0x1009,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT = 0x100a,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE = 0x100b,
    PI_DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF = 0x1034,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR = 0x1036,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT = 0x1037,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT = 0x1038,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG = 0x1039,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT = 0x103a,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE = 0x103b,
    PI_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF = 0x103c,
    PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY = 0x100c,
    PI_DEVICE_INFO_ADDRESS_BITS = 0x100d,
    PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE = 0x1010,
    PI_DEVICE_INFO_IMAGE_SUPPORT = 0x1016,
    PI_DEVICE_INFO_MAX_READ_IMAGE_ARGS = 0x100e,
    PI_DEVICE_INFO_MAX_WRITE_IMAGE_ARGS = 0x100f,
    PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH = 0x1011,
    PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT = 0x1012,
    PI_DEVICE_INFO_IMAGE3D_MAX_WIDTH = 0x1013,
    PI_DEVICE_INFO_IMAGE3D_MAX_HEIGHT = 0x1014,
    PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH = 0x1015,
    PI_DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE = 0x1040,
    PI_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE = 0x1041,
    PI_DEVICE_INFO_MAX_SAMPLERS = 0x1018,
    PI_DEVICE_INFO_MAX_PARAMETER_SIZE = 0x1017,
    PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN = 0x1019,
    PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE = 0x101c,
    PI_DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE = 0x101d,
    PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE = 0x101e,
    PI_DEVICE_INFO_GLOBAL_MEM_SIZE = 0x101f,
    PI_DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE = 0x1020,
    PI_DEVICE_INFO_MAX_CONSTANT_ARGS = 0x1021,
    PI_DEVICE_INFO_LOCAL_MEM_TYPE = 0x1022,
    PI_DEVICE_INFO_LOCAL_MEM_SIZE = 0x1023,
    PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT = 0x1024,
    PI_DEVICE_INFO_HOST_UNIFIED_MEMORY = 0x1035,
    PI_DEVICE_INFO_PROFILING_TIMER_RESOLUTION = 0x1025,
    PI_DEVICE_INFO_ENDIAN_LITTLE = 0x1026,
    PI_DEVICE_INFO_AVAILABLE = 0x1027,
    PI_DEVICE_INFO_COMPILER_AVAILABLE = 0x1028,
    PI_DEVICE_INFO_LINKER_AVAILABLE = 0x103e,
    PI_DEVICE_INFO_EXECUTION_CAPABILITIES = 0x1029,
    PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES = 0x104e,
    PI_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES = 0x102a,
    PI_DEVICE_INFO_BUILT_IN_KERNELS = 0x103f,
    PI_DEVICE_INFO_PLATFORM = 0x1031,
    PI_DEVICE_INFO_REFERENCE_COUNT = 0x1047,
    PI_DEVICE_INFO_IL_VERSION = 0x105b,
    PI_DEVICE_INFO_NAME = 0x102b,
    PI_DEVICE_INFO_VENDOR = 0x102c,
    PI_DEVICE_INFO_DRIVER_VERSION = 0x102d,
    PI_DEVICE_INFO_PROFILE = 0x102e,
    PI_DEVICE_INFO_VERSION = 0x102f,
    PI_DEVICE_INFO_OPENCL_C_VERSION = 0x103d,
    PI_DEVICE_INFO_EXTENSIONS = 0x1030,
    PI_DEVICE_INFO_PRINTF_BUFFER_SIZE = 0x1049,
    PI_DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC = 0x1048,
    PI_DEVICE_INFO_PARENT_DEVICE = 0x1042,
    PI_DEVICE_INFO_PARTITION_PROPERTIES = 0x1044,
    PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES = 0x1043,
    PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN = 0x1045,
    PI_DEVICE_INFO_PARTITION_TYPE = 0x1046,
    PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS = 0x105c,
    PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS = 0x105d,
    PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL = 0x4108,
    PI_DEVICE_INFO_USM_HOST_SUPPORT = 0x4190,
    PI_DEVICE_INFO_USM_DEVICE_SUPPORT = 0x4191,
    PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT = 0x4192,
    PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT = 0x4193,
    PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT = 0x4194,
    PI_DEVICE_INFO_UUID = 0x106a,
    PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION = 0x4250,
    PI_DEVICE_INFO_DEVICE_ID = 0x4251,
    PI_DEVICE_INFO_PCI_ADDRESS = 0x10020,
    PI_DEVICE_INFO_GPU_EU_COUNT = 0x10021,
    PI_DEVICE_INFO_GPU_EU_SIMD_WIDTH = 0x10022,
    PI_DEVICE_INFO_GPU_SLICES = 0x10023,
    PI_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE = 0x10024,
    PI_DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE = 0x10025,
    PI_DEVICE_INFO_MAX_MEM_BANDWIDTH = 0x10026,
    PI_DEVICE_INFO_IMAGE_SRGB = 0x10027,
    PI_DEVICE_INFO_BUILD_ON_SUBDEVICE = 0x10028,
    /// Since PI 10.14.
    PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY = 0x10029,
    /// Since PI 11.16.
    PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE = 0x10030,
    /// Since PI 11.16.
    PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH = 0x10031,
    /// Since PI 12.20.
    PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES = 0x10032,
    PI_DEVICE_INFO_ATOMIC_64 = 0x10110,
    PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES = 0x10111,
    PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES = 0x11000,
    PI_DEVICE_INFO_GPU_HW_THREADS_PER_EU = 0x10112,
    PI_DEVICE_INFO_BACKEND_VERSION = 0x10113,
    PI_EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS = 0x1ffff,
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS = 0x20000,
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D = 0x20001,
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D = 0x20002,
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D = 0x20003,
    PI_EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER = 0x20004,
    PI_EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION = 0x20005,
    /// Since PI 12.25.
    PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES = 0x20006,
    /// Since PI 12.25.
    PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES = 0x20007,
    /// Since PI 12.30.
    PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT = 0x20008,
    /// Since PI 12.31.
    PI_EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP = 0x20009,
    /// Since PI 14.39.
    PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT = 0x2000a,
    PI_EXT_ONEAPI_DEVICE_INFO_WORK_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x2000b,
    PI_EXT_ONEAPI_DEVICE_INFO_SUB_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x2000c,
    PI_EXT_ONEAPI_DEVICE_INFO_SUB_GROUP_PROGRESS_AT_WORK_GROUP_LEVEL = 0x2000d,
    PI_EXT_ONEAPI_DEVICE_INFO_WORK_ITEM_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x2000e,
    PI_EXT_ONEAPI_DEVICE_INFO_WORK_ITEM_PROGRESS_AT_WORK_GROUP_LEVEL = 0x2000f,
    PI_EXT_ONEAPI_DEVICE_INFO_WORK_ITEM_PROGRESS_AT_SUB_GROUP_LEVEL = 0x20010,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT = 0x20100,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT = 0x20101,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT = 0x20102,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT = 0x20103,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN = 0x20104,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH = 0x20105,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT = 0x20106,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH = 0x20107,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT = 0x20108,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT = 0x20109,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY = 0x2010a,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT = 0x2010b,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT = 0x2010c,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT = 0x2010d,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT = 0x2010e,
    /// Since PI 14.36.
    PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT = 0x2010f,
    PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS = 0x20110,
    PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES = 0x20111,
    PI_EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE = 0x20112,
    PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT = 0x20113,
    PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_UPDATE_SUPPORT = 0x20114,
    /// Since PI 15.49.
    PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT = 0x20115,
    /// Since PI 15.49.
    PI_EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT = 0x20116,
} _pi_device_info;

typedef enum _pi_context_info {
    PI_CONTEXT_INFO_DEVICES = 0x1081,
    PI_CONTEXT_INFO_PLATFORM = 0x1084,
    PI_CONTEXT_INFO_NUM_DEVICES = 0x1083,
    PI_CONTEXT_INFO_PROPERTIES = 0x1082,
    PI_CONTEXT_INFO_REFERENCE_COUNT = 0x1080,
    PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES = 0x10010,
    PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES = 0x10011,
    PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES = 0x10012,
    PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES = 0x10013,
    /// Since PI 12.21.
    PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT = 0x30000,
    /// Since PI 12.21.
    PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT = 0x30001,
    /// Since PI 12.21.
    PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT = 0x30002,
} _pi_context_info;

typedef enum _pi_queue_info {
    PI_QUEUE_INFO_CONTEXT = 0x1090,
    PI_QUEUE_INFO_DEVICE = 0x1091,
    PI_QUEUE_INFO_DEVICE_DEFAULT = 0x1095,
    PI_QUEUE_INFO_PROPERTIES = 0x1093,
    PI_QUEUE_INFO_REFERENCE_COUNT = 0x1092,
    PI_QUEUE_INFO_SIZE = 0x1094,
    /// Since PI 11.18.
    PI_EXT_ONEAPI_QUEUE_INFO_EMPTY = 0x2096,
} _pi_queue_info;

typedef enum _pi_image_channel_order {
    PI_IMAGE_CHANNEL_ORDER_A = 0x10b1,
    PI_IMAGE_CHANNEL_ORDER_R = 0x10b0,
    PI_IMAGE_CHANNEL_ORDER_RG = 0x10b2,
    PI_IMAGE_CHANNEL_ORDER_RA = 0x10b3,
    PI_IMAGE_CHANNEL_ORDER_RGB = 0x10b4,
    PI_IMAGE_CHANNEL_ORDER_RGBA = 0x10b5,
    PI_IMAGE_CHANNEL_ORDER_BGRA = 0x10b6,
    PI_IMAGE_CHANNEL_ORDER_ARGB = 0x10b7,
    PI_IMAGE_CHANNEL_ORDER_ABGR = 0x10c3,
    PI_IMAGE_CHANNEL_ORDER_INTENSITY = 0x10b8,
    PI_IMAGE_CHANNEL_ORDER_LUMINANCE = 0x10b9,
    PI_IMAGE_CHANNEL_ORDER_Rx = 0x10ba,
    PI_IMAGE_CHANNEL_ORDER_RGx = 0x10bb,
    PI_IMAGE_CHANNEL_ORDER_RGBx = 0x10bc,
    PI_IMAGE_CHANNEL_ORDER_sRGBA = 0x10c1,
} _pi_image_channel_order;

typedef enum _pi_image_channel_type {
    PI_IMAGE_CHANNEL_TYPE_SNORM_INT8 = 0x10d0,
    PI_IMAGE_CHANNEL_TYPE_SNORM_INT16 = 0x10d1,
    PI_IMAGE_CHANNEL_TYPE_UNORM_INT8 = 0x10d2,
    PI_IMAGE_CHANNEL_TYPE_UNORM_INT16 = 0x10d3,
    PI_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565 = 0x10d4,
    PI_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555 = 0x10d5,
    PI_IMAGE_CHANNEL_TYPE_UNORM_INT_101010 = 0x10d6,
    PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8 = 0x10d7,
    PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16 = 0x10d8,
    PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32 = 0x10d9,
    PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8 = 0x10da,
    PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16 = 0x10db,
    PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32 = 0x10dc,
    PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT = 0x10dd,
    PI_IMAGE_CHANNEL_TYPE_FLOAT = 0x10de,
} _pi_image_channel_type;

typedef enum _pi_mem_type {
    PI_MEM_TYPE_BUFFER = 0x10f0,
    PI_MEM_TYPE_IMAGE2D = 0x10f1,
    PI_MEM_TYPE_IMAGE3D = 0x10f2,
    PI_MEM_TYPE_IMAGE2D_ARRAY = 0x10f3,
    PI_MEM_TYPE_IMAGE1D = 0x10f4,
    PI_MEM_TYPE_IMAGE1D_ARRAY = 0x10f5,
    PI_MEM_TYPE_IMAGE1D_BUFFER = 0x10f6,
    /// Since PI 15.49.
    PI_MEM_TYPE_IMAGE_CUBEMAP = 0x10f7,
} _pi_mem_type;

typedef enum _pi_mem_info {
    PI_MEM_CONTEXT = 0x1106,
    PI_MEM_SIZE = 0x1102,
} _pi_mem_info;

typedef enum _pi_image_info {
    PI_IMAGE_INFO_FORMAT = 0x1110,
    PI_IMAGE_INFO_ELEMENT_SIZE = 0x1111,
    PI_IMAGE_INFO_ROW_PITCH = 0x1112,
    PI_IMAGE_INFO_SLICE_PITCH = 0x1113,
    PI_IMAGE_INFO_WIDTH = 0x1114,
    PI_IMAGE_INFO_HEIGHT = 0x1115,
    PI_IMAGE_INFO_DEPTH = 0x1116,
} _pi_image_info;

typedef enum _pi_buffer_create_type {
    PI_BUFFER_CREATE_TYPE_REGION = 0x1220,
} _pi_buffer_create_type;

typedef enum _pi_program_info {
    PI_PROGRAM_INFO_REFERENCE_COUNT = 0x1160,
    PI_PROGRAM_INFO_CONTEXT = 0x1161,
    PI_PROGRAM_INFO_NUM_DEVICES = 0x1162,
    PI_PROGRAM_INFO_DEVICES = 0x1163,
    PI_PROGRAM_INFO_SOURCE = 0x1164,
    PI_PROGRAM_INFO_BINARY_SIZES = 0x1165,
    PI_PROGRAM_INFO_BINARIES = 0x1166,
    PI_PROGRAM_INFO_NUM_KERNELS = 0x1167,
    PI_PROGRAM_INFO_KERNEL_NAMES = 0x1168,
} _pi_program_info;

typedef enum _pi_program_build_info {
    PI_PROGRAM_BUILD_INFO_STATUS = 0x1181,
    PI_PROGRAM_BUILD_INFO_OPTIONS = 0x1182,
    PI_PROGRAM_BUILD_INFO_LOG = 0x1183,
    PI_PROGRAM_BUILD_INFO_BINARY_TYPE = 0x1184,
} _pi_program_build_info;

typedef enum _pi_kernel_info {
    PI_KERNEL_INFO_FUNCTION_NAME = 0x1190,
    PI_KERNEL_INFO_NUM_ARGS = 0x1191,
    PI_KERNEL_INFO_REFERENCE_COUNT = 0x1192,
    PI_KERNEL_INFO_CONTEXT = 0x1193,
    PI_KERNEL_INFO_PROGRAM = 0x1194,
    PI_KERNEL_INFO_ATTRIBUTES = 0x1195,
    PI_EXT_ONEAPI_KERNEL_INFO_WORK_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x1196,
    PI_EXT_ONEAPI_KERNEL_INFO_SUB_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x1197,
    PI_EXT_ONEAPI_KERNEL_INFO_SUB_GROUP_PROGRESS_AT_WORK_GROUP_LEVEL = 0x1198,
    PI_EXT_ONEAPI_KERNEL_INFO_WORK_ITEM_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x1199,
    PI_EXT_ONEAPI_KERNEL_INFO_WORK_ITEM_PROGRESS_AT_WORK_GROUP_LEVEL = 0x119a,
    PI_EXT_ONEAPI_KERNEL_INFO_WORK_ITEM_PROGRESS_AT_SUB_GROUP_LEVEL = 0x119b,
} _pi_kernel_info;

typedef enum _pi_kernel_group_info {
    PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE = 0x11b5,
    PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE = 0x11b0,
    PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE = 0x11b1,
    PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE = 0x11b2,
    PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11b3,
    PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE = 0x11b4,
    PI_KERNEL_GROUP_INFO_NUM_REGS = 0x10112,
} _pi_kernel_group_info;

typedef enum _pi_kernel_sub_group_info {
    PI_KERNEL_MAX_SUB_GROUP_SIZE = 0x2033,
    PI_KERNEL_MAX_NUM_SUB_GROUPS = 0x11b9,
    PI_KERNEL_COMPILE_NUM_SUB_GROUPS = 0x11ba,
    PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL = 0x410a,
} _pi_kernel_sub_group_info;

typedef enum _pi_kernel_exec_info {
    PI_USM_INDIRECT_ACCESS = 0,
    PI_USM_PTRS = 0x4203,
    /// Since PI 12.24.
    PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG = 0x4204,
} _pi_kernel_exec_info;

typedef enum _pi_event_info {
    PI_EVENT_INFO_COMMAND_QUEUE = 0x11d0,
    PI_EVENT_INFO_CONTEXT = 0x11d4,
    PI_EVENT_INFO_COMMAND_TYPE = 0x11d1,
    PI_EVENT_INFO_COMMAND_EXECUTION_STATUS = 0x11d3,
    PI_EVENT_INFO_REFERENCE_COUNT = 0x11d2,
} _pi_event_info;

typedef enum _pi_profiling_info {
    PI_PROFILING_INFO_COMMAND_QUEUED = 0x1280,
    PI_PROFILING_INFO_COMMAND_SUBMIT = 0x1281,
    PI_PROFILING_INFO_COMMAND_START = 0x1282,
    PI_PROFILING_INFO_COMMAND_END = 0x1283,
} _pi_profiling_info;

typedef enum _pi_sampler_info {
    PI_SAMPLER_INFO_REFERENCE_COUNT = 0x1150,
    PI_SAMPLER_INFO_CONTEXT = 0x1151,
    PI_SAMPLER_INFO_NORMALIZED_COORDS = 0x1152,
    PI_SAMPLER_INFO_ADDRESSING_MODE = 0x1153,
    PI_SAMPLER_INFO_FILTER_MODE = 0x1154,
    PI_SAMPLER_INFO_MIP_FILTER_MODE = 0x1155,
    PI_SAMPLER_INFO_LOD_MIN = 0x1156,
    PI_SAMPLER_INFO_LOD_MAX = 0x1157,
} _pi_sampler_info;

typedef enum _pi_mem_advice {
    /// Since PI 10.12.
    PI_MEM_ADVICE_RESET = 0,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY = 1,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY = 2,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION = 4,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION = 8,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY = 0x10,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY = 0x20,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST = 0x40,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION_HOST = 0x80,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST = 0x100,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY_HOST = 0x200,
    /// Since PI 15.44.
    PI_MEM_ADVICE_HIP_SET_COARSE_GRAINED = 0x400,
    /// Since PI 15.44.
    PI_MEM_ADVICE_HIP_UNSET_COARSE_GRAINED = 0x800,
    /// Until 14.37 another number.
    PI_MEM_ADVICE_UNKNOWN = 0x7fffffff,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_SET_READ_MOSTLY = 1,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_UNSET_READ_MOSTLY = 2,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_SET_PREFERRED_LOCATION = 4,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_UNSET_PREFERRED_LOCATION = 8,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_SET_ACCESSED_BY = 0x10,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_UNSET_ACCESSED_BY = 0x20,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_SET_PREFERRED_LOCATION_HOST = 0x40,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_UNSET_PREFERRED_LOCATION_HOST = 0x80,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_SET_ACCESSED_BY_HOST = 0x100,
    /// Since PI 14.40.
    PI_MEM_ADVICE_HIP_UNSET_ACCESSED_BY_HOST = 0x200,
} _pi_mem_advice;

typedef enum _pi_mem_alloc_info {
    PI_MEM_ALLOC_TYPE = 0x419a,
    PI_MEM_ALLOC_BASE_PTR = 0x419b,
    PI_MEM_ALLOC_SIZE = 0x419c,
    PI_MEM_ALLOC_DEVICE = 0x419d,
} _pi_mem_alloc_info;

typedef enum _pi_mem_obj_property_type {
    /// Since PI 14.33.
    PI_KERNEL_ARG_MEM_OBJ_ACCESS = 0x1b,
    /// Since PI 14.33.
    PI_ENUM_FORCE_UINT32 = 0x7fffffff,
} _pi_mem_obj_property_type;

typedef enum _pi_peer_attr {
    /// Since PI 14.35.
    PI_PEER_ACCESS_SUPPORTED = 0,
    /// Since PI 14.35.
    PI_PEER_ATOMICS_SUPPORTED = 1,
} _pi_peer_attr;

typedef enum pi_ext_structure_type {
    /// Since PI 14.34.
    PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC = 0,
} pi_ext_structure_type;

typedef enum _pi_image_copy_flags {
    /// Since PI 14.36.
    PI_IMAGE_COPY_HOST_TO_DEVICE = 0,
    /// Since PI 14.36.
    PI_IMAGE_COPY_DEVICE_TO_HOST = 1,
    /// Since PI 14.36.
    PI_IMAGE_COPY_DEVICE_TO_DEVICE = 2,
} _pi_image_copy_flags;

typedef enum _pi_sanitize_type {
    _PI_SANITIZE_TYPE_NONE = 0,
    _PI_SANITIZE_TYPE_ADDRESS = 1,
    _PI_SANITIZE_TYPE_MEMORY = 2,
    _PI_SANITIZE_TYPE_THREAD = 3,
} _pi_sanitize_type;

typedef enum _pi_event_status {
    PI_EVENT_COMPLETE = 0,
    PI_EVENT_RUNNING = 1,
    PI_EVENT_SUBMITTED = 2,
    PI_EVENT_QUEUED = 3,
} _pi_event_status;

typedef enum _pi_program_build_status {
    PI_PROGRAM_BUILD_STATUS_NONE = -1,
    PI_PROGRAM_BUILD_STATUS_ERROR = -2,
    PI_PROGRAM_BUILD_STATUS_SUCCESS = 0,
    PI_PROGRAM_BUILD_STATUS_IN_PROGRESS = -3,
} _pi_program_build_status;

typedef enum _pi_program_binary_type {
    PI_PROGRAM_BINARY_TYPE_NONE = 0,
    PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT = 1,
    PI_PROGRAM_BINARY_TYPE_LIBRARY = 2,
    PI_PROGRAM_BINARY_TYPE_EXECUTABLE = 4,
} _pi_program_binary_type;

typedef enum _pi_platform_backend {
    /// Since PI 12.29.
    PI_EXT_PLATFORM_BACKEND_UNKNOWN = 0,
    /// Since PI 12.29.
    PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO = 1,
    /// Since PI 12.29.
    PI_EXT_PLATFORM_BACKEND_OPENCL = 2,
    /// Since PI 12.29.
    PI_EXT_PLATFORM_BACKEND_CUDA = 3,
    /// Since PI 12.29.
    PI_EXT_PLATFORM_BACKEND_HIP = 4,
    /// Since PI 12.29.
    PI_EXT_PLATFORM_BACKEND_ESIMD = 5,
    PI_EXT_PLATFORM_BACKEND_NATIVE_CPU = 6,
} _pi_platform_backend;

typedef enum _pi_device_mem_cache_type {
    PI_DEVICE_MEM_CACHE_TYPE_NONE = 0,
    PI_DEVICE_MEM_CACHE_TYPE_READ_ONLY_CACHE = 1,
    PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE = 2,
} _pi_device_mem_cache_type;

typedef enum _pi_device_local_mem_type {
    PI_DEVICE_LOCAL_MEM_TYPE_LOCAL = 1,
    PI_DEVICE_LOCAL_MEM_TYPE_GLOBAL = 2,
} _pi_device_local_mem_type;

typedef enum _pi_command_type {
    PI_COMMAND_TYPE_NDRANGE_KERNEL = 0x11f0,
    PI_COMMAND_TYPE_MEM_BUFFER_READ = 0x11f3,
    PI_COMMAND_TYPE_MEM_BUFFER_WRITE = 0x11f4,
    PI_COMMAND_TYPE_MEM_BUFFER_COPY = 0x11f5,
    PI_COMMAND_TYPE_MEM_BUFFER_MAP = 0x11fb,
    PI_COMMAND_TYPE_MEM_BUFFER_UNMAP = 0x11fd,
    PI_COMMAND_TYPE_MEM_BUFFER_READ_RECT = 0x1201,
    PI_COMMAND_TYPE_MEM_BUFFER_WRITE_RECT = 0x1202,
    PI_COMMAND_TYPE_MEM_BUFFER_COPY_RECT = 0x1203,
    PI_COMMAND_TYPE_USER = 0x1204,
    PI_COMMAND_TYPE_MEM_BUFFER_FILL = 0x1207,
    PI_COMMAND_TYPE_IMAGE_READ = 0x11f6,
    PI_COMMAND_TYPE_IMAGE_WRITE = 0x11f7,
    PI_COMMAND_TYPE_IMAGE_COPY = 0x11f8,
    PI_COMMAND_TYPE_NATIVE_KERNEL = 0x11f2,
    PI_COMMAND_TYPE_COPY_BUFFER_TO_IMAGE = 0x11fa,
    PI_COMMAND_TYPE_COPY_IMAGE_TO_BUFFER = 0x11f9,
    PI_COMMAND_TYPE_MAP_IMAGE = 0x11fc,
    PI_COMMAND_TYPE_MARKER = 0x11fe,
    PI_COMMAND_TYPE_ACQUIRE_GL_OBJECTS = 0x11ff,
    PI_COMMAND_TYPE_RELEASE_GL_OBJECTS = 0x1200,
    PI_COMMAND_TYPE_BARRIER = 0x1205,
    PI_COMMAND_TYPE_MIGRATE_MEM_OBJECTS = 0x1206,
    PI_COMMAND_TYPE_FILL_IMAGE = 0x1208,
    PI_COMMAND_TYPE_SVM_FREE = 0x1209,
    PI_COMMAND_TYPE_SVM_MEMCPY = 0x120a,
    PI_COMMAND_TYPE_SVM_MEMFILL = 0x120b,
    PI_COMMAND_TYPE_SVM_MAP = 0x120c,
    PI_COMMAND_TYPE_SVM_UNMAP = 0x120d,
    PI_COMMAND_TYPE_EXT_COMMAND_BUFFER = 0x12a8,
    PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_READ = 0x418e,
    PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_WRITE = 0x418f,
} _pi_command_type;

typedef enum _pi_sampler_addressing_mode {
    PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT = 0x1134,
    PI_SAMPLER_ADDRESSING_MODE_REPEAT = 0x1133,
    PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE = 0x1131,
    PI_SAMPLER_ADDRESSING_MODE_CLAMP = 0x1132,
    PI_SAMPLER_ADDRESSING_MODE_NONE = 0x1130,
} _pi_sampler_addressing_mode;

typedef enum _pi_sampler_filter_mode {
    PI_SAMPLER_FILTER_MODE_NEAREST = 0x1140,
    PI_SAMPLER_FILTER_MODE_LINEAR = 0x1141,
} _pi_sampler_filter_mode;

typedef enum _pi_sampler_cubemap_filter_mode {
    /// Since PI 15.49.
    PI_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED = 0x1142,
    /// Since PI 15.49.
    PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS = 0x1143,
} _pi_sampler_cubemap_filter_mode;

typedef enum _pi_kernel_cache_config {
    /// Since PI 12.24.
    PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT = 0,
    /// Since PI 12.24.
    PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM = 1,
    /// Since PI 12.24.
    PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA = 2,
} _pi_kernel_cache_config;

typedef enum pi_property_type {
    PI_PROPERTY_TYPE_UNKNOWN = 0,
    PI_PROPERTY_TYPE_UINT32 = 1,
    PI_PROPERTY_TYPE_BYTE_ARRAY = 2,
    PI_PROPERTY_TYPE_STRING = 3,
} pi_property_type;

typedef enum _pi_mem_obj_access {
    /// Since PI 14.33.
    PI_ACCESS_READ_WRITE = 1,
    /// Since PI 14.33.
    PI_ACCESS_WRITE_ONLY = 2,
    /// Since PI 14.33.
    PI_ACCESS_READ_ONLY = 4,
} _pi_mem_obj_access;

typedef enum _pi_usm_capability_query {
    PI_USM_HOST_SUPPORT = 0x4190,
    PI_USM_DEVICE_SUPPORT = 0x4191,
    PI_USM_SINGLE_SHARED_SUPPORT = 0x4192,
    PI_USM_CROSS_SHARED_SUPPORT = 0x4193,
    PI_USM_SYSTEM_SHARED_SUPPORT = 0x4194,
} _pi_usm_capability_query;

typedef enum _pi_usm_type {
    PI_MEM_TYPE_UNKNOWN = 0x4196,
    PI_MEM_TYPE_HOST = 0x4197,
    PI_MEM_TYPE_DEVICE = 0x4198,
    PI_MEM_TYPE_SHARED = 0x4199,
} _pi_usm_type;

typedef struct _pi_context _pi_context;

typedef struct _pi_device _pi_device;

typedef struct _pi_event _pi_event;

typedef struct _pi_ext_command_buffer _pi_ext_command_buffer;

typedef struct _pi_ext_command_buffer_command _pi_ext_command_buffer_command;

typedef struct _pi_kernel _pi_kernel;

typedef struct _pi_mem _pi_mem;

typedef struct _pi_platform _pi_platform;

typedef struct _pi_program _pi_program;

typedef struct _pi_queue _pi_queue;

typedef struct _pi_sampler _pi_sampler;

typedef enum _pi_result pi_result;

typedef uint32_t pi_uint32;

typedef struct _pi_platform *pi_platform;

/// Pointer to `piPlatformsGet`.
typedef pi_result (*piPlatformsGet_fn)(pi_uint32 num_entries, pi_platform *platforms, pi_uint32 *num_platforms);

typedef enum _pi_platform_info pi_platform_info;

/// Pointer to `piPlatformGetInfo`.
typedef pi_result (*piPlatformGetInfo_fn)(pi_platform platform,
                                          pi_platform_info param_name,
                                          size_t param_value_size,
                                          void *param_value,
                                          size_t *param_value_size_ret);

typedef uintptr_t pi_native_handle;

/// Pointer to `piextPlatformGetNativeHandle`.
typedef pi_result (*piextPlatformGetNativeHandle_fn)(pi_platform platform, pi_native_handle *nativeHandle);

/// Pointer to `piextPlatformCreateWithNativeHandle`.
typedef pi_result (*piextPlatformCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                            pi_platform *platform);

typedef uint64_t pi_device_type;

typedef struct _pi_device *pi_device;

/// Pointer to `piDevicesGet`.
typedef pi_result (*piDevicesGet_fn)(pi_platform platform,
                                     pi_device_type device_type,
                                     pi_uint32 num_entries,
                                     pi_device *devices,
                                     pi_uint32 *num_devices);

typedef enum _pi_device_info pi_device_info;

/// Pointer to `piDeviceGetInfo`.
typedef pi_result (*piDeviceGetInfo_fn)(pi_device device,
                                        pi_device_info param_name,
                                        size_t param_value_size,
                                        void *param_value,
                                        size_t *param_value_size_ret);

typedef intptr_t pi_device_partition_property;

/// Pointer to `piDevicePartition`.
typedef pi_result (*piDevicePartition_fn)(pi_device device,
                                          const pi_device_partition_property *properties,
                                          pi_uint32 num_devices,
                                          pi_device *out_devices,
                                          pi_uint32 *out_num_devices);

/// Pointer to `piDeviceRetain`.
typedef pi_result (*piDeviceRetain_fn)(pi_device device);

/// Pointer to `piDeviceRelease`.
typedef pi_result (*piDeviceRelease_fn)(pi_device device);

/// `_pi_offload_entry_struct`: 32 bytes.
typedef struct _pi_offload_entry_struct {
    /// `void *` at offset 0.
    void *addr;
    /// `char *` at offset 8.
    char *name;
    /// `size_t` at offset 16.
    size_t size;
    /// `int32_t` at offset 24.
    int32_t flags;
    /// `int32_t` at offset 28.
    int32_t reserved;
} _pi_offload_entry_struct;

/// Pointer to `_pi_offload_entry_struct`.
typedef struct _pi_offload_entry_struct *_pi_offload_entry;

/// `_pi_device_binary_property_struct`: 32 bytes.
typedef struct _pi_device_binary_property_struct {
    /// `char *` at offset 0.
    char *Name;
    /// `void *` at offset 8.
    void *ValAddr;
    /// `uint32_t` at offset 16.
    uint32_t Type;
    /// `uint64_t` at offset 24.
    uint64_t ValSize;
} _pi_device_binary_property_struct;

/// Pointer to `_pi_device_binary_property_struct`.
typedef struct _pi_device_binary_property_struct *pi_device_binary_property;

/// `_pi_device_binary_property_set_struct`: 24 bytes.
typedef struct _pi_device_binary_property_set_struct {
    /// `char *` at offset 0.
    char *Name;
    /// `pi_device_binary_property` at offset 8.
    pi_device_binary_property PropertiesBegin;
    /// `pi_device_binary_property` at offset 16.
    pi_device_binary_property PropertiesEnd;
} _pi_device_binary_property_set_struct;

/// Pointer to `_pi_device_binary_property_set_struct`.
typedef struct _pi_device_binary_property_set_struct *pi_device_binary_property_set;

/// `pi_device_binary_struct`: 96 bytes.
typedef struct pi_device_binary_struct {
    /// `uint16_t` at offset 0.
    uint16_t Version;
    /// `uint8_t` at offset 2.
    uint8_t Kind;
    /// `uint8_t` at offset 3.
    uint8_t Format;
    /// `const char *` at offset 8.
    const char *DeviceTargetSpec;
    /// `const char *` at offset 16.
    const char *CompileOptions;
    /// `const char *` at offset 24.
    const char *LinkOptions;
    /// `const char *` at offset 32.
    const char *ManifestStart;
    /// `const char *` at offset 40.
    const char *ManifestEnd;
    /// `const unsigned char *` at offset 48.
    const uint8_t *BinaryStart;
    /// `const unsigned char *` at offset 56.
    const uint8_t *BinaryEnd;
    /// `_pi_offload_entry` at offset 64.
    _pi_offload_entry EntriesBegin;
    /// `_pi_offload_entry` at offset 72.
    _pi_offload_entry EntriesEnd;
    /// `pi_device_binary_property_set` at offset 80.
    pi_device_binary_property_set PropertySetsBegin;
    /// `pi_device_binary_property_set` at offset 88.
    pi_device_binary_property_set PropertySetsEnd;
} pi_device_binary_struct;

/// Pointer to `pi_device_binary_struct`.
typedef struct pi_device_binary_struct *pi_device_binary;

/// Pointer to `piextDeviceSelectBinary`.
typedef pi_result (*piextDeviceSelectBinary_fn)(pi_device device,
                                                pi_device_binary *binaries,
                                                pi_uint32 num_binaries,
                                                pi_uint32 *selected_binary_ind);

typedef struct _pi_program *pi_program;

typedef uint64_t pi_uint64;

/// Pointer to `piextGetDeviceFunctionPointer`.
typedef pi_result (*piextGetDeviceFunctionPointer_fn)(pi_device device,
                                                      pi_program program,
                                                      const char *function_name,
                                                      pi_uint64 *function_pointer_ret);

/// Pointer to `piextGetGlobalVariablePointer`.
typedef pi_result (*piextGetGlobalVariablePointer_fn)(pi_device Device,
                                                      pi_program Program,
                                                      const char *GlobalVariableName,
                                                      size_t *GlobalVariableSize,
                                                      void **GlobalVariablePointerRet);

/// Pointer to `piextDeviceGetNativeHandle`.
typedef pi_result (*piextDeviceGetNativeHandle_fn)(pi_device device, pi_native_handle *nativeHandle);

/// Pointer to `piextDeviceCreateWithNativeHandle`.
typedef pi_result (*piextDeviceCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                          pi_platform platform,
                                                          pi_device *device);

typedef intptr_t pi_context_properties;

/// `piContextCreate`'s error callback: (errinfo, private_info, cb, user_data).
typedef void (*pi_context_notify)(const char *errinfo, const void *private_info, size_t cb, void *user_data);

typedef struct _pi_context *pi_context;

/// Pointer to `piContextCreate`.
typedef pi_result (*piContextCreate_fn)(const pi_context_properties *properties,
                                        pi_uint32 num_devices,
                                        const pi_device *devices,
                                        pi_context_notify pfn_notify,
                                        void *user_data,
                                        pi_context *ret_context);

typedef enum _pi_context_info pi_context_info;

/// Pointer to `piContextGetInfo`.
typedef pi_result (*piContextGetInfo_fn)(pi_context context,
                                         pi_context_info param_name,
                                         size_t param_value_size,
                                         void *param_value,
                                         size_t *param_value_size_ret);

/// Pointer to `piContextRetain`.
typedef pi_result (*piContextRetain_fn)(pi_context context);

/// Pointer to `piContextRelease`.
typedef pi_result (*piContextRelease_fn)(pi_context context);

/// `piextContextSetExtendedDeleter`'s function, called once when the context is freed.
typedef void (*pi_context_extended_deleter)(void *user_data);

/// Pointer to `piextContextSetExtendedDeleter`.
typedef pi_result (*piextContextSetExtendedDeleter_fn)(pi_context context,
                                                       pi_context_extended_deleter func,
                                                       void *user_data);

/// Pointer to `piextContextGetNativeHandle`.
typedef pi_result (*piextContextGetNativeHandle_fn)(pi_context context, pi_native_handle *nativeHandle);

/// Pointer to `piextContextCreateWithNativeHandle`.
typedef pi_result (*piextContextCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                           pi_uint32 numDevices,
                                                           const pi_device *devices,
                                                           bool pluginOwnsNativeHandle,
                                                           pi_context *context);

typedef pi_uint64 pi_bitfield;

typedef pi_bitfield pi_queue_properties;

typedef struct _pi_queue *pi_queue;

/// Pointer to `piQueueCreate`.
typedef pi_result (*piQueueCreate_fn)(pi_context context,
                                      pi_device device,
                                      pi_queue_properties properties,
                                      pi_queue *queue);

/// Pointer to `piextQueueCreate`.
typedef pi_result (*piextQueueCreate_fn)(pi_context context,
                                         pi_device device,
                                         pi_queue_properties *properties,
                                         pi_queue *queue);

typedef enum _pi_queue_info pi_queue_info;

/// Pointer to `piQueueGetInfo`.
typedef pi_result (*piQueueGetInfo_fn)(pi_queue command_queue,
                                       pi_queue_info param_name,
                                       size_t param_value_size,
                                       void *param_value,
                                       size_t *param_value_size_ret);

/// Pointer to `piQueueFinish`.
typedef pi_result (*piQueueFinish_fn)(pi_queue command_queue);

/// Pointer to `piQueueFlush`.
typedef pi_result (*piQueueFlush_fn)(pi_queue command_queue);

/// Pointer to `piQueueRetain`.
typedef pi_result (*piQueueRetain_fn)(pi_queue command_queue);

/// Pointer to `piQueueRelease`.
typedef pi_result (*piQueueRelease_fn)(pi_queue command_queue);

/// Pointer to `piextQueueGetNativeHandle`.
typedef pi_result (*piextQueueGetNativeHandle_fn)(pi_queue queue,
                                                  pi_native_handle *nativeHandle,
                                                  int32_t *nativeHandleDesc);

/// Pointer to `piextQueueCreateWithNativeHandle`.
typedef pi_result (*piextQueueCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                         int32_t nativeHandleDesc,
                                                         pi_context context,
                                                         pi_device device,
                                                         bool pluginOwnsNativeHandle,
                                                         pi_queue_properties *Properties,
                                                         pi_queue *queue);

typedef pi_bitfield pi_mem_flags;

typedef struct _pi_mem *pi_mem;

typedef pi_bitfield pi_mem_properties;

/// Pointer to `piMemBufferCreate`.
typedef pi_result (*piMemBufferCreate_fn)(pi_context context,
                                          pi_mem_flags flags,
                                          size_t size,
                                          void *host_ptr,
                                          pi_mem *ret_mem,
                                          const pi_mem_properties *properties);

typedef enum _pi_image_channel_order pi_image_channel_order;

typedef enum _pi_image_channel_type pi_image_channel_type;

/// `_pi_image_format`: 8 bytes.
typedef struct pi_image_format {
    /// `pi_image_channel_order` at offset 0.
    pi_image_channel_order image_channel_order;
    /// `pi_image_channel_type` at offset 4.
    pi_image_channel_type image_channel_data_type;
} pi_image_format;

typedef enum _pi_mem_type pi_mem_type;

/// `_pi_image_desc`: 72 bytes.
typedef struct pi_image_desc {
    /// `pi_mem_type` at offset 0.
    pi_mem_type image_type;
    /// `size_t` at offset 8.
    size_t image_width;
    /// `size_t` at offset 16.
    size_t image_height;
    /// `size_t` at offset 24.
    size_t image_depth;
    /// `size_t` at offset 32.
    size_t image_array_size;
    /// `size_t` at offset 40.
    size_t image_row_pitch;
    /// `size_t` at offset 48.
    size_t image_slice_pitch;
    /// `pi_uint32` at offset 56.
    pi_uint32 num_mip_levels;
    /// `pi_uint32` at offset 60.
    pi_uint32 num_samples;
    /// `pi_mem` at offset 64.
    pi_mem buffer;
} pi_image_desc;

/// Pointer to `piMemImageCreate`.
typedef pi_result (*piMemImageCreate_fn)(pi_context context,
                                         pi_mem_flags flags,
                                         const struct pi_image_format *image_format,
                                         const struct pi_image_desc *image_desc,
                                         void *host_ptr,
                                         pi_mem *ret_mem);

typedef enum _pi_mem_info pi_mem_info;

/// Pointer to `piMemGetInfo`.
typedef pi_result (*piMemGetInfo_fn)(pi_mem mem,
                                     pi_mem_info param_name,
                                     size_t param_value_size,
                                     void *param_value,
                                     size_t *param_value_size_ret);

typedef enum _pi_image_info pi_image_info;

/// Pointer to `piMemImageGetInfo`.
typedef pi_result (*piMemImageGetInfo_fn)(pi_mem image,
                                          pi_image_info param_name,
                                          size_t param_value_size,
                                          void *param_value,
                                          size_t *param_value_size_ret);

/// Pointer to `piMemRetain`.
typedef pi_result (*piMemRetain_fn)(pi_mem mem);

/// Pointer to `piMemRelease`.
typedef pi_result (*piMemRelease_fn)(pi_mem mem);

typedef enum _pi_buffer_create_type pi_buffer_create_type;

/// Pointer to `piMemBufferPartition`.
typedef pi_result (*piMemBufferPartition_fn)(pi_mem buffer,
                                             pi_mem_flags flags,
                                             pi_buffer_create_type buffer_create_type,
                                             void *buffer_create_info,
                                             pi_mem *ret_mem);

/// Pointer to `piextMemGetNativeHandle`.
typedef pi_result (*piextMemGetNativeHandle_fn)(pi_mem mem, pi_device dev, pi_native_handle *nativeHandle);

/// Pointer to `piextMemCreateWithNativeHandle`.
typedef pi_result (*piextMemCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                       pi_context context,
                                                       bool ownNativeHandle,
                                                       pi_mem *mem);

/// Pointer to `piextMemImageCreateWithNativeHandle`.
typedef pi_result (*piextMemImageCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                            pi_context context,
                                                            bool ownNativeHandle,
                                                            const struct pi_image_format *ImageFormat,
                                                            const struct pi_image_desc *ImageDesc,
                                                            pi_mem *img);

/// Pointer to `piProgramCreate`.
typedef pi_result (*piProgramCreate_fn)(pi_context context,
                                        const void *il,
                                        size_t length,
                                        pi_program *res_program);

typedef int32_t pi_int32;

/// Pointer to `piProgramCreateWithBinary`.
typedef pi_result (*piProgramCreateWithBinary_fn)(pi_context context,
                                                  pi_uint32 num_devices,
                                                  const pi_device *device_list,
                                                  const size_t *lengths,
                                                  const uint8_t **binaries,
                                                  size_t num_metadata_entries,
                                                  const pi_device_binary_property *metadata,
                                                  pi_int32 *binary_status,
                                                  pi_program *ret_program);

typedef enum _pi_program_info pi_program_info;

/// Pointer to `piProgramGetInfo`.
typedef pi_result (*piProgramGetInfo_fn)(pi_program program,
                                         pi_program_info param_name,
                                         size_t param_value_size,
                                         void *param_value,
                                         size_t *param_value_size_ret);

/// Completion callback of `piProgramCompile`, `piProgramBuild` and `piProgramLink`.
typedef void (*pi_program_notify)(pi_program program, void *user_data);

/// Pointer to `piProgramCompile`.
typedef pi_result (*piProgramCompile_fn)(pi_program program,
                                         pi_uint32 num_devices,
                                         const pi_device *device_list,
                                         const char *options,
                                         pi_uint32 num_input_headers,
                                         const pi_program *input_headers,
                                         const char **header_include_names,
                                         pi_program_notify pfn_notify,
                                         void *user_data);

/// Pointer to `piProgramBuild`.
typedef pi_result (*piProgramBuild_fn)(pi_program program,
                                       pi_uint32 num_devices,
                                       const pi_device *device_list,
                                       const char *options,
                                       pi_program_notify pfn_notify,
                                       void *user_data);

/// Pointer to `piProgramLink`.
typedef pi_result (*piProgramLink_fn)(pi_context context,
                                      pi_uint32 num_devices,
                                      const pi_device *device_list,
                                      const char *options,
                                      pi_uint32 num_input_programs,
                                      const pi_program *input_programs,
                                      pi_program_notify pfn_notify,
                                      void *user_data,
                                      pi_program *ret_program);

typedef enum _pi_program_build_info pi_program_build_info;

/// Pointer to `piProgramGetBuildInfo`.
typedef pi_result (*piProgramGetBuildInfo_fn)(pi_program program,
                                              pi_device device,
                                              pi_program_build_info param_name,
                                              size_t param_value_size,
                                              void *param_value,
                                              size_t *param_value_size_ret);

/// Pointer to `piProgramRetain`.
typedef pi_result (*piProgramRetain_fn)(pi_program program);

/// Pointer to `piProgramRelease`.
typedef pi_result (*piProgramRelease_fn)(pi_program program);

/// Pointer to `piextProgramSetSpecializationConstant`.
typedef pi_result (*piextProgramSetSpecializationConstant_fn)(pi_program prog,
                                                              pi_uint32 spec_id,
                                                              size_t spec_size,
                                                              const void *spec_value);

/// Pointer to `piextProgramGetNativeHandle`.
typedef pi_result (*piextProgramGetNativeHandle_fn)(pi_program program, pi_native_handle *nativeHandle);

/// Pointer to `piextProgramCreateWithNativeHandle`.
typedef pi_result (*piextProgramCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                           pi_context context,
                                                           bool pluginOwnsNativeHandle,
                                                           pi_program *program);

typedef struct _pi_kernel *pi_kernel;

/// Pointer to `piKernelCreate`.
typedef pi_result (*piKernelCreate_fn)(pi_program program, const char *kernel_name, pi_kernel *ret_kernel);

/// Pointer to `piKernelSetArg`.
typedef pi_result (*piKernelSetArg_fn)(pi_kernel kernel,
                                       pi_uint32 arg_index,
                                       size_t arg_size,
                                       const void *arg_value);

typedef enum _pi_kernel_info pi_kernel_info;

/// Pointer to `piKernelGetInfo`.
typedef pi_result (*piKernelGetInfo_fn)(pi_kernel kernel,
                                        pi_kernel_info param_name,
                                        size_t param_value_size,
                                        void *param_value,
                                        size_t *param_value_size_ret);

typedef enum _pi_kernel_group_info pi_kernel_group_info;

/// Pointer to `piKernelGetGroupInfo`.
typedef pi_result (*piKernelGetGroupInfo_fn)(pi_kernel kernel,
                                             pi_device device,
                                             pi_kernel_group_info param_name,
                                             size_t param_value_size,
                                             void *param_value,
                                             size_t *param_value_size_ret);

typedef enum _pi_kernel_sub_group_info pi_kernel_sub_group_info;

/// Pointer to `piKernelGetSubGroupInfo`.
typedef pi_result (*piKernelGetSubGroupInfo_fn)(pi_kernel kernel,
                                                pi_device device,
                                                pi_kernel_sub_group_info param_name,
                                                size_t input_value_size,
                                                const void *input_value,
                                                size_t param_value_size,
                                                void *param_value,
                                                size_t *param_value_size_ret);

/// Pointer to `piKernelRetain`.
typedef pi_result (*piKernelRetain_fn)(pi_kernel kernel);

/// Pointer to `piKernelRelease`.
typedef pi_result (*piKernelRelease_fn)(pi_kernel kernel);

/// Pointer to `piextKernelSetArgPointer`.
typedef pi_result (*piextKernelSetArgPointer_fn)(pi_kernel kernel,
                                                 pi_uint32 arg_index,
                                                 size_t arg_size,
                                                 const void *arg_value);

typedef enum _pi_kernel_exec_info pi_kernel_exec_info;

/// Pointer to `piKernelSetExecInfo`.
typedef pi_result (*piKernelSetExecInfo_fn)(pi_kernel kernel,
                                            pi_kernel_exec_info value_name,
                                            size_t param_value_size,
                                            const void *param_value);

/// Pointer to `piextKernelCreateWithNativeHandle`.
typedef pi_result (*piextKernelCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                          pi_context context,
                                                          pi_program program,
                                                          bool pluginOwnsNativeHandle,
                                                          pi_kernel *kernel);

/// Pointer to `piextKernelGetNativeHandle`.
typedef pi_result (*piextKernelGetNativeHandle_fn)(pi_kernel kernel, pi_native_handle *nativeHandle);

/// Pointer to `piextKernelSuggestMaxCooperativeGroupCount`.
typedef pi_result (*piextKernelSuggestMaxCooperativeGroupCount_fn)(pi_kernel kernel,
                                                                   size_t local_work_size,
                                                                   size_t dynamic_shared_memory_size,
                                                                   pi_uint32 *group_count_ret);

typedef struct _pi_event *pi_event;

/// Pointer to `piEventCreate`.
typedef pi_result (*piEventCreate_fn)(pi_context context, pi_event *ret_event);

typedef enum _pi_event_info pi_event_info;

/// Pointer to `piEventGetInfo`.
typedef pi_result (*piEventGetInfo_fn)(pi_event event,
                                       pi_event_info param_name,
                                       size_t param_value_size,
                                       void *param_value,
                                       size_t *param_value_size_ret);

typedef enum _pi_profiling_info pi_profiling_info;

/// Pointer to `piEventGetProfilingInfo`.
typedef pi_result (*piEventGetProfilingInfo_fn)(pi_event event,
                                                pi_profiling_info param_name,
                                                size_t param_value_size,
                                                void *param_value,
                                                size_t *param_value_size_ret);

/// Pointer to `piEventsWait`.
typedef pi_result (*piEventsWait_fn)(pi_uint32 num_events, const pi_event *event_list);

/// Callback of `piEventSetCallback`; the status is a `pi_event_status` or a negative error code.
typedef void (*pi_event_notify)(pi_event event, pi_int32 event_command_status, void *user_data);

/// Pointer to `piEventSetCallback`.
typedef pi_result (*piEventSetCallback_fn)(pi_event event,
                                           pi_int32 command_exec_callback_type,
                                           pi_event_notify pfn_notify,
                                           void *user_data);

/// Pointer to `piEventSetStatus`.
typedef pi_result (*piEventSetStatus_fn)(pi_event event, pi_int32 execution_status);

/// Pointer to `piEventRetain`.
typedef pi_result (*piEventRetain_fn)(pi_event event);

/// Pointer to `piEventRelease`.
typedef pi_result (*piEventRelease_fn)(pi_event event);

/// Pointer to `piextEventGetNativeHandle`.
typedef pi_result (*piextEventGetNativeHandle_fn)(pi_event event, pi_native_handle *nativeHandle);

/// Pointer to `piextEventCreateWithNativeHandle`.
typedef pi_result (*piextEventCreateWithNativeHandle_fn)(pi_native_handle nativeHandle,
                                                         pi_context context,
                                                         bool ownNativeHandle,
                                                         pi_event *event);

typedef pi_bitfield pi_sampler_properties;

typedef struct _pi_sampler *pi_sampler;

/// Pointer to `piSamplerCreate`.
typedef pi_result (*piSamplerCreate_fn)(pi_context context,
                                        const pi_sampler_properties *sampler_properties,
                                        pi_sampler *result_sampler);

typedef enum _pi_sampler_info pi_sampler_info;

/// Pointer to `piSamplerGetInfo`.
typedef pi_result (*piSamplerGetInfo_fn)(pi_sampler sampler,
                                         pi_sampler_info param_name,
                                         size_t param_value_size,
                                         void *param_value,
                                         size_t *param_value_size_ret);

/// Pointer to `piSamplerRetain`.
typedef pi_result (*piSamplerRetain_fn)(pi_sampler sampler);

/// Pointer to `piSamplerRelease`.
typedef pi_result (*piSamplerRelease_fn)(pi_sampler sampler);

/// Pointer to `piEnqueueKernelLaunch`.
typedef pi_result (*piEnqueueKernelLaunch_fn)(pi_queue queue,
                                              pi_kernel kernel,
                                              pi_uint32 work_dim,
                                              const size_t *global_work_offset,
                                              const size_t *global_work_size,
                                              const size_t *local_work_size,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event);

/// Pointer to `piextEnqueueCooperativeKernelLaunch`.
typedef pi_result (*piextEnqueueCooperativeKernelLaunch_fn)(pi_queue queue,
                                                            pi_kernel kernel,
                                                            pi_uint32 work_dim,
                                                            const size_t *global_work_offset,
                                                            const size_t *global_work_size,
                                                            const size_t *local_work_size,
                                                            pi_uint32 num_events_in_wait_list,
                                                            const pi_event *event_wait_list,
                                                            pi_event *event);

/// Pointer to `piEnqueueEventsWait`.
typedef pi_result (*piEnqueueEventsWait_fn)(pi_queue command_queue,
                                            pi_uint32 num_events_in_wait_list,
                                            const pi_event *event_wait_list,
                                            pi_event *event);

/// Pointer to `piEnqueueEventsWaitWithBarrier`.
typedef pi_result (*piEnqueueEventsWaitWithBarrier_fn)(pi_queue command_queue,
                                                       pi_uint32 num_events_in_wait_list,
                                                       const pi_event *event_wait_list,
                                                       pi_event *event);

typedef pi_uint32 pi_bool;

/// Pointer to `piEnqueueMemBufferRead`.
typedef pi_result (*piEnqueueMemBufferRead_fn)(pi_queue queue,
                                               pi_mem buffer,
                                               pi_bool blocking_read,
                                               size_t offset,
                                               size_t size,
                                               void *ptr,
                                               pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list,
                                               pi_event *event);

/// `pi_buff_rect_offset_struct`: 24 bytes.
typedef struct pi_buff_rect_offset_struct {
    /// `size_t` at offset 0.
    size_t x_bytes;
    /// `size_t` at offset 8.
    size_t y_scalar;
    /// `size_t` at offset 16.
    size_t z_scalar;
} pi_buff_rect_offset_struct;

/// Pointer to `pi_buff_rect_offset_struct`.
typedef struct pi_buff_rect_offset_struct *pi_buff_rect_offset;

/// `pi_buff_rect_region_struct`: 24 bytes.
typedef struct pi_buff_rect_region_struct {
    /// `size_t` at offset 0.
    size_t width_bytes;
    /// `size_t` at offset 8.
    size_t height_scalar;
    /// `size_t` at offset 16.
    size_t depth_scalar;
} pi_buff_rect_region_struct;

/// Pointer to `pi_buff_rect_region_struct`.
typedef struct pi_buff_rect_region_struct *pi_buff_rect_region;

/// Pointer to `piEnqueueMemBufferReadRect`.
typedef pi_result (*piEnqueueMemBufferReadRect_fn)(pi_queue command_queue,
                                                   pi_mem buffer,
                                                   pi_bool blocking_read,
                                                   pi_buff_rect_offset buffer_offset,
                                                   pi_buff_rect_offset host_offset,
                                                   pi_buff_rect_region region,
                                                   size_t buffer_row_pitch,
                                                   size_t buffer_slice_pitch,
                                                   size_t host_row_pitch,
                                                   size_t host_slice_pitch,
                                                   void *ptr,
                                                   pi_uint32 num_events_in_wait_list,
                                                   const pi_event *event_wait_list,
                                                   pi_event *event);

/// Pointer to `piEnqueueMemBufferWrite`.
typedef pi_result (*piEnqueueMemBufferWrite_fn)(pi_queue command_queue,
                                                pi_mem buffer,
                                                pi_bool blocking_write,
                                                size_t offset,
                                                size_t size,
                                                const void *ptr,
                                                pi_uint32 num_events_in_wait_list,
                                                const pi_event *event_wait_list,
                                                pi_event *event);

/// Pointer to `piEnqueueMemBufferWriteRect`.
typedef pi_result (*piEnqueueMemBufferWriteRect_fn)(pi_queue command_queue,
                                                    pi_mem buffer,
                                                    pi_bool blocking_write,
                                                    pi_buff_rect_offset buffer_offset,
                                                    pi_buff_rect_offset host_offset,
                                                    pi_buff_rect_region region,
                                                    size_t buffer_row_pitch,
                                                    size_t buffer_slice_pitch,
                                                    size_t host_row_pitch,
                                                    size_t host_slice_pitch,
                                                    const void *ptr,
                                                    pi_uint32 num_events_in_wait_list,
                                                    const pi_event *event_wait_list,
                                                    pi_event *event);

/// Pointer to `piEnqueueMemBufferCopy`.
typedef pi_result (*piEnqueueMemBufferCopy_fn)(pi_queue command_queue,
                                               pi_mem src_buffer,
                                               pi_mem dst_buffer,
                                               size_t src_offset,
                                               size_t dst_offset,
                                               size_t size,
                                               pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list,
                                               pi_event *event);

/// Pointer to `piEnqueueMemBufferCopyRect`.
typedef pi_result (*piEnqueueMemBufferCopyRect_fn)(pi_queue command_queue,
                                                   pi_mem src_buffer,
                                                   pi_mem dst_buffer,
                                                   pi_buff_rect_offset src_origin,
                                                   pi_buff_rect_offset dst_origin,
                                                   pi_buff_rect_region region,
                                                   size_t src_row_pitch,
                                                   size_t src_slice_pitch,
                                                   size_t dst_row_pitch,
                                                   size_t dst_slice_pitch,
                                                   pi_uint32 num_events_in_wait_list,
                                                   const pi_event *event_wait_list,
                                                   pi_event *event);

/// Pointer to `piEnqueueMemBufferFill`.
typedef pi_result (*piEnqueueMemBufferFill_fn)(pi_queue command_queue,
                                               pi_mem buffer,
                                               const void *pattern,
                                               size_t pattern_size,
                                               size_t offset,
                                               size_t size,
                                               pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list,
                                               pi_event *event);

/// `pi_image_offset_struct`: 24 bytes.
typedef struct pi_image_offset_struct {
    /// `size_t` at offset 0.
    size_t x;
    /// `size_t` at offset 8.
    size_t y;
    /// `size_t` at offset 16.
    size_t z;
} pi_image_offset_struct;

/// Pointer to `pi_image_offset_struct`.
typedef struct pi_image_offset_struct *pi_image_offset;

/// `pi_image_region_struct`: 24 bytes.
typedef struct pi_image_region_struct {
    /// `size_t` at offset 0.
    size_t width;
    /// `size_t` at offset 8.
    size_t height;
    /// `size_t` at offset 16.
    size_t depth;
} pi_image_region_struct;

/// Pointer to `pi_image_region_struct`.
typedef struct pi_image_region_struct *pi_image_region;

/// Pointer to `piEnqueueMemImageRead`.
typedef pi_result (*piEnqueueMemImageRead_fn)(pi_queue command_queue,
                                              pi_mem image,
                                              pi_bool blocking_read,
                                              pi_image_offset origin,
                                              pi_image_region region,
                                              size_t row_pitch,
                                              size_t slice_pitch,
                                              void *ptr,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event);

/// Pointer to `piEnqueueMemImageWrite`.
typedef pi_result (*piEnqueueMemImageWrite_fn)(pi_queue command_queue,
                                               pi_mem image,
                                               pi_bool blocking_write,
                                               pi_image_offset origin,
                                               pi_image_region region,
                                               size_t input_row_pitch,
                                               size_t input_slice_pitch,
                                               const void *ptr,
                                               pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list,
                                               pi_event *event);

/// Pointer to `piEnqueueMemImageCopy`.
typedef pi_result (*piEnqueueMemImageCopy_fn)(pi_queue command_queue,
                                              pi_mem src_image,
                                              pi_mem dst_image,
                                              pi_image_offset src_origin,
                                              pi_image_offset dst_origin,
                                              pi_image_region region,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event);

/// Pointer to `piEnqueueMemImageFill`.
typedef pi_result (*piEnqueueMemImageFill_fn)(pi_queue command_queue,
                                              pi_mem image,
                                              const void *fill_color,
                                              const size_t *origin,
                                              const size_t *region,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event);

typedef pi_bitfield pi_map_flags;

/// Pointer to `piEnqueueMemBufferMap`.
typedef pi_result (*piEnqueueMemBufferMap_fn)(pi_queue command_queue,
                                              pi_mem buffer,
                                              pi_bool blocking_map,
                                              pi_map_flags map_flags,
                                              size_t offset,
                                              size_t size,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event,
                                              void **ret_map);

/// Pointer to `piEnqueueMemUnmap`.
typedef pi_result (*piEnqueueMemUnmap_fn)(pi_queue command_queue,
                                          pi_mem memobj,
                                          void *mapped_ptr,
                                          pi_uint32 num_events_in_wait_list,
                                          const pi_event *event_wait_list,
                                          pi_event *event);

typedef pi_bitfield pi_usm_mem_properties;

/// Pointer to `piextUSMHostAlloc`.
typedef pi_result (*piextUSMHostAlloc_fn)(void **result_ptr,
                                          pi_context context,
                                          pi_usm_mem_properties *properties,
                                          size_t size,
                                          pi_uint32 alignment);

/// Pointer to `piextUSMDeviceAlloc`.
typedef pi_result (*piextUSMDeviceAlloc_fn)(void **result_ptr,
                                            pi_context context,
                                            pi_device device,
                                            pi_usm_mem_properties *properties,
                                            size_t size,
                                            pi_uint32 alignment);

/// Pointer to `piextUSMSharedAlloc`.
typedef pi_result (*piextUSMSharedAlloc_fn)(void **result_ptr,
                                            pi_context context,
                                            pi_device device,
                                            pi_usm_mem_properties *properties,
                                            size_t size,
                                            pi_uint32 alignment);

/// Pointer to `piextUSMFree`.
typedef pi_result (*piextUSMFree_fn)(pi_context context, void *ptr);

/// Pointer to `piextUSMEnqueueMemset`.
typedef pi_result (*piextUSMEnqueueMemset_fn)(pi_queue queue,
                                              void *ptr,
                                              pi_int32 value,
                                              size_t count,
                                              pi_uint32 num_events_in_waitlist,
                                              const pi_event *events_waitlist,
                                              pi_event *event);

/// Pointer to `piextUSMEnqueueMemcpy`.
typedef pi_result (*piextUSMEnqueueMemcpy_fn)(pi_queue queue,
                                              pi_bool blocking,
                                              void *dst_ptr,
                                              const void *src_ptr,
                                              size_t size,
                                              pi_uint32 num_events_in_waitlist,
                                              const pi_event *events_waitlist,
                                              pi_event *event);

typedef uint64_t pi_usm_migration_flags;

/// Pointer to `piextUSMEnqueuePrefetch`.
typedef pi_result (*piextUSMEnqueuePrefetch_fn)(pi_queue queue,
                                                const void *ptr,
                                                size_t size,
                                                pi_usm_migration_flags flags,
                                                pi_uint32 num_events_in_waitlist,
                                                const pi_event *events_waitlist,
                                                pi_event *event);

typedef enum _pi_mem_advice pi_mem_advice;

/// Pointer to `piextUSMEnqueueMemAdvise`.
typedef pi_result (*piextUSMEnqueueMemAdvise_fn)(pi_queue queue,
                                                 const void *ptr,
                                                 size_t length,
                                                 pi_mem_advice advice,
                                                 pi_event *event);

typedef enum _pi_mem_alloc_info pi_mem_alloc_info;

/// Pointer to `piextUSMGetMemAllocInfo`.
typedef pi_result (*piextUSMGetMemAllocInfo_fn)(pi_context context,
                                                const void *ptr,
                                                pi_mem_alloc_info param_name,
                                                size_t param_value_size,
                                                void *param_value,
                                                size_t *param_value_size_ret);

/// Pointer to `piextEnqueueReadHostPipe`.
typedef pi_result (*piextEnqueueReadHostPipe_fn)(pi_queue queue,
                                                 pi_program program,
                                                 const char *pipe_symbol,
                                                 pi_bool blocking,
                                                 void *ptr,
                                                 size_t size,
                                                 pi_uint32 num_events_in_waitlist,
                                                 const pi_event *events_waitlist,
                                                 pi_event *event);

/// Pointer to `piextEnqueueWriteHostPipe`.
typedef pi_result (*piextEnqueueWriteHostPipe_fn)(pi_queue queue,
                                                  pi_program program,
                                                  const char *pipe_symbol,
                                                  pi_bool blocking,
                                                  void *ptr,
                                                  size_t size,
                                                  pi_uint32 num_events_in_waitlist,
                                                  const pi_event *events_waitlist,
                                                  pi_event *event);

typedef enum _pi_mem_obj_property_type pi_mem_obj_property_type;

typedef uint32_t pi_mem_access_flag;

/// `_pi_mem_obj_property`: 24 bytes.
typedef struct pi_mem_obj_property {
    /// `pi_mem_obj_property_type` at offset 0.
    pi_mem_obj_property_type type;
    /// `void *` at offset 8.
    void *pNext;
    /// `pi_mem_access_flag` at offset 16.
    pi_mem_access_flag mem_access;
} pi_mem_obj_property;

/// Pointer to `piextKernelSetArgMemObj`.
typedef pi_result (*piextKernelSetArgMemObj_fn)(pi_kernel kernel,
                                                pi_uint32 arg_index,
                                                const struct pi_mem_obj_property *arg_properties,
                                                const pi_mem *arg_value);

/// Pointer to `piextKernelSetArgSampler`.
typedef pi_result (*piextKernelSetArgSampler_fn)(pi_kernel kernel,
                                                 pi_uint32 arg_index,
                                                 const pi_sampler *arg_value);

/// Pointer to `piextPluginGetOpaqueData`.
typedef pi_result (*piextPluginGetOpaqueData_fn)(void *opaque_data_param, void **opaque_data_return);

/// Pointer to `piPluginGetLastError`.
typedef pi_result (*piPluginGetLastError_fn)(char **message);

/// Pointer to `piTearDown`.
typedef pi_result (*piTearDown_fn)(void *PluginParameter);

/// Pointer to `piextUSMEnqueueFill2D`.
typedef pi_result (*piextUSMEnqueueFill2D_fn)(pi_queue queue,
                                              void *ptr,
                                              size_t pitch,
                                              size_t pattern_size,
                                              const void *pattern,
                                              size_t width,
                                              size_t height,
                                              pi_uint32 num_events_in_waitlist,
                                              const pi_event *events_waitlist,
                                              pi_event *event);

/// Pointer to `piextUSMEnqueueMemset2D`.
typedef pi_result (*piextUSMEnqueueMemset2D_fn)(pi_queue queue,
                                                void *ptr,
                                                size_t pitch,
                                                int value,
                                                size_t width,
                                                size_t height,
                                                pi_uint32 num_events_in_waitlist,
                                                const pi_event *events_waitlist,
                                                pi_event *event);

/// Pointer to `piextUSMEnqueueMemcpy2D`.
typedef pi_result (*piextUSMEnqueueMemcpy2D_fn)(pi_queue queue,
                                                pi_bool blocking,
                                                void *dst_ptr,
                                                size_t dst_pitch,
                                                const void *src_ptr,
                                                size_t src_pitch,
                                                size_t width,
                                                size_t height,
                                                pi_uint32 num_events_in_waitlist,
                                                const pi_event *events_waitlist,
                                                pi_event *event);

/// Pointer to `piGetDeviceAndHostTimer`.
typedef pi_result (*piGetDeviceAndHostTimer_fn)(pi_device Device, uint64_t *DeviceTime, uint64_t *HostTime);

/// Pointer to `piextEnqueueDeviceGlobalVariableWrite`.
typedef pi_result (*piextEnqueueDeviceGlobalVariableWrite_fn)(pi_queue queue,
                                                              pi_program program,
                                                              const char *name,
                                                              pi_bool blocking_write,
                                                              size_t count,
                                                              size_t offset,
                                                              const void *src,
                                                              pi_uint32 num_events_in_wait_list,
                                                              const pi_event *event_wait_list,
                                                              pi_event *event);

/// Pointer to `piextEnqueueDeviceGlobalVariableRead`.
typedef pi_result (*piextEnqueueDeviceGlobalVariableRead_fn)(pi_queue queue,
                                                             pi_program program,
                                                             const char *name,
                                                             pi_bool blocking_read,
                                                             size_t count,
                                                             size_t offset,
                                                             void *dst,
                                                             pi_uint32 num_events_in_wait_list,
                                                             const pi_event *event_wait_list,
                                                             pi_event *event);

/// Pointer to `piPluginGetBackendOption`.
typedef pi_result (*piPluginGetBackendOption_fn)(pi_platform platform,
                                                 const char *frontend_option,
                                                 const char **backend_option);

/// Pointer to `piextEnablePeerAccess`.
typedef pi_result (*piextEnablePeerAccess_fn)(pi_device command_device, pi_device peer_device);

/// Pointer to `piextDisablePeerAccess`.
typedef pi_result (*piextDisablePeerAccess_fn)(pi_device command_device, pi_device peer_device);

typedef enum _pi_peer_attr pi_peer_attr;

/// Pointer to `piextPeerAccessGetInfo`.
typedef pi_result (*piextPeerAccessGetInfo_fn)(pi_device command_device,
                                               pi_device peer_device,
                                               pi_peer_attr attr,
                                               size_t param_value_size,
                                               void *param_value,
                                               size_t *param_value_size_ret);

/// Pointer to `piextUSMImport`.
typedef pi_result (*piextUSMImport_fn)(const void *ptr, size_t size, pi_context context);

/// Pointer to `piextUSMRelease`.
typedef pi_result (*piextUSMRelease_fn)(const void *ptr, pi_context context);

/// `pi_ext_command_buffer_desc`: 24 bytes.
typedef struct pi_ext_command_buffer_desc {
    /// `pi_ext_structure_type` at offset 0.
    enum pi_ext_structure_type stype;
    /// `const void *` at offset 8.
    const void *pNext;
    /// `pi_queue_properties *` at offset 16.
    pi_queue_properties *properties;
} pi_ext_command_buffer_desc;

typedef struct _pi_ext_command_buffer *pi_ext_command_buffer;

/// Pointer to `piextCommandBufferCreate`.
typedef pi_result (*piextCommandBufferCreate_fn)(pi_context context,
                                                 pi_device device,
                                                 const struct pi_ext_command_buffer_desc *desc,
                                                 pi_ext_command_buffer *ret_command_buffer);

/// Pointer to `piextCommandBufferRetain`.
typedef pi_result (*piextCommandBufferRetain_fn)(pi_ext_command_buffer command_buffer);

/// Pointer to `piextCommandBufferRelease`.
typedef pi_result (*piextCommandBufferRelease_fn)(pi_ext_command_buffer command_buffer);

/// Pointer to `piextCommandBufferFinalize`.
typedef pi_result (*piextCommandBufferFinalize_fn)(pi_ext_command_buffer command_buffer);

typedef pi_uint32 pi_ext_sync_point;

/// Pointer to `piextCommandBufferNDRangeKernel`.
typedef pi_result (*piextCommandBufferNDRangeKernel_fn)(pi_ext_command_buffer command_buffer,
                                                        pi_kernel kernel,
                                                        pi_uint32 work_dim,
                                                        const size_t *global_work_offset,
                                                        const size_t *global_work_size,
                                                        const size_t *local_work_size,
                                                        pi_uint32 num_sync_points_in_wait_list,
                                                        const pi_ext_sync_point *sync_point_wait_list,
                                                        pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemcpyUSM`.
typedef pi_result (*piextCommandBufferMemcpyUSM_fn)(pi_ext_command_buffer command_buffer,
                                                    void *dst_ptr,
                                                    const void *src_ptr,
                                                    size_t size,
                                                    pi_uint32 num_sync_points_in_wait_list,
                                                    const pi_ext_sync_point *sync_point_wait_list,
                                                    pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferCopy`.
typedef pi_result (*piextCommandBufferMemBufferCopy_fn)(pi_ext_command_buffer command_buffer,
                                                        pi_mem src_buffer,
                                                        pi_mem dst_buffer,
                                                        size_t src_offset,
                                                        size_t dst_offset,
                                                        size_t size,
                                                        pi_uint32 num_sync_points_in_wait_list,
                                                        const pi_ext_sync_point *sync_point_wait_list,
                                                        pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferCopyRect`.
typedef pi_result (*piextCommandBufferMemBufferCopyRect_fn)(pi_ext_command_buffer command_buffer,
                                                            pi_mem src_buffer,
                                                            pi_mem dst_buffer,
                                                            pi_buff_rect_offset src_origin,
                                                            pi_buff_rect_offset dst_origin,
                                                            pi_buff_rect_region region,
                                                            size_t src_row_pitch,
                                                            size_t src_slice_pitch,
                                                            size_t dst_row_pitch,
                                                            size_t dst_slice_pitch,
                                                            pi_uint32 num_sync_points_in_wait_list,
                                                            const pi_ext_sync_point *sync_point_wait_list,
                                                            pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferWrite`.
typedef pi_result (*piextCommandBufferMemBufferWrite_fn)(pi_ext_command_buffer command_buffer,
                                                         pi_mem buffer,
                                                         size_t offset,
                                                         size_t size,
                                                         const void *ptr,
                                                         pi_uint32 num_sync_points_in_wait_list,
                                                         const pi_ext_sync_point *sync_point_wait_list,
                                                         pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferWriteRect`.
typedef pi_result (*piextCommandBufferMemBufferWriteRect_fn)(pi_ext_command_buffer command_buffer,
                                                             pi_mem buffer,
                                                             pi_buff_rect_offset buffer_offset,
                                                             pi_buff_rect_offset host_offset,
                                                             pi_buff_rect_region region,
                                                             size_t buffer_row_pitch,
                                                             size_t buffer_slice_pitch,
                                                             size_t host_row_pitch,
                                                             size_t host_slice_pitch,
                                                             const void *ptr,
                                                             pi_uint32 num_sync_points_in_wait_list,
                                                             const pi_ext_sync_point *sync_point_wait_list,
                                                             pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferRead`.
typedef pi_result (*piextCommandBufferMemBufferRead_fn)(pi_ext_command_buffer command_buffer,
                                                        pi_mem buffer,
                                                        size_t offset,
                                                        size_t size,
                                                        void *dst,
                                                        pi_uint32 num_sync_points_in_wait_list,
                                                        const pi_ext_sync_point *sync_point_wait_list,
                                                        pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferReadRect`.
typedef pi_result (*piextCommandBufferMemBufferReadRect_fn)(pi_ext_command_buffer command_buffer,
                                                            pi_mem buffer,
                                                            pi_buff_rect_offset buffer_offset,
                                                            pi_buff_rect_offset host_offset,
                                                            pi_buff_rect_region region,
                                                            size_t buffer_row_pitch,
                                                            size_t buffer_slice_pitch,
                                                            size_t host_row_pitch,
                                                            size_t host_slice_pitch,
                                                            void *ptr,
                                                            pi_uint32 num_sync_points_in_wait_list,
                                                            const pi_ext_sync_point *sync_point_wait_list,
                                                            pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferMemBufferFill`.
typedef pi_result (*piextCommandBufferMemBufferFill_fn)(pi_ext_command_buffer command_buffer,
                                                        pi_mem buffer,
                                                        const void *pattern,
                                                        size_t pattern_size,
                                                        size_t offset,
                                                        size_t size,
                                                        pi_uint32 num_sync_points_in_wait_list,
                                                        const pi_ext_sync_point *sync_point_wait_list,
                                                        pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferFillUSM`.
typedef pi_result (*piextCommandBufferFillUSM_fn)(pi_ext_command_buffer command_buffer,
                                                  void *ptr,
                                                  const void *pattern,
                                                  size_t pattern_size,
                                                  size_t size,
                                                  pi_uint32 num_sync_points_in_wait_list,
                                                  const pi_ext_sync_point *sync_point_wait_list,
                                                  pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferPrefetchUSM`.
typedef pi_result (*piextCommandBufferPrefetchUSM_fn)(pi_ext_command_buffer command_buffer,
                                                      const void *ptr,
                                                      size_t size,
                                                      pi_usm_migration_flags flags,
                                                      pi_uint32 num_sync_points_in_wait_list,
                                                      const pi_ext_sync_point *sync_point_wait_list,
                                                      pi_ext_sync_point *sync_point);

/// Pointer to `piextCommandBufferAdviseUSM`.
typedef pi_result (*piextCommandBufferAdviseUSM_fn)(pi_ext_command_buffer command_buffer,
                                                    const void *ptr,
                                                    size_t length,
                                                    pi_mem_advice advice,
                                                    pi_uint32 num_sync_points_in_wait_list,
                                                    const pi_ext_sync_point *sync_point_wait_list,
                                                    pi_ext_sync_point *sync_point);

/// Pointer to `piextEnqueueCommandBuffer`.
typedef pi_result (*piextEnqueueCommandBuffer_fn)(pi_ext_command_buffer command_buffer,
                                                  pi_queue queue,
                                                  pi_uint32 num_events_in_wait_list,
                                                  const pi_event *event_wait_list,
                                                  pi_event *event);

/// Pointer to `piextUSMPitchedAlloc`.
typedef pi_result (*piextUSMPitchedAlloc_fn)(void **result_ptr,
                                             size_t *result_pitch,
                                             pi_context context,
                                             pi_device device,
                                             pi_usm_mem_properties *properties,
                                             size_t width_in_bytes,
                                             size_t height,
                                             unsigned int element_size_bytes);

typedef pi_uint64 pi_image_handle;

/// Pointer to `piextMemUnsampledImageHandleDestroy`.
typedef pi_result (*piextMemUnsampledImageHandleDestroy_fn)(pi_context context,
                                                            pi_device device,
                                                            pi_image_handle handle);

/// Pointer to `piextMemSampledImageHandleDestroy`.
typedef pi_result (*piextMemSampledImageHandleDestroy_fn)(pi_context context,
                                                          pi_device device,
                                                          pi_image_handle handle);

/// Pointer to `piextBindlessImageSamplerCreate`.
typedef pi_result (*piextBindlessImageSamplerCreate_fn)(pi_context context,
                                                        const pi_sampler_properties *sampler_properties,
                                                        float min_mipmap_level_clamp,
                                                        float max_mipmap_level_clamp,
                                                        float max_anisotropy,
                                                        pi_sampler *result_sampler);

typedef void *pi_image_mem_handle;

/// Pointer to `piextMemImageAllocate`.
typedef pi_result (*piextMemImageAllocate_fn)(pi_context context,
                                              pi_device device,
                                              struct pi_image_format *image_format,
                                              struct pi_image_desc *image_desc,
                                              pi_image_mem_handle *ret_mem);

/// Pointer to `piextMemImageFree`.
typedef pi_result (*piextMemImageFree_fn)(pi_context context,
                                          pi_device device,
                                          pi_image_mem_handle memory_handle);

/// Pointer to `piextMemUnsampledImageCreate`.
typedef pi_result (*piextMemUnsampledImageCreate_fn)(pi_context context,
                                                     pi_device device,
                                                     pi_image_mem_handle img_mem,
                                                     struct pi_image_format *image_format,
                                                     struct pi_image_desc *image_desc,
                                                     pi_mem *ret_mem,
                                                     pi_image_handle *ret_handle);

/// Pointer to `piextMemSampledImageCreate`.
typedef pi_result (*piextMemSampledImageCreate_fn)(pi_context context,
                                                   pi_device device,
                                                   pi_image_mem_handle img_mem,
                                                   struct pi_image_format *image_format,
                                                   struct pi_image_desc *image_desc,
                                                   pi_sampler sampler,
                                                   pi_mem *ret_mem,
                                                   pi_image_handle *ret_handle);

typedef enum _pi_image_copy_flags pi_image_copy_flags;

/// Pointer to `piextMemImageCopy`.
typedef pi_result (*piextMemImageCopy_fn)(pi_queue command_queue,
                                          void *dst_ptr,
                                          void *src_ptr,
                                          const struct pi_image_format *image_format,
                                          const struct pi_image_desc *image_desc,
                                          pi_image_copy_flags flags,
                                          pi_image_offset src_offset,
                                          pi_image_offset dst_offset,
                                          pi_image_region copy_extent,
                                          pi_image_region host_extent,
                                          pi_uint32 num_events_in_wait_list,
                                          const pi_event *event_wait_list,
                                          pi_event *event);

/// Pointer to `piextMemImageGetInfo`.
typedef pi_result (*piextMemImageGetInfo_fn)(pi_image_mem_handle mem_handle,
                                             pi_image_info param_name,
                                             void *param_value,
                                             size_t *param_value_size_ret);

/// Pointer to `piextMemMipmapGetLevel`.
typedef pi_result (*piextMemMipmapGetLevel_fn)(pi_context context,
                                               pi_device device,
                                               pi_image_mem_handle mip_mem,
                                               unsigned int level,
                                               pi_image_mem_handle *ret_mem);

/// Pointer to `piextMemMipmapFree`.
typedef pi_result (*piextMemMipmapFree_fn)(pi_context context,
                                           pi_device device,
                                           pi_image_mem_handle memory_handle);

typedef pi_uint64 pi_interop_mem_handle;

/// Pointer to `piextMemImportOpaqueFD`.
typedef pi_result (*piextMemImportOpaqueFD_fn)(pi_context context,
                                               pi_device device,
                                               size_t size,
                                               int file_descriptor,
                                               pi_interop_mem_handle *ret_handle);

/// Pointer to `piextMemReleaseInterop`.
typedef pi_result (*piextMemReleaseInterop_fn)(pi_context context,
                                               pi_device device,
                                               pi_interop_mem_handle memory_handle);

/// Pointer to `piextMemMapExternalArray`.
typedef pi_result (*piextMemMapExternalArray_fn)(pi_context context,
                                                 pi_device device,
                                                 struct pi_image_format *image_format,
                                                 struct pi_image_desc *image_desc,
                                                 pi_interop_mem_handle mem_handle,
                                                 pi_image_mem_handle *ret_mem);

typedef pi_uint64 pi_interop_semaphore_handle;

/// Pointer to `piextImportExternalSemaphoreOpaqueFD`.
typedef pi_result (*piextImportExternalSemaphoreOpaqueFD_fn)(pi_context context,
                                                             pi_device device,
                                                             int file_descriptor,
                                                             pi_interop_semaphore_handle *ret_handle);

/// Pointer to `piextDestroyExternalSemaphore`.
typedef pi_result (*piextDestroyExternalSemaphore_fn)(pi_context context,
                                                      pi_device device,
                                                      pi_interop_semaphore_handle sem_handle);

/// Pointer to `piextWaitExternalSemaphore`.
typedef pi_result (*piextWaitExternalSemaphore_fn)(pi_queue command_queue,
                                                   pi_interop_semaphore_handle sem_handle,
                                                   pi_uint32 num_events_in_wait_list,
                                                   const pi_event *event_wait_list,
                                                   pi_event *event);

/// Pointer to `piextSignalExternalSemaphore`.
typedef pi_result (*piextSignalExternalSemaphore_fn)(pi_queue command_queue,
                                                     pi_interop_semaphore_handle sem_handle,
                                                     pi_uint32 num_events_in_wait_list,
                                                     const pi_event *event_wait_list,
                                                     pi_event *event);

/// The function table of PI 15.47: 159 functions in the order of their slots.
typedef struct pi_function_table_15_47 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextGetGlobalVariablePointer_fn piextGetGlobalVariablePointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piextQueueCreate_fn piextQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piextMemImageCreateWithNativeHandle_fn piextMemImageCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piextKernelSuggestMaxCooperativeGroupCount_fn piextKernelSuggestMaxCooperativeGroupCount;
    piEventCreate_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piextEnqueueCooperativeKernelLaunch_fn piextEnqueueCooperativeKernelLaunch;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextEnqueueReadHostPipe_fn piextEnqueueReadHostPipe;
    piextEnqueueWriteHostPipe_fn piextEnqueueWriteHostPipe;
    piextKernelSetArgMemObj_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
    piextUSMEnqueueFill2D_fn piextUSMEnqueueFill2D;
    piextUSMEnqueueMemset2D_fn piextUSMEnqueueMemset2D;
    piextUSMEnqueueMemcpy2D_fn piextUSMEnqueueMemcpy2D;
    piGetDeviceAndHostTimer_fn piGetDeviceAndHostTimer;
    piextEnqueueDeviceGlobalVariableWrite_fn piextEnqueueDeviceGlobalVariableWrite;
    piextEnqueueDeviceGlobalVariableRead_fn piextEnqueueDeviceGlobalVariableRead;
    piPluginGetBackendOption_fn piPluginGetBackendOption;
    piextEnablePeerAccess_fn piextEnablePeerAccess;
    piextDisablePeerAccess_fn piextDisablePeerAccess;
    piextPeerAccessGetInfo_fn piextPeerAccessGetInfo;
    piextUSMImport_fn piextUSMImport;
    piextUSMRelease_fn piextUSMRelease;
    piextCommandBufferCreate_fn piextCommandBufferCreate;
    piextCommandBufferRetain_fn piextCommandBufferRetain;
    piextCommandBufferRelease_fn piextCommandBufferRelease;
    piextCommandBufferFinalize_fn piextCommandBufferFinalize;
    piextCommandBufferNDRangeKernel_fn piextCommandBufferNDRangeKernel;
    piextCommandBufferMemcpyUSM_fn piextCommandBufferMemcpyUSM;
    piextCommandBufferMemBufferCopy_fn piextCommandBufferMemBufferCopy;
    piextCommandBufferMemBufferCopyRect_fn piextCommandBufferMemBufferCopyRect;
    piextCommandBufferMemBufferWrite_fn piextCommandBufferMemBufferWrite;
    piextCommandBufferMemBufferWriteRect_fn piextCommandBufferMemBufferWriteRect;
    piextCommandBufferMemBufferRead_fn piextCommandBufferMemBufferRead;
    piextCommandBufferMemBufferReadRect_fn piextCommandBufferMemBufferReadRect;
    piextCommandBufferMemBufferFill_fn piextCommandBufferMemBufferFill;
    piextCommandBufferFillUSM_fn piextCommandBufferFillUSM;
    piextCommandBufferPrefetchUSM_fn piextCommandBufferPrefetchUSM;
    piextCommandBufferAdviseUSM_fn piextCommandBufferAdviseUSM;
    piextEnqueueCommandBuffer_fn piextEnqueueCommandBuffer;
    piextUSMPitchedAlloc_fn piextUSMPitchedAlloc;
    piextMemUnsampledImageHandleDestroy_fn piextMemUnsampledImageHandleDestroy;
    piextMemSampledImageHandleDestroy_fn piextMemSampledImageHandleDestroy;
    piextBindlessImageSamplerCreate_fn piextBindlessImageSamplerCreate;
    piextMemImageAllocate_fn piextMemImageAllocate;
    piextMemImageFree_fn piextMemImageFree;
    piextMemUnsampledImageCreate_fn piextMemUnsampledImageCreate;
    piextMemSampledImageCreate_fn piextMemSampledImageCreate;
    piextMemImageCopy_fn piextMemImageCopy;
    piextMemImageGetInfo_fn piextMemImageGetInfo;
    piextMemMipmapGetLevel_fn piextMemMipmapGetLevel;
    piextMemMipmapFree_fn piextMemMipmapFree;
    piextMemImportOpaqueFD_fn piextMemImportOpaqueFD;
    piextMemReleaseInterop_fn piextMemReleaseInterop;
    piextMemMapExternalArray_fn piextMemMapExternalArray;
    piextImportExternalSemaphoreOpaqueFD_fn piextImportExternalSemaphoreOpaqueFD;
    piextDestroyExternalSemaphore_fn piextDestroyExternalSemaphore;
    piextWaitExternalSemaphore_fn piextWaitExternalSemaphore;
    piextSignalExternalSemaphore_fn piextSignalExternalSemaphore;
} pi_function_table_15_47;

typedef enum _pi_sanitize_type pi_sanitize_type;

/// What `piPluginInit` is handed by a host of PI 15.47: 1328 bytes.
typedef struct pi_plugin_15_47 {
    /// The host's version, "15.47". The host fills it before the call.
    char PiVersion[20];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[20];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_15_47 PiFunctionTable;
    /// Set by the host before the call.
    pi_sanitize_type SanitizeType;
} pi_plugin_15_47;

/// `pi_plugin` as the newest version has it. Zero it, write the version into `PiVersion`, and pass it on.
typedef struct pi_plugin_15_47 pi_plugin;

/// `piEnqueueNativeKernel`'s function, called with a copy of the arguments.
typedef void (*pi_native_kernel)(void *args);

typedef pi_bitfield pi_device_fp_config;

typedef pi_bitfield pi_device_exec_capabilities;

typedef pi_bitfield pi_memory_order_capabilities;

typedef pi_bitfield pi_memory_scope_capabilities;

typedef pi_bitfield pi_device_affinity_domain;

typedef uint64_t pi_usm_capabilities;

typedef uint8_t pi_device_binary_type;

typedef struct _pi_ext_command_buffer_command *pi_ext_command_buffer_command;

typedef enum _pi_event_status pi_event_status;

typedef enum _pi_program_build_status pi_program_build_status;

typedef enum _pi_program_binary_type pi_program_binary_type;

typedef enum _pi_platform_backend pi_platform_backend;

typedef enum _pi_device_mem_cache_type pi_device_mem_cache_type;

typedef enum _pi_device_local_mem_type pi_device_local_mem_type;

typedef enum _pi_command_type pi_command_type;

typedef enum _pi_sampler_addressing_mode pi_sampler_addressing_mode;

typedef enum _pi_sampler_filter_mode pi_sampler_filter_mode;

typedef enum _pi_sampler_cubemap_filter_mode pi_sampler_cubemap_filter_mode;

typedef enum _pi_kernel_cache_config pi_kernel_cache_config;

typedef enum _pi_mem_obj_access pi_mem_obj_access;

typedef enum _pi_usm_capability_query pi_usm_capability_query;

typedef enum _pi_usm_type pi_usm_type;

/// Pointer to `piextQueueGetNativeHandle` as it is up to PI 12.27.
typedef pi_result (*piextQueueGetNativeHandle_until_12_27_fn)(pi_queue queue, pi_native_handle *nativeHandle);

/// Pointer to `piextQueueCreateWithNativeHandle` as it is up to PI 12.27.
typedef pi_result (*piextQueueCreateWithNativeHandle_until_12_27_fn)(pi_native_handle nativeHandle,
                                                                     pi_context context,
                                                                     pi_device device,
                                                                     bool pluginOwnsNativeHandle,
                                                                     pi_queue *queue);

/// Pointer to `piextMemGetNativeHandle` as it is up to PI 14.39.
typedef pi_result (*piextMemGetNativeHandle_until_14_39_fn)(pi_mem mem, pi_native_handle *nativeHandle);

/// Pointer to `piclProgramCreateWithSource`.
typedef pi_result (*piclProgramCreateWithSource_fn)(pi_context context,
                                                    pi_uint32 count,
                                                    const char **strings,
                                                    const size_t *lengths,
                                                    pi_program *ret_program);

/// Pointer to `piEventCreate` as it is up to PI 9.11.
typedef pi_result (*piEventCreate_until_9_11_fn)(pi_context context, pi_event *ret_event);

/// Pointer to `piEnqueueNativeKernel`.
typedef pi_result (*piEnqueueNativeKernel_fn)(pi_queue queue,
                                              pi_native_kernel user_func,
                                              void *args,
                                              size_t cb_args,
                                              pi_uint32 num_mem_objects,
                                              const pi_mem *mem_list,
                                              const void **args_mem_loc,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event);

/// Pointer to `piextUSMEnqueueMemAdvise` as it is up to PI 14.37.
typedef pi_result (*piextUSMEnqueueMemAdvise_until_14_37_fn)(pi_queue queue,
                                                             const void *ptr,
                                                             size_t length,
                                                             pi_mem_advice advice,
                                                             pi_event *event);

/// Pointer to `piextKernelSetArgMemObj` as it is up to PI 12.27.
typedef pi_result (*piextKernelSetArgMemObj_until_12_27_fn)(pi_kernel kernel,
                                                            pi_uint32 arg_index,
                                                            const pi_mem *arg_value);

/// The function table of PI 9.11: 106 functions in the order of their slots.
typedef struct pi_function_table_9_11 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_until_12_27_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_until_12_27_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_until_14_39_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piclProgramCreateWithSource_fn piclProgramCreateWithSource;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piEventCreate_until_9_11_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piEnqueueNativeKernel_fn piEnqueueNativeKernel;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_until_14_37_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextKernelSetArgMemObj_until_12_27_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
} pi_function_table_9_11;

/// What `piPluginInit` is handed by a host of PI 9.11: 880 bytes.
typedef struct pi_plugin_9_11 {
    /// The host's version, "9.11". The host fills it before the call.
    char PiVersion[10];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[10];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_9_11 PiFunctionTable;
} pi_plugin_9_11;

/// The function table of PI 11.15: 106 functions in the order of their slots.
typedef struct pi_function_table_11_15 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_until_12_27_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_until_12_27_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_until_14_39_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piclProgramCreateWithSource_fn piclProgramCreateWithSource;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piEventCreate_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piEnqueueNativeKernel_fn piEnqueueNativeKernel;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_until_14_37_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextKernelSetArgMemObj_until_12_27_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
} pi_function_table_11_15;

/// What `piPluginInit` is handed by a host of PI 11.15: 896 bytes.
typedef struct pi_plugin_11_15 {
    /// The host's version, "11.15". The host fills it before the call.
    char PiVersion[20];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[20];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_11_15 PiFunctionTable;
} pi_plugin_11_15;

/// The function table of PI 12.21: 110 functions in the order of their slots.
typedef struct pi_function_table_12_21 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piextQueueCreate_fn piextQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_until_12_27_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_until_12_27_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_until_14_39_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piclProgramCreateWithSource_fn piclProgramCreateWithSource;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piEventCreate_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piEnqueueNativeKernel_fn piEnqueueNativeKernel;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_until_14_37_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextKernelSetArgMemObj_until_12_27_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
    piextUSMEnqueueFill2D_fn piextUSMEnqueueFill2D;
    piextUSMEnqueueMemset2D_fn piextUSMEnqueueMemset2D;
    piextUSMEnqueueMemcpy2D_fn piextUSMEnqueueMemcpy2D;
} pi_function_table_12_21;

/// What `piPluginInit` is handed by a host of PI 12.21: 928 bytes.
typedef struct pi_plugin_12_21 {
    /// The host's version, "12.21". The host fills it before the call.
    char PiVersion[20];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[20];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_12_21 PiFunctionTable;
} pi_plugin_12_21;

/// Pointer to `piextQueueCreate2`.
typedef pi_result (*piextQueueCreate2_fn)(pi_context context,
                                          pi_device device,
                                          pi_queue_properties *properties,
                                          pi_queue *queue);

/// Pointer to `piextQueueGetNativeHandle2`.
typedef pi_result (*piextQueueGetNativeHandle2_fn)(pi_queue queue,
                                                   pi_native_handle *nativeHandle,
                                                   int32_t *nativeHandleDesc);

/// Pointer to `piextQueueCreateWithNativeHandle2`.
typedef pi_result (*piextQueueCreateWithNativeHandle2_fn)(pi_native_handle nativeHandle,
                                                          int32_t nativeHandleDesc,
                                                          pi_context context,
                                                          pi_device device,
                                                          bool pluginOwnsNativeHandle,
                                                          pi_queue_properties *Properties,
                                                          pi_queue *queue);

/// The function table of PI 12.27: 118 functions in the order of their slots.
typedef struct pi_function_table_12_27 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piextQueueCreate_fn piextQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_until_12_27_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_until_12_27_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_until_14_39_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piclProgramCreateWithSource_fn piclProgramCreateWithSource;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piEventCreate_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piEnqueueNativeKernel_fn piEnqueueNativeKernel;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_until_14_37_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextEnqueueReadHostPipe_fn piextEnqueueReadHostPipe;
    piextEnqueueWriteHostPipe_fn piextEnqueueWriteHostPipe;
    piextKernelSetArgMemObj_until_12_27_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
    piextUSMEnqueueFill2D_fn piextUSMEnqueueFill2D;
    piextUSMEnqueueMemset2D_fn piextUSMEnqueueMemset2D;
    piextUSMEnqueueMemcpy2D_fn piextUSMEnqueueMemcpy2D;
    piGetDeviceAndHostTimer_fn piGetDeviceAndHostTimer;
    piextEnqueueDeviceGlobalVariableWrite_fn piextEnqueueDeviceGlobalVariableWrite;
    piextEnqueueDeviceGlobalVariableRead_fn piextEnqueueDeviceGlobalVariableRead;
    piextQueueCreate2_fn piextQueueCreate2;
    piextQueueGetNativeHandle2_fn piextQueueGetNativeHandle2;
    piextQueueCreateWithNativeHandle2_fn piextQueueCreateWithNativeHandle2;
} pi_function_table_12_27;

/// What `piPluginInit` is handed by a host of PI 12.27: 992 bytes.
typedef struct pi_plugin_12_27 {
    /// The host's version, "12.27". The host fills it before the call.
    char PiVersion[20];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[20];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_12_27 PiFunctionTable;
} pi_plugin_12_27;

/// The function table of PI 14.37: 152 functions in the order of their slots.
typedef struct pi_function_table_14_37 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piextQueueCreate_fn piextQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_until_14_39_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piextMemImageCreateWithNativeHandle_fn piextMemImageCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piEventCreate_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_until_14_37_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextEnqueueReadHostPipe_fn piextEnqueueReadHostPipe;
    piextEnqueueWriteHostPipe_fn piextEnqueueWriteHostPipe;
    piextKernelSetArgMemObj_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
    piextUSMEnqueueFill2D_fn piextUSMEnqueueFill2D;
    piextUSMEnqueueMemset2D_fn piextUSMEnqueueMemset2D;
    piextUSMEnqueueMemcpy2D_fn piextUSMEnqueueMemcpy2D;
    piGetDeviceAndHostTimer_fn piGetDeviceAndHostTimer;
    piextEnqueueDeviceGlobalVariableWrite_fn piextEnqueueDeviceGlobalVariableWrite;
    piextEnqueueDeviceGlobalVariableRead_fn piextEnqueueDeviceGlobalVariableRead;
    piPluginGetBackendOption_fn piPluginGetBackendOption;
    piextEnablePeerAccess_fn piextEnablePeerAccess;
    piextDisablePeerAccess_fn piextDisablePeerAccess;
    piextPeerAccessGetInfo_fn piextPeerAccessGetInfo;
    piextUSMImport_fn piextUSMImport;
    piextUSMRelease_fn piextUSMRelease;
    piextCommandBufferCreate_fn piextCommandBufferCreate;
    piextCommandBufferRetain_fn piextCommandBufferRetain;
    piextCommandBufferRelease_fn piextCommandBufferRelease;
    piextCommandBufferFinalize_fn piextCommandBufferFinalize;
    piextCommandBufferNDRangeKernel_fn piextCommandBufferNDRangeKernel;
    piextCommandBufferMemcpyUSM_fn piextCommandBufferMemcpyUSM;
    piextCommandBufferMemBufferCopy_fn piextCommandBufferMemBufferCopy;
    piextCommandBufferMemBufferCopyRect_fn piextCommandBufferMemBufferCopyRect;
    piextCommandBufferMemBufferWrite_fn piextCommandBufferMemBufferWrite;
    piextCommandBufferMemBufferWriteRect_fn piextCommandBufferMemBufferWriteRect;
    piextCommandBufferMemBufferRead_fn piextCommandBufferMemBufferRead;
    piextCommandBufferMemBufferReadRect_fn piextCommandBufferMemBufferReadRect;
    piextEnqueueCommandBuffer_fn piextEnqueueCommandBuffer;
    piextUSMPitchedAlloc_fn piextUSMPitchedAlloc;
    piextMemUnsampledImageHandleDestroy_fn piextMemUnsampledImageHandleDestroy;
    piextMemSampledImageHandleDestroy_fn piextMemSampledImageHandleDestroy;
    piextBindlessImageSamplerCreate_fn piextBindlessImageSamplerCreate;
    piextMemImageAllocate_fn piextMemImageAllocate;
    piextMemImageFree_fn piextMemImageFree;
    piextMemUnsampledImageCreate_fn piextMemUnsampledImageCreate;
    piextMemSampledImageCreate_fn piextMemSampledImageCreate;
    piextMemImageCopy_fn piextMemImageCopy;
    piextMemImageGetInfo_fn piextMemImageGetInfo;
    piextMemMipmapGetLevel_fn piextMemMipmapGetLevel;
    piextMemMipmapFree_fn piextMemMipmapFree;
    piextMemImportOpaqueFD_fn piextMemImportOpaqueFD;
    piextMemReleaseInterop_fn piextMemReleaseInterop;
    piextMemMapExternalArray_fn piextMemMapExternalArray;
    piextImportExternalSemaphoreOpaqueFD_fn piextImportExternalSemaphoreOpaqueFD;
    piextDestroyExternalSemaphore_fn piextDestroyExternalSemaphore;
    piextWaitExternalSemaphore_fn piextWaitExternalSemaphore;
    piextSignalExternalSemaphore_fn piextSignalExternalSemaphore;
} pi_function_table_14_37;

/// What `piPluginInit` is handed by a host of PI 14.37: 1264 bytes.
typedef struct pi_plugin_14_37 {
    /// The host's version, "14.37". The host fills it before the call.
    char PiVersion[20];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[20];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_14_37 PiFunctionTable;
} pi_plugin_14_37;

/// The function table of PI 14.39: 152 functions in the order of their slots.
typedef struct pi_function_table_14_39 {
    piPlatformsGet_fn piPlatformsGet;
    piPlatformGetInfo_fn piPlatformGetInfo;
    piextPlatformGetNativeHandle_fn piextPlatformGetNativeHandle;
    piextPlatformCreateWithNativeHandle_fn piextPlatformCreateWithNativeHandle;
    piDevicesGet_fn piDevicesGet;
    piDeviceGetInfo_fn piDeviceGetInfo;
    piDevicePartition_fn piDevicePartition;
    piDeviceRetain_fn piDeviceRetain;
    piDeviceRelease_fn piDeviceRelease;
    piextDeviceSelectBinary_fn piextDeviceSelectBinary;
    piextGetDeviceFunctionPointer_fn piextGetDeviceFunctionPointer;
    piextDeviceGetNativeHandle_fn piextDeviceGetNativeHandle;
    piextDeviceCreateWithNativeHandle_fn piextDeviceCreateWithNativeHandle;
    piContextCreate_fn piContextCreate;
    piContextGetInfo_fn piContextGetInfo;
    piContextRetain_fn piContextRetain;
    piContextRelease_fn piContextRelease;
    piextContextSetExtendedDeleter_fn piextContextSetExtendedDeleter;
    piextContextGetNativeHandle_fn piextContextGetNativeHandle;
    piextContextCreateWithNativeHandle_fn piextContextCreateWithNativeHandle;
    piQueueCreate_fn piQueueCreate;
    piextQueueCreate_fn piextQueueCreate;
    piQueueGetInfo_fn piQueueGetInfo;
    piQueueFinish_fn piQueueFinish;
    piQueueFlush_fn piQueueFlush;
    piQueueRetain_fn piQueueRetain;
    piQueueRelease_fn piQueueRelease;
    piextQueueGetNativeHandle_fn piextQueueGetNativeHandle;
    piextQueueCreateWithNativeHandle_fn piextQueueCreateWithNativeHandle;
    piMemBufferCreate_fn piMemBufferCreate;
    piMemImageCreate_fn piMemImageCreate;
    piMemGetInfo_fn piMemGetInfo;
    piMemImageGetInfo_fn piMemImageGetInfo;
    piMemRetain_fn piMemRetain;
    piMemRelease_fn piMemRelease;
    piMemBufferPartition_fn piMemBufferPartition;
    piextMemGetNativeHandle_until_14_39_fn piextMemGetNativeHandle;
    piextMemCreateWithNativeHandle_fn piextMemCreateWithNativeHandle;
    piextMemImageCreateWithNativeHandle_fn piextMemImageCreateWithNativeHandle;
    piProgramCreate_fn piProgramCreate;
    piProgramCreateWithBinary_fn piProgramCreateWithBinary;
    piProgramGetInfo_fn piProgramGetInfo;
    piProgramCompile_fn piProgramCompile;
    piProgramBuild_fn piProgramBuild;
    piProgramLink_fn piProgramLink;
    piProgramGetBuildInfo_fn piProgramGetBuildInfo;
    piProgramRetain_fn piProgramRetain;
    piProgramRelease_fn piProgramRelease;
    piextProgramSetSpecializationConstant_fn piextProgramSetSpecializationConstant;
    piextProgramGetNativeHandle_fn piextProgramGetNativeHandle;
    piextProgramCreateWithNativeHandle_fn piextProgramCreateWithNativeHandle;
    piKernelCreate_fn piKernelCreate;
    piKernelSetArg_fn piKernelSetArg;
    piKernelGetInfo_fn piKernelGetInfo;
    piKernelGetGroupInfo_fn piKernelGetGroupInfo;
    piKernelGetSubGroupInfo_fn piKernelGetSubGroupInfo;
    piKernelRetain_fn piKernelRetain;
    piKernelRelease_fn piKernelRelease;
    piextKernelSetArgPointer_fn piextKernelSetArgPointer;
    piKernelSetExecInfo_fn piKernelSetExecInfo;
    piextKernelCreateWithNativeHandle_fn piextKernelCreateWithNativeHandle;
    piextKernelGetNativeHandle_fn piextKernelGetNativeHandle;
    piEventCreate_fn piEventCreate;
    piEventGetInfo_fn piEventGetInfo;
    piEventGetProfilingInfo_fn piEventGetProfilingInfo;
    piEventsWait_fn piEventsWait;
    piEventSetCallback_fn piEventSetCallback;
    piEventSetStatus_fn piEventSetStatus;
    piEventRetain_fn piEventRetain;
    piEventRelease_fn piEventRelease;
    piextEventGetNativeHandle_fn piextEventGetNativeHandle;
    piextEventCreateWithNativeHandle_fn piextEventCreateWithNativeHandle;
    piSamplerCreate_fn piSamplerCreate;
    piSamplerGetInfo_fn piSamplerGetInfo;
    piSamplerRetain_fn piSamplerRetain;
    piSamplerRelease_fn piSamplerRelease;
    piEnqueueKernelLaunch_fn piEnqueueKernelLaunch;
    piEnqueueEventsWait_fn piEnqueueEventsWait;
    piEnqueueEventsWaitWithBarrier_fn piEnqueueEventsWaitWithBarrier;
    piEnqueueMemBufferRead_fn piEnqueueMemBufferRead;
    piEnqueueMemBufferReadRect_fn piEnqueueMemBufferReadRect;
    piEnqueueMemBufferWrite_fn piEnqueueMemBufferWrite;
    piEnqueueMemBufferWriteRect_fn piEnqueueMemBufferWriteRect;
    piEnqueueMemBufferCopy_fn piEnqueueMemBufferCopy;
    piEnqueueMemBufferCopyRect_fn piEnqueueMemBufferCopyRect;
    piEnqueueMemBufferFill_fn piEnqueueMemBufferFill;
    piEnqueueMemImageRead_fn piEnqueueMemImageRead;
    piEnqueueMemImageWrite_fn piEnqueueMemImageWrite;
    piEnqueueMemImageCopy_fn piEnqueueMemImageCopy;
    piEnqueueMemImageFill_fn piEnqueueMemImageFill;
    piEnqueueMemBufferMap_fn piEnqueueMemBufferMap;
    piEnqueueMemUnmap_fn piEnqueueMemUnmap;
    piextUSMHostAlloc_fn piextUSMHostAlloc;
    piextUSMDeviceAlloc_fn piextUSMDeviceAlloc;
    piextUSMSharedAlloc_fn piextUSMSharedAlloc;
    piextUSMFree_fn piextUSMFree;
    piextUSMEnqueueMemset_fn piextUSMEnqueueMemset;
    piextUSMEnqueueMemcpy_fn piextUSMEnqueueMemcpy;
    piextUSMEnqueuePrefetch_fn piextUSMEnqueuePrefetch;
    piextUSMEnqueueMemAdvise_fn piextUSMEnqueueMemAdvise;
    piextUSMGetMemAllocInfo_fn piextUSMGetMemAllocInfo;
    piextEnqueueReadHostPipe_fn piextEnqueueReadHostPipe;
    piextEnqueueWriteHostPipe_fn piextEnqueueWriteHostPipe;
    piextKernelSetArgMemObj_fn piextKernelSetArgMemObj;
    piextKernelSetArgSampler_fn piextKernelSetArgSampler;
    piextPluginGetOpaqueData_fn piextPluginGetOpaqueData;
    piPluginGetLastError_fn piPluginGetLastError;
    piTearDown_fn piTearDown;
    piextUSMEnqueueFill2D_fn piextUSMEnqueueFill2D;
    piextUSMEnqueueMemset2D_fn piextUSMEnqueueMemset2D;
    piextUSMEnqueueMemcpy2D_fn piextUSMEnqueueMemcpy2D;
    piGetDeviceAndHostTimer_fn piGetDeviceAndHostTimer;
    piextEnqueueDeviceGlobalVariableWrite_fn piextEnqueueDeviceGlobalVariableWrite;
    piextEnqueueDeviceGlobalVariableRead_fn piextEnqueueDeviceGlobalVariableRead;
    piPluginGetBackendOption_fn piPluginGetBackendOption;
    piextEnablePeerAccess_fn piextEnablePeerAccess;
    piextDisablePeerAccess_fn piextDisablePeerAccess;
    piextPeerAccessGetInfo_fn piextPeerAccessGetInfo;
    piextUSMImport_fn piextUSMImport;
    piextUSMRelease_fn piextUSMRelease;
    piextCommandBufferCreate_fn piextCommandBufferCreate;
    piextCommandBufferRetain_fn piextCommandBufferRetain;
    piextCommandBufferRelease_fn piextCommandBufferRelease;
    piextCommandBufferFinalize_fn piextCommandBufferFinalize;
    piextCommandBufferNDRangeKernel_fn piextCommandBufferNDRangeKernel;
    piextCommandBufferMemcpyUSM_fn piextCommandBufferMemcpyUSM;
    piextCommandBufferMemBufferCopy_fn piextCommandBufferMemBufferCopy;
    piextCommandBufferMemBufferCopyRect_fn piextCommandBufferMemBufferCopyRect;
    piextCommandBufferMemBufferWrite_fn piextCommandBufferMemBufferWrite;
    piextCommandBufferMemBufferWriteRect_fn piextCommandBufferMemBufferWriteRect;
    piextCommandBufferMemBufferRead_fn piextCommandBufferMemBufferRead;
    piextCommandBufferMemBufferReadRect_fn piextCommandBufferMemBufferReadRect;
    piextEnqueueCommandBuffer_fn piextEnqueueCommandBuffer;
    piextUSMPitchedAlloc_fn piextUSMPitchedAlloc;
    piextMemUnsampledImageHandleDestroy_fn piextMemUnsampledImageHandleDestroy;
    piextMemSampledImageHandleDestroy_fn piextMemSampledImageHandleDestroy;
    piextBindlessImageSamplerCreate_fn piextBindlessImageSamplerCreate;
    piextMemImageAllocate_fn piextMemImageAllocate;
    piextMemImageFree_fn piextMemImageFree;
    piextMemUnsampledImageCreate_fn piextMemUnsampledImageCreate;
    piextMemSampledImageCreate_fn piextMemSampledImageCreate;
    piextMemImageCopy_fn piextMemImageCopy;
    piextMemImageGetInfo_fn piextMemImageGetInfo;
    piextMemMipmapGetLevel_fn piextMemMipmapGetLevel;
    piextMemMipmapFree_fn piextMemMipmapFree;
    piextMemImportOpaqueFD_fn piextMemImportOpaqueFD;
    piextMemReleaseInterop_fn piextMemReleaseInterop;
    piextMemMapExternalArray_fn piextMemMapExternalArray;
    piextImportExternalSemaphoreOpaqueFD_fn piextImportExternalSemaphoreOpaqueFD;
    piextDestroyExternalSemaphore_fn piextDestroyExternalSemaphore;
    piextWaitExternalSemaphore_fn piextWaitExternalSemaphore;
    piextSignalExternalSemaphore_fn piextSignalExternalSemaphore;
} pi_function_table_14_39;

/// What `piPluginInit` is handed by a host of PI 14.39: 1264 bytes.
typedef struct pi_plugin_14_39 {
    /// The host's version, "14.39". The host fills it before the call.
    char PiVersion[20];
    /// The plugin's version. The plugin fills it.
    char PluginVersion[20];
    /// Unused by every release; left alone.
    char *Targets;
    /// The plugin fills it.
    struct pi_function_table_14_39 PiFunctionTable;
} pi_plugin_14_39;

/// `pi_device_binaries_struct`: 32 bytes.
typedef struct pi_device_binaries_struct {
    /// `uint16_t` at offset 0.
    uint16_t Version;
    /// `uint16_t` at offset 2.
    uint16_t NumDeviceBinaries;
    /// `pi_device_binary` at offset 8.
    pi_device_binary DeviceBinaries;
    /// `_pi_offload_entry *` at offset 16.
    _pi_offload_entry *HostEntriesBegin;
    /// `_pi_offload_entry *` at offset 24.
    _pi_offload_entry *HostEntriesEnd;
} pi_device_binaries_struct;

/// Pointer to `pi_device_binaries_struct`.
typedef struct pi_device_binaries_struct *pi_device_binaries;

/// `pi_buffer_region_struct`: 16 bytes.
typedef struct pi_buffer_region_struct {
    /// `size_t` at offset 0.
    size_t origin;
    /// `size_t` at offset 8.
    size_t size;
} pi_buffer_region_struct;

/// Pointer to `pi_buffer_region_struct`.
typedef struct pi_buffer_region_struct *pi_buffer_region;

/// Pointer to `piPluginInit`.
typedef pi_result (*piPluginInit_fn)(pi_plugin *plugin_info);

#define PI_DEVICE_TYPE_DEFAULT ((pi_device_type)1)

#define PI_DEVICE_TYPE_ALL ((pi_device_type)0xffffffff)

#define PI_DEVICE_TYPE_CPU ((pi_device_type)2)

#define PI_DEVICE_TYPE_GPU ((pi_device_type)4)

#define PI_DEVICE_TYPE_ACC ((pi_device_type)8)

#define PI_DEVICE_TYPE_CUSTOM ((pi_device_type)0x10)

#define PI_FP_DENORM ((pi_device_fp_config)1)

#define PI_FP_INF_NAN ((pi_device_fp_config)2)

#define PI_FP_ROUND_TO_NEAREST ((pi_device_fp_config)4)

#define PI_FP_ROUND_TO_ZERO ((pi_device_fp_config)8)

#define PI_FP_ROUND_TO_INF ((pi_device_fp_config)0x10)

#define PI_FP_FMA ((pi_device_fp_config)0x20)

#define PI_FP_SOFT_FLOAT ((pi_device_fp_config)0x40)

#define PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ((pi_device_fp_config)0x80)

#define PI_DEVICE_EXEC_CAPABILITIES_KERNEL ((pi_device_exec_capabilities)1)

#define PI_DEVICE_EXEC_CAPABILITIES_NATIVE_KERNEL ((pi_device_exec_capabilities)2)

#define PI_EXEC_KERNEL ((pi_device_exec_capabilities)1)

#define PI_EXEC_NATIVE_KERNEL ((pi_device_exec_capabilities)2)

#define PI_MEMORY_ORDER_RELAXED ((pi_memory_order_capabilities)1)

#define PI_MEMORY_ORDER_ACQUIRE ((pi_memory_order_capabilities)2)

#define PI_MEMORY_ORDER_RELEASE ((pi_memory_order_capabilities)4)

#define PI_MEMORY_ORDER_ACQ_REL ((pi_memory_order_capabilities)8)

#define PI_MEMORY_ORDER_SEQ_CST ((pi_memory_order_capabilities)0x10)

#define PI_MEMORY_SCOPE_WORK_ITEM ((pi_memory_scope_capabilities)1)

#define PI_MEMORY_SCOPE_SUB_GROUP ((pi_memory_scope_capabilities)2)

#define PI_MEMORY_SCOPE_WORK_GROUP ((pi_memory_scope_capabilities)4)

#define PI_MEMORY_SCOPE_DEVICE ((pi_memory_scope_capabilities)8)

#define PI_MEMORY_SCOPE_SYSTEM ((pi_memory_scope_capabilities)0x10)

#define PI_DEVICE_PARTITION_EQUALLY ((pi_device_partition_property)0x1086)

#define PI_DEVICE_PARTITION_BY_COUNTS ((pi_device_partition_property)0x1087)

#define PI_DEVICE_PARTITION_BY_COUNTS_LIST_END ((pi_device_partition_property)0)

#define PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN ((pi_device_partition_property)0x1088)

/// Since PI 12.19.
#define PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE ((pi_device_partition_property)0x1089)

#define PI_DEVICE_AFFINITY_DOMAIN_NUMA ((pi_device_affinity_domain)1)

#define PI_DEVICE_AFFINITY_DOMAIN_L4_CACHE ((pi_device_affinity_domain)2)

#define PI_DEVICE_AFFINITY_DOMAIN_L3_CACHE ((pi_device_affinity_domain)4)

#define PI_DEVICE_AFFINITY_DOMAIN_L2_CACHE ((pi_device_affinity_domain)8)

#define PI_DEVICE_AFFINITY_DOMAIN_L1_CACHE ((pi_device_affinity_domain)0x10)

#define PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE ((pi_device_affinity_domain)0x20)

#define PI_USM_ACCESS ((pi_usm_capabilities)1)

#define PI_USM_ATOMIC_ACCESS ((pi_usm_capabilities)2)

#define PI_USM_CONCURRENT_ACCESS ((pi_usm_capabilities)4)

#define PI_USM_CONCURRENT_ATOMIC_ACCESS ((pi_usm_capabilities)8)

#define PI_DEVICE_BINARY_TYPE_NONE ((pi_device_binary_type)0)

#define PI_DEVICE_BINARY_TYPE_NATIVE ((pi_device_binary_type)1)

#define PI_DEVICE_BINARY_TYPE_SPIRV ((pi_device_binary_type)2)

#define PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE ((pi_device_binary_type)3)

#define PI_MEM_FLAGS_ACCESS_RW ((pi_mem_flags)1)

#define PI_MEM_ACCESS_READ_ONLY ((pi_mem_flags)4)

#define PI_MEM_FLAGS_HOST_PTR_USE ((pi_mem_flags)8)

#define PI_MEM_FLAGS_HOST_PTR_COPY ((pi_mem_flags)0x20)

#define PI_MEM_FLAGS_HOST_PTR_ALLOC ((pi_mem_flags)0x10)

#define PI_MAP_READ ((pi_map_flags)1)

#define PI_MAP_WRITE ((pi_map_flags)2)

#define PI_MAP_WRITE_INVALIDATE_REGION ((pi_map_flags)4)

#define PI_MEM_PROPERTIES_CHANNEL ((pi_mem_properties)0x4213)

#define PI_MEM_PROPERTIES_ALLOC_BUFFER_LOCATION ((pi_mem_properties)0x419e)

#define PI_TRUE ((pi_bool)1)

#define PI_FALSE ((pi_bool)0)

/// Since PI 12.20.
#define PI_QUEUE_FLAGS ((pi_queue_properties)-1)

/// Since PI 12.20.
#define PI_QUEUE_COMPUTE_INDEX ((pi_queue_properties)-2)

#define PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE ((pi_queue_properties)1)

#define PI_QUEUE_FLAG_PROFILING_ENABLE ((pi_queue_properties)2)

#define PI_QUEUE_FLAG_ON_DEVICE ((pi_queue_properties)4)

#define PI_QUEUE_FLAG_ON_DEVICE_DEFAULT ((pi_queue_properties)8)

/// Since PI 10.13.
#define PI_EXT_ONEAPI_QUEUE_FLAG_DISCARD_EVENTS ((pi_queue_properties)0x10)

/// Since PI 11.17.
#define PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW ((pi_queue_properties)0x20)

/// Since PI 11.17.
#define PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH ((pi_queue_properties)0x40)

#define PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE ((pi_queue_properties)0x80)

#define PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE ((pi_queue_properties)0x100)

#define PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS ((pi_sampler_properties)0x1152)

#define PI_SAMPLER_PROPERTIES_ADDRESSING_MODE ((pi_sampler_properties)0x1153)

#define PI_SAMPLER_PROPERTIES_FILTER_MODE ((pi_sampler_properties)0x1154)

#define PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE ((pi_sampler_properties)0x1155)

/// Since PI 15.49.
#define PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE ((pi_sampler_properties)0x1156)

#define PI_USM_MIGRATION_TBD0 ((pi_usm_migration_flags)1)

#define PI_MEM_ALLOC_FLAGS ((pi_usm_mem_properties)0x4195)

#define PI_MEM_USM_ALLOC_BUFFER_LOCATION ((pi_usm_mem_properties)0x419e)

#define PI_MEM_ALLOC_WRTITE_COMBINED ((pi_usm_mem_properties)1)

#define PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE ((pi_usm_mem_properties)2)

#define PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST ((pi_usm_mem_properties)4)

#define PI_MEM_ALLOC_DEVICE_READ_ONLY ((pi_usm_mem_properties)8)

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Fills the function table of `plugin_info` for the version named in its `PiVersion`.
///
/// The structure may be smaller than `pi_plugin`: it has the size of that version's. A version that the
/// plugin does not serve is refused with `PI_ERROR_INVALID_OPERATION`, and nothing is written.
extern pi_result piPluginInit(pi_plugin *plugin_info);

/// Lists the platforms; with `num_entries` 0 it counts them.
///
/// In every version.
extern pi_result piPlatformsGet(pi_uint32 num_entries, pi_platform *platforms, pi_uint32 *num_platforms);

/// Answers a query about a platform.
///
/// In every version.
extern pi_result piPlatformGetInfo(pi_platform platform,
                                   pi_platform_info param_name,
                                   size_t param_value_size,
                                   void *param_value,
                                   size_t *param_value_size_ret);

/// Gives the driver's own handle of a platform.
///
/// In every version.
extern pi_result piextPlatformGetNativeHandle(pi_platform platform, pi_native_handle *nativeHandle);

/// Makes a platform of the driver's own handle.
///
/// In every version.
extern pi_result piextPlatformCreateWithNativeHandle(pi_native_handle nativeHandle, pi_platform *platform);

/// Lists a platform's devices of some types; with `num_entries` 0 it counts them.
///
/// In every version.
extern pi_result piDevicesGet(pi_platform platform,
                              pi_device_type device_type,
                              pi_uint32 num_entries,
                              pi_device *devices,
                              pi_uint32 *num_devices);

/// Answers a query about a device.
///
/// In every version.
extern pi_result piDeviceGetInfo(pi_device device,
                                 pi_device_info param_name,
                                 size_t param_value_size,
                                 void *param_value,
                                 size_t *param_value_size_ret);

/// Splits a device; the caller releases each part.
///
/// In every version.
extern pi_result piDevicePartition(pi_device device,
                                   const pi_device_partition_property *properties,
                                   pi_uint32 num_devices,
                                   pi_device *out_devices,
                                   pi_uint32 *out_num_devices);

/// Takes one more reference to a device.
///
/// In every version.
extern pi_result piDeviceRetain(pi_device device);

/// Gives back one reference to a device.
///
/// In every version.
extern pi_result piDeviceRelease(pi_device device);

/// Chooses the device image that fits a device best.
///
/// In every version.
extern pi_result piextDeviceSelectBinary(pi_device device,
                                         pi_device_binary *binaries,
                                         pi_uint32 num_binaries,
                                         pi_uint32 *selected_binary_ind);

/// Gives the driver's own handle of a device.
///
/// In every version.
extern pi_result piextDeviceGetNativeHandle(pi_device device, pi_native_handle *nativeHandle);

/// Makes a device of the driver's own handle.
///
/// In every version.
extern pi_result piextDeviceCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                   pi_platform platform,
                                                   pi_device *device);

/// Reads the clocks of device and host together; either pointer may be null.
///
/// From PI 12.27 on.
extern pi_result piGetDeviceAndHostTimer(pi_device Device, uint64_t *DeviceTime, uint64_t *HostTime);

/// Makes a context of devices; the caller releases it.
///
/// In every version.
extern pi_result piContextCreate(const pi_context_properties *properties,
                                 pi_uint32 num_devices,
                                 const pi_device *devices,
                                 pi_context_notify pfn_notify,
                                 void *user_data,
                                 pi_context *ret_context);

/// Answers a query about a context.
///
/// In every version.
extern pi_result piContextGetInfo(pi_context context,
                                  pi_context_info param_name,
                                  size_t param_value_size,
                                  void *param_value,
                                  size_t *param_value_size_ret);

/// Takes one more reference to a context.
///
/// In every version.
extern pi_result piContextRetain(pi_context context);

/// Gives back one reference to a context.
///
/// In every version.
extern pi_result piContextRelease(pi_context context);

/// Has a function called once when the context goes.
///
/// In every version.
extern pi_result piextContextSetExtendedDeleter(pi_context context,
                                                pi_context_extended_deleter func,
                                                void *user_data);

/// Gives the driver's own handle of a context.
///
/// In every version.
extern pi_result piextContextGetNativeHandle(pi_context context, pi_native_handle *nativeHandle);

/// Makes a context of the driver's own handle.
///
/// In every version.
extern pi_result piextContextCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                    pi_uint32 numDevices,
                                                    const pi_device *devices,
                                                    bool pluginOwnsNativeHandle,
                                                    pi_context *context);

/// Makes a queue with flag bits; the caller releases it.
///
/// In every version.
extern pi_result piQueueCreate(pi_context context,
                               pi_device device,
                               pi_queue_properties properties,
                               pi_queue *queue);

/// Makes a queue with a zero-ended list of keys and values; the caller releases it.
///
/// From PI 12.21 on.
extern pi_result piextQueueCreate(pi_context context,
                                  pi_device device,
                                  pi_queue_properties *properties,
                                  pi_queue *queue);

/// Answers a query about a queue.
///
/// In every version.
extern pi_result piQueueGetInfo(pi_queue command_queue,
                                pi_queue_info param_name,
                                size_t param_value_size,
                                void *param_value,
                                size_t *param_value_size_ret);

/// Waits until all commands of a queue are complete.
///
/// In every version.
extern pi_result piQueueFinish(pi_queue command_queue);

/// Hands all commands of a queue to the device.
///
/// In every version.
extern pi_result piQueueFlush(pi_queue command_queue);

/// Takes one more reference to a queue.
///
/// In every version.
extern pi_result piQueueRetain(pi_queue command_queue);

/// Gives back one reference to a queue.
///
/// In every version.
extern pi_result piQueueRelease(pi_queue command_queue);

/// Gives the driver's own handle of a queue, and of what kind it is.
///
/// In every version.
/// Up to PI 12.27 the table's function has parameters of its own.
extern pi_result piextQueueGetNativeHandle(pi_queue queue,
                                           pi_native_handle *nativeHandle,
                                           int32_t *nativeHandleDesc);

/// Makes a queue of the driver's own handle.
///
/// In every version.
/// Up to PI 12.27 the table's function has parameters of its own.
extern pi_result piextQueueCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                  int32_t nativeHandleDesc,
                                                  pi_context context,
                                                  pi_device device,
                                                  bool pluginOwnsNativeHandle,
                                                  pi_queue_properties *Properties,
                                                  pi_queue *queue);

/// `piextQueueCreate` under the name of PI 12.27.
///
/// PI 12.27 only.
extern pi_result piextQueueCreate2(pi_context context,
                                   pi_device device,
                                   pi_queue_properties *properties,
                                   pi_queue *queue);

/// `piextQueueGetNativeHandle` with a kind, under the name of PI 12.27.
///
/// PI 12.27 only.
extern pi_result piextQueueGetNativeHandle2(pi_queue queue,
                                            pi_native_handle *nativeHandle,
                                            int32_t *nativeHandleDesc);

/// `piextQueueCreateWithNativeHandle` with a kind, under the name of PI 12.27.
///
/// PI 12.27 only.
extern pi_result piextQueueCreateWithNativeHandle2(pi_native_handle nativeHandle,
                                                   int32_t nativeHandleDesc,
                                                   pi_context context,
                                                   pi_device device,
                                                   bool pluginOwnsNativeHandle,
                                                   pi_queue_properties *Properties,
                                                   pi_queue *queue);

/// Makes a buffer; the caller releases it.
///
/// In every version.
extern pi_result piMemBufferCreate(pi_context context,
                                   pi_mem_flags flags,
                                   size_t size,
                                   void *host_ptr,
                                   pi_mem *ret_mem,
                                   const pi_mem_properties *properties);

/// Makes an image; the caller releases it.
///
/// In every version.
extern pi_result piMemImageCreate(pi_context context,
                                  pi_mem_flags flags,
                                  const struct pi_image_format *image_format,
                                  const struct pi_image_desc *image_desc,
                                  void *host_ptr,
                                  pi_mem *ret_mem);

/// Answers a query about a buffer or image.
///
/// In every version.
extern pi_result piMemGetInfo(pi_mem mem,
                              pi_mem_info param_name,
                              size_t param_value_size,
                              void *param_value,
                              size_t *param_value_size_ret);

/// Answers a query about an image.
///
/// In every version.
extern pi_result piMemImageGetInfo(pi_mem image,
                                   pi_image_info param_name,
                                   size_t param_value_size,
                                   void *param_value,
                                   size_t *param_value_size_ret);

/// Takes one more reference to a buffer or image.
///
/// In every version.
extern pi_result piMemRetain(pi_mem mem);

/// Gives back one reference to a buffer or image.
///
/// In every version.
extern pi_result piMemRelease(pi_mem mem);

/// Makes a buffer of a part of another; the caller releases it.
///
/// In every version.
extern pi_result piMemBufferPartition(pi_mem buffer,
                                      pi_mem_flags flags,
                                      pi_buffer_create_type buffer_create_type,
                                      void *buffer_create_info,
                                      pi_mem *ret_mem);

/// Gives the driver's own handle of a buffer or image.
///
/// In every version.
/// Up to PI 14.39 the table's function has parameters of its own.
extern pi_result piextMemGetNativeHandle(pi_mem mem, pi_device dev, pi_native_handle *nativeHandle);

/// Makes a buffer of the driver's own handle.
///
/// In every version.
extern pi_result piextMemCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                pi_context context,
                                                bool ownNativeHandle,
                                                pi_mem *mem);

/// Makes an image of the driver's own handle.
///
/// From PI 14.37 on.
extern pi_result piextMemImageCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                     pi_context context,
                                                     bool ownNativeHandle,
                                                     const struct pi_image_format *ImageFormat,
                                                     const struct pi_image_desc *ImageDesc,
                                                     pi_mem *img);

/// Makes a program of SPIR-V; the caller releases it.
///
/// In every version.
extern pi_result piProgramCreate(pi_context context, const void *il, size_t length, pi_program *res_program);

/// Makes a program of device binaries; the caller releases it.
///
/// In every version.
extern pi_result piProgramCreateWithBinary(pi_context context,
                                           pi_uint32 num_devices,
                                           const pi_device *device_list,
                                           const size_t *lengths,
                                           const uint8_t **binaries,
                                           size_t num_metadata_entries,
                                           const pi_device_binary_property *metadata,
                                           pi_int32 *binary_status,
                                           pi_program *ret_program);

/// Answers a query about a program.
///
/// In every version.
extern pi_result piProgramGetInfo(pi_program program,
                                  pi_program_info param_name,
                                  size_t param_value_size,
                                  void *param_value,
                                  size_t *param_value_size_ret);

/// Compiles a program without linking it.
///
/// In every version.
extern pi_result piProgramCompile(pi_program program,
                                  pi_uint32 num_devices,
                                  const pi_device *device_list,
                                  const char *options,
                                  pi_uint32 num_input_headers,
                                  const pi_program *input_headers,
                                  const char **header_include_names,
                                  pi_program_notify pfn_notify,
                                  void *user_data);

/// Compiles and links a program.
///
/// In every version.
extern pi_result piProgramBuild(pi_program program,
                                pi_uint32 num_devices,
                                const pi_device *device_list,
                                const char *options,
                                pi_program_notify pfn_notify,
                                void *user_data);

/// Links compiled programs to one; the caller releases it.
///
/// In every version.
extern pi_result piProgramLink(pi_context context,
                               pi_uint32 num_devices,
                               const pi_device *device_list,
                               const char *options,
                               pi_uint32 num_input_programs,
                               const pi_program *input_programs,
                               pi_program_notify pfn_notify,
                               void *user_data,
                               pi_program *ret_program);

/// Answers a query about a program's build on a device; the log among them.
///
/// In every version.
extern pi_result piProgramGetBuildInfo(pi_program program,
                                       pi_device device,
                                       pi_program_build_info param_name,
                                       size_t param_value_size,
                                       void *param_value,
                                       size_t *param_value_size_ret);

/// Takes one more reference to a program.
///
/// In every version.
extern pi_result piProgramRetain(pi_program program);

/// Gives back one reference to a program.
///
/// In every version.
extern pi_result piProgramRelease(pi_program program);

/// Sets a specialization constant before the build.
///
/// In every version.
extern pi_result piextProgramSetSpecializationConstant(pi_program prog,
                                                       pi_uint32 spec_id,
                                                       size_t spec_size,
                                                       const void *spec_value);

/// Gives the driver's own handle of a program.
///
/// In every version.
extern pi_result piextProgramGetNativeHandle(pi_program program, pi_native_handle *nativeHandle);

/// Makes a program of the driver's own handle.
///
/// In every version.
extern pi_result piextProgramCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                    pi_context context,
                                                    bool pluginOwnsNativeHandle,
                                                    pi_program *program);

/// Makes a program of OpenCL C source; the caller releases it.
///
/// Up to PI 12.27.
extern pi_result piclProgramCreateWithSource(pi_context context,
                                             pi_uint32 count,
                                             const char **strings,
                                             const size_t *lengths,
                                             pi_program *ret_program);

/// Makes a kernel of a built program; the caller releases it.
///
/// In every version.
extern pi_result piKernelCreate(pi_program program, const char *kernel_name, pi_kernel *ret_kernel);

/// Sets a kernel's argument by value.
///
/// In every version.
extern pi_result piKernelSetArg(pi_kernel kernel,
                                pi_uint32 arg_index,
                                size_t arg_size,
                                const void *arg_value);

/// Answers a query about a kernel.
///
/// In every version.
extern pi_result piKernelGetInfo(pi_kernel kernel,
                                 pi_kernel_info param_name,
                                 size_t param_value_size,
                                 void *param_value,
                                 size_t *param_value_size_ret);

/// Answers a query about a kernel's work-groups on a device.
///
/// In every version.
extern pi_result piKernelGetGroupInfo(pi_kernel kernel,
                                      pi_device device,
                                      pi_kernel_group_info param_name,
                                      size_t param_value_size,
                                      void *param_value,
                                      size_t *param_value_size_ret);

/// Answers a query about a kernel's sub-groups on a device.
///
/// In every version.
extern pi_result piKernelGetSubGroupInfo(pi_kernel kernel,
                                         pi_device device,
                                         pi_kernel_sub_group_info param_name,
                                         size_t input_value_size,
                                         const void *input_value,
                                         size_t param_value_size,
                                         void *param_value,
                                         size_t *param_value_size_ret);

/// Takes one more reference to a kernel.
///
/// In every version.
extern pi_result piKernelRetain(pi_kernel kernel);

/// Gives back one reference to a kernel.
///
/// In every version.
extern pi_result piKernelRelease(pi_kernel kernel);

/// Sets a kernel's argument to a USM pointer; `arg_value` points to the pointer.
///
/// In every version.
extern pi_result piextKernelSetArgPointer(pi_kernel kernel,
                                          pi_uint32 arg_index,
                                          size_t arg_size,
                                          const void *arg_value);

/// Says how a kernel uses memory and caches.
///
/// In every version.
extern pi_result piKernelSetExecInfo(pi_kernel kernel,
                                     pi_kernel_exec_info value_name,
                                     size_t param_value_size,
                                     const void *param_value);

/// Makes a kernel of the driver's own handle.
///
/// In every version.
extern pi_result piextKernelCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                   pi_context context,
                                                   pi_program program,
                                                   bool pluginOwnsNativeHandle,
                                                   pi_kernel *kernel);

/// Gives the driver's own handle of a kernel.
///
/// In every version.
extern pi_result piextKernelGetNativeHandle(pi_kernel kernel, pi_native_handle *nativeHandle);

/// Says how many work-groups of a cooperative kernel can run together.
///
/// PI 15.47 only.
extern pi_result piextKernelSuggestMaxCooperativeGroupCount(pi_kernel kernel,
                                                            size_t local_work_size,
                                                            size_t dynamic_shared_memory_size,
                                                            pi_uint32 *group_count_ret);

/// Sets a kernel's argument to a buffer or image.
///
/// In every version.
/// Up to PI 12.27 the table's function has parameters of its own.
extern pi_result piextKernelSetArgMemObj(pi_kernel kernel,
                                         pi_uint32 arg_index,
                                         const struct pi_mem_obj_property *arg_properties,
                                         const pi_mem *arg_value);

/// Sets a kernel's argument to a sampler.
///
/// In every version.
extern pi_result piextKernelSetArgSampler(pi_kernel kernel, pi_uint32 arg_index, const pi_sampler *arg_value);

/// Makes an event that is complete already; until PI 9.11, one that the caller completes.
///
/// In every version.
/// Up to PI 9.11 the table's function has a meaning of its own.
extern pi_result piEventCreate(pi_context context, pi_event *ret_event);

/// Answers a query about an event.
///
/// In every version.
extern pi_result piEventGetInfo(pi_event event,
                                pi_event_info param_name,
                                size_t param_value_size,
                                void *param_value,
                                size_t *param_value_size_ret);

/// Answers when a command was queued, submitted, started or ended.
///
/// In every version.
extern pi_result piEventGetProfilingInfo(pi_event event,
                                         pi_profiling_info param_name,
                                         size_t param_value_size,
                                         void *param_value,
                                         size_t *param_value_size_ret);

/// Waits until events are complete.
///
/// In every version.
extern pi_result piEventsWait(pi_uint32 num_events, const pi_event *event_list);

/// Has a function called when an event reaches a status.
///
/// In every version.
extern pi_result piEventSetCallback(pi_event event,
                                    pi_int32 command_exec_callback_type,
                                    pi_event_notify pfn_notify,
                                    void *user_data);

/// Completes an event that the caller made.
///
/// In every version.
extern pi_result piEventSetStatus(pi_event event, pi_int32 execution_status);

/// Takes one more reference to an event.
///
/// In every version.
extern pi_result piEventRetain(pi_event event);

/// Gives back one reference to an event.
///
/// In every version.
extern pi_result piEventRelease(pi_event event);

/// Gives the driver's own handle of an event.
///
/// In every version.
extern pi_result piextEventGetNativeHandle(pi_event event, pi_native_handle *nativeHandle);

/// Makes an event of the driver's own handle.
///
/// In every version.
extern pi_result piextEventCreateWithNativeHandle(pi_native_handle nativeHandle,
                                                  pi_context context,
                                                  bool ownNativeHandle,
                                                  pi_event *event);

/// Makes a sampler of a zero-ended list of keys and values; the caller releases it.
///
/// In every version.
extern pi_result piSamplerCreate(pi_context context,
                                 const pi_sampler_properties *sampler_properties,
                                 pi_sampler *result_sampler);

/// Answers a query about a sampler.
///
/// In every version.
extern pi_result piSamplerGetInfo(pi_sampler sampler,
                                  pi_sampler_info param_name,
                                  size_t param_value_size,
                                  void *param_value,
                                  size_t *param_value_size_ret);

/// Takes one more reference to a sampler.
///
/// In every version.
extern pi_result piSamplerRetain(pi_sampler sampler);

/// Gives back one reference to a sampler.
///
/// In every version.
extern pi_result piSamplerRelease(pi_sampler sampler);

/// Runs a kernel.
///
/// In every version.
extern pi_result piEnqueueKernelLaunch(pi_queue queue,
                                       pi_kernel kernel,
                                       pi_uint32 work_dim,
                                       const size_t *global_work_offset,
                                       const size_t *global_work_size,
                                       const size_t *local_work_size,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list,
                                       pi_event *event);

/// Runs a kernel whose work-groups wait for each other.
///
/// PI 15.47 only.
extern pi_result piextEnqueueCooperativeKernelLaunch(pi_queue queue,
                                                     pi_kernel kernel,
                                                     pi_uint32 work_dim,
                                                     const size_t *global_work_offset,
                                                     const size_t *global_work_size,
                                                     const size_t *local_work_size,
                                                     pi_uint32 num_events_in_wait_list,
                                                     const pi_event *event_wait_list,
                                                     pi_event *event);

/// Puts a command into a queue that completes after other events.
///
/// In every version.
extern pi_result piEnqueueEventsWait(pi_queue command_queue,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list,
                                     pi_event *event);

/// The same, and later commands of the queue wait for it.
///
/// In every version.
extern pi_result piEnqueueEventsWaitWithBarrier(pi_queue command_queue,
                                                pi_uint32 num_events_in_wait_list,
                                                const pi_event *event_wait_list,
                                                pi_event *event);

/// Copies from a buffer to the host.
///
/// In every version.
extern pi_result piEnqueueMemBufferRead(pi_queue queue,
                                        pi_mem buffer,
                                        pi_bool blocking_read,
                                        size_t offset,
                                        size_t size,
                                        void *ptr,
                                        pi_uint32 num_events_in_wait_list,
                                        const pi_event *event_wait_list,
                                        pi_event *event);

/// Copies a box from a buffer to the host.
///
/// In every version.
extern pi_result piEnqueueMemBufferReadRect(pi_queue command_queue,
                                            pi_mem buffer,
                                            pi_bool blocking_read,
                                            pi_buff_rect_offset buffer_offset,
                                            pi_buff_rect_offset host_offset,
                                            pi_buff_rect_region region,
                                            size_t buffer_row_pitch,
                                            size_t buffer_slice_pitch,
                                            size_t host_row_pitch,
                                            size_t host_slice_pitch,
                                            void *ptr,
                                            pi_uint32 num_events_in_wait_list,
                                            const pi_event *event_wait_list,
                                            pi_event *event);

/// Copies from the host to a buffer. Blocking means until `ptr` may be used again; other queues wait for the event.
///
/// In every version.
extern pi_result piEnqueueMemBufferWrite(pi_queue command_queue,
                                         pi_mem buffer,
                                         pi_bool blocking_write,
                                         size_t offset,
                                         size_t size,
                                         const void *ptr,
                                         pi_uint32 num_events_in_wait_list,
                                         const pi_event *event_wait_list,
                                         pi_event *event);

/// Copies a box from the host to a buffer. Blocking means until `ptr` may be used again; other queues wait for the event.
///
/// In every version.
extern pi_result piEnqueueMemBufferWriteRect(pi_queue command_queue,
                                             pi_mem buffer,
                                             pi_bool blocking_write,
                                             pi_buff_rect_offset buffer_offset,
                                             pi_buff_rect_offset host_offset,
                                             pi_buff_rect_region region,
                                             size_t buffer_row_pitch,
                                             size_t buffer_slice_pitch,
                                             size_t host_row_pitch,
                                             size_t host_slice_pitch,
                                             const void *ptr,
                                             pi_uint32 num_events_in_wait_list,
                                             const pi_event *event_wait_list,
                                             pi_event *event);

/// Copies from a buffer to a buffer.
///
/// In every version.
extern pi_result piEnqueueMemBufferCopy(pi_queue command_queue,
                                        pi_mem src_buffer,
                                        pi_mem dst_buffer,
                                        size_t src_offset,
                                        size_t dst_offset,
                                        size_t size,
                                        pi_uint32 num_events_in_wait_list,
                                        const pi_event *event_wait_list,
                                        pi_event *event);

/// Copies a box from a buffer to a buffer.
///
/// In every version.
extern pi_result piEnqueueMemBufferCopyRect(pi_queue command_queue,
                                            pi_mem src_buffer,
                                            pi_mem dst_buffer,
                                            pi_buff_rect_offset src_origin,
                                            pi_buff_rect_offset dst_origin,
                                            pi_buff_rect_region region,
                                            size_t src_row_pitch,
                                            size_t src_slice_pitch,
                                            size_t dst_row_pitch,
                                            size_t dst_slice_pitch,
                                            pi_uint32 num_events_in_wait_list,
                                            const pi_event *event_wait_list,
                                            pi_event *event);

/// Fills a buffer with a pattern.
///
/// In every version.
extern pi_result piEnqueueMemBufferFill(pi_queue command_queue,
                                        pi_mem buffer,
                                        const void *pattern,
                                        size_t pattern_size,
                                        size_t offset,
                                        size_t size,
                                        pi_uint32 num_events_in_wait_list,
                                        const pi_event *event_wait_list,
                                        pi_event *event);

/// Copies from an image to the host.
///
/// In every version.
extern pi_result piEnqueueMemImageRead(pi_queue command_queue,
                                       pi_mem image,
                                       pi_bool blocking_read,
                                       pi_image_offset origin,
                                       pi_image_region region,
                                       size_t row_pitch,
                                       size_t slice_pitch,
                                       void *ptr,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list,
                                       pi_event *event);

/// Copies from the host to an image. Blocking means until `ptr` may be used again; other queues wait for the event.
///
/// In every version.
extern pi_result piEnqueueMemImageWrite(pi_queue command_queue,
                                        pi_mem image,
                                        pi_bool blocking_write,
                                        pi_image_offset origin,
                                        pi_image_region region,
                                        size_t input_row_pitch,
                                        size_t input_slice_pitch,
                                        const void *ptr,
                                        pi_uint32 num_events_in_wait_list,
                                        const pi_event *event_wait_list,
                                        pi_event *event);

/// Copies from an image to an image.
///
/// In every version.
extern pi_result piEnqueueMemImageCopy(pi_queue command_queue,
                                       pi_mem src_image,
                                       pi_mem dst_image,
                                       pi_image_offset src_origin,
                                       pi_image_offset dst_origin,
                                       pi_image_region region,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list,
                                       pi_event *event);

/// Fills an image with a colour.
///
/// In every version.
extern pi_result piEnqueueMemImageFill(pi_queue command_queue,
                                       pi_mem image,
                                       const void *fill_color,
                                       const size_t *origin,
                                       const size_t *region,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list,
                                       pi_event *event);

/// Maps a buffer into the host's memory, until `piEnqueueMemUnmap`.
///
/// In every version.
extern pi_result piEnqueueMemBufferMap(pi_queue command_queue,
                                       pi_mem buffer,
                                       pi_bool blocking_map,
                                       pi_map_flags map_flags,
                                       size_t offset,
                                       size_t size,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list,
                                       pi_event *event,
                                       void **ret_map);

/// Ends a mapping.
///
/// In every version.
extern pi_result piEnqueueMemUnmap(pi_queue command_queue,
                                   pi_mem memobj,
                                   void *mapped_ptr,
                                   pi_uint32 num_events_in_wait_list,
                                   const pi_event *event_wait_list,
                                   pi_event *event);

/// Runs a function of the host in a queue.
///
/// Up to PI 12.27.
extern pi_result piEnqueueNativeKernel(pi_queue queue,
                                       pi_native_kernel user_func,
                                       void *args,
                                       size_t cb_args,
                                       pi_uint32 num_mem_objects,
                                       const pi_mem *mem_list,
                                       const void **args_mem_loc,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list,
                                       pi_event *event);

/// Allocates memory of the host that devices reach; freed with `piextUSMFree`.
///
/// In every version.
extern pi_result piextUSMHostAlloc(void **result_ptr,
                                   pi_context context,
                                   pi_usm_mem_properties *properties,
                                   size_t size,
                                   pi_uint32 alignment);

/// Allocates memory of a device; freed with `piextUSMFree`.
///
/// In every version.
extern pi_result piextUSMDeviceAlloc(void **result_ptr,
                                     pi_context context,
                                     pi_device device,
                                     pi_usm_mem_properties *properties,
                                     size_t size,
                                     pi_uint32 alignment);

/// Allocates memory that moves between host and device; freed with `piextUSMFree`.
///
/// In every version.
extern pi_result piextUSMSharedAlloc(void **result_ptr,
                                     pi_context context,
                                     pi_device device,
                                     pi_usm_mem_properties *properties,
                                     size_t size,
                                     pi_uint32 alignment);

/// Frees USM memory.
///
/// In every version.
extern pi_result piextUSMFree(pi_context context, void *ptr);

/// Fills USM memory with a byte.
///
/// In every version.
extern pi_result piextUSMEnqueueMemset(pi_queue queue,
                                       void *ptr,
                                       pi_int32 value,
                                       size_t count,
                                       pi_uint32 num_events_in_waitlist,
                                       const pi_event *events_waitlist,
                                       pi_event *event);

/// Copies USM memory.
///
/// In every version.
extern pi_result piextUSMEnqueueMemcpy(pi_queue queue,
                                       pi_bool blocking,
                                       void *dst_ptr,
                                       const void *src_ptr,
                                       size_t size,
                                       pi_uint32 num_events_in_waitlist,
                                       const pi_event *events_waitlist,
                                       pi_event *event);

/// Asks that USM memory be moved to the device.
///
/// In every version.
extern pi_result piextUSMEnqueuePrefetch(pi_queue queue,
                                         const void *ptr,
                                         size_t size,
                                         pi_usm_migration_flags flags,
                                         pi_uint32 num_events_in_waitlist,
                                         const pi_event *events_waitlist,
                                         pi_event *event);

/// Gives advice on the use of USM memory; the numbers changed after PI 14.37.
///
/// In every version.
/// Up to PI 14.37 the table's function has a meaning of its own.
extern pi_result piextUSMEnqueueMemAdvise(pi_queue queue,
                                          const void *ptr,
                                          size_t length,
                                          pi_mem_advice advice,
                                          pi_event *event);

/// Answers a query about USM memory.
///
/// In every version.
extern pi_result piextUSMGetMemAllocInfo(pi_context context,
                                         const void *ptr,
                                         pi_mem_alloc_info param_name,
                                         size_t param_value_size,
                                         void *param_value,
                                         size_t *param_value_size_ret);

/// Fills rows of USM memory with a pattern.
///
/// From PI 12.21 on.
extern pi_result piextUSMEnqueueFill2D(pi_queue queue,
                                       void *ptr,
                                       size_t pitch,
                                       size_t pattern_size,
                                       const void *pattern,
                                       size_t width,
                                       size_t height,
                                       pi_uint32 num_events_in_waitlist,
                                       const pi_event *events_waitlist,
                                       pi_event *event);

/// Fills rows of USM memory with a byte.
///
/// From PI 12.21 on.
extern pi_result piextUSMEnqueueMemset2D(pi_queue queue,
                                         void *ptr,
                                         size_t pitch,
                                         int value,
                                         size_t width,
                                         size_t height,
                                         pi_uint32 num_events_in_waitlist,
                                         const pi_event *events_waitlist,
                                         pi_event *event);

/// Copies rows of USM memory.
///
/// From PI 12.21 on.
extern pi_result piextUSMEnqueueMemcpy2D(pi_queue queue,
                                         pi_bool blocking,
                                         void *dst_ptr,
                                         size_t dst_pitch,
                                         const void *src_ptr,
                                         size_t src_pitch,
                                         size_t width,
                                         size_t height,
                                         pi_uint32 num_events_in_waitlist,
                                         const pi_event *events_waitlist,
                                         pi_event *event);

/// Makes memory of the host known to the driver.
///
/// From PI 14.37 on.
extern pi_result piextUSMImport(const void *ptr, size_t size, pi_context context);

/// Ends what `piextUSMImport` began.
///
/// From PI 14.37 on.
extern pi_result piextUSMRelease(const void *ptr, pi_context context);

/// Allocates rows of memory with a pitch that suits images; freed with `piextUSMFree`.
///
/// From PI 14.37 on.
extern pi_result piextUSMPitchedAlloc(void **result_ptr,
                                      size_t *result_pitch,
                                      pi_context context,
                                      pi_device device,
                                      pi_usm_mem_properties *properties,
                                      size_t width_in_bytes,
                                      size_t height,
                                      unsigned int element_size_bytes);

/// Gives a device function's address on a device.
///
/// In every version.
extern pi_result piextGetDeviceFunctionPointer(pi_device device,
                                               pi_program program,
                                               const char *function_name,
                                               pi_uint64 *function_pointer_ret);

/// Gives a device global's address and size on a device.
///
/// PI 15.47 only.
extern pi_result piextGetGlobalVariablePointer(pi_device Device,
                                               pi_program Program,
                                               const char *GlobalVariableName,
                                               size_t *GlobalVariableSize,
                                               void **GlobalVariablePointerRet);

/// Reads from a host pipe, found by its name.
///
/// From PI 12.27 on.
extern pi_result piextEnqueueReadHostPipe(pi_queue queue,
                                          pi_program program,
                                          const char *pipe_symbol,
                                          pi_bool blocking,
                                          void *ptr,
                                          size_t size,
                                          pi_uint32 num_events_in_waitlist,
                                          const pi_event *events_waitlist,
                                          pi_event *event);

/// Writes to a host pipe, found by its name.
///
/// From PI 12.27 on.
extern pi_result piextEnqueueWriteHostPipe(pi_queue queue,
                                           pi_program program,
                                           const char *pipe_symbol,
                                           pi_bool blocking,
                                           void *ptr,
                                           size_t size,
                                           pi_uint32 num_events_in_waitlist,
                                           const pi_event *events_waitlist,
                                           pi_event *event);

/// Writes a device global, found by its name.
///
/// From PI 12.27 on.
extern pi_result piextEnqueueDeviceGlobalVariableWrite(pi_queue queue,
                                                       pi_program program,
                                                       const char *name,
                                                       pi_bool blocking_write,
                                                       size_t count,
                                                       size_t offset,
                                                       const void *src,
                                                       pi_uint32 num_events_in_wait_list,
                                                       const pi_event *event_wait_list,
                                                       pi_event *event);

/// Reads a device global, found by its name.
///
/// From PI 12.27 on.
extern pi_result piextEnqueueDeviceGlobalVariableRead(pi_queue queue,
                                                      pi_program program,
                                                      const char *name,
                                                      pi_bool blocking_read,
                                                      size_t count,
                                                      size_t offset,
                                                      void *dst,
                                                      pi_uint32 num_events_in_wait_list,
                                                      const pi_event *event_wait_list,
                                                      pi_event *event);

/// Gives data that only this plugin knows.
///
/// In every version.
extern pi_result piextPluginGetOpaqueData(void *opaque_data_param, void **opaque_data_return);

/// Gives the calling thread's last error text, which stays the plugin's.
///
/// In every version.
extern pi_result piPluginGetLastError(char **message);

/// Ends the plugin's work; handles are invalid afterwards.
///
/// In every version.
extern pi_result piTearDown(void *PluginParameter);

/// Translates a compiler option; the text stays the plugin's.
///
/// From PI 14.37 on.
extern pi_result piPluginGetBackendOption(pi_platform platform,
                                          const char *frontend_option,
                                          const char **backend_option);

/// Lets a device use another's memory.
///
/// From PI 14.37 on.
extern pi_result piextEnablePeerAccess(pi_device command_device, pi_device peer_device);

/// Ends a device's use of another's memory.
///
/// From PI 14.37 on.
extern pi_result piextDisablePeerAccess(pi_device command_device, pi_device peer_device);

/// Answers whether a device can use another's memory.
///
/// From PI 14.37 on.
extern pi_result piextPeerAccessGetInfo(pi_device command_device,
                                        pi_device peer_device,
                                        pi_peer_attr attr,
                                        size_t param_value_size,
                                        void *param_value,
                                        size_t *param_value_size_ret);

/// Makes a command buffer; the caller releases it.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferCreate(pi_context context,
                                          pi_device device,
                                          const struct pi_ext_command_buffer_desc *desc,
                                          pi_ext_command_buffer *ret_command_buffer);

/// Takes one more reference to a command buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferRetain(pi_ext_command_buffer command_buffer);

/// Gives back one reference to a command buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferRelease(pi_ext_command_buffer command_buffer);

/// Ends the recording of a command buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferFinalize(pi_ext_command_buffer command_buffer);

/// Records a kernel.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferNDRangeKernel(pi_ext_command_buffer command_buffer,
                                                 pi_kernel kernel,
                                                 pi_uint32 work_dim,
                                                 const size_t *global_work_offset,
                                                 const size_t *global_work_size,
                                                 const size_t *local_work_size,
                                                 pi_uint32 num_sync_points_in_wait_list,
                                                 const pi_ext_sync_point *sync_point_wait_list,
                                                 pi_ext_sync_point *sync_point);

/// Records a copy of USM memory.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemcpyUSM(pi_ext_command_buffer command_buffer,
                                             void *dst_ptr,
                                             const void *src_ptr,
                                             size_t size,
                                             pi_uint32 num_sync_points_in_wait_list,
                                             const pi_ext_sync_point *sync_point_wait_list,
                                             pi_ext_sync_point *sync_point);

/// Records a copy from a buffer to a buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemBufferCopy(pi_ext_command_buffer command_buffer,
                                                 pi_mem src_buffer,
                                                 pi_mem dst_buffer,
                                                 size_t src_offset,
                                                 size_t dst_offset,
                                                 size_t size,
                                                 pi_uint32 num_sync_points_in_wait_list,
                                                 const pi_ext_sync_point *sync_point_wait_list,
                                                 pi_ext_sync_point *sync_point);

/// Records a copy of a box from a buffer to a buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemBufferCopyRect(pi_ext_command_buffer command_buffer,
                                                     pi_mem src_buffer,
                                                     pi_mem dst_buffer,
                                                     pi_buff_rect_offset src_origin,
                                                     pi_buff_rect_offset dst_origin,
                                                     pi_buff_rect_region region,
                                                     size_t src_row_pitch,
                                                     size_t src_slice_pitch,
                                                     size_t dst_row_pitch,
                                                     size_t dst_slice_pitch,
                                                     pi_uint32 num_sync_points_in_wait_list,
                                                     const pi_ext_sync_point *sync_point_wait_list,
                                                     pi_ext_sync_point *sync_point);

/// Records a copy from the host to a buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemBufferWrite(pi_ext_command_buffer command_buffer,
                                                  pi_mem buffer,
                                                  size_t offset,
                                                  size_t size,
                                                  const void *ptr,
                                                  pi_uint32 num_sync_points_in_wait_list,
                                                  const pi_ext_sync_point *sync_point_wait_list,
                                                  pi_ext_sync_point *sync_point);

/// Records a copy of a box from the host to a buffer.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemBufferWriteRect(pi_ext_command_buffer command_buffer,
                                                      pi_mem buffer,
                                                      pi_buff_rect_offset buffer_offset,
                                                      pi_buff_rect_offset host_offset,
                                                      pi_buff_rect_region region,
                                                      size_t buffer_row_pitch,
                                                      size_t buffer_slice_pitch,
                                                      size_t host_row_pitch,
                                                      size_t host_slice_pitch,
                                                      const void *ptr,
                                                      pi_uint32 num_sync_points_in_wait_list,
                                                      const pi_ext_sync_point *sync_point_wait_list,
                                                      pi_ext_sync_point *sync_point);

/// Records a copy from a buffer to the host.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemBufferRead(pi_ext_command_buffer command_buffer,
                                                 pi_mem buffer,
                                                 size_t offset,
                                                 size_t size,
                                                 void *dst,
                                                 pi_uint32 num_sync_points_in_wait_list,
                                                 const pi_ext_sync_point *sync_point_wait_list,
                                                 pi_ext_sync_point *sync_point);

/// Records a copy of a box from a buffer to the host.
///
/// From PI 14.37 on.
extern pi_result piextCommandBufferMemBufferReadRect(pi_ext_command_buffer command_buffer,
                                                     pi_mem buffer,
                                                     pi_buff_rect_offset buffer_offset,
                                                     pi_buff_rect_offset host_offset,
                                                     pi_buff_rect_region region,
                                                     size_t buffer_row_pitch,
                                                     size_t buffer_slice_pitch,
                                                     size_t host_row_pitch,
                                                     size_t host_slice_pitch,
                                                     void *ptr,
                                                     pi_uint32 num_sync_points_in_wait_list,
                                                     const pi_ext_sync_point *sync_point_wait_list,
                                                     pi_ext_sync_point *sync_point);

/// Records a fill of a buffer.
///
/// PI 15.47 only.
extern pi_result piextCommandBufferMemBufferFill(pi_ext_command_buffer command_buffer,
                                                 pi_mem buffer,
                                                 const void *pattern,
                                                 size_t pattern_size,
                                                 size_t offset,
                                                 size_t size,
                                                 pi_uint32 num_sync_points_in_wait_list,
                                                 const pi_ext_sync_point *sync_point_wait_list,
                                                 pi_ext_sync_point *sync_point);

/// Records a fill of USM memory.
///
/// PI 15.47 only.
extern pi_result piextCommandBufferFillUSM(pi_ext_command_buffer command_buffer,
                                           void *ptr,
                                           const void *pattern,
                                           size_t pattern_size,
                                           size_t size,
                                           pi_uint32 num_sync_points_in_wait_list,
                                           const pi_ext_sync_point *sync_point_wait_list,
                                           pi_ext_sync_point *sync_point);

/// Records a prefetch of USM memory.
///
/// PI 15.47 only.
extern pi_result piextCommandBufferPrefetchUSM(pi_ext_command_buffer command_buffer,
                                               const void *ptr,
                                               size_t size,
                                               pi_usm_migration_flags flags,
                                               pi_uint32 num_sync_points_in_wait_list,
                                               const pi_ext_sync_point *sync_point_wait_list,
                                               pi_ext_sync_point *sync_point);

/// Records advice on USM memory.
///
/// PI 15.47 only.
extern pi_result piextCommandBufferAdviseUSM(pi_ext_command_buffer command_buffer,
                                             const void *ptr,
                                             size_t length,
                                             pi_mem_advice advice,
                                             pi_uint32 num_sync_points_in_wait_list,
                                             const pi_ext_sync_point *sync_point_wait_list,
                                             pi_ext_sync_point *sync_point);

/// Runs a finalized command buffer.
///
/// From PI 14.37 on.
extern pi_result piextEnqueueCommandBuffer(pi_ext_command_buffer command_buffer,
                                           pi_queue queue,
                                           pi_uint32 num_events_in_wait_list,
                                           const pi_event *event_wait_list,
                                           pi_event *event);

/// Ends a handle of a bindless image without a sampler.
///
/// From PI 14.37 on.
extern pi_result piextMemUnsampledImageHandleDestroy(pi_context context,
                                                     pi_device device,
                                                     pi_image_handle handle);

/// Ends a handle of a bindless image with a sampler.
///
/// From PI 14.37 on.
extern pi_result piextMemSampledImageHandleDestroy(pi_context context,
                                                   pi_device device,
                                                   pi_image_handle handle);

/// Makes a sampler for bindless images.
///
/// From PI 14.37 on.
extern pi_result piextBindlessImageSamplerCreate(pi_context context,
                                                 const pi_sampler_properties *sampler_properties,
                                                 float min_mipmap_level_clamp,
                                                 float max_mipmap_level_clamp,
                                                 float max_anisotropy,
                                                 pi_sampler *result_sampler);

/// Allocates a bindless image's memory; freed with `piextMemImageFree`.
///
/// From PI 14.37 on.
extern pi_result piextMemImageAllocate(pi_context context,
                                       pi_device device,
                                       struct pi_image_format *image_format,
                                       struct pi_image_desc *image_desc,
                                       pi_image_mem_handle *ret_mem);

/// Frees a bindless image's memory.
///
/// From PI 14.37 on.
extern pi_result piextMemImageFree(pi_context context, pi_device device, pi_image_mem_handle memory_handle);

/// Makes a handle of a bindless image without a sampler.
///
/// From PI 14.37 on.
extern pi_result piextMemUnsampledImageCreate(pi_context context,
                                              pi_device device,
                                              pi_image_mem_handle img_mem,
                                              struct pi_image_format *image_format,
                                              struct pi_image_desc *image_desc,
                                              pi_mem *ret_mem,
                                              pi_image_handle *ret_handle);

/// Makes a handle of a bindless image with a sampler.
///
/// From PI 14.37 on.
extern pi_result piextMemSampledImageCreate(pi_context context,
                                            pi_device device,
                                            pi_image_mem_handle img_mem,
                                            struct pi_image_format *image_format,
                                            struct pi_image_desc *image_desc,
                                            pi_sampler sampler,
                                            pi_mem *ret_mem,
                                            pi_image_handle *ret_handle);

/// Copies to, from or between bindless images.
///
/// From PI 14.37 on.
extern pi_result piextMemImageCopy(pi_queue command_queue,
                                   void *dst_ptr,
                                   void *src_ptr,
                                   const struct pi_image_format *image_format,
                                   const struct pi_image_desc *image_desc,
                                   pi_image_copy_flags flags,
                                   pi_image_offset src_offset,
                                   pi_image_offset dst_offset,
                                   pi_image_region copy_extent,
                                   pi_image_region host_extent,
                                   pi_uint32 num_events_in_wait_list,
                                   const pi_event *event_wait_list,
                                   pi_event *event);

/// Answers a query about a bindless image's memory.
///
/// From PI 14.37 on.
extern pi_result piextMemImageGetInfo(pi_image_mem_handle mem_handle,
                                      pi_image_info param_name,
                                      void *param_value,
                                      size_t *param_value_size_ret);

/// Gives one level of a mipmap.
///
/// From PI 14.37 on.
extern pi_result piextMemMipmapGetLevel(pi_context context,
                                        pi_device device,
                                        pi_image_mem_handle mip_mem,
                                        unsigned int level,
                                        pi_image_mem_handle *ret_mem);

/// Frees a mipmap's memory.
///
/// From PI 14.37 on.
extern pi_result piextMemMipmapFree(pi_context context, pi_device device, pi_image_mem_handle memory_handle);

/// Imports another interface's memory by its file descriptor.
///
/// From PI 14.37 on.
extern pi_result piextMemImportOpaqueFD(pi_context context,
                                        pi_device device,
                                        size_t size,
                                        int file_descriptor,
                                        pi_interop_mem_handle *ret_handle);

/// Ends the use of imported memory.
///
/// From PI 14.37 on.
extern pi_result piextMemReleaseInterop(pi_context context,
                                        pi_device device,
                                        pi_interop_mem_handle memory_handle);

/// Makes a bindless image's memory of imported memory.
///
/// From PI 14.37 on.
extern pi_result piextMemMapExternalArray(pi_context context,
                                          pi_device device,
                                          struct pi_image_format *image_format,
                                          struct pi_image_desc *image_desc,
                                          pi_interop_mem_handle mem_handle,
                                          pi_image_mem_handle *ret_mem);

/// Imports another interface's semaphore by its file descriptor.
///
/// From PI 14.37 on.
extern pi_result piextImportExternalSemaphoreOpaqueFD(pi_context context,
                                                      pi_device device,
                                                      int file_descriptor,
                                                      pi_interop_semaphore_handle *ret_handle);

/// Ends the use of an imported semaphore.
///
/// From PI 14.37 on.
extern pi_result piextDestroyExternalSemaphore(pi_context context,
                                               pi_device device,
                                               pi_interop_semaphore_handle sem_handle);

/// Has a queue wait for an imported semaphore.
///
/// From PI 14.37 on.
extern pi_result piextWaitExternalSemaphore(pi_queue command_queue,
                                            pi_interop_semaphore_handle sem_handle,
                                            pi_uint32 num_events_in_wait_list,
                                            const pi_event *event_wait_list,
                                            pi_event *event);

/// Has a queue signal an imported semaphore.
///
/// From PI 14.37 on.
extern pi_result piextSignalExternalSemaphore(pi_queue command_queue,
                                              pi_interop_semaphore_handle sem_handle,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list,
                                              pi_event *event);

/// `piextEnqueueDeviceGlobalVariableRead` under the name that its design gave it.
extern pi_result piextEnqueueDeviceVariableRead(pi_queue queue,
                                                pi_program program,
                                                const char *name,
                                                pi_bool blocking_read,
                                                size_t count,
                                                size_t offset,
                                                void *dst,
                                                pi_uint32 num_events_in_wait_list,
                                                const pi_event *event_wait_list,
                                                pi_event *event);

/// `piextEnqueueDeviceGlobalVariableWrite` under the name that its design gave it.
extern pi_result piextEnqueueDeviceVariableWrite(pi_queue queue,
                                                 pi_program program,
                                                 const char *name,
                                                 pi_bool blocking_write,
                                                 size_t count,
                                                 size_t offset,
                                                 const void *src,
                                                 pi_uint32 num_events_in_wait_list,
                                                 const pi_event *event_wait_list,
                                                 pi_event *event);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PI_PI_H */
