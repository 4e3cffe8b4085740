//! The demo as a C program, for machines where no Python fits: the wheels of the PI era end at Python 3.11.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::demo::{self, proof::Proof};
use crate::fsutil;
use crate::process;
use crate::provision::{opencl, python, wheels};
use crate::releases::{Pin, Release};
use crate::ui::Step;
use crate::workspace;

const SOURCES: [(&str, &str); 3] = [
    ("demo.c", include_str!("../../demo/demo.c")),
    ("demo.cl", include_str!("../../demo/demo.cl")),
    ("png.h", include_str!("../../demo/png.h")),
];

/// The packages of the release that a program without Python needs.
const PACKAGES: [&str; 5] = ["dpcpp-cpp-rt", "intel-cmplr-lib-rt", "intel-opencl-rt", "tbb", "dpctl"];

/// Unpacks the runtime, installs our plugin in it, builds the program and runs it.
pub(super) fn run(release: &'static Release) -> Result<Proof> {
    let pins: Vec<Pin> = release.pins().filter(|pin| PACKAGES.contains(&pin.name)).collect();
    let names: Vec<String> = pins.iter().map(ToString::to_string).collect();
    let content = format!("1 {}", names.join(" "));
    let runtime = demo::folder().join("runtime");
    if !fsutil::is_stamped(&runtime, &content) {
        let files = wheels::ensure(&pins, release.python_minor)?;
        let step = Step::start(format!("unpacking DPC++ {}", release.version));
        fsutil::build_folder(&runtime, &content, |inside| wheels::unpack(&files, inside))?;
        step.done("");
    }
    demo::install(&runtime)?;
    let work = demo::folder().join("c");
    build(&work, &runtime)?;
    let picture = demo::folder().join("mandelbrot.png");
    let mut command = Command::new(work.join("demo"));
    command.arg(work.join("demo.cl")).arg(&picture).envs(opencl::intel_variables(&runtime.join("lib"))?);
    let mut libraries: OsString = runtime.join("lib").into_os_string();
    libraries.push(":");
    libraries.push(runtime.join("dpctl"));
    command.env("LD_LIBRARY_PATH", libraries);
    demo::execute(command, &demo::plugin(&runtime), workspace::our_plugin(), picture, release)
}

/// Compiles the C program against the headers and the library of dpctl's wheel.
fn build(work: &Path, runtime: &Path) -> Result<()> {
    if !process::succeeds(Command::new("cc").arg("--version")) {
        python::install_debian_packages(&["gcc", "libc6-dev"])?;
    }
    fs::create_dir_all(work)?;
    for (name, text) in SOURCES {
        fs::write(work.join(name), text)?;
    }
    let dpctl = runtime.join("dpctl");
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off", "-I"]);
    command.arg(dpctl.join("include")).arg(work.join("demo.c")).arg("-o").arg(work.join("demo"));
    command.arg(dpctl.join("libDPCTLSyclInterface.so.0"));
    command.args(["-Wl,--unresolved-symbols=ignore-in-shared-libs", "-lm"]);
    process::output(&mut command).context("the C compiler could not build the demo")?;
    Ok(())
}
