//! The short forms of the robustness tests; `docs/robustness.md` says what the long ones found.

use anyhow::Result;

use crate::test::processes;
use crate::test::tally::Tally;

/// Runs every short form.
pub(crate) fn run() -> Result<Tally> {
    let total = processes::run()?;
    Ok(total)
}
