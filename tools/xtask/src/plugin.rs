//! Our plugin: built, and put where a release's libsycl loads it from.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::process;
use crate::ui::Step;
use crate::workspace;

/// Builds the OpenCL plugin and the `pi` tool in release mode, into the workspace's ordinary folder.
pub(crate) fn build() -> Result<()> {
    build_for(Backend::OpenCl)
}

/// Builds a backend's plugin, what it is tested with and the `pi` tool.
pub(crate) fn build_for(backend: Backend) -> Result<()> {
    let step = Step::start("building the plugin and the pi tool in release mode");
    let mut command = process::cargo();
    command.args(["build", "--release"]);
    command.args(backend.packages().iter().flat_map(|package| ["--package", package]));
    command.arg("--target-dir").arg(workspace::target());
    process::output(&mut command)?;
    step.done("");
    Ok(())
}

/// The `pi` tool as [`build`] leaves it.
fn tool() -> PathBuf {
    workspace::target().join("release").join("pi")
}

/// Makes `plugin` the one that the libsycl under `root` loads, by `pi install`, and holds the tool to that: `place` is
/// where this libsycl looks.
pub(crate) fn install(root: &Path, plugin: &Path, place: &Path) -> Result<()> {
    for file in [plugin, &tool()] {
        if !file.exists() {
            bail!("there is no {}; build it first: cargo build --release", file.display());
        }
    }
    let wanted = process::sha256(plugin)?;
    if process::sha256(place)? == wanted {
        return Ok(());
    }
    process::output(Command::new(tool()).arg("install").arg(root).arg("--plugin").arg(plugin))?;
    if process::sha256(place)? != wanted {
        bail!("pi install has put nothing, or another file, in {}", place.display());
    }
    Ok(())
}
