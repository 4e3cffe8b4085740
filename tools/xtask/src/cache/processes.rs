//! Several processes, or the ranks of an MPI job, start with an empty cache at the same time: each program is built once.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cache::programs::Programs;
use crate::cache::run::{self, Side, Times};
use crate::process;
use crate::provision::python;
use crate::totals::Totals;
use crate::ui::Step;

/// Arguments of `cache processes`.
#[derive(Debug, Args)]
pub(crate) struct ProcessesArgs {
    /// Plain processes
    #[arg(long, default_value_t = PROCESSES)]
    processes: usize,
    /// Ranks of the MPI job; 0 for none
    #[arg(long, default_value_t = RANKS)]
    ranks: usize,
}

const PROCESSES: usize = 8;
const RANKS: usize = 4;
/// Seconds that a build elsewhere is waited for: longer than any takes on a busy machine, so that none is repeated.
const WAIT: &str = "600";

/// Counts and shows; ends with 1 if anything was built twice.
pub(crate) fn run(args: &ProcessesArgs) -> Result<ExitCode> {
    let totals = count(args.processes, args.ranks)?;
    Ok(if totals.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same, as tests.
pub(crate) fn check() -> Result<Totals> {
    count(PROCESSES, RANKS)
}

fn count(processes: usize, ranks: usize) -> Result<Totals> {
    let (programs, driver) = (Programs::build()?, run::driver()?);
    let side = Side::ours(&programs, &driver);
    let mut totals = Totals::default();
    let mut check = |what: String, times: Vec<Times>| {
        let built: u64 = times.iter().map(|times| times.built).sum();
        let loaded: u64 = times.iter().map(|times| times.loaded).sum();
        let kernels = programs.kernels.len();
        println!("{what}, {kernels} kernels each: {built} programs built in all, {loaded} loaded");
        let right = built == kernels as u64 && loaded == ((times.len().max(1) - 1) * kernels) as u64;
        totals += Totals::of_one(right);
    };
    if processes > 0 {
        let folder = tempfile::tempdir()?;
        check(format!("{processes} processes"), plain(&side, processes, &folder.path().join("cache"))?);
    }
    if ranks > 0 {
        let folder = tempfile::tempdir()?;
        match mpi(&side, ranks, &folder.path().join("cache"))? {
            Some(times) => check(format!("{ranks} ranks of mpirun"), times),
            None => totals.skipped += 1,
        }
    }
    Ok(totals)
}

fn plain(side: &Side, processes: usize, cache: &Path) -> Result<Vec<Times>> {
    let step = Step::start(format!("{processes} processes with one empty cache"));
    let mut children = Vec::new();
    for _ in 0..processes {
        let mut command = side.command(cache);
        command.env("PI_CACHE_WAIT", WAIT).stdin(Stdio::null()).stdout(Stdio::piped());
        children.push(command.spawn().context("a process cannot be started")?);
    }
    let mut times = Vec::new();
    for child in children {
        let output = child.wait_with_output()?;
        times.push(run::parse(&String::from_utf8_lossy(&output.stdout))?);
    }
    step.done("");
    Ok(times)
}

/// The same as ranks of one MPI job; none where Open MPI cannot be had.
fn mpi(side: &Side, ranks: usize, cache: &Path) -> Result<Option<Vec<Times>>> {
    let there = || process::succeeds(Command::new("mpirun").arg("--version"));
    if !there()
        && let Err(error) = python::install_debian_packages(&["openmpi-bin"])
    {
        println!("skipped: there is no mpirun: {error:#}");
        return Ok(None);
    }
    let step = Step::start(format!("mpirun -n {ranks} with one empty cache"));
    let mut command = Command::new("mpirun");
    // mpirun refuses to run as root, and to start more ranks than cores, without these options. --quiet drops its own messages.
    command.args(["--allow-run-as-root", "--oversubscribe", "--quiet", "-n", &ranks.to_string()]);
    command.args(side.words().iter().map(OsString::as_os_str));
    side.prepare(&mut command, cache);
    let text = process::text(command.env("PI_CACHE_WAIT", WAIT))?;
    let times: Vec<Times> =
        text.lines().filter(|line| line.starts_with('{')).map(run::parse).collect::<Result<_>>()?;
    if times.len() != ranks {
        bail!("{ranks} ranks were started, but {} printed a result:\n{text}", times.len());
    }
    step.done("");
    Ok(Some(times))
}
