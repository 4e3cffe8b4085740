//! Stock runtimes and their client: dpctl's own test suite on our plugin.

use anyhow::{Result, bail};

use crate::backend::Backend;
use crate::clients;
use crate::releases;
use crate::test::tally::Tally;
use crate::ui::Step;

/// One release of libsycl.so.6 and one of libsycl.so.7; `cargo xtask clients --all` has all seven.
const RELEASES: [&str; 2] = ["2023.2.4", "2024.2.2"];

/// Runs the suites. A test that does not pass is judged by the vendor's plugin: if it fails there too, it is the client's.
pub(crate) fn run() -> Result<Tally> {
    let mut total = Tally::default();
    for version in RELEASES {
        let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
        let step = Step::start(format!("dpctl's suite on the stock libsycl of {version} with our plugin"));
        let judged = clients::judge_ours(release, Backend::OpenCl)?;
        for line in &judged.remarks {
            println!("{version}: {line}");
        }
        let tally = Tally { passed: judged.passed, failed: judged.failed, skipped: judged.skipped };
        step.done(&tally.to_string());
        total += tally;
    }
    Ok(total)
}
