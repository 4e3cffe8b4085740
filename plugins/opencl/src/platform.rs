//! Platforms: one per OpenCL driver.

use std::ptr::null_mut;

use sycl_pi_backend::api::PlatformApi;
use sycl_pi_backend::{Error, Info, ListOut, New, Result, cold_case};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::sys::{self, Platform, Wrap, cl, library};

/// What ICD loaders answer where no driver is installed (cl_khr_icd).
const CL_PLATFORM_NOT_FOUND_KHR: ErrorCode = -1001;

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
fn info_otherwise(platform: &Platform, name: PlatformInfo, info: Info<'_>) -> Result<()> {
    cold_case(move || match name {
        PlatformInfo::BACKEND => info.value::<PlatformBackend>(PlatformBackend::OPENCL),
        _ => info.answered_by(|size, value, size_ret| {
            cl().clGetPlatformInfo(platform.cl(), name, size, value, size_ret)
        }),
    })
}

impl PlatformApi for OpenCl {
    #[inline(always)]
    fn platforms(out: ListOut<'_, Platform>) -> Result<()> {
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
    fn platform_info(platform: &Platform, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match platform.answer_size(name) {
            Some((driver, bytes)) => {
                let (size, value, size_ret) = info.within(bytes.get()).raw_parts();
                driver.cl().clGetPlatformInfo(platform.cl(), name, size, value, size_ret)
            }
            None => info_otherwise(platform, name, info),
        }
    }

    fn platform_native_handle(platform: &Platform) -> Result<NativeHandle> {
        Ok(platform.cl().addr())
    }

    fn platform_create_with_native_handle(native: NativeHandle) -> Result<New<Platform>> {
        let cl = library()?;
        let mut count = 0;
        cl.clGetPlatformIDs(0, null_mut(), &mut count)?;
        let mut platforms = vec![null_mut(); count as usize];
        cl.clGetPlatformIDs(count, platforms.as_mut_ptr(), null_mut())?;
        match platforms.into_iter().find(|platform| platform.addr() == native) {
            Some(platform) => platform.wrap(),
            None => Err(Error::new(
                ErrorCode::INVALID_PLATFORM,
                format!("{native:#x} is no platform of this OpenCL library"),
            )),
        }
    }
}
