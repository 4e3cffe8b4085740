//! Stock dpctl with its libsycl, as its wheels have them, without a Python. Kernels are in dpctl as SPIR-V.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::releases;
use crate::ui::Step;
use crate::workspace;

/// The last release whose dpctl has arrays. Its wheel is for Python 3.12.
const RELEASE: &str = "2025.3.3";

/// The libraries that dpctl needs of the release. Its adapters stay behind.
const LIBRARIES: [&str; 9] = [
    "libsycl.so.8",
    "libur_loader.so.0",
    "libumf.so.1",
    "libhwloc.so.15",
    "libsvml.so",
    "libimf.so",
    "libirng.so",
    "libintlc.so.5",
    "libsycl-fallback-*.spv",
];

/// Fills the folder with `lib`, `site` and the programs that use them.
pub(super) fn add(folder: &Path) -> Result<()> {
    let release = releases::find_any(RELEASE).map_err(|error| anyhow!(error))?;
    let environment = environment::ensure(release, Flavour::Vendor)?;
    let step = Step::start(format!("stock dpctl of {RELEASE}"));
    let (lib, site) = (folder.join("lib"), folder.join("site"));
    fs::create_dir_all(&lib)?;
    fs::create_dir_all(&site)?;
    for pattern in LIBRARIES {
        let pattern = environment.lib().join(pattern);
        let files = glob(&pattern)?;
        process::output(Command::new("cp").arg("-L").args(files).arg(&lib))?;
    }
    process::output(Command::new("cp").arg("-r").arg(environment.site_packages().join("dpctl")).arg(&site))?;
    for program in ["check.py", "speed.py"] {
        let source = workspace::root().join("testing/cuda/dpctl").join(program);
        fs::copy(&source, folder.join(program)).with_context(|| source.display().to_string())?;
    }
    step.done("");
    Ok(())
}

/// The files whose names fit the last part of a path, in which one `*` may stand.
fn glob(pattern: &Path) -> Result<Vec<std::path::PathBuf>> {
    let name = pattern.file_name().and_then(|name| name.to_str()).context("a pattern has a name")?;
    let Some((start, end)) = name.split_once('*') else { return Ok(vec![pattern.to_owned()]) };
    let folder = pattern.parent().context("a pattern has a folder")?;
    let fits = |path: &std::path::PathBuf| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(start) && name.ends_with(end))
    };
    Ok(fs::read_dir(folder)?.flatten().map(|entry| entry.path()).filter(fits).collect())
}
