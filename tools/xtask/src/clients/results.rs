//! The results of a client's test suite, test by test, and how they are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::provision::environment::Flavour;
use crate::releases::Release;
use crate::workspace;

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// It passed.
    Passed,
    /// Its body failed.
    Failed,
    /// Its set-up, tear-down or collection failed.
    Error,
    /// It was skipped.
    Skipped,
    /// It failed as its authors expect.
    Xfailed,
    /// It passed although its authors expect a failure.
    Xpassed,
    /// The interpreter ended during the test.
    Crashed,
    /// Nothing happened for so long that the interpreter was stopped.
    Hung,
}

impl Outcome {
    /// Whether a test with this outcome counts as one that works.
    pub(crate) fn is_good(self) -> bool {
        matches!(self, Outcome::Passed | Outcome::Xpassed)
    }

    /// Whether the test's authors expect that it does not pass here.
    pub(crate) fn is_skip(self) -> bool {
        matches!(self, Outcome::Skipped | Outcome::Xfailed)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Error => "error",
            Outcome::Skipped => "skipped",
            Outcome::Xfailed => "xfailed",
            Outcome::Xpassed => "xpassed",
            Outcome::Crashed => "crashed",
            Outcome::Hung => "hung",
        })
    }
}

/// One test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TestResult {
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// How long it took, set-up and tear-down included.
    pub(crate) seconds: f64,
    /// Why it did not pass, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) why: String,
}

/// How many tests ended which way.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteTotals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) errors: usize,
    pub(crate) skipped: usize,
    pub(crate) xfailed: usize,
    pub(crate) xpassed: usize,
    pub(crate) crashed: usize,
    pub(crate) hung: usize,
}

impl SuiteTotals {
    /// Counts outcomes.
    pub(crate) fn of<'a>(tests: impl IntoIterator<Item = &'a TestResult>) -> Self {
        let mut totals = SuiteTotals::default();
        for test in tests {
            let field = match test.outcome {
                Outcome::Passed => &mut totals.passed,
                Outcome::Failed => &mut totals.failed,
                Outcome::Error => &mut totals.errors,
                Outcome::Skipped => &mut totals.skipped,
                Outcome::Xfailed => &mut totals.xfailed,
                Outcome::Xpassed => &mut totals.xpassed,
                Outcome::Crashed => &mut totals.crashed,
                Outcome::Hung => &mut totals.hung,
            };
            *field += 1;
        }
        totals
    }
}

impl fmt::Display for SuiteTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        let rare = [
            (self.errors, "errors"),
            (self.crashed, "crashed"),
            (self.hung, "hung"),
            (self.xfailed, "xfailed"),
            (self.xpassed, "xpassed"),
        ];
        rare.iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, name)| write!(f, ", {count} {name}"))
    }
}

/// One run of a release's suite on one plugin or adapter.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SuiteResult {
    /// The layout of this record; another layout's records are not reused.
    pub(crate) format: u32,
    /// The release.
    pub(crate) release: String,
    /// Which of its plugins or adapters.
    #[serde(default)]
    pub(crate) backend: Backend,
    /// Whose.
    pub(crate) plugin: String,
    /// The SHA-256 of the file that served: a plugin, an adapter, or a libsycl that contains one.
    pub(crate) plugin_sha256: String,
    /// The OpenCL driver's package.
    pub(crate) driver: String,
    /// The packages of the environment; records of earlier times have none.
    #[serde(default)]
    pub(crate) wheels: Vec<String>,
    /// Every so many-th test file was run; 1 for the whole suite.
    #[serde(default = "whole")]
    pub(crate) every: usize,
    /// Wall-clock seconds of the whole run.
    pub(crate) seconds: f64,
    /// Sums over `tests`.
    pub(crate) totals: SuiteTotals,
    /// The libraries of interest that the test processes had mapped.
    pub(crate) loaded: BTreeSet<String>,
    /// Processes that ended badly after their last test, by their first test file.
    pub(crate) bad_ends: BTreeSet<String>,
    /// Every test by its id.
    pub(crate) tests: BTreeMap<String, TestResult>,
}

/// The whole suite.
fn whole() -> usize {
    1
}

/// The layout of records that this program writes.
pub(crate) const FORMAT: u32 = 2;

/// The folder of results.
pub(crate) fn folder() -> PathBuf {
    workspace::target().join("clients").join("results")
}

/// Where the result of a run is kept.
fn path(release: &Release, flavour: Flavour, backend: Backend) -> PathBuf {
    let shared = release.has_adapters() && flavour == Flavour::Vendor;
    let backend = if flavour == Flavour::Vendor { backend.of_vendor() } else { backend };
    let folder = if shared { workspace::vendor_results() } else { folder() };
    folder.join(format!("{}.json", name(&release.name(), flavour, backend)))
}

/// The packages that a run on a release is made with.
pub(crate) fn wheels(release: &Release) -> Vec<String> {
    release.pins().map(|pin| pin.to_string()).collect()
}

/// A name for a run's files.
pub(crate) fn name(release: &str, flavour: Flavour, backend: Backend) -> String {
    format!("{release}{}-{flavour}", backend.suffix())
}

impl SuiteResult {
    /// The client as tables name it, and whether it is a sample of its suite.
    pub(crate) fn client(&self, release: &Release) -> String {
        match self.every {
            1 => release.client(),
            every => format!("{}, 1 of {every} test files", release.client()),
        }
    }

    /// The test files that were run.
    pub(crate) fn files(&self) -> BTreeSet<&str> {
        self.tests.keys().filter_map(|name| name.split("::").next()).collect()
    }

    /// Reads the result of an earlier run.
    pub(crate) fn load(release: &Release, flavour: Flavour, backend: Backend) -> Option<Self> {
        let text = fs::read_to_string(path(release, flavour, backend)).ok()?;
        let result: SuiteResult = serde_json::from_str(&text).ok()?;
        let same_wheels = result.wheels.is_empty() || result.wheels == wheels(release);
        (result.format == FORMAT && same_wheels).then_some(result)
    }

    /// Keeps the result.
    pub(crate) fn store(&self, release: &Release, flavour: Flavour) -> Result<()> {
        let file = path(release, flavour, self.backend);
        fs::create_dir_all(file.parent().unwrap_or(&file))?;
        let staged = file.with_extension(format!("{}.new", std::process::id()));
        fs::write(&staged, serde_json::to_string_pretty(self)? + "\n")?;
        fs::rename(&staged, &file).with_context(|| format!("cannot write {}", file.display()))
    }
}
