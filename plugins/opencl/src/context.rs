//! Contexts.

use sycl_pi_backend::api::{ContextApi, ContextNotify};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Error, Info, New, Result, cold_case};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::device::distinct;
use crate::device_info;
use crate::sys::{self, Context, Device, Rooted, Wrap, cl, library};

/// PI numbers its own queries from here on.
const FIRST_OF_PI: ContextInfo = 0x1_0000;

/// What PI asks for and OpenCL does not know, or drivers answer oddly, or is asked rarely.
fn rare_info(context: &Context, name: ContextInfo, mut info: Info<'_>) -> Result<()> {
    match name {
        ContextInfo::PROPERTIES => {
            let (size, value, size_ret) = info.raw_parts();
            // PoCL writes the size of a list of no properties wherever it is told to, null included.
            let mut unwanted = 0;
            let size_ret = if size_ret.is_null() { &raw mut unwanted } else { size_ret };
            cl().clGetContextInfo(context.cl(), name, size, value, size_ret)
        }
        // OpenCL has no 2D fills and memsets of USM; the runtime uses kernels of its own. Copies go row by row.
        ContextInfo::USM_FILL2D_SUPPORT | ContextInfo::USM_MEMSET2D_SUPPORT => {
            info.bool(false)
        }
        ContextInfo::USM_MEMCPY2D_SUPPORT => info.bool(true),
        ContextInfo::ATOMIC_MEMORY_ORDER_CAPABILITIES
        | ContextInfo::ATOMIC_MEMORY_SCOPE_CAPABILITIES
        | ContextInfo::ATOMIC_FENCE_ORDER_CAPABILITIES
        | ContextInfo::ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            // What every device of the context can do.
            let mut common = u64::MAX;
            for device in context.devices()? {
                common &= device_info::atomic_capabilities(device, name)?;
            }
            info.value(common)
        }
        ContextInfo::PLATFORM => info.value(context.platform()?),
        ..FIRST_OF_PI => {
            let (size, value, size_ret) = info.raw_parts();
            cl().clGetContextInfo(context.cl(), name, size, value, size_ret)
        }
        _ => Err(Error::invalid_value(format!("OpenCL does not know context query {name:#x}"))),
    }
}

impl ContextApi for OpenCl {
    fn context_create(
        properties: Properties<'_, isize>,
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
    fn context_info(context: &Context, name: ContextInfo, mut info: Info<'_>) -> Result<()> {
        match name {
            ContextInfo::DEVICES | ContextInfo::NUM_DEVICES => {
                let (size, value, size_ret) = info.raw_parts();
                cl().clGetContextInfo(context.cl(), name, size, value, size_ret)
            }
            _ => cold_case(move || rare_info(context, name, info)),
        }
    }

    fn context_retain(context: &Context) -> Result<()> {
        cl().clRetainContext(context.cl())
    }

    fn context_release(context: &Context) -> Result<()> {
        cl().clReleaseContext(context.cl())
    }

    fn context_set_extended_deleter(
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

    fn context_native_handle(context: &Context) -> Result<NativeHandle> {
        Ok(context.cl().addr())
    }

    fn context_create_with_native_handle(
        native: NativeHandle,
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
