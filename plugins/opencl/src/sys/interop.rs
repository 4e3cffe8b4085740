//! Conversion of the backend's types to OpenCL's if both have the same layout, and calls that need more than a row of
//! the table.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_backend::api::ProgramNotify;
use sycl_pi_backend::types::{ImageDesc, ImageFormat};
use sycl_pi_backend::{Dependencies, Result};
use sycl_pi_host_process::outside;

use super::error::check;
use super::handles::{Context, Event, Program};
use super::library::cl;

/// Returns the format as OpenCL's, which consists of two numbers.
pub(crate) fn image_format(format: &ImageFormat) -> *const cl_image_format {
    const { assert!(size_of::<ImageFormat>() == size_of::<cl_image_format>()) };
    std::ptr::from_ref(format).cast()
}

/// Returns the description as OpenCL's, which has the same fields.
pub(crate) fn image_desc(desc: &ImageDesc) -> *const cl_image_desc {
    const { assert!(size_of::<ImageDesc>() == size_of::<cl_image_desc>()) };
    std::ptr::from_ref(desc).cast()
}

/// Links programs. An error may be accompanied by a program, which is null if there is none.
pub(crate) fn link(
    context: &Context,
    (num_devices, devices): (cl_uint, *const cl_device_id),
    options: *const c_char,
    programs: &[&Program],
    notify: ProgramNotify,
) -> (cl_program, Result<()>) {
    let (count, list) = (programs.len() as cl_uint, programs.as_ptr().cast());
    let (function, user_data) = (notify.function, notify.user_data);
    let mut code = CL_SUCCESS;
    let linked = outside(|| {
        cl().clLinkProgram(
            context.cl(),
            num_devices,
            devices,
            options,
            count,
            list,
            function,
            user_data,
            &mut code,
        )
    });
    match linked {
        Ok(created) => (created.object, check("clLinkProgram", code)),
        Err(error) => (null_mut(), Err(error)),
    }
}

struct Deleter {
    function: unsafe extern "C" fn(*mut c_void),
    user_data: *mut c_void,
}

/// Called by the driver before a context is destroyed.
///
/// # Safety
/// `deleter` must be the box of [`set_context_deleter`], which no other code uses after this call.
unsafe extern "C" fn delete(_: cl_context, deleter: *mut c_void) {
    // SAFETY: this is the box that `set_context_deleter` gave away, and the driver calls only once.
    let deleter = unsafe { Box::from_raw(deleter.cast::<Deleter>()) };
    // SAFETY: this is the caller's function with its own data.
    unsafe { (deleter.function)(deleter.user_data) };
}

/// Registers a function of the caller that is called once, before the context is destroyed.
pub(crate) fn set_context_deleter(
    context: &Context,
    function: unsafe extern "C" fn(*mut c_void),
    user_data: *mut c_void,
) -> Result<()> {
    let deleter = Box::into_raw(Box::new(Deleter { function, user_data }));
    let result = cl().clSetContextDestructorCallback(context.cl(), Some(delete), deleter.cast());
    if result.is_err() {
        // SAFETY: the driver did not take it.
        drop(unsafe { Box::from_raw(deleter) });
    }
    result
}

/// Returns the length and start of the wait list and the pointer for the event, as OpenCL takes them. Null for an empty
/// list or no event.
pub(crate) fn raw_dependencies(
    dependencies: &mut Dependencies<'_, Event>,
) -> (cl_uint, *const cl_event, *mut cl_event) {
    let (count, list, event) = dependencies.raw_parts();
    (count, list.cast(), event.cast())
}
