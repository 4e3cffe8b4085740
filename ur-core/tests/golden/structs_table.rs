//! Every structure with its fields, for what the compiler makes of them.

use std::collections::BTreeMap;
use std::mem::{align_of, offset_of, size_of};

use sycl_ur_core::*;

/// Size, alignment, and the fields with their offsets.
pub(crate) type Compiled = (usize, usize, Vec<(&'static str, usize)>);

macro_rules! compiled {
    ($($name:ident { $($field:ident)* })*) => {
        BTreeMap::from([$((
            stringify!($name),
            (size_of::<$name>(), align_of::<$name>(), vec![$((stringify!($field), offset_of!($name, $field))),*]),
        )),*])
    };
}

/// Every structure and union by its Rust name.
pub(crate) fn compiled() -> BTreeMap<&'static str, Compiled> {
    compiled! {
        ur_base_desc_t { stype pNext }
        ur_base_properties_t { stype pNext }
        ur_buffer_alloc_location_properties_t { stype pNext location }
        ur_buffer_channel_properties_t { stype pNext channel }
        ur_buffer_properties_t { stype pNext pHost }
        ur_buffer_region_t { stype pNext origin size }
        ur_code_location_t { functionName sourceFile lineNumber columnNumber }
        ur_context_native_properties_t { stype pNext isNativeHandleOwned }
        ur_context_properties_t { stype pNext flags }
        ur_device_binary_t { stype pNext pDeviceTargetSpec }
        ur_device_native_properties_t { stype pNext isNativeHandleOwned }
        ur_device_partition_properties_t { stype pNext pProperties PropCount }
        ur_device_partition_property_t { type_ value }
        ur_device_partition_value_t { equally count affinity_domain }
        ur_event_native_properties_t { stype pNext isNativeHandleOwned }
        ur_exp_async_usm_alloc_properties_t { stype pNext flags }
        ur_exp_command_buffer_desc_t { stype pNext isUpdatable isInOrder enableProfiling }
        ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0 { stype pNext
            numNewMemObjArgs numNewPointerArgs numNewValueArgs newWorkDim pNewMemObjArgList
            pNewPointerArgList pNewValueArgList pNewGlobalWorkOffset pNewGlobalWorkSize
            pNewLocalWorkSize }
        ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1 { stype pNext hNewKernel
            numNewMemObjArgs numNewPointerArgs numNewValueArgs newWorkDim pNewMemObjArgList
            pNewPointerArgList pNewValueArgList pNewGlobalWorkOffset pNewGlobalWorkSize
            pNewLocalWorkSize }
        ur_exp_command_buffer_update_kernel_launch_desc_t { stype pNext hCommand hNewKernel
            numNewMemObjArgs numNewPointerArgs numNewValueArgs newWorkDim pNewMemObjArgList
            pNewPointerArgList pNewValueArgList pNewGlobalWorkOffset pNewGlobalWorkSize
            pNewLocalWorkSize }
        ur_exp_command_buffer_update_memobj_arg_desc_t { stype pNext argIndex pProperties
            hNewMemObjArg }
        ur_exp_command_buffer_update_pointer_arg_desc_t { stype pNext argIndex pProperties
            pNewPointerArg }
        ur_exp_command_buffer_update_value_arg_desc_t_until_2025_0 { stype pNext argIndex argSize
            pProperties pNewValueArg }
        ur_exp_command_buffer_update_value_arg_desc_t { stype pNext argIndex argSize pProperties
            pNewValueArg }
        ur_exp_enqueue_ext_properties_t { stype pNext flags }
        ur_exp_enqueue_native_command_properties_t { stype pNext flags }
        ur_exp_event_desc_t { stype pNext flags }
        ur_exp_external_mem_desc_t { stype pNext }
        ur_exp_external_semaphore_desc_t { stype pNext }
        ur_exp_file_descriptor_t { stype pNext fd }
        ur_exp_host_task_properties_t { stype pNext flags }
        ur_exp_image_copy_region_t { stype pNext srcOffset dstOffset copyExtent }
        ur_exp_kernel_arg_mem_obj_tuple_t { hMem flags }
        ur_exp_kernel_arg_properties_t { stype pNext type_ index size value }
        ur_exp_kernel_arg_value_t { value pointer memObjTuple sampler }
        ur_exp_launch_property_t_until_2025_0 { id value }
        ur_exp_launch_property_t { id value }
        ur_exp_launch_property_value_t_until_2025_0 { clusterDim cooperative }
        ur_exp_launch_property_value_t { clusterDim cooperative workgroup_mem_size }
        ur_exp_sampler_addr_modes_t { stype pNext addrModes }
        ur_exp_sampler_cubemap_properties_t { stype pNext cubemapFilterMode }
        ur_exp_sampler_mip_properties_t { stype pNext minMipmapLevelClamp maxMipmapLevelClamp
            maxAnisotropy mipFilterMode }
        ur_exp_usm_host_alloc_register_properties_t { stype pNext flags }
        ur_exp_win32_handle_t { stype pNext handle }
        ur_exp_win32_name_t { stype pNext name }
        ur_image_desc_t { stype pNext type_ width height depth arraySize rowPitch slicePitch
            numMipLevel numSamples }
        ur_image_format_t { channelOrder channelType }
        ur_kernel_arg_local_properties_t { stype pNext }
        ur_kernel_arg_mem_obj_properties_t { stype pNext memoryAccess }
        ur_kernel_arg_pointer_properties_t { stype pNext }
        ur_kernel_arg_sampler_properties_t { stype pNext }
        ur_kernel_arg_value_properties_t { stype pNext }
        ur_kernel_exec_info_properties_t { stype pNext }
        ur_kernel_launch_cluster_property_t { stype pNext clusterDim }
        ur_kernel_launch_ext_properties_t { stype pNext flags }
        ur_kernel_launch_property_t { id value }
        ur_kernel_launch_property_value_t { clusterDim cooperative workgroup_mem_size
            opportunistic_queue_serialize }
        ur_kernel_launch_workgroup_property_t { stype pNext workgroup_mem_size }
        ur_kernel_native_properties_t { stype pNext isNativeHandleOwned }
        ur_mem_native_properties_t { stype pNext isNativeHandleOwned }
        ur_physical_mem_properties_t { stype pNext flags }
        ur_platform_native_properties_t { stype pNext isNativeHandleOwned }
        ur_program_metadata_t { pName type_ size value }
        ur_program_metadata_value_t { data32 data64 pString pData }
        ur_program_native_properties_t { stype pNext isNativeHandleOwned }
        ur_program_properties_t { stype pNext count pMetadatas }
        ur_queue_index_properties_t { stype pNext computeIndex }
        ur_queue_native_desc_t { stype pNext pNativeData }
        ur_queue_native_properties_t { stype pNext isNativeHandleOwned }
        ur_queue_properties_t { stype pNext flags }
        ur_rect_offset_t { x y z }
        ur_rect_region_t { width height depth }
        ur_sampler_desc_t { stype pNext normalizedCoords addressingMode filterMode }
        ur_sampler_native_properties_t { stype pNext isNativeHandleOwned }
        ur_specialization_constant_info_t { id size pValue }
        ur_usm_alloc_location_desc_t { stype pNext location }
        ur_usm_desc_t { stype pNext hints align }
        ur_usm_device_desc_t { stype pNext flags }
        ur_usm_host_desc_t { stype pNext flags }
        ur_usm_pool_buffer_desc_t { stype pNext pMem size memType device }
        ur_usm_pool_desc_t { stype pNext flags }
        ur_usm_pool_limits_desc_t { stype pNext maxPoolableSize minDriverAllocSize }
    }
}
