//! Command buffers.

enumerations! {
    /// Queries for `urCommandBufferCommandGetInfoExp`.
    ur_exp_command_buffer_command_info_t {
        UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT = 0;
    }

    /// Queries for `urCommandBufferGetInfoExp`.
    ur_exp_command_buffer_info_t {
        UR_EXP_COMMAND_BUFFER_INFO_REFERENCE_COUNT = 0;
        /// Since 2025.1.
        UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR = 1;
    }
}
