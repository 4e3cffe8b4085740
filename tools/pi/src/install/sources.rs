//! Our libraries that may be installed. Each is a plugin and an adapter in one file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use memchr::memmem;
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
    /// The kinds of file as which it may be installed.
    kinds: Vec<FileKind>,
    pub backend: Backend,
    pub file: PathBuf,
}

/// Returns the named files, or those next to pi.
///
/// # Errors
/// Fails if a name does not identify the backend, or if there is no file.
pub fn find(named: &[PathBuf]) -> Result<Vec<Source>> {
    if !named.is_empty() {
        return named.iter().map(|file| Source::from_file(file)).collect();
    }
    let folder =
        executable_folder().context("pi cannot find its own folder; name a file with --plugin FILE")?;
    let beside = |backend: Backend| {
        let names = [backend.file_name().to_owned(), adapter_names::built_name(backend)];
        let files = names.map(|name| folder.join(name)).into_iter().filter(|file| file.exists());
        files.map(|file| Source::from_file(&file)).collect::<Result<Vec<_>>>()
    };
    let found = Backend::ALL.into_iter().map(beside).collect::<Result<Vec<_>>>()?.concat();
    if found.is_empty() {
        bail!("no plugin or adapter is next to pi ({}); name one with --plugin FILE", folder.display());
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
    let mut fitting: Vec<&Source> = sources.iter().filter(|source| source.kinds.contains(&kind)).collect();
    // A build has a second name for the same file.
    fitting.dedup_by_key(|source| source.backend);
    if fitting.is_empty() {
        let (loads, names) = match kind {
            FileKind::Plugin => ("PI plugins", Backend::ALL.map(|backend| backend.file_name().to_owned())),
            FileKind::Adapter => ("Unified Runtime adapters", Backend::ALL.map(adapter_names::built_name)),
        };
        let names = names.join(", ");
        bail!(
            "{}{} loads {loads}: name one of {names} with --plugin FILE, or put it next to pi",
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
        let Some((named, backend)) = adapter.or_else(plugin) else {
            bail!(
                "{}: the name says for which backend a plugin or adapter is; expected {}, {}",
                file.display(),
                Backend::ALL.map(Backend::file_name).join(", "),
                Backend::ALL.map(adapter_names::built_name).join(", ")
            );
        };
        // A file that cannot be read is reported later, when it is used.
        let content = regular::read(&file).unwrap_or_default();
        let has = |kind| match kind {
            FileKind::Plugin => memmem::find(&content, b"\0piPluginInit\0").is_some(),
            FileKind::Adapter => !getters_in(&content).is_empty(),
        };
        let kinds = FileKind::ALL.into_iter().filter(|kind| *kind == named || has(*kind)).collect();
        Ok(Self { kinds, backend, file })
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
