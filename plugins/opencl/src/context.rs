//! Contexts.

use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::view::Properties;
use sycl_pi_backend::{Error, Info, New, Result, cold_case};
use sycl_pi_core::*;

use crate::OpenCl;
use crate::device::distinct;
use crate::device_info;
use crate::sys::{self, Context, Device, Rooted, Wrap, cl, library};

/// PI numbers its own queries from here on.
const FIRST_OF_PI: pi_context_info = 0x1_0000;

/// What PI asks for and OpenCL does not know, or drivers answer oddly, or is asked rarely.
fn rare_info(context: &Context, name: pi_context_info, mut info: Info<'_>) -> Result<()> {
    match name {
        PI_CONTEXT_INFO_PROPERTIES => {
            let (size, value, size_ret) = info.raw_parts();
            // PoCL writes the size of a list of no properties wherever it is told to, null included.
            let mut unwanted = 0;
            let size_ret = if size_ret.is_null() { &raw mut unwanted } else { size_ret };
            cl().clGetContextInfo(context.cl(), name, size, value, size_ret)
        }
        // OpenCL has no 2D fills and memsets of USM; the runtime uses kernels of its own. Copies go row by row.
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT | PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT => {
            info.bool(false)
        }
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT => info.bool(true),
        PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES
        | PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES
        | PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES
        | PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            // What every device of the context can do.
            let mut common = pi_bitfield::MAX;
            for device in context.devices()? {
                common &= device_info::atomic_capabilities(device, name)?;
            }
            info.value(common)
        }
        PI_CONTEXT_INFO_PLATFORM => info.value(context.platform()?),
        ..FIRST_OF_PI => {
            let (size, value, size_ret) = info.raw_parts();
            cl().clGetContextInfo(context.cl(), name, size, value, size_ret)
        }
        _ => Err(Error::invalid_value(format!("OpenCL does not know context query {name:#x}"))),
    }
}

impl ContextApi for OpenCl {
    fn piContextCreate(
        properties: Properties<'_, pi_context_properties>,
        devices: &[&Device],
        notify: ContextNotify,
    ) -> Result<New<Context>> {
        let devices = distinct(devices);
        let list = devices.as_ptr().cast::<sys::cl_device_id>();
        library()?
            .clCreateContext(
                properties.as_ptr(),
                devices.len() as u32,
                list,
                notify.function,
                notify.user_data,
            )?
            .wrap()
    }

    #[inline(always)]
    fn piContextGetInfo(context: &Context, name: pi_context_info, mut info: Info<'_>) -> Result<()> {
        match name {
            PI_CONTEXT_INFO_DEVICES | PI_CONTEXT_INFO_NUM_DEVICES => {
                let (size, value, size_ret) = info.raw_parts();
                cl().clGetContextInfo(context.cl(), name, size, value, size_ret)
            }
            _ => cold_case(move || rare_info(context, name, info)),
        }
    }

    fn piContextRetain(context: &Context) -> Result<()> {
        cl().clRetainContext(context.cl())
    }

    fn piContextRelease(context: &Context) -> Result<()> {
        cl().clReleaseContext(context.cl())
    }

    fn piextContextSetExtendedDeleter(
        context: &Context,
        deleter: unsafe extern "C" fn(*mut core::ffi::c_void),
        user_data: *mut core::ffi::c_void,
    ) -> Result<()> {
        if context.driver()?.version < (3, 0) {
            return Err(Error::unsupported(
                "the driver is older than OpenCL 3.0 and calls nothing when a context goes",
            ));
        }
        sys::set_context_deleter(context, deleter, user_data)
    }

    fn piextContextGetNativeHandle(context: &Context) -> Result<pi_native_handle> {
        Ok(context.cl().addr())
    }

    fn piextContextCreateWithNativeHandle(
        native: pi_native_handle,
        _: &[&Device],
        owned: bool,
    ) -> Result<New<Context>> {
        let context = sys::adopt::<Context>(native)?;
        if !owned {
            cl().clRetainContext(context.cl())?;
        }
        context.cl().wrap()
    }
}
