//! The table of contents and the checksums of a release.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use walkdir::WalkDir;

use super::VERSION;
use crate::process;

/// The table's file.
pub(super) const NAME: &str = "CONTENTS.md";

/// The checksums' file, for `sha256sum --check`.
const SUMS: &str = "SHA256SUMS";

/// Writes both files.
pub(super) fn write(folder: &Path) -> Result<()> {
    let (mut sums, mut table) = (String::new(), String::new());
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if !entry.file_type().is_file() {
            continue;
        }
        let name = entry.path().strip_prefix(folder)?.to_string_lossy().into_owned();
        // Of an earlier run: they are about to be written.
        if name == NAME || name == SUMS {
            continue;
        }
        writeln!(sums, "{}  {name}", process::sha256(entry.path())?)?;
        let size = fs::metadata(entry.path())?.len();
        writeln!(table, "| `{name}` | {size} | {} |", purpose(&name))?;
    }
    let head = format!(
        "# sycl-pi {VERSION}\n\nChecksums are in `{SUMS}`.\n\n| file | bytes | what it is |\n| --- | ---: | --- |\n"
    );
    fs::write(folder.join(SUMS), sums)?;
    Ok(fs::write(folder.join(NAME), head + &table)?)
}

fn purpose(name: &str) -> &'static str {
    match name {
        _ if name.starts_with("sycl_pi_conformance-") => "for `pip install`: the harness, `pi-conformance`",
        _ if name.starts_with("sycl_pi_math-") => {
            "for `pip install`: oneMKL's functions for dpnp on NVIDIA GPUs"
        }
        _ if name.ends_with(".whl") => "for `pip install`: plugins, adapters, runtime, headers, `pi`",
        _ if name.ends_with(".deb") => {
            "the same for Debian and Ubuntu, with man pages, completions, pkg-config and CMake files"
        }
        _ if name.ends_with(".crate") => "source of a crate, as a registry takes it",
        _ if name.ends_with("-debug.tar.xz") => "debugging information, beside the stripped files",
        "crates/ORDER" => "the order in which the crates can be published",
        _ => "licences of the crates that the files are made of",
    }
}
