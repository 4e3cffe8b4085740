//! Tests functions in separate processes, because a driver may end one.

use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::check::{Finding, check};
use crate::device::Machine;
use crate::functions::{Amount, Entry};

/// The maximum time without output.
const QUIET: Duration = Duration::from_secs(15);
/// How long a function may continue after the time is up.
const LATE: Duration = Duration::from_secs(60);

/// Tests this process's share, and prints a line for each function and type.
pub(crate) fn serve(
    plugin: &Path,
    entries: &[Entry],
    amount: Amount,
    part: &str,
    seconds: Option<u64>,
) -> Result<()> {
    let (part, parts) = part.split_once('/').context("PART/PARTS")?;
    let (part, parts): (usize, usize) = (part.parse()?, parts.parse()?);
    let (machine, begin) = (Machine::open(plugin)?, Instant::now());
    let mut out = std::io::stdout().lock();
    for entry in entries.iter().skip(part).step_by(parts.max(1)) {
        if seconds.is_some_and(|seconds| begin.elapsed().as_secs() >= seconds) {
            let late = Finding::without_results(&entry.name, "not tried: the time was up".to_owned());
            writeln!(out, "{}", serde_json::to_string(&late)?)?;
            continue;
        }
        writeln!(out, "start {}", entry.name)?;
        out.flush()?;
        // A panic of the exact arithmetic only affects one function.
        let tried = catch_unwind(AssertUnwindSafe(|| check(&machine, entry, amount)));
        let findings = tried.unwrap_or_else(|_| {
            vec![Finding::without_results(&entry.name, "the oracle panicked".to_owned())]
        });
        for finding in findings {
            writeln!(out, "{}", serde_json::to_string(&finding)?)?;
        }
    }
    writeln!(out, "end")?;
    Ok(())
}

/// Returns the findings of all processes, ordered by name. Kills processes that still work on a function long after
/// the time is up.
pub(crate) fn run(jobs: Option<usize>, entries: usize, seconds: Option<u64>) -> Result<Vec<Finding>> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.unwrap_or(processors).clamp(1, entries.max(1));
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds) + LATE);
    let (sender, lines) = channel();
    let children: Vec<Mutex<Option<Child>>> = (0..jobs).map(|_| Mutex::new(None)).collect();
    let mut findings = Vec::new();
    std::thread::scope(|scope| {
        for (part, child) in children.iter().enumerate() {
            let sender = sender.clone();
            scope.spawn(move || one(&format!("{part}/{jobs}"), child, &sender));
        }
        drop(sender);
        let (mut said, mut started, mut is_ended) = (Instant::now(), 0, false);
        loop {
            match lines.recv_timeout(Duration::from_secs(1)) {
                Ok(line) => match line? {
                    Line::Start => started += 1,
                    Line::Finding(finding) => findings.push(finding),
                },
                Err(RecvTimeoutError::Disconnected) => return anyhow::Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if said.elapsed() > QUIET {
                said = Instant::now();
                eprintln!("{started} of {entries} functions");
            }
            if !is_ended && end.is_some_and(|end| Instant::now() > end) {
                is_ended = true;
                for child in &children {
                    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
                    child.as_mut().map(Child::kill).transpose()?;
                }
            }
        }
    })?;
    findings.sort_by(|one, other| one.function.cmp(&other.function));
    Ok(findings)
}

enum Line {
    Start,
    Finding(Finding),
}

fn one(part: &str, place: &Mutex<Option<Child>>, sender: &Sender<Result<Line>>) {
    let send = |line| drop(sender.send(line));
    let start = || -> Result<_> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(std::env::args().skip(1))
            .arg("--part")
            .arg(part)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        Ok(command.spawn()?)
    };
    let mut child = match start() {
        Ok(child) => child,
        Err(error) => return send(Err(error)),
    };
    let (mut last, mut ended) = (None, false);
    let output = child.stdout.take();
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
        if let Some(name) = line.strip_prefix("start ") {
            last = Some(name.to_owned());
            send(Ok(Line::Start));
        } else if line == "end" {
            ended = true;
        } else if let Ok(finding) = serde_json::from_str(&line) {
            send(Ok(Line::Finding(finding)));
        }
    }
    let status = place.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(Child::wait);
    if !ended {
        let what = match status {
            Some(Ok(status)) => status.to_string(),
            Some(Err(error)) => error.to_string(),
            None => "it is gone".to_owned(),
        };
        match last {
            // The process did not test its remaining functions.
            Some(function) => {
                let why = format!("the process ended here: {what}; part {part} is not complete");
                send(Ok(Line::Finding(Finding::without_results(&function, why))));
            }
            None => send(Err(anyhow::anyhow!("a process that runs kernels ended: {what}"))),
        }
    }
}
