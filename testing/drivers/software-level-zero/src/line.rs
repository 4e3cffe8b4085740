//! What threads write again and again, each on a line of memory of its own: nobody loses a line that he needs because a
//! neighbour was written. A device and its clients share no lines but those that they talk through.

use std::ops::Deref;

/// A value that is alone on its line, and on the next, which processors fetch with it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Line<T>(pub(crate) T);

impl<T> Deref for Line<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
