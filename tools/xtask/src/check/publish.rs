//! Checks that packages can be published, and that their documentation builds without warnings.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::findings::Findings;
use crate::packages::{self, Package};
use crate::process;
use crate::sample;
use crate::workspace;

/// The number of printed lines of cargo's output.
const SHOWN: usize = 40;

/// The number of packages that are built from their packed files each day, with those that they depend on.
const BUILT: usize = 3;

/// Checks the metadata of every publishable package, and packs it. Builds some from the packed files, because a package
/// may lack a file, or compile only with features that others of the workspace ask for.
pub(crate) fn packages(root: &Path) -> Result<Findings> {
    let publishable: Vec<Package> = packages::all()?.into_iter().filter(Package::is_publishable).collect();
    if publishable.is_empty() {
        return Ok(vec!["no package of this workspace may be published".into()]);
    }
    let mut found: Findings = publishable
        .iter()
        .filter(|package| !package.missing_metadata().is_empty())
        .map(|package| format!("{}: no {}", package.name, package.missing_metadata().join(", ")))
        .collect();
    let target = workspace::target().join("publish");
    forget(&publishable, &target)?;
    let names: Vec<&str> = publishable.iter().map(|package| package.name.as_str()).collect();
    found.extend(pack(root, &names, &target, &["--no-verify"])?);
    let built =
        sample::from_command("packages built as packed", "cargo xtask check publish", &names, BUILT, 0);
    found.extend(pack(root, &with_dependencies(built, &publishable), &target, &[])?);
    Ok(found)
}

/// Packs packages, and builds them unless an option says otherwise. Cargo finds the order, and resolves dependencies
/// among them with the files that it has just packed.
fn pack(root: &Path, names: &[&str], target: &Path, options: &[&str]) -> Result<Findings> {
    let mut cargo = cargo(root, &["package", "--quiet", "--allow-dirty", "--target-dir"]);
    // The workspace's profiles do not apply to packed packages.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo.arg(target).args(options).args(names.iter().flat_map(|name| ["--package", name]));
    findings(&mut cargo)
}

/// Adds the publishable packages that these depend on.
fn with_dependencies<'t>(mut names: Vec<&'t str>, publishable: &'t [Package]) -> Vec<&'t str> {
    let mut at = 0;
    while let Some(name) = names.get(at) {
        at += 1;
        let package = publishable.iter().find(|package| package.name == *name);
        for dependency in package.into_iter().flat_map(|package| &package.dependencies) {
            let is_new = !names.contains(&dependency.name.as_str());
            if is_new && publishable.iter().any(|package| package.name == dependency.name) {
                names.push(&dependency.name);
            }
        }
    }
    names
}

/// Removes what an earlier run unpacked and built. Cargo treats a package that it has just packed like one of a
/// registry, which never changes for the same version. Otherwise a later run would build the old code.
fn forget(packages: &[Package], target: &Path) -> Result<()> {
    if target.exists() {
        fs::remove_dir_all(target).with_context(|| target.display().to_string())?;
    }
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home =
        cargo_home.or_else(|| Some(env::home_dir()?.join(".cargo"))).context("no CARGO_HOME and no HOME")?;
    let sources = cargo_home.join("registry/src");
    for registry in fs::read_dir(sources).into_iter().flatten().flatten() {
        for package in packages {
            let unpacked = registry.path().join(format!("{}-{}", package.name, package.version));
            if unpacked.exists() {
                fs::remove_dir_all(&unpacked).with_context(|| unpacked.display().to_string())?;
            }
        }
    }
    Ok(())
}

/// Builds the documentation of all packages.
pub(crate) fn documentation(root: &Path) -> Result<Findings> {
    let mut cargo = cargo(root, &["doc", "--quiet", "--workspace", "--no-deps"]);
    findings(cargo.env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = process::cargo();
    command.args(arguments).current_dir(root);
    command
}

fn findings(command: &mut Command) -> Result<Findings> {
    let output = command.output()?;
    Ok(if output.status.success() { Vec::new() } else { vec![process::tail(&output, SHOWN)] })
}
