//! Everything that has to be on the machine before clients can run: Python, wheels, environments, OpenCL drivers.

pub(crate) mod environment;
pub(crate) mod level_zero;
pub(crate) mod opencl;
pub(crate) mod python;
pub(crate) mod shim;
pub(crate) mod wheels;

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::provision::environment::Flavour;
use crate::provision::opencl::Driver;
use crate::releases::{self, RELEASES, Release};

/// Arguments of `provision`.
#[derive(Debug, Args)]
pub(crate) struct ProvisionArgs {
    /// A release of DPC++ whose clients are set up (repeatable)
    #[arg(long, value_parser = releases::find)]
    release: Vec<&'static Release>,
    /// All releases and all drivers
    #[arg(long, conflicts_with = "release")]
    all: bool,
    /// An OpenCL driver to set up (repeatable)
    #[arg(long, value_enum)]
    driver: Vec<Driver>,
}

/// Sets up what was asked for and says where it lies.
pub(crate) fn run(args: &ProvisionArgs) -> Result<ExitCode> {
    let mut releases = args.release.clone();
    let mut drivers = args.driver.clone();
    if args.all {
        releases = RELEASES.iter().collect();
        drivers = vec![Driver::Intel2023, Driver::IntelCurrent, Driver::Pocl];
    }
    for driver in drivers {
        let found = opencl::ensure(driver)?;
        println!("{driver}: {}", found.folder().display());
    }
    for release in releases {
        for flavour in [Flavour::Vendor, Flavour::Ours] {
            let environment = environment::ensure(release, flavour)?;
            println!("{} {flavour}: {}", release.name(), environment.root().display());
        }
    }
    Ok(ExitCode::SUCCESS)
}
