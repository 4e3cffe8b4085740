//! Bills of materials: what each shipped file is made of, as CycloneDX.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::build;
use crate::cargo_tool::CargoTool;
use crate::packages;
use crate::process;
use crate::ui::Step;
use crate::workspace;

const CYCLONEDX: CargoTool = CargoTool { name: "cargo-cyclonedx", version: "0.5.9", options: &[] };

/// Writes a bill for each shipped package into a folder in `parts`, and returns that.
pub(super) fn write(parts: &Path) -> Result<PathBuf> {
    let tool = CYCLONEDX.ensure()?;
    let step = Step::start("writing bills of materials");
    let folder = parts.join("sboms");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    // The program writes beside each Cargo.toml: it gets a copy of the sources.
    let scratch = tempfile::tempdir_in(parts)?;
    copy_sources(scratch.path())?;
    let mut command = Command::new(tool);
    command.args(["cyclonedx", "--format", "json", "--target", "x86_64-unknown-linux-gnu"]);
    command.args(["--override-filename", "bill", "--manifest-path"]).arg(scratch.path().join("Cargo.toml"));
    process::output(command.env("SOURCE_DATE_EPOCH", super::EPOCH).current_dir(scratch.path()))?;
    let all = packages::all()?;
    for name in build::packages() {
        let package = all.iter().find(|package| package.name == name);
        let package = package.with_context(|| format!("there is no package {name}"))?;
        let written = scratch.path().join(package.folder()).join("bill.json");
        let bill = folder.join(format!("{name}.cdx.json"));
        // Paths of this machine are nobody's business.
        let text = fs::read_to_string(&written).with_context(|| format!("no bill of {name} was written"))?;
        let text = text.replace(&*scratch.path().to_string_lossy(), "");
        if text.contains(&*workspace::root().to_string_lossy()) {
            bail!("the bill of {name} names this machine's folders");
        }
        fs::write(&bill, text)?;
    }
    step.done("");
    Ok(folder)
}

/// Copies what git knows.
fn copy_sources(to: &Path) -> Result<()> {
    let mut list = Command::new("git");
    let list = process::output(list.args(["ls-files", "-z"]).current_dir(workspace::root()))?.stdout;
    for name in String::from_utf8_lossy(&list).split('\0').filter(|name| is_cargos(name)) {
        let (from, file) = (workspace::root().join(name), to.join(name));
        fs::create_dir_all(file.parent().context("a file without a folder")?)?;
        fs::copy(&from, &file).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    Ok(())
}

/// Whether cargo looks for a file to describe a package.
fn is_cargos(name: &str) -> bool {
    name.ends_with(".rs") || name.ends_with("Cargo.toml") || name == "Cargo.lock"
}
