//! `cargo xtask stock-images`: every device image of dpctl, dpnp and oneMKL described, dpctl's kernels built through the
//! runtime, and kernels chosen at random launched and checked.

mod page;
mod run;
pub(crate) mod wheels;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;
use testing_process::End;

use crate::backend::Backend;
use crate::images::bare;
use crate::provision::opencl::{self, Driver, OpenClEnvironment};
use crate::totals::{self, Totals};
use crate::ui::Step;
use crate::{process, release, workspace};
use run::{Built, Described, How, Launched};
use wheels::Library;

/// Arguments of `stock-images`.
#[derive(Debug, Args)]
pub(crate) struct StockImagesArgs {
    /// Only packages whose name and version start like this, such as dpctl-0.19 (repeatable)
    #[arg(long, value_name = "NAME")]
    package: Vec<String>,
    /// Build every N-th kernel of each library instead of all
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Build without the drivers' vectorizer (CL_CONFIG_CPU_VECTORIZER_MODE=1), which takes more than half of the time
    #[arg(long)]
    scalar: bool,
    /// How many kernels are launched on each driver
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    launches: usize,
    /// What chooses the kernels that are launched
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Build the kernels of these packages only, such as dpctl-0.19 (repeatable); by default dpctl's
    #[arg(long, value_name = "NAME", default_value = "dpctl")]
    build: Vec<String>,
    /// Where the tables are written, instead of target/stock-images/tables.md
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl StockImagesArgs {
    fn how(&self) -> How {
        How { step: self.every.max(1), scalar: self.scalar }
    }
}

/// A driver with what came of the kernels on it.
struct OnDriver {
    driver: Driver,
    /// For each library that was built, its place in the list.
    built: Vec<(usize, Built)>,
    launched: Vec<Launched>,
}

const DRIVERS: [Driver; 2] = [Driver::Intel2023, Driver::IntelCurrent];

/// Describes, builds and launches, and writes the page; fails if an image cannot be read, a result is wrong, or a process ended
/// that does not end with the driver alone.
pub(crate) fn run(args: &StockImagesArgs) -> Result<ExitCode> {
    build_programs()?;
    let libraries = wheels::libraries(&args.package)?;
    let described = describe(&libraries)?;
    let mut drivers = Vec::new();
    for driver in DRIVERS {
        drivers.push((driver, opencl::ensure(driver)?));
    }
    let on_drivers: Vec<Result<OnDriver>> = std::thread::scope(|scope| {
        let start = |(driver, environment)| {
            let (libraries, described) = (&libraries, &described);
            scope.spawn(move || on_driver(args, libraries, described, driver, &environment))
        };
        let running: Vec<_> = drivers.into_iter().map(start).collect();
        let joined =
            |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|_| bail!("a panic"));
        running.into_iter().map(joined).collect()
    });
    let on_drivers = on_drivers.into_iter().collect::<Result<Vec<OnDriver>>>()?;
    let mut problems = problems(&libraries, &described);
    for on in &on_drivers {
        problems.extend(mistakes(&libraries, on, args.how())?);
    }
    let text = page::tables(args.how(), &libraries, &described, &on_drivers);
    let file = args.out.clone().unwrap_or_else(|| workspace::target().join("stock-images/tables.md"));
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{} has the tables", file.display());
    problems.iter().for_each(|problem| println!("{problem}"));
    println!("{} libraries, {} problems", libraries.len(), problems.len());
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A small sample for the tests: three packages, every 400th kernel and ten launches on one driver.
pub(crate) fn sample() -> Result<Totals> {
    build_programs()?;
    let packages = ["dpctl-0.14.5", "dpctl-0.22.1", "onemkl-sycl-distributed-dft"].map(str::to_owned);
    let libraries = wheels::libraries(&packages)?;
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let args = StockImagesArgs {
        package: Vec::new(),
        every: 400,
        scalar: false,
        launches: 10,
        seed: 7,
        build: vec!["dpctl".into()],
        out: None,
    };
    totals::step("images of dpctl and oneMKL", || {
        let described = describe(&libraries)?;
        let on = on_driver(&args, &libraries, &described, Driver::IntelCurrent, &environment)?;
        let mut problems = problems(&libraries, &described);
        problems.extend(mistakes(&libraries, &on, args.how())?);
        problems.iter().for_each(|problem| println!("{problem}"));
        let built = on.built.iter().map(|(_, built)| built.built as usize).sum::<usize>();
        let passed = libraries.len() + built + on.launched.len() - problems.len();
        Ok(Totals { passed, failed: problems.len(), skipped: 0 })
    })
}

fn build_programs() -> Result<()> {
    release::build(Backend::OpenCl.packages())?;
    let step = Step::start("build of stock-kernels");
    let mut command = process::cargo();
    command.args(["build", "--release", "-p", "testing-programs", "--bin", "stock-kernels", "--target-dir"]);
    process::output(command.arg(workspace::target()))?;
    step.done("");
    Ok(())
}

fn describe(libraries: &[Library]) -> Result<Vec<Described>> {
    let step = Step::start(format!("reading the images of {} libraries", libraries.len()));
    let mut all = Vec::new();
    for library in libraries {
        step.note(&format!("{}, {}", library.package, library.name));
        all.push(run::describe(library)?);
    }
    step.done(&format!("{} images", all.iter().map(|found| found.images).sum::<u64>()));
    Ok(all)
}

fn on_driver(
    args: &StockImagesArgs,
    libraries: &[Library],
    described: &[Described],
    driver: Driver,
    environment: &OpenClEnvironment,
) -> Result<OnDriver> {
    let mut built = Vec::new();
    let with_kernels =
        || libraries.iter().zip(described).enumerate().filter(|(_, (_, found))| found.kernels > 0);
    let is_built = |library: &Library| {
        let package = library.package.replace(' ', "-");
        args.build.iter().any(|name| package.starts_with(name.as_str()))
    };
    for (at, (library, _)) in with_kernels().filter(|(_, (library, _))| is_built(library)) {
        let step = Step::start(format!("kernels of {}, {}, on {driver}", library.package, library.name));
        let found = run::build(library, driver, environment, args.how())?;
        step.done(&format!("{} built", found.built));
        built.push((at, found));
    }
    let arrays = with_kernels().map(|(_, (library, _))| library).filter(|library| {
        library.name.starts_with("_tensor_") || library.name.starts_with("libdpnp_backend")
    });
    let step = Step::start(format!("{} launches on {driver}", args.launches));
    let launched = run::launch(&arrays.collect::<Vec<_>>(), environment, args.seed, args.launches)?;
    step.done(&format!("{} right", launched.iter().filter(|one| one.outcome == "right").count()));
    Ok(OnDriver { driver, built, launched })
}

/// What cannot be read, and libraries whose images are not those that the linker lists.
fn problems(libraries: &[Library], described: &[Described]) -> Vec<String> {
    let mut problems = Vec::new();
    for (library, found) in libraries.iter().zip(described) {
        problems.extend(found.unreadable.iter().cloned());
        if found.images != found.listed {
            let (package, name) = (&library.package, &library.name);
            problems
                .push(format!("{package}, {name}: {} images found, {} listed", found.images, found.listed));
        }
    }
    problems
}

/// Wrong results, and crashes that are not the driver's own.
fn mistakes(libraries: &[Library], on: &OnDriver, how: How) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for one in on.launched.iter().filter(|one| !["right", "refused"].contains(&one.outcome.as_str())) {
        problems.push(format!(
            "{}, {} of {}: {} {}",
            on.driver, one.kernel, one.library, one.outcome, one.detail
        ));
    }
    for (at, built) in &on.built {
        let Some(library) = libraries.get(*at) else { continue };
        let crashed: BTreeMap<&String, &String> =
            built.crashed.iter().map(|(kernel, end)| (kernel, end)).collect();
        for (kernel, end) in crashed {
            if !dies_alone(library, kernel, on.driver, how)? {
                let (driver, package) = (on.driver, &library.package);
                problems.push(format!("{driver}, {package}, {kernel}: {end}, and not with the driver alone"));
            }
        }
    }
    Ok(problems)
}

/// Whether the driver ends a process that has nothing but the driver and the kernel's image, or does not come back, in one of many runs.
fn dies_alone(library: &Library, kernel: &str, driver: Driver, how: How) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let code: &Path = &folder.path().join("kernel.spv");
    run::code(library, kernel, code)?;
    let (program, environment) = (bare::program()?, opencl::ensure(driver)?);
    for _ in 0..4 * run::TRIES {
        let mut command = Command::new(&program);
        command.arg(code).args(["build", ""]).envs(environment.variables()).envs(how.variables());
        let end = testing_process::run(&mut command, run::LIMIT)?.end;
        if matches!(end, End::Signal(_)) || end.is_timeout() {
            return Ok(true);
        }
    }
    Ok(false)
}
