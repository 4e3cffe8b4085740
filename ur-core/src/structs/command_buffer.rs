//! Command buffers.

use core::ffi::c_void;

use super::kernel::{
    ur_kernel_arg_mem_obj_properties_t, ur_kernel_arg_pointer_properties_t, ur_kernel_arg_value_properties_t,
};
use crate::consts::*;
use crate::types::*;

/// `ur_exp_command_buffer_desc_t`: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_bool_t` at offset 16.
    pub isUpdatable: ur_bool_t,
    /// `ur_bool_t` at offset 17.
    pub isInOrder: ur_bool_t,
    /// `ur_bool_t` at offset 18.
    pub enableProfiling: ur_bool_t,
}

/// `ur_exp_command_buffer_update_memobj_arg_desc_t`: 40 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_memobj_arg_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `uint32_t` at offset 16.
    pub argIndex: u32,
    /// `const ur_kernel_arg_mem_obj_properties_t*` at offset 24.
    pub pProperties: *const ur_kernel_arg_mem_obj_properties_t,
    /// `ur_mem_handle_t` at offset 32.
    pub hNewMemObjArg: ur_mem_handle_t,
}

/// `ur_exp_command_buffer_update_pointer_arg_desc_t`: 40 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_pointer_arg_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `uint32_t` at offset 16.
    pub argIndex: u32,
    /// `const ur_kernel_arg_pointer_properties_t*` at offset 24.
    pub pProperties: *const ur_kernel_arg_pointer_properties_t,
    /// `const void*` at offset 32.
    pub pNewPointerArg: *const c_void,
}

/// `ur_exp_command_buffer_update_value_arg_desc_t`: 40 bytes, until 2025.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_value_arg_desc_t_until_2025_0 {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `uint32_t` at offset 16.
    pub argIndex: u32,
    /// `uint32_t` at offset 20.
    pub argSize: u32,
    /// `const ur_kernel_arg_value_properties_t*` at offset 24.
    pub pProperties: *const ur_kernel_arg_value_properties_t,
    /// `const void*` at offset 32.
    pub pNewValueArg: *const c_void,
}

/// `ur_exp_command_buffer_update_value_arg_desc_t`: 48 bytes, since 2025.1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_value_arg_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `uint32_t` at offset 16.
    pub argIndex: u32,
    /// `size_t` at offset 24.
    pub argSize: usize,
    /// `const ur_kernel_arg_value_properties_t*` at offset 32.
    pub pProperties: *const ur_kernel_arg_value_properties_t,
    /// `const void*` at offset 40.
    pub pNewValueArg: *const c_void,
}

/// `ur_exp_command_buffer_update_kernel_launch_desc_t`: 80 bytes, until 2025.0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0 {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `uint32_t` at offset 16.
    pub numNewMemObjArgs: u32,
    /// `uint32_t` at offset 20.
    pub numNewPointerArgs: u32,
    /// `uint32_t` at offset 24.
    pub numNewValueArgs: u32,
    /// `uint32_t` at offset 28.
    pub newWorkDim: u32,
    /// `const ur_exp_command_buffer_update_memobj_arg_desc_t*` at offset 32.
    pub pNewMemObjArgList: *const ur_exp_command_buffer_update_memobj_arg_desc_t,
    /// `const ur_exp_command_buffer_update_pointer_arg_desc_t*` at offset 40.
    pub pNewPointerArgList: *const ur_exp_command_buffer_update_pointer_arg_desc_t,
    /// `const ur_exp_command_buffer_update_value_arg_desc_t*` at offset 48.
    pub pNewValueArgList: *const ur_exp_command_buffer_update_value_arg_desc_t_until_2025_0,
    /// `size_t*` at offset 56.
    pub pNewGlobalWorkOffset: *mut usize,
    /// `size_t*` at offset 64.
    pub pNewGlobalWorkSize: *mut usize,
    /// `size_t*` at offset 72.
    pub pNewLocalWorkSize: *mut usize,
}

/// `ur_exp_command_buffer_update_kernel_launch_desc_t`: 88 bytes, only in 2025.1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1 {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_kernel_handle_t` at offset 16.
    pub hNewKernel: ur_kernel_handle_t,
    /// `uint32_t` at offset 24.
    pub numNewMemObjArgs: u32,
    /// `uint32_t` at offset 28.
    pub numNewPointerArgs: u32,
    /// `uint32_t` at offset 32.
    pub numNewValueArgs: u32,
    /// `uint32_t` at offset 36.
    pub newWorkDim: u32,
    /// `const ur_exp_command_buffer_update_memobj_arg_desc_t*` at offset 40.
    pub pNewMemObjArgList: *const ur_exp_command_buffer_update_memobj_arg_desc_t,
    /// `const ur_exp_command_buffer_update_pointer_arg_desc_t*` at offset 48.
    pub pNewPointerArgList: *const ur_exp_command_buffer_update_pointer_arg_desc_t,
    /// `const ur_exp_command_buffer_update_value_arg_desc_t*` at offset 56.
    pub pNewValueArgList: *const ur_exp_command_buffer_update_value_arg_desc_t,
    /// `size_t*` at offset 64.
    pub pNewGlobalWorkOffset: *mut usize,
    /// `size_t*` at offset 72.
    pub pNewGlobalWorkSize: *mut usize,
    /// `size_t*` at offset 80.
    pub pNewLocalWorkSize: *mut usize,
}

/// `ur_exp_command_buffer_update_kernel_launch_desc_t`: 96 bytes, since 2025.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ur_exp_command_buffer_update_kernel_launch_desc_t {
    /// `ur_structure_type_t` at offset 0.
    pub stype: ur_structure_type_t,
    /// `const void*` at offset 8.
    pub pNext: *const c_void,
    /// `ur_exp_command_buffer_command_handle_t` at offset 16.
    pub hCommand: ur_exp_command_buffer_command_handle_t,
    /// `ur_kernel_handle_t` at offset 24.
    pub hNewKernel: ur_kernel_handle_t,
    /// `uint32_t` at offset 32.
    pub numNewMemObjArgs: u32,
    /// `uint32_t` at offset 36.
    pub numNewPointerArgs: u32,
    /// `uint32_t` at offset 40.
    pub numNewValueArgs: u32,
    /// `uint32_t` at offset 44.
    pub newWorkDim: u32,
    /// `const ur_exp_command_buffer_update_memobj_arg_desc_t*` at offset 48.
    pub pNewMemObjArgList: *const ur_exp_command_buffer_update_memobj_arg_desc_t,
    /// `const ur_exp_command_buffer_update_pointer_arg_desc_t*` at offset 56.
    pub pNewPointerArgList: *const ur_exp_command_buffer_update_pointer_arg_desc_t,
    /// `const ur_exp_command_buffer_update_value_arg_desc_t*` at offset 64.
    pub pNewValueArgList: *const ur_exp_command_buffer_update_value_arg_desc_t,
    /// `size_t*` at offset 72.
    pub pNewGlobalWorkOffset: *mut usize,
    /// `size_t*` at offset 80.
    pub pNewGlobalWorkSize: *mut usize,
    /// `size_t*` at offset 88.
    pub pNewLocalWorkSize: *mut usize,
}
