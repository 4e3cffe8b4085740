//! `UR_ADAPTERS_FORCE_LOAD`: tells programs about adapters that they cannot find by location.
//!
//! From 2026.2 on, the vendor's OpenCL adapter is part of libsycl. The variable names ours instead. It disables every
//! adapter that it does not name, so it names the folder's other adapters as well. Python programs get it from a `.pth`
//! file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use sycl_pi_loader::Backend;

use super::adapter_names::{ADAPTERS, FORCE_LOAD, LEVEL_ZERO_V2, file_name, served};
use super::backend_files::BackendFiles;
use super::files;
use super::location::{PluginState, PluginStatus};
use super::pth::{self, PthState};
use super::release::{Release, UnifiedRuntime};
use super::tree::LibsyclFolder;

/// Returns the variable's value: our adapters, then those of the folder that ours do not replace.
///
/// # Errors
/// Fails if a path cannot be written in such a list.
pub fn value(
    libsycl: &LibsyclFolder,
    unified_runtime: &UnifiedRuntime,
    ours: &[(Backend, PathBuf)],
) -> Result<String> {
    let files = adapters(libsycl, unified_runtime, ours);
    let files = files.iter().map(|file| quoted(file)).collect::<Result<Vec<_>>>()?;
    Ok(files.join(","))
}

/// Returns the files that the variable names, ours first.
///
/// # Errors
/// Fails if a path cannot be written in such a list.
pub fn named(
    libsycl: &LibsyclFolder,
    unified_runtime: &UnifiedRuntime,
    ours: &[(Backend, PathBuf)],
) -> Result<Vec<PathBuf>> {
    value(libsycl, unified_runtime, ours)?;
    Ok(adapters(libsycl, unified_runtime, ours))
}

fn adapters(
    libsycl: &LibsyclFolder,
    unified_runtime: &UnifiedRuntime,
    ours: &[(Backend, PathBuf)],
) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ours.iter().map(|(_, file)| file.clone()).collect();
    let by_us: Vec<&str> = ours.iter().flat_map(|(backend, _)| served(*backend)).copied().collect();
    for adapter in ADAPTERS.into_iter().filter(|adapter| !by_us.contains(adapter)) {
        let file = libsycl.folder.join(file_name(adapter));
        let second = adapter == LEVEL_ZERO_V2 && !unified_runtime.level_zero_adapters_agree();
        if file.exists() && !second {
            files.push(file);
        }
    }
    files
}

/// Returns our adapters that are installed.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn in_place(libsycl: &LibsyclFolder) -> Result<Vec<(Backend, PathBuf)>> {
    let mut ours = Vec::new();
    for backend in Backend::ALL {
        let files = BackendFiles::new(&libsycl.folder, libsycl.kind(), backend);
        if files.status()?.state == PluginState::Ours {
            ours.push((backend, files.target().to_path_buf()));
        }
    }
    Ok(ours)
}

/// Returns the variable for Python programs, or nothing if the user has set it.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn for_programs(libsycl: &LibsyclFolder) -> Result<Vec<(&'static str, OsString)>> {
    if std::env::var_os(FORCE_LOAD).is_some() { Ok(vec![]) } else { of_python(libsycl) }
}

/// Returns the variable as an install's files set it for Python programs, or nothing if there is no such file.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn of_python(libsycl: &LibsyclFolder) -> Result<Vec<(&'static str, OsString)>> {
    let release = Release::find(libsycl)?;
    let Some(unified_runtime) = release.unified_runtime().filter(|told| told.opencl_inside) else {
        return Ok(vec![]);
    };
    let ours = in_place(libsycl)?;
    if ours.iter().all(|(backend, _)| *backend != Backend::OpenCl) {
        return Ok(vec![]);
    }
    Ok(vec![(FORCE_LOAD, value(libsycl, unified_runtime, &ours)?.into())])
}

/// Returns the state of the OpenCL adapter if the vendor's is part of libsycl. `status` is the state of our file.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn status(
    libsycl: &LibsyclFolder,
    unified_runtime: &UnifiedRuntime,
    mut status: PluginStatus,
) -> Result<PluginStatus> {
    let left_over = pth::files(&libsycl.folder).into_iter().find(|file| files::exists(file));
    match (status.state, left_over) {
        (PluginState::Absent, None) => {
            status.state = PluginState::Vendor;
            status.action = format!("the vendor's adapter, which is a part of {}", libsycl.name());
        }
        (PluginState::Absent, Some(file)) => {
            status.state = PluginState::Interrupted;
            status.action =
                format!("the adapter that {} names is gone; run pi install or pi uninstall", file.display());
        }
        (PluginState::Ours, _) => {
            let adapters = named(libsycl, unified_runtime, &in_place(libsycl)?)?;
            let told = match pth::state(&libsycl.folder, &adapters)? {
                PthState::Set => {
                    format!("{} names it to Python; other programs need pi run or pi env", pth::NAME)
                }
                PthState::NoPython => "programs need pi run or pi env to load it".into(),
                PthState::Wrong => {
                    status.state = PluginState::Interrupted;
                    format!("{} is missing or names other files; run pi install again", pth::NAME)
                }
            };
            status.action = format!("{}; {told}", status.action);
        }
        _ => {}
    }
    Ok(status)
}

/// Parses the files in a value. The error message says what the loader does not accept.
///
/// # Errors
/// Fails if the loader would end the program because of the value.
pub fn files_of(value: &str) -> Result<Vec<PathBuf>> {
    let file = |part: &str| {
        let inner = ['"', '\''].iter().find_map(|quote| part.strip_prefix(*quote)?.strip_suffix(*quote));
        match inner {
            Some(inner) => Ok(PathBuf::from(inner)),
            None if part.is_empty() => bail!("there is nothing between two commas, or at an end"),
            None if part.contains([':', ';']) => {
                bail!("{part}: a path with a colon or semicolon must stand in quotes; commas separate paths")
            }
            None => Ok(PathBuf::from(part)),
        }
    };
    value.split(',').map(file).collect()
}

fn quoted(file: &Path) -> Result<String> {
    match file.to_str() {
        Some(text) if text.contains([',', '"']) => {
            bail!("{text} cannot be named in {FORCE_LOAD}: commas separate paths there")
        }
        Some(text) if text.contains([':', ';']) => Ok(format!("\"{text}\"")),
        Some(text) => Ok(text.to_owned()),
        None => bail!("{} cannot be named in {FORCE_LOAD}: its name is not UTF-8", file.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_the_loader_reads_it() {
        assert_eq!(files_of("/a.so,'/b:c.so'").unwrap(), [Path::new("/a.so"), Path::new("/b:c.so")]);
        assert!(files_of("/a.so,").is_err());
        assert!(files_of("/a.so:/b.so").unwrap_err().to_string().contains("commas separate"));
        assert_eq!(quoted(Path::new("/b:c.so")).unwrap(), "\"/b:c.so\"");
        assert!(quoted(Path::new("/b,c.so")).is_err());
    }
}
