//! `pi doctor` runs a kernel through the environment's Python. Here a script stands in for Python.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod install_support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use install_support::{EVERY_VERSION, compile};
use serde_json::Value;

const DEVICES: &str = r#"{"package": "dpnp", "devices": [
{"backend": "cuda", "number": 0, "tag": "cuda:gpu:0", "name": "A GPU", "vendor": "NVIDIA Corporation"},
{"backend": "cuda", "number": 1, "tag": "cuda:gpu:1", "name": "B GPU", "vendor": "NVIDIA Corporation"}]}"#;

/// Returns the findings of `pi doctor` about an environment. Its Python lists two devices, and runs `compute` with the
/// index of one.
fn findings(root: &Path, compute: &str) -> Vec<Value> {
    findings_of(root, DEVICES, compute)
}

/// Returns them for a Python that lists these devices. Other output of Python is not passed on.
fn findings_of(root: &Path, devices: &str, compute: &str) -> Vec<Value> {
    fs::create_dir_all(root.join("lib/python3.12/site-packages/dpctl")).unwrap();
    fs::create_dir_all(root.join("bin")).unwrap();
    fs::write(root.join("pyvenv.cfg"), "").unwrap();
    compile(&root.join("lib/libsycl.so.7"), &[EVERY_VERSION]);
    let python = root.join("bin/python");
    let script = format!("#!/bin/sh\n[ $# = 3 ] && echo '{devices}' && exit\nindex=$4\n{compute}\n");
    fs::write(&python, script).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    let output = pi.args(["--json", "doctor"]).arg(root).env_clear().env("PATH", "/usr/bin:/bin").output();
    let output = output.unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["findings"].as_array().unwrap().clone()
}

/// Returns the finding whose text starts with a word.
fn about<'f>(findings: &'f [Value], start: &str) -> &'f Value {
    let is_it = |finding: &&Value| finding["what"].as_str().unwrap().starts_with(start);
    findings.iter().find(is_it).unwrap_or_else(|| panic!("no {start}: {findings:#?}"))
}

#[test]
fn each_device_of_python_gets_a_kernel_and_a_reason_if_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let answer = r#"echo a line of a library
[ $index = 0 ] && echo '{"error": null}' || echo '{"error": "RuntimeError: no kernel"}'"#;
    let findings = findings(folder.path(), answer);
    let good = about(&findings, "cuda:gpu:0 A GPU");
    assert_eq!(good["severity"], "ok");
    assert!(good["what"].as_str().unwrap().contains("dpnp added two vectors in a kernel, through"));
    let bad = about(&findings, "cuda:gpu:1 B GPU runs no kernel of dpnp");
    assert_eq!(bad["severity"], "error");
    assert!(bad["why"].as_str().unwrap().ends_with("RuntimeError: no kernel"), "{bad}");
    assert_eq!(bad["command"], "export ONEAPI_DEVICE_SELECTOR='*:*;!cuda:1'");
}

/// The plugin's devices fail their test. A device of that name gets no kernel, and another one does.
#[test]
fn a_device_that_failed_its_test_gets_no_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("lib").join(install_support::NAME);
    compile(&plugin, &[EVERY_VERSION, "DEVICES"]);
    let of_the_name = DEVICES.replace("A GPU", "Fake device");
    let answer = r#"echo '{"error": null}'"#;
    let findings = findings_of(folder.path(), &of_the_name, answer);
    about(&findings, "cuda:gpu:1 B GPU: dpnp added two vectors");
    assert!(
        !findings.iter().any(|one| one["what"].as_str().unwrap().starts_with("cuda:gpu:0")),
        "{findings:#?}"
    );
}

/// If SPIR-V cannot be compiled for NVIDIA's GPUs, one finding says so. Their kernels cannot run.
#[test]
fn without_a_compiler_nvidias_devices_get_no_kernel() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("lib")).unwrap();
    fs::write(folder.path().join("lib/pi-cuda-as"), "level_zero\n").unwrap();
    let other = DEVICES.replacen("NVIDIA Corporation", "Another", 1);
    let findings = findings_of(folder.path(), &other, r#"echo '{"error": null}'"#);
    about(&findings, "cuda:gpu:0 A GPU: dpnp added two vectors");
    assert!(
        !findings.iter().any(|one| one["what"].as_str().unwrap().starts_with("cuda:gpu:1")),
        "{findings:#?}"
    );
}

#[test]
fn a_driver_that_ends_python_is_an_error_of_its_device() {
    let folder = tempfile::tempdir().unwrap();
    let findings = findings(folder.path(), "echo last words >&2; kill -SEGV $$");
    let bad = about(&findings, "cuda:gpu:0 A GPU runs no kernel");
    assert!(bad["why"].as_str().unwrap().contains("segmentation fault, signal 11): last words"), "{bad}");
}

#[test]
fn without_arrays_no_kernel_runs_and_doctor_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("lib")).unwrap();
    compile(&root.join("lib/libsycl.so.7"), &[EVERY_VERSION]);
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    let output = pi.args(["--json", "doctor"]).arg(root).env_clear().output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let note = about(report["findings"].as_array().unwrap(), "No kernel was run through").clone();
    assert_eq!(note["severity"], "info");
}

#[test]
fn only_a_package_with_arrays_adds_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let dpctl = folder.path().join("dpctl");
    fs::create_dir(&dpctl).unwrap();
    fs::write(dpctl.join("__init__.py"), "def get_devices():\n    return []\n").unwrap();
    let package = |tensor: &str| {
        fs::write(dpctl.join("tensor.py"), tensor).unwrap();
        let mut python = Command::new("python3");
        // Without the packages that this Python has.
        python.args(["-S", "-c", include_str!("../src/doctor/kernel.py")]);
        python.env("PYTHONPATH", folder.path()).env("PYTHONDONTWRITEBYTECODE", "1");
        let output = python.output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["package"].clone()
    };
    assert_eq!(package("def arange(count):\n    pass\n"), "dpctl.tensor");
    // Releases of 2022: no array can be created with a range.
    assert_eq!(package("def usm_ndarray(shape):\n    pass\n"), Value::Null);
    // Why it cannot be imported is told when it computes.
    assert_eq!(package("import no_such_module\n"), "dpctl.tensor");
}
