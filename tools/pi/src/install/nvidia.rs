//! `--spirv-on-nvidia`: programs of a stock libsycl, which hold SPIR-V only, on NVIDIA's GPUs.
//!
//! libsycl hands SPIR-V to no platform that calls itself CUDA. A variable has our CUDA plugin call it OpenCL; Python programs get it
//! from a `.pth` file. The plugin needs the program `pi-nvvm` beside it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sycl_pi_nvvm_compiler::{NvvmLibrary, worker_program};

use super::files;
use super::tree::LibsyclFolder;

/// The variable, and its value.
pub const VARIABLE: (&str, &str) = ("PI_CUDA_AS", "opencl");
/// The file in a folder of Python packages.
const PTH: &str = "sycl-pi-nvidia.pth";
/// The compiler's process.
const WORKER: &str = "pi-nvvm";

/// Puts `pi-nvvm` and the `.pth` files in place; says what was done, or would be.
///
/// # Errors
/// There is no `pi-nvvm`, or a folder cannot be written.
pub fn enable(libsycl: &LibsyclFolder, dry_run: bool) -> Result<Vec<String>> {
    let program = worker_program()?;
    let worker = libsycl.folder.join(WORKER);
    let pths = pth_files(libsycl);
    if !dry_run {
        let bytes = std::fs::read(&program).with_context(|| program.display().to_string())?;
        files::write_anew(&worker, &bytes, 0o755)?;
        pths.iter().try_for_each(|file| files::write_anew(file, line().as_bytes(), 0o644))?;
    }
    let (name, value) = VARIABLE;
    let mut notes = vec![format!("{} compiles SPIR-V", worker.display())];
    notes.extend(pths.iter().map(|file| format!("{} sets {name}={value} for Python", file.display())));
    notes.push(format!("other programs need {name}={value} (pi run or pi env with --spirv-on-nvidia)"));
    if let Err(error) = NvvmLibrary::find() {
        notes.push(error.to_string());
    }
    Ok(notes)
}

/// Removes what [`enable`] put in place; says what.
///
/// # Errors
/// A folder cannot be written.
pub fn disable(libsycl: &LibsyclFolder, dry_run: bool) -> Result<Vec<String>> {
    let mut there = pth_files(libsycl);
    there.push(libsycl.folder.join(WORKER));
    there.retain(|file| files::exists(file));
    if !dry_run {
        there.iter().try_for_each(|file| files::remove(file))?;
    }
    Ok(there.iter().map(|file| format!("{} removed", file.display())).collect())
}

fn pth_files(libsycl: &LibsyclFolder) -> Vec<PathBuf> {
    libsycl.site_packages().iter().map(|folder: &PathBuf| Path::new(folder).join(PTH)).collect()
}

/// Python runs a line of a `.pth` file that begins with `import`, before anything else is imported.
fn line() -> String {
    format!("import os; os.environ.setdefault('{}', '{}')\n", VARIABLE.0, VARIABLE.1)
}
