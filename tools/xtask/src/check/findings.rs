//! The result of a rule.

/// A line for each place where the rule is broken.
pub(super) type Findings = Vec<String>;
