//! Short results: the median time of each side.

use anyhow::Result;
use serde::Serialize;

use crate::output::{Run, Sides};
use crate::timing;
use crate::which::Which;

/// Nanoseconds of one operation.
#[derive(Serialize)]
pub(crate) struct Medians {
    name: String,
    #[serde(flatten)]
    nanoseconds: Sides<f64>,
}

/// Times every operation that works with the vendor's plugin.
pub(crate) fn run(which: &Which, rounds: usize) -> Result<Run<Medians>> {
    let Run { version, device, calls } = timing::run(which, rounds)?;
    let medians = calls.into_iter().map(|timed| {
        let Sides { ours, vendor, bare } = timed.rounds;
        let nanoseconds = Sides { ours: median(ours), vendor: median(vendor), bare: median(bare) };
        Medians { name: timed.call.name, nanoseconds }
    });
    Ok(Run { version, device, calls: medians.collect() })
}

/// Returns the median of the numbers, or 0 if there is none.
fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds.get(rounds.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_of_the_sorted_numbers() {
        assert_eq!([median(vec![9.0, 1.0, 2.0]), median(vec![])], [2.0, 0.0]);
    }
}
