//! libze_loader: opened on first use, each function found on its own.

use std::ffi::c_void;
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use crate::error::{AnsweredBy, ZeError};
use crate::functions::Ze;
use crate::types::result::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;

static ZE: OnceLock<Result<Ze, String>> = OnceLock::new();

/// The Level Zero loader's functions; an error where there is no loader.
#[inline(always)]
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

/// Why there is no Level Zero loader, if there is none: what was tried, and what to install.
pub fn why_missing() -> Option<&'static str> {
    ZE.get_or_init(open).as_ref().err().map(String::as_str)
}

fn open() -> Result<Ze, String> {
    let mut tried = Vec::new();
    for name in ["libze_loader.so.1", "libze_loader.so"] {
        // SAFETY: the loader is made to be opened; its initialisers have no demands on the caller.
        match unsafe { Library::open(Some(name), RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => {
                log::info!("Level Zero loader: {name}");
                let ze = Ze::resolve(|name| {
                    // SAFETY: the symbol is a function; `Ze` gives it its type.
                    unsafe { library.get::<*const c_void>(name) }.map_or(std::ptr::null(), |s| *s)
                });
                // Never unloaded: objects and threads of drivers live as long as the process.
                std::mem::forget(library);
                return Ok(ze);
            }
            Err(error) => tried.push(error.to_string()),
        }
    }
    let why = format!(
        "no Level Zero loader: {}. Install it (Debian: libze1), or put its folder into LD_LIBRARY_PATH",
        tried.join("; ")
    );
    log::warn!("{why}");
    Err(why)
}
