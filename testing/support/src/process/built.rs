//! Builds libraries and programs that tests load and start.

use std::path::PathBuf;
use std::process::Command;
use std::{env, io};

/// Returns the folder that `PI_TEST_BUILT` names, or the one in which this test was built. In the latter case, first
/// builds the packages there.
///
/// # Errors
///
/// Fails if this program has no path, or cargo fails.
pub fn built(packages: &[&str]) -> io::Result<PathBuf> {
    if let Some(folder) = env::var_os("PI_TEST_BUILT") {
        return Ok(folder.into());
    }
    build(packages)
}

/// Builds packages in this program's own profile, and returns the folder.
///
/// # Errors
/// The build failed.
pub fn build(packages: &[&str]) -> io::Result<PathBuf> {
    let this = env::current_exe()?;
    let (Some(built), Some(target)) = (this.ancestors().nth(2), this.ancestors().nth(3)) else {
        return Err(io::Error::other(format!("{} is not in target/PROFILE/deps", this.display())));
    };
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet"]).args(packages.iter().flat_map(|package| ["-p", package]));
    if built.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.arg("--target-dir").arg(target).status()?;
    if status.success() {
        Ok(built.to_path_buf())
    } else {
        Err(io::Error::other(format!("{cargo:?}: {status}")))
    }
}
