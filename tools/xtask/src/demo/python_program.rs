//! The demo as a dpnp program in an environment of its own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::backend::Backend;
use crate::demo::{self, proof::Proof};
use crate::plugin;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::python;
use crate::releases::{Pin, Release, STACKS, Stack, UR_STACKS};
use crate::workspace;

const PROGRAM: &str = include_str!("../../demo/demo.py");

/// The first stack that a Python on this machine fits, and that Python's minor version: today's before those of plugins. Only stacks of
/// `release` count if it is named.
pub(crate) fn choose(release: Option<&Release>) -> Option<(&'static Stack, u8)> {
    let is_wanted = |stack: &&Stack| release.is_none_or(|release| stack.release == release.version);
    let stacks = UR_STACKS.iter().chain(STACKS).filter(is_wanted);
    let mut fitting = stacks.flat_map(|stack| stack.pythons.iter().map(move |minor| (stack, *minor)));
    fitting.find(|(_, minor)| python::find(*minor).is_some())
}

/// Provisions the environment, has it use our plugin or adapter, and runs the program.
pub(super) fn run(release: &'static Release, stack: &Stack, minor: u8) -> Result<Proof> {
    let mut environment = provision(release, stack, minor)?;
    if release.has_adapters() {
        environment = environment.with_adapter(release, Flavour::Ours, Backend::OpenCl);
        plugin::put(release, &environment, None)?;
    } else {
        demo::install(environment.root())?;
    }
    let python = Command::new(environment.python());
    compute(python, release, &environment, plugin::built(release, Backend::OpenCl))
}

/// The environment of a stack for Python 3.`minor`.
pub(crate) fn provision(release: &Release, stack: &Stack, minor: u8) -> Result<Environment> {
    let pins: Vec<Pin> = release.runtime.iter().chain(stack.dpnp).copied().collect();
    let name = format!("{}-python3.{minor}", release.version);
    let root = if release.has_adapters() {
        workspace::environments().join(format!("{name}-dpnp"))
    } else {
        demo::folder().join(name)
    };
    environment::install(release.version, minor, &pins, &root)
}

/// Runs the program with `python` in an environment whose libsycl should load a copy of `ours`.
pub(crate) fn compute(
    mut python: Command,
    release: &Release,
    environment: &Environment,
    ours: PathBuf,
) -> Result<Proof> {
    let program = demo::folder().join("demo.py");
    fs::create_dir_all(demo::folder())?;
    fs::write(&program, PROGRAM)?;
    let picture = demo::folder().join("mandelbrot.png");
    python.arg(&program).arg(&picture).envs(environment.variables()?);
    demo::execute(python, environment.plugin(), ours, picture, release)
}
