//! Our plugin, installed where a release's libsycl loads it from.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::release;

/// Installs `plugin` with `pi install` for the libsycl under `root`, and checks that it is now the file `loaded`, which this libsycl
/// loads.
pub(crate) fn install(root: &Path, plugin: &Path, loaded: &Path) -> Result<()> {
    let tool = release::file("pi");
    for file in [plugin, &tool] {
        if !file.exists() {
            bail!("there is no {}; build it first: cargo build --release", file.display());
        }
    }
    let wanted = process::sha256(plugin)?;
    if process::sha256(loaded)? == wanted {
        return Ok(());
    }
    process::output(Command::new(tool).arg("install").arg(root).arg("--plugin").arg(plugin))?;
    if process::sha256(loaded)? != wanted {
        bail!("pi install has put nothing, or another file, at {}", loaded.display());
    }
    Ok(())
}
