//! The two plugins: the same PI version, and two different files.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Result, ensure};
use sycl_pi_loader::Plugin;

use crate::Which;

/// The plugins, loaded.
pub(crate) struct Plugins {
    pub(crate) ours: Plugin,
    pub(crate) vendor: Plugin,
}

/// Loads both, by path: libraries of one soname stay apart then.
pub(crate) fn load(which: &Which) -> Result<Plugins> {
    // SAFETY: both are PI plugins, named by the person who measures them.
    let vendor = unsafe { Plugin::open(&which.vendor) }?;
    // SAFETY: as above.
    let ours = unsafe { Plugin::open_version(&which.ours, vendor.version) }?;
    check_two_files(&ours.path, &vendor.path)?;
    for plugin in [&ours, &vendor] {
        // Plugins look for their driver when platforms are asked for, and for its functions when devices are.
        let platforms = plugin.platforms()?;
        ensure!(!platforms.is_empty(), "{} finds no platform", plugin.path.display());
        for platform in &platforms {
            platform.devices()?;
        }
    }
    Ok(Plugins { ours, vendor })
}

/// Checks that two libraries are compared, not one with itself.
pub(crate) fn check_two_files(ours: &Path, vendor: &Path) -> Result<()> {
    let identity = |path: &Path| std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
    ensure!(identity(ours)? != identity(vendor)?, "{} and {} are one file", ours.display(), vendor.display());
    Ok(())
}
