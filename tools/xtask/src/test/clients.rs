//! Stock runtimes and their client: dpctl's own test suite on our plugin.

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::clients;
use crate::releases;
use crate::totals::{self, Totals};

/// One release with libsycl.so.6 and one with libsycl.so.7, and which files of its suite run. The files about single element-wise
/// functions of 2024.2.2 take longest and call the plugin in one way. `cargo xtask clients --all` runs whole suites of all releases.
const SUITES: [(&str, Option<&str>); 2] = [("2023.2.4", None), ("2024.2.2", Some("dpctl/tests/test_"))];

/// Runs the suites.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for (version, files) in SUITES {
        sum += dpctl(version, Backend::OpenCl, files)?;
    }
    Ok(sum)
}

/// Runs the suite of one release, or of it the files whose path contains `only`. A test that fails on the vendor's plugin as
/// well counts as skipped.
pub(crate) fn dpctl(version: &str, backend: Backend, only: Option<&str>) -> Result<Totals> {
    let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
    totals::step(format!("dpctl's suite on the stock libsycl of {version}, {backend}"), || {
        let (totals, remarks) = clients::run_on_ours(release, backend, only)?;
        for remark in remarks {
            println!("{version}: {remark}");
        }
        Ok(totals)
    })
}
