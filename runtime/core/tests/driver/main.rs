//! The runtime on a real driver: every image, and behaviours one by one.
//!
//! The plugin is `PI_TEST_PLUGIN`, by default target/release/libpi_opencl.so; where it or a driver is not there, every test
//! is declared as skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod behaviours;
#[path = "../suite/mod.rs"]
mod suite;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use pi_runtime::Backend;
use suite::Outcome;

/// Intel's CPU runtime of 2023.2.4 (driver 2024.16) dies in its own reading of SPIR-V that newer compilers wrote: of 30 of the
/// images. These behaviours need such an image.
const NEEDS_NEWER_DRIVER: [&str; 4] = [
    "behaviour::buffers_and_removed_arguments",
    "behaviour::local_memory_and_structure",
    "behaviour::ranges_are_checked",
    "behaviour::everything_at_once",
];

fn main() -> ExitCode {
    if suite::child() {
        return ExitCode::SUCCESS;
    }
    let args = Arguments::from_args();
    let plugin = plugin();
    let (skip, old) = match Backend::open(&plugin).and_then(Backend::first_device) {
        Ok(device) if !device.facts().il_version.contains("SPIR-V") => {
            (Some(format!("{} takes no SPIR-V", device.facts().name)), false)
        }
        Ok(device) => (None, device.facts().driver_version.starts_with("2024.16.")),
        Err(error) => (Some(error.to_string()), false),
    };
    if let Some(reason) = &skip {
        eprintln!("every test is skipped: {reason}");
    }
    let folder = suite::default_folder();
    let mut trials: Vec<Trial> = suite::names(&folder)
        .into_iter()
        .map(|name| {
            let (folder, plugin) = (folder.clone(), plugin.clone());
            Trial::test(format!("image::{name}"), move || {
                match suite::try_in_child(&folder, &name, &plugin) {
                    Outcome::Ran(_) | Outcome::Refused(_) => Ok(()),
                    Outcome::Crashed(stage) if old && stage.starts_with("build") => Ok(()),
                    Outcome::Crashed(status) => Err(format!("the driver ended the process: {status}").into()),
                    // It does not find a variable with internal linkage by its unique id.
                    Outcome::Wrong(text) if old && name == "dg_multi" && text.contains("8Internal") => Ok(()),
                    Outcome::Wrong(text) => Err(text.into()),
                }
            })
        })
        .collect();
    trials.extend(behaviours::all(&plugin));
    let skipped = |name: &str| skip.is_some() || (old && NEEDS_NEWER_DRIVER.contains(&name));
    let trials = trials.into_iter().map(|trial| {
        let skipped = skipped(trial.name());
        trial.with_ignored_flag(skipped)
    });
    let trials = trials.collect();
    libtest_mimic::run(&args, trials).exit_code()
}

fn plugin() -> PathBuf {
    match std::env::var_os("PI_TEST_PLUGIN") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/libpi_opencl.so"),
    }
}
