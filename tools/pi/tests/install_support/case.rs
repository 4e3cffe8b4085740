//! An environment for commands that run together or are killed: whatever they do, an uninstall restores the
//! previous files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::Tree;
use super::ur_tree::{Picture, UrTree, files_below};

/// The action of a process on the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Install,
    /// An install of other files of ours.
    Upgrade,
    Uninstall,
    Status,
}

/// An environment, two versions of our files for it, and its previous state.
pub struct Case {
    pub name: &'static str,
    _root: TempDir,
    venv: PathBuf,
    ours: Vec<PathBuf>,
    newer: Vec<PathBuf>,
    before: Vec<Picture>,
    /// A cache of packages, which the environment's links lead to.
    cache: PathBuf,
    cached: Vec<Picture>,
}

impl Case {
    /// Creates release 2024.1, which loads plugins.
    pub fn plugins() -> Self {
        let tree = Tree::new();
        let (venv, ours) = (tree.venv(), vec![tree.ours.clone()]);
        Self::of("plugins", tree.root, venv, ours)
    }

    /// Creates a release with an adapter for each of these backends.
    pub fn adapters(name: &'static str, release: &str, backends: &[&str]) -> Self {
        let tree = UrTree::new(release);
        let (venv, ours) = (tree.venv().into(), backends.iter().map(|backend| tree.ours(backend)).collect());
        Self::of(name, tree.root, venv, ours)
    }

    /// Creates the same, with each file a link into a cache of packages.
    pub fn links(name: &'static str, release: &str, backends: &[&str]) -> Self {
        let tree = UrTree::new(release);
        let cache = tree.root.path().canonicalize().unwrap().join("cache");
        fs::create_dir(&cache).unwrap();
        for entry in fs::read_dir(&tree.lib).unwrap() {
            let file = entry.unwrap().path();
            if file.is_file() {
                let cached = cache.join(file.file_name().unwrap());
                fs::rename(&file, &cached).unwrap();
                std::os::unix::fs::symlink(&cached, &file).unwrap();
            }
        }
        let (venv, ours) = (tree.venv().into(), backends.iter().map(|backend| tree.ours(backend)).collect());
        Self::of(name, tree.root, venv, ours)
    }

    fn of(name: &'static str, root: TempDir, venv: PathBuf, ours: Vec<PathBuf>) -> Self {
        let folder = root.path().join("newer");
        fs::create_dir(&folder).unwrap();
        let copy = |file: &PathBuf| {
            let copy = folder.join(file.file_name().unwrap());
            fs::write(&copy, [fs::read(file).unwrap().as_slice(), b"newer"].concat()).unwrap();
            copy
        };
        let newer = ours.iter().map(copy).collect();
        let before = files_below(&venv);
        let cache = root.path().join("cache");
        let cached = if cache.exists() { files_below(&cache) } else { vec![] };
        Self { name, _root: root, venv, ours, newer, before, cache, cached }
    }

    /// Returns the command, as a child of `starter` if one is given.
    pub fn command(&self, work: Work, starter: &[&str]) -> Command {
        let pi = env!("CARGO_BIN_EXE_pi");
        let mut command = match starter.split_first() {
            Some((program, rest)) => {
                let mut command = Command::new(program);
                command.args(rest).arg(pi);
                command
            }
            None => Command::new(pi),
        };
        let (word, files): (_, &[PathBuf]) = match work {
            Work::Install => ("install", &self.ours),
            Work::Upgrade => ("install", &self.newer),
            Work::Uninstall => ("uninstall", &[]),
            Work::Status => ("status", &[]),
        };
        command.args(["--json", word]).arg(&self.venv);
        for file in files {
            command.arg("--plugin").arg(file);
        }
        command.env_remove("SYCL_OVERRIDE_PI_OPENCL").env_remove("UR_ADAPTERS_FORCE_LOAD");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, work: Work) -> Child {
        self.command(work, &[]).spawn().unwrap()
    }

    /// Runs the command, which must succeed.
    pub fn done(&self, work: Work) {
        self.check(work, &self.start(work).wait_with_output().unwrap());
    }

    /// Checks the result of a command that was not disturbed. A status never shows a step between two states.
    pub fn check(&self, work: Work, output: &Output) {
        let told = String::from_utf8_lossy(&output.stdout);
        let code = output.status.code();
        let fine = code == Some(0) || work == Work::Status && code == Some(3);
        assert!(
            fine,
            "{}, {work:?}: {:?}, {told}{}",
            self.name,
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        let report: Value = serde_json::from_str(&told).unwrap();
        for entry in report["entries"].as_array().unwrap() {
            let state = entry["state"].as_str().unwrap();
            let mut states = vec!["vendor", "ours", "absent"];
            if work == Work::Install || work == Work::Upgrade {
                states = vec!["ours"];
            }
            assert!(states.contains(&state), "{}, {work:?}: {entry:#}", self.name);
        }
    }

    /// Asserts that an uninstall has restored every byte, and left nothing.
    pub fn assert_as_before(&self, what: &dyn std::fmt::Display) {
        let now = files_below(&self.venv);
        let names = |files: &[Picture]| files.iter().map(|file| file.0.clone()).collect::<Vec<_>>();
        assert_eq!(names(&now), names(&self.before), "{}, {what}: files are lost or left over", self.name);
        assert!(now == self.before, "{}, {what}: the vendor's files are not as they were", self.name);
        let cached = if self.cache.exists() { files_below(&self.cache) } else { vec![] };
        assert!(cached == self.cached, "{}, {what}: files outside the environment were changed", self.name);
    }

    pub fn assert_unchanged_by(&self, work: Work, what: &dyn std::fmt::Display) {
        let before = files_below(&self.venv);
        self.start(work).wait_with_output().unwrap();
        assert!(files_below(&self.venv) == before, "{}, {what}: {work:?} has written", self.name);
    }
}

/// Compiles a C program in this folder.
pub fn compile_program(source: &str, program: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install_support").join(source);
    assert!(Command::new("cc").args(["-O1", "-o"]).arg(program).arg(source).status().unwrap().success());
}

/// Returns the number in an environment variable: tests have a short form and a long one.
pub fn asked(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |number| number.parse().unwrap())
}
