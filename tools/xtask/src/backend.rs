//! The plugins that a command can be run for.

use std::fmt;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::release;

/// A backend whose plugin can run with a stock libsycl on a machine without a GPU.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Backend {
    /// Intel's CPU OpenCL runtime
    #[default]
    #[value(name = "opencl")]
    #[serde(rename = "opencl")]
    OpenCl,
    /// The software Level Zero driver under the stock loader
    LevelZero,
    /// The software CUDA driver, with SPIR-V compiled by the fake libnvvm. The vendor's is Intel's CPU OpenCL
    /// runtime
    Cuda,
}

impl Backend {
    /// Returns the name of the plugin, for ours and the vendor's.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Backend::OpenCl => "libpi_opencl.so",
            Backend::LevelZero => "libpi_level_zero.so",
            Backend::Cuda => "libpi_cuda.so",
        }
    }

    /// Returns the name of the adapter, for ours and the vendor's.
    pub(crate) fn adapter_name(self) -> &'static str {
        match self {
            Backend::OpenCl => "libur_adapter_opencl.so",
            Backend::LevelZero => "libur_adapter_level_zero.so",
            Backend::Cuda => "libur_adapter_cuda.so",
        }
    }

    /// Returns the packages that have to be built for the library.
    pub(crate) fn packages(self) -> &'static [&'static str] {
        match self {
            Backend::OpenCl => &["pi_opencl", "pi"],
            Backend::LevelZero => &["pi_level_zero", "software-level-zero", "pi"],
            Backend::Cuda => &["pi_cuda", "pi-nvvm", "software-cuda", "software-nvvm"],
        }
    }

    /// Returns our adapter in the folder of `cargo build --release`.
    pub(crate) fn our_adapter(self) -> PathBuf {
        release::file(self.adapter_name())
    }

    /// Returns our plugin in the folder of `cargo build --release`.
    pub(crate) fn our_plugin(self) -> PathBuf {
        release::file(self.file_name())
    }

    /// Returns the backend of the vendor's plugin for comparisons. The vendor has no plugin for SPIR-V on CUDA.
    pub(crate) fn of_vendor(self) -> Self {
        if self == Backend::Cuda { Backend::OpenCl } else { self }
    }

    /// Returns part of the names of this backend's files and folders.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Backend::OpenCl => "",
            Backend::LevelZero => "-level-zero",
            Backend::Cuda => "-cuda",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backend::OpenCl => "opencl",
            Backend::LevelZero => "level-zero",
            Backend::Cuda => "cuda",
        })
    }
}
