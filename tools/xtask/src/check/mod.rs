//! `cargo xtask check`: format, lints, the C header, packages, and the rules on which crate may depend on what.

mod core_only;
mod cycles;
mod deny;
mod documents;
mod entry_points;
mod file_length;
mod findings;
mod generated;
mod layering;
mod modules;
mod names;
mod publish;
mod sources;
mod statements;
mod targets;
mod toolchain;
mod unsafe_code;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::workspace;
use findings::Findings;

/// Arguments of `cargo xtask check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Check only these rules. Default: all
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
    /// List the rules without checking them
    #[arg(long)]
    list: bool,
}

struct Rule {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Result<Findings>,
}

/// Cheap rules come first, and those that need the compiler come last.
const RULES: [Rule; 16] = [
    Rule { name: "layering", about: "crates depend only in the allowed directions", run: layering::run },
    Rule { name: "unsafe", about: "unsafe code only at boundaries", run: unsafe_code::run },
    Rule { name: "core", about: "pi-core and ur-core need no standard library", run: core_only::run },
    Rule {
        name: "entry-points",
        about: "every backend implements every entry point under its C name",
        run: entry_points::run,
    },
    Rule { name: "cycles", about: "no cycle between the files of a product crate", run: cycles::run },
    Rule { name: "names", about: "one meaning per type name", run: names::run },
    Rule { name: "length", about: "no file of more than 600 lines", run: file_length::run },
    Rule {
        name: "targets",
        about: "all unit tests and examples run, and nothing else is compiled for them",
        run: targets::run,
    },
    Rule {
        name: "statements",
        about: "changes made by hand fit the tree, and each names a test",
        run: statements::run,
    },
    Rule {
        name: "documents",
        about: "every path and command that a document quotes exists",
        run: documents::run,
    },
    Rule { name: "generated", about: "generated files are current", run: generated::run },
    Rule {
        name: "deny",
        about: "licences, versions and sources of dependencies, known faults",
        run: deny::run,
    },
    Rule { name: "format", about: "cargo fmt", run: toolchain::format },
    Rule { name: "clippy", about: "cargo clippy without a warning", run: toolchain::clippy },
    Rule { name: "doc", about: "cargo doc without a warning", run: publish::documentation },
    Rule { name: "publish", about: "cargo package of every publishable crate", run: publish::packages },
];

/// Checks the requested rules. It fails if one is violated.
pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    if args.list {
        for rule in &RULES {
            println!("{:<12} {}", rule.name, rule.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = args.rules.iter().find(|name| RULES.iter().all(|rule| rule.name != name.as_str()))
    {
        bail!("there is no rule {unknown}; `cargo xtask check --list` names them");
    }
    let is_chosen = |rule: &&Rule| args.rules.is_empty() || args.rules.iter().any(|name| name == rule.name);
    let mut all_hold = true;
    for rule in RULES.iter().filter(is_chosen) {
        all_hold &= holds(rule);
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks one rule as one test.
pub(crate) fn one(name: &str) -> bool {
    RULES.iter().filter(|rule| rule.name == name).all(holds)
}

/// Checks a rule and prints its violations.
fn holds(rule: &Rule) -> bool {
    let start = Instant::now();
    let findings = (rule.run)(&workspace::root()).unwrap_or_else(|error| vec![format!("{error:#}")]);
    let word = if findings.is_empty() { "ok" } else { "failed" };
    println!("{:<12} {word:<7} {} ({:.1} s)", rule.name, rule.about, start.elapsed().as_secs_f64());
    for finding in &findings {
        println!("{}", indented(finding));
    }
    findings.is_empty()
}

fn indented(finding: &str) -> String {
    finding.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
