//! The wheel on an older system: Debian 11 in a folder, whose glibc is 2.31. No older release is left on Debian's servers.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::wheel::Target;
use crate::process;
use crate::provision::debian::{self, inside};
use crate::provision::environment::{self, Flavour};
use crate::releases;
use crate::totals::Totals;
use crate::workspace;

/// What runs there.
const PROGRAM: &str = include_str!("../../../dist/old_glibc.py");

/// Debian's release, what it needs besides its base, and the minor version of its Python.
const SUITE: &str = "bullseye";
const PACKAGES: &str = "python3";
const PYTHON: u8 = 9;

/// A release whose client has a wheel for that Python, and needs no newer libstdc++ than Debian has there. Later clients do.
const RELEASE: &str = "2022.2.1";

/// Runs the program there: it loads all libraries, and runs a file of dpctl's suite on our plugin.
pub(super) fn run(wheel: &Path) -> Result<Totals> {
    if !process::succeeds(&mut inside(Path::new("/"), Path::new("true"))) {
        println!("this user may not change the root folder: run it as root");
        return Ok(Totals { skipped: 1, ..Totals::default() });
    }
    let release = releases::find(RELEASE).map_err(anyhow::Error::msg)?;
    if release.python_minor != PYTHON {
        bail!("release {RELEASE} is not for Python 3.{PYTHON}");
    }
    let vendor = environment::ensure(release, Flavour::Vendor)?;
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let root = scratch.path().join("root");
    process::output(Command::new("cp").arg("--archive").arg(debian::root(SUITE, PACKAGES)?).arg(&root))?;
    // It lies where it lies outside, so that its variables hold inside too.
    let within = vendor.root();
    let outside = root.join(within.strip_prefix("/")?);
    let copy = vendor.copy_to(&outside)?;
    Target::new(copy.root()).pip_install(wheel)?;
    let program = root.join("old_glibc.py");
    fs::write(&program, PROGRAM)?;
    let mut command = inside(&root, Path::new("/usr/bin/python3"));
    command
        .arg("/old_glibc.py")
        .arg(within)
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("HOME", "/tmp");
    for (name, value) in vendor.variables()? {
        command.env(name, value);
    }
    command.env("PYTHONPATH", vendor.site_packages()).env("OCL_ICD_VENDORS", "/nowhere");
    Totals::of_last_line(&mut command)
}
