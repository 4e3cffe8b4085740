//! The harness's wheel in a fresh Python environment: it lists its rules, and judges an adapter that lies anywhere.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::wheel::{Target, outcome, said};
use crate::dist::Built;
use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::totals::Totals;
use crate::workspace;

/// Installs the wheel and judges our OpenCL adapter with it.
pub(super) fn run(wheel: &Path, built: &Built) -> Result<Totals> {
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let root = scratch.path().join("venv");
    process::output(Command::new(python::any()?).args(["-m", "venv"]).arg(&root))?;
    let target = Target::new(&root);
    target.pip_install(wheel)?;
    let rules = process::text(target.program("pi-conformance").arg("--list"))?;
    if !rules.contains("UR-45") {
        bail!("pi-conformance --list does not name the rule UR-45: {rules}");
    }
    let mut judge = target.python();
    judge.args(["-m", "sycl_pi_conformance"]).arg(built.file("libur_adapter_opencl.so"));
    judge.envs(opencl::ensure(Driver::IntelCurrent)?.variables());
    let output = outcome(&mut judge)?;
    if !output.status.success() {
        bail!("the harness of the wheel: {}, {}", output.status, said(&output));
    }
    Ok(Totals::of_one(true))
}
