//! `pi doctor`: problems of this machine, why they matter, and how to solve them.

mod active;
mod adapters;
mod devices;
mod drivers;
mod finding;
mod hardware;
mod kernel;
mod libraries;
mod libsycl;
mod nvidia;
mod remedy;
mod variables;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use sycl_pi_loader::Environment;

use crate::install::release::Release;
use crate::install::{Seen, TreeArguments};
use crate::ls::Listing;
use crate::output::{CommandStatus, Output, Style};
use crate::shell;
use crate::waiting::Waiting;
use devices::Known;
use finding::{Finding, Severity};

#[derive(Serialize)]
struct Diagnosis {
    /// Whether there are no errors among the findings.
    healthy: bool,
    findings: Vec<Finding>,
}

#[derive(Args)]
pub struct DoctorArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Check only this plugin or adapter. May be given more than once.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

/// `pi doctor [DIR]`
pub fn run(arguments: &DoctorArguments, output: &mut Output) -> Result<CommandStatus> {
    let environment = Environment::from_env();
    let seen = match &arguments.tree.folder {
        Some(root) => Seen::in_environment(Some(root), &environment)?,
        None => Seen::from(&environment),
    };
    let mut findings = Vec::new();
    let waiting = Waiting::start(output);
    waiting.on("drivers");
    findings.push(which_environment(&seen));
    let folders = libraries::folders(&environment, &seen, &arguments.plugin);
    let opencl = drivers::check(&environment, &seen, &folders, &mut findings);
    waiting.on("devices");
    let report = Listing::gather(&seen, &arguments.plugin, &environment);
    let known = Known { report: &report, environment: &environment, seen: &seen, opencl: &opencl };
    let bad = devices::check(&known, &mut findings);
    variables::check(&environment, &mut findings);
    libsycl::check(&environment, &mut findings);
    active::check(&seen, &mut findings);
    adapters::check(&seen, &environment, &mut findings);
    waiting.on("libsycl's devices");
    libsycl::ask(&seen, &report.devices, &mut findings);
    nvidia::check(&seen, &report.devices, &mut findings);
    hardware::check(&mut findings);
    kernel::check(&seen, &bad, &waiting, &mut findings);
    drop(waiting);
    let healthy = findings.iter().all(|finding| finding.severity != Severity::Error);
    tell(Diagnosis { healthy, findings }, output)?;
    Ok(if healthy { CommandStatus::Fine } else { CommandStatus::Problem })
}

/// Reports the environment that the other findings are about.
fn which_environment(seen: &Seen) -> Finding {
    match (seen.libsycls.first(), seen.active.first()) {
        (Some(libsycl), _) => {
            let release = Release::find(libsycl).map(|release| release.describe()).unwrap_or_default();
            Finding::ok(format!("Environment: {}{release}", libsycl.libsycl.display()))
        }
        (None, Some(root)) => {
            Finding::info(format!("The active environment {} has no libsycl", root.display()))
                .why("its SYCL programs need one, such as the one that Python's dpctl installs")
                .typed(format!("{} -m pip install dpctl", shell::path(&root.join("bin/python"))))
        }
        (None, None) => Finding::info("No environment is active")
            .why("this is about the machine, and about programs that use the plugins without libsycl")
            .fix("to look at an environment, name its folder: pi doctor ~/venv"),
    }
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
        output.paragraph(&output.paint(style, format!("{word:8}")), 9, &finding.what)?;
        if let Some(why) = &finding.why {
            output.paragraph("", 9, why)?;
        }
        if let Some(to_do) = &finding.to_do {
            output.paragraph(&format!("         {}", output.paint(Style::Strong, "to do:")), 16, to_do)?;
        }
        if let Some(command) = &finding.command {
            // Printed in one line, so that it can be copied.
            output.line(format!("         {} {command}", output.paint(Style::Strong, "type: ")))?;
        }
    }
    let count = |severity| diagnosis.findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let plural = |count| if count == 1 { "" } else { "s" };
    output.line(format!("\n{errors} error{}, {warnings} warning{}", plural(errors), plural(warnings)))
}
