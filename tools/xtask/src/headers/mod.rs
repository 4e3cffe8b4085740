//! The C header, which is made from pi-core. It is committed: `cargo xtask headers` writes it, `cargo xtask check` fails when it is not
//! current.

mod briefs;
mod constants;
mod pi_h;
mod prototypes;
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

/// Its path from the repository's root.
pub(crate) const PATH: &str = "include/pi/pi.h";

/// The header, made anew in memory.
pub(crate) fn generate(root: &Path) -> Result<String> {
    pi_h::text(root, &types::read(root)?, &constants::read(root)?)
}

/// `cargo xtask headers`: writes it if it is not current.
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

/// The text of a `///` comment, one line per line.
fn docs(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    lines
}

/// A Rust source file, parsed.
fn parse(path: &Path) -> Result<syn::File> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    syn::parse_file(&text).with_context(|| format!("cannot parse {}", path.display()))
}
