//! `--spirv-on-nvidia`: programs of a stock libsycl, which hold SPIR-V only, on NVIDIA's GPUs.
//!
//! libsycl hands SPIR-V to no platform that calls itself CUDA. A file beside our CUDA plugin has it call the platform OpenCL. `pi run` and
//! `pi env` name no file and set a variable. The plugin needs the program `pi-nvvm` beside it, too.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_nvvm_compiler::{NvvmLibrary, worker_program};

use super::files;
use super::manifest::Manifest;
use super::tree;
use crate::regular;

/// The variable, and its value.
pub const VARIABLE: (&str, &str) = ("PI_CUDA_AS", "opencl");
/// The file that says the same to the plugin beside it.
const NAME_FILE: &str = "pi-cuda-as";
/// The file in a folder of Python packages with which earlier versions set the variable. Every program that Python started had it.
const PTH: &str = "sycl-pi-nvidia.pth";
/// The compiler's process.
const WORKER: &str = "pi-nvvm";

/// Puts `pi-nvvm` and the file with the name in place. Answers whether anything is changed, and says what.
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
    changed |=
        files::update(&name_file(folder), name_text().as_bytes(), files::mode_in(folder, 0o644), dry_run)?;
    for file in pth_files(folder).iter().filter(|file| files::exists(file)) {
        changed = true;
        if !dry_run {
            files::remove(file)?;
        }
    }
    let mut notes = vec![
        format!("{} compiles SPIR-V", worker.display()),
        format!("{} has the CUDA plugin beside it call itself OpenCL", name_file(folder).display()),
    ];
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
    let of_earlier_version = !there.is_empty();
    let is_ours = |file: &PathBuf| regular::text(file).is_ok_and(|text| text == name_text());
    there.extend(Some(name_file(folder)).filter(is_ours));
    let manifest = Manifest::read(folder)?.unwrap_or_default();
    let worker = folder.join(WORKER);
    // Earlier versions recorded no worker, and put one in place with the files for Python.
    let ours = match &manifest.worker_sha256 {
        Some(hash) => files::exists(&worker) && files::sha256(&worker)? == *hash,
        None => files::exists(&worker) && of_earlier_version,
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
    tree::own_site_packages(folder).iter().map(|packages| packages.join(PTH)).collect()
}

/// Whether an install has asked for it in the folder.
pub fn is_in(folder: &Path) -> bool {
    files::exists(&name_file(folder)) || pth_files(folder).iter().any(|file| files::exists(file))
}

fn name_file(folder: &Path) -> PathBuf {
    folder.join(NAME_FILE)
}

fn name_text() -> String {
    format!("{}\n", VARIABLE.1)
}
