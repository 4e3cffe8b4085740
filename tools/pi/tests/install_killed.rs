//! `pi install` and `pi uninstall` that are killed, or get an error, at a file call: the next command repairs the
//! environment.
//!
//! Each third call that may change a file is tried in turn, others each day. With PI_TEST_DAY=all every one is tried, and
//! with PI_INSTALL_CALLS=all calls that only read are tried too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod install_support;

use std::process::Output;

use install_support::case::{Case, Work, compile_program};
use tempfile::TempDir;
use testing_support::day;

const KILL: i32 = 0;
const DISK_FULL: i32 = 28;
const BROKEN_DISK: i32 = 5;

/// A program that stops another one at a file call.
struct Stopper {
    folder: TempDir,
}

impl Stopper {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        compile_program("stop_at.c", &folder.path().join("stop_at"));
        Self { folder }
    }

    /// Runs the command up to the file call of this number. Returns `None` if there are fewer calls.
    fn run(&self, case: &Case, work: Work, number: usize, error: i32) -> Option<Output> {
        let program = self.folder.path().join("stop_at");
        let calls = std::env::var("PI_INSTALL_CALLS").unwrap_or_else(|_| "changes".into());
        let words = [program.to_str().unwrap(), &calls, &number.to_string(), &error.to_string()];
        let output = case.command(work, &words).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        match (output.status.code(), error) {
            (Some(98), _) => None,
            (Some(99), KILL) => Some(output),
            // It reported the error, or did not need the call.
            (Some(0 | 1), _) if error != KILL => Some(output),
            (code, _) => panic!("{}: {work:?} at call {number}, error {error}: {code:?} {told}", case.name),
        }
    }
}

/// Prepares the environment for the command that is stopped.
fn prepare(case: &Case, work: Work) {
    if work != Work::Install {
        case.done(Work::Install);
    }
}

/// The calls at which a command is stopped.
#[derive(Clone, Copy)]
struct Calls {
    first: usize,
    step: usize,
}

const EVERY: Calls = Calls { first: 1, step: 1 };

/// Returns the day's third of the calls.
fn of_the_day() -> Calls {
    day::of_sample().map_or(EVERY, |day| Calls { first: 1 + day % 3, step: 3 })
}

/// Stops each command at these of its calls. Whatever is done next, an uninstall restores everything.
fn stop_at(Calls { first, step }: Calls, case: &Case, error: i32, beside: &[Work]) {
    let stopper = Stopper::new();
    let (mut stops, mut unchanged) = (0, 0);
    // While another process runs, a command may have less to do than the next time.
    let patience = if beside.is_empty() { 1 } else { 4 };
    for work in [Work::Install, Work::Upgrade, Work::Uninstall] {
        let mut without = 0;
        for (turn, number) in (first..).step_by(step).enumerate() {
            prepare(case, work);
            let beside: Vec<Work> =
                beside.iter().cycle().skip(turn).take(beside.len().min(1)).copied().collect();
            let others: Vec<_> = beside.iter().map(|work| case.start(*work)).collect();
            let stopped = stopper.run(case, work, number, error);
            for (work, other) in beside.iter().zip(others) {
                let output = other.wait_with_output().unwrap();
                assert!(
                    matches!(output.status.code(), Some(0 | 3)),
                    "{}: beside, {work:?}: {output:?}",
                    case.name
                );
            }
            let what = format!("{work:?}, stopped at call {number} (error {error}), {beside:?} beside");
            let told = stopped.as_ref().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            let told = told.unwrap_or_default();
            // If creating the lock file fails, it is unknown whether it existed.
            let undone = !told.contains("continues from here") || told.contains("cannot be locked");
            assert!(work != Work::Install || undone, "{what}: {told}");
            if told.contains("nothing was changed") && work == Work::Install {
                case.assert_as_before(&what);
                unchanged += 1;
            }
            case.assert_unchanged_by(Work::Status, &what);
            // Completed or undone.
            match turn % 3 {
                0 => case.done(Work::Install),
                1 => case.done(Work::Upgrade),
                _ => {}
            }
            case.done(Work::Uninstall);
            case.assert_as_before(&what);
            without = if stopped.is_none() { without + 1 } else { 0 };
            if without == patience {
                break;
            }
            stops += usize::from(stopped.is_some());
        }
    }
    assert!(unchanged > 0 || error == KILL, "{}: no error says that nothing was changed", case.name);
    eprintln!(
        "{}: stopped at {stops} calls (error {error}), {beside:?} beside: 0 lost, 0 left over",
        case.name
    );
}

fn inside() -> Case {
    Case::adapters("adapters of 2026.2.0", "2026.2.0", &["opencl"])
}

#[test]
fn a_killed_install_of_plugins_is_mended() {
    stop_at(of_the_day(), &Case::plugins(), KILL, &[]);
}

#[test]
fn a_killed_install_of_adapters_and_their_file_for_python_is_mended() {
    stop_at(of_the_day(), &inside(), KILL, &[]);
}

#[test]
fn a_killed_install_into_an_environment_of_links_is_mended() {
    stop_at(of_the_day(), &Case::links("links of 2026.2.0", "2026.2.0", &["opencl"]), KILL, &[]);
}

#[test]
fn a_process_killed_beside_another_disturbs_neither() {
    stop_at(
        of_the_day(),
        &Case::plugins(),
        KILL,
        &[Work::Install, Work::Uninstall, Work::Status, Work::Upgrade],
    );
}

#[test]
fn a_failed_call_is_told_and_mended() {
    stop_at(of_the_day(), &Case::plugins(), DISK_FULL, &[]);
}

/// The long form: every copy of every adapter, and everything while another process runs.
#[test]
#[ignore = "takes minutes"]
fn every_copy_of_every_adapter_is_mended() {
    let all = [Work::Install, Work::Uninstall, Work::Status, Work::Upgrade];
    let adapters = Case::adapters("adapters of 2025.3.3", "2025.3.3", &["opencl", "level_zero"]);
    for beside in [&[], all.as_slice()] {
        stop_at(EVERY, &adapters, KILL, beside);
    }
    stop_at(EVERY, &inside(), KILL, &all);
    for error in [DISK_FULL, BROKEN_DISK] {
        stop_at(EVERY, &inside(), error, &[]);
    }
}
