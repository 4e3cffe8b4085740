//! Small bridges between PI's types and OpenCL's, where both have the same layout.

use std::ffi::{CStr, c_void};

use opencl_sys::*;
use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::{Error, Object, Result};
use sycl_pi_backend::types::*;

use super::functions::{EventCallback, ProgramCallback};
use super::{Context, Event, cl};

/// A driver's handle that came from outside as a number.
pub(crate) fn adopt<'a, T: Object>(native: NativeHandle) -> Result<&'a T> {
    opaque(std::ptr::with_exposed_provenance_mut::<c_void>(native))
        .ok_or_else(|| Error::new(T::INVALID, format!("nativeHandle is null; a {} is needed", T::NAME)))
}

/// The object behind a driver's pointer; none for null.
pub(crate) fn opaque<'a, T: Object>(object: *mut c_void) -> Option<&'a T> {
    const { assert!(size_of::<T>() == 0) };
    // SAFETY: `T` is a zero-sized stand-in for the driver's object; it is never read.
    unsafe { object.cast::<T>().as_ref() }
}

/// The target's name of a device binary.
pub(crate) fn target_spec(binary: &pi_device_binary_struct) -> &CStr {
    if binary.DeviceTargetSpec.is_null() {
        return c"";
    }
    // SAFETY: NUL-terminated, as the interface demands of images.
    unsafe { CStr::from_ptr(binary.DeviceTargetSpec) }
}

/// Whether a device binary is for that target.
#[inline(always)]
pub(crate) fn is_for(binary: &pi_device_binary_struct, target: &CStr) -> bool {
    let spec = binary.DeviceTargetSpec;
    // SAFETY: NUL-terminated, as the interface demands of images.
    !spec.is_null() && unsafe { libc::strcmp(spec, target.as_ptr()) == 0 }
}

/// Whether an image is SPIR-V for 64-bit devices: asked for every image and device, so the few bytes are compared in line.
#[inline(always)]
pub(crate) fn is_spirv(binary: &pi_device_binary_struct) -> bool {
    let (spec, spirv) = (binary.DeviceTargetSpec, __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64.to_bytes_with_nul());
    // SAFETY: NUL-terminated, as the interface demands of images; nothing behind the first difference is read.
    !spec.is_null() && (0..spirv.len()).all(|index| unsafe { *spec.add(index).cast::<u8>() } == spirv[index])
}

/// PI's format is OpenCL's: two numbers.
pub(crate) fn image_format(format: &ImageFormat) -> *const cl_image_format {
    const { assert!(size_of::<ImageFormat>() == size_of::<cl_image_format>()) };
    std::ptr::from_ref(format).cast()
}

/// PI's description is OpenCL's, field by field.
pub(crate) fn image_desc(desc: &ImageDesc) -> *const cl_image_desc {
    const { assert!(size_of::<ImageDesc>() == size_of::<cl_image_desc>()) };
    std::ptr::from_ref(desc).cast()
}

/// A caller's build callback as the driver calls it: PI's handle is the driver's, so the types agree in all but name.
pub(crate) fn program_callback(function: ProgramCallback) -> ProgramCallback {
    // SAFETY: both take a pointer and a pointer; a `*mut RawProgram` is the `cl_program` itself.
    function.map(|function| unsafe {
        std::mem::transmute::<
            unsafe extern "C" fn(*mut RawProgram, *mut c_void),
            unsafe extern "C" fn(cl_program, *mut c_void),
        >(function)
    })
}

/// Has the caller's function called when the event has the status.
pub(crate) fn set_event_callback(event: &Event, status: i32, notify: EventNotify) -> Result<()> {
    // SAFETY: both take a pointer, a 32-bit number and a pointer; a `*mut RawEvent` is the `cl_event` itself.
    let function: EventCallback = Some(unsafe {
        std::mem::transmute::<
            unsafe extern "C" fn(*mut RawEvent, i32, *mut c_void),
            unsafe extern "C" fn(cl_event, cl_int, *mut c_void),
        >(notify.function)
    });
    cl().clSetEventCallback(event.cl(), status, function, notify.user_data)
}

struct Deleter {
    function: unsafe extern "C" fn(*mut c_void),
    user_data: *mut c_void,
}

unsafe extern "C" fn delete(_: cl_context, deleter: *mut c_void) {
    // SAFETY: the box that `set_context_deleter` gave away; the driver calls once.
    let deleter = unsafe { Box::from_raw(deleter.cast::<Deleter>()) };
    // SAFETY: the caller's function with its own data.
    unsafe { (deleter.function)(deleter.user_data) };
}

/// Has the caller's function called once, before the context goes.
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
