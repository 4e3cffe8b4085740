//! The event file that the pytest plugin writes, put together into results.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::clients::results::{Outcome, TestResult};

/// A line of the event file; which fields are there says what happened.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Event {
    start: Option<String>,
    finish: Option<String>,
    test: Option<String>,
    collect: Option<String>,
    when: String,
    outcome: String,
    xfail: bool,
    seconds: f64,
    why: String,
    maps: Vec<String>,
    end: Option<i32>,
}

/// What one test process said.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Tests and collection failures that are complete.
    pub(crate) tests: BTreeMap<String, TestResult>,
    /// The test that was under way when the events stopped.
    pub(crate) interrupted: Option<String>,
    /// The libraries of interest that were mapped.
    pub(crate) loaded: BTreeSet<String>,
    /// Whether pytest came to its end.
    pub(crate) ended: bool,
}

impl Session {
    /// Reads a whole event file; a last line that was cut off by a crash is passed over.
    pub(crate) fn parse(text: &str) -> Self {
        let mut session = Session::default();
        for line in text.lines() {
            if let Ok(event) = serde_json::from_str::<Event>(line) {
                session.take(event);
            }
        }
        if let Some(name) = &session.interrupted {
            session.tests.remove(name);
        }
        session
    }

    fn take(&mut self, event: Event) {
        self.loaded.extend(event.maps.iter().cloned());
        self.ended |= event.end.is_some();
        if let Some(name) = event.start {
            self.interrupted = Some(name);
        } else if event.finish.is_some() {
            self.interrupted = None;
        } else if let Some(name) = event.collect {
            let outcome = if event.outcome == "skipped" { Outcome::Skipped } else { Outcome::Error };
            self.tests.insert(name, TestResult { outcome, seconds: 0.0, why: event.why });
        } else if let Some(name) = event.test.clone() {
            self.phase(name, &event);
        }
    }

    /// One of a test's three phases: the worst of them is the test's outcome.
    fn phase(&mut self, name: String, event: &Event) {
        let body = event.when == "call";
        let outcome = match (event.outcome.as_str(), event.xfail) {
            ("skipped", true) => Outcome::Xfailed,
            ("passed", true) => Outcome::Xpassed,
            ("skipped", false) => Outcome::Skipped,
            ("passed", false) => Outcome::Passed,
            _ if body => Outcome::Failed,
            _ => Outcome::Error,
        };
        let entry = self.tests.entry(name).or_insert_with(|| TestResult {
            outcome: Outcome::Passed,
            seconds: 0.0,
            why: String::new(),
        });
        entry.seconds += event.seconds;
        if outcome != Outcome::Passed && !matches!(entry.outcome, Outcome::Failed | Outcome::Error) {
            entry.outcome = outcome;
            entry.why.clone_from(&event.why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_the_worst_of_the_phases() {
        let session = Session::parse(
            r#"{"start":"a"}
            {"test":"a","when":"setup","outcome":"passed","seconds":0.5}
            {"test":"a","when":"call","outcome":"failed","seconds":0.5,"why":"no"}
            {"test":"a","when":"teardown","outcome":"passed","seconds":0.5}
            {"finish":"a"}
            {"start":"b"}
            {"test":"b","when":"setup","outcome":"skipped","seconds":0.0,"why":"later"}
            {"finish":"b"}
            {"collect":"c.py","outcome":"failed","why":"no module"}
            {"maps":["/x/libpi_opencl.so"]}
            {"end":1}"#,
        );
        assert_eq!(session.tests["a"].outcome, Outcome::Failed);
        assert!((session.tests["a"].seconds - 1.5).abs() < 1e-9);
        assert_eq!(session.tests["b"].outcome, Outcome::Skipped);
        assert_eq!(session.tests["c.py"].outcome, Outcome::Error);
        assert!(session.ended && session.interrupted.is_none());
        assert!(session.loaded.contains("/x/libpi_opencl.so"));
    }

    #[test]
    fn a_crash_leaves_the_test_that_was_under_way() {
        let session = Session::parse(
            "{\"start\":\"a\"}\n{\"test\":\"a\",\"when\":\"setup\",\"outcome\":\"passed\",\"seconds\":0.1}\n{\"test\":",
        );
        assert_eq!(session.interrupted.as_deref(), Some("a"));
        assert!(!session.tests.contains_key("a") && !session.ended);
    }
}
