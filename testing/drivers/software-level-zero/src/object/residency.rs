//! Residency, which has no effect here.

use std::ffi::c_void;

use level_zero_sys::*;

use crate::allocations;
use crate::entry::driver_calls;
use crate::object::context::context;
use crate::object::device::device;
use crate::object::image;

driver_calls! {
    fn zeContextMakeMemoryResident(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        ptr: *mut c_void,
        size: usize,
    ) {
        context(hContext)?;
        device(hDevice)?;
        allocations::inside(ptr.addr(), size)
    }

    fn zeContextEvictMemory(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        ptr: *mut c_void,
        size: usize,
    ) {
        context(hContext)?;
        device(hDevice)?;
        allocations::inside(ptr.addr(), size)
    }

    fn zeContextMakeImageResident(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        hImage: ze_image_handle_t,
    ) {
        context(hContext)?;
        device(hDevice)?;
        image::image(hImage).map(drop)
    }

    fn zeContextEvictImage(hContext: ze_context_handle_t, hDevice: ze_device_handle_t, hImage: ze_image_handle_t) {
        context(hContext)?;
        device(hDevice)?;
        image::image(hImage).map(drop)
    }
}
