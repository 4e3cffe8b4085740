//! Dependencies: licences, versions that are there twice, sources, and known faults. `deny.toml` has the rules.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result};

use super::Findings;
use crate::cargo_tool::CargoTool;
use crate::process;

const DENY: CargoTool = CargoTool { name: "cargo-deny", version: "0.20.2", options: &[] };

/// Lines of the program's output that are shown.
const SHOWN: usize = 40;

/// What the program says when it cannot download the list of known faults.
const NO_LIST: &str = "failed to fetch advisory database";

/// Checks all but known faults without a network. Known faults are a list on the network: where it is out of reach, that is said.
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
