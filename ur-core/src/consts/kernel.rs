//! Kernels and their launches.

enumerations! {
    /// Kinds of kernel arguments. Since 2026.0.
    ur_exp_kernel_arg_type_t {
        UR_EXP_KERNEL_ARG_TYPE_VALUE = 0;
        UR_EXP_KERNEL_ARG_TYPE_POINTER = 1;
        UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ = 2;
        UR_EXP_KERNEL_ARG_TYPE_LOCAL = 3;
        UR_EXP_KERNEL_ARG_TYPE_SAMPLER = 4;
    }

    /// Properties of a kernel launch. Until 2025.2.
    ur_exp_launch_property_id_t {
        UR_EXP_LAUNCH_PROPERTY_ID_IGNORE = 0;
        UR_EXP_LAUNCH_PROPERTY_ID_COOPERATIVE = 1;
        UR_EXP_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION = 2;
        /// Since 2025.1.
        UR_EXP_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY = 3;
    }

    /// Preferences for dividing the space between cache and local memory.
    ur_kernel_cache_config_t {
        UR_KERNEL_CACHE_CONFIG_DEFAULT = 0;
        UR_KERNEL_CACHE_CONFIG_LARGE_SLM = 1;
        UR_KERNEL_CACHE_CONFIG_LARGE_DATA = 2;
    }

    /// Settings for `urKernelSetExecInfo`.
    ur_kernel_exec_info_t {
        UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS = 0;
        UR_KERNEL_EXEC_INFO_USM_PTRS = 1;
        UR_KERNEL_EXEC_INFO_CACHE_CONFIG = 2;
    }

    /// Queries for `urKernelGetGroupInfo`.
    ur_kernel_group_info_t {
        UR_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE = 0;
        UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE = 1;
        UR_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE = 2;
        UR_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE = 3;
        UR_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 4;
        UR_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE = 5;
        /// Since 2025.1.
        UR_KERNEL_GROUP_INFO_COMPILE_MAX_WORK_GROUP_SIZE = 6;
        /// Since 2025.1.
        UR_KERNEL_GROUP_INFO_COMPILE_MAX_LINEAR_WORK_GROUP_SIZE = 7;
    }

    /// Queries for `urKernelGetInfo`.
    ur_kernel_info_t {
        UR_KERNEL_INFO_FUNCTION_NAME = 0;
        UR_KERNEL_INFO_NUM_ARGS = 1;
        UR_KERNEL_INFO_REFERENCE_COUNT = 2;
        UR_KERNEL_INFO_CONTEXT = 3;
        UR_KERNEL_INFO_PROGRAM = 4;
        UR_KERNEL_INFO_ATTRIBUTES = 5;
        UR_KERNEL_INFO_NUM_REGS = 6;
        /// Since 2025.2.
        UR_KERNEL_INFO_SPILL_MEM_SIZE = 7;
    }

    /// Flags of a kernel launch. Since 2026.0.
    ur_kernel_launch_flag_t {
        UR_KERNEL_LAUNCH_FLAG_COOPERATIVE = 1 << 0;
        UR_KERNEL_LAUNCH_FLAG_OPPORTUNISTIC_QUEUE_SERIALIZE = 1 << 1;
    }

    /// Launch properties that a device supports. Since 2025.3.
    ur_kernel_launch_properties_flag_t {
        UR_KERNEL_LAUNCH_PROPERTIES_FLAG_COOPERATIVE = 1 << 0;
        UR_KERNEL_LAUNCH_PROPERTIES_FLAG_CLUSTER_DIMENSION = 1 << 1;
        UR_KERNEL_LAUNCH_PROPERTIES_FLAG_WORK_GROUP_MEMORY = 1 << 2;
        UR_KERNEL_LAUNCH_PROPERTIES_FLAG_OPPORTUNISTIC_QUEUE_SERIALIZE = 1 << 3;
    }

    /// Properties of a kernel launch. Only in 2025.3.
    ur_kernel_launch_property_id_t {
        UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE = 0;
        UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE = 1;
        UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION = 2;
        UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY = 3;
        UR_KERNEL_LAUNCH_PROPERTY_ID_OPPORTUNISTIC_QUEUE_SERIALIZE = 4;
    }

    /// Queries for `urKernelGetSubGroupInfo`.
    ur_kernel_sub_group_info_t {
        UR_KERNEL_SUB_GROUP_INFO_MAX_SUB_GROUP_SIZE = 0;
        UR_KERNEL_SUB_GROUP_INFO_MAX_NUM_SUB_GROUPS = 1;
        UR_KERNEL_SUB_GROUP_INFO_COMPILE_NUM_SUB_GROUPS = 2;
        UR_KERNEL_SUB_GROUP_INFO_SUB_GROUP_SIZE_INTEL = 3;
    }
}
