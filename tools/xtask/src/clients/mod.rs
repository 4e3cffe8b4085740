//! `cargo xtask clients`: stock clients' own test suites on the vendor's plugin or adapter and on ours, compared test by test.

mod cache;
mod compare;
mod cuda;
mod events;
mod level_zero;
mod ours;
mod pytest;
mod report;
mod results;
mod smoke;
mod suite;

pub(crate) use ours::{run_in, run_on_ours};

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::backend::Backend;
use crate::clients::compare::{Comparison, DifferenceKind};
use crate::clients::results::SuiteResult;
use crate::page::Page;
use crate::plugin;
use crate::provision;
use crate::provision::environment::{self, Environment, Flavour};
use crate::release;
use crate::releases::{self, MORE, RELEASES, Release, WITH_DPNP};

/// Whose plugins or adapters a run is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// The one of this repository
    Ours,
    /// The one that came with the release
    Vendor,
    /// One after the other
    Both,
}

/// Arguments of `clients`.
#[derive(Debug, Args)]
pub(crate) struct ClientsArgs {
    /// A release of DPC++, with dpctl if no other client is named: 2024.0.3, 2024.0.3-numba-dpex (repeatable)
    #[arg(long, value_parser = releases::find_any)]
    release: Vec<&'static Release>,
    /// All releases with dpctl, and for OpenCL the other clients
    #[arg(long, conflicts_with = "release")]
    all: bool,
    /// Which of the release's plugins or adapters
    #[arg(long, value_enum, default_value_t = Backend::OpenCl)]
    backend: Backend,
    /// Whose plugin or adapter
    #[arg(long, value_enum, default_value_t = Which::Both)]
    plugin: Which,
    /// A file that counts as ours, instead of the one in target/release
    #[arg(long, value_name = "FILE")]
    plugin_file: Option<PathBuf>,
    /// Use what target/release holds
    #[arg(long)]
    no_build: bool,
    /// Test processes at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Run again even where a result for the same file is there
    #[arg(long)]
    fresh: bool,
    /// Only test files whose path contains this. The result is shown and not kept
    #[arg(long)]
    only: Option<String>,
    /// Only every so many-th test file: a sample. Its result takes the place of the suite's
    #[arg(long, default_value_t = 1, value_parser = every)]
    every: usize,
    /// Have ours log its calls in target/clients/results/logs. The result is shown and not kept
    #[arg(long)]
    log: bool,
    /// Instead of the suite, start a dpnp program three times with one persistent cache, and check that it works
    #[arg(long, conflicts_with_all = ["only", "log"])]
    cache: bool,
    /// Instead of the suite, run a small program in each way that a loader can call an adapter. Without a release: on all with adapters
    #[arg(long, conflicts_with_all = ["only", "log", "cache"])]
    smoke: bool,
    /// Write docs/reports/clients.md, or the part of the backend, from all results at hand
    #[arg(long)]
    report: bool,
}

fn every(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|every| *every > 0).ok_or_else(|| format!("{text} is no positive number"))
}

impl ClientsArgs {
    /// Whether results are of whole suites as users run them, and are kept and compared.
    fn is_kept(&self) -> bool {
        self.only.is_none() && !self.log
    }
}

/// Runs what was asked for; ends with 1 if something works with the vendor's and not with ours.
pub(crate) fn run(args: &ClientsArgs) -> Result<ExitCode> {
    let releases = if args.all { all(args.backend) } else { args.release.clone() };
    if args.smoke {
        return smoke_of(&args.release, args);
    }
    if releases.is_empty() && !args.report {
        bail!("say which release (--release 2023.2.4) or --all");
    }
    if args.plugin != Which::Vendor && args.plugin_file.is_none() && !args.no_build && !releases.is_empty() {
        for release in &releases {
            release::build(plugin::packages(release, args.backend))?;
        }
    }
    let good = if args.cache { cache_of(&releases, args)? } else { suites_of(&releases, args)? };
    let good = if args.report { report_all(args)? && good } else { good };
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the small program on releases with adapters; ends with 1 if ours does not do what the vendor's does.
fn smoke_of(releases: &[&'static Release], args: &ClientsArgs) -> Result<ExitCode> {
    if args.backend != Backend::OpenCl {
        bail!("the small program runs on OpenCL devices only");
    }
    if args.plugin != Which::Vendor && args.plugin_file.is_none() && !args.no_build {
        release::build(args.backend.adapter_packages())?;
    }
    let rows =
        smoke::run(releases, &flavours(args.plugin), |release, flavour| ready(release, flavour, args))?;
    let text = smoke::text(&rows)?;
    println!("{text}");
    if args.report {
        Page::new("clients.md").write("smoke", &text)?;
    }
    let good = rows.iter().all(smoke::Row::is_good);
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// For each of these releases, whether the small program does on our adapter what it does on the vendor's.
pub(crate) fn smoke_beside_vendors(releases: &[&'static Release]) -> Result<Vec<(String, bool)>> {
    let flavours = [Flavour::Vendor, Flavour::Ours];
    let environment = |release, flavour| match flavour {
        Flavour::Vendor => environment::ensure(release, Flavour::Vendor),
        Flavour::Ours => plugin::environment(release, Backend::OpenCl, None),
    };
    let rows = smoke::run(releases, &flavours, environment)?;
    Ok(rows.iter().map(|row| (row.name(), row.is_good())).collect())
}

/// Every release with dpctl; for OpenCL the other clients too, which the table of Level Zero does not have.
fn all(backend: Backend) -> Vec<&'static Release> {
    let more = if backend == Backend::OpenCl { MORE } else { &[] };
    RELEASES.iter().chain(more).chain(releases::with_adapters()).collect()
}

/// Runs the suites and compares them; true if no test is worse with ours.
fn suites_of(releases: &[&'static Release], args: &ClientsArgs) -> Result<bool> {
    let mut good = true;
    for release in releases {
        for flavour in flavours(args.plugin) {
            let missing = missing(release, flavour, args.backend)?;
            if missing.is_empty() {
                run_one(release, flavour, args)?;
            } else {
                let names = missing.join(", ");
                println!(
                    "{}: {} cannot be loaded: the loader has no {names}",
                    release.name(),
                    flavour.plugin(release)
                );
            }
        }
        if args.plugin == Which::Vendor || !args.is_kept() {
            continue;
        }
        let load = |flavour| SuiteResult::load(release, flavour, args.backend);
        let (vendor, ours) = (load(Flavour::Vendor), load(Flavour::Ours));
        if args.backend == Backend::Cuda {
            good &= vendor.zip(ours).is_none_or(|(vendor, ours)| cuda::show(&vendor, &ours));
            continue;
        }
        if let (Some(vendor), Some(ours)) = (vendor, ours)
            && vendor.every == ours.every
        {
            let comparison = compare::compare(release, &vendor, &ours)?;
            good &= show_comparison(release, &comparison);
        }
    }
    Ok(good)
}

/// What keeps the vendor's plugin or adapter from being loaded.
fn missing(release: &'static Release, flavour: Flavour, backend: Backend) -> Result<Vec<String>> {
    if flavour == Flavour::Ours || backend != Backend::LevelZero {
        return Ok(Vec::new());
    }
    Ok(provision::level_zero::missing_functions(environment::ensure_for(release, flavour, backend)?.plugin()))
}

/// Says how two runs differ; true if no test is worse with ours.
fn show_comparison(release: &Release, comparison: &Comparison) -> bool {
    let worse: Vec<_> = comparison.of_kind(DifferenceKind::Regression).collect();
    for difference in &worse {
        println!("worse: {} {}: {}", release.name(), difference.name, difference.why);
    }
    let count = |kind| comparison.of_kind(kind).count();
    println!(
        "{}: {} worse with our {}, {} flaky, {} better",
        release.name(),
        worse.len(),
        release.loads(),
        count(DifferenceKind::Flaky),
        count(DifferenceKind::Better)
    );
    worse.is_empty()
}

/// The release itself if it has dpnp, else its counterpart that has.
fn with_dpnp(release: &'static Release) -> Option<&'static Release> {
    let has_dpnp = |release: &Release| release.clients.iter().any(|pin| pin.name == "dpnp");
    let counterpart = (WITH_DPNP.version == release.version).then_some(&WITH_DPNP);
    if has_dpnp(release) { Some(release) } else { counterpart }
}

/// Measures the persistent cache; true if it works with each plugin asked for.
fn cache_of(releases: &[&'static Release], args: &ClientsArgs) -> Result<bool> {
    let mut measured = Vec::new();
    for release in releases.iter().filter_map(|release| with_dpnp(release)) {
        for flavour in flavours(args.plugin) {
            let environment = ready(release, flavour, args)?;
            measured.push(cache::measure(release, flavour, &environment)?);
        }
    }
    if measured.is_empty() {
        bail!("none of these releases has dpnp; 2023.2.4 has");
    }
    println!("{}", cache::text(&measured).trim());
    cache::store(&measured)?;
    Ok(measured.iter().all(cache::CacheResult::works))
}

/// Writes the report; true if it is complete (where that was asked for) and shows no test worse with ours.
fn report_all(args: &ClientsArgs) -> Result<bool> {
    match args.backend {
        Backend::OpenCl => {}
        Backend::LevelZero => return level_zero::write(),
        Backend::Cuda => return cuda::write(),
    }
    let clean = report::write()?;
    println!("wrote {}", report::path().display());
    Ok(clean || !args.all)
}

fn flavours(which: Which) -> Vec<Flavour> {
    match which {
        Which::Ours => vec![Flavour::Ours],
        Which::Vendor => vec![Flavour::Vendor],
        Which::Both => vec![Flavour::Vendor, Flavour::Ours],
    }
}

/// Runs one release's suite on one plugin or adapter, unless there is a result already.
fn run_one(release: &'static Release, flavour: Flavour, args: &ClientsArgs) -> Result<SuiteResult> {
    let environment = ready(release, flavour, args)?;
    let sha256 = crate::process::sha256(environment.plugin())?;
    if !args.fresh
        && args.is_kept()
        && let Some(earlier) = SuiteResult::load(release, flavour, args.backend)
        && earlier.plugin_sha256 == sha256
        && earlier.every == args.every
    {
        crate::ui::info(&format!("{} {flavour}: {} (kept)", release.name(), earlier.totals));
        return Ok(earlier);
    }
    let result = suite::run(release, flavour, &environment, args.jobs, args.only.as_deref(), args.every)?;
    if args.is_kept() {
        result.store(release, flavour)?;
    } else {
        show_bad(&result);
    }
    Ok(result)
}

/// A release's environment, with ours in its place where that is meant.
fn ready(release: &'static Release, flavour: Flavour, args: &ClientsArgs) -> Result<Environment> {
    if flavour == Flavour::Vendor {
        return environment::ensure_for(release, flavour, args.backend);
    }
    let environment = plugin::environment(release, args.backend, args.plugin_file.as_deref())?;
    if args.log {
        let name = results::name(&release.name(), flavour, args.backend);
        let file = results::folder().join("logs").join(name).join("plugin.log");
        return Ok(environment.with(vec![("PI_LOG", "debug".into()), ("PI_LOG_FILE", file.into())]));
    }
    Ok(environment)
}

/// The tests that did not pass, for a look at a few files.
fn show_bad(result: &SuiteResult) {
    use results::Outcome::{Passed, Skipped, Xfailed, Xpassed};
    for (name, test) in &result.tests {
        if !matches!(test.outcome, Passed | Skipped | Xfailed | Xpassed) {
            println!("{} {name}: {}", test.outcome, test.why);
        }
    }
}
