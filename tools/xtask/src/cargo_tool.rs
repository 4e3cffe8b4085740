//! Programs from the registry of crates, which are installed once in the user's cache.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;
use crate::ui::Step;
use crate::workspace;

/// A program from the registry of crates, at one version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CargoTool {
    /// Its package.
    pub(crate) name: &'static str,
    /// Its file.
    pub(crate) file: &'static str,
    pub(crate) version: &'static str,
    /// Additional options of `cargo install`.
    pub(crate) options: &'static [&'static str],
}

impl CargoTool {
    /// Builds and installs the program if necessary. Returns its file.
    ///
    /// # Errors
    /// Fails if it cannot be downloaded or does not compile.
    pub(crate) fn ensure(self) -> Result<PathBuf> {
        let Self { name, file, version, options } = self;
        let root = workspace::tools();
        let file = root.join("bin").join(file);
        // Cargo's list of the programs that it has installed there.
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
        // The program runs for seconds only, so that a fast build matters more than a fast program.
        install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_LTO", "off");
        process::output(install.env("CARGO_TARGET_DIR", scratch.path()))
            .with_context(|| format!("{name} cannot be installed"))?;
        step.done("");
        Ok(file)
    }
}
