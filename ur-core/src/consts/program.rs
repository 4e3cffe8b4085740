//! Programs.

enumerations! {
    /// Flags of a build, a compilation or a link. Since 2026.0.
    ur_exp_program_flag_t {
        UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS = 1 << 0;
    }

    /// Kinds of program binaries.
    ur_program_binary_type_t {
        UR_PROGRAM_BINARY_TYPE_NONE = 0;
        UR_PROGRAM_BINARY_TYPE_COMPILED_OBJECT = 1;
        UR_PROGRAM_BINARY_TYPE_LIBRARY = 2;
        UR_PROGRAM_BINARY_TYPE_EXECUTABLE = 3;
    }

    /// Queries for `urProgramGetBuildInfo`.
    ur_program_build_info_t {
        UR_PROGRAM_BUILD_INFO_STATUS = 0;
        UR_PROGRAM_BUILD_INFO_OPTIONS = 1;
        UR_PROGRAM_BUILD_INFO_LOG = 2;
        UR_PROGRAM_BUILD_INFO_BINARY_TYPE = 3;
    }

    /// Build status of a program.
    ur_program_build_status_t {
        UR_PROGRAM_BUILD_STATUS_NONE = 0;
        UR_PROGRAM_BUILD_STATUS_ERROR = 1;
        UR_PROGRAM_BUILD_STATUS_SUCCESS = 2;
        UR_PROGRAM_BUILD_STATUS_IN_PROGRESS = 3;
    }

    /// Queries for `urProgramGetInfo`.
    ur_program_info_t {
        UR_PROGRAM_INFO_REFERENCE_COUNT = 0;
        UR_PROGRAM_INFO_CONTEXT = 1;
        UR_PROGRAM_INFO_NUM_DEVICES = 2;
        UR_PROGRAM_INFO_DEVICES = 3;
        /// Until 2025.0.
        UR_PROGRAM_INFO_SOURCE = 4;
        UR_PROGRAM_INFO_BINARY_SIZES = 5;
        UR_PROGRAM_INFO_BINARIES = 6;
        UR_PROGRAM_INFO_NUM_KERNELS = 7;
        UR_PROGRAM_INFO_KERNEL_NAMES = 8;
        /// Since 2025.1.
        UR_PROGRAM_INFO_IL = 4;
    }

    /// Types of program metadata.
    ur_program_metadata_type_t {
        UR_PROGRAM_METADATA_TYPE_UINT32 = 0;
        UR_PROGRAM_METADATA_TYPE_UINT64 = 1;
        UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY = 2;
        UR_PROGRAM_METADATA_TYPE_STRING = 3;
    }
}
