//! Our plugin or adapter, installed where a release's libsycl loads it from.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::process;
use crate::provision::adapter;
use crate::provision::environment::{self, Environment, Flavour};
use crate::release;
use crate::releases::Release;

/// Returns our file for a release, in the folder of `cargo build --release`.
pub(crate) fn built(release: &Release, backend: Backend) -> PathBuf {
    if release.has_adapters() { backend.our_adapter() } else { backend.our_plugin() }
}

/// Returns a release's environment with our file installed. `file` replaces the one in `target/release`.
pub(crate) fn environment(
    release: &'static Release,
    backend: Backend,
    file: Option<&Path>,
) -> Result<Environment> {
    let environment = environment::ensure_for(release, Flavour::Ours, backend)?;
    put(release, &environment, file)?;
    Ok(environment)
}

/// Puts our file, or `file`, where an environment prepared for it loads it from.
pub(crate) fn put(release: &Release, environment: &Environment, file: Option<&Path>) -> Result<()> {
    let file = file.map_or_else(|| built(release, environment.backend()), Path::to_path_buf);
    if release.has_adapters() || environment.backend() == Backend::Cuda {
        put_copy(&file, environment.plugin())
    } else {
        install(environment.root(), &file, environment.plugin())
    }
}

/// Copies a plugin or adapter to `place`, from where the release's variables have it loaded.
fn put_copy(file: &Path, place: &Path) -> Result<()> {
    require(file)?;
    if place.exists() && process::sha256(place)? == process::sha256(file)? {
        return Ok(());
    }
    adapter::put(file, place)
}

/// Installs `plugin` with `pi install` for the libsycl under `root`, and checks that it has replaced the file
/// `loaded`, which this libsycl loads.
pub(crate) fn install(root: &Path, plugin: &Path, loaded: &Path) -> Result<()> {
    let tool = release::file("pi");
    require(plugin)?;
    require(&tool)?;
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

fn require(file: &Path) -> Result<()> {
    if !file.exists() {
        bail!("there is no {}; build it first: cargo build --release", file.display());
    }
    Ok(())
}
