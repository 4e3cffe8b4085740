//! `cargo xtask test`: all set-up, then every test; one line at the end says how it went.

mod caches;
mod cargo;
mod ctests;
mod cuda;
mod drivers;
mod harness;
mod image_tools;
mod level_zero;
mod processes;
mod random_calls;
mod robustness;
mod runtime;
mod stock;
mod tally;
mod two_libsycl;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::test::tally::Tally;
use crate::{conformance, release, ui};

/// A part of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Unit, golden and documentation tests of every crate
    Cargo,
    /// C and C++ programs on the header and on the built plugin
    Ctests,
    /// The plugin on Intel's CPU runtime, old and current, and on PoCL
    Drivers,
    /// The device-image tools, with linkers, stock runtimes and Intel's CPU runtime
    Images,
    /// The conformance harness on the plugin, at every PI version, on the same drivers
    Conformance,
    /// The runtime's images and behaviours on the same drivers, and on the software Level Zero driver
    Runtime,
    /// The program cache: processes and MPI ranks that share it, the stock libsycl's in the same folder, killed writers
    Caches,
    /// The Level Zero plugin on the software driver with the loader's checks, and on Intel's driver without a GPU
    LevelZero,
    /// The CUDA plugin on the software driver: its tests, the conformance harness, stock releases of DPC++
    Cuda,
    /// Random calls and what else tries to break a plugin, in their short forms
    Robustness,
    /// dpctl's own test suite on stock libsycl.so.6 and libsycl.so.7 with our plugin
    Clients,
}

/// Arguments of `test`.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Only this part (repeatable)
    #[arg(long, value_enum)]
    only: Vec<Part>,
}

/// Runs every part, a failed one included, and ends with the sum.
pub(crate) fn run(args: &TestArgs) -> Result<ExitCode> {
    let parts: Vec<Part> =
        if args.only.is_empty() { Part::value_variants().to_vec() } else { args.only.clone() };
    let start = Instant::now();
    release::build(release::ALL)?;
    let mut total = Tally::default();
    for part in parts {
        let tally = match part {
            Part::Cargo => cargo::run(),
            Part::Ctests => ctests::run(),
            Part::Drivers => drivers::run(),
            Part::Images => image_tools::run(),
            Part::Conformance => {
                conformance::ours().map(|(passed, failed, skipped)| Tally { passed, failed, skipped })
            }
            Part::Runtime => runtime::run(),
            Part::Caches => caches::run(),
            Part::LevelZero => level_zero::run(),
            Part::Cuda => cuda::run(),
            Part::Robustness => robustness::run(),
            Part::Clients => stock::run(),
        };
        total += tally.unwrap_or_else(|error| {
            println!("{part:?}: could not be run: {error:#}");
            Tally::one_failure()
        });
    }
    ui::info(&format!("all tests took {:.0} s", start.elapsed().as_secs_f64()));
    println!("{total}");
    Ok(if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
