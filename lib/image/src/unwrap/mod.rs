//! Finds device images in ELF objects, programs and shared libraries, where a compiler's offload wrapper or
//! [`wrap`](crate::wrap::wrap) put them.
//!
//! A linked file does not say where the descriptors are, because their symbols are local and often stripped. A
//! `pi_device_binaries_struct` is easy to recognize by its contents once the loader's pointers are applied, because it
//! points to images, and the first words of an image are always the same.

mod descriptor;
mod memory;
mod unwrapped;

use descriptor::Descriptors;
use memory::Memory;
pub use unwrapped::{DamagedImage, Unwrapped};

/// The reason why a file yields no images.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnwrapError {
    /// The file is not an ELF file, or is damaged.
    #[error("{file}: {problem}")]
    Elf {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// The file contains no image.
    #[error("{0}: this ELF file contains no device image")]
    None(String),
}

/// Returns whether these bytes start an ELF file.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// Returns all images in an ELF file; `file` is its name in messages and in the images' names.
///
/// # Errors
/// Fails if the file is not an ELF file or contains no image.
pub fn unwrap<'d>(file: &str, bytes: &'d [u8]) -> Result<Unwrapped<'d>, UnwrapError> {
    let memory =
        Memory::from_elf(bytes).map_err(|problem| UnwrapError::Elf { file: file.into(), problem })?;
    let found = Descriptors::new(&memory, file, bytes.len()).read();
    if found.images.is_empty() && found.damaged.is_empty() {
        return Err(UnwrapError::None(file.into()));
    }
    Ok(found)
}
