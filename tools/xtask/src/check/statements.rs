//! Checks that the changes of the mutation tests match the sources, and that the page of the design documents'
//! statements is up to date.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::findings::Findings;
use crate::provision::python;

/// Runs the program that makes the changes.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let mut command = Command::new(python::any()?);
    let output = command.current_dir(root).args(["testing/mutants/changes.py", "--check"]).output()?;
    let mut findings: Findings = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if !output.status.success() && findings.is_empty() {
        findings.push(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(findings)
}
