//! SPIR-V for NVIDIA GPUs, without one.

use std::path::Path;

use anyhow::Result;

use crate::backend::Backend;
use crate::nvvm;
use crate::process;
use crate::provision::{libnvvm, python};
use crate::release;
use crate::test::clients;
use crate::totals::{self, Totals};

/// The compiler that takes typed pointers.
const CLANG: &str = "clang-14";

/// The release whose stock dpctl is executed through the translator.
const EXECUTED: &str = "2023.2.4";

/// Runs the tests of the translator, and a sample of stock modules.
pub(crate) fn run() -> Result<Totals> {
    if !Path::new("/usr/bin").join(CLANG).exists() {
        python::install_debian_packages(&[CLANG])?;
    }
    release::build(&["pi-nvvm"])?;
    let libnvvm = libnvvm::ensure()?;
    let mut sum = totals::step("what the translator from SPIR-V to NVVM IR means", || {
        let mut command = process::cargo();
        command.args(["test", "--package", "testing-nvvm", "--", "--include-ignored"]);
        command.env("PI_NVVM", &libnvvm).env("PI_NVVM_COMPILER", release::file("pi-nvvm"));
        Totals::of_tests(&mut command)
    })?;
    sum += nvvm::sample()?;
    release::build(Backend::Cuda.packages())?;
    // Sums, with barriers and sub-groups. `cargo xtask clients --backend cuda` runs whole suites.
    sum += clients::dpctl(EXECUTED, Backend::Cuda, Some("dpctl/tests/test_tensor_"))?;
    Ok(sum)
}
