//! The vendor's OpenCL plugin or adapter of an environment, and ours for the same release.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sycl_pi_loader::Backend;

use super::backend_files::BackendFiles;
use super::files;
use super::location::PluginState;
use super::lock;
use super::release::Release;
use super::sources;
use super::tree;

/// The two files.
pub struct VendorPair {
    /// The folder of libsycl, with the libraries that the vendor's file needs.
    pub folder: PathBuf,
    /// The release. `None` for plugins, which report their version themselves.
    pub release: Option<String>,
    pub ours: PathBuf,
    pub vendor: PathBuf,
}

impl VendorPair {
    /// Finds the files for the first libsycl below `root`, whether ours is installed there or not. Ours is the
    /// named file, or the one next to pi.
    ///
    /// # Errors
    /// Fails if the environment has no file of the vendor's, or none of ours matches.
    pub fn find(root: &Path, named: &[PathBuf]) -> Result<Self> {
        let libsycl = tree::folders(root)?.into_iter().next().context("no libsycl")?;
        let release = Release::find(&libsycl)?;
        let sources = sources::find(named)?;
        let ours = sources::fitting(&sources, &libsycl, &release)?;
        let ours = ours.into_iter().find(|source| source.backend == Backend::OpenCl);
        let ours = ours.context("none of the files is for OpenCL")?;
        ours.check(&libsycl, &release)?;
        let files = BackendFiles::new(&libsycl.folder, libsycl.kind(), Backend::OpenCl);
        let name = files.target().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kept = libsycl.folder.join(files::vendor_name(&name));
        if release.unified_runtime().is_some_and(|told| told.opencl_inside) {
            bail!(
                "{}{} has the vendor's OpenCL adapter in it, where no other program can call it: nothing to compare with",
                libsycl.libsycl.display(),
                release.describe()
            );
        }
        let vendor = lock::look(&libsycl.folder, || {
            if files::exists(&kept) {
                return Ok(kept.clone());
            }
            match files.status()?.state {
                PluginState::Vendor => Ok(files.target().to_path_buf()),
                _ => bail!("{}: there is no {name} of the vendor's", libsycl.folder.display()),
            }
        })?;
        let name = release.name.clone().filter(|_| libsycl.speaks_ur());
        Ok(Self { folder: libsycl.folder, release: name, ours: ours.file.clone(), vendor })
    }
}
