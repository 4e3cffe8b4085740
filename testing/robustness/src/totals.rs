//! What the last line says.

/// Counts of what was tried.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}
