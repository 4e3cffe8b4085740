//! The files that are written by hand.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use anyhow::{Context, Result};
use regex::{Captures, Regex};

use crate::process;

/// A source file.
#[derive(Debug)]
pub(crate) struct Source {
    /// The path relative to the repository's root, with `/` as separator.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
}

/// Matches comments and string literals of Rust, and the character literal that would open a string.
static NO_CODE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"//[^\n]*|"(?s:\\.|[^"\\])*"|'"'"#).ok());

impl Source {
    /// Returns the text of a Rust file without comments and strings. Line numbers are preserved.
    pub(crate) fn code(&self) -> String {
        code(&self.text)
    }
}

/// Reads every file of the repository, committed or new, with one of these extensions, in one of these folders (or
/// anywhere).
pub(crate) fn read(root: &Path, folders: &[&str], endings: &[&str]) -> Result<Vec<Source>> {
    let mut command = Command::new("git");
    command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]).args(folders);
    let listed =
        process::text(command.current_dir(root)).context("the files of the repository cannot be listed")?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| has_ending(path, endings)).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut sources = Vec::new();
    for path in paths.into_iter().filter(|path| root.join(path).is_file()) {
        let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        sources.push(Source { path: path.to_owned(), text });
    }
    Ok(sources)
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

fn code(text: &str) -> String {
    let newlines = |found: &Captures<'_>| "\n".repeat(found[0].matches('\n').count());
    NO_CODE
        .as_ref()
        .map_or_else(|| text.to_owned(), |no_code| no_code.replace_all(text, newlines).into_owned())
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn comments_and_strings_are_left_out_and_lines_keep_their_numbers() {
        let text = "a // \"b\nlet c = \"d // \\\" e\nf\"; '\"' g";
        assert_eq!(code(text), "a \nlet c = \n;  g");
    }
}
