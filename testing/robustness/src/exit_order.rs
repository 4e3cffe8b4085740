//! Every order in which a process can end: the scenarios of `programs/exit_order.c`, each in a separate process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::code::{Code, compile};
use crate::totals::Totals;

/// The scenarios to run, and how.
pub(crate) struct Plan {
    pub(crate) filter: String,
    pub(crate) without: Vec<String>,
    pub(crate) every: usize,
    pub(crate) from: usize,
    pub(crate) rounds: usize,
    pub(crate) timeout: u64,
}

/// The scenario that ends within a callback, and its exit code.
const IN_A_CALLBACK: (&str, i32) = ("exit_in_a_callback", 7);
/// The exit code of a program if the backend lacks the tested feature.
const LACKS: i32 = 77;

pub(crate) const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs");
pub(crate) const INCLUDE: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../include");

/// Builds the programs and runs each scenario.
pub(crate) fn run(plugin: &Path, plan: &Plan, image: Option<PathBuf>) -> Result<Totals> {
    let plugin = plugin.canonicalize().with_context(|| plugin.display().to_string())?;
    let code = Code::of(&plugin, image)?;
    let folder = tempfile::tempdir()?;
    let (program, holder) = (folder.path().join("exit_order"), folder.path().join("libholder.so"));
    let warnings = ["-Wall", "-Wextra", "-Werror", INCLUDE];
    let sources = Path::new(PROGRAMS);
    let mut cc = Command::new("cc");
    cc.arg("-std=gnu11").args(warnings).arg(sources.join("exit_order.c"));
    // Further libraries to link, as in make. A plugin built with a sanitizer needs its runtime in the program.
    let besides = std::env::var("LDLIBS").unwrap_or_default();
    cc.args(besides.split_whitespace());
    compile(cc.arg("-o").arg(&program).args(["-lpthread", "-ldl"]))?;
    let mut cxx = Command::new("c++");
    cxx.args(["-std=c++17", "-fPIC", "-shared"]).args(warnings).arg(sources.join("holder.cpp"));
    compile(cxx.arg("-o").arg(&holder))?;

    let names =
        testing_support::process::run(&mut Command::new(&program), Duration::from_secs(plan.timeout))?;
    let mut totals = Totals::default();
    let names = String::from_utf8(names.stdout)?;
    let names = names.lines().filter(|name| name.contains(&plan.filter));
    for name in names.skip(plan.from).step_by(plan.every.max(1)) {
        if plan.without.iter().any(|other| other == name) {
            println!("{name}: skipped, left out");
            totals.skipped += 1;
            continue;
        }
        let mut command = Command::new(&program);
        command.arg(name).env("PI_ROBUST_PLUGIN", &plugin);
        command.env("PI_ROBUST_CODE", &code.file).env("PI_ROBUST_KIND", code.kind.name());
        if name.contains("library") {
            command.arg(&holder);
        }
        let wanted = if name == IN_A_CALLBACK.0 { IN_A_CALLBACK.1 } else { 0 };
        match rounds(&mut command, plan, wanted)? {
            End::Well => totals.passed += 1,
            End::Lacks => {
                println!("{name}: skipped, the backend has no event callbacks");
                totals.skipped += 1;
            }
            End::Badly(how) => {
                println!("{name}: {how}");
                totals.failed += 1;
            }
        }
    }
    if totals.passed == 0 {
        bail!("no scenario has {:?} in its name", plan.filter);
    }
    Ok(totals)
}

enum End {
    Well,
    Lacks,
    Badly(String),
}

fn rounds(command: &mut Command, plan: &Plan, wanted: i32) -> Result<End> {
    for round in 1..=plan.rounds {
        let finished = testing_support::process::run(command, Duration::from_secs(plan.timeout))?;
        match finished.end.code() {
            Some(code) if code == wanted => {}
            Some(LACKS) => return Ok(End::Lacks),
            _ => {
                let (end, output) = (finished.end, finished.stdout_text() + &finished.stderr_text());
                return Ok(End::Badly(format!("round {round}: {end}, not with {wanted}: {}", output.trim())));
            }
        }
    }
    Ok(End::Well)
}
