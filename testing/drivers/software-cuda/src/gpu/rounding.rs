//! Rounding modes of conversions.

/// How a conversion rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    Nearest,
    Zero,
    Up,
    Down,
}
