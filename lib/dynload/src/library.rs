//! Opening of a driver library.
#![expect(unsafe_code, reason = "libraries that are opened, and their functions")]

use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::{CStr, OsStr, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// An open library. It stays loaded for the rest of the process, because a driver's objects and threads live that long.
#[derive(Debug)]
pub struct DriverLibrary {
    library: ManuallyDrop<Library>,
    path: PathBuf,
}

impl DriverLibrary {
    /// Opens the first of several files or library names that can be opened.
    ///
    /// A file may need libraries that are next to it without telling the system's loader where they are, as Intel's
    /// OpenCL loader of 2026 does in Python environments. Such libraries are opened before it.
    ///
    /// # Errors
    ///
    /// Fails if none can be opened. The error contains the reason for each.
    ///
    /// # Safety
    ///
    /// The initializers of the libraries must require nothing from their callers.
    pub unsafe fn open_first<P: AsRef<OsStr>>(
        candidates: impl IntoIterator<Item = P>,
    ) -> Result<Self, OpenError> {
        let mut reasons = Vec::new();
        for candidate in candidates {
            let path = Path::new(&candidate);
            // SAFETY: guaranteed by the caller.
            match unsafe { open_with_neighbours(path, &mut BTreeSet::new()) } {
                Ok(library) => return Ok(Self { library, path: path.to_owned() }),
                Err(reason) => reasons.push(reason),
            }
        }
        Err(OpenError { reasons })
    }

    /// Returns the address of an exported function, or null if it does not exist.
    pub fn function(&self, name: &CStr) -> *const c_void {
        // SAFETY: the address is only read here; the code that calls the function knows its type.
        let symbol = unsafe { self.library.get::<*const c_void>(name.to_bytes_with_nul()) };
        symbol.map_or(std::ptr::null(), |symbol| *symbol)
    }

    /// Returns the file or library name that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens a library for the rest of the process. As long as a library that it needs is found next to it and nowhere
/// else, that one is opened first. Each is opened at most once.
///
/// # Safety
///
/// Same as for [`DriverLibrary::open_first`].
unsafe fn open_with_neighbours(
    path: &Path,
    tried: &mut BTreeSet<PathBuf>,
) -> Result<ManuallyDrop<Library>, String> {
    loop {
        // SAFETY: guaranteed by the caller.
        let error = match unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => return Ok(ManuallyDrop::new(library)),
            Err(error) => error,
        };
        // The system's own message is the source of the error. It begins with the name of the missing library.
        let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let missing = reason.split_once(": ").map(|(name, _)| name).filter(|name| !name.contains('/'));
        let neighbour = path.parent().zip(missing).map(|(folder, name)| folder.join(name));
        let Some(neighbour) = neighbour.filter(|file| file.is_absolute() && file.is_file()) else {
            return Err(reason);
        };
        // SAFETY: guaranteed by the caller.
        if !tried.insert(neighbour.clone()) || unsafe { open_with_neighbours(&neighbour, tried) }.is_err() {
            return Err(reason);
        }
    }
}

/// The error if no library could be opened.
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

    /// Each of the libraries needs the next, and none specifies its location.
    #[test]
    fn libraries_that_a_file_needs_are_found_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text, needs) in [
            ("libthird-of-dynload.so", "int third(void) { return 3; }", None),
            (
                "libsecond-of-dynload.so",
                "int third(void); int second(void) { return third(); }",
                Some("libthird-of-dynload.so"),
            ),
            (
                "libfirst-of-dynload.so",
                "int second(void); int first(void) { return second(); }",
                Some("libsecond-of-dynload.so"),
            ),
        ] {
            std::fs::write(path("source.c"), text).unwrap();
            let mut cc = std::process::Command::new("cc");
            cc.args(["-shared", "-fPIC", "-o"]).arg(path(name)).arg(path("source.c"));
            cc.arg(format!("-Wl,-soname,{name}")).args(needs.map(path));
            assert!(cc.status().unwrap().success());
        }
        let open = |file: PathBuf| {
            // SAFETY: the libraries have no initializers.
            unsafe { DriverLibrary::open_first([file]) }
        };
        assert!(open("libfirst-of-dynload.so".into()).is_err(), "the system knows none of them");
        let library = open(path("libfirst-of-dynload.so")).unwrap();
        assert!(!library.function(c"first").is_null());
    }

    #[test]
    fn a_library_that_is_nowhere_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("source.c"), "").unwrap();
        for (name, needs) in
            [("libgone-of-dynload.so", None), ("libleft-of-dynload.so", Some("libgone-of-dynload.so"))]
        {
            let mut cc = std::process::Command::new("cc");
            cc.args(["-shared", "-fPIC", "-Wl,--no-as-needed", "-o"]).arg(path(name)).arg(path("source.c"));
            cc.arg(format!("-Wl,-soname,{name}")).args(needs.map(path));
            assert!(cc.status().unwrap().success());
        }
        std::fs::remove_file(path("libgone-of-dynload.so")).unwrap();
        // SAFETY: the library has no initializers.
        let error = unsafe { DriverLibrary::open_first([path("libleft-of-dynload.so")]) }.unwrap_err();
        assert!(error.to_string().starts_with("libgone-of-dynload.so: "), "{error}");
    }

    #[test]
    fn the_error_names_every_file_that_was_tried() {
        // SAFETY: these libraries do not exist.
        let opened = unsafe { DriverLibrary::open_first(["libnone-1.so", "libnone-2.so"]) };
        let text = opened.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            text.contains("libnone-1.so") && text.contains("; ") && text.contains("libnone-2.so"),
            "{text}"
        );
    }
}
