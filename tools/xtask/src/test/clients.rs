//! Stock runtimes and their client: dpctl's own test suite on our plugin and our adapter.

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::clients;
use crate::releases;
use crate::totals::{self, Totals};

/// A release for each of libsycl.so.6 to .9, and which files of its suite run: a sample. `cargo xtask clients --all` runs whole suites of all releases.
const SUITES: [(&str, Option<&str>); 4] = [
    ("2023.2.4", Some("dpctl/tests/test_sycl_")),
    ("2024.2.2", Some("dpctl/tests/test_sycl_")),
    ("2025.3.3", Some("dpctl/tests/test_sycl_queue")),
    ("2026.2.0", Some("dpctl/tests/test_sycl_")),
];
/// A release whose loader wraps handles: a small program runs on it. `cargo xtask clients --smoke` has all releases.
const SMOKE: [&str; 1] = ["2025.0.5"];

/// Runs the suites, and the small program.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for (version, files) in SUITES {
        sum += dpctl(version, Backend::OpenCl, files)?;
    }
    sum += smoke()?;
    Ok(sum)
}

/// The small program, in each way that a loader can call an adapter, on ours and the vendor's.
fn smoke() -> Result<Totals> {
    let releases: Vec<_> = SMOKE.iter().filter_map(|version| releases::find_any(version).ok()).collect();
    totals::step("a small program on further releases with adapters", || {
        let mut totals = Totals::default();
        for (release, is_good) in clients::smoke_beside_vendors(&releases)? {
            totals += Totals::of_one(is_good);
            if !is_good {
                println!(
                    "{release}: not as on the vendor's adapter; cargo xtask clients --smoke --release {release} tells more"
                );
            }
        }
        Ok(totals)
    })
}

/// Runs the suite of one release, or of it the files whose path contains `only`. A test that fails on the vendor's plugin as
/// well counts as skipped.
pub(crate) fn dpctl(version: &str, backend: Backend, only: Option<&str>) -> Result<Totals> {
    let Ok(release) = releases::find_any(version) else { bail!("release {version} is not known") };
    totals::step(format!("dpctl's suite on the stock libsycl of {version}, {backend}"), || {
        let (totals, remarks) = clients::run_on_ours(release, backend, only)?;
        for remark in remarks {
            println!("{version}: {remark}");
        }
        Ok(totals)
    })
}
