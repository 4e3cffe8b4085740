//! libOpenCL: opened on first use, each function found on its own.

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::os::unix::{RTLD_LOCAL, RTLD_NOW};
use sycl_pi_backend::{Error, Result, fence};
use sycl_pi_backend::types::ErrorCode;

use super::dispatch;
use super::functions::Cl;

static LIBRARY: OnceLock<std::result::Result<Library, String>> = OnceLock::new();
/// What [`library`] answers without looking further: null before the first call and after tear-down.
static AT_HAND: AtomicPtr<Library> = AtomicPtr::new(null_mut());

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
#[inline(always)]
pub(super) fn library() -> Result<&'static Library> {
    match at_hand() {
        Some(library) => Ok(library),
        None => look(),
    }
}

#[inline(always)]
fn at_hand() -> Option<&'static Library> {
    // SAFETY: null, or part of `LIBRARY`, which is never dropped.
    unsafe { AT_HAND.load(Ordering::Acquire).as_ref() }
}

/// As [`exports`], but does not look further.
#[inline(always)]
pub(crate) fn exports_at_hand() -> Option<&'static Cl> {
    at_hand().map(|library| &library.cl)
}

/// A C function for the sake of the stubs, as `cold_error` is.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn look() -> Result<&'static Library> {
    let look = || match LIBRARY.get_or_init(open) {
        _ if fence::is_torn_down() => Err(fence::torn_down()),
        Ok(library) => {
            AT_HAND.store(std::ptr::from_ref(library).cast_mut(), Ordering::SeqCst);
            // Tear-down may have come in between.
            if fence::is_torn_down() {
                forget();
            }
            Ok(library)
        }
        Err(why) => Err(Error::new(ErrorCode::UNINITIALIZED, why.clone())),
    };
    catch_unwind(look).unwrap_or_else(|panic| {
        // The payload's own destructor may panic too.
        std::mem::forget(panic);
        Err(Error::new(ErrorCode::UNINITIALIZED, "the OpenCL library could not be opened"))
    })
}

/// The next call looks whether the plugin is torn down.
pub(super) fn forget() {
    AT_HAND.store(null_mut(), Ordering::SeqCst);
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
