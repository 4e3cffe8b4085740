//! A program with more privileges than its user. The test makes its own binary a set-user-ID program, which requires
//! root.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::process::Command;

use sycl_pi_host_process::{is_privileged, trusted_variable};

const VARIABLE: &str = "PI_TEST_NAMES_A_FILE";
/// The user `nobody`.
const OTHER: u32 = 65534;

/// The test that the set-user-ID program runs. Run directly, it is the case without privileges.
#[test]
fn a_variable_is_read_where_the_user_has_the_same_rights() {
    let value = trusted_variable(VARIABLE);
    assert_eq!(value.is_some(), std::env::var_os(VARIABLE).is_some() && !is_privileged());
    println!("privileged: {}, value: {value:?}", is_privileged());
}

#[test]
fn a_set_user_id_program_knows_no_variable_that_names_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    // Another process copies it, because a child of a concurrent test could otherwise have the file open for writing,
    // and such a program does not start.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    let said = |path: &std::path::Path| {
        let mut command = Command::new(path);
        command.args(["--exact", "a_variable_is_read_where_the_user_has_the_same_rights", "--nocapture"]);
        let output = command.env(VARIABLE, "/there").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said(&program).contains("privileged: false, value: Some(\"/there\")"), "{}", said(&program));
    chown(&program, Some(OTHER), None).expect("needs root");
    fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
    assert!(said(&program).contains("privileged: true, value: None"), "{}", said(&program));
}
