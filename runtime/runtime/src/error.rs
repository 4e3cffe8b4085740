//! Errors. Each message names the call, the code, the driver's message and the object.

use std::fmt;

use sycl_pi_image::spirv::SpirvError;
use sycl_pi_image::unwrap::{DamagedImage, UnwrapError};
use sycl_pi_image::{OutOfMemory, PropertyError, TextError};
use sycl_pi_loader::filter::FilterError;
use sycl_pi_loader::{CallError, LoadError};

/// A result of this crate. With a second parameter it is the standard library's `Result`, so `use sycl_pi_runtime::*`
/// does not change the meaning of `Result<T, E>`.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate. `Debug` formats the same sentence as `Display`, so a `main` that returns the error prints
/// it.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A call through the plugin's table failed.
    #[error("{object}: {error}")]
    Call {
        /// The object of the call: a kernel, an image, a device.
        object: String,
        /// The call, its code and the driver's message.
        #[source]
        error: CallError,
    },
    /// The plugin did not load.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A device selector variable is malformed.
    #[error(transparent)]
    Selector(#[from] FilterError),
    /// No device matches the description.
    #[error("no device: {0}")]
    NoDevice(String),
    /// An image is malformed; the error names the image and the place.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// No image contains such a kernel, symbol or variable.
    #[error("{0}")]
    NotFound(String),
    /// `errc::kernel_not_supported`: the device lacks something that the kernel's image needs.
    #[error("{0}")]
    KernelNotSupported(String),
    /// `errc::nd_range`: the sizes do not match the kernel, each other or the device.
    #[error("{0}")]
    NdRange(String),
    /// `errc::invalid`: an invalid argument.
    #[error("{0}")]
    Invalid(String),
    /// `errc::memory_allocation`: the host does not have the requested memory.
    #[error("{0}")]
    HostMemory(String),
    /// `errc::build`: the source does not compile to SPIR-V, or there is no compiler.
    #[error(transparent)]
    Source(#[from] sycl_pi_compiler::CompileError),
    /// `errc::build`: the program cannot be compiled or linked.
    #[error("{message}")]
    Build {
        /// The image, the reason and the driver's log.
        message: String,
        /// The call that failed, if one did.
        #[source]
        error: Option<CallError>,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A malformed device image.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Its property sets, its text files or its code are malformed.
    #[error(transparent)]
    Malformed(#[from] sycl_pi_image::Error),
    /// Its structures in memory are malformed.
    #[error(transparent)]
    Binary(#[from] BinaryProblem),
    /// Its code cannot be read.
    #[error("image {image}: {error}")]
    Code {
        /// The image.
        image: String,
        /// The problem.
        #[source]
        error: SpirvError,
    },
    /// A file yields no images.
    #[error(transparent)]
    File(UnwrapError),
    /// The image is damaged in its file.
    #[error(transparent)]
    Damaged(DamagedImage),
    /// The image has no code.
    #[error("image {image}: invalid device program image: its size is zero")]
    Empty {
        /// The image.
        image: String,
    },
    /// The image contradicts a registered image.
    #[error("{0}")]
    Contradiction(String),
    /// Several images of a library are malformed.
    #[error("{}", lines(.0))]
    Several(Vec<ImageError>),
}

/// A malformed field of `pi_device_binaries`, with its image and, if it is in a property set, the set and the property.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("image {image}{place}: {problem}")]
pub struct BinaryProblem {
    /// The image's index in its library, from 0.
    pub image: usize,
    /// The property set and the property; empty if the image itself is malformed.
    pub place: String,
    /// The problem.
    pub problem: String,
}

fn lines(errors: &[ImageError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

macro_rules! malformed {
    ($($ty:ty)*) => { $(
        impl From<$ty> for Error {
            fn from(error: $ty) -> Self {
                Error::Image(ImageError::Malformed(error.into()))
            }
        }
    )* };
}

malformed!(sycl_pi_image::Error PropertyError TextError SpirvError OutOfMemory);

impl ImageError {
    /// Returns whether the process ran out of memory, so that the image itself may be valid.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            ImageError::Malformed(error) => error.is_out_of_memory(),
            ImageError::Code { error, .. } => error.is_out_of_memory,
            ImageError::Several(errors) => errors.iter().all(ImageError::is_out_of_memory),
            _ => false,
        }
    }
}

/// The kind of an [`Error`], which is SYCL's `errc` if there is a corresponding code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(i32)]
pub enum ErrorKind {
    /// The plugin or the driver failed.
    Backend = 1,
    /// There is no such device.
    NoDevice = 2,
    /// An image is malformed.
    Image = 3,
    /// There is no such kernel, symbol or variable.
    NotFound = 4,
    /// `errc::kernel_not_supported`
    KernelNotSupported = 5,
    /// `errc::nd_range`
    NdRange = 6,
    /// `errc::invalid`
    Invalid = 7,
    /// `errc::build`
    Build = 8,
    /// `errc::memory_allocation`
    MemoryAllocation = 9,
}

impl Error {
    /// Returns the error's kind.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Call { .. } | Error::Load(_) => ErrorKind::Backend,
            Error::NoDevice(_) => ErrorKind::NoDevice,
            Error::Image(error) if error.is_out_of_memory() => ErrorKind::MemoryAllocation,
            Error::Image(_) => ErrorKind::Image,
            Error::NotFound(_) => ErrorKind::NotFound,
            Error::KernelNotSupported(_) => ErrorKind::KernelNotSupported,
            Error::NdRange(_) => ErrorKind::NdRange,
            Error::Invalid(_) | Error::Selector(_) => ErrorKind::Invalid,
            Error::Build { .. } | Error::Source(_) => ErrorKind::Build,
            Error::HostMemory(_) => ErrorKind::MemoryAllocation,
        }
    }

    /// Returns the plugin's result code, if a call failed.
    pub fn code(&self) -> Option<sycl_pi_core::pi_result> {
        match self {
            Error::Call { error, .. } | Error::Build { error: Some(error), .. } => error.code(),
            _ => None,
        }
    }

    pub(crate) fn invalid(text: impl Into<String>) -> Self {
        Error::Invalid(text.into())
    }

    pub(crate) fn build(message: impl Into<String>) -> Self {
        Error::Build { message: message.into(), error: None }
    }
}

/// Adds the name of the object to a call's error.
pub(crate) trait WithObject<T> {
    /// Adds the name; `object` is called only for an error.
    fn with_object(self, object: impl FnOnce() -> String) -> Result<T>;
}

impl<T> WithObject<T> for std::result::Result<T, CallError> {
    fn with_object(self, object: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Error::Call { object: object(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `fn main() -> Result<(), Box<dyn Error>>` prints an error's `Debug` format.
    #[test]
    fn an_error_is_a_sentence_whichever_way_it_is_printed() {
        let call = CallError::Missing { function: "piQueueCreate", version: sycl_pi_loader::Version::V9_11 };
        let error = Error::Call { object: "queue".into(), error: call };
        let boxed: Box<dyn std::error::Error> = Box::new(error);
        assert_eq!(format!("{boxed:?}"), "queue: piQueueCreate is not in this plugin (PI 9.11)");
        assert_eq!(format!("{:?}", Error::NoDevice("why".into())), "no device: why");
    }

    /// An image that memory did not suffice for may be valid; one that is malformed too is not.
    #[test]
    fn an_image_without_memory_is_no_malformed_one() {
        let code = |is_out_of_memory| ImageError::Code {
            image: "a".into(),
            error: SpirvError { is_out_of_memory, ..SpirvError::from(OutOfMemory { bytes: 1 }) },
        };
        let kind = |error: ImageError| Error::Image(error).kind();
        assert_eq!((kind(code(true)), kind(code(false))), (ErrorKind::MemoryAllocation, ErrorKind::Image));
        let several = |second| kind(ImageError::Several(vec![code(true), code(second)]));
        assert_eq!((several(true), several(false)), (ErrorKind::MemoryAllocation, ErrorKind::Image));
    }
}
