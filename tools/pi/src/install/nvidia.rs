//! `--spirv-on-nvidia`: runs programs of a stock libsycl, which contain only SPIR-V, on NVIDIA's GPUs.
//!
//! libsycl passes no SPIR-V to a platform that calls itself CUDA. A file next to our CUDA plugin makes the plugin
//! report the platform as Level Zero. `pi run` and `pi env` set a variable instead. The plugin also needs the program
//! `pi-nvvm` next to it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_nvidia_files::packages_of;
use sycl_pi_nvvm_compiler::{NvvmLibrary, worker_program};

use super::files;
use super::manifest::Manifest;
use super::tree;
use crate::{regular, shell};

/// The variable and its value. As an OpenCL GPU, it would get no kernels whose work-groups must run at the same time.
pub const VARIABLE: (&str, &str) = ("PI_CUDA_AS", "level_zero");
/// The value that earlier versions wrote into the file.
const EARLIER_VALUE: &str = "opencl";
/// The file with the same effect on the plugin next to it.
const NAME_FILE: &str = "pi-cuda-as";
/// The file in a folder of Python packages with which earlier versions set the variable. Every program that Python
/// started inherited it.
const PTH: &str = "sycl-pi-nvidia.pth";
/// The program that runs the compiler.
const WORKER: &str = "pi-nvvm";

/// Installs `pi-nvvm` and the file with the name into the folder of an environment. Returns whether anything is changed,
/// and a description.
///
/// # Errors
/// Fails if there is no `pi-nvvm`, or a folder cannot be written.
pub fn enable(folder: &Path, root: &Path, dry_run: bool) -> Result<(bool, Vec<String>)> {
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
        format!(
            "{} makes the CUDA plugin next to it report itself as Level Zero",
            name_file(folder).display()
        ),
    ];
    if NvvmLibrary::find_in(|| packages_of(root)).is_err() {
        notes.push(format!(
            "it lacks NVIDIA's compiler, libnvvm: pi install --spirv-on-nvidia --with-libraries {} brings it",
            shell::path(root)
        ));
    }
    Ok((changed, notes))
}

/// Removes what [`enable`] installed, and returns the removed files.
///
/// # Errors
/// Fails if a folder cannot be written.
pub fn disable(folder: &Path, dry_run: bool) -> Result<Vec<PathBuf>> {
    let mut there = pth_files(folder);
    there.retain(|file| files::exists(file));
    let of_earlier_version = !there.is_empty();
    let is_ours = |file: &PathBuf| {
        regular::text(file).is_ok_and(|text| [VARIABLE.1, EARLIER_VALUE].contains(&text.trim_end()))
    };
    there.extend(Some(name_file(folder)).filter(is_ours));
    let manifest = Manifest::read(folder)?.unwrap_or_default();
    let worker = folder.join(WORKER);
    // Earlier versions did not record the worker, and installed it together with the files for Python.
    let ours = match &manifest.worker_sha256 {
        Some(hash) => files::exists(&worker) && files::sha256(&worker)? == *hash,
        None => files::exists(&worker) && of_earlier_version,
    };
    there.extend(ours.then_some(worker));
    if dry_run {
        return Ok(there);
    }
    // The files for Python are removed last because they indicate an unrecorded worker.
    there.iter().rev().try_for_each(|file| files::remove(file))?;
    if manifest.worker_sha256.is_some() {
        Manifest { worker_sha256: None, ..manifest }.write(folder)?;
    }
    Ok(there)
}

fn pth_files(folder: &Path) -> Vec<PathBuf> {
    tree::own_site_packages(folder).iter().map(|packages| packages.join(PTH)).collect()
}

/// Returns whether an install has enabled it in the folder.
pub fn is_in(folder: &Path) -> bool {
    files::exists(&name_file(folder)) || pth_files(folder).iter().any(|file| files::exists(file))
}

fn name_file(folder: &Path) -> PathBuf {
    folder.join(NAME_FILE)
}

fn name_text() -> String {
    format!("{}\n", VARIABLE.1)
}
