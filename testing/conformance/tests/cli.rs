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

#[test]
fn a_list_is_json_if_asked_and_no_report_of_another_format() {
    let output = harness(&["--list", "--json", "--filter", "PLT-0*"]).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let listed = document["requirements"].as_array().unwrap();
    let of = |id: &str| listed.iter().find(|line| line["id"] == id).unwrap();
    let line = of("PLT-03");
    assert_eq!((&line["call"], &line["family"]), (&"piPlatformsGet".into(), &"PLT".into()));
    assert_eq!(
        (&line["given"], &line["expected"]),
        (&"piPlatformsGet(0, null, null)".into(), &"PI_ERROR_INVALID_VALUE".into())
    );
    assert!(line["no_case"].is_null() && of("PLT-06")["call"].is_null());
    assert!(of("PLT-06")["no_case"].as_str().unwrap().starts_with("needs a machine without the driver"));

    let output = harness(&["--list", "--format", "junit"]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{errors}");
    assert_eq!(errors, "error: a list is text or JSON\n");
}
