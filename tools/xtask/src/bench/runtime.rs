//! `cargo xtask bench --runtime`: what the runtime adds to a launch, and what its registry costs.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::backend::Backend;
use crate::bench::stats::Paired;
use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::ui::Step;
use crate::{release, workspace};

/// A launch through the runtime may cost this much more than by the table, in nanoseconds.
const LAUNCH: f64 = 120.0;
/// 10,000 images with 100,000 symbols are registered within this time, and one of their kernels found.
const REGISTERED: f64 = 1e9;
const FOUND: f64 = 1000.0;

/// The layout of memory differs between processes, and has more effect than the measured code.
const PROCESSES: usize = 15;

/// A line of `runtime-bench`.
#[derive(Debug, Deserialize)]
struct Line {
    what: String,
    median: f64,
    rounds: usize,
}

/// A measurement of several processes.
struct Measured {
    what: String,
    /// The median of the processes' medians.
    median: f64,
    /// The middle half of the processes' medians.
    quartiles: [f64; 2],
    rounds: usize,
}

impl Measured {
    fn of(lines: &[&Line]) -> Option<Self> {
        let Paired { median, quartiles, .. } = Paired::of(lines.iter().map(|line| line.median));
        Some(Self {
            what: lines.first()?.what.clone(),
            median,
            quartiles,
            rounds: lines.iter().map(|line| line.rounds).sum(),
        })
    }
}

/// Builds, measures on Intel's CPU runtime, shows; ends with 1 where a limit is passed.
pub(crate) fn run(no_build: bool) -> Result<ExitCode> {
    if !no_build {
        release::build(Backend::OpenCl.packages())?;
        let step = Step::start("building the runtime's benchmark");
        let mut command = process::cargo();
        command.args(["build", "--release", "--package", "pi-benches", "--bin", "runtime-bench"]);
        process::output(command.arg("--target-dir").arg(workspace::target()))?;
        step.done("");
    }
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let mut command = Command::new(release::file("runtime-bench"));
    command.arg(workspace::our_plugin()).arg(workspace::root().join("runtime/image/tests/images"));
    command.envs(environment.variables().map(|(name, value)| (name, OsString::from(value))));
    let step = Step::start("measuring the runtime");
    let mut processes: Vec<Vec<Line>> = Vec::new();
    for number in 1..=PROCESSES {
        step.note(&format!("process {number} of {PROCESSES}"));
        let text = process::text(&mut command)?;
        let read =
            |line| serde_json::from_str(line).with_context(|| format!("runtime-bench printed {line:?}"));
        processes.push(text.lines().map(read).collect::<Result<_>>()?);
    }
    step.done("");
    let lines = processes.first().map_or(0, Vec::len);
    let of_all = |index| processes.iter().filter_map(|lines| lines.get(index)).collect::<Vec<&Line>>();
    let all: Vec<Measured> = (0..lines).filter_map(|index| Measured::of(&of_all(index))).collect();
    println!(
        "| what | median of {PROCESSES} processes | their middle half | rounds |\n| --- | --- | --- | --- |"
    );
    for one in &all {
        let [low, high] = one.quartiles.map(in_words);
        println!("| {} | {} | {low} to {high} | {} |", one.what, in_words(one.median), one.rounds);
    }
    let beyond: Vec<&Measured> = all.iter().filter(|one| one.median > limit(&one.what)).collect();
    for one in &beyond {
        println!("{}: {}, where {} is the limit", one.what, in_words(one.median), in_words(limit(&one.what)));
    }
    Ok(if beyond.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn limit(what: &str) -> f64 {
    match what {
        "what the runtime adds" => LAUNCH,
        "a kernel found among them" => FOUND,
        what if what.ends_with("registered") => REGISTERED,
        _ => f64::INFINITY,
    }
}

/// `120 ns`, `3.4 ms`
fn in_words(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e4 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} us", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}
