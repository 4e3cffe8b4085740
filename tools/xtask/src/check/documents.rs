//! Every path and every command that a document quotes exists.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use regex::Regex;

use super::Findings;
use super::sources::{self, Source};
use crate::packages;
use crate::process;

/// The file with the history, which may name paths that no longer exist.
const OF_HISTORY: &str = "CHANGELOG.md";
/// Inline code.
const INLINE: &str = "`([^`]+)`";

/// A piece of code in a document.
struct Quote<'a> {
    /// The number of its line.
    line: usize,
    text: &'a str,
}

/// Looks at each inline code and each line of a code block.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let (tree, inline) = (Tree::new(root)?, Regex::new(INLINE)?);
    let mut findings = Findings::new();
    for document in sources::read(root, &[], &["md"])? {
        if document.path == OF_HISTORY {
            continue;
        }
        for quote in quotes(&document, &inline) {
            let found = tree.broken(quote.text);
            findings.extend(
                found.map(|why| format!("{}:{}: `{}`: {why}", document.path, quote.line, quote.text)),
            );
        }
    }
    Ok(findings)
}

/// The code of a document, in the order of its lines.
fn quotes<'a>(document: &'a Source, inline: &Regex) -> Vec<Quote<'a>> {
    let mut quotes = Vec::new();
    let mut is_block = false;
    for (index, text) in document.text.lines().enumerate() {
        let line = index + 1;
        if text.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            quotes.push(Quote { line, text: text.trim().trim_start_matches("$ ") });
        } else {
            let found = inline.captures_iter(text).filter_map(|found| found.get(1));
            quotes.extend(found.map(|code| Quote { line, text: code.as_str() }));
        }
    }
    quotes
}

/// The names in the tree, with which quotes are compared.
struct Tree<'a> {
    root: &'a Path,
    /// The folders that a path begins with.
    folders: Vec<String>,
    packages: Vec<String>,
    /// The help of each command of `cargo xtask`.
    xtask: BTreeMap<String, String>,
}

impl<'a> Tree<'a> {
    fn new(root: &'a Path) -> Result<Self> {
        let listed = process::text(Command::new("git").args(["ls-files"]).current_dir(root))?;
        let mut folders: Vec<String> = listed
            .lines()
            .filter_map(|path| path.split_once('/'))
            .map(|(folder, _)| folder.to_owned())
            .collect();
        folders.sort_unstable();
        folders.dedup();
        let packages = packages::all()?.into_iter().map(|package| package.name).collect();
        let mut xtask = BTreeMap::new();
        for name in commands_of(&help(&[])?) {
            let text = help(&[name.as_str()])?;
            xtask.insert(name, text);
        }
        Ok(Self { root, folders, packages, xtask })
    }

    /// Why a quote is wrong, if it is a path or a command and is wrong.
    fn broken(&self, quote: &str) -> Option<String> {
        // A comment behind a command, and the output of one.
        let text = quote.split(" #").next().unwrap_or_default().trim_end_matches('\\').trim();
        let words: Vec<&str> = text.split_whitespace().skip_while(|word| is_assignment(word)).collect();
        match words[..] {
            ["cargo", "xtask", name, ref rest @ ..] => self.broken_xtask(name, rest),
            ["cargo", "test" | "build" | "run", ref rest @ ..] => self.broken_cargo(rest),
            ["python3", script, ref rest @ ..] if script.ends_with(".py") => self.broken_script(script, rest),
            [path] => self.broken_path(path),
            _ => None,
        }
    }

    fn broken_xtask(&self, name: &str, arguments: &[&str]) -> Option<String> {
        let Some(help) = self.xtask.get(name) else {
            return (!name.starts_with('-')).then(|| format!("`cargo xtask` has no command {name}"));
        };
        unknown_option(own_options(arguments), help)
    }

    fn broken_cargo(&self, arguments: &[&str]) -> Option<String> {
        let pairs = arguments.iter().zip(arguments.iter().skip(1));
        let named = pairs.filter(|(option, _)| matches!(**option, "-p" | "--package")).map(|(_, name)| *name);
        let known =
            |name: &&str| is_placeholder(name) || self.packages.iter().any(|package| package == *name);
        named.into_iter().find(|name| !known(name)).map(|name| format!("no package is called {name}"))
    }

    fn broken_script(&self, script: &str, arguments: &[&str]) -> Option<String> {
        let Some(path) =
            [script.to_owned(), format!("testing/{script}")].into_iter().find(|path| self.is_there(path))
        else {
            // A program of the reader's.
            return script.contains('/').then(|| "no such file".to_owned());
        };
        let folder = self.root.join(&path);
        let beside =
            folder.parent().into_iter().flat_map(|folder| folder.read_dir().into_iter().flatten().flatten());
        let scripts =
            beside.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "py"));
        let scripts = scripts.chain([self.root.join("testing/xtask.py")]);
        let text: String = scripts.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        unknown_option(own_options(arguments), &text)
    }

    fn broken_path(&self, quote: &str) -> Option<String> {
        let (folder, _) = quote.split_once('/')?;
        // `file.rs:12`, `file.rs::test` and `folder/*.rs`
        let path = quote.split([':', '*', '{', '(', '<']).next().unwrap_or_default();
        let whole = path == quote || quote[path.len()..].starts_with(':');
        let path = if whole { path } else { path.rsplit_once('/').map_or("", |(folder, _)| folder) };
        let is_ours = self.folders.iter().any(|known| known == folder);
        (is_ours && !path.contains("..") && !self.is_there(path)).then(|| "no such file or folder".to_owned())
    }

    /// Whether the path exists, or a file that only has an ending besides.
    fn is_there(&self, path: &str) -> bool {
        let path = self.root.join(path);
        let beside =
            || path.parent().into_iter().flat_map(|folder| folder.read_dir().into_iter().flatten().flatten());
        path.exists() || beside().any(|entry| entry.path().with_extension("") == path)
    }
}

/// The help of `cargo xtask`, or of one of its commands.
fn help(arguments: &[&str]) -> Result<String> {
    let program = env::current_exe().context("the own program is not known")?;
    process::text(Command::new(program).args(arguments).arg("--help"))
}

/// The names in a help's list of commands.
fn commands_of(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let rows = list.take_while(|line| !line.is_empty());
    let names = rows.filter(|row| row.starts_with("  ") && !row.starts_with("   "));
    let names = names.filter_map(|row| row.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The arguments before `--`: the others are a program's own.
fn own_options<'a>(arguments: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let own = arguments.iter().copied().take_while(|word| *word != "--" && *word != "|" && *word != "&&");
    own.filter(|word| word.starts_with("--"))
}

fn unknown_option<'a>(mut options: impl Iterator<Item = &'a str>, text: &str) -> Option<String> {
    let name =
        |option: &'a str| option.split('=').next().unwrap_or_default().trim_end_matches([',', '.', ']']);
    options
        .find(|option| !text.contains(name(option)))
        .map(|option| format!("no option is called {}", name(option)))
}

/// `NAME=value` in front of a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_placeholder(name))
}

/// A word in capitals, which stands for the reader's own.
fn is_placeholder(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree<'static> {
        Tree {
            root: Path::new(env!("CARGO_MANIFEST_DIR")),
            folders: vec!["src".into()],
            packages: vec!["xtask".into()],
            xtask: [("check".to_owned(), "--list".to_owned())].into(),
        }
    }

    #[test]
    fn what_exists_may_be_quoted() {
        for quote in [
            "src/main.rs",
            "src/check/documents.rs:12",
            "src/check/*.rs",
            "src/main",
            "src/",
            "other/file.rs",
            "cargo xtask check RULE",
            "PI_LOG=debug cargo xtask check --list -- --anything",
            "cargo test -p xtask",
            "cargo test -p CRATE",
            "python3 program.py",
        ] {
            assert_eq!(tree().broken(quote), None, "{quote}");
        }
    }

    #[test]
    fn what_is_gone_is_found() {
        for quote in [
            "src/gone.rs",
            "src/gone/*.rs",
            "cargo xtask bench --check",
            "cargo xtask check --all",
            "cargo test -p gone",
            "python3 src/gone.py",
        ] {
            assert!(tree().broken(quote).is_some(), "{quote}");
        }
    }

    #[test]
    fn code_is_found_in_lines_and_in_blocks() {
        let text = "Run `a b`, then `c`:\n\n```\n$ d --e\n```\nplain".to_owned();
        let document = Source { path: String::new(), text };
        let found = quotes(&document, &Regex::new(INLINE).unwrap());
        let found: Vec<(usize, &str)> = found.iter().map(|quote| (quote.line, quote.text)).collect();
        assert_eq!(found, [(1, "a b"), (1, "c"), (4, "d --e")]);
    }
}
