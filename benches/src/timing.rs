//! Interleaved rounds. In each, every side runs the same batch, in an order that changes from round to round.

use std::time::Instant;

use anyhow::Result;

use crate::cases::{self, Bench, Case};
use crate::output::{Run, Sides, Timed};
use crate::which::Which;

/// The approximate duration of a batch.
const BATCH_NS: f64 = 75_000.0;
/// All orders of the three sides, so that each is first, second and third equally often, and follows each other one
/// equally often.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [1, 0, 2], [0, 2, 1]];

/// Times every operation that works with the vendor's plugin.
pub(crate) fn run(which: &Which, rounds: usize) -> Result<Run<Timed>> {
    let mut bench = Bench::start(which)?;
    let cases = std::mem::take(&mut bench.cases);
    let mut calls = Vec::new();
    for mut case in cases {
        if cases::works(&mut case.sides[1]) {
            calls.push(time(&bench, case, rounds));
        }
    }
    Ok(Run { version: bench.version.clone(), device: bench.device(), calls })
}

fn time(bench: &Bench, mut case: Case, rounds: usize) -> Timed {
    cases::set_current(&case.call.name);
    let batch = batch_size(bench, &mut case);
    let mut times = [(); 3].map(|()| Vec::with_capacity(rounds));
    for round in 0..rounds + ORDERS.len() {
        for side in ORDERS[round % ORDERS.len()] {
            let nanoseconds = once(bench, &mut case, side, batch);
            // The first rounds only warm caches and the driver's pools.
            if round >= ORDERS.len() {
                times[side].push(nanoseconds / batch as f64);
            }
        }
    }
    let [ours, vendor, bare] = times;
    Timed { call: case.call, batch, rounds: Sides { ours, vendor, bare } }
}

fn once(bench: &Bench, case: &mut Case, side: usize, batch: usize) -> f64 {
    let operation = &mut case.sides[side];
    let start = Instant::now();
    operation(batch);
    let nanoseconds = start.elapsed().as_nanos() as f64;
    if case.call.enters_system {
        bench.finish();
    }
    nanoseconds
}

fn batch_size(bench: &Bench, case: &mut Case) -> usize {
    let mut batch = 1;
    for _ in 0..4 {
        // The fastest of a few, so that an interruption has no effect.
        let fastest = (0..8).map(|i| once(bench, case, i % 3, batch)).fold(f64::MAX, f64::min);
        batch = ((batch as f64 * BATCH_NS / fastest.max(50.0)) as usize).clamp(1, 20_000);
    }
    batch
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::ORDERS;

    #[test]
    fn each_side_has_each_position_and_follows_each_other_side_equally_often() {
        let (mut positions, mut follows) = (BTreeMap::new(), BTreeMap::new());
        for order in ORDERS {
            for (position, side) in order.into_iter().enumerate() {
                *positions.entry((position, side)).or_insert(0) += 1;
            }
            for pair in order.windows(2) {
                *follows.entry((pair[0], pair[1])).or_insert(0) += 1;
            }
        }
        assert_eq!(positions.len(), 9);
        assert!(positions.values().all(|count| *count == 2));
        assert_eq!(follows.len(), 6);
        assert!(follows.values().all(|count| *count == 2));
    }
}
