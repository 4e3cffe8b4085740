//! Built programs on disk, so that processes that build the same modules build each only once. The folder is
//! `PI_SOFT_ZE_CACHE`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::cl::{Input, Program, runtime};
use crate::config::config;
use crate::object::native;

/// Builds a program, or loads what an earlier process built from the same inputs. The error is the log.
pub(crate) fn build(inputs: &[Input]) -> Result<Program, String> {
    let Some(folder) = &config().cache else { return Program::build(inputs) };
    let file = place(folder, inputs)?;
    let kept = fs::read(&file).ok().and_then(|bytes| native::read(&bytes));
    // The name is a hash, which other inputs may share.
    if let Some(kept) = kept.filter(|kept| kept.inputs == inputs)
        && let Ok(program) = Program::load(&kept.binary)
    {
        return Ok(program);
    }
    let program = Program::build(inputs)?;
    keep(&file, &native::write(inputs, "", &program.binary()));
    Ok(program)
}

fn place(folder: &Path, inputs: &[Input]) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    (&runtime()?.version, std::env::var_os("CL_CONFIG_CPU_TARGET_ARCH"), inputs).hash(&mut hasher);
    Ok(folder.join(format!("{:016x}", hasher.finish())))
}

/// Writes the file completely or not at all. A program that is not stored is built again.
fn keep(file: &Path, bytes: &[u8]) {
    let partial = file.with_extension(format!("{}-{:?}", std::process::id(), std::thread::current().id()));
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, file));
    if written.is_err() {
        let _ = fs::remove_file(partial);
    }
}
