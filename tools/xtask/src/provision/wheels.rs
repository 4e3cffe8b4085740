//! Wheels by exact version. They are kept in the user's cache, downloaded if missing, and used from there without a
//! network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::provision::python;
use crate::releases::Pin;
use crate::ui::{self, Step};
use crate::workspace;

/// Unpacks a wheel into the layout of an installation.
const UNPACK: &str = include_str!("unpack.py");

/// The newest manylinux tags come first. The oldest wheels have only the oldest tag.
const PLATFORMS: [&str; 9] = [
    "manylinux_2_35_x86_64",
    "manylinux_2_31_x86_64",
    "manylinux_2_28_x86_64",
    "manylinux_2_27_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux2014_x86_64",
    "manylinux2010_x86_64",
    "manylinux1_x86_64",
    "any",
];

/// Returns the cached wheels of these packages for Python 3.`minor`, in the given order. Missing ones are
/// downloaded.
pub(crate) fn ensure(pins: &[Pin], minor: u8) -> Result<Vec<PathBuf>> {
    let missing: Vec<Pin> = pins.iter().copied().filter(|pin| cached(*pin, minor).is_none()).collect();
    if missing.is_empty() {
        let place = workspace::wheel_cache();
        ui::info(&format!("using {} wheels from {}: nothing to download", pins.len(), place.display()));
    }
    for (index, pin) in missing.iter().enumerate() {
        let step = Step::start(format!("downloading {pin} ({} of {})", index + 1, missing.len()));
        download(*pin, minor).with_context(|| {
            format!("{pin} is not in {} and could not be downloaded", workspace::wheel_cache().display())
        })?;
        step.done("");
    }
    pins.iter()
        .map(|pin| {
            cached(*pin, minor).with_context(|| format!("pip left no wheel of {pin} for Python 3.{minor}"))
        })
        .collect()
}

/// Unpacks wheels into one folder with the layout of an installation (`lib/`, `bin/`, packages at the top).
pub(crate) fn unpack(wheels: &[PathBuf], folder: &Path) -> Result<()> {
    for wheel in wheels {
        process::output(Command::new(python::any()?).args(["-c", UNPACK]).arg(wheel).arg(folder))?;
    }
    Ok(())
}

/// Returns the cached wheel of a package, if there is a matching one.
fn cached(pin: Pin, minor: u8) -> Option<PathBuf> {
    let entries = fs::read_dir(workspace::wheel_cache()).ok()?.flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| is_wheel_of(name, pin, minor)))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.pop()
}

/// Returns whether a file name is that of a wheel of this package for this Python.
fn is_wheel_of(file: &str, pin: Pin, minor: u8) -> bool {
    let Some(stem) = file.strip_suffix(".whl") else { return false };
    let parts: Vec<&str> = stem.split('-').collect();
    let (Some(name), Some(version)) = (parts.first(), parts.get(1)) else { return false };
    // name-version(-build)-python-abi-platform
    let Some(python) = parts.len().checked_sub(3).and_then(|index| parts.get(index)) else { return false };
    let mine = [format!("cp3{minor}"), format!("py3{minor}"), "py3".to_owned()];
    name.replace('.', "_").eq_ignore_ascii_case(&pin.name.replace(['-', '.'], "_"))
        && *version == pin.version
        && python.split('.').any(|tag| mine.iter().any(|mine| mine == tag))
}

/// Downloads a wheel. It appears in the cache under its name only when it is complete.
fn download(pin: Pin, minor: u8) -> Result<()> {
    let cache = workspace::wheel_cache();
    fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    let partial = tempfile::Builder::new().prefix(".partial-").tempdir_in(&cache)?;
    let mut command = Command::new(python::with_pip()?);
    command.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    command.args(["--only-binary=:all:", "--implementation=cp"]).arg(format!("--python-version=3.{minor}"));
    command.args(PLATFORMS.iter().map(|platform| format!("--platform={platform}")));
    command.arg("--dest").arg(partial.path()).arg(pin.to_string());
    process::output(&mut command)?;
    for entry in fs::read_dir(partial.path())?.flatten() {
        fs::rename(entry.path(), cache.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_wheel_of;
    use crate::releases::pin;

    #[test]
    fn wheels_are_told_apart_by_name_version_and_python() {
        let dpctl = pin("dpctl", "0.14.5");
        assert!(is_wheel_of("dpctl-0.14.5-30-cp39-cp39-manylinux2014_x86_64.whl", dpctl, 9));
        assert!(!is_wheel_of("dpctl-0.14.5-30-cp39-cp39-manylinux2014_x86_64.whl", dpctl, 10));
        assert!(!is_wheel_of("dpctl-0.14.50-cp39-cp39-manylinux2014_x86_64.whl", dpctl, 9));
        let translator = pin("dpcpp-llvm-spirv", "2024.0.0");
        assert!(is_wheel_of(
            "dpcpp_llvm_spirv-2024.0.0-49588-py310-none-manylinux2014_x86_64.whl",
            translator,
            10
        ));
        assert!(!is_wheel_of(
            "dpcpp_llvm_spirv-2024.0.0-49588-py39-none-manylinux2014_x86_64.whl",
            translator,
            10
        ));
        let runtime = pin("dpcpp-cpp-rt", "2023.2.4");
        assert!(is_wheel_of("dpcpp_cpp_rt-2023.2.4-py2.py3-none-manylinux1_x86_64.whl", runtime, 9));
        assert!(!is_wheel_of("dpcpp_cpp_rt-2023.2.4-py2.py3-none-manylinux1_x86_64.zip", runtime, 9));
    }
}
