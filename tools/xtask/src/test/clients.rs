//! Stock runtimes and their client: dpctl's own test suite on our plugin and our adapter.

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::plugin;
use crate::release;
use crate::releases;
use crate::script;
use crate::totals::Totals;

const SCRIPT: &str = "testing/clients/clients.py";

/// Runs the script's own tests, its sample of suites, and a small program in each way that a loader can call an adapter.
pub(crate) fn run() -> Result<Totals> {
    script::run(SCRIPT, &["--test"])
}

/// Runs dpctl's suite of one release on ours, or of it the files whose path contains `only`. A test that fails on the vendor's as well
/// counts as skipped.
pub(crate) fn dpctl(version: &str, backend: Backend, only: &str) -> Result<Totals> {
    let Ok(known) = releases::find_any(version) else { bail!("release {version} is not known") };
    release::build(plugin::packages(known, backend))?;
    let backend = backend.to_string();
    script::run_on_built(SCRIPT, &["--test", "--release", version, "--backend", &backend, "--only", only])
}
