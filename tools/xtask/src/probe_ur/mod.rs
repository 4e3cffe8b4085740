//! `cargo xtask probe-ur 2026.2.0`: reads the layout of a release's loader back from its wheel, and compares it with ur-core's list.

mod compare;
mod probe;

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use sycl_ur_core::Layout;

use crate::provision::wheels;
use crate::releases;
use crate::ui::{self, Step};

/// The packages with the loader of Unified Runtime and with the libraries that it needs.
const PACKAGES: [&str; 2] = ["intel-cmplr-lib-ur", "intel-cmplr-lib-rt"];
/// The Python that wheels are chosen for. This package fits any.
const PYTHON_MINOR: u8 = 12;

/// Read the layout of a release's loader back, and say what differs from the list
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 the release has a known layout, 1 something differs, 2 the probe could not run.\n\n\
    An adapter whose slots are numbered stubs is put before the loader of the wheel. Every exported function of the loader is \
    called once, and the stub that it reaches tells its table and slot. Signatures cannot be read back: compare ur_api.h of \
    the new wheel with that of the last one."
)]
pub(crate) struct ProbeUrArgs {
    /// Version of the wheel, such as 2026.2.0
    version: String,
    /// Print the table as JSON: getters with offsets and slots, functions with table and slot
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ProbeUrArgs) -> Result<ExitCode> {
    // The program runs one command: the text may live as long as it does.
    let version: &'static str = Box::leak(args.version.clone().into_boxed_str());
    let wheels = wheels::ensure(&PACKAGES.map(|package| releases::pin(package, version)), PYTHON_MINOR)?;
    let folder = tempfile::tempdir()?;
    wheels::unpack(&wheels, folder.path())?;
    let loader = folder.path().join("lib/libur_loader.so.0");
    ensure!(loader.is_file(), "the wheels of {version} have no lib/libur_loader.so.0");

    let step = Step::start(format!("calling every function of the loader of {version}"));
    let read = probe::read(&loader, folder.path()).context("the probe did not run to its end")?;
    step.done(&format!("{} functions in {} tables", read.functions.len(), read.tables.len()));
    if args.json {
        println!("{}", serde_json::to_string_pretty(&read)?);
    }

    let distance = read.distance()?;
    let Some(layout) = Layout::from_distance(distance) else {
        ui::info(&format!(
            "{version}: no known layout has {distance} bytes between its first two tables. Compared with {}:",
            Layout::NEWEST.name()
        ));
        print(&compare::differences(&read, Layout::NEWEST));
        return Ok(ExitCode::from(1));
    };
    let differences = compare::differences(&read, layout);
    print(&differences);
    if differences.is_empty() {
        println!(
            "{version} has the layout {}: {} functions, each in its slot",
            layout.name(),
            read.functions.len()
        );
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(1))
}

fn print(differences: &[String]) {
    for difference in differences {
        println!("{difference}");
    }
}
