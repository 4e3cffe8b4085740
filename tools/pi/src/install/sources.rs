//! Our plugins and adapters that may be installed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sycl_pi_loader::Backend;
use sycl_pi_loader::search::executable_folder;

use super::adapter_names;
use super::kind::FileKind;
use super::release::{Interface, Release, getters_in};
use super::tree::LibsyclFolder;
use crate::{probe, regular};

/// A file that may be installed.
#[derive(Clone, Debug)]
pub struct Source {
    pub kind: FileKind,
    pub backend: Backend,
    pub file: PathBuf,
}

/// Returns the named files, or those next to pi.
///
/// # Errors
/// Fails if a name does not tell the backend, or there is no file.
pub fn find(named: &[PathBuf]) -> Result<Vec<Source>> {
    if !named.is_empty() {
        return named.iter().map(|file| Source::from_file(file)).collect();
    }
    let folder =
        executable_folder().context("pi cannot find its own folder; name a file with --plugin FILE")?;
    let beside = |backend: Backend| [backend.file_name().to_owned(), adapter_names::built_name(backend)];
    let files = Backend::ALL.into_iter().flat_map(beside).map(|name| folder.join(name));
    let found: Vec<Source> =
        files.filter(|file| file.exists()).map(|file| Source::from_file(&file)).collect::<Result<_>>()?;
    if found.is_empty() {
        bail!("there is no plugin or adapter beside pi ({}); name one with --plugin FILE", folder.display());
    }
    Ok(found)
}

/// Returns the `sources` with the interface of `libsycl`.
///
/// # Errors
/// Fails if there is none. The message says which names match.
pub fn fitting<'s>(
    sources: &'s [Source],
    libsycl: &LibsyclFolder,
    release: &Release,
) -> Result<Vec<&'s Source>> {
    let kind = libsycl.kind();
    let fitting: Vec<&Source> = sources.iter().filter(|source| source.kind == kind).collect();
    if fitting.is_empty() {
        let (loads, names) = match kind {
            FileKind::Plugin => ("PI plugins", Backend::ALL.map(|backend| backend.file_name().to_owned())),
            FileKind::Adapter => ("Unified Runtime adapters", Backend::ALL.map(adapter_names::built_name)),
        };
        let names = names.join(", ");
        bail!(
            "{}{} loads {loads}: name one of {names} with --plugin FILE, or put it beside pi",
            libsycl.libsycl.display(),
            release.describe(),
        );
    }
    Ok(fitting)
}

impl Source {
    fn from_file(file: &Path) -> Result<Self> {
        let file = std::path::absolute(file)?;
        let adapter = adapter_names::backend_of(&file).map(|backend| (FileKind::Adapter, backend));
        let plugin = || Some((FileKind::Plugin, Backend::of_file(&file)?));
        match adapter.or_else(plugin) {
            Some((kind, backend)) => Ok(Self { kind, backend, file }),
            None => bail!(
                "{}: the name says for which backend a plugin or adapter is; expected {}, {}",
                file.display(),
                Backend::ALL.map(Backend::file_name).join(", "),
                Backend::ALL.map(adapter_names::built_name).join(", ")
            ),
        }
    }

    /// Checks that `libsycl` of `release` can use the file.
    ///
    /// # Errors
    /// Fails if it cannot. The message says why.
    pub fn check(&self, libsycl: &LibsyclFolder, release: &Release) -> Result<()> {
        // The system's loader would block on a pipe.
        regular::open(&self.file).with_context(|| format!("{} cannot be read", self.file.display()))?;
        match &release.interface {
            Interface::Pi(version) => self.check_plugin(libsycl, release, version),
            Interface::Ur(unified_runtime) => {
                let has = getters_in(&regular::read(&self.file)?);
                let missing: Vec<&str> =
                    unified_runtime.getters.difference(&has).map(String::as_str).collect();
                if missing.is_empty() {
                    return Ok(());
                }
                bail!(
                    "{}{} asks adapters for {}, which {} does not have; nothing was changed",
                    libsycl.libsycl.display(),
                    release.describe(),
                    missing.join(", "),
                    self.file.display(),
                )
            }
        }
    }

    fn check_plugin(&self, libsycl: &LibsyclFolder, release: &Release, version: &String) -> Result<()> {
        let served = probe::served(&self.file)?;
        if served.is_empty() {
            bail!("{} serves no PI version known here", self.file.display());
        }
        if served.contains(version) {
            return Ok(());
        }
        bail!(
            "{} speaks PI {version}{}, and {} serves PI {} only; nothing was changed",
            libsycl.libsycl.display(),
            release.describe(),
            self.file.display(),
            served.join(", ")
        )
    }
}
