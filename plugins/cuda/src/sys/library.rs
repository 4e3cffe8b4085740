//! libcuda: opened on first use, each function found on its own.

use std::ffi::c_void;
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::error::use_code_texts;
use super::functions::{Cuda, Queries};

/// The driver's functions.
pub(crate) struct Driver {
    calls: Cuda,
    pub(crate) queries: Queries,
}

impl Deref for Driver {
    type Target = Cuda;

    #[inline]
    fn deref(&self) -> &Cuda {
        &self.calls
    }
}

static DRIVER: OnceLock<std::result::Result<Driver, String>> = OnceLock::new();
/// The content of `DRIVER`, once it is there: a call then costs one load and one comparison.
static READY: AtomicPtr<Driver> = AtomicPtr::new(null_mut());

/// The driver's functions; an error with everything that was tried where there is no driver.
#[inline]
pub(crate) fn cuda() -> Result<&'static Driver> {
    // SAFETY: null, or the address of `DRIVER`'s content, which stays as it is.
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

/// Why there is no CUDA driver, if there is none.
pub(crate) fn why_missing() -> Option<&'static str> {
    DRIVER.get_or_init(open).as_ref().err().map(String::as_str)
}

fn open() -> std::result::Result<Driver, String> {
    let driver = find().and_then(|driver| match driver.cuInit(0) {
        Ok(()) => Ok(driver),
        Err(error) => Err(format!("the CUDA driver does not start: {error}. nvidia-smi may say more")),
    });
    if let Err(why) = &driver {
        log::warn!("{why}");
    }
    driver
}

fn find() -> std::result::Result<Driver, String> {
    let mut tried = Vec::new();
    for name in ["libcuda.so.1", "libcuda.so"] {
        // SAFETY: the driver library is made to be opened; its initialisers have no demands on the caller.
        match unsafe { Library::open(Some(name), RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => {
                log::info!("CUDA driver: {name}");
                let find = |name: &std::ffi::CStr| {
                    // SAFETY: the symbol is a function; the table gives it its type.
                    unsafe { library.get::<*const c_void>(name.to_bytes_with_nul()) }
                        .map_or(std::ptr::null(), |symbol| *symbol)
                };
                let driver = Driver { calls: Cuda::resolve(find), queries: Queries::resolve(find) };
                // Never unloaded: objects and threads of the driver live as long as the process.
                std::mem::forget(library);
                return Ok(driver);
            }
            Err(error) => {
                // The error's source is the system's own text.
                let why =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                tried.push(why);
            }
        }
    }
    Err(format!(
        "no CUDA driver: {}. Install NVIDIA's driver, or put the folder of libcuda.so.1 into LD_LIBRARY_PATH",
        tried.join("; ")
    ))
}
