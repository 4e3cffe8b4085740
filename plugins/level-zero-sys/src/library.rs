//! libze_loader, which is opened on first use. Each function is looked up separately.
#![expect(unsafe_code, reason = "the driver's functions")]

use std::sync::OnceLock;

use sycl_pi_dynload::DriverLibrary;

use crate::error::{AnsweredBy, ZeError};
use crate::functions::Ze;
use crate::types::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;

static ZE: OnceLock<Result<Ze, String>> = OnceLock::new();

/// Returns the functions of the Level Zero loader, or an error if there is no loader.
#[inline]
pub fn ze() -> Result<&'static Ze, ZeError> {
    match ZE.get() {
        Some(Ok(ze)) => Ok(ze),
        _ => first_use(),
    }
}

#[cold]
#[inline(never)]
fn first_use() -> Result<&'static Ze, ZeError> {
    ZE.get_or_init(open).as_ref().map_err(|_| ZeError {
        call: "zeInit",
        result: ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        by: AnsweredBy::MissingLibrary,
    })
}

/// Returns the reason why there is no Level Zero loader, if there is none: what was tried, and what to install.
pub fn why_missing() -> Option<&'static str> {
    ZE.get_or_init(open).as_ref().err().map(String::as_str)
}

fn open() -> Result<Ze, String> {
    // SAFETY: the loader is designed to be opened, and its initializers require nothing from the caller.
    match unsafe { DriverLibrary::open_first(["libze_loader.so.1", "libze_loader.so"]) } {
        Ok(library) => {
            log::info!("Level Zero loader: {}", library.path().display());
            // SAFETY: the rows have the types of the Level Zero specification for these names.
            Ok(unsafe { Ze::resolve(|name| library.function(name)) })
        }
        Err(error) => {
            let why = format!(
                "no Level Zero loader: {error}. Install it (Debian: libze1), or put its folder into LD_LIBRARY_PATH"
            );
            log::info!("{why}");
            Err(why)
        }
    }
}
