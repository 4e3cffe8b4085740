//! Generates the C header from pi-core. The header is committed: `cargo xtask headers` writes it, and `cargo xtask
//! check` fails if it is not up to date.

mod briefs;
mod constants;
mod pi_h;
mod prototypes;
mod syntax;
mod types;
mod view;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::ui;
use crate::workspace;

/// Arguments of `cargo xtask headers`.
#[derive(Debug, clap::Args)]
pub(crate) struct HeadersArgs {}

/// Its path relative to the repository's root.
pub(crate) const PATH: &str = "include/pi/pi.h";

/// Generates the header in memory.
pub(crate) fn generate(root: &Path) -> Result<String> {
    pi_h::text(root, &types::read(root)?, &constants::read(root)?)
}

/// `cargo xtask headers`: writes the header if it is not up to date.
pub(crate) fn run(_: &HeadersArgs) -> Result<ExitCode> {
    let root = workspace::root();
    let (path, text) = (root.join(PATH), generate(&root)?);
    let is_current = fs::read_to_string(&path).is_ok_and(|current| current == text);
    if !is_current {
        fs::write(&path, &text).with_context(|| format!("cannot write {PATH}"))?;
    }
    ui::info(&format!("{PATH} {}", if is_current { "is current" } else { "written" }));
    Ok(ExitCode::SUCCESS)
}
