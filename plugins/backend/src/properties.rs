//! Property lists: keys and values, terminated by a key 0. The keys are OpenCL's.
#![expect(unsafe_code, reason = "property lists in the caller's memory")]

use crate::{Error, Result, cold_error};

/// A list of keys and values, terminated by a key 0. A null list is empty.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'a, T> {
    words: &'a [T],
}

/// The maximum length of a list. A longer one is assumed to lack its terminator.
const MAX_PROPERTY_WORDS: usize = 512;

fn endless() -> Error {
    Error::invalid_value("a property list without an end (key 0)")
}

impl<'a, T: Copy + Default + PartialEq> Properties<'a, T> {
    /// Reads a list up to its terminator.
    ///
    /// # Safety
    ///
    /// `list` must be null or point to pairs of words that are terminated by a key 0.
    ///
    /// # Errors
    ///
    /// `INVALID_VALUE` for a list without a terminator.
    #[inline(always)]
    pub unsafe fn read(list: *const T) -> Result<Self> {
        if list.is_null() {
            return Ok(Self::NONE);
        }
        let mut words = 0;
        // SAFETY: every key before the terminator may be read, and so may its value.
        while unsafe { *list.add(words) } != T::default() {
            words += 2;
            if words > MAX_PROPERTY_WORDS {
                return Err(cold_error(endless));
            }
        }
        // SAFETY: the words up to and including the terminator were just read.
        Ok(Self { words: unsafe { std::slice::from_raw_parts(list, words + 1) } })
    }
}

impl<'a, T: Copy> Properties<'a, T> {
    /// A null list.
    pub const NONE: Self = Self { words: &[] };

    /// Returns the key and value of each entry, without the terminator.
    pub fn pairs(&self) -> impl Iterator<Item = (T, T)> + 'a {
        self.words.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// Returns whether the list has no entry.
    pub fn is_empty(&self) -> bool {
        self.words.len() < 2
    }

    /// Returns null for a null list, or else the list with its terminator, for passing to a driver.
    pub fn as_ptr(&self) -> *const T {
        if self.words.is_empty() { std::ptr::null() } else { self.words.as_ptr() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn pairs(list: &[u64]) -> Option<(bool, Vec<(u64, u64)>)> {
        // SAFETY: each list of the tests has more words than are read, or an end.
        let list = unsafe { Properties::read(list.as_ptr()) }.ok()?;
        Some((list.is_empty(), list.pairs().collect()))
    }

    #[test]
    fn a_list_has_the_pairs_before_its_first_key_that_is_0() {
        assert_eq!(pairs(&[0]), Some((true, vec![])));
        assert_eq!(pairs(&[1, 0, 0]), Some((false, vec![(1, 0)])));
        assert_eq!(pairs(&[1, 2, 3, 4, 0, 5, 6, 0]), Some((false, vec![(1, 2), (3, 4)])));
        assert_eq!(pairs(&[1; MAX_PROPERTY_WORDS + 2]), None);
        // SAFETY: there is no list.
        let none = unsafe { Properties::<u64>::read(std::ptr::null()) }.unwrap();
        assert!(none.is_empty() && none.as_ptr().is_null());
    }
}
