//! Opening a driver's library.

use std::error::Error;
use std::ffi::{CStr, OsStr, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// An open library. It stays loaded for the rest of the process: a driver's objects and threads live as long.
#[derive(Debug)]
pub struct DriverLibrary {
    library: ManuallyDrop<Library>,
    path: PathBuf,
}

impl DriverLibrary {
    /// Opens the first of some files or library names that can be opened.
    ///
    /// # Errors
    ///
    /// None can be opened. The error says why, for each.
    ///
    /// # Safety
    ///
    /// The libraries' initialisers demand nothing of their callers.
    pub unsafe fn open_first<P: AsRef<OsStr>>(
        candidates: impl IntoIterator<Item = P>,
    ) -> Result<Self, OpenError> {
        let mut reasons = Vec::new();
        for candidate in candidates {
            let path = Path::new(&candidate);
            // SAFETY: the caller's promise.
            match unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) } {
                Ok(library) => {
                    return Ok(Self { library: ManuallyDrop::new(library), path: path.to_owned() });
                }
                Err(error) => {
                    // The system's own message is the error's source.
                    let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
                    reasons.push(reason);
                }
            }
        }
        Err(OpenError { reasons })
    }

    /// The address of an exported function; null if there is none.
    pub fn function(&self, name: &CStr) -> *const c_void {
        // SAFETY: the address is only read here; whoever calls the function knows its type.
        let symbol = unsafe { self.library.get::<*const c_void>(name.to_bytes_with_nul()) };
        symbol.map_or(std::ptr::null(), |symbol| *symbol)
    }

    /// The file or library name that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// No library could be opened.
#[derive(Clone, Debug)]
pub struct OpenError {
    reasons: Vec<String>,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

impl Error for OpenError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_library_that_exists_is_opened() -> Result<(), OpenError> {
        // SAFETY: the C library may be opened at any time.
        let library = unsafe { DriverLibrary::open_first(["libno-such-file.so", "libc.so.6"])? };
        assert_eq!(library.path(), Path::new("libc.so.6"));
        assert!(!library.function(c"abs").is_null());
        assert!(library.function(c"no_such_function").is_null());
        Ok(())
    }

    #[test]
    fn the_error_names_every_file_that_was_tried() {
        // SAFETY: there are no such libraries.
        let opened = unsafe { DriverLibrary::open_first(["libnone-1.so", "libnone-2.so"]) };
        let text = opened.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            text.contains("libnone-1.so") && text.contains("; ") && text.contains("libnone-2.so"),
            "{text}"
        );
    }
}
