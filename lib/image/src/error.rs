//! Errors in images and files, each with its location and problem.

use std::fmt;

use crate::room::OutOfMemory;

/// The reason why an image or a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A property set is malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A text file is malformed.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A SPIR-V module is malformed or cannot be processed.
    #[error(transparent)]
    Spirv(#[from] crate::spirv::SpirvError),
    /// There is no memory for a copy of it.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl Error {
    /// Returns whether the process ran out of memory, so that the image itself may be valid.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Error::Property(error) => matches!(error.problem, Problem::Memory(_)),
            Error::Text(error) => error.is_out_of_memory,
            Error::Spirv(error) => error.is_out_of_memory,
            Error::Memory(_) => true,
        }
    }
}

/// A malformed property set: the image, the set, the property and the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PropertyError {
    /// The image, under its [`ImageParts::name`](crate::ImageParts::name).
    pub image: String,
    /// The property set.
    pub set: String,
    /// The property, unless the set as a whole is wrong.
    pub property: Option<String>,
    /// The problem.
    pub problem: Problem,
}

impl fmt::Display for PropertyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "image {}: property set \"{}\"", self.image, self.set)?;
        if let Some(property) = &self.property {
            write!(out, ", property \"{property}\"")?;
        }
        write!(out, ": {}", self.problem)
    }
}

/// The problem with a property or a property set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The value has the wrong type for this property.
    #[error("is of type {found}, not of type {wanted}")]
    Type {
        /// The required type.
        wanted: u32,
        /// The actual type.
        found: u32,
    },
    /// A byte array is too short for the length at its start.
    #[error("is {bytes} bytes long, too short for the 8-byte length in front")]
    NoLength {
        /// The size of the value in bytes.
        bytes: usize,
    },
    /// The length in front of a byte array differs from the length of the data.
    #[error("says that {bits} bits follow, but {bytes} bytes do")]
    Length {
        /// The stated length in bits.
        bits: u64,
        /// The number of bytes that follow.
        bytes: usize,
    },
    /// The data have a size that is invalid for the property.
    #[error("holds {bytes} bytes; {wanted}")]
    Size {
        /// The actual size in bytes.
        bytes: usize,
        /// The expected size, in words.
        wanted: &'static str,
    },
    /// The data are not text.
    #[error("is not text in UTF-8 without a zero byte")]
    NotText,
    /// The same set or property appears twice.
    #[error("appears twice")]
    Twice,
    /// There is no memory for a copy of it.
    #[error("{0}")]
    Memory(OutOfMemory),
    /// A value that contradicts the rest.
    #[error("{0}")]
    Value(String),
}

/// A malformed text file: the place and the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct TextError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
    /// Whether the process ran out of memory, so that the file itself may be valid.
    pub is_out_of_memory: bool,
}

impl TextError {
    pub(crate) fn new(file: &str, line: usize, problem: impl Into<String>) -> Self {
        Self { file: file.into(), line, problem: problem.into(), is_out_of_memory: false }
    }

    pub(crate) fn memory(file: &str, line: usize, error: OutOfMemory) -> Self {
        Self { is_out_of_memory: true, ..Self::new(file, line, error.to_string()) }
    }
}
