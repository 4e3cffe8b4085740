//! libcuda, which is opened on first use. Each function is looked up separately.

use std::ffi::CStr;
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};
use sycl_pi_dynload::DriverLibrary;

use super::error::use_code_texts;
use super::functions::{CudaFunctions, CudaQueries};

/// The driver's functions.
pub(crate) struct Driver {
    calls: CudaFunctions,
    pub(crate) queries: CudaQueries,
}

impl Deref for Driver {
    type Target = CudaFunctions;

    #[inline]
    fn deref(&self) -> &CudaFunctions {
        &self.calls
    }
}

static DRIVER: OnceLock<std::result::Result<Driver, String>> = OnceLock::new();
/// The content of `DRIVER`, once it exists. A call then costs one load and one comparison.
static READY: AtomicPtr<Driver> = AtomicPtr::new(null_mut());

/// Returns the driver's functions, or an error with everything that was tried if there is no driver.
#[inline]
pub(crate) fn cuda() -> Result<&'static Driver> {
    // SAFETY: the pointer is null or the address of `DRIVER`'s content, which never changes.
    match unsafe { READY.load(Ordering::Acquire).as_ref() } {
        Some(driver) => Ok(driver),
        None => first_use(),
    }
}

#[cold]
#[inline(never)]
fn first_use() -> Result<&'static Driver> {
    match DRIVER.get_or_init(open) {
        Ok(driver) => {
            use_code_texts(driver.code_texts());
            READY.store(std::ptr::from_ref(driver).cast_mut(), Ordering::Release);
            Ok(driver)
        }
        Err(why) => Err(Error::new(ErrorCode::UNINITIALIZED, why.clone())),
    }
}

/// Returns the reason why there is no CUDA driver, if there is none.
pub(crate) fn why_missing() -> Option<&'static str> {
    DRIVER.get_or_init(open).as_ref().err().map(String::as_str)
}

fn open() -> std::result::Result<Driver, String> {
    let driver = find().and_then(|driver| match driver.cuInit(0) {
        Ok(()) => Ok(driver),
        Err(error) => Err(format!("the CUDA driver does not start: {error}. nvidia-smi may say more")),
    });
    if let Err(why) = &driver {
        log::info!("{why}");
    }
    driver
}

fn find() -> std::result::Result<Driver, String> {
    // SAFETY: the driver's library is designed to be opened, and its initializers require nothing.
    let library = unsafe { DriverLibrary::open_first(["libcuda.so.1", "libcuda.so"]) }.map_err(|error| {
        format!(
            "no CUDA driver: {error}. Install NVIDIA's driver, or put the folder of libcuda.so.1 into LD_LIBRARY_PATH"
        )
    })?;
    log::info!("CUDA driver: {}", library.path().display());
    let find = |name: &CStr| library.function(name);
    // SAFETY: the rows have the types of the driver's header for these names.
    Ok(unsafe { Driver { calls: CudaFunctions::resolve(find), queries: CudaQueries::resolve(find) } })
}
