//! Shortens a failing program: removes steps as long as it still fails.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::program::{Id, Program};
use crate::run::run;
use crate::watchdog::Watchdog;
use crate::world::World;

/// How often a shorter program must pass before it counts as passing. An error may only show sometimes.
const TRIES: usize = 20;
/// The time limit for shortening.
const TIME: Duration = Duration::from_secs(60);

/// Returns what was wrong in one of several runs.
fn fails(world: &mut World, program: &Program, watchdog: &Watchdog) -> Result<Option<String>> {
    for _ in 0..TRIES {
        watchdog.begin(format!("{program}a program that is made shorter"));
        if let Some(wrong) = run(world, program)?.wrong.into_iter().next() {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

/// Returns the shortest failing program, and what was wrong with it. Returns `None` if the program did not fail again.
pub(crate) fn shrink(
    world: &mut World,
    program: &Program,
    watchdog: &Watchdog,
) -> Result<Option<(Program, String)>> {
    let until = Instant::now() + TIME;
    let mut best = program.clone();
    let Some(mut wrong) = fails(world, &best, watchdog)? else { return Ok(None) };
    let mut size = best.steps.len().div_ceil(2);
    while size > 0 && Instant::now() < until {
        let (mut at, mut shorter) = (0, false);
        while at < best.steps.len() && Instant::now() < until {
            let out: Vec<Id> = best.steps.iter().skip(at).take(size).map(|step| step.id).collect();
            let candidate = best.without(&out);
            match fails(world, &candidate, watchdog)? {
                Some(of_candidate) if candidate.steps.len() < best.steps.len() => {
                    (best, wrong, shorter) = (candidate, of_candidate, true);
                }
                _ => at += size,
            }
        }
        if !shorter || size > 1 {
            size /= 2;
        }
    }
    Ok(Some((best, wrong)))
}
