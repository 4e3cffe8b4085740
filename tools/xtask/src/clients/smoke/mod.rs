//! `cargo xtask clients --smoke`: the smallest real program on every release with adapters, in each way that the loader can call an adapter.

mod complaints;
mod run;
mod table;

use anyhow::{Result, bail};

use crate::provision::environment::{Environment, Flavour};
use crate::provision::level_zero;
use crate::releases::{Release, UR_RELEASES};
use crate::ui::Step;

use self::run::{Answer, Mode};
pub(super) use self::table::{Row, text};

/// Runs the program on these releases, or on all that have adapters, with each adapter of `flavours`.
pub(super) fn run(
    releases: &[&'static Release],
    flavours: &[Flavour],
    environment_of: impl Fn(&'static Release, Flavour) -> Result<Environment>,
) -> Result<Vec<Row>> {
    let chosen: Vec<&'static Release> =
        if releases.is_empty() { UR_RELEASES.iter().collect() } else { releases.to_vec() };
    if let Some(release) = chosen.iter().find(|release| !release.has_adapters()) {
        bail!("release {} has no adapters", release.name());
    }
    // The vendor's Level Zero adapters need it.
    level_zero::ensure_loader()?;
    let mut rows = Vec::new();
    for release in chosen {
        let mut row = Row::new(release);
        for flavour in flavours {
            let environment = environment_of(release, *flavour)?;
            let step = Step::start(format!("DPC++ {}, {}", release.version, flavour.plugin(release)));
            let answers = Mode::ALL.map(|mode| run::answer(&environment, mode));
            let answers = answers.into_iter().collect::<Result<Vec<Answer>>>()?;
            let good = answers.iter().filter(|answer| answer.trouble.is_none()).count();
            step.done(&format!("{good} of {} runs are right", answers.len()));
            row.answers.insert(*flavour, answers);
        }
        rows.push(row);
    }
    Ok(rows)
}
