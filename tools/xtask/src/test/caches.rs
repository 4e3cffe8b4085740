//! The program cache with real programs: several processes, the stock libsycl in the same folder, killed writers.

use std::time::Duration;

use anyhow::Result;

use crate::totals::{self, Totals};
use crate::{cache, torture};

/// How long writers are killed, for each of the two kinds of programs.
const KILLING: Duration = Duration::from_secs(5);

/// Runs the short form of each check.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = totals::step("processes that share one program cache", cache::check_processes)?;
    sum += totals::step("the program cache and the stock libsycl's in one folder", cache::check_beside)?;
    sum += totals::step("a program cache whose writers are killed", || {
        torture::check(KILLING).map(|()| Totals::of_one(true))
    })?;
    Ok(sum)
}
