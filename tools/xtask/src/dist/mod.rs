//! `cargo xtask dist`: everything that a release has, in `target/dist/`.
//!
//! Libraries and programs are built once, for an old glibc. All packages hold the same files.

mod audit;
mod build;
mod contents;
mod crates;
mod deb;
mod first_use;
mod licences;
mod sbom;
mod tools;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

pub(crate) use build::{Built, GLIBC};

use crate::math;
use crate::ui;
use crate::workspace;

/// A part of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DistPart {
    /// The wheel
    Wheel,
    /// The harness's wheel
    Harness,
    /// The wheel with the drop-ins for oneMKL's libraries
    Math,
    /// The Debian package
    Deb,
    /// The crates, as a registry takes them
    Crates,
    /// The debugging information of the built files
    Debug,
}

/// Arguments of `dist`.
#[derive(Debug, Args)]
pub(crate) struct DistArgs {
    /// Only these parts; all when none is named
    parts: Vec<DistPart>,
    /// Make the wheel and time its first use: installed into an environment with dpctl and dpnp, up to a result on our plugin
    #[arg(long, conflicts_with = "parts")]
    first_use: bool,
}

/// The moment that packages carry, so that the same sources give the same packages: the first second of 2026.
const EPOCH: &str = "1767225600";

/// The version of everything.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The parts of a release that its tests work with.
#[derive(Debug)]
pub(crate) struct MadeRelease {
    /// Libraries and programs.
    pub(crate) built: Built,
    /// The wheel, if it was asked for.
    pub(crate) wheel: Option<PathBuf>,
    /// The harness's wheel, if it was asked for.
    pub(crate) harness: Option<PathBuf>,
    /// The wheel with the drop-ins, if it was asked for.
    pub(crate) math: Option<PathBuf>,
    /// The Debian package, if it was asked for.
    pub(crate) deb: Option<PathBuf>,
}

/// What every package tells of its origin.
#[derive(Debug)]
struct Notices {
    /// Texts of licences.
    licences: PathBuf,
    /// The folder of the bills of materials.
    bills: PathBuf,
}

impl Notices {
    /// The bill of materials of a shipped package.
    fn bill(&self, package: &str) -> PathBuf {
        self.bills.join(format!("{package}.cdx.json"))
    }
}

/// Makes the release and prints what it has.
pub(crate) fn run(args: &DistArgs) -> Result<ExitCode> {
    if args.first_use {
        let made = make(&[DistPart::Wheel])?;
        let good = first_use::run(made.wheel.as_deref().context("no wheel was made")?, &made.built)?;
        return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let parts = if args.parts.is_empty() { DistPart::value_variants() } else { &args.parts };
    make(parts)?;
    println!("{}", fs::read_to_string(folder().join(contents::NAME))?.trim());
    ui::info(&format!("the release is in {}", folder().display()));
    Ok(ExitCode::SUCCESS)
}

/// Makes these parts. Others that lie there from an earlier run stay; an older version of a part that is made does not.
///
/// # Errors
/// A library needs a newer glibc than it says, or a part is too large or cannot be made.
pub(crate) fn make(wanted: &[DistPart]) -> Result<MadeRelease> {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    wanted.iter().try_for_each(|part| remove(*part, &folder))?;
    // What packages are made of; nobody downloads it.
    let parts = target().join("dist-parts");
    let built = build::ensure(&parts)?;
    let notices = Notices { licences: licences::write(&parts)?, bills: sbom::write(&parts)? };
    fs::copy(&notices.licences, folder.join(licences::NAME))?;
    let mut made = MadeRelease { built, wheel: None, harness: None, math: None, deb: None };
    for part in wanted {
        match part {
            DistPart::Wheel => {
                made.wheel = Some(wheel::pack(&wheel::PRODUCT, &made.built, &notices, &[], &parts, &folder)?);
            }
            DistPart::Harness => {
                made.harness =
                    Some(wheel::pack(&wheel::HARNESS, &made.built, &notices, &[], &parts, &folder)?);
            }
            DistPart::Math => {
                let drop_ins = math::drop_ins(&made.built.file("libpi_math.so"), &parts.join("math"))?;
                audit::check(&drop_ins, math::GLIBC)?;
                made.math =
                    Some(wheel::pack(&wheel::MATH, &made.built, &notices, &drop_ins, &parts, &folder)?);
            }
            DistPart::Deb => made.deb = Some(deb::pack(&made.built, &notices, &parts, &folder)?),
            DistPart::Crates => crates::pack(&folder.join("crates"))?,
            DistPart::Debug => build::pack_debug_files(&made.built, &folder)?,
        }
    }
    contents::write(&folder)?;
    Ok(made)
}

/// Removes what an earlier run made of a part.
fn remove(part: DistPart, folder: &Path) -> Result<()> {
    let (start, ending) = match part {
        DistPart::Wheel => (wheel::start_of_name(&wheel::PRODUCT), ".whl"),
        DistPart::Harness => (wheel::start_of_name(&wheel::HARNESS), ".whl"),
        DistPart::Math => (wheel::start_of_name(&wheel::MATH), ".whl"),
        DistPart::Deb => (String::new(), ".deb"),
        DistPart::Debug => (String::new(), "-debug.tar.xz"),
        DistPart::Crates => {
            let crates = folder.join("crates");
            return if crates.exists() { Ok(fs::remove_dir_all(crates)?) } else { Ok(()) };
        }
    };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&start) && name.ends_with(ending) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Where everything is made: cargo's build folder, or the one that `CARGO_TARGET_DIR` names.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => std::path::absolute(&folder).unwrap_or_else(|_| folder.into()),
        None => workspace::target(),
    }
}

/// Where a release lies.
pub(crate) fn folder() -> PathBuf {
    target().join("dist")
}

/// A file's size, for people.
fn size(file: &Path) -> Result<String> {
    Ok(format!("{:.2} MB", fs::metadata(file)?.len() as f64 / 1e6))
}
