//! Platforms: one per OpenCL driver.

use std::ptr::null_mut;

use sycl_pi_backend::api::PlatformApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, ListOut, New, Result, last_error};

use crate::OpenCl;
use crate::sys::{self, Platform, Queried, cl, new_reference};

impl PlatformApi for OpenCl {
    #[inline]
    fn platforms(out: ListOut<'_, Platform>) -> Result<()> {
        let (capacity, platforms, count) = out.starting_with_none().raw_parts();
        cl().clGetPlatformIDs(capacity, platforms.cast(), count).or_else(unless_none)
    }

    #[inline]
    fn platform_info(platform: &Platform, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match name {
            PlatformInfo::BACKEND => info.value(PlatformBackend::OPENCL),
            _ => info.answered_by(|size, value, size_ret| platform.query(name.0, size, value, size_ret)),
        }
    }

    #[inline]
    fn platform_native_handle(platform: &Platform) -> Result<NativeHandle> {
        Ok(sys::native_handle(platform))
    }

    #[inline]
    fn platform_create_with_native_handle(native: NativeHandle) -> Result<New<Platform>> {
        let mut count = 0;
        cl().clGetPlatformIDs(0, null_mut(), &mut count)?;
        let mut platforms = vec![null_mut(); count as usize];
        cl().clGetPlatformIDs(count, platforms.as_mut_ptr(), null_mut())?;
        match platforms.into_iter().find(|platform| platform.addr() == native) {
            Some(platform) => new_reference(platform),
            None => Err(Error::new(
                ErrorCode::INVALID_PLATFORM,
                format!("{native:#x} is no platform of this OpenCL library"),
            )),
        }
    }
}

/// Without a library or a driver there is no platform, which is no error. The last error says why.
#[cold]
fn unless_none(error: Error) -> Result<()> {
    let why = match sys::why_missing() {
        Some(why) => why,
        None if error.code() == ErrorCode::PLATFORM_NOT_FOUND_KHR => {
            "the OpenCL library knows no driver: no ICD file in /etc/OpenCL/vendors or OCL_ICD_FILENAMES"
        }
        None => return Err(error),
    };
    last_error::record_warning(why.to_owned());
    Ok(())
}
