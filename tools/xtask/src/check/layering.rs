//! Crates depend on each other in the directions that the house allows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Findings;
use super::rooms::{ROOMS, Room};
use crate::process;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// None, "dev" or "build".
    kind: Option<String>,
    /// Of crates of ours only.
    path: Option<String>,
}

/// Asks cargo for the arrows and holds each to its room's rule.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--no-deps", "--format-version", "1", "--offline"]).current_dir(root);
    let text = process::text(&mut command)?;
    let metadata: Metadata = serde_json::from_str(&text).context("cargo's metadata are not understood")?;
    Ok(judge(root, &metadata))
}

fn judge(root: &Path, metadata: &Metadata) -> Findings {
    let folder_of = |path: &str| {
        let path = Path::new(path);
        path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
    };
    let rooms: BTreeMap<&str, &Room> = ROOMS.iter().map(|room| (room.folder, room)).collect();
    let mut findings = Vec::new();
    for package in &metadata.packages {
        let folder = folder_of(package.manifest_path.trim_end_matches("/Cargo.toml"));
        let Some(room) = rooms.get(folder.as_str()) else {
            findings
                .push(format!("{folder} ({}): no room of that name; give it one in rooms.rs", package.name));
            continue;
        };
        for dependency in &package.dependencies {
            let to = dependency.path.as_deref().map(folder_of);
            if !allows(room, dependency, to.as_deref()) {
                let to = to.as_deref().unwrap_or(&dependency.name);
                findings.push(format!("{folder} -> {to}: {}", room.rule));
            }
        }
    }
    findings
}

fn allows(room: &Room, dependency: &Dependency, ours: Option<&str>) -> bool {
    let is_for_tests = dependency.kind.as_deref() == Some("dev");
    match ours {
        Some(folder) => room.uses.contains(&folder) || (is_for_tests && room.tests_use.contains(&folder)),
        None => {
            let never = |name: &&str| *name == "*" || *name == dependency.name;
            is_for_tests || !room.never.iter().any(never)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(folder: &str, dependencies: &str) -> Findings {
        let text = format!(
            r#"{{"packages": [{{"name": "x", "manifest_path": "/r/{folder}/Cargo.toml", "dependencies": [{dependencies}]}}]}}"#
        );
        judge(Path::new("/r"), &serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn an_arrow_against_the_direction_is_named_with_its_rule() {
        let found =
            judged("runtime/loader", r#"{"name": "pi_opencl", "kind": null, "path": "/r/plugins/opencl"}"#);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("runtime/loader -> plugins/opencl: the loader loads any plugin"),
            "{found:?}"
        );
    }

    #[test]
    fn allowed_arrows_pass() {
        let to_core = r#"{"name": "sycl-pi-core", "kind": null, "path": "/r/pi-core"}"#;
        assert!(judged("plugins/backend", to_core).is_empty());
        assert!(judged("runtime/loader", r#"{"name": "libloading", "kind": null, "path": null}"#).is_empty());
    }

    #[test]
    fn tests_may_use_more() {
        let dependency = |kind: &str| {
            format!(r#"{{"name": "sycl-pi-loader", "kind": {kind}, "path": "/r/runtime/loader"}}"#)
        };
        assert!(judged("plugins/opencl", &dependency("\"dev\"")).is_empty());
        assert_eq!(judged("plugins/opencl", &dependency("null")).len(), 1);
        assert!(judged("pi-core", r#"{"name": "serde_json", "kind": "dev", "path": null}"#).is_empty());
        assert_eq!(judged("pi-core", r#"{"name": "libc", "kind": null, "path": null}"#).len(), 1);
    }

    #[test]
    fn a_crate_without_a_room_is_refused() {
        assert_eq!(judged("plugins/new", "").len(), 1);
    }
}
