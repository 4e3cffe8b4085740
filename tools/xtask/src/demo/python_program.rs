//! The demo as a dpnp program in an environment of its own.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::backend::Backend;
use crate::demo::{self, proof::Proof};
use crate::plugin;
use crate::provision::environment::{self, Flavour};
use crate::provision::python;
use crate::releases::{self, Pin, Release, STACKS, Stack, UR_STACKS};
use crate::workspace;

const PROGRAM: &str = include_str!("../../demo/demo.py");

/// The first stack that a Python on this machine fits, and that Python's minor version. Only stacks of `release` count if it is named;
/// without a name, only those with plugins.
pub(super) fn choose(release: Option<&Release>) -> Option<(&'static Stack, u8)> {
    let stacks = STACKS.iter().chain(UR_STACKS).filter(|stack| match release {
        Some(release) => stack.release == release.version,
        None => releases::find(stack.release).is_ok(),
    });
    let mut fitting = stacks.flat_map(|stack| stack.pythons.iter().map(move |minor| (stack, *minor)));
    fitting.find(|(_, minor)| python::find(*minor).is_some())
}

/// Provisions the environment, has it use our plugin or adapter, and runs the program.
pub(super) fn run(release: &'static Release, stack: &Stack, minor: u8) -> Result<Proof> {
    let pins: Vec<Pin> = release.runtime.iter().chain(stack.dpnp).copied().collect();
    let name = format!("{}-python3.{minor}", release.version);
    let environment = if release.has_adapters() {
        let root = workspace::environments().join(format!("{name}-dpnp"));
        let environment = environment::install(release.version, minor, &pins, &root)?;
        let environment = environment.with_adapter(release, Flavour::Ours, Backend::OpenCl);
        plugin::put(release, &environment, None)?;
        environment
    } else {
        let environment = environment::install(release.version, minor, &pins, &demo::folder().join(name))?;
        demo::install(environment.root())?;
        environment
    };
    let program = demo::folder().join("demo.py");
    fs::create_dir_all(demo::folder())?;
    fs::write(&program, PROGRAM)?;
    let picture = demo::folder().join("mandelbrot.png");
    let mut command = Command::new(environment.python());
    command.arg(&program).arg(&picture).envs(environment.variables()?);
    demo::execute(command, environment.plugin(), picture, release)
}
