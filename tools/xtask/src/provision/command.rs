//! `cargo xtask provision`: installs releases, drivers and wheels, and prints their locations.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::provision::{libnvvm, wheels};
use crate::releases::{self, Pin, RELEASES, Release, pin};

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
    /// Download the wheel of a package, e.g. dpctl==0.22.1 (repeatable)
    #[arg(long, value_name = "NAME==VERSION", value_parser = pinned)]
    wheel: Vec<Pin>,
    /// The Python version of the wheels: 3.MINOR
    #[arg(long, value_name = "MINOR", default_value_t = 12, requires = "wheel")]
    python: u8,
    /// Unpack NVIDIA's libnvvm and ptxas
    #[arg(long)]
    libnvvm: bool,
}

fn pinned(text: &str) -> Result<Pin, String> {
    let (name, version) = text.split_once("==").ok_or("a package is NAME==VERSION")?;
    // The program runs one command, so that the strings may be leaked.
    Ok(pin(name.to_owned().leak(), version.to_owned().leak()))
}

/// Installs the requested packages, and prints the folders and files.
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
    if !args.wheel.is_empty() {
        for file in wheels::ensure(&args.wheel, args.python)? {
            println!("{}", file.display());
        }
    }
    if args.libnvvm {
        println!("{}", libnvvm::ensure()?.display());
    }
    Ok(ExitCode::SUCCESS)
}
