//! `--spirv-on-nvidia`: programs of a stock libsycl, which hold SPIR-V only, on NVIDIA's GPUs.
//!
//! libsycl hands SPIR-V to no platform that calls itself CUDA. A variable has our CUDA plugin call it OpenCL; Python programs get it
//! from a `.pth` file. The plugin needs the program `pi-nvvm` beside it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_nvvm_compiler::{NvvmLibrary, worker_program};

use super::files;
use super::manifest::Manifest;
use super::tree;
use crate::regular;

/// The variable, and its value.
pub const VARIABLE: (&str, &str) = ("PI_CUDA_AS", "opencl");
/// The file in a folder of Python packages.
const PTH: &str = "sycl-pi-nvidia.pth";
/// The compiler's process.
const WORKER: &str = "pi-nvvm";

/// Puts `pi-nvvm` and the `.pth` files in place. Answers whether anything is changed, and says what.
///
/// # Errors
/// There is no `pi-nvvm`, or a folder cannot be written.
pub fn enable(folder: &Path, dry_run: bool) -> Result<(bool, Vec<String>)> {
    let bytes = regular::read(&worker_program()?)?;
    let worker = folder.join(WORKER);
    let hash = Some(files::sha256_of(&bytes));
    let mut manifest = Manifest::read(folder)?.unwrap_or_default();
    let mut changed = manifest.worker_sha256 != hash;
    if changed && !dry_run {
        manifest.worker_sha256 = hash;
        manifest.write(folder)?;
    }
    changed |= files::update(&worker, &bytes, files::mode_in(folder, 0o755), dry_run)?;
    let pths = pth_files(folder);
    for file in &pths {
        let mode = files::mode_in(file.parent().unwrap_or(folder), 0o644);
        changed |= files::update(file, line().as_bytes(), mode, dry_run)?;
    }
    let (name, value) = VARIABLE;
    let mut notes = vec![format!("{} compiles SPIR-V", worker.display())];
    notes.extend(pths.iter().map(|file| format!("{} sets {name}={value} for Python", file.display())));
    notes.push(format!("other programs need {name}={value} (pi run or pi env with --spirv-on-nvidia)"));
    if let Err(error) = NvvmLibrary::find() {
        notes.push(error.to_string());
    }
    Ok((changed, notes))
}

/// Removes what [`enable`] put in place. Answers which files.
///
/// # Errors
/// A folder cannot be written.
pub fn disable(folder: &Path, dry_run: bool) -> Result<Vec<PathBuf>> {
    let mut there = pth_files(folder);
    there.retain(|file| files::exists(file));
    let manifest = Manifest::read(folder)?.unwrap_or_default();
    let worker = folder.join(WORKER);
    // Earlier versions recorded no worker, and put one in place with the files for Python.
    let ours = match &manifest.worker_sha256 {
        Some(hash) => files::exists(&worker) && files::sha256(&worker)? == *hash,
        None => files::exists(&worker) && !there.is_empty(),
    };
    there.extend(ours.then_some(worker));
    if dry_run {
        return Ok(there);
    }
    // The files for Python go last: they tell of a worker that is not recorded.
    there.iter().rev().try_for_each(|file| files::remove(file))?;
    if manifest.worker_sha256.is_some() {
        Manifest { worker_sha256: None, ..manifest }.write(folder)?;
    }
    Ok(there)
}

fn pth_files(folder: &Path) -> Vec<PathBuf> {
    tree::site_packages(folder).iter().map(|packages| packages.join(PTH)).collect()
}

/// Python runs a line of a `.pth` file that begins with `import`, before anything else is imported.
fn line() -> String {
    format!("import os; os.environ.setdefault('{}', '{}')\n", VARIABLE.0, VARIABLE.1)
}
