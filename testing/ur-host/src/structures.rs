//! Structures with the values that most tests pass. A test names only the fields that it is about.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;

/// A command buffer whose launches can be changed.
pub const UPDATABLE: ur_exp_command_buffer_desc_t = ur_exp_command_buffer_desc_t {
    stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
    pNext: null(),
    isUpdatable: 1,
    isInOrder: 0,
    enableProfiling: 0,
};

/// An update that changes nothing of a launch.
pub const UPDATE: ur_exp_command_buffer_update_kernel_launch_desc_t =
    ur_exp_command_buffer_update_kernel_launch_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_KERNEL_LAUNCH_DESC,
        pNext: null(),
        hCommand: null_mut(),
        hNewKernel: null_mut(),
        numNewMemObjArgs: 0,
        numNewPointerArgs: 0,
        numNewValueArgs: 0,
        newWorkDim: 0,
        pNewMemObjArgList: null(),
        pNewPointerArgList: null(),
        pNewValueArgList: null(),
        pNewGlobalWorkOffset: null_mut(),
        pNewGlobalWorkSize: null_mut(),
        pNewLocalWorkSize: null_mut(),
    };

/// An image of two dimensions, without a size.
pub const IMAGE: ur_image_desc_t = ur_image_desc_t {
    stype: UR_STRUCTURE_TYPE_IMAGE_DESC,
    pNext: null(),
    type_: UR_MEM_TYPE_IMAGE2D,
    width: 0,
    height: 0,
    depth: 0,
    arraySize: 0,
    rowPitch: 0,
    slicePitch: 0,
    numMipLevel: 0,
    numSamples: 0,
};
