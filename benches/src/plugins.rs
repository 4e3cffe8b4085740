//! The two plugins: the same PI version, and really two files. And the vendor's once more, from a copy of its file.

use std::os::unix::fs::MetadataExt;

use anyhow::{Result, ensure};
use sycl_pi_loader::Plugin;

use crate::Which;

/// The plugins, loaded.
pub(crate) struct Plugins {
    pub(crate) ours: Plugin,
    pub(crate) vendor: Plugin,
    pub(crate) again: Plugin,
}

/// Loads all. Libraries of one soname stay apart because they are opened by path; the addresses' files are the proof.
pub(crate) fn load(which: &Which) -> Result<Plugins> {
    let vendor = Plugin::open(&which.vendor)?;
    let ours = Plugin::open_version(&which.ours, vendor.version)?;
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("libpi_opencl.so");
    std::fs::copy(&which.vendor, &copy)?;
    let again = Plugin::open_version(&copy, vendor.version)?;
    let identity = |plugin: &Plugin| std::fs::metadata(&plugin.path).map(|file| (file.dev(), file.ino()));
    ensure!(
        identity(&ours)? != identity(&vendor)?,
        "{} and {} are one file",
        ours.path.display(),
        vendor.path.display()
    );
    for plugin in [&ours, &vendor, &again] {
        // Plugins look for their driver when platforms are asked for.
        let platforms = plugin.platforms()?;
        ensure!(!platforms.is_empty(), "{} finds no platform", plugin.path.display());
        // And get to know it when devices are, as every runtime does before anything else.
        for platform in &platforms {
            platform.devices()?;
        }
    }
    Ok(Plugins { ours, vendor, again })
}
