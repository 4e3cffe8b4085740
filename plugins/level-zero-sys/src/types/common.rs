//! Handles, and types that all parts use.

use std::ffi::{c_char, c_void};

use super::structure_type::ze_structure_type_t;

/// Maximum IPC handle size.
pub const ZE_MAX_IPC_HANDLE_SIZE: usize = 64;

/// Compiler-independent type.
pub type ze_bool_t = u8;

handles! {
    /// Handle of a driver instance.
    ze_driver_handle_t
    /// Handle of driver's device object.
    ze_device_handle_t
    /// Handle of driver's context object.
    ze_context_handle_t
    /// Handle of driver's command queue object.
    ze_command_queue_handle_t
    /// Handle of driver's command list object.
    ze_command_list_handle_t
    /// Handle of driver's fence object.
    ze_fence_handle_t
    /// Handle of driver's event pool object.
    ze_event_pool_handle_t
    /// Handle of driver's event object.
    ze_event_handle_t
    /// Handle of driver's image object.
    ze_image_handle_t
    /// Handle of driver's module object.
    ze_module_handle_t
    /// Handle of module's build log object.
    ze_module_build_log_handle_t
    /// Handle of driver's kernel object.
    ze_kernel_handle_t
    /// Handle of driver's sampler object.
    ze_sampler_handle_t
    /// Handle of physical memory object.
    ze_physical_mem_handle_t
}

flags! {
    /// External memory type flags.
    ze_external_memory_type_flags_t | ze_external_memory_type_flag_t {
        /// An opaque POSIX file descriptor handle.
        ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD = 1 << 0,
        /// A file descriptor handle for a Linux dma_buf.
        ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF = 1 << 1,
    }
}

structs! {
    /// IPC handle to a memory allocation.
    ze_ipc_mem_handle_t {
        /// Opaque data representing an IPC handle.
        data: [c_char; ZE_MAX_IPC_HANDLE_SIZE],
    }
    /// IPC handle to a event pool allocation.
    ze_ipc_event_pool_handle_t {
        /// Opaque data representing an IPC handle.
        data: [c_char; ZE_MAX_IPC_HANDLE_SIZE],
    }
    /// Base for all descriptor types.
    ze_base_desc_t {
        /// Type of this structure.
        stype: ze_structure_type_t,
        /// Must be null or a pointer to an extension-specific structure (i.e. contains sType and pNext).
        pNext: *const c_void,
    }
}
