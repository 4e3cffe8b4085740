//! Lists the devices that SYCL programs find here, and the files and devices that were skipped.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use sycl_pi_runtime::Discovery;

fn main() -> Result<(), Box<dyn Error>> {
    let found = Discovery::from_env()?;
    for (number, device) in found.devices().iter().enumerate() {
        let info = device.info();
        println!("{number}: {} ({}), driver {}", info.name, device.platform_name(), info.driver_version);
    }
    for reason in found.tried() {
        println!("not used: {reason}");
    }
    Ok(())
}
