//! `pi ls`: plugins, platforms and devices.

pub mod report;
mod show;

use anyhow::Result;

use crate::CommandStatus;
use crate::cli::LsArguments;
use crate::output::Output;
pub use report::{DeviceReport, Listing};

/// `pi ls`
pub fn run(arguments: &LsArguments, output: &mut Output) -> Result<CommandStatus> {
    let report = Listing::gather(&arguments.plugin);
    if output.is_json() {
        output.value(&report)?;
    } else {
        show::show(&report, arguments.verbose, output)?;
    }
    let seen = report.devices.iter().any(|device| device.hidden_by.is_none());
    // A program ends with an exception on a filter that cannot be read.
    let readable = report.filters.iter().all(|filter| filter.error.is_none());
    Ok(if seen && readable { CommandStatus::Fine } else { CommandStatus::Problem })
}
