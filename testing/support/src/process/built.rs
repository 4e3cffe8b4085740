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
    let built = profile_folder()?;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet"]).args(packages.iter().flat_map(|package| ["-p", package]));
    if built.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.arg("--target-dir").arg(built.parent().unwrap_or(&built)).status()?;
    if status.success() { Ok(built) } else { Err(io::Error::other(format!("{cargo:?}: {status}"))) }
}

/// Returns the folder of this test's profile, which has the examples and programs of the same build.
///
/// # Errors
/// This program has no path, or is not in such a folder.
pub fn profile_folder() -> io::Result<PathBuf> {
    let this = env::current_exe()?;
    let folder = this.ancestors().nth(2).map(PathBuf::from);
    folder.ok_or_else(|| io::Error::other(format!("{} is not in target/PROFILE/deps", this.display())))
}
