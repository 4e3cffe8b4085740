//! `cargo xtask test`: installs what is missing, then runs all tests, or samples of the day. The last lines repeat the
//! failures and contain the totals.

mod cargo;
mod clients;
mod cpp;
mod ctests;
mod cuda;
mod drivers;
mod harness;
mod image_tools;
mod level_zero;
mod nvvm;
mod order;
mod processes;
mod quick;
mod random_calls;
mod robustness;
mod runtime;

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};

use crate::provision::python;
pub(crate) use crate::test::order::{OrderArgs, run_long as order};
pub(crate) use crate::test::random_calls::{RandomCallsArgs, run_long as random_calls};
use crate::totals::{self, Totals};
use crate::ui::{self, Clock};
use crate::{conformance, process, release, script, test_programs};

/// A part of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Unit, golden and documentation tests of every crate
    Cargo,
    /// C and C++ programs with the header and the built plugin
    Ctests,
    /// The OpenCL plugin on Intel's CPU runtime, old and current, and on PoCL, and rewrites of SPIR-V on a driver of the day
    Drivers,
    /// The device-image tools, with linkers, stock runtimes and Intel's CPU runtime
    Images,
    /// The conformance harness on the OpenCL plugin on the same drivers, and on our adapters, at versions of the day
    Conformance,
    /// The runtime on Intel's CPU runtime, old or current, and on the software Level Zero driver
    Runtime,
    /// The program cache: processes and MPI ranks that share it, the stock libsycl's in the same folder, killed writers
    Caches,
    /// The Level Zero plugin on the software driver with the loader's checks, and on Intel's driver without a GPU
    LevelZero,
    /// The CUDA plugin on the software driver: its tests, the conformance harness, stock releases of DPC++
    Cuda,
    /// SPIR-V for NVIDIA GPUs: the translator's kernels executed on the processor, libnvvm on its output, modules
    /// of dpctl and dpnp
    Nvvm,
    /// Random calls, random commands checked with a model, threads, orders of exit: the short forms of the
    /// robustness tests
    Robustness,
    /// C++ programs with kernels from source text, on stock releases with adapters: the vendor's and ours
    Cpp,
    /// dpctl's own test suite on stock libsycl.so.6 and libsycl.so.7 with our plugin
    Clients,
    /// The packages of a release: the wheel in fresh environments, on stock releases and on an old glibc. Runs only
    /// if it is named, because the packages need a separate build, which takes minutes
    Dist,
}

impl Part {
    /// Returns whether it runs if no part is named.
    fn is_usual(self) -> bool {
        self != Part::Dist
    }

    /// Returns whether it takes minutes. Such parts are started first, so that none runs alone at the end.
    fn is_long(self) -> bool {
        matches!(self, Part::Cuda | Part::Robustness | Part::Nvvm | Part::Cpp | Part::LevelZero)
    }
}

/// Arguments of `test`.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Only this part (repeatable)
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// A first result, within a minute if everything was built before: format, unit tests of the product, OpenCL
    /// tests and conformance on one driver at one PI version, and a file of dpctl's suite
    #[arg(long, conflicts_with = "only")]
    quick: bool,
    /// How many parts run at a time. Most of them keep one processor busy, and three on two processors take longer,
    /// because Intel's CPU runtime waits by spinning. With 1, each step's line also has the processors' time
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    jobs: usize,
}

/// Runs every part, also after a failure, and prints the totals.
pub(crate) fn run(args: &TestArgs) -> Result<ExitCode> {
    let start = Clock::start();
    install_compilers()?;
    let sum = if args.quick { quick::run()? } else { run_parts(&args.only, args.jobs)? };
    totals::print_failures();
    ui::info(&format!("all tests took {start}"));
    println!("{sum}");
    Ok(if sum.failed == 0 && sum.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Installs Debian's compilers of device code, which several parts run.
fn install_compilers() -> Result<()> {
    let compilers = ["clang-15", "llvm-spirv-15"];
    match compilers.iter().all(|name| process::succeeds(Command::new(name).arg("--version"))) {
        true => Ok(()),
        false => python::install_debian_packages(&compilers),
    }
}

fn run_parts(only: &[Part], jobs: usize) -> Result<Totals> {
    let is_chosen = |part: &Part| if only.is_empty() { part.is_usual() } else { only.contains(part) };
    let mut parts: Vec<Part> = Part::value_variants().iter().copied().filter(is_chosen).collect();
    parts.sort_by_key(|part| !part.is_long());
    if only.is_empty() {
        build_everything()?;
    } else if parts.iter().any(|part| part.is_usual()) {
        release::build(release::ALL)?;
    }
    let jobs = jobs.clamp(1, parts.len());
    let (next, sum) = (AtomicUsize::new(0), Mutex::new(Totals::default()));
    ui::side_by_side(jobs > 1);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let totals = timed(*part);
                    *sum.lock().unwrap_or_else(PoisonError::into_inner) += totals;
                }
            });
        }
    });
    ui::side_by_side(false);
    Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Builds what all parts need. The two modes are built in parallel, because each links large libraries one after
/// the other near its end.
fn build_everything() -> Result<()> {
    thread::scope(|scope| {
        let in_release_mode = scope.spawn(release::build_shipped);
        let in_dev_mode = test_programs::build_all();
        in_release_mode.join().map_err(|_| anyhow!("the build panicked"))?.and(in_dev_mode)
    })
}

fn timed(part: Part) -> Totals {
    let start = Clock::start();
    let totals = run_part(part).unwrap_or_else(|error| {
        totals::report_failure(&format!("{part:?} could not be run: {error:#}"));
        Totals::of_one(false)
    });
    ui::info(&format!("{part:?} took {start}"));
    totals
}

fn run_part(part: Part) -> Result<Totals> {
    match part {
        Part::Cargo => cargo::run(),
        Part::Ctests => ctests::run(),
        Part::Drivers => drivers::run(),
        Part::Images => image_tools::run(),
        Part::Conformance => Ok([conformance::ours()?, harness::opencl_without_options()?].into_iter().sum()),
        Part::Runtime => runtime::run(),
        Part::Caches => script::run("testing/cache/caches.py", &["test"]),
        Part::LevelZero => level_zero::run(),
        Part::Cuda => cuda::run(),
        Part::Nvvm => nvvm::run(),
        Part::Robustness => robustness::run(),
        Part::Cpp => cpp::run(),
        Part::Clients => clients::run(),
        Part::Dist => script::run("packaging/tests/run.py", &[]),
    }
}
