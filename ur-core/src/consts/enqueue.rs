//! Extensions of commands.

enumerations! {
    /// Flags of an extended barrier. Since 2025.1.
    ur_exp_enqueue_ext_flag_t {
        /// Until 2025.2.
        UR_EXP_ENQUEUE_EXT_FLAG_LOW_POWER_EVENTS = 1 << 11;
        /// Since 2025.3.
        UR_EXP_ENQUEUE_EXT_FLAG_LOW_POWER_EVENTS_SUPPORT = 1 << 11;
    }

    /// Flags of a native command.
    ur_exp_enqueue_native_command_flag_t {
        UR_EXP_ENQUEUE_NATIVE_COMMAND_FLAG_TBD = 1 << 0;
    }

    /// Flags of a host task. Since 2026.0.
    ur_exp_host_task_flag_t {
        UR_EXP_HOST_TASK_FLAG_TBD = 1 << 0;
    }
}
