//! Images of programs and libraries: of their files, whether they are loaded or not.
#![expect(unsafe_code, reason = "device images that a program holds")]

use std::path::{Path, PathBuf};

use sycl_pi_image::unwrap::{UnwrapError, unwrap};

use super::{ModuleId, Registry};
use crate::error::{Error, ImageError, Result};

/// The most bytes that a file may have: its images are copied.
const LIMIT: u64 = 4 << 30;

impl Registry {
    /// Registers the images of an ELF file: a program, a library or an object that a SYCL compiler linked. The file need not
    /// be loaded. Malformed images are left out; their errors are returned.
    ///
    /// The images are copied: the file may be removed afterwards.
    ///
    /// # Errors
    /// The file cannot be read, has more than 4 GiB, is no ELF file, or has no image.
    ///
    /// # Safety
    /// As for [`add`](Self::add).
    pub unsafe fn add_file(&self, path: &Path) -> Result<(ModuleId, Vec<ImageError>)> {
        let file = path.display().to_string();
        let unreadable =
            |problem: std::io::Error| UnwrapError::Elf { file: file.clone(), problem: problem.to_string() };
        let bytes = sycl_pi_host_process::read_file(path, LIMIT).map_err(|error| match error.kind() {
            std::io::ErrorKind::OutOfMemory => Error::HostMemory(format!("{file}: {error}")),
            _ => ImageError::File(unreadable(error)).into(),
        })?;
        let found = unwrap(&file, &bytes).map_err(ImageError::File)?;
        // SAFETY: the caller's contract is the same.
        let (module, malformed) =
            unsafe { self.add_module(found.images.into_iter().map(|image| (image, None))) };
        let damaged = found.damaged.into_iter().map(ImageError::Damaged);
        Ok((module, damaged.chain(malformed).collect()))
    }

    /// Registers the images of a library that is loaded, by its file name or its path, as [`add_file`](Self::add_file) does.
    /// It need not have registered them itself: they may be those of a library that another SYCL runtime serves.
    ///
    /// # Errors
    /// No such library is loaded, or its file is not there any more; otherwise as for [`add_file`](Self::add_file).
    ///
    /// # Safety
    /// As for [`add`](Self::add).
    pub unsafe fn add_loaded(&self, library: &str) -> Result<(ModuleId, Vec<ImageError>)> {
        let path = loaded(library)
            .ok_or_else(|| Error::NotFound(format!("no library {library} is loaded in this process")))?;
        // SAFETY: the caller's contract is the same.
        unsafe { self.add_file(&path) }
    }
}

/// The path of a loaded library.
fn loaded(library: &str) -> Option<PathBuf> {
    // Linux lists there what every process has loaded. Elsewhere there is no such file, and nothing is found.
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let mut paths = maps.lines().filter_map(|line| line.find('/').and_then(|at| line.get(at..)));
    let found = paths.find(|path| *path == library || path.rsplit('/').next() == Some(library));
    found.map(PathBuf::from)
}
