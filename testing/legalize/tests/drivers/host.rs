//! The driver.

use std::process::Command;
use std::time::Duration;

use sycl_pi_image::spirv::{DriverFacts, Needs, legalize};
use testing_legalize::RUN;
use testing_support::process::run;

/// More than a driver needs for one kernel, unless it compiles for hours.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct Host {
    pub(crate) facts: DriverFacts,
    folder: tempfile::TempDir,
}

impl Host {
    /// Returns `None`, with a line for people, if there is none or if the program could not be built.
    pub(crate) fn find() -> Option<Self> {
        if std::fs::read(RUN).unwrap().is_empty() {
            eprintln!("skipped: {RUN} could not be built");
            return None;
        }
        let Some(facts) = facts() else {
            eprintln!("skipped: there is no OpenCL driver here");
            return None;
        };
        Some(Self { facts, folder: tempfile::tempdir().unwrap() })
    }

    /// Returns the host if its driver needs no rewrites of its own, or else `None`, with a line for people.
    pub(crate) fn without_needs() -> Option<Self> {
        let host = Self::find()?;
        if !Needs::of(&host.facts).is_none() {
            eprintln!("skipped: {} needs rewrites itself", host.facts.platform);
            return None;
        }
        Some(host)
    }

    /// Rewrites kernel `k` for these needs and runs it in a work-group of this shape, such as `4x4x4`. Returns its
    /// results, or what the driver did instead.
    pub(crate) fn results(
        &self,
        module: &[u8],
        needs: &Needs,
        items: &str,
        arguments: &[&str],
    ) -> Result<Vec<u32>, String> {
        let module = legalize(module, needs).map_err(|error| error.to_string())?.module;
        let file = self.folder.path().join("module.spv");
        std::fs::write(&file, &module).unwrap();
        let mut command = Command::new(RUN);
        command.arg(file).arg(items).args(arguments);
        // PoCL leaves pictures of what it cannot compile in the current folder.
        command.current_dir(self.folder.path());
        let finished = run(&mut command, LIMIT).unwrap();
        if !finished.end.is_success() {
            return Err(finished.summary(12));
        }
        Ok(finished.stdout_text().split_whitespace().map(|number| number.parse().unwrap()).collect())
    }
}

/// Asks the driver. Returns `None` if there is none.
fn facts() -> Option<DriverFacts> {
    let finished = run(&mut Command::new(RUN), LIMIT).unwrap();
    testing_legalize::facts(&finished.stdout_text())
}
