//! What may end a process, in short: threads on the same objects, orders of exit, two runtimes at once, and what is left behind
//! after each conformance case, by the driver's own count and by valgrind.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::conformance::subject::{self, Subject};
use crate::process;
use crate::provision::python;
use crate::release;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// How long threads run on each driver, in seconds.
const SECONDS: &str = "5";

/// What a driver breaks at by itself when threads do it, one run in ten or twenty still with the plugin's turns (docs/reports/robustness.md).
const BREAKS: [(&str, &[&str]); 2] =
    [("intel-2023", &["--in-order"]), ("intel-current", &["--in-order", "--without", "build"])];

/// Orders of exit that a driver breaks at by itself: `testing/robustness/programs/opencl_exit.c` hangs there without a plugin.
const EXITS: [(&str, &[&str]); 1] = [("intel-current", &["--without", "exit_in_a_callback"])];

/// What stands before each error that memcheck names.
const MARK: &str = "names-an-error";

/// Cases that valgrind looks at: one family of each kind of object. Under valgrind each takes seconds.
const LOOKED_AT: [&str; 6] = ["CTX-0*", "QUE-0*", "MEM-0*", "KRN-0*", "BUF-0*", "EVT-0*"];

/// Runs everything on each of our plugins and drivers.
pub(crate) fn run() -> Result<Tally> {
    let mut total = Tally::default();
    let ledgers = tempfile::tempdir()?;
    for subject in &subject::all()? {
        let of = |list: &[(&str, &'static [&'static str])]| {
            list.iter().find(|(driver, _)| *driver == subject.driver).map_or(&[][..], |(_, how)| how)
        };
        let versions = ["--seconds", SECONDS, "--pi-version", "12.27", "--pi-version", "15.47"];
        let arguments = [&versions, of(&BREAKS)].concat();
        total += robustness(subject, "8 threads at two versions", "stress", &arguments)?;
        total += robustness(subject, "every order of exit", "exit-order", of(&EXITS))?;
        total += robustness(subject, "two runtimes at once", "two-runtimes", &[])?;
        total += balance(subject, &ledger(subject, ledgers.path())?)?;
    }
    for subject in subject::opencl()?.iter().filter(|subject| subject.driver == "pocl") {
        total += under_valgrind(subject)?;
    }
    Ok(total)
}

fn robustness(subject: &Subject, what: &str, command: &str, arguments: &[&str]) -> Result<Tally> {
    let mut program = Command::new(release::file("testing-robustness"));
    program.arg(command).arg(&subject.file).args(arguments);
    judged(subject, what, &mut program)
}

/// Runs a program whose last line is a tally.
fn judged(subject: &Subject, what: &str, program: &mut Command) -> Result<Tally> {
    let name = subject.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let step = Step::start(format!("{name} on {}: {what}", subject.driver));
    let tally = Tally::of_last_line(program.envs(subject.variables.iter().cloned()))?;
    step.done(&tally.to_string());
    Ok(tally)
}

/// Builds what counts the driver's objects.
fn ledger(subject: &Subject, folder: &Path) -> Result<PathBuf> {
    let library = folder.join(subject.ledger).with_extension("so");
    let source = workspace::root().join("testing/robustness/object-counters").join(subject.ledger);
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-O1", "-fPIC", "-shared", "-o"]).arg(&library).arg(source).arg("-ldl");
    process::output(&mut cc)?;
    Ok(library)
}

/// Each conformance case, after which the driver has as many objects as before.
fn balance(subject: &Subject, ledger: &Path) -> Result<Tally> {
    // Without a question for a text, as runtimes do; everywhere else the harness asks.
    let mut program = Command::new(release::file("pi-conformance"));
    program.arg(&subject.file).args(["--pi-version", "15.47", "--object-counter"]).arg(ledger);
    judged(subject, "the driver's objects after each conformance case", &mut program)
}

fn harness(subject: &Subject) -> Command {
    let mut program = Command::new(release::file("pi-conformance"));
    program.arg(&subject.file).arg("--strict");
    program
}

/// Conformance cases under memcheck: one failure for each process in which it names an error.
fn under_valgrind(subject: &Subject) -> Result<Tally> {
    if !process::succeeds(Command::new("valgrind").arg("--version")) {
        python::install_debian_packages(&["valgrind"])?;
    }
    let logs = tempfile::tempdir()?;
    let suppressions = workspace::root().join("testing/robustness/drivers.supp");
    let mut program = harness(subject);
    let under = format!(
        "valgrind --error-markers={MARK},end --log-file={}/%p.log --suppressions={}",
        logs.path().display(),
        suppressions.display()
    );
    program.args(["--pi-version", "15.47", "--timeout", "300", "--under", &under]);
    program.args(LOOKED_AT.iter().flat_map(|glob| ["--filter", glob]));
    let mut tally = judged(subject, "conformance cases under valgrind", &mut program)?;
    for entry in std::fs::read_dir(logs.path())?.flatten() {
        let text = std::fs::read_to_string(entry.path())?;
        let errors: Vec<&str> = text.lines().skip_while(|line| !line.contains(MARK)).take(60).collect();
        if errors.is_empty() {
            tally.passed += 1;
        } else {
            println!("{}", errors.join("\n"));
            tally.failed += 1;
        }
    }
    Ok(tally)
}
