//! Builds the kernels for the software CUDA driver as a shared object of this machine, which is embedded in the
//! program.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const SOURCE: &str = "../kernels/cuda/basic.c";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../kernels/cuda");
    println!("cargo::rerun-if-env-changed=CC");
    let object = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("basic.so");
    let mut cc = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    cc.args(["-O1", "-fPIC", "-shared", "-o"]).arg(&object).arg(SOURCE);
    if !cc.status().is_ok_and(|status| status.success()) {
        println!("cargo::warning=no C compiler: kernels for the software CUDA driver are left out");
        if let Err(error) = fs::write(&object, b"") {
            println!("cargo::error={}: {error}", object.display());
        }
    }
}
