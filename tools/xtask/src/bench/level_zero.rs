//! The driver calls of each operation with our Level Zero plugin or adapter and with Intel's, on the software driver. Times on that driver would
//! say nothing about a device.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use serde::{Deserialize, Serialize};
use sycl_ur_core::Layout;

use crate::backend::Backend;
use crate::page::Page;
use crate::plugin;
use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::level_zero;
use crate::release;
use crate::releases::Release;
use crate::ui::Step;

/// One operation: ours first, then the vendor's, as `pi-level-zero-cost` prints it.
#[derive(Debug, Deserialize, Serialize)]
struct Operation {
    name: String,
    calls: [f64; 2],
}

/// One operation of one adapter, as `pi-level-zero-adapter-cost` prints it.
#[derive(Debug, Deserialize)]
struct OfAdapter {
    name: String,
    calls: f64,
}

/// Builds, counts and prints. Returns whether ours makes no more driver calls than the vendor's in any operation.
pub(crate) fn run(release: &'static Release, json: bool, report: bool, no_build: bool) -> Result<bool> {
    if !no_build {
        release::build(plugin::packages(release, Backend::LevelZero))?;
        release::build(&["benches-level-zero"])?;
    }
    let mut text = String::new();
    let mut good = true;
    for (title, flag) in [("In-order queue", None), ("Out-of-order queue", Some("--out-of-order"))] {
        let operations =
            if release.has_adapters() { count_adapters(release, flag)? } else { count(release, flag)? };
        good &= operations.iter().all(|one| one.calls[0] <= one.calls[1] + 0.005);
        if json {
            println!("{}", serde_json::to_string(&operations)?);
        } else {
            println!("{title}\n\n{}\n", table(&operations));
        }
        text.push_str(&format!("\n{title}:\n\n{}\n", table(&operations)));
    }
    if report {
        let (loads, interface) = (release.loads(), release.interface);
        let head = format!("Compared with the {loads} of release {} ({interface}).\n", release.version);
        let section = if release.has_adapters() { "adapter-costs" } else { "costs" };
        Page::new("level-zero.md").write(section, &(head + &text))?;
    }
    Ok(good)
}

fn count(release: &'static Release, flag: Option<&str>) -> Result<Vec<Operation>> {
    let environment = environment::ensure_for(release, Flavour::Vendor, Backend::LevelZero)?;
    let step = Step::start("counting driver calls of both plugins");
    let mut command = Command::new(release::file("pi-level-zero-cost"));
    command.arg("--ours").arg(Backend::LevelZero.our_plugin()).arg("--vendor").arg(environment.plugin());
    command.args(["--rounds", "11"]).args(flag).envs(environment.variables()?);
    // The vendor's plugin gets addresses of variables only if the driver does not need a flag for them at build time.
    command.env("PI_SOFT_ZE_TAKE_ADDRESS", "0");
    let (name, minor) = level_zero::KEEPS_ORDER;
    let operations = serde_json::from_str(&process::text(command.env(name, minor))?)?;
    step.done("");
    Ok(operations)
}

/// A process calls one adapter: the same operations run twice.
fn count_adapters(release: &'static Release, flag: Option<&str>) -> Result<Vec<Operation>> {
    let layout = Layout::ALL.into_iter().find(|layout| layout.releases().contains(&release.version));
    let layout = layout.with_context(|| format!("no layout for release {}", release.version))?;
    let environment = environment::ensure_for(release, Flavour::Vendor, Backend::LevelZero)?;
    let step = Step::start("counting driver calls of both adapters");
    let run = |adapter: &Path| -> Result<Vec<OfAdapter>> {
        let mut command = Command::new(release::file("pi-level-zero-adapter-cost"));
        command.arg("--adapter").arg(adapter).args(["--layout", layout.name()]).args(flag);
        command.envs(environment.variables()?).env("PI_SOFT_ZE_TAKE_ADDRESS", "0");
        Ok(serde_json::from_str(&process::text(&mut command)?)?)
    };
    let ours = run(&release::file(Backend::LevelZero.adapter_name()))?;
    let vendor = run(environment.plugin())?;
    step.done("");
    let both = ours.into_iter().zip(vendor);
    Ok(both.map(|(ours, vendor)| Operation { name: ours.name, calls: [ours.calls, vendor.calls] }).collect())
}

fn table(operations: &[Operation]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["operation", "driver calls: ours", "Intel's"]);
    for operation in operations {
        let [ours, vendor] = operation.calls;
        table.add_row([operation.name.clone(), format!("{ours:.2}"), format!("{vendor:.2}")]);
    }
    table
}
