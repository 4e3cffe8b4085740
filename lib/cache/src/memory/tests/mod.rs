//! Tests of the caches in memory.

mod linked;
mod once;
mod resources;
mod stress;

use super::{Built, Failure, Variant};

/// An error that carries its own classification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble(pub(super) Failure, pub(super) u32);

pub(super) fn classify(trouble: &Trouble) -> Failure {
    trouble.0
}

pub(super) fn built<V>(value: V, size: u64) -> Result<Built<V>, Trouble> {
    Ok(Built { value, size })
}

pub(super) fn variant() -> Variant {
    Variant { spec_constants: [1, 2].into(), device: 7, options: "-O2".into() }
}
