//! Stock runtimes and their client: `pi install` in their environments, and dpctl's own test suite on our plugin
//! and our adapter.

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::provision::environment::{self, Flavour};
use crate::release;
use crate::releases;
use crate::script;
use crate::test_programs::Tests;
use crate::totals::{self, Totals};

const SCRIPT: &str = "testing/clients/clients.py";

/// The newest release with an OpenCL adapter in a file, and the newest whose libsycl contains it.
const INSTALLED: [&str; 2] = ["2026.1.2", "2026.2.0"];

/// Installs our adapters in stock environments and uninstalls them again. Then runs the script's own tests, its
/// sample of suites, and a small program in each way that a loader can call an adapter.
pub(crate) fn run() -> Result<Totals> {
    let mut environments = Vec::new();
    for version in INSTALLED {
        let Ok(known) = releases::find_any(version) else { bail!("release {version} is not known") };
        environments.push(environment::ensure(known, Flavour::Vendor)?.root().to_owned());
    }
    let environments = std::env::join_paths(environments)?;
    let mut sum = totals::step("pi install in stock environments", || {
        Tests::named("pi", "adapters")?.arg("--ignored").env("PI_TEST_ENVIRONMENTS", environments).run()
    })?;
    sum += script::run(SCRIPT, &["--test"])?;
    Ok(sum)
}

/// Runs dpctl's suite of one release on ours, or only the files whose path contains `only`. A test that also fails
/// on the vendor's counts as skipped.
pub(crate) fn dpctl(version: &str, backend: Backend, only: &str) -> Result<Totals> {
    if releases::find_any(version).is_err() {
        bail!("release {version} is not known");
    }
    release::build(backend.packages())?;
    let backend = backend.to_string();
    script::run_on_built(SCRIPT, &["--test", "--release", version, "--backend", &backend, "--only", only])
}
