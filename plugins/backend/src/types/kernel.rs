//! Numbers of kernels.

enumeration! {
    /// Queries of a kernel.
    pub struct KernelInfo: u32 {
        FUNCTION_NAME = 0x1190,
        NUM_ARGS = 0x1191,
        REFERENCE_COUNT = 0x1192,
        CONTEXT = 0x1193,
        PROGRAM = 0x1194,
        ATTRIBUTES = 0x1195,
        WORK_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x1196,
        SUB_GROUP_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x1197,
        SUB_GROUP_PROGRESS_AT_WORK_GROUP_LEVEL = 0x1198,
        WORK_ITEM_PROGRESS_AT_ROOT_GROUP_LEVEL = 0x1199,
        WORK_ITEM_PROGRESS_AT_WORK_GROUP_LEVEL = 0x119a,
        WORK_ITEM_PROGRESS_AT_SUB_GROUP_LEVEL = 0x119b,
        NUM_REGS = 0x30000,
    }
}

enumeration! {
    /// Queries of a kernel's work-groups on a device.
    pub struct KernelGroupInfo: u32 {
        GLOBAL_WORK_SIZE = 0x11b5,
        WORK_GROUP_SIZE = 0x11b0,
        COMPILE_WORK_GROUP_SIZE = 0x11b1,
        LOCAL_MEM_SIZE = 0x11b2,
        PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11b3,
        PRIVATE_MEM_SIZE = 0x11b4,
        NUM_REGS = 0x10112,
    }
}

enumeration! {
    /// Queries of a kernel's sub-groups on a device.
    pub struct KernelSubGroupInfo: u32 {
        MAX_SUB_GROUP_SIZE = 0x2033,
        MAX_NUM_SUB_GROUPS = 0x11b9,
        COMPILE_NUM_SUB_GROUPS = 0x11ba,
        COMPILE_SUB_GROUP_SIZE_INTEL = 0x410a,
    }
}

enumeration! {
    /// Execution settings of a kernel.
    pub struct KernelExecInfo: u32 {
        USM_INDIRECT_ACCESS = 0,
        USM_PTRS = 0x4203,
        CACHE_CONFIG = 0x4204,
    }
}

enumeration! {
    /// Preference for dividing the space between cache and local memory.
    pub struct KernelCacheConfig: u32 {
        DEFAULT = 0,
        LARGE_SLM = 1,
        LARGE_DATA = 2,
    }
}
