//! Tests of what may crash a process or leave something behind: threads on the same objects, orders of exit, two
//! runtimes at once, no memory. Valgrind checks for memory errors.

use std::process::Command;

use anyhow::Result;

use crate::conformance::subject::{self, Subject};
use crate::process;
use crate::provision::python;
use crate::release;
use crate::sample;
use crate::totals::{self, Totals};
use crate::workspace;

/// How long threads run on each driver, in seconds.
const SECONDS: &str = "2";

/// Threads make a driver crash in these, in one of ten or twenty runs, whatever the plugin does
/// (docs/reports/robustness.md).
const THREADS_LEAVE_OUT: [(&str, &[&str]); 2] =
    [("intel-2023", &["--in-order"]), ("intel-current", &["--in-order", "--without", "build"])];

/// Orders of exit at which a driver hangs, even in a program without a plugin
/// (`testing/robustness/programs/opencl_exit.c`).
const EXITS_LEAVE_OUT: [(&str, &[&str]); 1] = [("intel-current", &["--without", "exit_in_a_callback"])];

/// The driver whose own locks make forked children hang least often. Plugins do not differ in their own lock: the
/// gate before all calls is the same.
const FORKS_ON: &str = "software Level Zero";

/// Printed by memcheck before each error.
const ERROR_MARKER: &str = "names-an-error";

/// The cases that run under valgrind, where each takes seconds. They are those of one kind of object a day, or a third
/// of those of kernels, which PoCL compiles there.
const UNDER_VALGRIND: [&str; 8] = [
    "CTX-0*",
    "KRN-01 KRN-02 KRN-03",
    "QUE-0*",
    "MEM-0*",
    "KRN-04 KRN-05 KRN-06",
    "BUF-0*",
    "EVT-0*",
    "KRN-07 KRN-08 KRN-09",
];

/// Runs everything on each of our plugins and drivers.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for (who, subject) in subject::all()?.iter().enumerate() {
        let versions = ["--seconds", SECONDS, "--pi-version", "12.27", "--pi-version", "15.47"];
        let arguments = [&versions, left_out(&THREADS_LEAVE_OUT, subject)].concat();
        sum += robustness(subject, "8 threads at two versions", "stress", &arguments)?;
        if subject.driver == FORKS_ON {
            let arguments = [&versions[..], &["--forks"]].concat();
            sum += robustness(subject, "forks beside 8 threads", "stress", &arguments)?;
        }
        sum += orders_of_exit(subject, "orders of exit", who)?;
        sum += robustness(subject, "two runtimes at once", "two-runtimes", &[])?;
        sum += out_of_memory(subject)?;
    }
    for (who, subject) in subject::adapters_as_plugins()?.iter().enumerate() {
        let versions = ["--seconds", SECONDS, "--pi-version", "15.47"];
        let arguments = [&versions, left_out(&THREADS_LEAVE_OUT, subject)].concat();
        sum += robustness(subject, "8 threads through Unified Runtime", "stress", &arguments)?;
        if subject.driver == FORKS_ON {
            let arguments = [&versions[..], &["--forks"]].concat();
            sum +=
                robustness(subject, "forks beside 8 threads through Unified Runtime", "stress", &arguments)?;
        }
        sum += orders_of_exit(subject, "orders of exit through Unified Runtime", who)?;
    }
    for subject in subject::opencl()?.iter().filter(|subject| subject.driver == "pocl") {
        sum += under_valgrind(subject)?;
    }
    Ok(sum)
}

/// Returns the arguments that leave out what a driver itself does not support.
fn left_out(list: &[(&str, &'static [&'static str])], subject: &Subject) -> &'static [&'static str] {
    list.iter().find(|(driver, _)| *driver == subject.driver).map_or(&[], |(_, how)| how)
}

fn robustness(subject: &Subject, what: &str, command: &str, arguments: &[&str]) -> Result<Totals> {
    let mut program = Command::new(release::test_file("testing-robustness"));
    program.arg(command).arg(&subject.file).args(arguments);
    counted(subject, what, &mut program)
}

/// Ends processes in every second order. Other subjects, and this one on another day, use the other ones.
fn orders_of_exit(subject: &Subject, what: &str, who: usize) -> Result<Totals> {
    let mut sum = Totals::default();
    let title = format!("{subject}: every second order of exit from number");
    for first in sample::of_the_day(&title, "robustness", &["0", "1"], 1, who) {
        let arguments = [&["--every", "2", "--from", first], left_out(&EXITS_LEAVE_OUT, subject)].concat();
        sum += robustness(subject, what, "exit-order", &arguments)?;
    }
    Ok(sum)
}

/// Calls of the plugin without memory; on one driver also those of the runtime's library, and commands of `pi`.
fn out_of_memory(subject: &Subject) -> Result<Totals> {
    let mut program = Command::new(release::test_file("testing-robustness"));
    program.arg("out-of-memory").arg(&subject.file);
    if subject.driver == FORKS_ON {
        program.arg("--runtime").arg(release::file("libpi_runtime.so"));
        program.arg("--pi").arg(release::file("pi"));
    }
    counted(subject, "no memory", &mut program)
}

/// Runs a program whose last line contains the totals.
fn counted(subject: &Subject, what: &str, program: &mut Command) -> Result<Totals> {
    program.envs(subject.variables.iter().cloned());
    totals::step(format!("{subject}: {what}"), || Totals::of_last_line(program))
}

fn harness(subject: &Subject) -> Command {
    let mut program = Command::new(release::test_file("pi-conformance"));
    program.arg(&subject.file).arg("--strict");
    program
}

/// Runs conformance cases under memcheck. Each process with an error is a failure.
fn under_valgrind(subject: &Subject) -> Result<Totals> {
    if !process::succeeds(Command::new("valgrind").arg("--version")) {
        python::install_debian_packages(&["valgrind"])?;
    }
    let logs = tempfile::tempdir()?;
    let suppressions = workspace::root().join("testing/robustness/drivers.supp");
    let mut program = harness(subject);
    let under = format!(
        "valgrind --fair-sched=try --error-markers={ERROR_MARKER},end --log-file={}/%p.log --suppressions={}",
        logs.path().display(),
        suppressions.display()
    );
    program.args(["--pi-version", "15.47", "--timeout", "300", "--under", &under]);
    let families =
        sample::of_the_day("families of cases under valgrind", "robustness", &UNDER_VALGRIND, 1, 0);
    program.args(families.into_iter().flat_map(str::split_whitespace).flat_map(|glob| ["--filter", glob]));
    let mut totals = counted(subject, "conformance cases under valgrind", &mut program)?;
    for entry in std::fs::read_dir(logs.path())?.flatten() {
        let text = std::fs::read_to_string(entry.path())?;
        let errors: Vec<&str> =
            text.lines().skip_while(|line| !line.contains(ERROR_MARKER)).take(60).collect();
        if errors.is_empty() {
            totals.passed += 1;
        } else {
            totals::report_failure(&format!("memcheck on {subject}:\n{}", errors.join("\n")));
            totals.failed += 1;
        }
    }
    Ok(totals)
}
