//! Checks that generated files are up to date with `cargo xtask headers`.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::sources;
use crate::headers::{self, Generated, Output};

/// Compares each file with the newly generated text, and reports the first difference. Reports files that claim to be
/// generated but are not.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let Generated { outputs, without_level_zero } = headers::generate(root)?;
    if let Some(reason) = &without_level_zero {
        println!("             the bindings of Level Zero were not checked: {reason}");
    }
    let current = |Output { path, text }: &Output| {
        let found = fs::read_to_string(root.join(path)).unwrap_or_default();
        let line = first_difference(&found, text)?;
        Some(format!("{path}:{line}: not current; run `cargo xtask headers`"))
    };
    let stray = |source: &sources::Source| {
        headers::is_generated(&source.path, &source.text)
            && outputs.iter().all(|output| output.path != source.path)
            && (without_level_zero.is_none() || !source.path.starts_with(headers::LEVEL_ZERO))
    };
    let sources = sources::read(root, &[], &["rs"])?;
    let stray = sources.iter().filter(|source| stray(source));
    let stray = stray.map(|source| format!("{}:1: nothing generates this file; delete it", source.path));
    Ok(outputs.iter().filter_map(current).chain(stray).collect())
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
