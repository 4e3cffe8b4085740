//! Kernels and their launches.

use core::ffi::{c_int, c_void};

use crate::consts::*;
use crate::types::*;

/// `ur_kernel_arg_mem_obj_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_arg_mem_obj_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_mem_flags_t` at offset 16.
    pub memoryAccess: ur_mem_flags_t,
}

/// `ur_kernel_arg_pointer_properties_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_arg_pointer_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
}

/// `ur_kernel_arg_value_properties_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_arg_value_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
}

/// `ur_exp_kernel_arg_mem_obj_tuple_t`: 16 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_kernel_arg_mem_obj_tuple_t {
    /// `ur_mem_handle_t` at offset 0.
    pub hMem: ur_mem_handle_t,
    /// `ur_mem_flags_t` at offset 8.
    pub flags: ur_mem_flags_t,
}

/// `ur_exp_kernel_arg_value_t`: 16 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ur_exp_kernel_arg_value_t {
    /// `const void*` at offset 0.
    pub value: *const c_void,
    /// `const void*` at offset 0.
    pub pointer: *const c_void,
    /// `ur_exp_kernel_arg_mem_obj_tuple_t` at offset 0.
    pub memObjTuple: ur_exp_kernel_arg_mem_obj_tuple_t,
    /// `ur_sampler_handle_t` at offset 0.
    pub sampler: ur_sampler_handle_t,
}

/// `ur_exp_kernel_arg_properties_t`: 48 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_kernel_arg_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_exp_kernel_arg_type_t` at offset 16.
    pub type_: ur_exp_kernel_arg_type_t,
    /// `uint32_t` at offset 20.
    pub index: u32,
    /// `size_t` at offset 24.
    pub size: usize,
    /// `ur_exp_kernel_arg_value_t` at offset 32.
    pub value: ur_exp_kernel_arg_value_t,
}

/// `ur_exp_launch_property_value_t`: 12 bytes, until 2025.0.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ur_exp_launch_property_value_t_until_2025_0 {
    /// `uint32_t[3]` at offset 0.
    pub clusterDim: [u32; 3],
    /// `int` at offset 0.
    pub cooperative: c_int,
}

/// `ur_exp_launch_property_value_t`: 16 bytes, since 2025.1, until 2025.2.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ur_exp_launch_property_value_t {
    /// `uint32_t[3]` at offset 0.
    pub clusterDim: [u32; 3],
    /// `int` at offset 0.
    pub cooperative: c_int,
    /// `size_t` at offset 0.
    pub workgroup_mem_size: usize,
}

/// `ur_exp_launch_property_t`: 16 bytes, until 2025.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_launch_property_t_until_2025_0 {
    /// `ur_exp_launch_property_id_t` at offset 0.
    pub id: ur_exp_launch_property_id_t,
    /// `ur_exp_launch_property_value_t` at offset 4.
    pub value: ur_exp_launch_property_value_t_until_2025_0,
}

/// `ur_exp_launch_property_t`: 24 bytes, since 2025.1, until 2025.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_launch_property_t {
    /// `ur_exp_launch_property_id_t` at offset 0.
    pub id: ur_exp_launch_property_id_t,
    /// `ur_exp_launch_property_value_t` at offset 8.
    pub value: ur_exp_launch_property_value_t,
}

/// `ur_kernel_arg_local_properties_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_arg_local_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
}

/// `ur_kernel_arg_sampler_properties_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_arg_sampler_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
}

/// `ur_kernel_exec_info_properties_t`: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_exec_info_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
}

/// `ur_kernel_launch_cluster_property_t`: 32 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_launch_cluster_property_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `uint32_t[3]` at offset 16.
    pub clusterDim: [u32; 3],
}

/// `ur_kernel_launch_ext_properties_t`: 24 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_launch_ext_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `ur_kernel_launch_flags_t` at offset 16.
    pub flags: ur_kernel_launch_flags_t,
}

/// `ur_kernel_launch_property_value_t`: 16 bytes, only in 2025.3.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ur_kernel_launch_property_value_t {
    /// `uint32_t[3]` at offset 0.
    pub clusterDim: [u32; 3],
    /// `int` at offset 0.
    pub cooperative: c_int,
    /// `size_t` at offset 0.
    pub workgroup_mem_size: usize,
    /// `int` at offset 0.
    pub opportunistic_queue_serialize: c_int,
}

/// `ur_kernel_launch_property_t`: 24 bytes, only in 2025.3.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_launch_property_t {
    /// `ur_kernel_launch_property_id_t` at offset 0.
    pub id: ur_kernel_launch_property_id_t,
    /// `ur_kernel_launch_property_value_t` at offset 8.
    pub value: ur_kernel_launch_property_value_t,
}

/// `ur_kernel_launch_workgroup_property_t`: 24 bytes, since 2026.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_launch_workgroup_property_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `size_t` at offset 16.
    pub workgroup_mem_size: usize,
}

/// `ur_kernel_native_properties_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_kernel_native_properties_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `void*` at offset 8.
    pub pNext: *mut c_void,
    /// `bool` at offset 16.
    pub isNativeHandleOwned: u8,
}
