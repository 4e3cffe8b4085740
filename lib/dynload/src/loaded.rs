//! Symbols of libraries that are already loaded in the process, regardless of who loaded them.
#![expect(unsafe_code, reason = "libraries that are opened, and their functions")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use libloading::os::unix::{Library, RTLD_LAZY};

/// Returns the address of a symbol in the first library, in loading order, that contains it and whose path `is_wanted`
/// accepts. That library stays loaded for the rest of the process. The program itself is not searched.
pub fn find_loaded(symbol: &CStr, is_wanted: impl Fn(&CStr) -> bool) -> Option<NonNull<c_void>> {
    loaded_files().iter().filter(|path| is_wanted(path)).find_map(|path| {
        let path = path.to_str().ok()?;
        // SAFETY: the library is loaded, and with RTLD_NOLOAD no initializer runs.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | libc::RTLD_NOLOAD) }.ok()?;
        // SAFETY: only the address is taken.
        let found = unsafe { library.get::<*mut c_void>(symbol.to_bytes_with_nul()) };
        let address = found.ok().and_then(|symbol| NonNull::new(*symbol))?;
        let _stays_loaded = ManuallyDrop::new(library);
        Some(address)
    })
}

/// Returns the files of the loaded libraries, in loading order, under the names that the system's loader reports.
pub fn loaded_files() -> Vec<CString> {
    let mut paths: Vec<CString> = Vec::new();
    // SAFETY: the callback gets `paths`, which outlives the call, and stores nothing.
    unsafe { libc::dl_iterate_phdr(Some(add_path), (&raw mut paths).cast()) };
    paths.retain(|path| !path.is_empty());
    paths
}

/// Adds the path of one library. The loader holds a lock during this call, so no library may be opened here.
///
/// # Safety
/// `info` must be the loader's description of a library, and `paths` the list of [`loaded_files`], which no other code
/// may use during the call.
unsafe extern "C" fn add_path(info: *mut libc::dl_phdr_info, _size: usize, paths: *mut c_void) -> c_int {
    // SAFETY: this is the loader's description of a library, whose name is null or NUL-terminated.
    let name: *const c_char = unsafe { (*info).dlpi_name };
    if !name.is_null() {
        // SAFETY: same as above.
        let name = unsafe { CStr::from_ptr(name) };
        // SAFETY: this is the list that `loaded_files` has passed, which no other code uses during the call.
        unsafe { (*paths.cast::<Vec<CString>>()).push(name.to_owned()) };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::{find_loaded, loaded_files};

    #[test]
    fn a_symbol_is_found_in_the_library_that_is_meant() {
        let is_c_library = |path: &std::ffi::CStr| path.to_string_lossy().contains("libc.so");
        assert!(find_loaded(c"malloc", is_c_library).is_some());
        assert!(find_loaded(c"no_such_symbol", is_c_library).is_none());
        assert!(find_loaded(c"malloc", |_| false).is_none());
    }

    #[test]
    fn the_files_of_loaded_libraries_are_listed() {
        let files = loaded_files();
        let listed = |name: &str| files.iter().any(|file| file.to_string_lossy().contains(name));
        assert!(listed("libc.so") && !listed("libOpenCL"));
    }
}
