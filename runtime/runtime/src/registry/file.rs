//! Images of program and library files, whether or not they are loaded.
#![expect(unsafe_code, reason = "device images that a program holds")]

use std::path::{Path, PathBuf};

use sycl_pi_image::unwrap::{UnwrapError, unwrap};

use super::{ModuleId, Registry};
use crate::error::{Error, ImageError, Result};

/// The largest file in bytes, because its images are copied.
const LIMIT: u64 = 4 << 30;

impl Registry {
    /// Registers the images of an ELF file: a program, a library or an object that a SYCL compiler linked. The file
    /// need not be loaded. Malformed images are skipped, and their errors are returned.
    ///
    /// The images are copied, so the file may be removed afterwards.
    ///
    /// # Errors
    /// Fails if the file cannot be read, has more than 4 GiB, is not an ELF file, or has no image.
    ///
    /// # Safety
    /// The requirements of [`add`](Self::add) apply.
    pub unsafe fn add_file(&self, path: &Path) -> Result<(ModuleId, Vec<ImageError>)> {
        let file = path.display().to_string();
        let unreadable =
            |problem: std::io::Error| UnwrapError::Elf { file: file.clone(), problem: problem.to_string() };
        let bytes = sycl_pi_host_process::read_file(path, LIMIT).map_err(|error| match error.kind() {
            std::io::ErrorKind::OutOfMemory => Error::HostMemory(format!("{file}: {error}")),
            _ => ImageError::File(unreadable(error)).into(),
        })?;
        let found = unwrap(&file, &bytes).map_err(ImageError::File)?;
        let (module, malformed) =
            // SAFETY: the caller's contract is the same.
            unsafe { self.add_module(found.images.into_iter().map(|image| (image, None))) };
        let damaged = found.damaged.into_iter().map(ImageError::Damaged);
        Ok((module, damaged.chain(malformed).collect()))
    }

    /// Registers the images of a loaded library, given by its file name or its path, like [`add_file`](Self::add_file).
    /// The library need not have registered them itself; another SYCL runtime may serve it.
    ///
    /// # Errors
    /// Fails if no such library is loaded or its file no longer exists, and in the same cases as
    /// [`add_file`](Self::add_file).
    ///
    /// # Safety
    /// The requirements of [`add`](Self::add) apply.
    pub unsafe fn add_loaded(&self, library: &str) -> Result<(ModuleId, Vec<ImageError>)> {
        let path = loaded(library)
            .ok_or_else(|| Error::NotFound(format!("no library {library} is loaded in this process")))?;
        // SAFETY: the caller's contract is the same.
        unsafe { self.add_file(&path) }
    }
}

/// Returns the path of a loaded library.
fn loaded(library: &str) -> Option<PathBuf> {
    // On Linux, this file lists what the process has loaded. On other systems it does not exist, and nothing is found.
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let mut paths = maps.lines().filter_map(|line| line.find('/').and_then(|at| line.get(at..)));
    let found = paths.find(|path| *path == library || path.rsplit('/').next() == Some(library));
    found.map(PathBuf::from)
}
