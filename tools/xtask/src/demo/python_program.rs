//! The demo as a dpnp program in an environment of its own.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::demo::{self, proof::Proof};
use crate::provision::{environment, python};
use crate::releases::{Pin, Release, STACKS, Stack};

const PROGRAM: &str = include_str!("../../demo/demo.py");

/// The first stack that a Python on this machine fits, and that Python's minor version.
pub(super) fn choose() -> Option<(&'static Stack, u8)> {
    let fitting = STACKS.iter().flat_map(|stack| stack.pythons.iter().map(move |minor| (stack, *minor)));
    fitting.into_iter().find(|(_, minor)| python::find(*minor).is_some())
}

/// Provisions the environment, installs our plugin in it, and runs the program.
pub(super) fn run(release: &'static Release, stack: &Stack, minor: u8) -> Result<Proof> {
    let pins: Vec<Pin> = release.runtime.iter().chain(stack.dpnp).copied().collect();
    let root = demo::folder().join(format!("{}-python3.{minor}", release.version));
    let environment = environment::install(release.version, minor, &pins, &root)?;
    demo::install(environment.root())?;
    let program = demo::folder().join("demo.py");
    fs::write(&program, PROGRAM)?;
    let picture = demo::folder().join("mandelbrot.png");
    let mut command = Command::new(environment.python());
    command.arg(&program).arg(&picture).envs(environment.variables()?);
    demo::execute(command, environment.root(), picture, release)
}
