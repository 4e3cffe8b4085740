//! The device-image tools: what they make goes through linkers, stock runtimes and Intel's CPU runtime.

use std::path::Path;

use anyhow::{Result, bail};

use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::release;
use crate::releases;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// The releases whose libsycl registers wrapped images here.
const RELEASES: [&str; 2] = ["2023.2.4", "2024.2.2"];

/// Builds the tool and the runtime, and runs `testing/images` with them.
pub(crate) fn run() -> Result<Tally> {
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let mut libsycl = Vec::new();
    for version in RELEASES {
        let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
        libsycl.push(environment::ensure(release, Flavour::Vendor)?.lib());
    }
    // The walk-through's compilers, and what checks and draws; a system without these packages skips the tests that need them.
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
    let step = Step::start("the device-image tools");
    let mut command = process::cargo();
    command.args(["test", "--package", "testing-images"]);
    command.env("PI_TEST_PLUGIN", workspace::our_plugin());
    command
        .env("PI_TEST_TOOL", release::file("pi"))
        .env("PI_TEST_RUNTIME", release::file("libpi_runtime.so"));
    command.env("PI_TEST_LIBSYCL", std::env::join_paths(libsycl)?);
    let mut tally = Tally::of_tests_or_skips(command.envs(environment.variables()))?;
    // PoCL takes LLVM's bitcode and no SPIR-V: constants from a buffer are tested on it, and nothing else can be.
    let mut bitcode = process::cargo();
    bitcode.args(["test", "--package", "testing-images", "--test", "images", "--", "as_bitcode"]);
    bitcode.env("PI_TEST_PLUGIN", workspace::our_plugin()).env("PI_TEST_TOOL", release::file("pi"));
    tally += Tally::of_tests_or_skips(bitcode.envs(opencl::ensure(Driver::Pocl)?.variables()))?;
    step.done(&tally.to_string());
    Ok(tally)
}
