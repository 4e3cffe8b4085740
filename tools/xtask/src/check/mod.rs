//! `cargo xtask check`: format, lints, generated files, and the rules on which room may touch what.

mod c_names;
mod core_purity;
mod file_length;
mod generated;
mod layering;
mod rooms;
mod sources;
mod tokens;
mod toolchain;
mod unsafe_rooms;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::workspace;

/// Arguments of `cargo xtask check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Only these rules; all when none is named
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
    /// List the rules and end
    #[arg(long)]
    list: bool,
}

/// What a rule finds: a line for each place where it is broken.
type Findings = Vec<String>;

struct Rule {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Result<Findings>,
}

/// Cheap rules first: who runs this waits for the compiler last.
const RULES: [Rule; 8] = [
    Rule { name: "layering", about: "crates depend only in the allowed directions", run: layering::run },
    Rule { name: "unsafe", about: "unsafe code only in the rooms that have it", run: unsafe_rooms::run },
    Rule { name: "core", about: "pi-core is types and data, nothing that runs", run: core_purity::run },
    Rule {
        name: "names",
        about: "every backend implements every entry point under its C name",
        run: c_names::run,
    },
    Rule { name: "length", about: "no file of more than 600 lines", run: file_length::run },
    Rule { name: "generated", about: "header and other generated files are current", run: generated::run },
    Rule { name: "format", about: "cargo fmt", run: toolchain::format },
    Rule { name: "clippy", about: "cargo clippy without a warning", run: toolchain::clippy },
];

/// Runs the rules and says of each whether it holds; fails when one does not.
pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    if args.list {
        for rule in &RULES {
            println!("{:<10} {}", rule.name, rule.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = args.rules.iter().find(|name| RULES.iter().all(|rule| rule.name != name.as_str()))
    {
        bail!("there is no rule {unknown}; `cargo xtask check --list` names them");
    }
    let root = workspace::root();
    let mut broken = 0;
    for rule in
        RULES.iter().filter(|rule| args.rules.is_empty() || args.rules.iter().any(|name| name == rule.name))
    {
        let start = Instant::now();
        let findings = (rule.run)(&root).unwrap_or_else(|error| vec![format!("{error:#}")]);
        let outcome = if findings.is_empty() { "ok" } else { "failed" };
        println!("{:<10} {outcome:<7} {} ({:.1} s)", rule.name, rule.about, start.elapsed().as_secs_f64());
        for finding in &findings {
            println!("{}", indented(finding));
        }
        broken += usize::from(!findings.is_empty());
    }
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn indented(finding: &str) -> String {
    finding.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
