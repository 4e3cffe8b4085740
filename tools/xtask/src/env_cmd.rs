//! `cargo xtask env`: the environment of an OpenCL driver, for a shell or for one command.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;

use crate::provision::opencl::{self, Driver};

/// Arguments of `env`.
#[derive(Debug, Args)]
pub(crate) struct EnvArgs {
    /// The OpenCL driver
    #[arg(long, value_enum, default_value_t = Driver::Intel2023)]
    driver: Driver,
    /// The command to run with that driver. Without one, `export` lines for `eval` are printed
    #[arg(last = true)]
    command: Vec<OsString>,
}

/// Prints the driver's environment, or runs the command in it and ends as that command ended.
pub(crate) fn run(args: &EnvArgs) -> Result<ExitCode> {
    let environment = opencl::ensure(args.driver)?;
    let Some((program, rest)) = args.command.split_first() else {
        for (name, value) in environment.variables() {
            println!("export {name}={}", quoted(&value.to_string_lossy()));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let status = Command::new(program)
        .args(rest)
        .envs(environment.variables())
        .status()
        .with_context(|| format!("cannot run {}", program.to_string_lossy()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
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
