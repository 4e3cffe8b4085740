//! Checks that the C header is up to date with `cargo xtask headers`.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use crate::headers;

/// Compares it with the newly generated text, and reports the first difference.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let found = fs::read_to_string(root.join(headers::PATH)).unwrap_or_default();
    let line = first_difference(&found, &headers::generate(root)?);
    let finding = |line| format!("{}:{line}: not current; run `cargo xtask headers`", headers::PATH);
    Ok(line.map(finding).into_iter().collect())
}

/// Returns the number of the first line that differs.
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
