//! `cargo xtask fresh-roots`: a stranger's first hour in fresh root file systems of Debian 12, one for each OpenCL library that a system
//! may have: ocl-icd, which does not read OCL_ICD_FILENAMES; Khronos's, as Intel builds it; none. In each: the wheel, `pi doctor`, every
//! line that it prints typed, programs, on stock releases of DPC++.

mod root;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::dist::{self, DistPart};
use crate::provision::debian::inside;
use crate::totals::{self, Totals};
use crate::{process, ui, workspace};
use root::{RELEASES, StockRelease};

/// What runs inside.
const PROGRAM: &str = include_str!("../../dist/fresh_root.py");

/// The OpenCL library of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SystemLibrary {
    /// Debian's
    OclIcd,
    /// Khronos's, as Intel builds it
    Khronos,
    /// There is none
    None,
}

/// Arguments of `fresh-roots`.
#[derive(Debug, Args)]
pub(crate) struct FreshRootsArgs {
    /// The system's OpenCL library (repeatable). Default: each in turn
    #[arg(long, value_enum)]
    library: Vec<SystemLibrary>,
    /// A release: 2024.2.2, 2025.3.3 or 2026.2.0 (repeatable). Default: each in turn
    #[arg(long)]
    release: Vec<String>,
    /// The wheel. Default: the one of `cargo xtask dist wheel`, which is made if it is not there
    #[arg(long, value_name = "FILE")]
    wheel: Option<PathBuf>,
}

/// Runs the program in each root, on each release.
pub(crate) fn run(args: &FreshRootsArgs) -> Result<ExitCode> {
    let sum = tests(args)?;
    totals::print_failures();
    println!("{sum}");
    Ok(if sum.failed == 0 && sum.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tests(args: &FreshRootsArgs) -> Result<Totals> {
    if !process::succeeds(&mut inside(Path::new("/"), Path::new("true"))) {
        bail!("this user may not change the root folder: run it as root");
    }
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => dist::make(&[DistPart::Wheel])?.wheel.context("no wheel was made")?,
    };
    let libraries = if args.library.is_empty() { SystemLibrary::value_variants() } else { &args.library };
    let known = |name: &String| {
        RELEASES
            .iter()
            .find(|release| release.version == name)
            .with_context(|| format!("there is no release {name} here"))
    };
    let releases: Vec<&StockRelease> = match args.release.as_slice() {
        [] => RELEASES.iter().collect(),
        named => named.iter().map(known).collect::<Result<_>>()?,
    };
    let mut sum = Totals::default();
    for library in libraries {
        for release in &releases {
            let title = format!("{} with {library:?} as the system's OpenCL library", release.version);
            sum += totals::step(title, || one(*library, release, &wheel))?;
        }
    }
    Ok(sum)
}

/// A root of its own, which is removed afterwards.
fn one(library: SystemLibrary, release: &StockRelease, wheel: &Path) -> Result<Totals> {
    let wheels = root::wheels(release)?;
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let root = scratch.path().join("root");
    root::copy(library, release, &root)?;
    let name = wheel.file_name().context("the wheel has no name")?;
    fs::copy(wheel, root.join("srv").join(name))
        .with_context(|| format!("{} cannot be copied", wheel.display()))?;
    fs::write(root.join("srv/fresh_root.py"), PROGRAM)?;
    // What is typed inside installs from here, without an index.
    let links = root.join("srv/wheels");
    fs::create_dir(&links)?;
    for file in fs::read_dir(&wheels)?.flatten() {
        fs::hard_link(file.path(), links.join(file.file_name()))
            .or_else(|_| fs::copy(file.path(), links.join(file.file_name())).map(drop))?;
    }
    let mut command = inside(&root, Path::new("/usr/bin/python3"));
    command
        .arg("/srv/fresh_root.py")
        .arg(Path::new("/srv").join(name))
        .arg(root::ENVIRONMENT)
        .args(release.has_dpnp.then_some("dpnp"))
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("HOME", "/root")
        .env("LANG", "C.UTF-8")
        .env("PIP_NO_INDEX", "1")
        .env("PIP_FIND_LINKS", "/srv/wheels");
    ui::info("pi doctor, what it prints, programs");
    Totals::of_last_line(&mut command)
}
