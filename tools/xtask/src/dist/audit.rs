//! Which versions of glibc's symbols a file needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// Refuses files that need a newer glibc than `limit`.
///
/// # Errors
/// The text names each file with what it needs.
pub(crate) fn check(files: &[PathBuf], limit: &str) -> Result<()> {
    let findings = too_new(files, limit)?;
    if !findings.is_empty() {
        bail!("files need a newer glibc than {limit}:\n{}", findings.join("\n"));
    }
    Ok(())
}

/// A line for each file that needs a symbol of a newer glibc than `limit`, such as 2.28.
///
/// # Errors
/// A file is no library or program for glibc.
fn too_new(files: &[PathBuf], limit: &str) -> Result<Vec<String>> {
    let limit = numbers(limit);
    let mut found = Vec::new();
    for file in files {
        let newer: Vec<String> =
            needed(file)?.into_iter().filter(|version| numbers(version) > limit).collect();
        if !newer.is_empty() {
            found.push(format!("{} needs glibc {}", file.display(), newer.join(", ")));
        }
    }
    Ok(found)
}

/// The versions `2.17` and the like that a file needs.
fn needed(file: &Path) -> Result<Vec<String>> {
    let text = process::text(Command::new("readelf").args(["--version-info", "--wide"]).arg(file))?;
    let found = versions(&text);
    if found.is_empty() {
        bail!("{} names no version of glibc: readelf's output was not understood", file.display());
    }
    Ok(found)
}

fn versions(readelf: &str) -> Vec<String> {
    let names = readelf.split("Name: GLIBC_").skip(1).filter_map(|rest| rest.split_whitespace().next());
    let mut found: Vec<String> = names.map(str::to_owned).collect();
    found.sort_by_key(|version| numbers(version));
    found.dedup();
    found
}

/// A version in a form that can be compared. Names such as PRIVATE are of no release: nothing of ours may need them.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let text = "  0x0010:   Name: GLIBC_2.28  Flags: none  Version: 9\n  0x0020:   Name: GLIBC_2.3.4  Flags: none\n\
                    0x0030: Name: GLIBC_2.28 Flags: none\n 0x0000: Version: 1  File: libgcc_s.so.1 Name: GCC_3.0";
        assert_eq!(versions(text), ["2.3.4", "2.28"]);
        assert!(numbers("2.3.4") < numbers("2.28"));
        assert!(numbers("2.29") > numbers("2.28"));
        assert!(numbers("PRIVATE") > numbers("2.28"));
    }

    #[test]
    fn a_file_that_needs_more_is_found() {
        // A Rust program of this machine needs 2.17 at least.
        let program = [std::env::current_exe().unwrap()];
        assert_eq!(too_new(&program, "2.2.5").unwrap().len(), 1);
        assert!(too_new(&program, "99.0").unwrap().is_empty());
        assert!(too_new(&["Cargo.toml".into()], "2.28").is_err());
    }
}
