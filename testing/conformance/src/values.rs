//! Values in messages, as people write them: `none` instead of `None`, `2` instead of `Some(2)`.

use sycl_ur_core::ur_result_t;
use testing_ur_host::result_name;

/// A value that messages show.
pub(crate) trait InWords {
    /// Returns its text.
    fn in_words(&self) -> String;
}

/// Returns the name of a result of UR.
pub(crate) fn ur_name(result: ur_result_t) -> String {
    result_name(result).map_or_else(|| format!("unknown code {result}"), str::to_owned)
}

/// A result of UR, which messages show by its name.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct UrResult(pub(crate) ur_result_t);

impl InWords for UrResult {
    fn in_words(&self) -> String {
        ur_name(self.0)
    }
}

macro_rules! in_words_as {
    ($form:literal: $($ty:ty)*) => { $(
        impl InWords for $ty {
            fn in_words(&self) -> String {
                format!($form, self)
            }
        }
    )* };
}

in_words_as!("{}": bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
// Quotes show where a text begins and ends.
in_words_as!("{:?}": str String);

impl<T> InWords for *mut T {
    fn in_words(&self) -> String {
        if self.is_null() { "null".to_owned() } else { format!("{:p}", *self) }
    }
}

impl<T> InWords for *const T {
    fn in_words(&self) -> String {
        self.cast_mut().in_words()
    }
}

impl<T: InWords + ?Sized> InWords for &T {
    fn in_words(&self) -> String {
        (*self).in_words()
    }
}

impl<T: InWords> InWords for Option<T> {
    fn in_words(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), InWords::in_words)
    }
}

impl<T: InWords> InWords for [T] {
    fn in_words(&self) -> String {
        if self.is_empty() {
            "none".to_owned()
        } else {
            self.iter().map(InWords::in_words).collect::<Vec<_>>().join(", ")
        }
    }
}

impl<T: InWords> InWords for Vec<T> {
    fn in_words(&self) -> String {
        self.as_slice().in_words()
    }
}

impl<T: InWords, const N: usize> InWords for [T; N] {
    fn in_words(&self) -> String {
        self.as_slice().in_words()
    }
}

impl<A: InWords, B: InWords> InWords for (A, B) {
    fn in_words(&self) -> String {
        format!("({}, {})", self.0.in_words(), self.1.in_words())
    }
}

impl<A: InWords, B: InWords, C: InWords> InWords for (A, B, C) {
    fn in_words(&self) -> String {
        format!("({}, {}, {})", self.0.in_words(), self.1.in_words(), self.2.in_words())
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use super::*;

    #[test]
    fn values_are_shown_without_the_names_of_rust() {
        assert_eq!([Some(2), Some(1), None].in_words(), "2, 1, none");
        assert_eq!(Vec::<u8>::new().in_words(), "none");
        assert_eq!((7_u32, "a \"b\"").in_words(), "(7, \"a \\\"b\\\"\")");
        assert_eq!(
            (UrResult(1), UrResult(0x7fff_0000)).in_words(),
            "(UR_RESULT_ERROR_INVALID_OPERATION, unknown code 2147418112)"
        );
        assert_eq!(null_mut::<u8>().in_words(), "null");
        assert_eq!(std::ptr::without_provenance::<u8>(0x10).in_words(), "0x10");
    }
}
