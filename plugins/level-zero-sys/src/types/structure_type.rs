//! The numbers in `stype`.

enums! {
    /// Defines structure types.
    ze_structure_type_t {
        /// Structure type of `ze_driver_properties_t`.
        ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES = 0x1,
        /// Structure type of `ze_driver_ipc_properties_t`.
        ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES = 0x2,
        /// Structure type of `ze_device_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES = 0x3,
        /// Structure type of `ze_device_compute_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES = 0x4,
        /// Structure type of `ze_device_module_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES = 0x5,
        /// Structure type of `ze_command_queue_group_properties_t`.
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES = 0x6,
        /// Structure type of `ze_device_memory_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES = 0x7,
        /// Structure type of `ze_device_memory_access_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES = 0x8,
        /// Structure type of `ze_device_cache_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES = 0x9,
        /// Structure type of `ze_device_image_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES = 0xa,
        /// Structure type of `ze_device_p2p_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES = 0xb,
        /// Structure type of `ze_device_external_memory_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES = 0xc,
        /// Structure type of `ze_context_desc_t`.
        ZE_STRUCTURE_TYPE_CONTEXT_DESC = 0xd,
        /// Structure type of `ze_command_queue_desc_t`.
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC = 0xe,
        /// Structure type of `ze_command_list_desc_t`.
        ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC = 0xf,
        /// Structure type of `ze_event_pool_desc_t`.
        ZE_STRUCTURE_TYPE_EVENT_POOL_DESC = 0x10,
        /// Structure type of `ze_event_desc_t`.
        ZE_STRUCTURE_TYPE_EVENT_DESC = 0x11,
        /// Structure type of `ze_fence_desc_t`.
        ZE_STRUCTURE_TYPE_FENCE_DESC = 0x12,
        /// Structure type of `ze_image_desc_t`.
        ZE_STRUCTURE_TYPE_IMAGE_DESC = 0x13,
        /// Structure type of `ze_image_properties_t`.
        ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES = 0x14,
        /// Structure type of `ze_device_mem_alloc_desc_t`.
        ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC = 0x15,
        /// Structure type of `ze_host_mem_alloc_desc_t`.
        ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC = 0x16,
        /// Structure type of `ze_memory_allocation_properties_t`.
        ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES = 0x17,
        /// Structure type of `ze_external_memory_export_desc_t`.
        ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC = 0x18,
        /// Structure type of `ze_external_memory_export_fd_t`.
        ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD = 0x1a,
        /// Structure type of `ze_module_desc_t`.
        ZE_STRUCTURE_TYPE_MODULE_DESC = 0x1b,
        /// Structure type of `ze_module_properties_t`.
        ZE_STRUCTURE_TYPE_MODULE_PROPERTIES = 0x1c,
        /// Structure type of `ze_kernel_desc_t`.
        ZE_STRUCTURE_TYPE_KERNEL_DESC = 0x1d,
        /// Structure type of `ze_kernel_properties_t`.
        ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES = 0x1e,
        /// Structure type of `ze_sampler_desc_t`.
        ZE_STRUCTURE_TYPE_SAMPLER_DESC = 0x1f,
        /// Structure type of `ze_physical_mem_desc_t`.
        ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC = 0x20,
        /// Structure type of `ze_kernel_preferred_group_size_properties_t`.
        ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES = 0x21,
        /// Structure type of `ze_float_atomic_ext_properties_t`.
        ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES = 0x10003,
        /// Structure type of `ze_linkage_inspection_ext_desc_t`.
        ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC = 0x10007,
        /// Structure type of `ze_pci_ext_properties_t`.
        ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES = 0x10008,
        /// Structure type of `ze_memory_free_ext_desc_t`.
        ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC = 0x1000a,
        /// Structure type of `ze_relaxed_allocation_limits_exp_desc_t`.
        ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC = 0x00020001,
        /// Structure type of `ze_module_program_exp_desc_t`.
        ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC = 0x00020002,
        /// Structure type of `ze_scheduling_hint_exp_desc_t`.
        ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC = 0x00020004,
        /// Structure type of `ze_device_properties_t`.
        ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 = 0x00020006,
    }
}
