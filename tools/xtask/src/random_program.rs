//! A program that makes random calls on a plugin or adapter: as a test, or for as long as requested.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::conformance::subject::Subject;
use crate::process;
use crate::release;
use crate::totals::Totals;
use crate::ui::{self, Step};
use crate::workspace;

/// A program of the package of the same name.
pub(crate) struct RandomProgram {
    pub(crate) name: &'static str,
    /// Describes what it does.
    pub(crate) title: &'static str,
}

impl RandomProgram {
    /// Runs it with these arguments on those of the subjects whose name contains one of `on`, or on all if that is
    /// empty. Prints the program's output.
    pub(crate) fn run_long(
        &self,
        subjects: impl FnOnce() -> Result<Vec<Subject>>,
        on: &[String],
        arguments: &[OsString],
    ) -> Result<ExitCode> {
        release::build(release::ALL)?;
        let file = self.build_fast()?;
        let is_chosen = |name: &str| on.is_empty() || on.iter().any(|part| name.contains(part.as_str()));
        let mut subjects = subjects()?;
        subjects.retain(|subject| is_chosen(&subject.to_string()));
        if subjects.is_empty() {
            bail!("no plugin or adapter is named so; without --on each is tried and named");
        }
        let mut is_good = true;
        for subject in &subjects {
            ui::info(&format!("{subject}: {}", self.title));
            let status = command(&file, subject, arguments).status();
            is_good &= status.with_context(|| format!("{} could not be started", self.name))?.success();
        }
        Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Runs it on a subject, which counts as one test.
    pub(crate) fn run(&self, subject: &Subject, arguments: &[&str]) -> Result<Totals> {
        let file = release::test_file(self.name);
        let finished = process::tested(&mut command(&file, subject, arguments))?;
        Ok(Totals::of_one(finished.end.is_success()).checked(&finished, 1))
    }

    /// Builds it in release mode.
    fn build_fast(&self) -> Result<PathBuf> {
        let step = Step::start(format!("building {} in release mode", self.name));
        let mut cargo = process::cargo();
        cargo.args(["build", "--release", "--package", self.name, "--target-dir"]);
        process::output(cargo.arg(workspace::target()))?;
        step.done("");
        Ok(release::file(self.name))
    }
}

/// Returns the command of the program on one subject.
fn command<A: AsRef<OsStr>>(file: &Path, subject: &Subject, arguments: &[A]) -> Command {
    let mut command = subject.command(file);
    command.arg(&subject.file).args(arguments);
    command
}
