//! The two plugins: two different files with the same PI version.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Result, ensure};
use sycl_pi_loader::Plugin;

use crate::which::Which;

/// The plugins, loaded.
pub(crate) struct Plugins {
    pub(crate) ours: Plugin,
    pub(crate) vendor: Plugin,
}

/// Loads both by path, because libraries with the same soname then stay separate.
pub(crate) fn load(which: &Which) -> Result<Plugins> {
    // SAFETY: both are PI plugins, named by the person who measures them.
    let vendor = unsafe { Plugin::open(&which.vendor) }?;
    // SAFETY: both are PI plugins, named by the person who measures them.
    let ours = unsafe { Plugin::open_version(&which.ours, vendor.version) }?;
    check_two_files(&ours.path, &vendor.path)?;
    for plugin in [&ours, &vendor] {
        // Plugins look up their driver when platforms are queried, and its functions when devices are.
        let platforms = plugin.platforms()?;
        ensure!(!platforms.is_empty(), "{} finds no platform", plugin.path.display());
        for platform in &platforms {
            platform.devices()?;
        }
    }
    Ok(Plugins { ours, vendor })
}

/// Checks that two different libraries are compared.
pub(crate) fn check_two_files(ours: &Path, vendor: &Path) -> Result<()> {
    let identity = |path: &Path| std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
    ensure!(identity(ours)? != identity(vendor)?, "{} and {} are one file", ours.display(), vendor.display());
    Ok(())
}
