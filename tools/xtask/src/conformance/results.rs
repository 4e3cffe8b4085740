//! The harness's results, read from its JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::subject::Subject;

/// The output of the harness.
#[derive(Debug, Deserialize)]
struct Document {
    runs: Vec<Run>,
}

/// The results for one PI version of a plugin, or one layout of an adapter.
#[derive(Debug, Deserialize)]
pub(crate) struct Run {
    pi_version: String,
    ur_layout: Option<String>,
    pub(crate) cases: Vec<Case>,
}

impl Run {
    /// Returns the PI version or the layout, as it is named in documents.
    pub(crate) fn version(&self) -> String {
        self.ur_layout.as_ref().map_or_else(|| self.pi_version.clone(), |layout| format!("UR {layout}"))
    }
}

/// The result of one case.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) family: String,
    pub(crate) call: String,
    pub(crate) outcome: String,
    pub(crate) known: Option<String>,
    pub(crate) expected: Option<String>,
    pub(crate) got: Option<String>,
}

/// All results of a plugin on a driver.
pub(crate) struct Results {
    pub(crate) plugin: String,
    pub(crate) driver: String,
    pub(crate) libraries: Option<PathBuf>,
    pub(crate) runs: Vec<Run>,
}

/// Counts of cases.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CaseTotals {
    pub(crate) passed: usize,
    /// Includes those that crashed or hung.
    pub(crate) failed: usize,
    pub(crate) crashed: usize,
    pub(crate) skipped: usize,
}

impl AddAssign for CaseTotals {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.crashed += other.crashed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for CaseTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        if self.crashed > 0 {
            write!(f, " ({} failed by a crash or a hang)", self.crashed)?;
        }
        Ok(())
    }
}

impl Case {
    /// Converts the result to a count.
    pub(crate) fn totals(&self) -> CaseTotals {
        let mut totals = CaseTotals::default();
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

impl Results {
    pub(crate) fn parse(subject: &Subject, json: &[u8]) -> Result<Self> {
        let document: Document =
            serde_json::from_slice(json).context("the harness's output cannot be read")?;
        Ok(Self {
            plugin: subject.plugin.clone(),
            driver: subject.driver.clone(),
            libraries: subject.libraries.clone(),
            runs: document.runs,
        })
    }

    /// Returns the counts for all versions.
    pub(crate) fn totals(&self) -> CaseTotals {
        self.cases().fold(CaseTotals::default(), |mut all, case| {
            all += case.totals();
            all
        })
    }

    /// Returns the counts by family, for all versions.
    pub(crate) fn by_family(&self) -> BTreeMap<&str, CaseTotals> {
        let mut families: BTreeMap<&str, CaseTotals> = BTreeMap::new();
        for case in self.cases() {
            *families.entry(&case.family).or_default() += case.totals();
        }
        families
    }

    fn cases(&self) -> impl Iterator<Item = &Case> {
        self.runs.iter().flat_map(|run| &run.cases)
    }

    /// Returns the ids of cases that failed.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.cases().filter(|case| case.totals().failed > 0).map(|case| case.id.clone()).collect()
    }

    /// Prints the failures.
    pub(crate) fn print_failures(&self) {
        for run in &self.runs {
            for case in run.cases.iter().filter(|case| case.totals().failed > 0) {
                println!("PI {} {} {}: {}", run.version(), case.id, case.call, case.outcome);
                println!("    expected  {}", case.expected.as_deref().unwrap_or_default());
                println!("    got       {}", case.got.as_deref().unwrap_or_default());
            }
        }
    }
}
