//! Tests of ends, outputs and time limits of real processes.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testing_support::process::{End, Process, run, run_while};

const LONG: Duration = Duration::from_secs(60);

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

#[test]
fn a_program_that_ends_gives_its_outputs_and_code() {
    let finished = run(&mut shell("echo out; echo err >&2; exit 3"), LONG).unwrap();
    assert_eq!(finished.end, End::Code(3));
    assert_eq!((&*finished.stdout, &*finished.stderr), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(finished.summary(1), "ended with code 3\nout\nerr");
}

#[test]
fn more_than_a_pipe_holds_is_captured_from_both_outputs() {
    let script = "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero";
    let finished = run(&mut shell(script), LONG).unwrap();
    assert_eq!((finished.stdout.len(), finished.stderr.len()), (600_000, 300_000));
}

#[test]
fn a_program_that_hangs_is_killed_with_what_it_started_and_keeps_its_output() {
    let start = Instant::now();
    let finished = run(&mut shell("echo begun; sleep 60 & sleep 60"), Duration::from_millis(300)).unwrap();
    assert!(start.elapsed() < Duration::from_secs(30), "a process that it started held the pipe");
    assert_eq!(finished.end, End::TimedOut(Duration::from_millis(300)));
    assert_eq!(finished.stdout, b"begun\n");
    assert_eq!(finished.end.to_string(), "no end within 0.3 s");
}

#[test]
fn a_program_that_leaves_another_with_its_pipe_behind_is_stopped_at_the_limit() {
    let finished = run(&mut shell("echo begun; sleep 60 & exit 0"), Duration::from_millis(300)).unwrap();
    assert!(finished.end.is_timeout());
    assert_eq!(finished.stdout, b"begun\n");
}

#[test]
fn a_signal_is_named() {
    let finished = run(&mut shell("kill -SEGV $$"), LONG).unwrap();
    assert_eq!(finished.end, End::Signal(11));
    assert_eq!(finished.end.to_string(), "ended by signal 11 (SIGSEGV)");
    assert_eq!(End::Signal(40).to_string(), "ended by signal 40");
}

#[test]
fn the_limit_starts_again_with_each_progress() {
    let (start, limit) = (Instant::now(), Duration::from_millis(200));
    let steps = || (start.elapsed().as_millis() / 100).min(10) as u64;
    let finished = run_while(shell("sleep 60").stdout(Stdio::null()), limit, steps).unwrap();
    assert!(finished.end.is_timeout());
    assert!(start.elapsed() > Duration::from_secs(1), "it was killed while it made progress");
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_process_that_is_dropped_is_killed() {
    let mut command = shell("echo begun; sleep 60");
    let mut process = Process::start(command.stdout(Stdio::piped())).unwrap();
    let mut stdout = process.take_stdout().unwrap();
    drop(process);
    let start = Instant::now();
    std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(30), "something still holds the pipe");
}

#[test]
fn a_program_that_does_not_exist_is_an_error() {
    assert!(run(&mut Command::new("/no/such/program"), LONG).is_err());
}
