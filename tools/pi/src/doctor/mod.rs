//! `pi doctor`: problems of this machine, why they matter, and what to do about them.

mod active;
mod adapters;
mod devices;
mod drivers;
mod finding;
mod hardware;
mod libraries;
mod libsycl;
mod variables;

use std::ffi::OsStr;

use anyhow::Result;
use serde::Serialize;
use sycl_pi_loader::Environment;

use crate::cli::DoctorArguments;
use crate::install::Seen;
use crate::output::{Output, Style};
use crate::{CommandStatus, child, ls};
use finding::{Finding, Severity};

#[derive(Serialize)]
struct Diagnosis {
    /// Whether there is no finding that is an error.
    healthy: bool,
    findings: Vec<Finding>,
}

/// `pi doctor`
pub fn run(arguments: &DoctorArguments, output: &mut Output) -> Result<CommandStatus> {
    let environment = Environment::from_env();
    let mut findings = Vec::new();
    let folders = libraries::folders(&environment, &arguments.plugin);
    drivers::check(&environment, &folders, &mut findings);
    let mut words: Vec<&OsStr> = vec![OsStr::new("ls")];
    for plugin in &arguments.plugin {
        words.extend([OsStr::new("--plugin"), plugin.as_os_str()]);
    }
    // Plugins and drivers run in a process of their own here.
    match child::ask::<ls::Listing>(&words, None) {
        Ok(report) => devices::check(&report, &environment, &folders, &mut findings),
        Err(error) => findings.push(
            Finding::error("Listing the devices failed")
                .why(format!("a plugin or a driver ended the process that asked it: {error:#}"))
                .fix("remove drivers one by one (OCL_ICD_FILENAMES, OCL_ICD_VENDORS) to find the faulty one"),
        ),
    }
    variables::check(&environment, &mut findings);
    libsycl::check(&environment, &mut findings);
    let seen = Seen::from(&environment);
    active::check(&seen, &mut findings);
    adapters::check(&seen, &environment, &mut findings);
    hardware::check(&mut findings);
    let healthy = findings.iter().all(|finding| finding.severity != Severity::Error);
    tell(Diagnosis { healthy, findings }, output)?;
    Ok(if healthy { CommandStatus::Fine } else { CommandStatus::Problem })
}

fn tell(diagnosis: Diagnosis, output: &mut Output) -> Result<()> {
    if output.is_json() {
        return output.value(&diagnosis);
    }
    for finding in &diagnosis.findings {
        let (style, word) = match finding.severity {
            Severity::Ok => (Style::Good, "ok"),
            Severity::Info => (Style::Faint, "note"),
            Severity::Warning => (Style::Warning, "warning"),
            Severity::Error => (Style::Bad, "error"),
        };
        output.line(format!("{} {}", output.paint(style, format!("{word:8}")), finding.what))?;
        if let Some(why) = &finding.why {
            output.line(format!("         {why}"))?;
        }
        if let Some(to_do) = &finding.to_do {
            output.line(format!("         {} {to_do}", output.paint(Style::Strong, "to do:")))?;
        }
    }
    let count = |severity| diagnosis.findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let plural = |count| if count == 1 { "" } else { "s" };
    output.line(format!("\n{errors} error{}, {warnings} warning{}", plural(errors), plural(warnings)))
}
