//! What the harness said, read from its JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::subject::Subject;

/// The harness's document.
#[derive(Debug, Deserialize)]
struct Document {
    runs: Vec<Run>,
}

/// One PI version of a plugin.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) pi_version: String,
    pub(super) cases: Vec<Case>,
}

/// One case's end.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) family: String,
    pub(super) call: String,
    pub(super) outcome: String,
    pub(super) known: Option<String>,
    pub(super) expected: Option<String>,
    pub(super) got: Option<String>,
}

/// A plugin on a driver, judged.
pub(super) struct Judgement {
    pub(super) plugin: String,
    pub(super) driver: String,
    pub(super) libraries: Option<PathBuf>,
    pub(super) runs: Vec<Run>,
}

/// Counts of cases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) passed: usize,
    /// Crashed and hung ones among them.
    pub(super) failed: usize,
    pub(super) crashed: usize,
    pub(super) skipped: usize,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.crashed += other.crashed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        if self.crashed > 0 {
            write!(f, " ({} failed by a crash or a hang)", self.crashed)?;
        }
        Ok(())
    }
}

impl Case {
    /// As a count.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        match self.outcome.as_str() {
            "passed" => totals.passed = 1,
            "skipped" => totals.skipped = 1,
            _ if self.known.is_some() => totals.skipped = 1,
            "failed" => totals.failed = 1,
            _ => (totals.failed, totals.crashed) = (1, 1),
        }
        totals
    }
}

impl Judgement {
    pub(super) fn parse(subject: &Subject, json: &[u8]) -> Result<Self> {
        let document: Document = serde_json::from_slice(json).context("the harness's document")?;
        Ok(Self {
            plugin: subject.plugin.clone(),
            driver: subject.driver.clone(),
            libraries: subject.libraries.clone(),
            runs: document.runs,
        })
    }

    /// Over all versions.
    pub(super) fn totals(&self) -> Totals {
        self.cases().fold(Totals::default(), |mut all, case| {
            all += case.totals();
            all
        })
    }

    /// By family, over all versions.
    pub(super) fn by_family(&self) -> BTreeMap<&str, Totals> {
        let mut families: BTreeMap<&str, Totals> = BTreeMap::new();
        for case in self.cases() {
            *families.entry(&case.family).or_default() += case.totals();
        }
        families
    }

    fn cases(&self) -> impl Iterator<Item = &Case> {
        self.runs.iter().flat_map(|run| &run.cases)
    }

    /// The ids of cases that failed.
    pub(super) fn failures(&self) -> Vec<String> {
        self.cases().filter(|case| case.totals().failed > 0).map(|case| case.id.clone()).collect()
    }

    /// Says what failed, for a terminal.
    pub(super) fn print_failures(&self) {
        for run in &self.runs {
            for case in run.cases.iter().filter(|case| case.totals().failed > 0) {
                println!("PI {} {} {}: {}", run.pi_version, case.id, case.call, case.outcome);
                println!("    expected  {}", case.expected.as_deref().unwrap_or_default());
                println!("    got       {}", case.got.as_deref().unwrap_or_default());
            }
        }
    }
}
