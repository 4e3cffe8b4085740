//! What can go wrong, in words that name the call, the code, the driver's text and the object.

use std::sync::Arc;

use sycl_pi_loader::{CallError, LoadError};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something did not work.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A call through the plugin's table failed.
    #[error("{object}: {error}")]
    Call {
        /// What the call was about: a kernel, an image, a device.
        object: String,
        /// The call, its code and the driver's text.
        error: CallError,
    },
    /// The plugin did not load.
    #[error("{0}")]
    Load(Arc<LoadError>),
    /// No device answers the description.
    #[error("no device: {0}")]
    NoDevice(String),
    /// An image is malformed: which one, and where.
    #[error("{0}")]
    Image(String),
    /// A kernel, a symbol or a variable that no image has.
    #[error("{0}")]
    NotFound(String),
    /// errc::kernel_not_supported: the device lacks what the kernel's image needs.
    #[error("{0}")]
    KernelNotSupported(String),
    /// errc::nd_range: sizes that do not fit the kernel, each other or the device.
    #[error("{0}")]
    NdRange(String),
    /// errc::invalid: an argument that cannot be.
    #[error("{0}")]
    Invalid(String),
    /// errc::build: a program that cannot be compiled or linked, with the driver's log.
    #[error("{0}")]
    Build(String),
}

/// What kind of trouble an [`Error`] is: SYCL's `errc`, as far as it has a name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ErrorKind {
    /// The plugin or the driver failed.
    Backend = 1,
    /// No such device.
    NoDevice = 2,
    /// A malformed image.
    Image = 3,
    /// No such kernel, symbol or variable.
    NotFound = 4,
    /// `errc::kernel_not_supported`
    KernelNotSupported = 5,
    /// `errc::nd_range`
    NdRange = 6,
    /// `errc::invalid`
    Invalid = 7,
    /// `errc::build`
    Build = 8,
}

impl Error {
    /// What kind of trouble it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Call { .. } | Error::Load(_) => ErrorKind::Backend,
            Error::NoDevice(_) => ErrorKind::NoDevice,
            Error::Image(_) => ErrorKind::Image,
            Error::NotFound(_) => ErrorKind::NotFound,
            Error::KernelNotSupported(_) => ErrorKind::KernelNotSupported,
            Error::NdRange(_) => ErrorKind::NdRange,
            Error::Invalid(_) => ErrorKind::Invalid,
            Error::Build(_) => ErrorKind::Build,
        }
    }

    /// The plugin's result code, where a call failed.
    pub fn code(&self) -> Option<sycl_pi_core::pi_result> {
        match self {
            Error::Call { error, .. } => error.code(),
            _ => None,
        }
    }

    /// A malformed image, or one that cannot be read, for whatever reason.
    pub fn image(reason: impl std::fmt::Display) -> Self {
        Error::Image(reason.to_string())
    }

    pub(crate) fn invalid(text: impl Into<String>) -> Self {
        Error::Invalid(text.into())
    }
}

/// Puts the object's name to a call's error.
pub(crate) trait About<T> {
    /// `object` is only asked for when there is an error.
    fn about(self, object: impl FnOnce() -> String) -> Result<T>;
}

impl<T> About<T> for std::result::Result<T, CallError> {
    fn about(self, object: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Call { object: object(), error })
    }
}
