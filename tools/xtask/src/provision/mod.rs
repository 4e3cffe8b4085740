//! What must be on the machine before clients can run: Python, wheels, environments, drivers.

pub(crate) mod adapter;
pub(crate) mod environment;
pub(crate) mod level_zero;
pub(crate) mod libnvvm;
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
    /// Install the clients of this DPC++ release (repeatable)
    #[arg(long, value_parser = releases::find_any)]
    release: Vec<&'static Release>,
    /// Install all releases and all drivers
    #[arg(long, conflicts_with = "release")]
    all: bool,
    /// Install this OpenCL driver (repeatable)
    #[arg(long, value_enum)]
    driver: Vec<Driver>,
}

/// Installs what was asked for and prints the folders.
pub(crate) fn run(args: &ProvisionArgs) -> Result<ExitCode> {
    let mut releases = args.release.clone();
    let mut drivers = args.driver.clone();
    if args.all {
        releases = RELEASES.iter().chain(releases::with_adapters()).collect();
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
