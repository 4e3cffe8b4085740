//! The time from a downloaded wheel to the first result on our plugin, as a user of Python has it.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::Built;
use crate::demo;
use crate::process;
use crate::releases;
use crate::workspace;

/// The release of DPC++.
const RELEASE: &str = "2024.2.2";

/// Debian's program that takes the network away. The user's own PATH does not have it.
const UNSHARE: &str = "/usr/bin/unshare";

/// What the three steps may take together, in seconds.
const LONGEST: f64 = 60.0;

/// Takes a fresh environment with dpctl and dpnp, installs the wheel and ours from it, runs a dpnp program, and prints proof and
/// times. Whether all results are right and the time is short enough.
///
/// # Errors
/// There is no Python for the release, or the program ran on another file than ours.
pub(super) fn run(wheel: &Path, built: &Built) -> Result<bool> {
    let release = releases::find(RELEASE).map_err(anyhow::Error::msg)?;
    let (stack, minor) =
        demo::choose(Some(release)).with_context(|| format!("no Python here fits {RELEASE}"))?;
    let kept = demo::provision(release, stack, minor)?;
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let environment = kept.copy_to(&scratch.path().join("environment"))?;
    let user = User::new(environment.root())?;
    let mut seconds = Vec::new();
    let start = Instant::now();
    let mut pip = user.program("python");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]).arg(wheel);
    process::output(&mut pip)?;
    seconds.push(("pip install", start.elapsed().as_secs_f64()));
    process::output(user.program("pi").arg("install"))?;
    seconds.push(("pi install", start.elapsed().as_secs_f64()));
    let ours = built.file("libpi_opencl.so");
    let proof = demo::compute(user.program("python"), release, &environment, ours)?;
    let whole = start.elapsed().as_secs_f64();
    seconds.push(("a dpnp program", whole));
    let good = proof.show(release)?;
    let mut before = 0.0;
    for (step, after) in seconds {
        println!("step      {step}: {:.1} s", after - before);
        before = after;
    }
    println!("first use {whole:.1} s, at most {LONGEST:.0} s; {}", user.what_is_missing());
    Ok(good && whole <= LONGEST)
}

/// Somebody who has the environment's programs and no others, and no network where that can be arranged.
struct User<'a> {
    root: &'a Path,
    without_network: bool,
}

impl<'a> User<'a> {
    fn new(root: &'a Path) -> Result<Self> {
        let without_network = process::succeeds(Command::new(UNSHARE).args(["--net", "true"]));
        let user = User { root, without_network };
        for name in ["cargo", "rustc"] {
            ensure!(!user.root.join("bin").join(name).exists(), "the environment has {name}");
        }
        Ok(user)
    }

    fn program(&self, name: &str) -> Command {
        let bin = self.root.join("bin");
        let mut command = if self.without_network {
            let mut unshare = Command::new(UNSHARE);
            unshare.arg("--net").arg(bin.join(name));
            unshare
        } else {
            Command::new(bin.join(name))
        };
        command.env_clear().env("PATH", bin).env("HOME", self.root).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    fn what_is_missing(&self) -> &'static str {
        if self.without_network { "no Rust on PATH, no network" } else { "no Rust on PATH" }
    }
}
