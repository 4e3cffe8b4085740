//! Platforms. There is one per OpenCL driver.

use sycl_pi_backend::api::PlatformApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, ListOut, New, Result, last_error};

use crate::OpenCl;
use crate::sys::{self, Platform, Queried, new_reference};

impl PlatformApi for OpenCl {
    #[inline]
    fn platforms(out: ListOut<'_, Platform>) -> Result<()> {
        let platforms = sys::platforms().or_else(|error| match sys::why_missing() {
            Some(_) => Ok(Default::default()),
            None => Err(error),
        })?;
        if platforms.is_empty() {
            last_error::record_warning(why_none());
        }
        out.fill(platforms);
        Ok(())
    }

    fn platform_info(platform: &Platform, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match name {
            PlatformInfo::BACKEND => info.value(PlatformBackend::OPENCL),
            _ => info.answered_by(|size, value, size_ret| platform.query(name.0, size, value, size_ret)),
        }
    }

    fn platform_native_handle(platform: &Platform) -> Result<NativeHandle> {
        Ok(sys::native_handle(platform))
    }

    fn platform_create_with_native_handle(native: NativeHandle) -> Result<New<Platform>> {
        let platforms = sys::platforms()?;
        match platforms.iter().find(|platform| platform.addr() == native) {
            Some(platform) => new_reference(platform.cast()),
            None => Err(Error::new(
                ErrorCode::INVALID_PLATFORM,
                format!("{native:#x} is not a platform of this OpenCL library"),
            )),
        }
    }
}

/// Returns the reason why there is no platform, which is not an error.
#[cold]
fn why_none() -> String {
    let none = "the OpenCL library knows no driver: no ICD file in /etc/OpenCL/vendors, none in OCL_ICD_VENDORS or \
                OCL_ICD_FILENAMES, and no libintelocl.so in the environment (pip install intel-opencl-rt)";
    match (sys::why_missing(), sys::driver_failures()) {
        (Some(why), _) => why.to_owned(),
        (None, []) => none.to_owned(),
        (None, failures) => format!("no OpenCL driver can be used: {}", failures.join("; ")),
    }
}
