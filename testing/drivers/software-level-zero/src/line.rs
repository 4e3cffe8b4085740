//! Values that threads write frequently, each on a separate cache line, so that no other value is evicted with it.
//! A device and its clients only share lines through which they communicate.

use std::ops::Deref;

/// A value that is alone on its cache line and the next one, which processors fetch together.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Line<T>(pub(crate) T);

impl<T> Deref for Line<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
