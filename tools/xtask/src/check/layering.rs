//! Crates depend on each other only as the table of layers allows, and ARCHITECTURE.md tells them so.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::Findings;
use super::layers::{LAYERS, Layer};
use super::map;
use crate::packages::{self, Dependency, Package};

/// Asks cargo for the dependencies and compares each with its layer's rule. Compares the map for readers with the rules.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let mut findings = violations(&packages::all()?);
    findings.extend(map::differences(&fs::read_to_string(root.join("ARCHITECTURE.md"))?));
    Ok(findings)
}

fn violations(packages: &[Package]) -> Findings {
    let layers: BTreeMap<&str, &Layer> = LAYERS.iter().map(|layer| (layer.folder, layer)).collect();
    let mut findings = Vec::new();
    for package in packages {
        let folder = package.folder();
        let Some(layer) = layers.get(folder.as_str()) else {
            findings.push(format!("{folder} ({}): add its layer to check/layers.rs", package.name));
            continue;
        };
        for dependency in &package.dependencies {
            if !allows(layer, dependency) {
                let to = dependency.folder().unwrap_or_else(|| dependency.name.clone());
                findings.push(format!("{folder} -> {to}: {}", layer.rule));
            }
        }
    }
    findings
}

fn allows(layer: &Layer, dependency: &Dependency) -> bool {
    let is_for_tests = dependency.kind.as_deref() == Some("dev");
    match dependency.folder() {
        Some(folder) => {
            let folder = folder.as_str();
            layer.uses.contains(&folder) || (is_for_tests && layer.tests_use.contains(&folder))
        }
        None => {
            let never = |name: &&str| *name == "*" || *name == dependency.name;
            is_for_tests || !layer.never.iter().any(never)
        }
    }
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
        violations(&packages::parse(&text).unwrap())
    }

    #[test]
    fn a_dependency_against_the_direction_is_named_with_its_rule() {
        let found =
            found("runtime/loader", r#"{"name": "pi_opencl", "kind": null, "path": "/r/plugins/opencl"}"#);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("runtime/loader -> plugins/opencl: the loader loads any plugin"),
            "{found:?}"
        );
    }

    #[test]
    fn allowed_dependencies_pass() {
        let to_core = r#"{"name": "sycl-pi-core", "kind": null, "path": "/r/pi-core"}"#;
        assert!(found("plugins/pi-front", to_core).is_empty());
        assert_eq!(found("plugins/backend", to_core).len(), 1);
        assert!(found("runtime/loader", r#"{"name": "libloading", "kind": null, "path": null}"#).is_empty());
    }

    #[test]
    fn tests_may_use_more() {
        let dependency = |kind: &str| {
            format!(r#"{{"name": "sycl-pi-loader", "kind": {kind}, "path": "/r/runtime/loader"}}"#)
        };
        assert!(found("plugins/pi-front", &dependency("\"dev\"")).is_empty());
        assert_eq!(found("plugins/pi-front", &dependency("null")).len(), 1);
        assert!(found("pi-core", r#"{"name": "serde_json", "kind": "dev", "path": null}"#).is_empty());
        assert_eq!(found("pi-core", r#"{"name": "libc", "kind": null, "path": null}"#).len(), 1);
    }

    #[test]
    fn a_crate_without_a_layer_is_refused() {
        assert_eq!(found("plugins/new", "").len(), 1);
    }
}
