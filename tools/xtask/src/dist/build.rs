//! Our libraries and programs, built for an old glibc, with their debugging information in files of its own.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::audit;
use super::tools::{self, bin};
use crate::process;
use crate::ui::Step;

/// The glibc that the files are built for: that of RHEL 7. Packages ask for a newer one, 2.28, but its tests have only this one.
pub(crate) const GLIBC: &str = "2.17";

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The packages that are shipped, and the files that each of them builds.
const SHIPPED: [(&str, &[&str]); 12] = [
    ("pi_opencl", &["libpi_opencl.so"]),
    ("pi_level_zero", &["libpi_level_zero.so"]),
    ("pi_cuda", &["libpi_cuda.so"]),
    ("ur_adapter_opencl", &["libur_adapter_opencl.so"]),
    ("ur_adapter_level_zero", &["libur_adapter_level_zero.so"]),
    ("ur_adapter_cuda", &["libur_adapter_cuda.so"]),
    ("pi_runtime", &["libpi_runtime.so"]),
    ("pi", &["pi", "sycl-aspect-filter"]),
    ("pi-conformance", &["pi-conformance"]),
    // The CUDA plugin looks for this program beside itself.
    ("pi-nvvm", &["pi-nvvm"]),
    ("pi_math", &["libpi_math.so"]),
    // `pi bench` looks for this program beside itself.
    ("pi-benches", &["pi-bench"]),
];

/// The stripped files.
#[derive(Debug)]
pub(crate) struct Built {
    folder: PathBuf,
    debug: PathBuf,
}

impl Built {
    /// Libraries and programs, all in one folder: they look for each other beside themselves.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        names().map(|name| self.folder.join(name)).collect()
    }

    /// One of the files.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// The packages that are shipped, each with its files.
pub(super) fn shipped() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    SHIPPED.iter().copied()
}

/// The packages that are shipped.
pub(super) fn packages() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(package, _)| *package)
}

fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().flat_map(|(_, files)| files.iter().copied())
}

/// Builds the files, and strips copies of them into `parts`.
///
/// # Errors
/// A file needs a newer glibc than [`GLIBC`], or does not compile.
pub(super) fn ensure(parts: &Path) -> Result<Built> {
    let python = tools::python_environment()?;
    let step = Step::start(format!("building for glibc {GLIBC}, the first time for many minutes"));
    // Apart from the workspace's own: the linker is another one, and so is the glibc.
    let target = super::target().join("dist-build");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(std::iter::once(python.join("bin")).chain(env::split_paths(&path)))?;
    let mut cargo = process::cargo();
    cargo.args(["zigbuild", "--release", "--target"]).arg(format!("{TARGET}.{GLIBC}"));
    cargo.arg("--target-dir").arg(&target).args(packages().flat_map(|package| ["--package", package]));
    cargo.env("PATH", path).env("CARGO_ZIGBUILD_ZIG_PATH", bin(&python, "python-zig"));
    // 5 % smaller than with the thin one, whose build is shorter.
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "fat");
    build(&mut cargo, &step)?;
    step.done("");
    let built = Built { folder: parts.join("files"), debug: parts.join("debug") };
    for folder in [&built.folder, &built.debug] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    for name in names() {
        strip(&target.join(TARGET).join("release").join(name), &built, name)?;
    }
    audit::check(&built.files(), GLIBC)?;
    Ok(built)
}

/// Runs cargo, and tells what it compiles.
fn build(cargo: &mut Command, step: &Step) -> Result<()> {
    let mut child = cargo.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let (mut said, mut count) = (Vec::new(), 0);
    for line in BufReader::new(child.stderr.take().context("no pipe")?).lines() {
        let line = line?;
        if let Some(name) = line.trim().strip_prefix("Compiling ") {
            count += 1;
            step.note(&format!("{count} crates, {}", name.split(" (").next().unwrap_or(name)));
        }
        said.push(line);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("cargo failed ({status}):\n{}", said.split_off(said.len().saturating_sub(40)).join("\n"));
    }
    Ok(())
}

/// One archive of the debugging information. A debugger finds a file by the link in the stripped one.
pub(super) fn pack_debug_files(built: &Built, folder: &Path) -> Result<()> {
    let step = Step::start("packing the debugging information");
    let archive = folder.join(format!("sycl-pi-{}-debug.tar.xz", super::VERSION));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "-cJf"]).arg(&archive).env("XZ_OPT", "-2");
    process::output(tar.arg("-C").arg(&built.debug).arg("."))?;
    step.done(&super::size(&archive)?);
    Ok(())
}

/// Copies a file without its debugging information, which goes to a file of its own.
fn strip(file: &Path, built: &Built, name: &str) -> Result<()> {
    let (stripped, debug) = (built.folder.join(name), built.debug.join(format!("{name}.debug")));
    let objcopy = |first: &str, from: &Path, to: &Path| {
        let mut command = Command::new("objcopy");
        command.args([first, "--remove-section=.comment"]);
        process::output(command.arg(from).arg(to)).with_context(|| format!("{name} cannot be stripped"))
    };
    objcopy("--only-keep-debug", file, &debug)?;
    objcopy("--strip-unneeded", file, &stripped)?;
    let mut link = Command::new("objcopy");
    link.arg(format!("--add-gnu-debuglink={}", debug.display())).arg(&stripped);
    process::output(&mut link)?;
    Ok(())
}
