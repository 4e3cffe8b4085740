//! The backends that a plugin can serve, and their names in files and variables.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// A backend that has a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// OpenCL.
    OpenCl,
    /// Level Zero.
    LevelZero,
    /// CUDA.
    Cuda,
}

impl Backend {
    /// Every backend, in the order in which runtimes try them.
    pub const ALL: [Backend; 3] = [Backend::OpenCl, Backend::LevelZero, Backend::Cuda];

    /// Returns the name in `ONEAPI_DEVICE_SELECTOR` and in device lists.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::OpenCl => "opencl",
            Backend::LevelZero => "level_zero",
            Backend::Cuda => "cuda",
        }
    }

    /// Returns the plugin's file name.
    pub const fn file_name(self) -> &'static str {
        match self {
            Backend::OpenCl => "libpi_opencl.so",
            Backend::LevelZero => "libpi_level_zero.so",
            Backend::Cuda => "libpi_cuda.so",
        }
    }

    /// Returns the variable that makes runtimes open another file for this backend.
    pub const fn override_variable(self) -> &'static str {
        match self {
            Backend::OpenCl => "SYCL_OVERRIDE_PI_OPENCL",
            Backend::LevelZero => "SYCL_OVERRIDE_PI_LEVEL_ZERO",
            Backend::Cuda => "SYCL_OVERRIDE_PI_CUDA",
        }
    }

    /// Returns the backend in a plugin's file name, or `None` if it names no backend.
    pub fn of_file(path: &Path) -> Option<Backend> {
        let name = path.file_name().and_then(OsStr::to_str)?;
        Backend::ALL.into_iter().find(|backend| name.contains(backend.name()))
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        for backend in Backend::ALL {
            assert_eq!(Backend::of_file(Path::new(backend.file_name())), Some(backend));
        }
        assert_eq!(Backend::of_file(Path::new("/a/libpi_opencl.so.vendor")), Some(Backend::OpenCl));
        assert_eq!(Backend::of_file(Path::new("/opencl/libother.so")), None);
    }
}
