//! Calls that need more memory than the process gets: `programs/out_of_memory.c`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::Totals;
use crate::code::{Code, compile};
use crate::exit_order::{INCLUDE, PROGRAMS};

/// How long all of it may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Builds the program and runs it: it ends well, and nothing prints to its standard error.
pub(crate) fn run(plugin: &Path, image: Option<PathBuf>) -> Result<Totals> {
    let plugin = plugin.canonicalize().with_context(|| plugin.display().to_string())?;
    let code = Code::of(&plugin, image)?;
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("out_of_memory");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", INCLUDE]);
    cc.arg(Path::new(PROGRAMS).join("out_of_memory.c")).arg("-o").arg(&program).arg("-ldl");
    compile(&mut cc)?;
    let mut command = Command::new(&program);
    command.env("PI_ROBUST_PLUGIN", &plugin);
    command.env("PI_ROBUST_CODE", &code.file).env("PI_ROBUST_KIND", code.kind.name());
    let finished = testing_process::run(&mut command, LIMIT)?;
    let (calls, errors) = (finished.stdout_text(), finished.stderr_text());
    if finished.end.code() == Some(0) && errors.is_empty() {
        return Ok(Totals { passed: calls.lines().count(), ..Totals::default() });
    }
    println!("{}: {}{}", finished.end, calls, errors.trim());
    Ok(Totals { failed: 1, ..Totals::default() })
}
