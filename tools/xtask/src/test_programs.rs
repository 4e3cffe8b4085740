//! Rust test programs. One command builds those of the whole workspace, and each part runs the ones that it needs.
//!
//! `cargo test --package X` compiles X's dependencies with the features that X alone needs, so that each such command
//! would compile much of the workspace again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use serde::Deserialize;

use crate::packages;
use crate::process;
use crate::totals::Totals;
use crate::ui::Step;
use crate::workspace;

/// This program and its tests are built before all others, with the features that it alone needs.
pub(crate) const XTASK: &str = "xtask";

/// Packages whose files are needed in release mode only, because they have no tests, and no package depends on them.
const IN_RELEASE_MODE_ONLY: [&str; 6] =
    ["pi_opencl", "pi_level_zero", "pi_cuda", "pi_math", "software-cuda", "software-math"];

/// The programs that this run has built.
static BUILT: Mutex<Vec<Program>> = Mutex::new(Vec::new());
/// Whether these are all programs.
static ARE_ALL_BUILT: AtomicBool = AtomicBool::new(false);

/// A test program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Program {
    package: String,
    /// The target's name.
    name: String,
    file: PathBuf,
    /// The package's folder, in which cargo runs it.
    folder: PathBuf,
}

/// Builds the test programs of every package, and what is built in dev mode for other programs.
pub(crate) fn build_all() -> Result<()> {
    build("all packages", &[&["--workspace", "--lib"], &excluded()[..]].concat())?;
    ARE_ALL_BUILT.store(true, Ordering::Relaxed);
    Ok(())
}

/// Returns cargo's options that leave out packages without such programs. Another selection would change the features of
/// dependencies, and compile them again.
pub(crate) fn excluded() -> Vec<&'static str> {
    let others = [XTASK].into_iter().chain(IN_RELEASE_MODE_ONLY);
    others.flat_map(|package| ["--exclude", package]).collect()
}

/// Returns whether this run has built all of them.
pub(crate) fn are_all_built() -> bool {
    ARE_ALL_BUILT.load(Ordering::Relaxed)
}

fn build(what: &str, selection: &[&str]) -> Result<()> {
    let step = Step::start(format!("building test programs of {what}"));
    // In release mode, long compilations wait for each other. These here fill the gaps.
    let mut command = process::cargo_behind_others();
    command.args(["build", "--bins", "--tests", "--examples", "--message-format=json-render-diagnostics"]);
    command.args(selection).arg("--target-dir").arg(workspace::target());
    let messages = process::text(&mut command)?;
    let names = packages::all()?;
    let name = |folder: &Path| {
        let package = names.iter().find(|package| workspace::root().join(package.folder()) == folder);
        package.map(|package| package.name.clone())
    };
    BUILT.lock().unwrap_or_else(PoisonError::into_inner).extend(read(&messages, name));
    step.done("");
    Ok(())
}

/// Cargo's message about one of the files that it has built.
#[derive(Deserialize)]
struct Message {
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Returns the test programs in cargo's messages. `name` returns the name of the package in a folder.
fn read(messages: &str, name: impl Fn(&Path) -> Option<String>) -> Vec<Program> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let programs = messages.filter_map(|message| {
        let folder = message.manifest_path?.parent()?.to_path_buf();
        let (package, target, file) = (name(&folder)?, message.target?, message.executable?);
        message.profile?.test.then_some(Program { package, name: target.name, file, folder })
    });
    programs.collect()
}

/// Test programs with their arguments and variables.
#[derive(Debug, Clone)]
pub(crate) struct Tests {
    programs: Vec<Program>,
    arguments: Vec<String>,
    variables: Vec<(String, OsString)>,
    /// The words before each program.
    launcher: Vec<OsString>,
}

impl Tests {
    /// Returns those of a package, which are built if necessary.
    pub(crate) fn of(package: &str) -> Result<Self> {
        Self::those(package, |_| true)
    }

    /// Returns the program of a package with this name.
    pub(crate) fn named(package: &str, name: &str) -> Result<Self> {
        Self::those(package, |program| program.name == name)
    }

    /// Returns those of all packages except these.
    pub(crate) fn without(packages: &[&str]) -> Result<Self> {
        if !are_all_built() {
            build_all()?;
        }
        Ok(Self::new(built(|program| !packages.contains(&program.package.as_str()))))
    }

    fn those(package: &str, is_one: impl Fn(&Program) -> bool) -> Result<Self> {
        if built(|program| program.package == package).is_empty() {
            build(package, &["--package", package])?;
        }
        let programs = built(|program| program.package == package && is_one(program));
        ensure!(!programs.is_empty(), "{package} has no such test program");
        Ok(Self::new(programs))
    }

    fn new(programs: Vec<Program>) -> Self {
        Self { programs, arguments: Vec::new(), variables: Vec::new(), launcher: Vec::new() }
    }

    pub(crate) fn arg(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn envs<'n, 'v>(self, variables: impl IntoIterator<Item = (&'n str, &'v OsString)>) -> Self {
        variables.into_iter().fold(self, |tests, (name, value)| tests.env(name, value))
    }

    /// Has these words start each program, which take it to another file system.
    pub(crate) fn behind(self, launcher: Vec<OsString>) -> Self {
        Self { launcher, ..self }
    }

    /// Runs them one after the other. If no test passes, that counts as a failure.
    pub(crate) fn run(&self) -> Result<Totals> {
        Totals::of_programs(&mut self.commands(), 1)
    }

    /// Runs tests of optional features of a system. If all of them are skipped, that is not a failure.
    pub(crate) fn run_or_skip(&self) -> Result<Totals> {
        Totals::of_programs(&mut self.commands(), 0)
    }

    /// Returns the commands with which cargo runs the programs.
    fn commands(&self) -> Vec<Command> {
        let command = |program: &Program| {
            let mut words = self.launcher.iter().map(OsString::as_os_str).chain([program.file.as_os_str()]);
            let mut command = Command::new(words.next().unwrap_or_default());
            command.args(words);
            command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
            command.args(&self.arguments).envs(self.variables.iter().cloned());
            command
        };
        self.programs.iter().map(command).collect()
    }
}

fn built(is_chosen: impl Fn(&Program) -> bool) -> Vec<Program> {
    let built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.iter().filter(|program| is_chosen(program)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_in_another_file_system_starts_behind_the_words_for_it() {
        let program = Program {
            package: "package".into(),
            name: "a".into(),
            file: "/t/deps/a-1".into(),
            folder: "/w/a".into(),
        };
        let words = |launcher: &[&str]| {
            let launcher = launcher.iter().map(OsString::from).collect();
            let tests = Tests::new(vec![program.clone()]).arg("--ignored").behind(launcher);
            let [command] = tests.commands().try_into().unwrap();
            let mut words = vec![command.get_program().to_owned()];
            words.extend(command.get_args().map(ToOwned::to_owned));
            words
        };
        assert_eq!(words(&[]), ["/t/deps/a-1", "--ignored"]);
        assert_eq!(words(&["unshare", "--mount"]), ["unshare", "--mount", "/t/deps/a-1", "--ignored"]);
    }

    #[test]
    fn only_programs_with_tests_are_test_programs() {
        let artifact = |name: &str, test: bool, executable: &str| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"manifest_path\":\"/w/a/Cargo.toml\",\"target\":{{\"name\":\"{name}\"}},\
                 \"profile\":{{\"test\":{test}}},\"executable\":{executable}}}\n"
            )
        };
        let messages = [
            artifact("a", false, "null"),
            artifact("tool", false, "\"/t/tool\""),
            artifact("a", true, "\"/t/deps/a-1\""),
            "{\"reason\":\"build-finished\",\"success\":true}\nno message\n".to_owned(),
        ];
        let found =
            read(&messages.concat(), |folder| (folder == Path::new("/w/a")).then(|| "package".into()));
        let program = Program {
            package: "package".into(),
            name: "a".into(),
            file: "/t/deps/a-1".into(),
            folder: "/w/a".into(),
        };
        assert_eq!(found, [program]);
    }
}
