//! A whole run: versions in turn, batches side by side, and what became of them.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use sycl_pi_loader::{Plugin, Version};

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
                        Ok((journal, broken, said)) => totals.add(*version, &journal, broken, &said),
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

/// Asked in a process of its own, as any call of the plugin.
fn versions(arguments: &Arguments) -> Result<Vec<Version>> {
    if !arguments.pi_version.is_empty() {
        return Ok(arguments.pi_version.clone());
    }
    let served: Vec<Version> = Version::ALL
        .into_iter()
        .filter(|version| Plugin::open_version(&arguments.plugin, *version).is_ok())
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

/// Runs one batch: its journal, how it ended if that was no good end, and what it said of texts.
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
    command.arg("--check-texts").arg(arguments.check_texts().to_string());
    command.args(arguments.leave_out.iter().flat_map(|name| ["--leave-out", name]));
    if arguments.damaged_binaries {
        command.arg("--damaged-binaries");
    }
    if arguments.trace {
        command.arg("--trace").stderr(Stdio::inherit());
    } else {
        command.stderr(Stdio::piped());
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("a process")?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let said = std::thread::spawn(move || {
        let lines = output.into_iter().flat_map(|output| BufReader::new(output).lines());
        lines.map_while(Result::ok).collect::<Vec<String>>()
    });
    let complained = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut errors) = errors {
            // What was read until then is what there is.
            let _ = errors.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let ended = wait(&mut child, &journal, Duration::from_secs(arguments.timeout))?;
    let said = said.join().unwrap_or_default();
    let complained = complained.join().unwrap_or_default();
    let whole = ended.is_some_and(|status| status.success()) && journal.stage() == Stage::Done;
    if !whole && journal.stage() == Stage::Starting && ended.and_then(|status| status.code()) == Some(2) {
        bail!("{}", complained.trim().trim_start_matches("error: "));
    }
    let broken = (!whole).then(|| Broken {
        version: version.text(),
        batch,
        how: ended.map_or_else(|| format!("no end within {} s", arguments.timeout), described),
        hung: ended.is_none(),
        stage: format!("{:?}", journal.stage()),
        number: journal.calls(),
        call: journal.last(),
        said: complained,
    });
    Ok((journal, broken, said))
}

/// Waits for the end of the process; none if no call ended for too long.
fn wait(child: &mut Child, journal: &Journal, timeout: Duration) -> Result<Option<ExitStatus>> {
    let (mut last, mut since) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if journal.calls() != last {
            (last, since) = (journal.calls(), Instant::now());
        }
        if since.elapsed() > timeout {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn described(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("ended by signal {signal}"),
        (_, Some(code)) => format!("ended with code {code}"),
        _ => "ended".into(),
    }
}

/// The libraries in a backtrace, from the crash outwards, each named once in a row.
pub(crate) fn libraries(said: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let files = said.lines().filter_map(|line| line.split_once('(').map(|(file, _)| file));
    let names = files.filter_map(|file| file.rsplit('/').next()).filter(|name| name.contains(".so"));
    names.filter(|name| seen.insert(name.to_string())).map(str::to_owned).collect()
}
