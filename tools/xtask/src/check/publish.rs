//! Packages can be published, and their documentation builds without a warning.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Findings;
use crate::packages::{self, Package};
use crate::process;

/// Lines of cargo's output that are shown.
const SHOWN: usize = 40;

/// Checks the metadata of every publishable package, packs it, and builds it from what was packed. Cargo finds the order, and takes
/// dependencies among them from what it has just packed.
pub(crate) fn packages(root: &Path) -> Result<Findings> {
    let publishable: Vec<Package> = packages::all()?.into_iter().filter(Package::is_publishable).collect();
    if publishable.is_empty() {
        return Ok(vec!["no package of this workspace may be published".into()]);
    }
    let mut found: Findings = publishable
        .iter()
        .filter(|package| !package.missing_metadata().is_empty())
        .map(|package| format!("{}: no {}", package.name, package.missing_metadata().join(", ")))
        .collect();
    let mut cargo = cargo(root, &["package", "--quiet", "--allow-dirty"]);
    cargo.args(publishable.iter().flat_map(|package| ["--package", &package.name]));
    found.extend(findings(&mut cargo)?);
    Ok(found)
}

/// Builds the documentation of all packages.
pub(crate) fn documentation(root: &Path) -> Result<Findings> {
    let mut cargo = cargo(root, &["doc", "--quiet", "--workspace", "--no-deps"]);
    findings(cargo.env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = process::cargo();
    command.args(arguments).current_dir(root);
    command
}

fn findings(command: &mut Command) -> Result<Findings> {
    let output = command.output()?;
    Ok(if output.status.success() { Vec::new() } else { vec![process::tail(&output, SHOWN)] })
}
