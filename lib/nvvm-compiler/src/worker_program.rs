//! The location of the program that runs libnvvm.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use sycl_pi_host_process::trusted_variable;

use crate::error::NvvmError;

/// The program's file name.
const NAME: &str = "pi-nvvm";

/// Returns the program `pi-nvvm`: the one that `PI_NVVM_COMPILER` names, or else the first one next to the library or
/// program that contains this code, in `bin` next to that folder, or in `PATH`. Folders of `PATH` that depend on the
/// working directory are skipped.
///
/// # Errors
///
/// There is none. The error lists the places.
pub fn worker_program() -> Result<PathBuf, NvvmError> {
    if let Some(asked) = trusted_variable("PI_NVVM_COMPILER") {
        let file = PathBuf::from(&asked);
        let tried = format!("PI_NVVM_COMPILER is {asked:?}, which is not a file");
        return if file.is_file() { Ok(absolute(&file)) } else { Err(NvvmError::NoProgram { tried }) };
    }
    let own = sycl_pi_dynload::own_file();
    let folder = own.as_deref().and_then(Path::parent);
    // The installed file may be a link to the place where everything was built or unpacked.
    let real = own.as_deref().and_then(|file| file.canonicalize().ok());
    let path = trusted_variable("PATH").unwrap_or_default();
    let folders = folder.into_iter().chain(real.as_deref().and_then(Path::parent));
    let mut candidates: Vec<_> =
        folders.flat_map(|folder| [folder.join(NAME), folder.join("../bin").join(NAME)]).collect();
    candidates.extend(search_path(&path).map(|folder| folder.join(NAME)));
    candidates.into_iter().find(|file| file.is_file()).map(|file| absolute(&file)).ok_or_else(|| {
        let folder = folder.map_or_else(String::new, |folder| format!("in {}, ", folder.display()));
        NvvmError::NoProgram { tried: format!("it is not {folder}in its neighbour bin, nor on PATH") }
    })
}

/// Returns the folders of a search path. An empty part would be the working directory, from which nothing may be run.
/// An empty search path consists of one such part.
fn search_path(path: &OsStr) -> impl Iterator<Item = PathBuf> {
    env::split_paths(path).filter(|folder| folder.is_absolute())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_directory_is_no_folder_of_a_search_path() {
        for (path, folders) in [
            ("", &[][..]),
            (":", &[]),
            (":/usr/bin:", &["/usr/bin"]),
            ("/bin::.:bin:/usr/bin", &["/bin", "/usr/bin"]),
        ] {
            let found: Vec<_> = search_path(OsStr::new(path)).collect();
            assert_eq!(found, folders.iter().map(PathBuf::from).collect::<Vec<_>>(), "{path:?}");
        }
    }
}
