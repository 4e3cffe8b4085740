//! The short forms of the robustness tests; `docs/reports/robustness.md` says what the long ones found.

use anyhow::Result;

use crate::test::tally::Tally;
use crate::test::{processes, random_calls, two_libsycl};

/// Runs every short form.
pub(crate) fn run() -> Result<Tally> {
    let mut total = random_calls::run()?;
    total += processes::run()?;
    total += two_libsycl::run()?;
    Ok(total)
}
