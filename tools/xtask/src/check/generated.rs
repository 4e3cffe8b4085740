//! Generated files are what `cargo xtask headers` would write now.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::Findings;
use crate::headers;

/// Compares each with its text made anew, and says where the first difference stands.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let mut findings = Vec::new();
    for file in headers::generate(root)? {
        let found = fs::read_to_string(root.join(file.path)).unwrap_or_default();
        if let Some(line) = first_difference(&found, &file.text) {
            findings.push(format!("{}:{line}: not current; run `cargo xtask headers`", file.path));
        }
    }
    Ok(findings)
}

/// The number of the first line that differs.
fn first_difference(found: &str, expected: &str) -> Option<usize> {
    if found == expected {
        return None;
    }
    let same = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_differing_line_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
        assert_eq!(first_difference("a\nb\n", "a\n"), Some(2));
    }
}
