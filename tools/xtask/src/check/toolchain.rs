//! Rules that cargo itself checks.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use super::findings::Findings;
use crate::process;

/// Runs `cargo fmt --check`, and lists only the files.
pub(crate) fn format(root: &Path) -> Result<Findings> {
    let mut command = Command::new("cargo");
    command.args(["fmt", "--all", "--", "--check", "--files-with-diff"]).current_dir(root);
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let root = format!("{}/", root.display());
    let names = String::from_utf8_lossy(&output.stdout).replace(&root, "");
    let mut findings: Findings = names.lines().map(|name| format!("{name}: not formatted")).collect();
    if findings.is_empty() {
        findings.push(process::tail(&output, 20));
    }
    Ok(findings)
}

/// Runs `cargo clippy` on everything, including tests and benchmarks.
pub(crate) fn clippy(root: &Path) -> Result<Findings> {
    let mut command = Command::new("cargo");
    command
        .args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])
        .current_dir(root);
    let output = command.stdin(Stdio::null()).output()?;
    Ok(if output.status.success() { Vec::new() } else { vec![process::tail(&output, 60)] })
}
