//! What users install: made, installed into fresh environments, used, removed again.
//!
//! What `pi install` does with foreign plugins, twice, in read-only folders and on full disks is tested in `tools/pi/tests`.

mod deb;
mod harness;
mod old_glibc;
mod oldest_glibc;
mod pythons;
mod releases;
mod wheel;

use std::process::Command;

use anyhow::{Context, Result};

use crate::dist::{self, DistPart};
use crate::process;
use crate::totals::{self, Totals};

/// Makes the packages and runs their tests.
pub(super) fn run() -> Result<Totals> {
    let made = dist::make(&[DistPart::Wheel, DistPart::Harness, DistPart::Deb])?;
    let wheel = made.wheel.as_ref().context("no wheel was made")?;
    let harness = made.harness.as_ref().context("no wheel of the harness was made")?;
    let deb = made.deb.as_ref().context("no Debian package was made")?;
    let mut sums = Command::new("sha256sum");
    process::output(sums.args(["--check", "--quiet", "SHA256SUMS"]).current_dir(dist::folder()))?;
    let mut sum =
        totals::step("the wheel in fresh environments of Python 3.9 to 3.13", || pythons::run(wheel))?;
    sum += totals::step("the harness's wheel judges our adapter", || harness::run(harness, &made.built))?;
    for version in releases::VERSIONS {
        let title = format!("the wheel in the environment of {version}: installed, used, removed");
        sum += totals::step(title, || releases::run(version, &made.built, wheel))?;
    }
    let oldest = format!("the wheel's files on glibc {}", dist::GLIBC);
    sum += totals::step(oldest, || oldest_glibc::run(wheel))?;
    sum += totals::step("the wheel on Debian 11", || old_glibc::run(wheel))?;
    sum += totals::step("the Debian package", || deb::run(deb))?;
    Ok(sum)
}
