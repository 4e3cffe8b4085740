//! The output of a run: wrong outcomes case by case, the totals, JSON.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::json;

use crate::case::{family, requirement, requirements};
use crate::cli::{Arguments, Format};
use crate::interface::Interface;
use crate::not_tested::NOT_TESTED;
use crate::outcome::{Fail, Outcome};
use crate::worker::{Hello, Reply};
use crate::{case, cases};

/// The assessed result of a case.
pub(crate) struct Assessed {
    pub(crate) reply: Reply,
    /// Why the failure was expected, if it was.
    pub(crate) known: Option<String>,
}

/// A run at one version or layout.
pub(crate) struct Run {
    pub(crate) interface: Interface,
    pub(crate) hello: Hello,
    pub(crate) assessed: Vec<Assessed>,
}

/// Counts of outcomes. Crashed and hung cases also count as failed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
    pub(crate) crashed: usize,
    pub(crate) hung: usize,
    known: usize,
}

impl Totals {
    fn add(&mut self, assessed: &Assessed) {
        if assessed.known.is_some() {
            self.known += 1;
            self.skipped += 1;
            return;
        }
        match assessed.reply.outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Skipped => self.skipped += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Crashed => {
                self.failed += 1;
                self.crashed += 1;
            }
            Outcome::Hung => {
                self.failed += 1;
                self.hung += 1;
            }
        }
    }

    fn line(&self) -> String {
        let mut details = Vec::new();
        for (count, what) in [
            (self.crashed, "failed by a crash"),
            (self.hung, "failed by a hang"),
            (self.known, "skipped as known failures"),
        ] {
            if count > 0 {
                details.push(format!("{count} {what}"));
            }
        }
        let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join(", ")) };
        format!("{} passed, {} failed, {} skipped{details}", self.passed, self.failed, self.skipped)
    }
}

impl Run {
    pub(crate) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.assessed.iter().for_each(|assessed| totals.add(assessed));
        totals
    }

    /// Returns what a case does, with the names of the interface.
    pub(crate) fn given(&self, id: &str) -> String {
        self.interface.names(requirement(id).map_or("", |line| line.given))
    }
}

/// Prints one version's wrong outcomes and totals.
pub(crate) fn print(run: &Run, arguments: &Arguments) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{} at {} on {}", arguments.plugin().display(), run.interface, run.hello.driver_line())?;
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for assessed in &run.assessed {
        let reply = &assessed.reply;
        if let Some(reason) = &assessed.known {
            writeln!(out, "{}: fails as known: {reason}", reply.id)?;
            continue;
        }
        if let (Outcome::Skipped, Some(reason)) = (reply.outcome, &reply.reason) {
            reasons.entry(reason).or_default().push(&reply.id);
        }
        let Some(fail) = &reply.fail else { continue };
        writeln!(out, "{} {}: {}", reply.id, how(reply.outcome), run.given(&reply.id))?;
        for (what, text) in fail.details() {
            writeln!(out, "    {what:<9} {text}")?;
        }
    }
    for (reason, ids) in reasons {
        writeln!(out, "skipped, {reason}: {}", ids.join(" "))?;
    }
    writeln!(out, "{}", run.totals().line())?;
    Ok(())
}

impl Fail {
    /// Returns the named parts.
    pub(crate) fn details(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let text = self.text.as_deref().map(|text| ("text", text));
        [("call", &*self.call), ("expected", &self.expected), ("got", &self.got)].into_iter().chain(text)
    }
}

fn how(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Crashed => "CRASHED",
        Outcome::Hung => "HUNG",
        _ => "failed",
    }
}

/// Prints the line for all versions.
pub(crate) fn print_total(runs: &[Run]) -> Result<()> {
    let mut totals = Totals::default();
    runs.iter().flat_map(|run| &run.assessed).for_each(|assessed| totals.add(assessed));
    let mut out = stdout().lock();
    writeln!(out, "all versions: {}", totals.line())?;
    writeln!(out, "{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped)?;
    Ok(())
}

/// Prints one document with every case of every version.
pub(crate) fn print_json(runs: &[Run], arguments: &Arguments) -> Result<()> {
    let runs = runs.iter().map(|run| {
        let cases = run.assessed.iter().map(|assessed| {
            let reply = &assessed.reply;
            let fail = reply.fail.as_ref();
            json!({
                "id": reply.id,
                "family": family(&reply.id),
                "call": fail.map_or_else(
                    || run.interface.names(cases::call(&reply.id)),
                    |fail| fail.call.clone(),
                ),
                "outcome": reply.outcome,
                "known": assessed.known,
                "reason": reply.reason,
                "expected": fail.map(|fail| &fail.expected),
                "got": fail.map(|fail| &fail.got),
                "text": fail.and_then(|fail| fail.text.as_ref()),
                "milliseconds": reply.milliseconds,
            })
        });
        let totals = run.totals();
        json!({
            "pi_version": run.interface.version().text(),
            "ur_layout": run.interface.layout().map(|layout| layout.name()),
            "backend": run.hello.backend,
            "platform": run.hello.platform,
            "device": run.hello.device,
            "driver": run.hello.driver,
            "passed": totals.passed,
            "failed": totals.failed,
            "skipped": totals.skipped,
            "crashed": totals.crashed,
            "hung": totals.hung,
            "known": totals.known,
            "cases": cases.collect::<Vec<_>>(),
        })
    });
    let document = json!({
        "format": 1,
        "plugin": arguments.plugin(),
        "strict": arguments.strict,
        "runs": runs.collect::<Vec<_>>(),
    });
    writeln!(stdout().lock(), "{}", serde_json::to_string_pretty(&document)?)?;
    Ok(())
}

/// Lists every behaviour with its case, or the reason why there is no case.
pub(crate) fn list(arguments: &Arguments) -> Result<ExitCode> {
    let listed = requirements().filter(|line| arguments.wants(line.id, cases::call(line.id)));
    let no_case =
        |id: &str| NOT_TESTED.iter().find(|(untested, _)| *untested == id).map(|(_, reason)| *reason);
    let mut out = stdout().lock();
    match arguments.format() {
        Format::Text => {}
        Format::Json => {
            let listed = listed.map(|line| {
                let call = cases::call(line.id);
                json!({
                    "id": line.id,
                    "family": family(line.id),
                    "call": Some(call).filter(|call| !call.is_empty()),
                    "given": line.given,
                    "expected": line.expected,
                    "backends_differ": line.differs,
                    "no_case": no_case(line.id),
                })
            });
            let document = json!({ "format": 1, "requirements": listed.collect::<Vec<_>>() });
            writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        Format::Junit | Format::Tap => bail!("a list is text or JSON"),
    }
    for case::Requirement { id, differs, given, expected } in listed {
        let differs = if differs { " (backends differ)" } else { "" };
        match no_case(id) {
            Some(reason) => writeln!(out, "{id} [no case: {reason}] {given} -> {expected}{differs}"),
            None => writeln!(out, "{id} {}: {given} -> {expected}{differs}", cases::call(id)),
        }?;
    }
    Ok(ExitCode::SUCCESS)
}
