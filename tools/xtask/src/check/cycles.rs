//! Import cycles between the files of a crate.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use regex::Regex;

use super::sources::Source;

/// A module's path within its crate; empty for `lib.rs` and `main.rs`.
type Module = Vec<String>;

/// Returns the groups of modules that import each other, directly or indirectly. `sources` are the files below
/// `folder`, the crate's `src/`.
pub(crate) fn find(folder: &str, sources: &[&Source]) -> Result<Vec<Vec<String>>> {
    let modules: BTreeMap<Module, &Source> =
        sources.iter().map(|source| (module(folder, &source.path), *source)).collect();
    let path = Regex::new(r"\b(crate|super)((?:::\w+)*)(?:::\{([^;]*?)\})?")?;
    let mut imports: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for (module, source) in modules.iter().filter(|(module, _)| !module.is_empty()) {
        let targets = imported(&path, module, &without_tests(&source.code()));
        let known = targets.iter().filter_map(|path| nearest(&modules, path));
        imports.insert(module, known.filter(|target| *target != module).collect());
    }
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        imports.keys().map(|module| (*module, reachable(&imports, module))).collect();
    let mut groups = BTreeSet::new();
    for (module, others) in &reached {
        let group: Vec<String> = others
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(module)))
            .map(|other| other.join("/"))
            .collect();
        groups.insert(group);
    }
    Ok(groups.into_iter().filter(|group| group.len() > 1).collect())
}

fn module(folder: &str, path: &str) -> Module {
    let inside = path.trim_start_matches(folder).trim_matches('/').trim_end_matches(".rs");
    let mut parts: Module = inside.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") || matches!(inside, "lib" | "main") {
        parts.pop();
    }
    parts
}

/// Returns the code before the unit tests, without `pub(crate)` and similar keywords, which import nothing.
pub(crate) fn without_tests(code: &str) -> String {
    let before = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    before.replace("pub(crate)", "pub").replace("pub(super)", "pub")
}

/// Returns every path that begins with `crate` or `super`, relative to the crate's root.
fn imported(path: &Regex, module: &Module, code: &str) -> Vec<Module> {
    let mut all = Vec::new();
    for found in path.captures_iter(code) {
        let group = |index| found.get(index).map_or("", |part| part.as_str());
        let mut names: Vec<&str> = group(2).split("::").filter(|name| !name.is_empty()).collect();
        let mut start = module.clone();
        if group(1) == "crate" {
            start.clear();
        } else {
            start.pop();
            while names.first() == Some(&"super") {
                names.remove(0);
                start.pop();
            }
        }
        start.extend(names.into_iter().map(str::to_owned));
        for item in group(3).split(',') {
            let words = item.split("::{").next().unwrap_or_default().split(" as ").next().unwrap_or_default();
            let names = words.trim().split("::").filter(|name| !name.is_empty() && *name != "self");
            all.push(start.iter().cloned().chain(names.map(str::to_owned)).collect());
        }
    }
    all
}

/// Returns the module that a path leads into, i.e. its longest prefix that is a module.
fn nearest<'a>(modules: &'a BTreeMap<Module, &Source>, path: &Module) -> Option<&'a Module> {
    let beginnings = (1..=path.len()).rev().filter_map(|length| path.get(..length));
    beginnings.filter_map(|part| modules.get_key_value(part)).map(|(module, _)| module).next()
}

fn reachable<'a>(
    imports: &BTreeMap<&'a Module, BTreeSet<&'a Module>>,
    from: &Module,
) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&Module> = imports.get(from).into_iter().flatten().copied().collect();
    while let Some(module) = next.pop() {
        if found.insert(module) {
            next.extend(imports.get(module).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source { path: format!("x/src/{path}"), text: (*text).into() })
            .collect();
        find("x/src", &sources.iter().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn files_that_import_each_other_are_a_cycle() {
        let files = [
            ("lib.rs", ""),
            ("a.rs", "use crate::b::B;"),
            ("b/mod.rs", "use super::{c, d::D};"),
            ("c.rs", "crate::a::f()"),
        ];
        assert_eq!(cycles(&files), [["a", "b", "c"]]);
    }

    #[test]
    fn visibility_tests_and_comments_are_no_imports() {
        let files = [
            ("a/mod.rs", "use crate::a::b::B;"),
            ("a/b.rs", "pub(super) struct B; // crate::a\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
        ];
        assert!(cycles(&files).is_empty());
    }
}
