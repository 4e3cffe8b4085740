//! The libraries with which the harness counts a driver's objects.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::subject::Subject;
use crate::process;
use crate::workspace;

/// Builds the library that counts the objects of a subject's driver.
pub(crate) fn of(subject: &Subject) -> Result<PathBuf> {
    let folder = workspace::target().join("object-counters");
    fs::create_dir_all(&folder)?;
    let library = folder.join(subject.object_counter).with_extension("so");
    let source = workspace::root().join("testing/robustness/object-counters").join(subject.object_counter);
    // A program that has the old file open keeps it.
    let scratch = tempfile::tempdir_in(&folder)?;
    let fresh = scratch.path().join("library");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-O1", "-fPIC", "-shared", "-o"]).arg(&fresh).arg(source).arg("-ldl");
    process::output(&mut cc)?;
    fs::rename(fresh, &library)?;
    Ok(library)
}
