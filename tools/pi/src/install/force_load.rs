//! `UR_ADAPTERS_FORCE_LOAD`: how programs are told of adapters that no file's place tells them of.
//!
//! From 2026.2 on, the vendor's OpenCL adapter is a part of libsycl. The variable names ours instead, and switches off every adapter
//! that it does not name: the others of the folder are named as well. Python programs get it from a `.pth` file.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use sycl_pi_loader::Backend;

use super::adapter_names::{ADAPTERS, FORCE_LOAD, LEVEL_ZERO_V2, file_name, served};
use super::backend_files::BackendFiles;
use super::files;
use super::location::{PluginState, PluginStatus};
use super::manifest::Manifest;
use super::release::UnifiedRuntime;
use super::tree::LibsyclFolder;

/// The file in a folder of Python packages.
const PTH: &str = "sycl-pi.pth";

/// What the `.pth` files of an environment say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PthState {
    /// There is no Python environment around the libsycl.
    NoPython,
    /// Each Python of the environment has the file, and it names what it should.
    Set,
    /// A file is missing, or names something else.
    Wrong,
}

/// The variable's value: our adapters, then those of the folder that ours do not stand for.
///
/// # Errors
/// A path cannot be written in such a list.
pub fn value(
    libsycl: &LibsyclFolder,
    unified_runtime: &UnifiedRuntime,
    ours: &[(Backend, PathBuf)],
) -> Result<String> {
    let mut files: Vec<PathBuf> = ours.iter().map(|(_, file)| file.clone()).collect();
    let by_us: Vec<&str> = ours.iter().flat_map(|(backend, _)| served(*backend)).copied().collect();
    for adapter in ADAPTERS.into_iter().filter(|adapter| !by_us.contains(adapter)) {
        let file = libsycl.folder.join(file_name(adapter));
        let second = adapter == LEVEL_ZERO_V2 && !unified_runtime.level_zero_adapters_agree();
        if file.exists() && !second {
            files.push(file);
        }
    }
    let files = files.iter().map(|file| quoted(file)).collect::<Result<Vec<_>>>()?;
    Ok(files.join(","))
}

/// The adapters of ours that are in place.
///
/// # Errors
/// The folder cannot be read.
pub fn in_place(libsycl: &LibsyclFolder) -> Result<Vec<(Backend, PathBuf)>> {
    let mut ours = Vec::new();
    for backend in Backend::ALL {
        let files = BackendFiles::of(libsycl, backend);
        if files.status()?.state == PluginState::Ours {
            ours.push((backend, files.target().to_path_buf()));
        }
    }
    Ok(ours)
}

/// The state of the OpenCL adapter where the vendor's is a part of libsycl: `status` is that of the file of ours.
///
/// # Errors
/// The folder cannot be read.
pub fn status(
    libsycl: &LibsyclFolder,
    unified_runtime: &UnifiedRuntime,
    mut status: PluginStatus,
) -> Result<PluginStatus> {
    let left_over = pth_files(libsycl).into_iter().find(|file| files::exists(file));
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
            let value = value(libsycl, unified_runtime, &in_place(libsycl)?)?;
            let told = match pth_state(libsycl, &value) {
                PthState::Set => format!("{PTH} names it to Python; other programs need pi run or pi env"),
                PthState::NoPython => "programs need pi run or pi env to load it".into(),
                PthState::Wrong => {
                    status.state = PluginState::Interrupted;
                    format!("{PTH} is missing or names other files; run pi install again")
                }
            };
            status.action = format!("{}; {told}", status.action);
        }
        _ => {}
    }
    Ok(status)
}

/// The files of a value. Says what a loader does not take.
///
/// # Errors
/// The loader ends the program on such a value.
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

/// Writes the `.pth` files with this value, or removes them all. The manifest names them first.
///
/// # Errors
/// A folder cannot be written.
pub fn set_pth(libsycl: &LibsyclFolder, value: Option<&str>) -> Result<()> {
    let mut manifest = Manifest::read(&libsycl.folder)?.unwrap_or_default();
    if let Some(value) = value {
        let files = pth_files(libsycl);
        manifest.pth_files =
            files.iter().filter_map(|file| Some(file.strip_prefix(&libsycl.folder).ok()?.into())).collect();
        manifest.write(&libsycl.folder)?;
        return files.iter().try_for_each(|file| files::write_anew(file, line(value).as_bytes(), 0o644));
    }
    for file in pth_files(libsycl) {
        files::remove(&file)?;
    }
    if !manifest.pth_files.is_empty() {
        manifest.pth_files.clear();
        manifest.write(&libsycl.folder)?;
    }
    Ok(())
}

/// Whether the `.pth` files name these adapters.
pub fn pth_state(libsycl: &LibsyclFolder, value: &str) -> PthState {
    let files = pth_files(libsycl);
    let set = |file: &PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text == line(value));
    match files.as_slice() {
        [] => PthState::NoPython,
        files if files.iter().all(set) => PthState::Set,
        _ => PthState::Wrong,
    }
}

/// Where the `.pth` files belong.
pub fn pth_files(libsycl: &LibsyclFolder) -> Vec<PathBuf> {
    libsycl.site_packages().iter().map(|folder| folder.join(PTH)).collect()
}

/// Python runs a line of a `.pth` file that begins with `import`, before anything else is imported.
fn line(value: &str) -> String {
    format!("import os; os.environ.setdefault('{FORCE_LOAD}', '{}')\n", python_text(value))
}

/// The text between the quotes of a Python literal, in ASCII: older Pythons read `.pth` files in the user's encoding.
fn python_text(value: &str) -> String {
    let escaped = |letter: char| match letter {
        '\\' | '\'' => format!("\\{letter}"),
        ' '..='~' => letter.to_string(),
        other => format!("\\U{:08x}", u32::from(other)),
    };
    value.chars().map(escaped).collect()
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

    #[test]
    fn python_reads_back_what_was_written() {
        let value = "/home/o'neil/\u{e4}\\b\u{1f600}/x.so";
        let literal = format!("'{}'", python_text(value));
        assert!(literal.is_ascii());
        let code = format!("import sys; sys.stdout.buffer.write({literal}.encode())");
        let Ok(output) = std::process::Command::new("python3").args(["-c", &code]).output() else { return };
        assert_eq!(String::from_utf8(output.stdout).unwrap(), value);
    }
}
