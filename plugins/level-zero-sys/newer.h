/* The headers that the bindings are generated from, and the later additions in use. An enumeration NAME_newer holds
 * later values of NAME. A driver that does not know them ignores the structures and refuses the flags. */
#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

enum _ze_structure_type_t_newer
{
    ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT = 0x1000f,           ///< ::ze_device_ip_version_ext_t
    ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC = 0x20037, ///< ::ze_external_memmap_sysmem_ext_desc_t (1.14)
};

enum _ze_command_list_flag_t_newer
{
    ZE_COMMAND_LIST_FLAG_IN_ORDER = ZE_BIT(3), ///< commands of the list run in the order in which they were appended (1.7)
};

enum _ze_command_queue_flag_t_newer
{
    ZE_COMMAND_QUEUE_FLAG_IN_ORDER = ZE_BIT(1), ///< commands of the immediate list run in the order in which they were
                                                ///< appended (1.7)
};

enum _ze_event_pool_flag_t_newer
{
    ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP = ZE_BIT(3), ///< events of the pool also map their device timestamps to
                                                            ///< the host's clock (1.6)
};

/// @brief Extension name: device IP version
#define ZE_DEVICE_IP_VERSION_EXT_NAME "ZE_extension_device_ip_version"

/// @brief Extension name: memory of the program as USM host memory
#define ZE_EXTERNAL_MEMORY_MAPPING_EXT_NAME "ZE_extension_external_memmap_sysmem"

/// @brief Chained to ::ze_device_properties_t: the version of the device's architecture
typedef struct _ze_device_ip_version_ext_t
{
    ze_structure_type_t stype; ///< type of this structure
    const void *pNext;         ///< must be null or a pointer to an extension-specific structure
    uint32_t ipVersion;        ///< newer devices have higher numbers
} ze_device_ip_version_ext_t;

/// @brief Chained to ::ze_host_mem_alloc_desc_t: the allocation consists of memory that the program already has
typedef struct _ze_external_memmap_sysmem_ext_desc_t
{
    ze_structure_type_t stype; ///< type of this structure
    const void *pNext;         ///< must be null or a pointer to an extension-specific structure
    void *pSystemMemory;       ///< the start address, which must be that of a page
    uint64_t size;             ///< the size in bytes, which must be a multiple of the page size
} ze_external_memmap_sysmem_ext_desc_t;

/// @brief Releases an IPC memory handle (1.6)
ze_result_t zeMemPutIpcHandle(ze_context_handle_t hContext, ze_ipc_mem_handle_t handle);

/// @brief Waits until the immediate list's commands are done (1.6)
ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t hCommandList, uint64_t timeout);

/// @brief Returns the pitch that makes a 2D image of linear memory (1.9)
ze_result_t zeMemGetPitchFor2dImage(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, size_t imageWidth, size_t imageHeight,
    unsigned int elementSizeInBytes, size_t *rowPitch);

/// @brief Returns the driver's message about the last error of this thread (1.6)
ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t hDriver, const char **ppString);
