//! `cargo xtask nvvm`: the SPIR-V of stock dpctl and dpnp through the translator, libnvvm and ptxas; and damaged modules through the
//! translator. No GPU is needed.

mod modules;
mod mutants;
mod page;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use crate::page::Page;
use crate::stock_images::wheels::{self, Library};
use crate::totals::{self, Totals};
use modules::{Asked, Checked};

/// The clients of each DPC++ release.
const RELEASES: [(&str, [&str; 2]); 5] = [
    ("2023.2.4", ["dpctl-0.14.5", "dpnp-0.12.1"]),
    ("2024.0.3", ["dpctl-0.15.0", "dpnp-0.13.0"]),
    ("2024.1.2", ["dpctl-0.16.0", "dpnp-0.14.0"]),
    ("2024.2.2", ["dpctl-0.17.0", "dpnp-0.15.0"]),
    ("2026.2.0", ["dpctl-0.22.1", "dpnp-0.20.0"]),
];

/// Those that are taken where none is named.
const DEFAULT: [&str; 3] = ["2023.2.4", "2024.2.2", "2026.2.0"];

/// Arguments of `nvvm`.
#[derive(Debug, Args)]
pub(crate) struct NvvmArgs {
    /// Only the clients of this DPC++ release (repeatable); by default 2023.2.4, 2024.2.2 and 2026.2.0
    #[arg(long, value_name = "VERSION")]
    release: Vec<String>,
    /// Compile and assemble every module: hours on two cores
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// How many modules are compiled and assembled; every module is translated
    #[arg(long, value_name = "COUNT", default_value_t = 120)]
    sample: usize,
    /// What chooses the sample, and what damages modules
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How many modules are worked on at once; by default one for each core
    #[arg(long, value_name = "COUNT")]
    jobs: Option<usize>,
    /// Translate so many damaged modules instead: none may panic, hang or grow
    #[arg(long, value_name = "COUNT")]
    fuzz: Option<u64>,
    /// Run so many mutated modules instead, on the software GPU and on Intel's CPU runtime: both give the same
    #[arg(long, value_name = "COUNT", conflicts_with = "fuzz")]
    mutate: Option<u64>,
    /// Write docs/reports/nvvm.md
    #[arg(long)]
    report: bool,
}

/// Checks or fuzzes, prints a table, and fails if a module did.
pub(crate) fn run(args: &NvvmArgs) -> Result<ExitCode> {
    if let Some(count) = args.mutate {
        let mutated = mutants::mutate(count, args.seed)?;
        println!("{mutated}");
        return Ok(if mutated.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let libraries = libraries(&args.release)?;
    let asked = Asked {
        jobs: args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        seed: args.seed,
        sample: (!args.all).then_some(args.sample),
    };
    if let Some(count) = args.fuzz {
        let fuzzed = modules::fuzz(&libraries, &asked, count)?;
        println!("{fuzzed}");
        return Ok(if fuzzed.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let checked = modules::check(&libraries, &asked)?;
    println!("{}", page::table(&checked));
    println!("{}", page::summary(&checked, &asked));
    if args.report {
        let part = if args.all { "all" } else { "sample" };
        Page::new("nvvm.md").write(part, &page::part(&checked, &asked))?;
    }
    Ok(if checked.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn libraries(releases: &[String]) -> Result<Vec<Library>> {
    let names: Vec<&str> = match releases {
        [] => DEFAULT.to_vec(),
        _ => releases.iter().map(String::as_str).collect(),
    };
    let mut packages = Vec::new();
    for name in names {
        let Some((_, clients)) = RELEASES.iter().find(|(release, _)| *release == name) else {
            let known: Vec<&str> = RELEASES.iter().map(|(release, _)| *release).collect();
            bail!("release {name} is not among those with SPIR-V: {}", known.join(", "));
        };
        packages.extend(clients.map(str::to_owned));
    }
    wheels::libraries(&packages)
}

/// For the tests: the modules of one release translated, some compiled and assembled, some damaged; less than a minute.
pub(crate) fn sample() -> Result<Totals> {
    let libraries = libraries(&["2026.2.0".to_owned()])?;
    let asked = Asked {
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        seed: 7,
        sample: Some(30),
    };
    let mut sum = totals::step("SPIR-V of dpctl and dpnp for NVIDIA GPUs", || {
        let checked = modules::check(&libraries, &asked)?;
        if checked.failed() > 0 {
            println!("{}", page::summary(&checked, &asked));
        }
        Ok(totals_of(&checked))
    })?;
    sum += totals::step("damaged SPIR-V through the translator", || {
        let fuzzed = modules::fuzz(&libraries, &asked, 20_000)?;
        if !fuzzed.broken.is_empty() {
            println!("{fuzzed}");
        }
        Ok(Totals { passed: 1, failed: fuzzed.broken.len(), skipped: 0 })
    })?;
    sum += totals::step("mutated SPIR-V on the software GPU, and on Intel's CPU runtime", || {
        let mutated = mutants::mutate(MUTANTS, asked.seed)?;
        if !mutated.broken.is_empty() {
            println!("{mutated}");
        }
        Ok(Totals {
            passed: MUTANTS as usize - mutated.broken.len(),
            failed: mutated.broken.len(),
            skipped: 0,
        })
    })?;
    Ok(sum)
}

/// How many mutated modules the tests run.
const MUTANTS: u64 = 60;

fn totals_of(checked: &Checked) -> Totals {
    let failed = checked.failed();
    Totals { passed: checked.libraries.iter().map(|row| row.translated).sum::<usize>(), failed, skipped: 0 }
}
