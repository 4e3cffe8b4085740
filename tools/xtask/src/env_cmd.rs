//! `cargo xtask env`: the environment of an OpenCL driver or of a release's client, for a shell or for one command.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;

use crate::backend::Backend;
use crate::plugin;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::releases::{self, Release};

/// Arguments of `env`.
#[derive(Debug, Args)]
pub(crate) struct EnvArgs {
    /// The OpenCL driver
    #[arg(long, value_enum, default_value_t = Driver::Intel2023)]
    driver: Driver,
    /// Instead of a driver alone, a release of DPC++ with its Python and its client: 2024.2.2, 2026.2.0
    #[arg(long, value_parser = releases::find_any, conflicts_with = "driver")]
    release: Option<&'static Release>,
    /// Whose plugin or adapter the release runs on; ours is the one in target/release
    #[arg(long, value_enum, default_value_t = Flavour::Vendor, requires = "release")]
    plugin: Flavour,
    /// A file that counts as ours, instead of the one in target/release
    #[arg(long, value_name = "FILE", requires = "release")]
    plugin_file: Option<PathBuf>,
    /// The command to run in it. Without one, `export` lines for `eval` are printed
    #[arg(last = true)]
    command: Vec<OsString>,
}

/// Prints the environment, or runs the command in it and ends as that command ended.
pub(crate) fn run(args: &EnvArgs) -> Result<ExitCode> {
    let variables = match args.release {
        Some(release) => of_release(release, args)?,
        None => {
            let driver = opencl::ensure(args.driver)?;
            driver.variables().map(|(name, value)| (name, value.clone())).collect()
        }
    };
    let Some((program, rest)) = args.command.split_first() else {
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

/// A release's variables, with its Python first in the path.
fn of_release(release: &'static Release, args: &EnvArgs) -> Result<Vec<(&'static str, OsString)>> {
    let ours = args.plugin == Flavour::Ours || args.plugin_file.is_some();
    let environment = if ours {
        plugin::environment(release, Backend::OpenCl, args.plugin_file.as_deref())?
    } else {
        environment::ensure(release, Flavour::Vendor)?
    };
    let mut variables = environment.variables()?;
    variables.push(("PATH", path(&environment)?));
    Ok(variables)
}

fn path(environment: &Environment) -> Result<OsString> {
    let before = env::var_os("PATH").unwrap_or_default();
    let own = environment.python().parent().map(PathBuf::from);
    Ok(env::join_paths(own.into_iter().chain(env::split_paths(&before)))?)
}

/// A value between single quotes, for a POSIX shell.
fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_quote_within_a_value_is_safe() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
