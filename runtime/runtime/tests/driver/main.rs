//! Tests the runtime on a real driver: every image, and individual behaviors.
//!
//! The plugin is `PI_TEST_PLUGIN`, by default target/release/libpi_opencl.so. If the plugin or a driver is missing,
//! every test is reported as skipped.
#![expect(unsafe_code, reason = "the tests make the promises that programs make")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod behaviours;
mod cached;
mod candidates;
mod choice;
mod design;
mod device_libraries;
mod events;
mod examples;
mod globals;
mod lifetimes;
mod made_up;
mod options;
mod programs_in_pages;
mod results;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};
use sycl_pi_image::{Property, PropertySet, Value};
use sycl_pi_runtime::{Device, ImageParts, Plugin};
use testing_programs::{self as suite, ImageResult};

/// A test of a plugin.
type Test = fn(&Path);

/// Returns the tests of one group, by name.
fn trials(group: &str, plugin: &Path, tests: &[(&str, Test)]) -> Vec<Trial> {
    let trial = |&(name, test): &(&str, Test)| {
        let plugin = plugin.to_owned();
        Trial::test(format!("{group}::{name}"), move || {
            test(&plugin);
            Ok(())
        })
    };
    tests.iter().map(trial).collect()
}

/// The image with a symbol more that it imports or exports, whatever its code has.
fn with_symbol(
    mut image: ImageParts<'static>,
    set: &'static str,
    symbol: &'static str,
) -> ImageParts<'static> {
    let mut symbols = PropertySet::new(set);
    symbols.properties.push(Property::new(symbol, Value::Uint32(1)));
    image.property_sets.push(symbols);
    image
}

/// The sets of symbols that [`with_symbol`] adds to.
const IMPORTS: &str = "SYCL/imported symbols";
const EXPORTS: &str = "SYCL/exported symbols";

fn main() -> ExitCode {
    if suite::child() || options::child() || device_libraries::child() {
        return ExitCode::SUCCESS;
    }
    let args = Arguments::from_args();
    let plugin = plugin();
    let skip = match suite::open(&plugin).and_then(Plugin::first_device) {
        Ok(device) if takes_spirv(&device) => None,
        Ok(device) => Some(format!("{} takes no SPIR-V", device.info().name)),
        Err(error) => Some(error.to_string()),
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
                    ImageResult::Ran(_) | ImageResult::Refused(_) => Ok(()),
                    ImageResult::Crashed(status) => {
                        Err(format!("the driver ended the process: {status}").into())
                    }
                    ImageResult::Wrong(text) => Err(text.into()),
                }
            })
        })
        .collect();
    trials.extend(behaviours::all(&plugin));
    trials.extend(cached::all(&plugin));
    trials.extend(candidates::all(&plugin));
    trials.extend(choice::all(&plugin));
    trials.extend(design::all(&plugin));
    trials.extend(device_libraries::all(&plugin));
    trials.extend(events::all(&plugin));
    trials.extend(examples::all(&plugin));
    trials.extend(globals::all(&plugin));
    trials.extend(lifetimes::all(&plugin));
    trials.extend(made_up::all(&plugin));
    trials.extend(options::all(&plugin));
    trials.extend(programs_in_pages::all(&plugin));
    trials.extend(results::all(&plugin));
    let ignored = |trial: Trial| {
        let alone = trial.has_ignored_flag();
        trial.with_ignored_flag(alone || skip.is_some())
    };
    let trials = trials.into_iter().map(ignored).collect();
    let conclusion = libtest_mimic::run(&args, trials);
    let is_whole = !args.list && args.filter.is_none() && args.skip.is_empty();
    if is_whole && conclusion.num_passed + conclusion.num_failed == 0 && !may_run_none() {
        eprintln!("no test was run, which counts as a failure where {WITHOUT_DRIVER} is not set");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

/// Set when the run may include tests without a driver.
const WITHOUT_DRIVER: &str = "PI_TEST_WITHOUT_DRIVER";

fn may_run_none() -> bool {
    std::env::var_os(WITHOUT_DRIVER).is_some()
}

/// Compiles a plugin from `tests/driver/NAME.c` that wraps the plugin under test, in a folder that is removed with the
/// guard.
fn shim(name: &str, plugin: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(format!("libpi_{name}.so"));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(here.join(format!("tests/driver/{name}.c")));
    cc.arg("-I").arg(here.join("../../include/pi")).arg(format!("-DREAL=\"{}\"", plugin.display()));
    assert!(cc.status().unwrap().success());
    (folder, library)
}

/// Returns whether the device accepts SPIR-V. Level Zero's drivers do not report it, but all of them accept it.
fn takes_spirv(device: &Device) -> bool {
    let facts = device.info();
    !facts.version.starts_with("OpenCL") || facts.il_version.contains("SPIR-V")
}

fn plugin() -> PathBuf {
    match std::env::var_os("PI_TEST_PLUGIN") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/libpi_opencl.so"),
    }
}
