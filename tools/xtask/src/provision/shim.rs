//! A library to preload, with symbols that an older libsycl lacks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::fsutil;
use crate::process;
use crate::releases::Release;
use crate::workspace;

const SOURCE: &str = include_str!("../../shim/libsycl6.c");

/// Builds the symbols that dpctl 0.14.5, which was built with libsycl 2023.2, does not find in the libsycl of an
/// earlier release in `lib`.
pub(crate) fn ensure(release: &Release, lib: &Path) -> Result<PathBuf> {
    let folder = workspace::target().join("clients").join(release.version).join("shim");
    let old = release.version.starts_with("2023.0");
    let content = format!("1 {old} {SOURCE}");
    fsutil::build_folder(&folder, &content, |inside| {
        let source = inside.join("shim.c");
        fs::write(&source, SOURCE)?;
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-Wl,-z,lazy"]);
        if old {
            cc.arg("-DSHIM_2023_0");
        }
        cc.arg(&source).arg("-o").arg(inside.join("libshim.so")).arg(lib.join(release.soname));
        process::output(&mut cc).context("the C compiler could not build the shim")?;
        Ok(())
    })?;
    Ok(folder.join("libshim.so"))
}
