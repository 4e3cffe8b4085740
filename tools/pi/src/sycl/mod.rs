//! Asks an environment's own libsycl for the devices that it sees, through its C++ functions, in a separate
//! process.

mod calls;
mod seen;

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;

use crate::child::{self, ChildEnvironment};
use crate::install::tree::LibsyclFolder;
use crate::output::{CommandStatus, Output};
pub use seen::SeenBySycl;

/// Asks a libsycl in an environment.
///
/// # Errors
/// Fails if it cannot be opened, or the process ends. The message says why.
pub fn ask(libsycl: &LibsyclFolder, environment: &ChildEnvironment) -> Result<SeenBySycl> {
    let words = [OsStr::new("__sycl"), libsycl.libsycl.as_os_str()];
    let answer: Result<SeenBySycl, String> = child::ask(&words, environment)?;
    answer.map_err(|why| anyhow!(why))
}

#[derive(Args)]
pub struct SyclArguments {
    /// The libsycl.
    pub libsycl: PathBuf,
}

/// `pi __sycl FILE`
pub fn run(arguments: &SyclArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut seen = calls::devices_of_libsycl(&arguments.libsycl);
    if let Ok(seen) = &mut seen {
        seen.loaded = loaded_files(&std::fs::read_to_string("/proc/self/maps").unwrap_or_default());
    }
    output.value(&seen.map_err(|error| format!("{error:#}")))?;
    Ok(CommandStatus::Fine)
}

/// Returns the plugins and adapters among the files that a process has mapped.
fn loaded_files(maps: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        maps.lines().filter_map(|line| line.get(line.find('/')?..)).map(PathBuf::from).collect();
    let is_meant = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        ["libpi_", "libur_adapter_"].iter().any(|start| name.starts_with(start))
    };
    files.retain(is_meant);
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_and_adapters_are_found_among_mapped_files() {
        let maps = "7f-80 r-xp 0 08:01 1  /v/lib/libsycl.so.9\n\
                    80-81 r--p 0 08:01 1  /v/lib/libur_adapter_opencl.so.0\n\
                    81-82 r-xp 0 08:01 1  /v/lib/libur_adapter_opencl.so.0\n82-83 rw-p 0 00:00 0  [heap]\n";
        assert_eq!(loaded_files(maps), [PathBuf::from("/v/lib/libur_adapter_opencl.so.0")]);
    }
}
