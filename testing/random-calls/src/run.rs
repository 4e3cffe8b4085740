//! A whole run: cycles through the versions, runs batches in parallel, and collects the results.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sycl_pi_loader::{Plugin, Version};
use testing_support::process::run_while;

use crate::cli::Arguments;
use crate::journal::{Journal, Stage};
use crate::report::{Broken, Totals};

/// Runs the batches and reports.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let versions = versions(arguments)?;
    let folder = tempfile::TempDir::new()?;
    let end = arguments.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
    let (next, totals) = (AtomicU64::new(0), Mutex::new(Totals::default()));
    let progress = progress(arguments);
    std::thread::scope(|scope| {
        for job in 0..arguments.jobs.max(1) {
            let (next, totals, versions, progress) = (&next, &totals, &versions, &progress);
            let path = folder.path().join(format!("journal-{job}"));
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let more = end.map_or(number < arguments.batches, |end| Instant::now() < end);
                    let Some(version) = versions.get(number as usize % versions.len()).filter(|_| more)
                    else {
                        break;
                    };
                    let batch = arguments.from + number;
                    let outcome = one(arguments, *version, batch, &path);
                    let mut totals = totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    match outcome {
                        Ok((journal, broken, complaints)) => {
                            totals.add(*version, &journal, broken, &complaints)
                        }
                        Err(error) => totals.not_run.push(format!("batch {batch}: {error:#}")),
                    }
                    progress.set_position(number + 1);
                    progress.set_message(totals.in_short());
                }
            });
        }
    });
    progress.finish_and_clear();
    let totals = totals.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    totals.print(arguments, &versions)?;
    Ok(totals.verdict(arguments, &versions))
}

/// Returns the versions to test. The query runs in a separate process, like any call of the plugin.
fn versions(arguments: &Arguments) -> Result<Vec<Version>> {
    if !arguments.pi_version.is_empty() {
        return Ok(arguments.pi_version.clone());
    }
    let served: Vec<Version> = Version::ALL
        .into_iter()
        // SAFETY: the file is the plugin under test, which the caller trusts.
        .filter(|version| unsafe { Plugin::open_version(&arguments.plugin, *version) }.is_ok())
        .collect();
    if served.is_empty() {
        bail!("{} cannot be opened at any PI version known here", arguments.plugin.display());
    }
    Ok(served)
}

fn progress(arguments: &Arguments) -> ProgressBar {
    let bar = match arguments.minutes {
        Some(_) => ProgressBar::new_spinner(),
        None => ProgressBar::new(arguments.batches),
    };
    if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {pos} batches {msg}") {
        bar.set_style(style);
    }
    bar
}

/// Runs one batch. Returns its journal, how it ended unless it ended well, and its complaints about messages.
fn one(
    arguments: &Arguments,
    version: Version,
    batch: u64,
    path: &Path,
) -> Result<(Journal, Option<Broken>, Vec<String>)> {
    let journal = Journal::open(path)?;
    journal.clear();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(&arguments.plugin).arg("--worker").arg(version.text());
    command.arg("--batch").arg(batch.to_string()).arg("--journal").arg(path);
    command.arg("--seed").arg(arguments.seed.to_string()).arg("--calls").arg(arguments.calls.to_string());
    command.arg("--check-messages").arg(arguments.check_messages().to_string());
    command.args(arguments.leave_out.iter().flat_map(|name| ["--leave-out", name]));
    if arguments.damaged_binaries {
        command.arg("--damaged-binaries");
    }
    if arguments.random_ends {
        command.arg("--random-ends");
    }
    if arguments.trace {
        command.arg("--trace").stderr(Stdio::inherit());
    } else {
        command.stderr(Stdio::piped());
    }
    let limit = Duration::from_secs(arguments.timeout);
    let finished =
        run_while(command.stdout(Stdio::piped()), limit, || journal.calls()).context("a process")?;
    let complete = finished.end.is_success() && journal.stage() == Stage::Done;
    let errors = finished.stderr_text();
    if !complete && journal.stage() == Stage::Starting && finished.end.code() == Some(2) {
        bail!("{}", errors.trim().trim_start_matches("error: "));
    }
    let broken = (!complete).then(|| Broken {
        version: version.text(),
        batch,
        how: finished.end.to_string(),
        hung: finished.end.is_timeout(),
        stage: format!("{:?}", journal.stage()),
        number: journal.calls(),
        call: journal.last(),
        errors,
    });
    Ok((journal, broken, finished.stdout_text().lines().map(str::to_owned).collect()))
}
