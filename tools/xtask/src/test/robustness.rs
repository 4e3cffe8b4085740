//! The short forms of the robustness tests. `docs/reports/robustness.md` describes what the long forms found.

use anyhow::Result;

use crate::script;
use crate::test::{order, processes, random_calls};
use crate::totals::Totals;

/// Runs every short form.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = random_calls::run()?;
    sum += order::run()?;
    sum += processes::run()?;
    sum += script::run("testing/robustness/exits.py", &["--sample"])?;
    sum += script::run("testing/robustness/two_runtimes.py", &["--times", "1"])?;
    sum += script::run("testing/robustness/logs.py", &[])?;
    Ok(sum)
}
