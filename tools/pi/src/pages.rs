//! `pi completions SHELL`, and the man pages of the packages.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::output::CommandStatus;

#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell.
    pub shell: Shell,
}

#[derive(Args)]
pub struct ManArguments {
    /// The folder for the pages.
    pub folder: PathBuf,
}

/// `pi completions SHELL`
pub fn completions(arguments: &CompletionsArguments, mut pi: Command) -> Result<CommandStatus> {
    // The generator cannot report a closed pipe, so it writes to memory.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut pi, "pi", &mut text);
    std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
    Ok(CommandStatus::Fine)
}

/// `pi __man FOLDER`: writes `pi.1`, `pi-install.1` and so on.
pub fn man(arguments: &ManArguments, pi: Command) -> Result<CommandStatus> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(pi, folder))
        .with_context(|| format!("the pages cannot be written to {}", folder.display()))?;
    Ok(CommandStatus::Fine)
}
