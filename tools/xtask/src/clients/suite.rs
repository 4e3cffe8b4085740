//! A client's whole suite on one plugin or adapter: split into groups of files, each in a process of its own, crashes confined.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use testing_process::End;

use crate::clients::pytest;
use crate::clients::results::{self, FORMAT, Outcome, SuiteResult, SuiteTotals, TestResult};
use crate::process;
use crate::provision::environment::{Environment, Flavour};
use crate::releases::Release;
use crate::ui::Step;

/// Files that share a process: enough to spread the interpreter's start, few enough to keep all processors busy.
const FILES_PER_GROUP: usize = 5;

/// How long a test of a suite may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// How long a test may take alone. Nothing runs beside it.
const PATIENCE_ALONE: Duration = Duration::from_secs(100);

/// After so many crashes the rest of a group is not run.
const MOST_CRASHES: usize = 40;

/// The results of a group of files.
#[derive(Debug, Default)]
struct Group {
    tests: BTreeMap<String, TestResult>,
    loaded: BTreeSet<String>,
    bad_ends: BTreeSet<String>,
}

/// Runs the suite, or of it every so many-th of the files whose path contains `only`.
pub(crate) fn run(
    release: &Release,
    flavour: Flavour,
    environment: &Environment,
    jobs: usize,
    only: Option<&str>,
    every: usize,
) -> Result<SuiteResult> {
    let mut files = test_files(&environment.site_packages(), &release.package(), only)?;
    if every > 1 {
        files = files.into_iter().step_by(every).collect();
    }
    let groups: Vec<Vec<String>> = files.chunks(FILES_PER_GROUP).map(<[String]>::to_vec).collect();
    let backend = environment.backend();
    let logs = results::folder().join("logs").join(results::name(&release.name(), flavour, backend));
    if logs.exists() {
        fs::remove_dir_all(&logs)?;
    }
    fs::create_dir_all(&logs)?;
    let start = Instant::now();
    let step = Step::start(format!(
        "{} on {} ({backend}), {}",
        release.client(),
        release.version,
        flavour.plugin(release)
    ));
    let whole = in_parallel(environment, &groups, &logs, jobs, &step)?;
    let totals = SuiteTotals::of(whole.tests.values());
    step.done(&totals.to_string());
    prove_loaded(environment, &whole.loaded)?;
    Ok(SuiteResult {
        format: FORMAT,
        backend: environment.backend(),
        release: release.name(),
        plugin: flavour.to_string(),
        plugin_sha256: process::sha256(environment.plugin())?,
        driver: release
            .runtime
            .iter()
            .find(|pin| pin.name == "intel-opencl-rt")
            .map(ToString::to_string)
            .unwrap_or_default(),
        wheels: results::wheels(release),
        every,
        seconds: start.elapsed().as_secs_f64(),
        totals,
        loaded: whole.loaded,
        bad_ends: whole.bad_ends,
        tests: whole.tests,
    })
}

/// Runs the groups on `jobs` threads and merges their results.
fn in_parallel(
    environment: &Environment,
    groups: &[Vec<String>],
    logs: &Path,
    jobs: usize,
    step: &Step,
) -> Result<Group> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, groups.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(files) = groups.get(index) else { break };
                    let log = logs.join(format!("group-{index:03}.log"));
                    if sender.send(run_group(environment, files, &log)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut whole = Group::default();
        for (count, group) in receiver.iter().enumerate() {
            let group = group?;
            whole.tests.extend(group.tests);
            whole.loaded.extend(group.loaded);
            whole.bad_ends.extend(group.bad_ends);
            step.note(&format!(
                "{} of {} groups of files, {} tests",
                count + 1,
                groups.len(),
                whole.tests.len()
            ));
        }
        Ok(whole)
    })
}

/// Runs a group of files. When the interpreter crashes, the test under way has crashed, and a new process goes on after it.
fn run_group(environment: &Environment, files: &[String], log: &Path) -> Result<Group> {
    let mut group = Group::default();
    let first = files.first().map_or("", String::as_str);
    for _ in 0..MOST_CRASHES {
        let done: Vec<&str> = group.tests.keys().map(String::as_str).collect();
        let (session, end) = pytest::run(environment, files, &done, log, PATIENCE)?;
        group.tests.extend(session.tests);
        group.loaded.extend(session.loaded);
        if session.ended {
            if !pytest::is_orderly(end) {
                group.bad_ends.insert(first.to_owned());
            }
            return Ok(group);
        }
        let Some(name) = session.interrupted else {
            return collection_crash(environment, files, log, group, end);
        };
        group.tests.insert(name, ended_badly(end));
    }
    group.tests.insert(format!("{first} (given up after {MOST_CRASHES} crashes)"), given_up());
    Ok(group)
}

/// The interpreter ended while no test was under way: the files one by one, or the one file that does it.
fn collection_crash(
    environment: &Environment,
    files: &[String],
    log: &Path,
    mut group: Group,
    end: End,
) -> Result<Group> {
    if let [file] = files {
        group.tests.insert(file.clone(), ended_badly(end));
        return Ok(group);
    }
    for file in files {
        let part = run_group(environment, std::slice::from_ref(file), log)?;
        group.tests.extend(part.tests);
        group.loaded.extend(part.loaded);
        group.bad_ends.extend(part.bad_ends);
    }
    Ok(group)
}

fn ended_badly(end: End) -> TestResult {
    let outcome = if end.is_timeout() { Outcome::Hung } else { Outcome::Crashed };
    TestResult { outcome, seconds: 0.0, why: end.to_string() }
}

fn given_up() -> TestResult {
    TestResult { outcome: Outcome::Hung, seconds: 0.0, why: "too many crashes".to_owned() }
}

/// Runs single tests alone, each in a process of its own, and says how each ended.
pub(crate) fn run_alone(environment: &Environment, name: &str, log: &Path) -> Result<Outcome> {
    let (mut session, end) = pytest::run(environment, &[name.to_owned()], &[], log, PATIENCE_ALONE)?;
    prove_loaded_if_any(environment, &session.loaded)?;
    Ok(session.tests.remove(name).map_or_else(|| ended_badly(end).outcome, |test| test.outcome))
}

/// The client's test files, sorted, relative to the packages' folder.
fn test_files(site_packages: &Path, package: &str, only: Option<&str>) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(site_packages.join(package)) {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy();
        if name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py")) {
            let path = entry.path().strip_prefix(site_packages)?.to_string_lossy().into_owned();
            if only.is_none_or(|part| path.contains(part)) {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("no test file in {} matches", site_packages.join(package).display());
    }
    Ok(files)
}

/// Holds the run to the one plugin or adapter that it was meant for.
fn prove_loaded(environment: &Environment, loaded: &BTreeSet<String>) -> Result<()> {
    prove_loaded_if_any(environment, loaded)?;
    let meant = fs::canonicalize(environment.plugin())?;
    if !loaded.iter().any(|path| fs::canonicalize(path).is_ok_and(|path| path == meant)) {
        bail!("no test process loaded {}", environment.plugin().display());
    }
    Ok(())
}

fn prove_loaded_if_any(environment: &Environment, loaded: &BTreeSet<String>) -> Result<()> {
    let plugin = environment.plugin();
    let meant = fs::canonicalize(plugin).with_context(|| format!("there is no {}", plugin.display()))?;
    for path in loaded.iter().filter(|path| is_plugin(path, environment)) {
        if fs::canonicalize(path).ok().as_ref() != Some(&meant) {
            bail!("a test process loaded {path} instead of {}", meant.display());
        }
    }
    Ok(())
}

/// Whether a file's name is that of the backend's plugins or adapters, or of what serves this environment in their place.
fn is_plugin(path: &str, environment: &Environment) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = |name: &str| name.split(".so").next().unwrap_or_default().to_owned();
    let Some(mine) = name(Path::new(path)).map(|name| stem(&name)) else { return false };
    let backend = environment.backend();
    let serving = name(environment.plugin()).unwrap_or_default();
    // The vendor's other plugins of 2024 load adapters of their own.
    let of_kind = if serving.starts_with("libpi_") { backend.file_name() } else { backend.adapter_name() };
    [of_kind, &serving].iter().any(|name| stem(name) == mine)
}
