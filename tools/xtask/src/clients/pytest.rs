//! One pytest process and what it reported.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use testing_process::End;

use crate::clients::events::Session;
use crate::fsutil;
use crate::provision::environment::Environment;
use crate::workspace;

const PLUGIN: &str = include_str!("report_plugin.py");

/// What would choose another device or adapter. With a log or a layer, other code runs than users have.
const NOT_INHERITED: [&str; 7] = [
    "ONEAPI_DEVICE_SELECTOR",
    "SYCL_DEVICE_FILTER",
    "PI_LOG",
    "UR_ADAPTERS_FORCE_LOAD",
    "UR_ADAPTERS_SEARCH_PATH",
    "UR_ENABLE_LAYERS",
    "UR_ENABLE_LOADER_INTERCEPT",
];

/// Whether a pytest that came to its end also left the interpreter in order. Codes up to 5 are pytest's own.
pub(crate) fn is_orderly(end: End) -> bool {
    end.code().is_some_and(|code| code <= 5)
}

/// Runs pytest on `what` (files or test ids, relative to the packages' folder), without the tests named in `done`. Its output is
/// appended to `log`. If no test begins or ends for `patience`, it counts as hung.
pub(crate) fn run(
    environment: &Environment,
    what: &[String],
    done: &[&str],
    log: &Path,
    patience: Duration,
) -> Result<(Session, End)> {
    let scratch = tempfile::tempdir()?;
    let events = scratch.path().join("events");
    let skip = scratch.path().join("done");
    fs::write(&events, "")?;
    fs::write(&skip, done.join("\n"))?;
    let output = File::options().create(true).append(true).open(log)?;
    let helper = helper_folder()?;
    let mut command = Command::new(environment.python());
    command.args([
        "-m",
        "pytest",
        "-p",
        "sycl_pi_report",
        "-p",
        "no:cacheprovider",
        "-q",
        "--tb=short",
        "-c",
    ]);
    command.arg(helper.join("pytest.ini")).arg("--rootdir").arg(environment.site_packages()).args(what);
    for name in NOT_INHERITED {
        command.env_remove(name);
    }
    command.envs(environment.variables()?).env("PYTHONPATH", &helper);
    command.env("SYCL_PI_EVENTS", &events).env("SYCL_PI_DONE", &skip).env("TMPDIR", scratch.path());
    command.current_dir(environment.site_packages());
    command.stdout(output.try_clone()?).stderr(output);
    let events_written = || fs::metadata(&events).map_or(0, |data| data.len());
    let finished = testing_process::run_while(&mut command, patience, events_written)
        .context("cannot run the environment's Python")?;
    let text = String::from_utf8_lossy(&fs::read(&events)?).into_owned();
    Ok((Session::parse(&text), finished.end))
}

/// The folder with the pytest plugin and a configuration that says nothing.
fn helper_folder() -> Result<PathBuf> {
    let folder = workspace::target().join("clients").join("pytest");
    fsutil::build_folder(&folder, PLUGIN, |inside| {
        fs::write(inside.join("pytest.ini"), "[pytest]\n")?;
        Ok(fs::write(inside.join("sycl_pi_report.py"), PLUGIN)?)
    })?;
    Ok(folder)
}
