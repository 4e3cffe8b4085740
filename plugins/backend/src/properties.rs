//! Property lists: keys and values, ended by a key 0. The keys are OpenCL's.
#![expect(unsafe_code, reason = "property lists in the caller's memory")]

use crate::{Error, Result, cold_error};

/// A list of keys and values that ends with a key 0. A null list is empty.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'a, T> {
    words: &'a [T],
}

/// Longer lists are not lists: the end was forgotten.
const MAX_PROPERTY_WORDS: usize = 512;

fn endless() -> Error {
    Error::invalid_value("a property list without an end (key 0)")
}

impl<'a, T: Copy + Default + PartialEq> Properties<'a, T> {
    /// Reads a list up to its end.
    ///
    /// # Safety
    ///
    /// `list` is null or points to pairs of words that end with a key 0.
    ///
    /// # Errors
    ///
    /// `INVALID_VALUE` for a list without an end.
    #[inline(always)]
    pub unsafe fn read(list: *const T) -> Result<Self> {
        if list.is_null() {
            return Ok(Self::NONE);
        }
        let mut words = 0;
        // SAFETY: every key before the end, and its value, may be read.
        while unsafe { *list.add(words) } != T::default() {
            words += 2;
            if words > MAX_PROPERTY_WORDS {
                return Err(cold_error(endless));
            }
        }
        // SAFETY: the words up to and including the end were just read.
        Ok(Self { words: unsafe { std::slice::from_raw_parts(list, words + 1) } })
    }
}

impl<'a, T: Copy> Properties<'a, T> {
    /// A null list.
    pub const NONE: Self = Self { words: &[] };

    /// Key and value of each entry, without the end.
    pub fn pairs(&self) -> impl Iterator<Item = (T, T)> + 'a {
        self.words.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.words.len() < 2
    }

    /// Null for a null list, else the list with its end: for handing on to a driver.
    pub fn as_ptr(&self) -> *const T {
        if self.words.is_empty() { std::ptr::null() } else { self.words.as_ptr() }
    }
}
