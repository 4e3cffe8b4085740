//! The program that runs libnvvm: where it lies.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::NvvmError;

/// The program's file name.
const NAME: &str = "pi-nvvm";

/// The program `pi-nvvm`: the one that `PI_NVVM_COMPILER` names; otherwise the first one beside the library or program that has this
/// code, in `bin` beside that folder, and on `PATH`.
///
/// # Errors
///
/// There is none. The error names the places.
pub fn worker_program() -> Result<PathBuf, NvvmError> {
    if let Some(asked) = env::var_os("PI_NVVM_COMPILER").filter(|value| !value.is_empty()) {
        let file = PathBuf::from(&asked);
        let tried = format!("PI_NVVM_COMPILER is {asked:?}, which is no file");
        return if file.is_file() { Ok(absolute(&file)) } else { Err(NvvmError::NoProgram { tried }) };
    }
    let own = sycl_pi_dynload::own_file();
    let folder = own.as_deref().and_then(Path::parent);
    // What is installed may be a link to where everything was built or unpacked.
    let real = own.as_deref().and_then(|file| file.canonicalize().ok());
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = folder.into_iter().chain(real.as_deref().and_then(Path::parent));
    let mut candidates: Vec<_> =
        folders.flat_map(|folder| [folder.join(NAME), folder.join("../bin").join(NAME)]).collect();
    candidates.extend(env::split_paths(&path).map(|folder| folder.join(NAME)));
    candidates.into_iter().find(|file| file.is_file()).map(|file| absolute(&file)).ok_or_else(|| {
        let folder = folder.map_or_else(String::new, |folder| format!("in {}, ", folder.display()));
        NvvmError::NoProgram { tried: format!("it is not {folder}in its neighbour bin, nor on PATH") }
    })
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
