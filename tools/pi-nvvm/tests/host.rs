//! The effects of workers on their program. There is only one test because it checks all children of the process.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{WaitOptions, wait};
use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmError, NvvmLibrary, NvvmOptions, NvvmTarget};

#[test]
fn a_worker_is_no_child_of_the_process() {
    let library = NvvmLibrary { libnvvm: "/nonexistent".into(), libdevice: "/nonexistent".into() };
    let compiler = NvvmCompiler::new(library, env!("CARGO_BIN_EXE_pi-nvvm").into(), Duration::from_secs(60));
    let target = NvvmTarget { arch: "compute_90".to_owned(), modern: false, release: String::new() };
    let error = compiler.compile(&target, "", &NvvmOptions::default()).unwrap_err();
    assert!(matches!(error, NvvmError::NoLibrary { .. }), "a worker answered: {error}");
    assert_eq!(wait(WaitOptions::NOHANG).unwrap_err(), Errno::CHILD);
}
