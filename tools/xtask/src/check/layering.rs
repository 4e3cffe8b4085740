//! Checks that crates depend on each other only as ARCHITECTURE.md's map allows, and that only the drivers' own
//! layers use drivers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use crate::packages::{self, Dependency, Package};

/// Crates that the map describes in prose, and the crates that they may use. A shell consists of both fronts and
/// one backend.
const IN_WORDS: &[(&str, &str)] = &[
    ("plugins/shells/pi_opencl", "plugins/pi-front plugins/ur-front plugins/opencl"),
    ("plugins/shells/pi_level_zero", "plugins/pi-front plugins/ur-front plugins/level-zero"),
    ("plugins/shells/pi_cuda", "plugins/pi-front plugins/ur-front plugins/cuda"),
    ("testing/drivers/software-level-zero", "plugins/level-zero-sys lib/image"),
    ("testing/drivers/software-cuda", ""),
    ("testing/support", "pi-core ur-core runtime/loader"),
    (
        "testing/cuda",
        "pi-core ur-core runtime/loader lib/image runtime/runtime testing/support testing/nvvm testing/programs \
         testing/ur-host",
    ),
    (
        "testing/level-zero",
        "pi-core ur-core plugins/level-zero-sys runtime/loader testing/support testing/ur-host",
    ),
    ("testing/opencl", "pi-core ur-core runtime/loader testing/support testing/ur-host"),
    ("testing/conformance", "pi-core ur-core runtime/loader testing/support testing/ur-host"),
    ("testing/random-calls", "pi-core ur-core runtime/loader testing/support"),
    ("testing/robustness", "pi-core runtime/loader testing/support"),
    (
        "testing/fuzz",
        "pi-core plugins/backend plugins/pi-front runtime/loader lib/image lib/cache lib/nvvm runtime/runtime",
    ),
    ("testing/images", "lib/image"),
    ("testing/programs", "lib/image lib/cache runtime/loader runtime/runtime"),
    ("benches", "pi-core ur-core runtime/loader lib/image lib/cache runtime/runtime testing/ur-host"),
    ("benches/cache", "lib/cache"),
    ("benches/cuda", "pi-core ur-core testing/cuda testing/ur-host"),
    ("benches/level-zero", "pi-core testing/level-zero testing/support testing/ur-host"),
];

/// Dependencies that only the tests of a crate may have.
const FOR_TESTS: &[(&str, &str)] = &[
    ("plugins/pi-front", "runtime/loader"),
    ("plugins/level-zero-sys", "testing/drivers/software-level-zero"),
    ("plugins/level-zero", "testing/drivers/software-level-zero"),
    ("plugins/cuda", "testing/drivers/software-cuda"),
    ("runtime/runtime", "testing/programs testing/support"),
    ("tools/pi", "testing/support"),
    ("testing/images", "runtime/runtime testing/programs testing/support"),
];

/// External crates that only these may use, because only its own layer may use a vendor's interface, and few crates may
/// open libraries.
const ONLY: &[(&str, &str)] = &[
    ("opencl-sys cl3 opencl3", "plugins/opencl testing/drivers/software-level-zero benches"),
    ("cudarc", "plugins/cuda testing/drivers/software-cuda testing/nvvm"),
    ("libloading", "lib/dynload runtime/loader runtime/ur-host tools/pi testing benches"),
];

/// Asks cargo for the dependencies, and compares each with the rules.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    Ok(violations(&packages::all()?, &fs::read_to_string(root.join("ARCHITECTURE.md"))?))
}

fn violations(packages: &[Package], map: &str) -> Findings {
    let map: BTreeMap<String, &str> = rows(map).collect();
    let folders: Vec<String> = packages.iter().map(Package::folder).collect();
    let is_there = |folder: &str| folders.iter().any(|crate_| is_in(crate_, folder));
    let gone = map.keys().filter(|folder| !is_there(folder));
    let mut findings: Findings =
        gone.map(|folder| format!("ARCHITECTURE.md: no crate is in {folder}")).collect();
    for package in packages {
        let folder = package.folder();
        let listed = IN_WORDS.iter().find(|(crate_, _)| *crate_ == folder).map(|(_, uses)| *uses);
        let Some(uses) = listed.or_else(|| map.get(&folder).copied()) else {
            findings.push(format!("{folder} ({}): ARCHITECTURE.md's map lacks it", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| !allows(&folder, uses, dependency))
        {
            let to = dependency.folder().unwrap_or_else(|| dependency.name.clone());
            findings.push(format!("{folder} -> {to}: ARCHITECTURE.md's map does not allow it"));
        }
    }
    findings
}

/// Returns whether a crate with this row may have a dependency.
fn allows(folder: &str, uses: &str, dependency: &Dependency) -> bool {
    let is_for_tests = dependency.kind.as_deref() == Some("dev");
    let has = |list: &str, name: &str| list.split(' ').any(|one| one == name);
    let Some(used) = dependency.folder() else {
        let limited = ONLY.iter().find(|(names, _)| has(names, &dependency.name));
        let is_user = |(_, users): &(&str, &str)| users.split(' ').any(|user| is_in(folder, user));
        return is_for_tests || (uses != "nothing" && limited.is_none_or(is_user));
    };
    let in_tests = FOR_TESTS.iter().find(|(crate_, _)| *crate_ == folder).map_or("", |(_, uses)| uses);
    has(uses, &used) || names(uses).any(|name| name == short(&used)) || (is_for_tests && has(in_tests, &used))
}

/// Returns the map's rows as folders with the cells that name their dependencies. The first cell of a row begins with a
/// folder.
fn rows(text: &str) -> impl Iterator<Item = (String, &str)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = lines.filter(|line| line.starts_with('`')).filter_map(|line| {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [folders, _, uses] = cells[..] else { return None };
        Some((folders, uses))
    });
    let is_map = |(folders, _): &(&str, &str)| names(folders).all(|name| name.ends_with('/'));
    cells.filter(is_map).flat_map(|(folders, uses)| {
        names(folders).map(move |folder| (folder.trim_end_matches('/').to_owned(), uses))
    })
}

/// Returns the names in backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn is_in(folder: &str, top: &str) -> bool {
    folder.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns a crate's folder as the map names it in the last column, which is its last part, except for tests.
fn short(folder: &str) -> &str {
    if is_in(folder, "testing") { folder } else { folder.rsplit('/').next().unwrap_or(folder) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    fn found(folder: &str, dependencies: &str) -> Findings {
        let root = workspace::root();
        let dependencies = dependencies.replace("/r/", &format!("{}/", root.display()));
        let text = format!(
            r#"{{"packages": [{{"name": "x", "manifest_path": "{}/{folder}/Cargo.toml", "dependencies": [{dependencies}]}}]}}"#,
            root.display()
        );
        let map = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
        let mut findings = violations(&packages::parse(&text).unwrap(), &map);
        findings.retain(|finding| !finding.contains("no crate is in"));
        findings
    }

    fn dependency(name: &str, kind: &str, path: &str) -> String {
        format!(r#"{{"name": "{name}", "kind": {kind}, "path": {path}}}"#)
    }

    #[test]
    fn a_dependency_against_the_direction_is_named() {
        let to = dependency("pi_opencl", "null", "\"/r/plugins/opencl\"");
        let message = "runtime/loader -> plugins/opencl: ARCHITECTURE.md's map does not allow it";
        assert_eq!(found("runtime/loader", &to), [message]);
        // A dependency of tests is in another folder with the same name.
        let to = dependency("testing-ur-host", "null", "\"/r/testing/ur-host\"");
        assert_eq!(found("tools/pi", &to).len(), 1);
        assert_eq!(
            found("plugins/shells/pi_cuda", &dependency("o", "null", "\"/r/plugins/opencl\"")).len(),
            1
        );
    }

    #[test]
    fn allowed_dependencies_pass() {
        let to_core = dependency("sycl-pi-core", "null", "\"/r/pi-core\"");
        assert!(found("plugins/pi-front", &to_core).is_empty());
        assert!(found("testing/conformance", &to_core).is_empty());
        assert_eq!(found("plugins/backend", &to_core).len(), 1);
    }

    #[test]
    fn only_some_may_use_a_vendors_interface_and_open_libraries() {
        let libloading = dependency("libloading", "null", "null");
        assert!(found("runtime/loader", &libloading).is_empty());
        assert!(found("testing/opencl", &libloading).is_empty());
        assert_eq!(found("plugins/backend", &libloading).len(), 1);
        assert_eq!(found("plugins/opencl", &dependency("cudarc", "null", "null")).len(), 1);
        assert_eq!(found("pi-core", &dependency("libc", "null", "null")).len(), 1);
    }

    #[test]
    fn tests_may_use_more() {
        let to_loader = |kind: &str| dependency("sycl-pi-loader", kind, "\"/r/runtime/loader\"");
        assert!(found("plugins/pi-front", &to_loader("\"dev\"")).is_empty());
        assert_eq!(found("plugins/pi-front", &to_loader("null")).len(), 1);
        assert!(found("pi-core", &dependency("serde_json", "\"dev\"", "null")).is_empty());
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_are_named() {
        assert_eq!(found("plugins/new", "").len(), 1);
        let row = "| `plugins/gone/` | nothing | nothing of ours |";
        assert_eq!(violations(&[], row), ["ARCHITECTURE.md: no crate is in plugins/gone"]);
    }
}
