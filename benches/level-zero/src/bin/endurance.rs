//! Millions of launches with events waited for in random order: memory stays flat, no event and no list is leaked.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use testing_level_zero::long_run::Endurance;
use testing_level_zero::{Soft, fixture};

/// Launches an empty kernel again and again, and waits for the events in random order.
///
/// The plugin is the one that PI_TEST_PLUGIN names, on the software driver. Ends with 1 if memory or the number of the
/// driver's objects grew.
#[derive(Parser)]
struct Arguments {
    /// Launches
    #[arg(long, default_value_t = 10_000_000)]
    launches: u64,
    /// Seed of the random order
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Memory of this process in KiB.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0)
}

/// Growth that the allocators of plugin, driver and OpenCL runtime may still settle in, in KiB.
const SETTLING: u64 = 4096;

/// Events of one of the driver's pools.
const POOL: u64 = 128;

fn main() -> ExitCode {
    let Arguments { launches, seed } = Arguments::parse();
    let Some(soft) = Soft::find() else {
        eprintln!("error: ZE_ENABLE_ALT_DRIVERS does not name libsoftware_level_zero.so");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let mut endurance = Endurance::new(fixture::plugin(), seed);
    // The first twentieth fills the pools.
    let step = (launches / 20).max(1);
    endurance.run(step);
    let (first, objects) = (resident(), soft.report().alive);
    let mut most = first;
    while endurance.launched < launches {
        endurance.run(step.min(launches - endurance.launched));
        most = most.max(resident());
        if std::io::stderr().is_terminal() || endurance.launched.is_multiple_of(step * 4) {
            let seconds = start.elapsed().as_secs_f64();
            eprintln!("{} of {launches} launches, {} KiB, {seconds:.0} s", endurance.launched, resident());
        }
    }
    let (last, report) = (resident(), soft.report());
    println!("launches {}, events waited for {}", endurance.launched, endurance.waited);
    println!("seconds {:.0}", start.elapsed().as_secs_f64());
    println!("resident KiB: {first} after {step} launches, {last} at the end, {most} at most");
    for (kind, count) in &objects {
        println!(
            "{kind}: {count} after {step} launches, {} at the end",
            report.alive.get(kind).unwrap_or(&0)
        );
    }
    println!("complaints of the driver: {}", report.complaints.len());
    let grown = |kind: &str| {
        let of = |alive: &BTreeMap<String, u64>| alive.get(kind).copied().unwrap_or(0);
        of(&report.alive).saturating_sub(of(&objects))
    };
    // The most events that are under way at a time may be seen late.
    let objects_flat = objects.keys().all(|kind| grown(kind) <= if kind == "event" { POOL } else { 1 });
    let flat = most <= first + SETTLING && objects_flat && report.complaints.is_empty();
    endurance.end();
    let left: u64 = ["event", "event pool", "command list", "kernel", "module", "context"]
        .iter()
        .map(|kind| soft.report().alive.get(*kind).copied().unwrap_or(0))
        .sum();
    println!("driver's objects left after the last release: {left}");
    if flat && left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
