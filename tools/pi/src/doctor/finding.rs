//! A finding of the diagnosis.

use serde::Serialize;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Info,
    /// A possible problem.
    Warning,
    /// Makes programs fail.
    Error,
}

/// An observation with its importance and its remedy.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub severity: Severity,
    pub what: String,
    pub why: Option<String>,
    pub to_do: Option<String>,
    /// A shell command that applies the remedy.
    pub command: Option<String>,
}

impl Finding {
    fn new(severity: Severity, what: impl Into<String>) -> Self {
        Self { severity, what: what.into(), why: None, to_do: None, command: None }
    }

    pub fn ok(what: impl Into<String>) -> Self {
        Self::new(Severity::Ok, what)
    }

    pub fn info(what: impl Into<String>) -> Self {
        Self::new(Severity::Info, what)
    }

    pub fn warning(what: impl Into<String>) -> Self {
        Self::new(Severity::Warning, what)
    }

    /// Creates an error. Each has one command to type.
    pub fn error(what: impl Into<String>, command: impl Into<String>) -> Self {
        Self::new(Severity::Error, what).typed(command)
    }

    /// Turns it into an error. It must have a command to type.
    pub fn made_an_error(mut self) -> Self {
        self.severity = Severity::Error;
        self
    }

    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    pub fn fix(mut self, to_do: impl Into<String>) -> Self {
        self.to_do = Some(to_do.into());
        self
    }

    pub fn typed(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }
}
