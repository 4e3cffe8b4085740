//! Cycles between the files of a crate: a file depends on those that define what it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::modules::{CratePath, Modules, Reader};
use super::sources::{self, Source};
use crate::packages;

/// The largest cycle in a crate that is not shipped.
const TOLERATED_CYCLE: usize = 3;

/// Looks at each crate's `src/`.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let all = sources::read(root, &[], &["rs"])?;
    let reader = Reader::new()?;
    let mut findings = Vec::new();
    for package in packages::all()? {
        let folder = format!("{}/src", package.folder());
        let files: Vec<_> = all.iter().filter(|file| Path::new(&file.path).starts_with(&folder)).collect();
        let tolerated = if package.is_product() { 1 } else { TOLERATED_CYCLE };
        for cycle in find(&reader, &folder, &files).into_iter().filter(|cycle| cycle.len() > tolerated) {
            findings.push(format!("{folder}: a cycle of {} files: {}", cycle.len(), cycle.join(" ")));
        }
    }
    Ok(findings)
}

/// The groups of files in which each needs each other, directly or through others. `sources` are the files below `folder`, the
/// crate's `src/`.
fn find(reader: &Reader, folder: &str, sources: &[&Source]) -> Vec<Vec<String>> {
    let modules = Modules::read(reader, folder, sources);
    let uses = modules.uses();
    let reached: BTreeMap<&CratePath, BTreeSet<&CratePath>> =
        uses.keys().map(|module| (*module, reachable(&uses, module))).collect();
    let mut groups = BTreeSet::new();
    for (module, others) in &reached {
        let group: Vec<String> = others
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(module)))
            .map(|other| if other.is_empty() { "(root)".to_owned() } else { other.join("/") })
            .collect();
        groups.insert(group);
    }
    groups.into_iter().filter(|group| group.len() > 1).collect()
}

fn reachable<'a>(
    uses: &BTreeMap<&'a CratePath, BTreeSet<&'a CratePath>>,
    from: &CratePath,
) -> BTreeSet<&'a CratePath> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&CratePath> = uses.get(from).into_iter().flatten().copied().collect();
    while let Some(module) = next.pop() {
        if found.insert(module) {
            next.extend(uses.get(module).into_iter().flatten());
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
        find(&Reader::new().unwrap(), "x/src", &sources.iter().collect::<Vec<_>>())
    }

    #[test]
    fn files_that_import_each_other_are_a_cycle() {
        let files = [
            ("lib.rs", ""),
            ("a.rs", "use crate::b::B;"),
            ("b/mod.rs", "use super::{c, d::D};\nfn b() { c::f() }"),
            ("c.rs", "crate::a::f()"),
        ];
        assert_eq!(cycles(&files), [["a", "b", "c"]]);
    }

    #[test]
    fn visibility_tests_and_comments_are_no_imports() {
        let files = [
            ("a/mod.rs", "use crate::a::b::B;"),
            (
                "a/b.rs",
                "pub(super) struct B; // crate::a\n#[cfg(test)]\n#[allow(dead_code)]\nmod tests { use crate::a::A; }",
            ),
        ];
        assert!(cycles(&files).is_empty());
    }

    #[test]
    fn an_item_leads_to_the_file_that_defines_it_through_every_re_export() {
        let files = [
            ("lib.rs", "mod a; mod b;\npub use b::B as Other;"),
            ("a.rs", "use crate::Other;\npub struct A;"),
            ("b/mod.rs", "mod c;\npub use c::*;"),
            ("b/c.rs", "mod d;\npub use self::d::B;"),
            ("b/c/d.rs", "use crate::a::A;\npub struct B;"),
        ];
        assert_eq!(cycles(&files), [["a", "b/c/d"]]);
    }

    #[test]
    fn a_file_that_only_re_exports_an_item_is_no_part_of_a_cycle() {
        let files = [
            ("a/mod.rs", "mod b;\npub use b::{B, C};\npub struct A;"),
            ("a/b.rs", "use super::A;\npub struct B;\npub struct C;"),
        ];
        assert!(cycles(&files).is_empty());
        let uses_it = [("a/mod.rs", "mod b;\npub use b::{B, C};\npub struct A(C);"), files[1]];
        assert_eq!(cycles(&uses_it), [["a", "a/b"]]);
    }

    #[test]
    fn a_parent_that_calls_its_child_depends_on_it() {
        let child = ("a/b.rs", "use super::A;\npub fn run(_: A) {}");
        assert_eq!(cycles(&[("a/mod.rs", "mod b;\nstruct A;\nfn a() { b::run(A) }"), child]), [["a", "a/b"]]);
        assert!(cycles(&[("a/mod.rs", "mod b;\nstruct A;\nfn a() { other::b::run(A) }"), child]).is_empty());
    }

    #[test]
    fn a_glob_import_leads_to_the_files_of_the_names_that_are_used() {
        let parent = ("a/mod.rs", "mod b;\nmod c;\nuse c::C;\nstruct A;\nfn a() { b::f() }");
        let (b, c) = ("a/b.rs", ("a/c.rs", "pub struct C;"));
        assert!(cycles(&[parent, (b, "use super::*;\npub fn f() -> C { C }"), c]).is_empty());
        assert_eq!(cycles(&[parent, (b, "use super::*;\npub fn f() -> A { A }"), c]), [["a", "a/b"]]);
    }

    #[test]
    fn an_item_of_the_root_is_an_item_like_others() {
        let root = ("main.rs", "mod a;\npub enum Status { Fine }\nfn main() { a::run() }");
        assert_eq!(cycles(&[root, ("a.rs", "pub fn run() -> crate::Status {}")]), [["(root)", "a"]]);
        assert!(cycles(&[root, ("a.rs", "pub fn run() {}")]).is_empty());
    }

    #[test]
    fn an_item_of_a_module_whose_file_lies_elsewhere_is_no_item_of_its_parent() {
        let root = ("main.rs", "mod a;\n#[path = \"../../b.rs\"]\nmod b;\nfn main() { a::run() }");
        assert!(cycles(&[root, ("a.rs", "pub fn run() { crate::b::f() }")]).is_empty());
    }

    #[test]
    fn a_module_that_is_named_on_the_way_is_not_what_is_used() {
        let files = [
            ("a/mod.rs", "pub mod b;\npub fn f() { crate::c::f() }"),
            ("a/b.rs", "pub fn g() {}"),
            ("c.rs", "use crate::a;\nuse crate::a::b::{self as bee};\npub fn f() { a::b::g(); bee::g() }"),
        ];
        assert!(cycles(&files).is_empty());
    }
}
