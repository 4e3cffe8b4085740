//! Calls over which PoCL 3.1 ends the process: they are refused before they reach it.
//!
//! `testing/robustness/programs/opencl_faults.c` makes each with the bare driver. Other drivers' calls are looked at for one
//! flag.

use core::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::{Error, Result, cold_error};
use sycl_pi_backend::types::*;

use crate::program;
use crate::sys::{self, Context, Mem, Program, Queue, Rooted, cl};

/// Refuses a command on an image in the queue of a sub-device: PoCL looks for that device among those of the image's
/// context, where it keeps root devices only. Refuses boxes beyond an array's last image too, which PoCL does not see.
#[inline(always)]
pub(crate) fn check_image(
    queue: &Queue,
    image: &Mem,
    origin: &[usize; 3],
    region: &[usize; 3],
) -> Result<()> {
    if queue.driver()?.is_pocl { can_command(queue, image, origin, region) } else { Ok(()) }
}

#[cold]
fn can_command(queue: &Queue, image: &Mem, origin: &[usize; 3], region: &[usize; 3]) -> Result<()> {
    let size = size_of::<sys::cl_device_id>();
    let (mut device, mut parent): (sys::cl_device_id, sys::cl_device_id) = (null_mut(), null_mut());
    let room = (&raw mut device).cast::<c_void>();
    cl().clGetCommandQueueInfo(queue.cl(), sys::CL_QUEUE_DEVICE, size, room, null_mut())?;
    let room = (&raw mut parent).cast::<c_void>();
    cl().clGetDeviceInfo(device, sys::CL_DEVICE_PARENT_DEVICE, size, room, null_mut())?;
    if !parent.is_null() {
        return Err(Error::new(
            ErrorCode::INVALID_OPERATION,
            "command_queue is a sub-device's, where PoCL takes no commands on images; one of the root device takes them",
        ));
    }
    let (mut kind, mut count) = (0_u32, 0_usize);
    let room = (&raw mut kind).cast::<c_void>();
    cl().clGetMemObjectInfo(image.cl(), sys::CL_MEM_TYPE, size_of_val(&kind), room, null_mut())?;
    let axis = match kind {
        sys::CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
        sys::CL_MEM_OBJECT_IMAGE2D_ARRAY => 2,
        _ => return Ok(()),
    };
    let room = (&raw mut count).cast::<c_void>();
    cl().clGetImageInfo(image.cl(), sys::CL_IMAGE_ARRAY_SIZE, size_of_val(&count), room, null_mut())?;
    if origin[axis].checked_add(region[axis]).is_some_and(|end| end <= count) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "origin {origin:?} and region {region:?} reach beyond the last of the {count} images of the array"
    )))
}

/// Refuses a buffer of another context to make an image of.
pub(crate) fn check_image_buffer(context: &Context, buffer: *mut RawMem) -> Result<()> {
    let Some(buffer) = sys::opaque::<Mem>(buffer.cast()) else { return Ok(()) };
    if !context.driver()?.is_pocl || buffer.context()?.cl() == context.cl() {
        return Ok(());
    }
    Err(Error::new(ErrorCode::INVALID_CONTEXT, "image_desc has a buffer of another context"))
}

/// Refuses to build a second time what was made without source: from a binary, or by a link.
pub(crate) fn check_build(program: &Program) -> Result<()> {
    if !program.driver()?.is_pocl {
        return Ok(());
    }
    let (cl, mut length) = (cl(), 0);
    cl.clGetProgramInfo(program.cl(), sys::CL_PROGRAM_SOURCE, 0, null_mut(), &mut length)?;
    // The text of none is a NUL.
    if length > 1 {
        return Ok(());
    }
    for device in program::devices_of(program)? {
        let mut status = sys::CL_BUILD_NONE;
        let (name, room) = (sys::CL_PROGRAM_BUILD_STATUS, (&raw mut status).cast::<c_void>());
        cl.clGetProgramBuildInfo(program.cl(), device, name, size_of_val(&status), room, null_mut())?;
        if status != sys::CL_BUILD_NONE {
            return Err(cold_error(|| {
                Error::new(
                    ErrorCode::INVALID_OPERATION,
                    "program has been built, and PoCL builds what was made of a binary or by a link only once; another \
                     program of that binary can be built",
                )
            }));
        }
    }
    Ok(())
}
