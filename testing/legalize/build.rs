//! Builds the program that calls OpenCL drivers. Without a C compiler, or without OpenCL's headers and library, it is an
//! empty file.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=run.c");
    println!("cargo::rerun-if-env-changed=CC");
    let program = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("run");
    let mut cc = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    cc.args(["-O1", "-o"]).arg(&program).args(["run.c", "-l:libOpenCL.so.1"]);
    if !cc.status().is_ok_and(|status| status.success()) {
        println!(
            "cargo::warning=the program that calls OpenCL drivers cannot be built: its tests are skipped"
        );
        if let Err(error) = fs::write(&program, b"") {
            println!("cargo::error={}: {error}", program.display());
        }
    }
}
