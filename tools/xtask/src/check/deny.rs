//! Checks of dependencies: licences, duplicate versions, sources, and known vulnerabilities. `deny.toml` contains
//! the rules.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result};

use super::findings::Findings;
use crate::cargo_tool::CargoTool;
use crate::process;

const DENY: CargoTool = CargoTool { name: "cargo-deny", file: "cargo-deny", version: "0.20.2", options: &[] };

/// The number of printed lines of the program's output.
const SHOWN: usize = 40;

/// The message if the list of known vulnerabilities cannot be downloaded.
const NO_LIST: &str = "failed to fetch advisory database";

/// Checks everything except known vulnerabilities without a network. The list of known vulnerabilities is
/// downloaded. If that is not possible, a message says so.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let tool = DENY.ensure()?;
    let ask = |arguments: &[&str]| -> Result<Output> {
        let mut command = Command::new(&tool);
        command.current_dir(root).args(arguments).output().context("cargo-deny cannot be started")
    };
    let mut found = Findings::new();
    let here = ask(&["--offline", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"])?;
    if !here.status.success() {
        found.push(process::tail(&here, SHOWN));
    }
    let faults = ask(&["check", "--hide-inclusion-graph", "advisories"])?;
    if String::from_utf8_lossy(&faults.stderr).contains(NO_LIST) {
        println!("             known faults of dependencies were not looked for: their list is out of reach");
    } else if !faults.status.success() {
        found.push(process::tail(&faults, SHOWN));
    }
    Ok(found)
}
