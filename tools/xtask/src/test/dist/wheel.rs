//! A Python environment that the wheel is put into, and the differences that stay behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::process;

/// An environment with Python and pip.
pub(super) struct Target {
    root: PathBuf,
}

impl Target {
    pub(super) fn new(root: &Path) -> Self {
        Target { root: root.to_path_buf() }
    }

    /// `pip install` of the wheel, without an index.
    pub(super) fn pip_install(&self, wheel: &Path) -> Result<()> {
        let mut pip = self.pip("install");
        process::output(pip.args(["--no-index", "--no-deps"]).arg(wheel)).map(drop)
    }

    /// `pip uninstall` of the wheel.
    pub(super) fn pip_uninstall(&self) -> Result<()> {
        process::output(self.pip("uninstall").args(["--yes", "sycl-pi"])).map(drop)
    }

    fn pip(&self, what: &str) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", what, "--quiet", "--disable-pip-version-check"]);
        pip
    }

    /// The environment's Python. It leaves no compiled files in it.
    pub(super) fn python(&self) -> Command {
        self.program("python")
    }

    /// The command `pi` that pip has put there.
    pub(super) fn pi(&self, arguments: &[&str]) -> Command {
        let mut pi = self.program("pi");
        pi.args(arguments);
        pi
    }

    /// The same, as a module of Python.
    pub(super) fn module(&self, arguments: &[&str]) -> Command {
        let mut pi = self.python();
        pi.args(["-m", "sycl_pi"]).args(arguments);
        pi
    }

    pub(super) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.root.join("bin").join(name));
        of_nobody(&mut command);
        command
    }
}

/// Removes what an active environment of the caller would say.
pub(super) fn of_nobody(command: &mut Command) {
    for name in ["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME"] {
        command.env_remove(name);
    }
    command.env("PYTHONDONTWRITEBYTECODE", "1");
}

/// The files that differ between two folders: in name, kind, mode, link or bytes. Two programs that know nothing of ours tell it.
pub(super) fn differences(one: &Path, other: &Path) -> Result<Vec<String>> {
    let (before, after) = (listing(one)?, listing(other)?);
    let mut found: Vec<String> = Vec::new();
    found.extend(
        before
            .lines()
            .filter(|line| !after.lines().any(|other| other == *line))
            .map(|line| format!("- {line}")),
    );
    found.extend(
        after
            .lines()
            .filter(|line| !before.lines().any(|other| other == *line))
            .map(|line| format!("+ {line}")),
    );
    let mut diff = Command::new("diff");
    let diff = diff.args(["--recursive", "--no-dereference", "--brief"]).arg(one).arg(other).output()?;
    found.extend(String::from_utf8_lossy(&diff.stdout).lines().map(str::to_owned));
    if diff.status.code().is_none_or(|code| code > 1) {
        bail!("diff failed: {}", String::from_utf8_lossy(&diff.stderr));
    }
    Ok(found)
}

/// Name, kind, mode and link of everything in a folder.
pub(super) fn listing(folder: &Path) -> Result<String> {
    let mut find = Command::new("find");
    find.arg(folder).args(["-mindepth", "1", "-printf", "%P %y %m %l\\n"]);
    let text = process::text(&mut find)?;
    if text.is_empty() {
        bail!("{} is empty", folder.display());
    }
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    Ok(lines.join("\n"))
}

/// What a finished program printed, both ways.
pub(super) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs a program whose exit code is part of the test.
pub(super) fn outcome(command: &mut Command) -> Result<Output> {
    command.output().with_context(|| format!("{command:?} cannot be started"))
}
