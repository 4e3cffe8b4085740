//! The driver calls of each operation with our Level Zero plugin and with Intel's, on the software driver. Times on that driver would
//! say nothing about a device.

use std::process::Command;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::page::Page;
use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::level_zero;
use crate::release;
use crate::releases::Release;
use crate::ui::Step;

/// One operation, as `pi-level-zero-cost` prints it: ours first, then the vendor's.
#[derive(Debug, Deserialize, Serialize)]
struct Operation {
    name: String,
    calls: [f64; 2],
}

/// Builds, counts and prints. Returns whether our plugin makes no more driver calls than the vendor's in any operation.
pub(crate) fn run(release: &'static Release, json: bool, report: bool, no_build: bool) -> Result<bool> {
    if !no_build {
        release::build(Backend::LevelZero.packages())?;
        release::build(&["benches-level-zero"])?;
    }
    let mut text = String::new();
    let mut good = true;
    for (title, flag) in [("In-order queue", None), ("Out-of-order queue", Some("--out-of-order"))] {
        let operations = count(release, flag)?;
        good &= operations.iter().all(|one| one.calls[0] <= one.calls[1] + 0.005);
        if json {
            println!("{}", serde_json::to_string(&operations)?);
        } else {
            println!("{title}\n\n{}\n", table(&operations));
        }
        text.push_str(&format!("\n{title}:\n\n{}\n", table(&operations)));
    }
    if report {
        let head =
            format!("Compared with the plugin of release {} ({}).\n", release.version, release.interface);
        Page::new("level-zero.md").write("costs", &(head + &text))?;
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
