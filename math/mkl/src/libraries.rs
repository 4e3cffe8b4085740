//! NVIDIA's libraries, opened at first use.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::sync::OnceLock;

use sycl_pi_dynload::DriverLibrary;
use sycl_pi_nvidia_files::{Library, VARIABLE};

use crate::driver::driver;
use crate::failure::Result;

/// A library and its functions, opened at first use.
pub(crate) struct Opened<T>(OnceLock<(DriverLibrary, T)>);

impl<T> Opened<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns its functions, which `resolve` looks up. After a failure, the next call tries again.
    pub(crate) fn functions(
        &self,
        wanted: &Library,
        resolve: impl FnOnce(&DriverLibrary) -> T,
    ) -> Result<&T> {
        if let Some((_, functions)) = self.0.get() {
            return Ok(functions);
        }
        let library = open(wanted)?;
        let functions = resolve(&library);
        Ok(&self.0.get_or_init(|| (library, functions)).1)
    }
}

/// Describes the CUDA version that the driver supports. A library that does not start may need a newer driver.
pub(crate) fn driver_serves() -> String {
    let mut version = 0;
    match driver().and_then(|driver| driver.cuDriverGetVersion(&mut version)) {
        Ok(()) => format!("the driver serves CUDA {}.{}", version / 1000, version % 1000 / 10),
        Err(why) => why,
    }
}

/// Makes the error for a library's first call.
pub(crate) fn did_not_start(why: String) -> String {
    format!("{why} ({}: a newer library needs a newer driver)", driver_serves())
}

/// Opens the library, after those that it needs.
fn open(wanted: &Library) -> Result<DriverLibrary> {
    for needed in wanted.needs {
        // The library's own error names what is missing.
        let _ = open(needed);
    }
    let mut version = 0;
    driver()?.cuDriverGetVersion(&mut version)?;
    let mut candidates = wanted.files(version);
    candidates.extend(wanted.file_names(version));
    // SAFETY: NVIDIA's libraries may be opened at any time.
    unsafe { DriverLibrary::open_first(&candidates) }.map_err(|error| {
        format!(
            "{} is needed for this on an NVIDIA GPU: pip install {}, install CUDA's toolkit, or set {VARIABLE} to a folder with it ({}; {error})",
            wanted.name,
            wanted.package(version),
            driver_serves()
        )
    })
}
