//! `cargo xtask gpu-bundle`: one folder with everything that a machine with a GPU needs to test and time the CUDA plugin.
//!
//! The machine needs NVIDIA's driver and glibc, nothing else. Device code is made here by clang, sources kept beside it.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace;

/// Arguments of `gpu-bundle`.
#[derive(Debug, clap::Args)]
pub(crate) struct GpuBundleArgs {}

/// What is built, and its name in the bundle.
const FILES: [&str; 4] = ["libpi_cuda.so", "pi-cuda-tests", "pi-cuda-cost", "pi-conformance"];

/// Makes the bundle in `target/gpu-bundle`.
pub(crate) fn run(_: &GpuBundleArgs) -> Result<ExitCode> {
    let root = workspace::root();
    let bundle = root.join("target/gpu-bundle");
    run_command(process::cargo().args([
        "build",
        "--release",
        "-p",
        "pi_cuda",
        "-p",
        "pi-cuda-tests",
        "-p",
        "pi-conformance",
    ]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(workspace::target, Into::into);
    let images = bundle.join("images");
    fs::create_dir_all(&images)?;
    for file in FILES {
        fs::copy(target.join("release").join(file), bundle.join(file)).with_context(|| file.to_owned())?;
    }
    let sources = root.join("testing/cuda/kernels");
    for file in ["kernels.cl", "local.ptx"] {
        fs::copy(sources.join(file), images.join(file)).with_context(|| file.to_owned())?;
    }
    run_command(
        Command::new("clang")
            .args(["-target", "nvptx64-nvidia-cuda", "-x", "cl", "-cl-std=CL2.0", "-O2", "-S"])
            .args(["-Xclang", "-target-cpu", "-Xclang", "sm_70"])
            .args(["-Xclang", "-target-feature", "-Xclang", "+ptx63"])
            .arg(sources.join("kernels.cl"))
            .arg("-o")
            .arg(images.join("kernels.ptx")),
    )?;
    let script = bundle.join("run.sh");
    fs::write(&script, include_str!("run.sh"))?;
    make_executable(&script)?;
    Ok(ExitCode::SUCCESS)
}

fn run_command(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).context("run.sh")
}
