//! Checks that targets without tests are not compiled for tests, and that no target with tests is left out.
//!
//! `cargo test` compiles each library and program again with its unit tests, and the examples in each library's
//! documentation. `test = false` and `doctest = false` avoid that.

use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::sources::{self, Source};
use crate::packages::{self, Target};

/// Compares the manifests with the sources.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let sources = sources::read(root, &[], &["rs"])?;
    let mut found = Findings::new();
    for package in packages::all()? {
        for target in package.targets.iter().filter(|target| target.is_library() || target.is_program()) {
            let files = files_of(target, &package.targets, &sources);
            found.extend(problems(&package.name, target, &files));
        }
    }
    Ok(found)
}

fn problems(package: &str, target: &Target, files: &[&Source]) -> Findings {
    let has_tests =
        files.iter().any(|file| file.code().contains("#[test]") || file.code().contains("proptest!"));
    let has_examples = files.iter().any(|file| has_example(&file.text));
    let mut switches = vec![("test", target.test, has_tests, "unit tests")];
    // Only Rust libraries have such examples.
    if target.is_rust_library() {
        switches.push(("doctest", target.doctest, has_examples, "examples in its documentation"));
    }
    let wrong = switches.into_iter().filter(|(_, is_on, is_needed, _)| is_on != is_needed);
    wrong
        .map(|(switch, _, is_needed, what)| {
            let has = if is_needed { "has" } else { "has no" };
            format!("{package}, {}: it {has} {what}, so it needs {switch} = {is_needed}", target.name)
        })
        .collect()
}

/// Returns a target's own file, and those below its folder that belong to no other target.
fn files_of<'a>(target: &Target, all: &[Target], sources: &'a [Source]) -> Vec<&'a Source> {
    let file = target.file();
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", &file));
    let is_whole_folder = name == "lib.rs" || name == "main.rs";
    let belongs = |path: &str| {
        let others = all.iter().filter(|other| other.name != target.name || other.kind != target.kind);
        let is_of_other = |other: &Target| {
            let other = other.file();
            path == other
                || (other.starts_with(&format!("{folder}/bin/"))
                    && path.starts_with(&format!("{folder}/bin/")))
        };
        path == file
            || (is_whole_folder
                && path.starts_with(&format!("{folder}/"))
                && !others.into_iter().any(is_of_other))
    };
    sources.iter().filter(|source| belongs(&source.path)).collect()
}

/// Returns whether a file's comments contain a code block that rustdoc compiles.
fn has_example(text: &str) -> bool {
    let fences = text.lines().map(str::trim_start).filter_map(|line| {
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
        comment.trim_start().strip_prefix("```")
    });
    // Every second fence ends a block.
    fences.step_by(2).any(|language| !["text", "ignore", "c", "cpp"].contains(&language.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    fn target(kind: &str, test: bool, doctest: bool) -> Target {
        let root = crate::workspace::root();
        let text = format!(
            r#"{{"name": "a", "kind": ["{kind}"], "src_path": "{}/a/src/lib.rs", "test": {test}, "doctest": {doctest}}}"#,
            root.display()
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_target_whose_tests_would_not_run_is_found() {
        let sources = [source("a/src/deep/b.rs", "#[test]\nfn b() {}"), source("b/src/lib.rs", "")];
        let of = |target: Target| {
            let files = files_of(&target, std::slice::from_ref(&target), &sources);
            problems("a", &target, &files)
        };
        assert_eq!(of(target("lib", true, false)), Findings::new());
        assert_eq!(of(target("lib", false, false)), ["a, a: it has unit tests, so it needs test = true"]);
        assert_eq!(of(target("lib", true, true)).len(), 1);
        assert_eq!(of(target("cdylib", true, true)), Findings::new());
    }

    #[test]
    fn examples_are_told_from_other_text() {
        assert!(has_example("/// ```\n/// let a = 1;\n/// ```\n"));
        assert!(has_example("//! ```text\n//! a\n//! ```\n//! ```no_run\n//! ```\n"));
        assert!(!has_example("/// ```text\n/// a\n/// ```\nlet a = \"```\";\n"));
    }
}
