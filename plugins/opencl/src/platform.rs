//! Platforms: one per OpenCL driver.

use std::ptr::null_mut;

use sycl_pi_backend::api::PlatformApi;
use sycl_pi_backend::{Error, Info, ListOut, New, Result, cold_case};
use sycl_pi_core::*;

use crate::OpenCl;
use crate::sys::{self, Platform, Wrap, cl, library};

/// What ICD loaders answer where no driver is installed (cl_khr_icd).
const CL_PLATFORM_NOT_FOUND_KHR: pi_result = -1001;

/// Without a library or a driver there is no platform, which is no error.
fn unless_none(error: Error) -> Result<()> {
    if error.code() == CL_PLATFORM_NOT_FOUND_KHR {
        log::warn!(
            "the OpenCL library knows no driver: no ICD file in /etc/OpenCL/vendors or OCL_ICD_FILENAMES"
        );
    } else if sys::why_missing().is_none() {
        return Err(error);
    }
    Ok(())
}

/// An answer whose size is not known beforehand.
fn info_otherwise(platform: &Platform, name: pi_platform_info, info: Info<'_>) -> Result<()> {
    cold_case(move || match name {
        PI_EXT_PLATFORM_INFO_BACKEND => info.value::<pi_platform_backend>(PI_EXT_PLATFORM_BACKEND_OPENCL),
        _ => info.answered_by(|size, value, size_ret| {
            cl().clGetPlatformInfo(platform.cl(), name, size, value, size_ret)
        }),
    })
}

impl PlatformApi for OpenCl {
    #[inline(always)]
    fn piPlatformsGet(out: ListOut<'_, Platform>) -> Result<()> {
        let (capacity, platforms, count) = out.starting_with_none().raw_parts();
        let ask = move |cl: &sys::Cl| match cl.clGetPlatformIDs(capacity, platforms.cast(), count) {
            Ok(()) => Ok(()),
            Err(error) => cold_case(move || unless_none(error)),
        };
        match sys::library_at_hand() {
            Some(cl) => ask(cl),
            None => cold_case(move || library().map_or_else(unless_none, ask)),
        }
    }

    #[inline(always)]
    fn piPlatformGetInfo(platform: &Platform, name: pi_platform_info, info: Info<'_>) -> Result<()> {
        match platform.answer_size(name) {
            Some((driver, bytes)) => {
                let (size, value, size_ret) = info.within(bytes.get()).raw_parts();
                driver.cl().clGetPlatformInfo(platform.cl(), name, size, value, size_ret)
            }
            None => info_otherwise(platform, name, info),
        }
    }

    fn piextPlatformGetNativeHandle(platform: &Platform) -> Result<pi_native_handle> {
        Ok(platform.cl().addr())
    }

    fn piextPlatformCreateWithNativeHandle(native: pi_native_handle) -> Result<New<Platform>> {
        let cl = library()?;
        let mut count = 0;
        cl.clGetPlatformIDs(0, null_mut(), &mut count)?;
        let mut platforms = vec![null_mut(); count as usize];
        cl.clGetPlatformIDs(count, platforms.as_mut_ptr(), null_mut())?;
        match platforms.into_iter().find(|platform| platform.addr() == native) {
            Some(platform) => platform.wrap(),
            None => Err(Error::new(
                PI_ERROR_INVALID_PLATFORM,
                format!("{native:#x} is no platform of this OpenCL library"),
            )),
        }
    }
}
