//! `cargo xtask env`: the environment of an OpenCL driver or of a release's client, for a shell, for a single
//! command, or as JSON for scripts.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use crate::backend::Backend;
use crate::plugin;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::level_zero;
use crate::provision::opencl::{self, Driver};
use crate::release;
use crate::releases::{self, Release};

/// Arguments of `env`.
#[derive(Debug, Args)]
pub(crate) struct EnvArgs {
    /// The OpenCL driver (default: the release's own, or intel-2023). A command of a driver in a root file system runs on its /usr
    #[arg(long, value_enum)]
    driver: Option<Driver>,
    /// Use a release of DPC++ with its Python and its client instead of a driver alone: 2024.2.2, 2026.2.0
    #[arg(long, value_parser = releases::find_any)]
    release: Option<&'static Release>,
    /// The driver for the release
    #[arg(long, value_enum, default_value_t = Backend::OpenCl, requires = "release", conflicts_with = "driver")]
    backend: Backend,
    /// The plugin or adapter for the release. Ours is the one in target/release
    #[arg(long, value_enum, default_value_t = Flavour::Vendor, requires = "release")]
    plugin: Flavour,
    /// Use this file as ours, instead of the one in target/release
    #[arg(long, value_name = "FILE", requires = "release")]
    plugin_file: Option<PathBuf>,
    /// First build our files that the release needs
    #[arg(long, requires = "release")]
    build: bool,
    /// Enable the validation layer of Level Zero's loader
    #[arg(long, requires = "release")]
    validate: bool,
    /// Print one JSON object: the variables, and for a release its folders, its Python and the plugin or adapter
    /// that it loads
    #[arg(long)]
    json: bool,
    /// Print the known releases as JSON, without installing anything
    #[arg(long, conflicts_with_all = ["release", "driver"])]
    list: bool,
    /// The command to run. Default: print `export` lines for `eval`
    #[arg(last = true, conflicts_with_all = ["json", "list"])]
    command: Vec<OsString>,
}

/// Prints the environment, or runs the command in it and returns the command's exit status.
pub(crate) fn run(args: &EnvArgs) -> Result<ExitCode> {
    if args.list {
        println!("{}", Value::from_iter(releases::all().map(described)));
        return Ok(ExitCode::SUCCESS);
    }
    let found = match args.release {
        Some(release) => Some((release, of_release(release, args)?)),
        None => None,
    };
    let (mut variables, launcher): (Vec<(&'static str, OsString)>, Vec<OsString>) = match &found {
        Some((_, environment)) => (environment.variables()?, environment.launcher()),
        None => {
            let driver = opencl::ensure(args.driver.unwrap_or(Driver::Intel2023))?;
            (driver.variables().map(|(name, value)| (name, value.clone())).collect(), driver.launcher())
        }
    };
    if args.json {
        let release = found.as_ref().map(|(release, environment)| (*release, environment));
        println!("{}", as_json(release, args.driver, &variables, &launcher));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some((_, environment)) = &found {
        variables.push(("PATH", path(environment)?));
    }
    let words: Vec<&OsString> = launcher.iter().chain(&args.command).collect();
    let Some((program, rest)) = words.split_first().filter(|_| !args.command.is_empty()) else {
        for (name, value) in &variables {
            println!("export {name}={}", quoted(&value.to_string_lossy()));
        }
        return Ok(ExitCode::SUCCESS);
    };
    // The shell finds the program with the new PATH.
    let status = Command::new("/bin/sh")
        .args(["-c", "exec \"$0\" \"$@\""])
        .arg(program)
        .args(rest)
        .envs(variables)
        .status()
        .with_context(|| format!("cannot run {}", program.to_string_lossy()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

/// Returns the release's environment, with our file if requested.
fn of_release(release: &'static Release, args: &EnvArgs) -> Result<Environment> {
    if args.build {
        release::build(args.backend.packages())?;
    }
    let ours = args.plugin == Flavour::Ours || args.plugin_file.is_some();
    let environment = if ours {
        plugin::environment(release, args.backend, args.plugin_file.as_deref())?
    } else {
        environment::ensure_for(release, Flavour::Vendor, args.backend)?
    };
    let checks = if args.validate { level_zero::validation_variables() } else { Vec::new() };
    let environment = environment.with(checks);
    Ok(match args.driver {
        Some(driver) => environment.on(opencl::ensure(driver)?),
        None => environment,
    })
}

/// Returns the description of a release for scripts.
fn described(release: &Release) -> Value {
    json!({
        "name": release.name(),
        "version": release.version,
        "interface": release.interface.to_string(),
        "soname": release.soname,
        "loads": release.loads(),
        "client": release.client(),
        "package": release.package(),
        "suite": releases::has_suite(release),
        "wheels": release.pins().map(|pin| pin.to_string()).collect::<Vec<_>>(),
    })
}

/// The environment as scripts read it. A path that is no UTF-8 would not be the same.
fn as_json(
    found: Option<(&Release, &Environment)>,
    driver: Option<Driver>,
    variables: &[(&str, OsString)],
    launcher: &[OsString],
) -> Value {
    let variables: BTreeMap<&str, String> =
        variables.iter().map(|(name, value)| (*name, value.to_string_lossy().into_owned())).collect();
    let launcher: Vec<_> = launcher.iter().map(|word| word.to_string_lossy()).collect();
    let driver = driver.map(|driver| driver.to_string());
    match found {
        Some((release, environment)) => json!({
            "release": described(release),
            "root": environment.root(),
            "lib": environment.lib(),
            "site_packages": environment.site_packages(),
            "python": environment.python(),
            "plugin": environment.plugin(),
            "backend": environment.backend(),
            "driver": driver,
            "variables": variables,
            "launcher": launcher,
        }),
        None => json!({ "driver": driver, "variables": variables, "launcher": launcher }),
    }
}

fn path(environment: &Environment) -> Result<OsString> {
    let before = env::var_os("PATH").unwrap_or_default();
    let own = environment.python().parent().map(PathBuf::from);
    Ok(env::join_paths(own.into_iter().chain(env::split_paths(&before)))?)
}

/// Quotes a value with single quotes for a POSIX shell.
fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_within_a_value_is_safe() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn a_release_is_described_with_what_its_suite_needs() {
        let release = releases::find_any("2024.0.3-numba-dpex").unwrap();
        let description = described(release);
        assert_eq!(description["package"], "numba_dpex");
        assert_eq!(description["loads"], "plugin");
        assert_eq!(description["suite"], true);
    }
}
