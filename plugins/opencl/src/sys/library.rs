//! libOpenCL: opened on first use, each function found on its own.

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use libloading::os::unix::{RTLD_LOCAL, RTLD_NOW};
use pi_core::PI_ERROR_UNINITIALIZED;
use pi_plugin::{Error, Result, fence};

use super::dispatch;
use super::functions::Cl;

static LIBRARY: OnceLock<std::result::Result<Library, String>> = OnceLock::new();

/// The OpenCL library.
pub(super) struct Library {
    handle: libloading::os::unix::Library,
    /// The functions that it exports.
    pub(super) cl: Cl,
    /// Whether it is known to be an ICD loader: nothing but a way to drivers.
    pub(super) is_icd_loader: bool,
}

impl Library {
    /// Address of an exported function; null where there is none.
    pub(super) fn function(&self, name: &CStr) -> *const c_void {
        exported(&self.handle, name)
    }
}

fn exported(library: &libloading::os::unix::Library, name: &CStr) -> *const c_void {
    // SAFETY: the symbol is a function; whoever calls it gives it its type.
    unsafe { library.get::<*const c_void>(name.to_bytes_with_nul()) }.map_or(std::ptr::null(), |s| *s)
}

/// The OpenCL library; an error with what was tried where there is none, and after tear-down.
pub(super) fn library() -> Result<&'static Library> {
    if fence::is_torn_down() {
        return Err(fence::torn_down());
    }
    match LIBRARY.get_or_init(open) {
        Ok(library) => Ok(library),
        Err(why) => Err(Error::new(PI_ERROR_UNINITIALIZED, why.clone())),
    }
}

/// The functions that the OpenCL library exports, for the calls that no object leads to.
#[inline(always)]
pub(crate) fn exports() -> Result<&'static Cl> {
    library().map(|library| &library.cl)
}

/// Why there is no OpenCL library, if there is none.
pub(crate) fn why_missing() -> Option<&'static str> {
    LIBRARY.get_or_init(open).as_ref().err().map(String::as_str)
}

/// The vendor's plugin finds libOpenCL in the loader's search path and in its own folder. This library's RUNPATH is its
/// own folder, so the bare name covers both; the explicit path covers a plugin that is reached through a link.
fn open() -> std::result::Result<Library, String> {
    let mut tried = Vec::new();
    let beside = own_folder().map(|folder| folder.join("libOpenCL.so.1"));
    let candidates = [Some(PathBuf::from("libOpenCL.so.1")), beside, Some(PathBuf::from("libOpenCL.so"))];
    for path in candidates.into_iter().flatten() {
        // SAFETY: OpenCL libraries are made to be opened; their initialisers have no demands on the caller.
        match unsafe { libloading::os::unix::Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) } {
            Ok(handle) => {
                log::info!("OpenCL library: {}", path.display());
                let cl = Cl::resolve(|name| exported(&handle, name));
                let is_icd_loader = dispatch::is_icd_loader(|name| exported(&handle, name));
                // Never unloaded: objects and threads of the driver live as long as the process.
                return Ok(Library { handle, cl, is_icd_loader });
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
