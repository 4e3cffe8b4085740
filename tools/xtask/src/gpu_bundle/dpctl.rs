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

/// The libraries that dpctl needs of the release, beside the device libraries. Its adapters stay behind.
const LIBRARIES: [&str; 8] = [
    "libsycl.so.8",
    "libur_loader.so.0",
    "libumf.so.1",
    "libhwloc.so.15",
    "libsvml.so",
    "libimf.so",
    "libirng.so",
    "libintlc.so.5",
];

/// Fills the folder with `lib`, `site` and the programs that use them.
pub(super) fn add(folder: &Path) -> Result<()> {
    let release = releases::find_any(RELEASE).map_err(|error| anyhow!(error))?;
    let environment = environment::ensure(release, Flavour::Vendor)?;
    let step = Step::start(format!("stock dpctl of {RELEASE}"));
    let (lib, site) = (folder.join("lib"), folder.join("site"));
    fs::create_dir_all(&lib)?;
    fs::create_dir_all(&site)?;
    for entry in fs::read_dir(environment.lib())?.flatten() {
        let name = entry.file_name();
        let is_needed = name.to_str().is_some_and(|name| {
            LIBRARIES.contains(&name) || name.starts_with("libsycl-fallback-") && name.ends_with(".spv")
        });
        if is_needed {
            fs::copy(entry.path(), lib.join(name)).with_context(|| entry.path().display().to_string())?;
        }
    }
    process::output(Command::new("cp").arg("-r").arg(environment.site_packages().join("dpctl")).arg(&site))?;
    for program in ["check.py", "speed.py"] {
        let source = workspace::root().join("testing/cuda/dpctl").join(program);
        fs::copy(&source, folder.join(program)).with_context(|| source.display().to_string())?;
    }
    step.done("");
    Ok(())
}
