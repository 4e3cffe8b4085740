//! The output of an install and an uninstall, and the files that they leave to others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod install_support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use install_support::Tree;
use install_support::ur_tree::UrTree;

/// Runs `pi` with a compiler worker to install.
fn with_worker(tree: &Tree, words: &[&str]) -> Output {
    let worker = tree.root.path().join("worker");
    fs::write(&worker, "a worker").unwrap();
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    pi.args(words).arg(tree.venv()).env("PI_NVVM_COMPILER", &worker);
    let output = pi.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A worker that was replaced since, or that nothing recorded, is somebody else's.
#[test]
fn an_uninstall_leaves_a_worker_of_others() {
    let tree = Tree::new();
    let worker = tree.lib.join("pi-nvvm");
    let ours = tree.ours.to_str().unwrap();
    with_worker(&tree, &["install", "--spirv-on-nvidia", "--plugin", ours]);
    assert_eq!(fs::read_to_string(&worker).unwrap(), "a worker");
    fs::write(&worker, "of others").unwrap();
    with_worker(&tree, &["uninstall"]);
    assert_eq!(fs::read_to_string(&worker).unwrap(), "of others");
    assert!(!tree.lib.join("pi-cuda-as").exists());
    fs::write(tree.lib.join("pi-cuda-as"), "level_zero\n").unwrap();
    with_worker(&tree, &["uninstall"]);
    assert_eq!(fs::read_to_string(&worker).unwrap(), "of others");
    assert!(!tree.lib.join("pi-cuda-as").exists());
}

/// Every user who can read the folder can load our file, as if the vendor's had been readable.
#[test]
fn our_file_has_the_vendors_permissions_and_can_be_read() {
    let tree = Tree::new();
    let mode = || fs::metadata(tree.place()).unwrap().permissions().mode() & 0o777;
    for (vendors, ours) in [(0o600, 0o644), (0o550, 0o554), (0o775, 0o775)] {
        fs::set_permissions(tree.place(), fs::Permissions::from_mode(vendors)).unwrap();
        tree.done("install");
        assert_eq!(mode(), ours);
        tree.done("uninstall");
        assert_eq!(mode(), vendors);
    }
}

#[test]
fn a_dry_run_tells_what_is_planned_and_no_more() {
    let tree = Tree::new();
    let ours = tree.ours.to_str().unwrap();
    let told = |words: &[&str]| String::from_utf8(with_worker(&tree, words).stdout).unwrap();
    let dry = ["install", "--plugin", ours, "--dry-run"];
    assert!(told(&dry).contains("libpi_opencl.so: planned: installed"), "{}", told(&dry));
    assert!(!told(&["install", "--plugin", ours]).contains("planned"));
    // It is already installed.
    assert!(!told(&dry).contains("planned"), "{}", told(&dry));
    assert!(told(&["uninstall", "--dry-run"]).contains("planned: "));
}

#[test]
fn a_variable_that_names_other_files_is_told() {
    let tree = UrTree::new("2025.3.3");
    let notes = |list: &str| {
        let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(["--json", "status", &tree.venv()]).env("UR_ADAPTERS_FORCE_LOAD", list);
        let report: serde_json::Value = serde_json::from_slice(&pi.output().unwrap().stdout).unwrap();
        report["entries"][0]["notes"].to_string()
    };
    let other = tree.ours("opencl").display().to_string();
    let note = format!("UR_ADAPTERS_FORCE_LOAD is set: programs open {other} instead");
    assert!(notes(&other).contains(&note), "{}", notes(&other));
    // The environment's own Python sets such a list.
    let own = tree.lib.join("libur_adapter_opencl.so.0").display().to_string();
    assert!(!notes(&own).contains("is set"), "{}", notes(&own));
}
