//! One run of the program, and whether it was served by the adapter that was meant.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::complaints::{self, Complaint};
use crate::provision::environment::Environment;
use crate::provision::{level_zero, shim};

const PROGRAM: &str = include_str!("program.py");

/// The program takes a second or two.
const LIMIT: Duration = Duration::from_secs(120);

/// The vendor's Level Zero adapters, by the names that the loader looks for.
const LEVEL_ZERO: [&str; 2] = ["libur_adapter_level_zero.so.0", "libur_adapter_level_zero_v2.so.0"];

/// A way in which the loader calls adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// One adapter: libsycl calls it directly
    Alone,
    /// One adapter, with the loader's own functions before it
    Intercepted,
    /// The vendor's Level Zero adapters are loaded too
    BesideLevelZero,
    /// With the loader's validation layer
    Validated,
}

impl Mode {
    /// All of them, in the order of the table.
    pub(super) const ALL: [Mode; 4] =
        [Mode::Alone, Mode::Intercepted, Mode::BesideLevelZero, Mode::Validated];

    /// The head of its column.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Alone => "alone",
            Mode::Intercepted => "intercepted",
            Mode::BesideLevelZero => "beside Level Zero",
            Mode::Validated => "validated",
        }
    }

    /// What the environment's variables become.
    fn change(
        self,
        environment: &Environment,
        variables: &mut BTreeMap<&'static str, OsString>,
    ) -> Result<()> {
        match self {
            Mode::Alone => {}
            Mode::Intercepted => {
                variables.insert("UR_ENABLE_LOADER_INTERCEPT", "1".into());
            }
            Mode::BesideLevelZero => {
                variables.remove("ONEAPI_DEVICE_SELECTOR");
                let missing = level_zero_functions(environment);
                if !missing.is_empty() {
                    variables.insert("LD_PRELOAD", shim::level_zero(&missing)?.into());
                }
                // With a forced adapter, only forced ones are loaded.
                if let Some(forced) = variables.get_mut("UR_ADAPTERS_FORCE_LOAD") {
                    for file in level_zero_adapters(environment) {
                        forced.push(",");
                        forced.push(file);
                    }
                }
            }
            Mode::Validated => {
                variables.insert("UR_ENABLE_LAYERS", "UR_LAYER_FULL_VALIDATION".into());
                variables.insert("UR_LOG_VALIDATION", "level:warning;output:stderr".into());
            }
        }
        Ok(())
    }
}

/// What a run gave.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) mode: Mode,
    /// Why it is not right; nothing if it is.
    pub(super) trouble: Option<String>,
    /// What the validation layer said.
    pub(super) complaints: Vec<Complaint>,
}

/// What the program prints about itself.
#[derive(Debug, Deserialize)]
struct Printed {
    /// Whether each kernel computed what it should.
    kernels: BTreeMap<String, bool>,
    loaded: Vec<PathBuf>,
}

/// Runs the program in one way.
pub(super) fn answer(environment: &Environment, mode: Mode) -> Result<Answer> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("program.py");
    fs::write(&program, PROGRAM)?;
    let mut variables: BTreeMap<&'static str, OsString> = environment.variables()?.into_iter().collect();
    mode.change(environment, &mut variables)?;
    let mut command = Command::new(environment.python());
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_the_loader(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command.arg(&program).envs(variables);
    let finished =
        testing_process::run(&mut command, LIMIT).context("cannot run the environment's Python")?;
    let printed = finished
        .stdout_text()
        .lines()
        .find_map(|line| line.strip_prefix("RESULT ").map(serde_json::from_str::<Printed>))
        .transpose()?;
    let said = finished.stderr_text();
    let trouble = match printed {
        None => Some(last_line(&said).unwrap_or_else(|| finished.end.to_string())),
        Some(_) if !finished.end.is_success() => Some(finished.end.to_string()),
        Some(printed) => trouble(environment, mode, &printed)?,
    };
    Ok(Answer { mode, trouble, complaints: complaints::parse(&said) })
}

/// What is wrong with what the program found.
fn trouble(environment: &Environment, mode: Mode, printed: &Printed) -> Result<Option<String>> {
    let meant = fs::canonicalize(environment.plugin())?;
    let named = |start: &'static str| {
        let starts = move |file: &&PathBuf| {
            file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
        };
        printed.loaded.iter().filter(starts)
    };
    let others = named(environment.backend().adapter_name()).any(|file| *file != meant);
    Ok(if others || !printed.loaded.contains(&meant) {
        Some(format!("loaded {:?} instead of {}", printed.loaded, meant.display()))
    } else if let Some((kernel, _)) = printed.kernels.iter().find(|(_, right)| !**right) {
        Some(format!("wrong result of {kernel}"))
    } else if printed.kernels.is_empty() {
        Some("no device".to_owned())
    } else if mode == Mode::BesideLevelZero && named(LEVEL_ZERO[0]).next().is_none() {
        Some("Level Zero's adapter did not load".to_owned())
    } else {
        None
    })
}

fn level_zero_adapters(environment: &Environment) -> Vec<PathBuf> {
    LEVEL_ZERO.iter().map(|name| environment.lib().join(name)).filter(|file| file.exists()).collect()
}

/// Functions that these adapters are linked to and the machine's Level Zero loader lacks.
fn level_zero_functions(environment: &Environment) -> Vec<String> {
    let mut names: Vec<String> = level_zero_adapters(environment)
        .iter()
        .flat_map(|file| level_zero::missing_functions(file))
        .collect();
    names.sort();
    names.dedup();
    names
}

fn is_of_the_loader(name: &str) -> bool {
    ["UR_", "SYCL_", "ONEAPI_"].iter().any(|start| name.starts_with(start))
}

/// The last line that is not the validation layer's.
fn last_line(text: &str) -> Option<String> {
    let mut lines = text.lines().rev().filter(|line| !line.starts_with('<') && !line.trim().is_empty());
    lines.next().map(str::to_owned)
}
