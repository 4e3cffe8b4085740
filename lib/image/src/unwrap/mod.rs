//! Device images in ELF objects, programs and shared libraries: what a compiler's offload wrapper put there, or
//! [`wrap`](crate::wrap::wrap).
//!
//! Nothing in a linked file says where the descriptors are: their symbols are local and often stripped. But a
//! `pi_device_binaries_struct` is easily told by what is in it, once the pointers are known that the loader would write: it
//! points at images, and the first words of an image are always the same.

mod descriptor;
mod memory;

use crate::parts::ImageParts;
use descriptor::Descriptors;
use memory::Memory;

/// Why there are no images to be had from a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnwrapError {
    /// It is no ELF file, or a damaged one.
    #[error("{file}: {problem}")]
    Elf {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// There is no image in it.
    #[error("{0}: there is no device image in this ELF file")]
    None(String),
}

/// An image that cannot be read: the file, the image, the place in it and the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{image}: {problem}")]
pub struct DamagedImage {
    /// The image: the file's name and the image's number in it.
    pub image: String,
    /// The part of the image that is damaged, and how.
    pub problem: String,
}

/// The images of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwrapped<'d> {
    /// The images in the order in which they lie in the file. Compressed code is decompressed.
    pub images: Vec<ImageParts<'d>>,
    /// The images that cannot be read.
    pub damaged: Vec<DamagedImage>,
}

/// Whether these are the first bytes of an ELF file.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// All images in an ELF file; `file` is its name for messages and theirs.
///
/// # Errors
/// It is no ELF file, or there is no image in it.
pub fn unwrap<'d>(file: &str, bytes: &'d [u8]) -> Result<Unwrapped<'d>, UnwrapError> {
    let memory =
        Memory::from_elf(bytes).map_err(|problem| UnwrapError::Elf { file: file.into(), problem })?;
    let found = Descriptors::new(&memory, file, bytes.len()).read();
    if found.images.is_empty() && found.damaged.is_empty() {
        return Err(UnwrapError::None(file.into()));
    }
    Ok(found)
}
