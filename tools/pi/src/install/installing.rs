//! `pi install`

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use sycl_pi_loader::Backend;

use super::active::{self, TreeArguments};
use super::backend_files::BackendFiles;
use super::force_load;
use super::lock;
use super::notes;
use super::nvidia;
use super::opened;
use super::own_libsycl;
use super::pth;
use super::release::Release;
use super::report::{InstallEntry, InstallReport};
use super::sources::{self, Source};
use super::tree::{self, LibsyclFolder};
use super::uninstalling::{has_traces, with_leftovers};
use super::with_libraries;
use super::{dnn, math};
use crate::output::{CommandStatus, Output};
use crate::shell;

#[derive(Args)]
pub struct InstallArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Run the SPIR-V in programs on NVIDIA GPUs, by reporting our CUDA plugin as Level Zero (PI_CUDA_AS=level_zero).
    /// This requires libnvvm: pip install nvidia-cuda-nvcc-cu12. Drop-ins for oneMKL and oneDNN are installed, too.
    #[arg(long)]
    pub spirv_on_nvidia: bool,
    /// First install the required libraries with the environment's pip: libnvvm, cuBLAS, cuFFT, cuSOLVER and cuSPARSE. The command
    /// is printed before it runs.
    #[arg(long, requires = "spirv_on_nvidia")]
    pub with_libraries: bool,
    /// Only print what would be done.
    #[arg(long)]
    pub dry_run: bool,
    /// The plugin or adapter to install; its name determines the backend. May be given more than once. Default: all
    /// that are next to pi.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

/// The planned changes of one folder.
struct PlannedInstall<'a> {
    /// The environment.
    root: &'a Path,
    libsycl: &'a LibsyclFolder,
    release: Release,
    sources: Vec<&'a Source>,
    spirv_on_nvidia: bool,
    /// Whether the changes are only reported.
    dry_run: bool,
}

/// `pi install DIR`
pub fn install(arguments: &InstallArguments, output: &mut Output) -> Result<CommandStatus> {
    let root = &active::or_named(arguments.tree.folder.as_ref())?;
    let folders = tree::folders(root).map_err(|error| with_leftovers(root, error))?;
    let sources = sources::find(&arguments.plugin)?;
    let dry_run = arguments.dry_run;
    if arguments.with_libraries {
        with_libraries::install(root, dry_run)?;
    }
    // Everything is checked before the first change.
    let mut plans = Vec::new();
    let mut skipped = Vec::new();
    for libsycl in &folders {
        if let Err(error) = libsycl.check_inside(root, "install") {
            skipped.push(error);
            continue;
        }
        let release = Release::find(libsycl)?;
        match sources::fitting(&sources, libsycl, &release) {
            Ok(fitting) => {
                fitting.iter().try_for_each(|source| source.check(libsycl, &release))?;
                let spirv_on_nvidia = arguments.spirv_on_nvidia;
                plans.push(PlannedInstall {
                    root,
                    libsycl,
                    release,
                    sources: fitting,
                    spirv_on_nvidia,
                    dry_run,
                });
            }
            Err(why) => skipped.push(why),
        }
    }
    if let Some(why) = skipped.into_iter().next().filter(|_| plans.is_empty()) {
        bail!("{why:#}; nothing was changed");
    }
    let mut entries = Vec::new();
    for plan in plans {
        let done = lock::change(&plan.libsycl.folder, dry_run, &mut entries, |dry, entries| {
            plan.carry_out(dry, entries)
        });
        if let Err(error) = done {
            let done = entries.iter().map(InstallEntry::file_name).collect::<Vec<_>>().join(", ");
            let folder = shell::path(root);
            let rest = if !done.is_empty() {
                format!("{done} stayed as installed before it; pi uninstall {folder} undoes that")
            } else if has_traces(&plan.libsycl.folder) {
                format!("pi install {folder} continues from here, pi uninstall {folder} undoes everything")
            } else {
                "nothing was changed".into()
            };
            bail!("{error:#}; {rest}");
        }
    }
    let passed_over = entries.iter().any(InstallEntry::is_passed_over);
    InstallReport::new("install", root, dry_run, entries).tell(output)?;
    Ok(if passed_over { CommandStatus::Problem } else { CommandStatus::Fine })
}

impl PlannedInstall<'_> {
    /// Performs all steps, or only reports them. Returns whether anything changes.
    fn carry_out(&self, dry_run: bool, entries: &mut Vec<InstallEntry>) -> Result<bool> {
        let libsycl = self.libsycl;
        let first = entries.len();
        let (mut changed, mut notes) = own_libsycl::enable(libsycl, &self.release, dry_run)?;
        for source in &self.sources {
            let files = BackendFiles::new(&libsycl.folder, libsycl.kind(), source.backend);
            let status = files.install(&source.file, &self.release, dry_run)?;
            changed |= status.changed;
            let told = notes::notes(libsycl, source.backend);
            entries.push(InstallEntry::new(libsycl, Some(self.release.clone()), &files, status, told));
        }
        changed |= self.name_to_python(dry_run, &mut notes)?;
        if self.spirv_on_nvidia {
            let (enabled, told) = nvidia::enable(&libsycl.folder, self.root, dry_run)?;
            changed |= enabled;
            notes.extend(told);
            let (enabled, told) = math::enable(&libsycl.folder, self.root, &self.release, dry_run)?;
            changed |= enabled;
            notes.extend(told);
            let (enabled, told) = dnn::enable(&libsycl.folder, &self.release, dry_run)?;
            changed |= enabled;
            notes.extend(told);
        }
        if let Some(entry) = entries.last_mut() {
            entry.notes.extend(notes);
        }
        // Pending changes are verified later, and dry runs never.
        if !(self.dry_run || dry_run && changed) {
            let asked = opened::ask(libsycl);
            let new = entries.get_mut(first..).unwrap_or_default();
            for (entry, source) in new.iter_mut().zip(&self.sources) {
                let files = BackendFiles::new(&libsycl.folder, libsycl.kind(), source.backend);
                entry.tell_opened(&asked, &files);
            }
        }
        Ok(changed)
    }

    /// Writes the file that names our OpenCL adapter to Python, if the vendor's is part of libsycl.
    fn name_to_python(&self, dry_run: bool, notes: &mut Vec<String>) -> Result<bool> {
        let libsycl = self.libsycl;
        let Some(unified_runtime) = self.release.unified_runtime().filter(|told| told.opencl_inside) else {
            return Ok(false);
        };
        // The list names every adapter of the folder, so installing another backend changes it too.
        let ours = force_load::in_place(libsycl)?;
        let in_place = ours.iter().any(|(backend, _)| *backend == Backend::OpenCl);
        let planned = dry_run && self.sources.iter().any(|source| source.backend == Backend::OpenCl);
        if !in_place && !planned {
            return Ok(false);
        }
        let adapters = force_load::named(libsycl, unified_runtime, &ours)?;
        let changed = in_place && pth::set(&libsycl.folder, &adapters, dry_run)?;
        let files: Vec<PathBuf> = pth::files(&libsycl.folder);
        notes.extend(files.iter().map(|file| format!("{} names the adapters to Python", file.display())));
        let why = format!("{} contains an OpenCL adapter", libsycl.name());
        notes.push(format!("other programs need pi run or pi env: {why}"));
        Ok(changed)
    }
}
