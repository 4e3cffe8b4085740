//! Runs the tests on the software driver: builds plugin, driver and kernels, and starts itself anew with them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Set for the run that has everything.
const READY: &str = "PI_TEST_ON_SOFTWARE_CUDA";

fn main() -> ExitCode {
    if env::var_os(READY).is_some() {
        return pi_cuda_tests::cases::run(libtest_mimic::Arguments::from_args());
    }
    let this = env::current_exe().expect("this program has a path");
    let built = this.ancestors().nth(2).expect("programs lie in target/profile/deps").to_path_buf();
    build(&built);
    let stage = built.join("cuda-tests");
    std::fs::create_dir_all(&stage).unwrap();
    std::fs::copy(built.join("libcuda_software.so"), stage.join("libcuda.so.1")).unwrap();
    kernels(&stage);
    let status = Command::new(this)
        .args(env::args_os().skip(1))
        .env(READY, "1")
        .env("LD_LIBRARY_PATH", &stage)
        .env("PI_TEST_PLUGIN", built.join("libpi_cuda.so"))
        .env("PI_TEST_IMAGES", &stage)
        .status()
        .unwrap();
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Has cargo build the two libraries beside this program.
fn build(built: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "pi_cuda", "-p", "cuda-software-driver"]);
    if built.ends_with("release") {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(built.parent().unwrap());
    assert!(cargo.status().unwrap().success(), "{cargo:?}");
}

fn kernels(stage: &Path) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels/kernels.c");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-fPIC", "-shared", "-w", "-o"]).arg(stage.join("kernels.so")).arg(source);
    assert!(cc.status().unwrap().success(), "{cc:?}");
}
