//! The program cache with real programs: in several processes, beside the stock libsycl's, with killed writers.

use std::time::Duration;

use anyhow::Result;

use crate::test::tally::Tally;
use crate::{cache, torture};

/// Runs the checks in their short forms.
pub(crate) fn run() -> Result<Tally> {
    let mut total = Tally::default();
    for check in [cache::check_processes, cache::check_beside] {
        let (passed, failed, skipped) = check()?;
        total += Tally { passed, failed, skipped };
    }
    torture::check(Duration::from_secs(10))?;
    total += Tally { passed: 1, ..Tally::default() };
    Ok(total)
}
