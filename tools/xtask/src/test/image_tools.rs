//! The device-image tools. Their output is processed by linkers, stock runtimes and Intel's CPU runtime.

use std::path::Path;

use anyhow::{Result, bail};

use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::release;
use crate::releases;
use crate::script;
use crate::test_programs::Tests;
use crate::totals::{self, Totals};
use crate::workspace;

/// The releases whose libsycl registers wrapped images here.
const RELEASES: [&str; 2] = ["2023.2.4", "2024.2.2"];

/// A small sample of the kernels of stock packages.
const STOCK: &str = "--package dpctl-0.14.5 --package dpctl-0.22.1 --package onemkl-sycl-distributed-dft --driver intel-current \
                     --every 400 --launches 10 --seed 7";

/// Modules of stock packages that are rewritten for OpenCL drivers, and damaged ones.
const LEGALIZED: [&str; 2] =
    ["--package dpnp-0.20.0 --every 200", "--package dpnp-0.20.0 --fuzz 20000 --seed 7"];

/// Builds the tool and the runtime, and runs `testing/images` with them.
pub(crate) fn run() -> Result<Totals> {
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let mut libsycl = Vec::new();
    for version in RELEASES {
        let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
        libsycl.push(environment::ensure(release, Flavour::Vendor)?.lib());
    }
    // The walk-through's compilers, a validator and a drawing program. Tests that need missing packages are skipped.
    let packages = ["clang-15", "llvm-spirv-15", "spirv-tools", "graphviz"];
    let programs = ["clang-15", "llvm-spirv-15", "spirv-val", "dot"];
    let missing: Vec<&str> = packages
        .into_iter()
        .zip(programs)
        .filter(|(_, program)| !Path::new("/usr/bin").join(program).exists())
        .map(|(package, _)| package)
        .collect();
    if !missing.is_empty()
        && let Err(error) = python::install_debian_packages(&missing)
    {
        println!("without {}: {error:#}", missing.join(", "));
    }
    let tests = Tests::named("testing-images", "images")?
        .env("PI_TEST_PLUGIN", workspace::our_plugin())
        .env("PI_TEST_TOOL", release::file("pi"));
    let on_intel = tests.clone().env("PI_TEST_RUNTIME", release::file("libpi_runtime.so"));
    let on_intel =
        on_intel.env("PI_TEST_LIBSYCL", std::env::join_paths(libsycl)?).envs(environment.variables());
    let mut sum = totals::step("the device-image tools", || on_intel.run_or_skip())?;
    sum += script::run("testing/images/stock_kernels.py", &STOCK.split(' ').collect::<Vec<_>>())?;
    for words in LEGALIZED {
        sum += script::run("testing/legalize/legalize.py", &words.split(' ').collect::<Vec<_>>())?;
    }
    // PoCL accepts LLVM's bitcode but not SPIR-V. Only constants from a buffer can be tested on it.
    let on_pocl = tests.arg("as_bitcode").envs(opencl::ensure(Driver::Pocl)?.variables());
    sum += totals::step("device images as bitcode", || on_pocl.run_or_skip())?;
    Ok(sum)
}
