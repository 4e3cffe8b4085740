//! Our plugin, put where a release's libsycl loads it from.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::release;

/// Makes `plugin` the one that the libsycl under `root` loads, by `pi install`, and holds the tool to that: `place` is
/// where this libsycl looks.
pub(crate) fn install(root: &Path, plugin: &Path, place: &Path) -> Result<()> {
    let tool = release::file("pi");
    for file in [plugin, &tool] {
        if !file.exists() {
            bail!("there is no {}; build it first: cargo build --release", file.display());
        }
    }
    let wanted = process::sha256(plugin)?;
    if process::sha256(place)? == wanted {
        return Ok(());
    }
    process::output(Command::new(tool).arg("install").arg(root).arg("--plugin").arg(plugin))?;
    if process::sha256(place)? != wanted {
        bail!("pi install has put nothing, or another file, in {}", place.display());
    }
    Ok(())
}
