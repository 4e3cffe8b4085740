//! libOpenCL, which is opened on first use. Each function is looked up separately.

use std::ffi::c_void;
use std::sync::OnceLock;

use opencl_sys::cl_int;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};
use sycl_pi_dynload::{DriverLibrary, FromDriver};

use super::error::{Created, answers_errors, check};
use super::functions::OpenClFunctions;
use super::places::libraries;

static LIBRARY: OnceLock<OpenClLibrary> = OnceLock::new();

struct OpenClLibrary {
    /// Empty if there is no library.
    functions: OpenClFunctions,
    why_missing: Option<String>,
}

/// Returns the functions of the OpenCL library. Without a library, each call returns an error with the reason.
#[inline]
pub(crate) fn cl() -> &'static OpenClFunctions {
    &LIBRARY.get_or_init(open).functions
}

/// Returns the reason why there is no OpenCL library, if there is none.
pub(crate) fn why_missing() -> Option<&'static str> {
    LIBRARY.get_or_init(open).why_missing.as_deref()
}

/// Returns the error for a function that the library does not have.
#[cold]
fn missing(function: &'static str) -> Error {
    match why_missing() {
        Some(why) => Error::new(ErrorCode::UNINITIALIZED, why),
        None => Error::unsupported(format!("the OpenCL library has no {function}")),
    }
}

answers_errors!(OpenClFunctions, missing);

impl FromDriver<OpenClFunctions> for () {
    type Answer = Result<()>;

    fn answer(_: &'static str, (): ()) -> Result<()> {
        Ok(())
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(missing(function))
    }
}

/// Opens the first library that can be opened.
fn open() -> OpenClLibrary {
    // SAFETY: OpenCL libraries are designed to be opened, and their initializers require nothing.
    match unsafe { DriverLibrary::open_first(libraries()) } {
        Ok(library) => {
            log::info!("OpenCL library: {}", library.path().display());
            // SAFETY: the rows have the types of the OpenCL specification for these names.
            let functions = unsafe { OpenClFunctions::resolve(|name| library.function(name)) };
            OpenClLibrary { functions, why_missing: None }
        }
        Err(error) => {
            let why = format!(
                "no OpenCL library: {error}. Install one: `pip install intel-opencl-rt` in the environment brings a \
                 driver, too. Debian has ocl-icd-libopencl1"
            );
            log::info!("{why}");
            OpenClLibrary { functions: OpenClFunctions::NONE, why_missing: Some(why) }
        }
    }
}
