//! The short forms of the robustness tests. `docs/reports/robustness.md` says what the long forms found.

use anyhow::Result;

use crate::test::{processes, random_calls, two_libsycl};
use crate::totals::Totals;

/// Runs every short form.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = random_calls::run()?;
    sum += processes::run()?;
    sum += two_libsycl::run(1)?;
    Ok(sum)
}
