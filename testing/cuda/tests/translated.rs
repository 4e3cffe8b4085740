//! Tests of kernels that the plugin translates from SPIR-V, on the software driver with the fake libnvvm, which
//! compiles with LLVM 14.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod environment;

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use environment::Environment;
use libtest_mimic::Arguments;
use testing_cuda::testing_support::{Expected, Registry};
use testing_cuda::{one_by_one, translated, variants, vendor_faults};

/// The variable that marks the restarted process.
const READY: &str = "PI_TEST_ON_SOFTWARE_NVVM";
/// LLVM, which the fake libnvvm opens.
const LLVM: &str = "/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1";

fn main() -> ExitCode {
    if env::var_os(READY).is_some() {
        return run();
    }
    let environment = Environment::new(&["software-nvvm", "pi-nvvm"]);
    let toolkit = environment.built.join("cuda-tests-nvvm");
    for folder in ["lib64", "libdevice"] {
        fs::create_dir_all(toolkit.join("nvvm").join(folder)).unwrap();
    }
    let library = environment.built.join("libsoftware_nvvm.so");
    fs::copy(library, toolkit.join("nvvm/lib64/libnvvm.so")).unwrap();
    fs::write(toolkit.join("nvvm/libdevice/libdevice.10.bc"), "The driver has these functions.\n").unwrap();
    let mut command = environment.command(&env::current_exe().unwrap());
    command.env("PI_NVVM", &toolkit).env("PI_NVVM_COMPILER", environment.built.join("pi-nvvm"));
    // A kernel and its variants are cached together, and must not be mixed up.
    command.env("SYCL_CACHE_PERSISTENT", "1").env("SYCL_CACHE_DIR", toolkit.join("cache"));
    let status = command.args(env::args_os().skip(1)).env(READY, "1").status().unwrap();
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run() -> ExitCode {
    if let Some(code) = one_by_one::child() {
        return code;
    }
    let cases = translated::CASES.into_iter().chain(variants::CASES).chain(vendor_faults::CASES);
    let cases: Registry = cases.chain(one_by_one::CASES).collect();
    let skipped = |why: &str| Expected::Skip(why.to_owned());
    cases.run(&Arguments::from_args(), |name| match name {
        _ if !Path::new(LLVM).exists() => skipped("there is no LLVM 14"),
        _ => Expected::Pass,
    })
}
