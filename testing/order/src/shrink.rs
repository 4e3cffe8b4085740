//! A program that fails, made shorter: steps are taken out as long as it goes on failing.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::program::{Id, Program};
use crate::run::run;
use crate::watchdog::Watchdog;
use crate::world::World;

/// How often a shorter program may pass before it counts as one that passes: what is wrong may show now and then only.
const TRIES: usize = 20;
/// How long all of this may take.
const TIME: Duration = Duration::from_secs(60);

/// What was wrong in one of several runs.
fn fails(world: &mut World, program: &Program, watchdog: &Watchdog) -> Result<Option<String>> {
    for _ in 0..TRIES {
        watchdog.begin(format!("{program}a program that is made shorter"));
        if let Some(wrong) = run(world, program)?.wrong.into_iter().next() {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

/// The shortest program that was found to fail, and what was wrong with it. None where it did not fail again.
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
