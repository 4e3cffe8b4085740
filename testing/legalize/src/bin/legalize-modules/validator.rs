//! `spirv-val`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::aliasing;

/// The validator, for one thread.
pub(crate) struct Validator<'p> {
    program: &'p Path,
    folder: TempDir,
}

impl<'p> Validator<'p> {
    pub(crate) fn new(program: &'p Path) -> Result<Self> {
        Ok(Self { program, folder: tempfile::tempdir()? })
    }

    /// Returns what it says about a module that it does not accept. It sees the module without aliasing.
    pub(crate) fn complaint(&self, module: &[u8]) -> Result<Option<String>> {
        let file = self.folder.path().join("module.spv");
        fs::write(&file, aliasing::without(module))?;
        let mut command = Command::new(self.program);
        command.args(["--target-env", "spv1.6"]).arg(&file).stdin(Stdio::null());
        let output = command.output().with_context(|| self.program.display().to_string())?;
        let text = String::from_utf8_lossy(&output.stderr);
        Ok((!output.status.success()).then(|| text.replace(&*file.to_string_lossy(), "")))
    }
}
