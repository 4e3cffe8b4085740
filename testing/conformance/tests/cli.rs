//! Starts the program like a user, without a plugin.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn harness(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi-conformance"));
    command.args(words);
    command
}

#[test]
fn a_list_whose_reader_has_seen_enough_ends_well_and_says_nothing() {
    let mut child = harness(&["--list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    // The list is larger than the capacity of a pipe, so that writing continues after the reader is gone.
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("LD-01 piPluginInit: "), "{first}");
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{}: {errors}", output.status);
}

#[test]
fn a_list_can_be_filtered_and_needs_no_plugin() {
    let output = harness(&["--list", "--filter", "PLT-0*"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.lines().count() > 5, "{text}");
    assert!(text.lines().all(|line| line.starts_with("PLT-0")), "{text}");
}

#[test]
fn a_file_that_is_no_plugin_is_an_error_of_one_line() {
    let output = harness(&["/dev/null", "--format", "junit"]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{errors}");
    assert!(errors.starts_with("error: ") && errors.contains("/dev/null"), "{errors}");
}
