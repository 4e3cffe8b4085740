//! The wheel in a fresh environment of each Python: it installs, starts, and leaves nothing behind.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::wheel::{Target, listing, outcome, said};
use crate::dist;
use crate::process;
use crate::provision::python;
use crate::totals::Totals;
use crate::workspace;

/// The Pythons: 3.9 and so on.
const MINORS: [u8; 5] = [9, 10, 11, 12, 13];

/// Runs the test on each Python that is there. One that is not there counts as skipped.
pub(super) fn run(wheel: &Path) -> Result<Totals> {
    let mut sum = Totals::default();
    for minor in MINORS {
        let Some(base) = python::find(minor) else {
            println!("there is no Python 3.{minor}: PYTHON3{minor} may name one");
            sum.skipped += 1;
            continue;
        };
        let done = on_one(&base, wheel);
        if let Err(error) = &done {
            println!("Python 3.{minor}: {error:#}");
        }
        sum += Totals::of_one(done.is_ok());
    }
    Ok(sum)
}

fn on_one(base: &Path, wheel: &Path) -> Result<()> {
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let root = scratch.path().join("venv");
    process::output(Command::new(base).args(["-m", "venv"]).arg(&root))?;
    let before = listing(&root)?;
    let target = Target::new(&root);
    target.pip_install(wheel)?;
    let version = process::text(&mut target.pi(&["--version"]))?;
    if version != format!("pi {}", dist::VERSION) {
        bail!("pi --version says {version:?}");
    }
    // The environment is known without being active. It has no libsycl, and the message says so.
    for mut status in [target.pi(&["status"]), target.module(&["status"])] {
        let output = outcome(&mut status)?;
        let text = said(&output);
        if output.status.code() != Some(1)
            || !text.contains(&*root.to_string_lossy())
            || !text.contains("libsycl")
        {
            bail!("pi status in an environment without libsycl: {}, {text}", output.status);
        }
    }
    target.pip_uninstall()?;
    let after = listing(&root)?;
    if after != before {
        bail!("pip uninstall left other files than pip install found");
    }
    Ok(())
}
