//! The program that calls an OpenCL driver, and what the driver says about itself.

use std::process::Command;

use anyhow::{Context, Result};
use sycl_pi_image::spirv::DriverFacts;

/// The program, in C because a driver's crash ends its process. The file is empty if it could not be built.
pub const RUN: &str = concat!(env!("OUT_DIR"), "/run");

/// Asks the driver. Returns the lines that the program prints.
///
/// # Errors
/// Fails if the program cannot be started.
pub fn ask() -> Result<String> {
    let output = Command::new(RUN).output().context(RUN)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads the lines that the program prints. Returns `None` if there is no driver.
pub fn facts(lines: &str) -> Option<DriverFacts> {
    let lines: Vec<&str> = lines.lines().collect();
    let &[platform, version, kind, sub_groups, items, halves] = lines.as_slice() else { return None };
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    Some(DriverFacts {
        platform: platform.to_owned(),
        version: (numbers.next()??, numbers.next()??),
        is_cpu: kind == "CPU",
        has_halves: halves == "halves",
        converts_halves: kind == "CPU",
        most_sub_groups: sub_groups.parse().ok(),
        most_items: items.parse().ok()?,
    })
}
