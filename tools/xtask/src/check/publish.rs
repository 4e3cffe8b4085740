//! Packages can be published, and their documentation builds without a warning.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Findings;
use crate::packages;
use crate::process;

/// Lines of cargo's output that are shown.
const SHOWN: usize = 40;

/// Packs every publishable package and builds it from what was packed. Cargo finds the order, and takes dependencies among
/// them from what it has just packed.
pub(crate) fn packages(root: &Path) -> Result<Findings> {
    let publishable: Vec<String> = packages::all()?
        .into_iter()
        .filter(packages::Package::is_publishable)
        .map(|package| package.name)
        .collect();
    if publishable.is_empty() {
        return Ok(vec!["no package of this workspace may be published".into()]);
    }
    let mut cargo = cargo(root, &["package", "--quiet", "--allow-dirty"]);
    findings(cargo.args(publishable.iter().flat_map(|name| ["--package", name])))
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
