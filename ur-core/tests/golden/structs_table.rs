//! Every structure with its fields, as compiled.

#![allow(non_snake_case, reason = "fields have their C names")]

use core::ffi::{c_char, c_int, c_void};
use std::collections::BTreeMap;
use std::mem::{align_of, offset_of, size_of};
use std::sync::LazyLock;

use sycl_ur_core::*;

/// Size, alignment, and the fields with their types and offsets.
pub(crate) type Compiled = (usize, usize, Vec<(&'static str, &'static str, usize)>);

/// Fails to compile if a field has another type or is missing.
macro_rules! held {
    (struct $name:ident { $($field:ident: $ty:ty),* }) => {
        const _: fn($($ty),*) -> $name = |$($field),*| $name { $($field),* };
    };
    (union $name:ident { $($field:ident: $ty:ty),* }) => {
        $(const _: fn($ty) -> $name = |value| $name { $field: value };)*
    };
}

macro_rules! compiled {
    ($($kind:ident $name:ident { $($field:ident: $ty:ty),* })*) => {
        $(held!($kind $name { $($field: $ty),* });)*

        /// Every structure and union by its Rust name.
        pub(crate) static COMPILED: LazyLock<BTreeMap<&'static str, Compiled>> = LazyLock::new(|| {
            BTreeMap::from([$((
                stringify!($name),
                (
                    size_of::<$name>(),
                    align_of::<$name>(),
                    vec![$((stringify!($field), stringify!($ty), offset_of!($name, $field))),*],
                ),
            )),*])
        });
    };
}

compiled! {
    struct ur_base_desc_t { stype: ur_structure_type_t, pNext: *const c_void }
    struct ur_base_properties_t { stype: ur_structure_type_t, pNext: *mut c_void }
    struct ur_buffer_alloc_location_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        location: u32 }
    struct ur_buffer_channel_properties_t { stype: ur_structure_type_t, pNext: *mut c_void, channel: u32 }
    struct ur_buffer_properties_t { stype: ur_structure_type_t, pNext: *mut c_void, pHost: *mut c_void }
    struct ur_buffer_region_t { stype: ur_structure_type_t, pNext: *const c_void, origin: usize,
        size: usize }
    struct ur_code_location_t { functionName: *const c_char, sourceFile: *const c_char, lineNumber: u32,
        columnNumber: u32 }
    struct ur_context_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_context_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_context_flags_t }
    struct ur_device_binary_t { stype: ur_structure_type_t, pNext: *const c_void,
        pDeviceTargetSpec: *const c_char }
    struct ur_device_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_device_partition_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        pProperties: *const ur_device_partition_property_t, PropCount: usize }
    struct ur_device_partition_property_t { type_: ur_device_partition_t,
        value: ur_device_partition_value_t }
    union ur_device_partition_value_t { equally: u32, count: u32,
        affinity_domain: ur_device_affinity_domain_flags_t }
    struct ur_event_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_exp_async_usm_alloc_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_exp_async_usm_alloc_flags_t }
    struct ur_exp_command_buffer_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        isUpdatable: ur_bool_t, isInOrder: ur_bool_t, enableProfiling: ur_bool_t }
    struct ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0 { stype: ur_structure_type_t,
        pNext: *const c_void, numNewMemObjArgs: u32, numNewPointerArgs: u32, numNewValueArgs: u32,
        newWorkDim: u32, pNewMemObjArgList: *const ur_exp_command_buffer_update_memobj_arg_desc_t,
        pNewPointerArgList: *const ur_exp_command_buffer_update_pointer_arg_desc_t,
        pNewValueArgList: *const ur_exp_command_buffer_update_value_arg_desc_t_until_2025_0,
        pNewGlobalWorkOffset: *mut usize, pNewGlobalWorkSize: *mut usize, pNewLocalWorkSize: *mut usize }
    struct ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1 { stype: ur_structure_type_t,
        pNext: *const c_void, hNewKernel: ur_kernel_handle_t, numNewMemObjArgs: u32,
        numNewPointerArgs: u32, numNewValueArgs: u32, newWorkDim: u32,
        pNewMemObjArgList: *const ur_exp_command_buffer_update_memobj_arg_desc_t,
        pNewPointerArgList: *const ur_exp_command_buffer_update_pointer_arg_desc_t,
        pNewValueArgList: *const ur_exp_command_buffer_update_value_arg_desc_t,
        pNewGlobalWorkOffset: *mut usize, pNewGlobalWorkSize: *mut usize, pNewLocalWorkSize: *mut usize }
    struct ur_exp_command_buffer_update_kernel_launch_desc_t { stype: ur_structure_type_t,
        pNext: *const c_void, hCommand: ur_exp_command_buffer_command_handle_t,
        hNewKernel: ur_kernel_handle_t, numNewMemObjArgs: u32, numNewPointerArgs: u32,
        numNewValueArgs: u32, newWorkDim: u32,
        pNewMemObjArgList: *const ur_exp_command_buffer_update_memobj_arg_desc_t,
        pNewPointerArgList: *const ur_exp_command_buffer_update_pointer_arg_desc_t,
        pNewValueArgList: *const ur_exp_command_buffer_update_value_arg_desc_t,
        pNewGlobalWorkOffset: *mut usize, pNewGlobalWorkSize: *mut usize, pNewLocalWorkSize: *mut usize }
    struct ur_exp_command_buffer_update_memobj_arg_desc_t { stype: ur_structure_type_t,
        pNext: *const c_void, argIndex: u32, pProperties: *const ur_kernel_arg_mem_obj_properties_t,
        hNewMemObjArg: ur_mem_handle_t }
    struct ur_exp_command_buffer_update_pointer_arg_desc_t { stype: ur_structure_type_t,
        pNext: *const c_void, argIndex: u32, pProperties: *const ur_kernel_arg_pointer_properties_t,
        pNewPointerArg: *const c_void }
    struct ur_exp_command_buffer_update_value_arg_desc_t_until_2025_0 { stype: ur_structure_type_t,
        pNext: *const c_void, argIndex: u32, argSize: u32,
        pProperties: *const ur_kernel_arg_value_properties_t, pNewValueArg: *const c_void }
    struct ur_exp_command_buffer_update_value_arg_desc_t { stype: ur_structure_type_t,
        pNext: *const c_void, argIndex: u32, argSize: usize,
        pProperties: *const ur_kernel_arg_value_properties_t, pNewValueArg: *const c_void }
    struct ur_exp_enqueue_ext_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_exp_enqueue_ext_flags_t }
    struct ur_exp_enqueue_native_command_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_exp_enqueue_native_command_flags_t }
    struct ur_exp_event_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        flags: ur_exp_event_flags_t }
    struct ur_exp_external_mem_desc_t { stype: ur_structure_type_t, pNext: *const c_void }
    struct ur_exp_external_semaphore_desc_t { stype: ur_structure_type_t, pNext: *const c_void }
    struct ur_exp_file_descriptor_t { stype: ur_structure_type_t, pNext: *const c_void, fd: c_int }
    struct ur_exp_host_task_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_exp_host_task_flags_t }
    struct ur_exp_image_copy_region_t { stype: ur_structure_type_t, pNext: *const c_void,
        srcOffset: ur_rect_offset_t, dstOffset: ur_rect_offset_t, copyExtent: ur_rect_region_t }
    struct ur_exp_kernel_arg_mem_obj_tuple_t { hMem: ur_mem_handle_t, flags: ur_mem_flags_t }
    struct ur_exp_kernel_arg_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        type_: ur_exp_kernel_arg_type_t, index: u32, size: usize, value: ur_exp_kernel_arg_value_t }
    union ur_exp_kernel_arg_value_t { value: *const c_void, pointer: *const c_void,
        memObjTuple: ur_exp_kernel_arg_mem_obj_tuple_t, sampler: ur_sampler_handle_t }
    struct ur_exp_launch_property_t_until_2025_0 { id: ur_exp_launch_property_id_t,
        value: ur_exp_launch_property_value_t_until_2025_0 }
    struct ur_exp_launch_property_t { id: ur_exp_launch_property_id_t,
        value: ur_exp_launch_property_value_t }
    union ur_exp_launch_property_value_t_until_2025_0 { clusterDim: [u32; 3], cooperative: c_int }
    union ur_exp_launch_property_value_t { clusterDim: [u32; 3], cooperative: c_int,
        workgroup_mem_size: usize }
    struct ur_exp_sampler_addr_modes_t { stype: ur_structure_type_t, pNext: *mut c_void,
        addrModes: [ur_sampler_addressing_mode_t; 3] }
    struct ur_exp_sampler_cubemap_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        cubemapFilterMode: ur_exp_sampler_cubemap_filter_mode_t }
    struct ur_exp_sampler_mip_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        minMipmapLevelClamp: f32, maxMipmapLevelClamp: f32, maxAnisotropy: f32,
        mipFilterMode: ur_sampler_filter_mode_t }
    struct ur_exp_usm_host_alloc_register_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_exp_usm_host_alloc_register_flags_t }
    struct ur_exp_win32_handle_t { stype: ur_structure_type_t, pNext: *const c_void, handle: *mut c_void }
    struct ur_exp_win32_name_t { stype: ur_structure_type_t, pNext: *const c_void, name: *const c_void }
    struct ur_image_desc_t { stype: ur_structure_type_t, pNext: *const c_void, type_: ur_mem_type_t,
        width: usize, height: usize, depth: usize, arraySize: usize, rowPitch: usize, slicePitch: usize,
        numMipLevel: u32, numSamples: u32 }
    struct ur_image_format_t { channelOrder: ur_image_channel_order_t,
        channelType: ur_image_channel_type_t }
    struct ur_kernel_arg_local_properties_t { stype: ur_structure_type_t, pNext: *mut c_void }
    struct ur_kernel_arg_mem_obj_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        memoryAccess: ur_mem_flags_t }
    struct ur_kernel_arg_pointer_properties_t { stype: ur_structure_type_t, pNext: *mut c_void }
    struct ur_kernel_arg_sampler_properties_t { stype: ur_structure_type_t, pNext: *mut c_void }
    struct ur_kernel_arg_value_properties_t { stype: ur_structure_type_t, pNext: *mut c_void }
    struct ur_kernel_exec_info_properties_t { stype: ur_structure_type_t, pNext: *mut c_void }
    struct ur_kernel_launch_cluster_property_t { stype: ur_structure_type_t, pNext: *mut c_void,
        clusterDim: [u32; 3] }
    struct ur_kernel_launch_ext_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_kernel_launch_flags_t }
    struct ur_kernel_launch_property_t { id: ur_kernel_launch_property_id_t,
        value: ur_kernel_launch_property_value_t }
    union ur_kernel_launch_property_value_t { clusterDim: [u32; 3], cooperative: c_int,
        workgroup_mem_size: usize, opportunistic_queue_serialize: c_int }
    struct ur_kernel_launch_workgroup_property_t { stype: ur_structure_type_t, pNext: *mut c_void,
        workgroup_mem_size: usize }
    struct ur_kernel_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_mem_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_physical_mem_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        flags: ur_physical_mem_flags_t }
    struct ur_platform_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_program_metadata_t { pName: *const c_char, type_: ur_program_metadata_type_t, size: usize,
        value: ur_program_metadata_value_t }
    union ur_program_metadata_value_t { data32: u32, data64: u64, pString: *mut c_char, pData: *mut c_void
        }
    struct ur_program_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_program_properties_t { stype: ur_structure_type_t, pNext: *mut c_void, count: u32,
        pMetadatas: *const ur_program_metadata_t }
    struct ur_queue_index_properties_t { stype: ur_structure_type_t, pNext: *mut c_void, computeIndex: u32
        }
    struct ur_queue_native_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        pNativeData: *mut c_void }
    struct ur_queue_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_queue_properties_t { stype: ur_structure_type_t, pNext: *mut c_void, flags: ur_queue_flags_t
        }
    struct ur_rect_offset_t { x: u64, y: u64, z: u64 }
    struct ur_rect_region_t { width: u64, height: u64, depth: u64 }
    struct ur_sampler_desc_t { stype: ur_structure_type_t, pNext: *const c_void, normalizedCoords: u8,
        addressingMode: ur_sampler_addressing_mode_t, filterMode: ur_sampler_filter_mode_t }
    struct ur_sampler_native_properties_t { stype: ur_structure_type_t, pNext: *mut c_void,
        isNativeHandleOwned: u8 }
    struct ur_specialization_constant_info_t { id: u32, size: usize, pValue: *const c_void }
    struct ur_usm_alloc_location_desc_t { stype: ur_structure_type_t, pNext: *const c_void, location: u32
        }
    struct ur_usm_desc_t { stype: ur_structure_type_t, pNext: *const c_void, hints: ur_usm_advice_flags_t,
        align: u32 }
    struct ur_usm_device_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        flags: ur_usm_device_mem_flags_t }
    struct ur_usm_host_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        flags: ur_usm_host_mem_flags_t }
    struct ur_usm_pool_buffer_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        pMem: *mut c_void, size: usize, memType: ur_usm_type_t, device: ur_device_handle_t }
    struct ur_usm_pool_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        flags: ur_usm_pool_flags_t }
    struct ur_usm_pool_limits_desc_t { stype: ur_structure_type_t, pNext: *const c_void,
        maxPoolableSize: usize, minDriverAllocSize: usize }
}
