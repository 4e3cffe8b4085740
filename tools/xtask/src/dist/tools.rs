//! What links for an old glibc and packs wheels: a Python environment in the user's cache, made once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::provision::python;
use crate::ui::Step;
use crate::workspace;

/// What the Python environment with the linker has.
const PYTHON_PACKAGES: [&str; 4] =
    ["ziglang==0.17.1", "cargo-zigbuild==0.24.0", "wheel==0.45.1", "zopflipy==1.14"];

/// The Python environment with Zig's linker, cargo-zigbuild, `wheel` and Zopfli, made if it is not there. It cannot be moved, so that it is
/// filled in its place.
///
/// # Errors
/// A package cannot be downloaded.
pub(super) fn python_environment() -> Result<PathBuf> {
    let root = workspace::tools().join("python");
    let content = PYTHON_PACKAGES.join(" ");
    let stamp = root.join("packages");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == content) {
        return Ok(root);
    }
    let step = Step::start("installing Zig's linker, once");
    fs::create_dir_all(workspace::tools())?;
    process::output(Command::new(python::any()?).args(["-m", "venv", "--clear"]).arg(&root))?;
    let mut pip = Command::new(bin(&root, "python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PYTHON_PACKAGES);
    process::output(&mut pip).context("Zig's linker cannot be installed")?;
    fs::write(&stamp, content)?;
    step.done("");
    Ok(root)
}

/// A program of a Python environment.
pub(super) fn bin(root: &Path, name: &str) -> PathBuf {
    root.join("bin").join(name)
}
