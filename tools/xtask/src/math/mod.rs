//! `cargo xtask math`: the drop-ins for oneMKL's libraries, and dpnp on the software GPU with them.
//!
//! A drop-in is C++ against libsycl's headers. One binary for each major version of libsycl serves all its releases, so it is built with the
//! headers of the oldest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow, bail};

use crate::demo;
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::software_cuda;
use crate::release;
use crate::releases;
use crate::ui::Step;
use crate::workspace;

/// Arguments of `math`.
#[derive(Debug, clap::Args)]
pub(crate) struct MathArgs {
    /// Run testing/cuda/dpctl/math_check.py of dpnp on the software GPU, after an install like a user's
    #[arg(long)]
    check: bool,
    /// Parts of the check: blas, fft, lapack
    #[arg(long = "part", default_values = ["blas", "fft", "lapack"])]
    parts: Vec<String>,
}

/// The oldest release of a major version of libsycl, and the major version of oneMKL that goes with it.
const OLDEST: [(&str, u32); 2] = [("2025.0.5", 5), ("2026.0.0", 6)];

/// The release of the check.
const DPNP: &str = "2026.2.0";
/// The Python that dpnp's wheels are for: 3.12.
const PYTHON: u8 = 12;

/// The stand-in's names.
const NVIDIAS: [&str; 4] = ["libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11"];

/// Builds, and checks if asked.
pub(crate) fn run(args: &MathArgs) -> Result<ExitCode> {
    let folder = build()?;
    println!("{}", folder.display());
    if args.check { check(&folder, &args.parts) } else { Ok(ExitCode::SUCCESS) }
}

/// The glibc that the drop-ins need: the compiler is Debian 12's.
pub(crate) const GLIBC: &str = "2.34";

/// A folder with libpi_math.so and the drop-ins, as `pi install` expects it beside pi.
fn build() -> Result<PathBuf> {
    release::build(&["pi_math"])?;
    let folder = workspace::target().join("math");
    let library = release::file("libpi_math.so");
    drop_ins(&library, &folder)?;
    fs::copy(&library, folder.join("libpi_math.so")).with_context(|| library.display().to_string())?;
    Ok(folder)
}

/// Builds the drop-ins that call `library` into a folder.
pub(crate) fn drop_ins(library: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    for (version, major) in OLDEST {
        let found = releases::find_any(version).map_err(|error| anyhow!(error))?;
        let environment = environment::ensure(found, Flavour::Vendor)?;
        let step = Step::start(format!("drop-ins for oneMKL {major}, with the headers of {version}"));
        let mut script = Command::new(workspace::root().join("runtime/mkl/rim/build.sh"));
        script.arg(environment.root()).arg(major.to_string()).arg(library).arg(folder);
        process::output(&mut script)?;
        step.done("");
    }
    let all = OLDEST.into_iter().flat_map(|(_, major)| {
        ["blas", "dft", "lapack"].map(|part| folder.join(format!("libmkl_sycl_{part}.so.{major}")))
    });
    Ok(all.collect())
}

/// dpnp of an environment of its own, where `pi install --spirv-on-nvidia` has put everything in place.
fn check(folder: &Path, parts: &[String]) -> Result<ExitCode> {
    release::build(&["ur_adapter_cuda", "pi-nvvm", "pi", "software-cuda", "software-nvvm", "software-math"])?;
    let found = releases::find_any(DPNP).map_err(|error| anyhow!(error))?;
    let (stack, _) = demo::choose(Some(found)).with_context(|| format!("no Python here fits {DPNP}"))?;
    let stock = demo::provision(found, stack, PYTHON)?;
    let place = workspace::target().join("math-environment");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let ours = stock.copy_to(&place)?;
    let mut pi = Command::new(release::file("pi"));
    pi.args(["install", "--spirv-on-nvidia", "--plugin"]).arg(release::file("libur_adapter_cuda.so"));
    process::output(pi.arg(ours.root()).env("PI_MATH", folder))?;
    let status = program(&ours, parts)?.status()?;
    fs::remove_dir_all(&place)?;
    if !status.success() {
        bail!("dpnp on the software GPU differs from NumPy");
    }
    Ok(ExitCode::SUCCESS)
}

fn program(ours: &Environment, parts: &[String]) -> Result<Command> {
    let libraries = workspace::target().join("software-math");
    fs::create_dir_all(&libraries)?;
    for name in NVIDIAS {
        fs::copy(release::file("libsoftware_math.so"), libraries.join(name))?;
    }
    let mut python = Command::new(ours.python());
    python.arg(workspace::root().join("testing/cuda/dpctl/math_check.py")).arg("check").args(parts);
    python.envs(software_cuda::variables(&ours.lib())?).env("PI_NVIDIA_LIBRARIES", &libraries);
    Ok(python)
}
