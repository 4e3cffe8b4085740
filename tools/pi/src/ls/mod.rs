//! `pi ls`: plugins, platforms and devices.

pub mod report;
mod show;

use anyhow::Result;

use crate::Outcome;
use crate::cli::LsArguments;
use crate::output::Output;
pub use report::{DeviceReport, Report};

/// `pi ls`
pub fn run(arguments: &LsArguments, output: &mut Output) -> Result<Outcome> {
    let report = Report::gather(&arguments.plugin);
    if output.is_json() {
        output.value(&report)?;
    } else {
        show::show(&report, arguments.verbose, output)?;
    }
    let seen = report.devices.iter().any(|device| device.hidden_by.is_none());
    // A program ends with an exception on a filter that cannot be read.
    let readable = report.filters.iter().all(|filter| filter.error.is_none());
    Ok(if seen && readable { Outcome::Fine } else { Outcome::Problem })
}
