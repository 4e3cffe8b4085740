//! Strings: targets of device binaries, and names of extensions.

texts! {
    /// Until 2025.1.
    UR_COMMAND_BUFFER_EXTENSION_STRING_EXP = c"ur_exp_command_buffer";
    /// Until 2025.1.
    UR_COOPERATIVE_KERNELS_EXTENSION_STRING_EXP = c"ur_exp_cooperative_kernels";
    UR_DEVICE_BINARY_TARGET_AMDGCN = c"amdgcn";
    UR_DEVICE_BINARY_TARGET_NATIVE_CPU = c"native_cpu";
    UR_DEVICE_BINARY_TARGET_NVPTX64 = c"nvptx64";
    UR_DEVICE_BINARY_TARGET_SPIRV32 = c"spir";
    UR_DEVICE_BINARY_TARGET_SPIRV64 = c"spir64";
    UR_DEVICE_BINARY_TARGET_SPIRV64_FPGA = c"spir64_fpga";
    UR_DEVICE_BINARY_TARGET_SPIRV64_GEN = c"spir64_gen";
    UR_DEVICE_BINARY_TARGET_SPIRV64_X86_64 = c"spir64_x86_64";
    UR_DEVICE_BINARY_TARGET_UNKNOWN = c"<unknown>";
    /// Until 2025.1.
    UR_LAUNCH_PROPERTIES_EXTENSION_STRING_EXP = c"ur_exp_launch_properties";
    /// Until 2025.1.
    UR_MULTI_DEVICE_COMPILE_EXTENSION_STRING_EXP = c"ur_exp_multi_device_compile";
    /// Until 2025.1.
    UR_USM_P2P_EXTENSION_STRING_EXP = c"ur_exp_usm_p2p";
}
