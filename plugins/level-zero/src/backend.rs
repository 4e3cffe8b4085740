//! The type that has the traits of the backend; each file implements those of its family.

/// The Level Zero backend.
#[derive(Debug)]
pub struct LevelZero;
