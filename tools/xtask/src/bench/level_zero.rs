//! What operations cost on the Level Zero plugin, beside Intel's plugin, on the software driver: driver calls and time.

use std::process::Command;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::bench::stats::{Paired, median};
use crate::page::Page;
use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::level_zero;
use crate::release;
use crate::releases::Release;
use crate::ui::Step;

/// Processes whose rounds are taken together: memory lies differently in each.
const PROCESSES: usize = 13;

/// One operation, as `pi-level-zero-cost` prints it: ours first, then the vendor's.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    name: String,
    calls: [f64; 2],
    rounds: [Vec<f64>; 2],
}

/// Builds, measures, shows.
pub(super) fn run(
    release: &'static Release,
    quick: bool,
    json: bool,
    report: bool,
    no_build: bool,
) -> Result<bool> {
    if !no_build {
        release::build(Backend::LevelZero.packages())?;
        release::build(&["benches-level-zero"])?;
    }
    let mut text = String::new();
    let mut good = true;
    for (title, flag) in [("In-order queue", None), ("Out-of-order queue", Some("--out-of-order"))] {
        let lines = measure(release, quick, flag)?;
        good &= lines.iter().all(|line| line.calls[0] <= line.calls[1] + 0.005);
        if json {
            println!("{}", serde_json::to_string(&lines)?);
        } else {
            println!("{title}\n\n{}\n", table(&lines));
        }
        text.push_str(&format!("\n{title}:\n\n{}\n", table(&lines)));
    }
    if report {
        let head = format!("Beside the plugin of release {} (PI {}).\n", release.version, release.pi);
        Page::new("level-zero.md").write("costs", &(head + &text))?;
    }
    Ok(good)
}

fn measure(release: &'static Release, quick: bool, flag: Option<&str>) -> Result<Vec<Line>> {
    let environment = environment::ensure_for(release, Flavour::Vendor, Backend::LevelZero)?;
    let variables = environment.variables()?;
    let step = Step::start("counting and timing operations of both plugins");
    let run = || -> Result<Vec<Line>> {
        let mut command = Command::new(release::file("pi-level-zero-cost"));
        command.arg("--ours").arg(Backend::LevelZero.our_plugin()).arg("--vendor").arg(environment.plugin());
        command.args(["--rounds", if quick { "11" } else { "21" }]).args(flag);
        command.envs(variables.iter().cloned());
        // The vendor's plugin gets addresses of variables only where the driver does not want to be asked at build time.
        command.env("PI_SOFT_ZE_TAKE_ADDRESS", "0");
        let (name, minor) = level_zero::KEEPS_ORDER;
        command.env(name, minor);
        Ok(serde_json::from_str(&process::text(&mut command)?)?)
    };
    let mut lines = run()?;
    for number in 1..if quick { 1 } else { PROCESSES } {
        step.note(&format!("process {} of {PROCESSES}", number + 1));
        for (line, more) in lines.iter_mut().zip(run()?) {
            let [ours, vendor] = more.rounds;
            line.rounds[0].extend(ours);
            line.rounds[1].extend(vendor);
        }
    }
    step.done("");
    Ok(lines)
}

fn table(lines: &[Line]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "operation",
        "driver calls: ours",
        "Intel's",
        "ns: ours",
        "Intel's",
        "ratio of time",
        "99 % confidence",
    ]);
    for line in lines {
        let [ours, vendor] = &line.rounds;
        let ratio = Paired::of(ours.iter().zip(vendor).map(|(ours, vendor)| ours / vendor));
        table.add_row([
            line.name.clone(),
            format!("{:.2}", line.calls[0]),
            format!("{:.2}", line.calls[1]),
            format!("{:.0}", median(ours)),
            format!("{:.0}", median(vendor)),
            format!("{:.2}", ratio.median),
            format!("{:.2} to {:.2}", ratio.confidence[0], ratio.confidence[1]),
        ]);
    }
    table
}
