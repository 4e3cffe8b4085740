//! `--with-libraries`: makes the environment's pip fetch NVIDIA's libraries before `pi install` changes anything.

use std::io::Write;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use sycl_pi_nvidia_files::{CUBLAS, CUFFT, CUSOLVER, CUSPARSE};

use crate::shell;

/// The package with libnvvm, which compiles SPIR-V.
pub const COMPILER: &str = "nvidia-cuda-nvcc-cu12";

/// The CUDA version whose packages are installed. Drivers of newer versions run them, too.
const CUDA: i32 = 12_090;

/// Returns the packages of an environment in which programs run SPIR-V, products, solvers and transforms on NVIDIA GPUs.
pub fn packages() -> Vec<String> {
    let mut names = vec![COMPILER.to_owned()];
    names.extend([&CUBLAS, &CUFFT, &CUSOLVER, &CUSPARSE].map(|library| library.package(CUDA)));
    names
}

/// Prints the command, and runs it. pip's progress is shown on standard error.
///
/// # Errors
/// Fails if the environment has no Python, or pip does not install the packages.
pub fn install(root: &Path, dry_run: bool) -> Result<()> {
    let python = root.join("bin/python");
    if !python.exists() {
        bail!("{} has no bin/python whose pip could install NVIDIA's libraries", root.display());
    }
    let words = [&["-m", "pip", "install"].map(str::to_owned)[..], &packages()].concat();
    let quoted: Vec<String> = words.iter().map(|word| shell::quoted(word)).collect();
    let plan = if dry_run { "planned" } else { "running" };
    let mut stderr = std::io::stderr();
    // A failure to print cannot be reported.
    let _ = writeln!(stderr, "pi: {plan}: {} {}", shell::path(&python), quoted.join(" "));
    if dry_run {
        return Ok(());
    }
    // Standard output has the report of `pi install` only.
    let progress = stderr.as_fd().try_clone_to_owned()?;
    let status = Command::new(&python).args(words).stdout(progress).status();
    let status = status.with_context(|| format!("{} cannot be run", python.display()))?;
    if !status.success() {
        bail!("pip ended with {status}; nothing else was changed");
    }
    Ok(())
}
