//! Compiles kernels of `cuda/` for the software CUDA driver in a build script: shared objects for this machine, which
//! the crate embeds.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Compiles the C sources with these names. Without a C compiler, the objects are empty.
pub(crate) fn build(names: &[&str]) {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../kernels/cuda_objects.rs");
    println!("cargo::rerun-if-changed=../kernels/cuda");
    println!("cargo::rerun-if-env-changed=CC");
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    for name in names {
        let object = Path::new(&out).join(format!("{name}.so"));
        let mut cc = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
        cc.args(["-O1", "-fPIC", "-shared", "-o"]).arg(&object).arg(format!("../kernels/cuda/{name}.c"));
        if !cc.status().is_ok_and(|status| status.success()) {
            println!("cargo::warning=no C compiler: kernels for the software CUDA driver are left out");
            if let Err(error) = fs::write(&object, b"") {
                println!("cargo::error={}: {error}", object.display());
            }
        }
    }
}
