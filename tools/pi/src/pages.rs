//! `pi completions SHELL`, and the man pages of the packages.

use std::fs;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::CommandStatus;
use crate::cli::{Cli, CompletionsArguments, ManArguments};

/// `pi completions SHELL`
pub fn completions(arguments: &CompletionsArguments) -> Result<CommandStatus> {
    // The generator cannot report a closed pipe, so that it writes to memory.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "pi", &mut text);
    std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
    Ok(CommandStatus::Fine)
}

/// `pi __man FOLDER`: writes `pi.1`, `pi-install.1` and so on.
pub fn man(arguments: &ManArguments) -> Result<CommandStatus> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| format!("the pages cannot be written to {}", folder.display()))?;
    Ok(CommandStatus::Fine)
}
