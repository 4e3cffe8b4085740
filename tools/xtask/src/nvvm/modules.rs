//! The program `nvvm-modules` of `testing/nvvm`: started, and what it prints.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::provision::libnvvm;
use crate::release;
use crate::stock_images::wheels::Library;
use crate::ui::Step;
use crate::workspace;

/// What is asked of the program.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) jobs: usize,
    pub(super) seed: u64,
    /// How many modules are compiled; all without.
    pub(super) sample: Option<usize>,
}

/// What came of a library's modules. The numbers for two architectures are those of sm_75 and sm_90.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) package: String,
    pub(super) name: String,
    pub(super) modules: usize,
    pub(super) unique: usize,
    pub(super) kernels: usize,
    pub(super) refused: usize,
    pub(super) translated: usize,
    pub(super) sampled: usize,
    pub(super) compiled: [usize; 2],
    pub(super) assembled: [usize; 2],
    pub(super) unoptimized: usize,
}

/// Modules that failed for one reason.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) package: String,
    pub(super) name: String,
    pub(super) stage: String,
    pub(super) count: usize,
    pub(super) file: String,
    pub(super) reason: String,
}

/// What came of all.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) libraries: Vec<Row>,
    pub(super) failures: Vec<Failure>,
    /// Microseconds that the translator takes for a module: median, of the slowest hundredth, most.
    pub(super) times: [u64; 3],
}

impl Checked {
    pub(super) fn failed(&self) -> usize {
        self.failures.iter().map(|failure| failure.count).sum()
    }
}

/// What came of damaged modules.
#[derive(Debug, Default)]
pub(super) struct Fuzzed {
    count: u64,
    accepted: u64,
    seconds: String,
    /// What broke, and where the module is.
    pub(super) broken: Vec<String>,
}

impl fmt::Display for Fuzzed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for broken in &self.broken {
            writeln!(f, "{broken}")?;
        }
        write!(
            f,
            "{} damaged modules, {} of them translated, {} broke the translator ({} s)",
            self.count,
            self.accepted,
            self.broken.len(),
            self.seconds
        )
    }
}

/// Builds what runs: the program itself and the worker.
fn program() -> Result<PathBuf> {
    release::build(&["pi-nvvm"])?;
    let step = Step::start("building nvvm-modules");
    let mut command = process::cargo();
    command.args(["build", "--release", "-p", "testing-nvvm", "--bin", "nvvm-modules", "--target-dir"]);
    process::output(command.arg(workspace::target()))?;
    step.done("");
    Ok(release::file("nvvm-modules"))
}

fn folder() -> PathBuf {
    workspace::target().join("nvvm-modules")
}

fn command(what: &str, libraries: &[Library], asked: &Asked) -> Result<Command> {
    let mut command = Command::new(program()?);
    command.arg(what).arg("--keep").arg(folder());
    command.arg(format!("--seed={}", asked.seed)).arg(format!("--jobs={}", asked.jobs));
    let name = |library: &Library| format!("{}:{}:{}", library.package, library.name, library.file.display());
    command.args(libraries.iter().map(name)).stdin(Stdio::null()).stdout(Stdio::piped());
    Ok(command)
}

/// Runs the program, shows its progress, and hands on the fields of all other lines. Answers how it ended.
fn lines(
    command: &mut Command,
    title: &str,
    mut each: impl FnMut(&[&str]),
) -> Result<std::process::ExitStatus> {
    let step = Step::start(title);
    let mut child = command.spawn().context("nvvm-modules cannot be started")?;
    let output = child.stdout.take().context("nvvm-modules has no output")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            ["progress", text] => step.note(text),
            fields => each(fields),
        }
    }
    let status = child.wait()?;
    step.done("");
    Ok(status)
}

/// Translates all modules, compiles and assembles those that are asked for.
pub(super) fn check(libraries: &[Library], asked: &Asked) -> Result<Checked> {
    let libnvvm = libnvvm::ensure()?;
    let mut command = command("check", libraries, asked)?;
    command
        .arg(format!("--sample={}", asked.sample.unwrap_or(0)))
        .args(asked.sample.is_none().then_some("--all"));
    command.arg("--ptxas").arg(libnvvm.join("bin/ptxas"));
    command.env("PI_NVVM", &libnvvm).env("PI_NVVM_COMPILER", release::file("pi-nvvm"));
    let mut checked = Checked::default();
    let status = lines(&mut command, "SPIR-V to machine code", |fields| read(fields, &mut checked))?;
    // It ends with 1 if modules failed.
    if !matches!(status.code(), Some(0 | 1)) || checked.libraries.len() != libraries.len() {
        bail!("nvvm-modules ended with {status}");
    }
    Ok(checked)
}

fn read(fields: &[&str], checked: &mut Checked) {
    let number = |field: &str| field.parse().unwrap_or(0);
    match *fields {
        ["library", package, name, ref numbers @ ..] => {
            let numbers: Vec<usize> = numbers.iter().map(|field| number(field)).collect();
            if let [modules, unique, kernels, refused, translated, sampled, a, b, c, d, unoptimized] =
                numbers[..]
            {
                checked.libraries.push(Row {
                    package: package.to_owned(),
                    name: name.to_owned(),
                    modules,
                    unique,
                    kernels,
                    refused,
                    translated,
                    sampled,
                    compiled: [a, b],
                    assembled: [c, d],
                    unoptimized,
                });
            }
        }
        ["failure", package, name, stage, count, file, reason] => checked.failures.push(Failure {
            package: package.to_owned(),
            name: name.to_owned(),
            stage: stage.to_owned(),
            count: number(count),
            file: file.to_owned(),
            reason: reason.to_owned(),
        }),
        ["times", median, slow, most] => {
            checked.times = [median, slow, most].map(|time| time.parse().unwrap_or(0))
        }
        _ => println!("{}", fields.join(" ")),
    }
}

/// Translates damaged modules. If the process ends, the numbers of the modules that it worked on tell which one did it.
pub(super) fn fuzz(libraries: &[Library], asked: &Asked, count: u64) -> Result<Fuzzed> {
    let mut fuzzed = Fuzzed { count, ..Fuzzed::default() };
    let mut complete = false;
    let mut command = command("fuzz", libraries, asked)?;
    let status = lines(command.arg(format!("--count={count}")), "damaged SPIR-V", |fields| match *fields {
        ["broken", why, number, file] => {
            fuzzed.broken.push(format!("{why}: module {number}, kept as {file}"))
        }
        ["fuzzed", _, accepted, _, seconds] => {
            complete = true;
            fuzzed.accepted = accepted.parse().unwrap_or(0);
            seconds.clone_into(&mut fuzzed.seconds);
        }
        _ => println!("{}", fields.join(" ")),
    })?;
    if !complete {
        let at = std::fs::read(folder().join("at")).unwrap_or_default();
        let numbers =
            at.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        fuzzed.broken.push(format!(
            "the process ended with {status} while it worked on modules {}",
            numbers.join(", ")
        ));
    }
    Ok(fuzzed)
}
