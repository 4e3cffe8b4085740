//! Programs from the registry of crates. They are installed into the user's cache, once.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;
use crate::ui::Step;
use crate::workspace;

/// A program from the registry of crates, at one version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CargoTool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// More options of `cargo install`.
    pub(crate) options: &'static [&'static str],
}

impl CargoTool {
    /// Builds and installs the program if that has not been done. Returns its file.
    ///
    /// # Errors
    /// It cannot be downloaded or does not compile.
    pub(crate) fn ensure(self) -> Result<PathBuf> {
        let Self { name, version, options } = self;
        let root = workspace::tools();
        let file = root.join("bin").join(name);
        // Cargo keeps this list of what it has installed there.
        let installed = fs::read_to_string(root.join(".crates.toml")).unwrap_or_default();
        if installed.contains(&format!("\"{name} {version} (")) && file.exists() {
            return Ok(file);
        }
        let step = Step::start(format!("installing {name} {version}, once: this takes minutes"));
        let scratch = tempfile::tempdir()?;
        let mut install = process::cargo();
        install
            .args(["install", "--locked", "--force", "--version", version, name, "--root"])
            .arg(&root)
            .args(options);
        // It runs for seconds: a fast build counts more than a fast program.
        install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_LTO", "off");
        process::output(install.env("CARGO_TARGET_DIR", scratch.path()))
            .with_context(|| format!("{name} cannot be installed"))?;
        step.done("");
        Ok(file)
    }
}
