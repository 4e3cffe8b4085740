//! Calls on which PoCL terminates the process. They are refused before they reach it.
//!
//! `testing/robustness/programs/opencl_faults.c` makes each of these calls to the driver directly.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use sycl_pi_backend::raw::RawMem;
use sycl_pi_backend::types::{ErrorCode, UsmAllocInfo};
use sycl_pi_backend::{Error, Info, Result};

use crate::check::check_in_allocation;
use crate::program_info;
use crate::sys::{self, Context, Event, HasPlatform, Mem, Program, Queried, Queue, cl};

/// Refuses a command on an image in the queue of a sub-device, because PoCL searches for that device in the image's
/// context, where it stores only root devices. Also refuses boxes past an array's last image, which PoCL does not
/// detect.
pub(crate) fn check_image(
    queue: &Queue,
    image: &Mem,
    origin: &[usize; 3],
    region: &[usize; 3],
) -> Result<()> {
    if queue.driver()?.is_pocl { can_command(queue, image, origin, region) } else { Ok(()) }
}

fn can_command(queue: &Queue, image: &Mem, origin: &[usize; 3], region: &[usize; 3]) -> Result<()> {
    let parent: sys::cl_device_id = queue.device()?.value(sys::CL_DEVICE_PARENT_DEVICE, null_mut())?;
    if !parent.is_null() {
        return Err(Error::new(
            ErrorCode::INVALID_OPERATION,
            "the queue is a sub-device's, where PoCL takes no commands on images; one of the root device takes them",
        ));
    }
    let axis = match image.value(sys::CL_MEM_TYPE, 0_u32)? {
        sys::CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
        sys::CL_MEM_OBJECT_IMAGE2D_ARRAY => 2,
        _ => return Ok(()),
    };
    let (mut count, name) = (0_usize, sys::CL_IMAGE_ARRAY_SIZE);
    let room = (&raw mut count).cast();
    cl().clGetImageInfo(image.cl(), name, size_of_val(&count), room, null_mut())?;
    if origin[axis].checked_add(region[axis]).is_some_and(|end| end <= count) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "origin {origin:?} and region {region:?} reach beyond the last of the {count} images of the array"
    )))
}

/// Refuses to create an image from a buffer of another context.
pub(crate) fn check_image_buffer(context: &Context, buffer: *mut RawMem) -> Result<()> {
    let Some(buffer) = sys::opaque::<Mem>(buffer.cast()) else { return Ok(()) };
    if !context.driver()?.is_pocl || buffer.context()?.cl() == context.cl() {
        return Ok(());
    }
    Err(Error::new(ErrorCode::INVALID_CONTEXT, "the image's buffer belongs to another context"))
}

/// Refuses a buffer in a query of images, which PoCL answers.
pub(crate) fn check_is_image(image: &Mem) -> Result<()> {
    if image.driver()?.is_pocl && image.value(sys::CL_MEM_TYPE, 0_u32)? == sys::CL_MEM_OBJECT_BUFFER {
        return Err(Error::buffer_for_image());
    }
    Ok(())
}

/// Refuses to fill memory that is no USM of the queue's context: PoCL 6.0 and 7.1 end the process over it.
pub(crate) fn check_fill(queue: &Queue, ptr: *const c_void) -> Result<()> {
    if !queue.driver()?.is_pocl || allocation_start(queue.context()?, ptr).is_some() {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{ptr:p} is not USM of the queue's context, and PoCL fills no other memory"
    )))
}

/// Refuses to free an address that is not the start of an allocation: PoCL 7.1 ends the process over it.
pub(crate) fn check_free(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
    if !context.driver()?.is_pocl || allocation_start(context, ptr.as_ptr()) == Some(ptr.addr().get()) {
        return Ok(());
    }
    Err(Error::invalid_value(format!("{ptr:p} is not the start of an allocation of this context")))
}

/// Returns the start of the USM allocation that contains an address.
fn allocation_start(context: &Context, ptr: *const c_void) -> Option<usize> {
    let (mut base, mut len) = (0_usize, 0);
    let info = Info::over(std::slice::from_mut(&mut base), &mut len);
    context.driver().and_then(|driver| driver.usm_info(context, ptr, UsmAllocInfo::BASE_PTR.0, info)).ok()?;
    (base != 0).then_some(base)
}

/// Refuses a copy onto itself, one that leaves an allocation, and one that waits for an event of another context. PoCL 6.0 and 7.1 refuse
/// all three, and end the process if an event is wanted.
pub(crate) fn check_copy(
    queue: &Queue,
    waits: &[&Event],
    dst: *const c_void,
    src: *const c_void,
    size: usize,
) -> Result<()> {
    if !queue.driver()?.is_pocl {
        return Ok(());
    }
    let context = queue.context()?.cl();
    for event in waits {
        if event.context()?.cl() != context {
            return Err(Error::event_of_another_context());
        }
    }
    if dst.addr().abs_diff(src.addr()) < size {
        let text = format!("dst_ptr and src_ptr: {size} bytes from {dst:p} and from {src:p} on overlap");
        return Err(Error::new(ErrorCode::MEM_COPY_OVERLAP, text));
    }
    check_in_allocation(queue, dst, size)?;
    check_in_allocation(queue, src, size)
}

/// Refuses to rebuild a program that was created without source, either from a binary or by a link.
pub(crate) fn check_build(program: &Program) -> Result<()> {
    if !program.driver()?.is_pocl {
        return Ok(());
    }
    // An absent source is reported as a single NUL.
    if program.size(sys::CL_PROGRAM_SOURCE)? > 1 {
        return Ok(());
    }
    for device in program_info::devices(program)? {
        if build_status(program, device)? != sys::CL_BUILD_NONE {
            return Err(Error::new(
                ErrorCode::INVALID_OPERATION,
                "program has been built, and PoCL builds what was made of a binary or by a link only once; another \
                 program of that binary can be built",
            ));
        }
    }
    Ok(())
}

/// Refuses to link a program that could not be compiled.
pub(crate) fn check_link(context: &Context, programs: &[&Program]) -> Result<()> {
    if !context.driver()?.is_pocl {
        return Ok(());
    }
    for (index, program) in programs.iter().enumerate() {
        for device in program_info::devices(program)? {
            if build_status(program, device)? == sys::CL_BUILD_ERROR {
                let text = format!(
                    "program {index} of the programs to link: its last compilation failed; the program's log says why"
                );
                return Err(Error::new(ErrorCode::INVALID_OPERATION, text));
            }
        }
    }
    Ok(())
}

/// Returns the status of a program's last compilation or build for a device.
fn build_status(program: &Program, device: sys::cl_device_id) -> Result<sys::cl_build_status> {
    let mut status = sys::CL_BUILD_NONE;
    let (name, room) = (sys::CL_PROGRAM_BUILD_STATUS, (&raw mut status).cast());
    cl().clGetProgramBuildInfo(program.cl(), device, name, size_of_val(&status), room, null_mut())?;
    Ok(status)
}
