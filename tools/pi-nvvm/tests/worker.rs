//! Results of compilations: with libnvvm, and with programs that are not workers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmError, NvvmLibrary, NvvmOptions, NvvmTarget};

/// Returns a missing library. Workers start without it.
fn no_library() -> NvvmLibrary {
    NvvmLibrary { libnvvm: "/nonexistent/libnvvm.so".into(), libdevice: "/nonexistent/libdevice.bc".into() }
}

fn target() -> NvvmTarget {
    NvvmTarget { arch: "compute_90".to_owned(), modern: false, release: String::new() }
}

fn worker() -> PathBuf {
    env!("CARGO_BIN_EXE_pi-nvvm").into()
}

/// Compiles with a shell script as the worker.
fn with_script(folder: &Path, script: &str, limit: Duration) -> NvvmError {
    let program = folder.join("script");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let compiler = NvvmCompiler::new(no_library(), program, limit);
    compiler.compile(&target(), "define", &NvvmOptions::default()).unwrap_err()
}

const SHORT: Duration = Duration::from_millis(300);

#[test]
fn a_worker_without_libnvvm_says_why() {
    let compiler = NvvmCompiler::new(no_library(), worker(), Duration::from_secs(5));
    let error = compiler.compile(&target(), "define", &NvvmOptions::default()).unwrap_err();
    assert!(
        matches!(&error, NvvmError::NoLibrary { tried } if tried.contains("/nonexistent/libnvvm.so")),
        "{error}"
    );
}

#[test]
fn a_program_that_is_not_there_or_fails_to_start_is_named() {
    let compiler = NvvmCompiler::new(no_library(), "/nonexistent/pi-nvvm".into(), SHORT);
    let error = compiler.compile(&target(), "define", &NvvmOptions::default()).unwrap_err();
    assert!(error.to_string().contains("/nonexistent/pi-nvvm"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let error = with_script(folder.path(), "exit 3", SHORT);
    assert!(matches!(&error, NvvmError::NoWorker { why, .. } if why.contains('3')), "{error}");
}

#[test]
fn a_worker_that_ends_without_an_answer_is_a_crash_with_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let error = with_script(folder.path(), "(echo 'LLVM ERROR: broken' >&2) & exit 0", SHORT);
    assert!(matches!(&error, NvvmError::Crashed { said } if said.contains("LLVM ERROR: broken")), "{error}");
}

#[test]
fn a_worker_that_hangs_is_left_after_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let error = with_script(folder.path(), "sleep 30 & exit 0", SHORT);
    assert!(matches!(error, NvvmError::TimedOut { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_garbled_answer_is_an_error_that_names_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let error = with_script(folder.path(), "(echo Hello, this is no worker; sleep 5) & exit 0", SHORT);
    assert!(matches!(&error, NvvmError::NoWorker { program, .. } if program.ends_with("script")), "{error}");
}

#[test]
fn a_command_line_that_no_plugin_writes_is_answered_with_the_usage() {
    let files = ["--libnvvm", "a", "--libdevice", "b"];
    let bad_parent = [&files[..], &["--parent", "x"]].concat();
    let no_value = [&files[..], &["--parent"]].concat();
    for arguments in
        [&[][..], &["--help"], &files[..3], &files[..2], &["--other", "a"], &bad_parent, &no_value]
    {
        let output = std::process::Command::new(worker()).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.starts_with("Usage: pi-nvvm --libnvvm FILE"), "{arguments:?}: {said}");
    }
}
