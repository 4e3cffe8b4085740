//! libOpenCL: opened on first use, each function found on its own.

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use pi_core::PI_ERROR_UNINITIALIZED;
use pi_plugin::{Error, Result};

use super::functions::Cl;

static CL: OnceLock<std::result::Result<Cl, String>> = OnceLock::new();
/// The functions in `CL`, once they are there: one load and one comparison at each call.
static READY: AtomicPtr<Cl> = AtomicPtr::new(null_mut());

/// The OpenCL library's functions; an error with what was tried where there is none.
#[inline(always)]
pub(crate) fn cl() -> Result<&'static Cl> {
    // SAFETY: null, or the address of `CL`'s content, which stays as it is.
    match unsafe { READY.load(Ordering::Acquire).as_ref() } {
        Some(cl) => Ok(cl),
        None => first_use(),
    }
}

#[cold]
#[inline(never)]
fn first_use() -> Result<&'static Cl> {
    match CL.get_or_init(open) {
        Ok(cl) => {
            READY.store(std::ptr::from_ref(cl).cast_mut(), Ordering::Release);
            Ok(cl)
        }
        Err(why) => Err(Error::new(PI_ERROR_UNINITIALIZED, why.clone())),
    }
}

/// Why there is no OpenCL library, if there is none.
pub(crate) fn why_missing() -> Option<&'static str> {
    CL.get_or_init(open).as_ref().err().map(String::as_str)
}

/// The vendor's plugin finds libOpenCL in the loader's search path and in its own folder. This library's RUNPATH is its
/// own folder, so the bare name covers both; the explicit path covers a plugin that is reached through a link.
fn open() -> std::result::Result<Cl, String> {
    let mut tried = Vec::new();
    let beside = own_folder().map(|folder| folder.join("libOpenCL.so.1"));
    let candidates = [Some(PathBuf::from("libOpenCL.so.1")), beside, Some(PathBuf::from("libOpenCL.so"))];
    for path in candidates.into_iter().flatten() {
        // SAFETY: OpenCL libraries are made to be opened; their initialisers have no demands on the caller.
        match unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => {
                log::info!("OpenCL library: {}", path.display());
                let cl = Cl::resolve(|name| {
                    // SAFETY: the symbol is a function; `Cl` gives it its type.
                    unsafe { library.get::<*const c_void>(name.to_bytes_with_nul()) }
                        .map_or(std::ptr::null(), |s| *s)
                });
                // Never unloaded: objects and threads of the driver live as long as the process.
                std::mem::forget(library);
                return Ok(cl);
            }
            Err(error) => tried.push(error.to_string()),
        }
    }
    let why = format!(
        "no OpenCL library: {}. Install the ICD loader (Debian: ocl-icd-libopencl1), or put its folder into \
         LD_LIBRARY_PATH",
        tried.join("; ")
    );
    log::warn!("{why}");
    Err(why)
}

/// The folder of this shared library.
fn own_folder() -> Option<PathBuf> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is room for the answer; any address may be asked for.
    let found = unsafe { libc::dladdr(own_folder as *const c_void, info.as_mut_ptr()) };
    // SAFETY: zeroed, then possibly filled: valid either way.
    let info = unsafe { info.assume_init() };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader's own NUL-terminated path, which stays as long as the library.
    let path = unsafe { CStr::from_ptr(info.dli_fname) };
    let path = PathBuf::from(OsStr::from_bytes(path.to_bytes()));
    std::fs::canonicalize(path).ok()?.parent().map(PathBuf::from)
}
