//! Values in messages, as people write them: `none` instead of `None`, `2` instead of `Some(2)`.

use sycl_ur_core::ur_result_t;

use crate::outcome::ur_name;

/// A value that messages show.
pub(crate) trait Shown {
    /// Returns its text.
    fn shown(&self) -> String;
}

/// A result of UR, which messages show by its name.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Code(pub(crate) ur_result_t);

impl Shown for Code {
    fn shown(&self) -> String {
        ur_name(self.0)
    }
}

macro_rules! shown_as {
    ($form:literal: $($ty:ty)*) => { $(
        impl Shown for $ty {
            fn shown(&self) -> String {
                format!($form, self)
            }
        }
    )* };
}

shown_as!("{}": bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
// Quotes show where a text begins and ends.
shown_as!("{:?}": str String);

impl<T> Shown for *mut T {
    fn shown(&self) -> String {
        if self.is_null() { "null".to_owned() } else { format!("{:p}", *self) }
    }
}

impl<T> Shown for *const T {
    fn shown(&self) -> String {
        self.cast_mut().shown()
    }
}

impl<T: Shown + ?Sized> Shown for &T {
    fn shown(&self) -> String {
        (*self).shown()
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Shown::shown)
    }
}

impl<T: Shown> Shown for [T] {
    fn shown(&self) -> String {
        if self.is_empty() {
            "none".to_owned()
        } else {
            self.iter().map(Shown::shown).collect::<Vec<_>>().join(", ")
        }
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> String {
        self.as_slice().shown()
    }
}

impl<T: Shown, const N: usize> Shown for [T; N] {
    fn shown(&self) -> String {
        self.as_slice().shown()
    }
}

impl<A: Shown, B: Shown> Shown for (A, B) {
    fn shown(&self) -> String {
        format!("({}, {})", self.0.shown(), self.1.shown())
    }
}

impl<A: Shown, B: Shown, C: Shown> Shown for (A, B, C) {
    fn shown(&self) -> String {
        format!("({}, {}, {})", self.0.shown(), self.1.shown(), self.2.shown())
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use super::*;

    #[test]
    fn values_are_shown_without_the_names_of_rust() {
        assert_eq!([Some(2), Some(1), None].shown(), "2, 1, none");
        assert_eq!(Vec::<u8>::new().shown(), "none");
        assert_eq!((7_u32, "a \"b\"").shown(), "(7, \"a \\\"b\\\"\")");
        assert_eq!(
            (Code(1), Code(0x7fff_0000)).shown(),
            "(UR_RESULT_ERROR_INVALID_OPERATION, unknown code 2147418112)"
        );
        assert_eq!(null_mut::<u8>().shown(), "null");
        assert_eq!(std::ptr::without_provenance::<u8>(0x10).shown(), "0x10");
    }
}
