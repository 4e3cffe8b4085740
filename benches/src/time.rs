//! Interleaved rounds: in each, every side does the same batch, in an order that changes from round to round.

use std::time::Instant;

use anyhow::Result;

use crate::Which;
use crate::cases::{self, Bench, Case};
use crate::output::{Run, Sides, Timed};

/// A batch takes about this long.
const BATCH_NS: f64 = 75_000.0;
/// Orders of the four sides in which each stands at each place once, and follows each other one once.
const ORDERS: [[usize; 4]; 4] = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]];

/// A driver's code takes longer on some places of the stack than on others: what lies across two cache lines, or 4096 bytes
/// from what was just written. So each round starts at another of these places, 16 bytes apart; what a side itself adds to
/// the stack then does not decide.
const PLACES: usize = 256;

/// Calls `work` with the stack that many bytes lower, a multiple of 16.
#[cfg(target_arch = "x86_64")]
fn lower(bytes: usize, mut work: &mut dyn FnMut()) {
    extern "C" fn call(work: &mut &mut dyn FnMut()) {
        work();
    }
    assert_eq!(bytes % 16, 0);
    // SAFETY: the stack pointer stays aligned and comes back; everything that a C function may change is named. A panic
    // of `work` ends the process at the border of the C function.
    unsafe {
        std::arch::asm!(
            "mov r12, rsp", "sub rsp, {bytes}", "call {call}", "mov rsp, r12",
            bytes = in(reg) bytes, call = in(reg) call as extern "C" fn(&mut &mut dyn FnMut()),
            in("rdi") &mut work, out("r12") _, clobber_abi("C"),
        );
    }
}

/// Calls `work`.
#[cfg(not(target_arch = "x86_64"))]
fn lower(_bytes: usize, work: &mut dyn FnMut()) {
    work();
}

/// Times every call.
pub(crate) fn run(which: &Which, rounds: usize) -> Result<Run<Timed>> {
    let mut bench = Bench::start(which)?;
    let cases = std::mem::take(&mut bench.cases);
    let mut calls = Vec::new();
    for mut case in cases {
        if cases::works(&mut case.bodies[1]) {
            calls.push(time(&bench, case, rounds));
        }
    }
    Ok(Run { pi: bench.pi(), device: bench.device(), calls })
}

fn time(bench: &Bench, mut case: Case, rounds: usize) -> Timed {
    cases::set_current(&case.call.name);
    let batch = batch_size(bench, &mut case);
    let mut times = [(); 4].map(|()| Vec::with_capacity(rounds));
    for round in 0..rounds + ORDERS.len() {
        for side in ORDERS[round % ORDERS.len()] {
            let mut nanoseconds = 0.0;
            lower(round % PLACES * 16, &mut || nanoseconds = once(bench, &mut case, side, batch));
            // The first rounds warm caches and the driver's pools.
            if round >= ORDERS.len() {
                times[side].push(nanoseconds / batch as f64);
            }
        }
    }
    let [ours, vendor, bare, again] = times;
    Timed { call: case.call, batch, rounds: Sides { ours, vendor, bare }, again }
}

fn once(bench: &Bench, case: &mut Case, side: usize, batch: usize) -> f64 {
    let body = &mut case.bodies[side];
    let start = Instant::now();
    body(batch);
    let nanoseconds = start.elapsed().as_nanos() as f64;
    if case.call.queued {
        bench.settle();
    }
    nanoseconds
}

fn batch_size(bench: &Bench, case: &mut Case) -> usize {
    let mut batch = 1;
    for _ in 0..4 {
        // The fastest of a few, over all sides: the batch suits the call, not an interruption.
        let fastest = (0..8).map(|i| once(bench, case, i % 4, batch)).fold(f64::MAX, f64::min);
        batch = ((batch as f64 * BATCH_NS / fastest.max(50.0)) as usize).clamp(1, 20_000);
    }
    batch
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn each_side_stands_at_each_place_and_follows_each_other_once() {
        let mut follows = std::collections::BTreeSet::new();
        for place in 0..4 {
            let sides: std::collections::BTreeSet<_> = ORDERS.iter().map(|order| order[place]).collect();
            assert_eq!(sides.len(), 4);
        }
        for order in ORDERS {
            follows.extend(order.windows(2).map(|pair| (pair[0], pair[1])));
        }
        assert_eq!(follows.len(), 12);
    }

    #[test]
    fn the_stack_starts_as_many_bytes_lower_as_asked() {
        let place = |bytes| {
            let mut place = 0;
            lower(bytes, &mut || {
                let here = 0_u8;
                place = (&raw const here).addr();
            });
            place
        };
        let places = [0, 16, 32, 4080].map(place);
        assert_eq!(places.map(|place| places[0] - place), [0, 16, 32, 4080]);
    }
}
