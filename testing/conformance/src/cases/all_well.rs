//! The verdict on many answers.

use crate::outcome::{Failure, Verdict};

/// Fails with everything that is wrong, not only with the first of it.
pub(super) fn all_well(what: &str, wrong: &[String]) -> Verdict {
    const SHOWN: usize = 40;
    if wrong.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = wrong.iter().take(SHOWN).map(String::as_str).collect();
    let got = format!("{} otherwise: {}", wrong.len(), shown.join("; "));
    Err(Failure::fail("", what, got))
}
