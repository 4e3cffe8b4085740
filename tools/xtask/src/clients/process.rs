//! One pytest process: started, watched, read.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::clients::events::Session;
use crate::fsutil;
use crate::provision::environment::Environment;
use crate::workspace;

const PLUGIN: &str = include_str!("report_plugin.py");

/// A process in which no test begins or ends for so long is taken to hang.
const PATIENCE: Duration = Duration::from_secs(300);

/// How a process ended.
#[derive(Debug)]
pub(crate) enum End {
    /// By itself.
    Exit(ExitStatus),
    /// It was stopped because nothing happened any more.
    Hung,
}

impl End {
    /// Whether a pytest that came to its end also left the interpreter in order (codes up to 5 are pytest's own).
    pub(crate) fn is_orderly(&self) -> bool {
        matches!(self, End::Exit(status) if status.code().is_some_and(|code| code <= 5))
    }
}

/// Runs pytest on `what` (files or test ids, relative to the packages' folder), without the tests named in `done`; the
/// process's output is added to `log`.
pub(crate) fn pytest(
    environment: &Environment,
    what: &[String],
    done: &[&str],
    log: &Path,
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
    command.env_remove("ONEAPI_DEVICE_SELECTOR").env_remove("SYCL_DEVICE_FILTER");
    // Where a log is read, our plugin's entry points keep texts instead of jumping to the driver: not what users run.
    command.env_remove("PI_LOG");
    command.envs(environment.variables()?).env("PYTHONPATH", &helper);
    command.env("SYCL_PI_EVENTS", &events).env("SYCL_PI_DONE", &skip).env("TMPDIR", scratch.path());
    command.current_dir(environment.site_packages());
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let end = watch(command, &events)?;
    let text = String::from_utf8_lossy(&fs::read(&events)?).into_owned();
    Ok((Session::parse(&text), end))
}

/// Waits for a process as long as its event file grows.
fn watch(mut command: Command, events: &Path) -> Result<End> {
    let mut child = command.spawn().context("cannot start the environment's Python")?;
    let (mut size, mut last) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exit(status));
        }
        let now = fs::metadata(events).map_or(0, |data| data.len());
        if now != size {
            (size, last) = (now, Instant::now());
        } else if last.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(End::Hung);
        }
        thread::sleep(Duration::from_millis(50));
    }
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
