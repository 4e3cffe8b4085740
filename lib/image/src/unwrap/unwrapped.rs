//! The result of reading a file, with its images and the errors of images that cannot be read.

use crate::parts::ImageParts;

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
    /// The images in the file's order. Compressed code is decompressed.
    pub images: Vec<ImageParts<'d>>,
    /// The images that cannot be read.
    pub damaged: Vec<DamagedImage>,
}
