//! `cargo xtask demo`: from nothing to real programs that run through our plugin, with proof that they did.

mod c_program;
mod proof;
mod python_program;

pub(crate) use python_program::{choose, compute, provision};

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::backend::Backend;
use crate::demo::proof::Proof;
use crate::plugin;
use crate::process;
use crate::release;
use crate::releases::{self, Release};
use crate::ui::{self, Step};
use crate::workspace;

/// The release that the C program runs on.
const C_RELEASE: &str = "2023.2.4";

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Use dpnp on this release: 2023.2.4, 2024.2.2, 2026.2.0. Without this, the first of 2026.2.0, 2023.2.4 and 2024.2.2 that a Python here fits
    #[arg(long, value_parser = releases::find_any, conflicts_with = "no_python")]
    release: Option<&'static Release>,
    /// Take the way for machines without a fitting Python: a C program does the same job
    #[arg(long)]
    no_python: bool,
    /// Use what target/release holds
    #[arg(long)]
    no_build: bool,
}

/// Builds, provisions, installs, runs, proves; ends with 1 if a check fails.
pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    let stack = if args.no_python { None } else { python_program::choose(args.release) };
    if let Some(release) = args.release.filter(|_| stack.is_none()) {
        bail!("no dpnp is known for release {}, or no Python here fits it", release.version);
    }
    if stack.is_none() && !args.no_python {
        ui::info(
            "no Python 3.9 to 3.13 found (PYTHON312 and the like can name one): a C program does the job instead",
        );
    }
    let release = stack.as_ref().map_or(C_RELEASE, |(stack, _)| stack.release);
    let release = releases::find_any(release).map_err(anyhow::Error::msg)?;
    if !args.no_build {
        release::build(plugin::packages(release, Backend::OpenCl))?;
    }
    let proof = match stack {
        Some((stack, minor)) => python_program::run(release, stack, minor)?,
        None => c_program::run(release)?,
    };
    let good = proof.show(release)?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Puts our plugin where the libsycl under `root` loads it from.
fn install(root: &Path) -> Result<()> {
    plugin::install(root, &workspace::our_plugin(), &plugin(root))
}

/// The plugin of the runtime under `root`.
fn plugin(root: &Path) -> PathBuf {
    root.join("lib").join(Backend::OpenCl.file_name())
}

/// Where the demo's own files lie.
fn folder() -> PathBuf {
    workspace::target().join("demo")
}

/// Runs one of the two programs with plugin loading traced, and reads what it found.
fn execute(
    mut command: Command,
    plugin: &Path,
    ours: PathBuf,
    picture: PathBuf,
    release: &Release,
) -> Result<Proof> {
    let step = Step::start(format!("computing on DPC++ {}", release.version));
    // A libsycl without plugins refuses to start with this variable.
    if !release.has_adapters() {
        command.env("SYCL_PI_TRACE", "1");
    }
    let output = process::output(&mut command).context("the demo program failed")?;
    // Releases differ in which of the two the trace goes to.
    let text =
        [output.stdout, output.stderr].map(|part| String::from_utf8_lossy(&part).into_owned()).join("\n");
    let proof = Proof::parse(&text, plugin.to_path_buf(), ours, picture)?;
    step.done("");
    Ok(proof)
}
