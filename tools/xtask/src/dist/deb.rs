//! The Debian package: the files in folders of the system, with man pages, completions, and files for pkg-config and CMake.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::build::{self, Built};
use super::wheel::{HEADERS, put_file};
use super::{Notices, VERSION};
use crate::cargo_tool::CargoTool;
use crate::process;
use crate::ui::Step;
use crate::workspace;

const CARGO_DEB: CargoTool = CargoTool { name: "cargo-deb", version: "3.8.0", options: &[] };

/// The commands for people.
const PROGRAMS: [&str; 2] = ["pi", "pi-conformance"];

const PKG_CONFIG: &str = include_str!("../../dist/sycl-pi.pc");
const CMAKE: &str = include_str!("../../dist/sycl-pi-config.cmake");
const CMAKE_VERSION: &str = include_str!("../../dist/sycl-pi-config-version.cmake");
const CHANGELOG: &str = include_str!("../../dist/changelog");

/// Lays the files out below `parts`, where `tools/pi/Cargo.toml` names them, and packs them.
pub(super) fn pack(built: &Built, notices: &Notices, parts: &Path, to: &Path) -> Result<PathBuf> {
    let tool = CARGO_DEB.ensure()?;
    let step = Step::start("packing the Debian package");
    let root = parts.join("deb");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    let usr = root.join("usr");
    for file in built.files() {
        let is_library = file.extension().is_some();
        put_file(&file, &usr.join("lib/sycl-pi"), if is_library { 0o644 } else { 0o755 })?;
    }
    fs::create_dir_all(usr.join("bin"))?;
    // Programs look for libraries beside their own file, to which the link leads.
    for program in PROGRAMS {
        std::os::unix::fs::symlink(format!("../lib/sycl-pi/{program}"), usr.join("bin").join(program))?;
    }
    for header in HEADERS {
        put_file(&workspace::root().join(header), &usr.join("include/pi"), 0o644)?;
    }
    put_text(&usr.join("lib/pkgconfig/sycl-pi.pc"), &of_version(PKG_CONFIG))?;
    put_text(&usr.join("lib/cmake/sycl-pi/sycl-pi-config.cmake"), CMAKE)?;
    put_text(&usr.join("lib/cmake/sycl-pi/sycl-pi-config-version.cmake"), &of_version(CMAKE_VERSION))?;
    pages(&built.file("pi"), &usr)?;
    let doc = usr.join("share/doc/sycl-pi");
    put_file(&notices.licences, &doc, 0o644)?;
    for package in build::packages() {
        put_file(&notices.bill(package), &doc.join("sboms"), 0o644)?;
    }
    for entry in fs::read_dir(workspace::root().join("docs/guide"))? {
        put_file(&entry?.path(), &doc.join("guide"), 0o644)?;
    }
    put_file(&workspace::root().join("docs/glossary.md"), &doc, 0o644)?;
    put_text(&root.join("changelog"), &of_version(CHANGELOG))?;
    link_parts(parts)?;
    let mut command = Command::new(tool);
    command.args(["deb", "--no-build", "--no-strip", "--package", "pi", "--output"]).arg(to);
    process::output(command.current_dir(workspace::root()).env("SOURCE_DATE_EPOCH", super::EPOCH))?;
    let package = to.join(format!("sycl-pi_{VERSION}-1_amd64.deb"));
    fs::metadata(&package).with_context(|| format!("there is no {}", package.display()))?;
    step.done(&super::size(&package)?);
    Ok(package)
}

/// `tools/pi/Cargo.toml` names the files below the workspace's own build folder: a link leads from there to another one.
fn link_parts(parts: &Path) -> Result<()> {
    let usual = workspace::target().join("dist-parts");
    if usual == parts {
        return Ok(());
    }
    if usual.is_symlink() {
        fs::remove_file(&usual)?;
    } else if usual.exists() {
        fs::remove_dir_all(&usual)?;
    }
    fs::create_dir_all(workspace::target())?;
    Ok(std::os::unix::fs::symlink(parts, usual)?)
}

/// The man pages and completions, as `pi` writes them.
fn pages(pi: &Path, usr: &Path) -> Result<()> {
    let share = usr.join("share");
    process::output(Command::new(pi).arg("__man").arg(share.join("man/man1")))?;
    for (shell, file) in [
        ("bash", "bash-completion/completions/pi"),
        ("zsh", "zsh/vendor-completions/_pi"),
        ("fish", "fish/vendor_completions.d/pi.fish"),
    ] {
        let text = process::output(Command::new(pi).args(["completions", shell]))?.stdout;
        put_text(&share.join(file), &String::from_utf8_lossy(&text))?;
    }
    Ok(())
}

fn of_version(text: &str) -> String {
    text.replace("@VERSION@", VERSION)
}

fn put_text(file: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(file.parent().context("a file without a folder")?)?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
