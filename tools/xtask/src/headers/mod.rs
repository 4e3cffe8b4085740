//! Files written from pi-core: the C header, and the texts that tests and cbindgen read.
//!
//! Every one is committed. `cargo xtask headers` writes them, `cargo xtask check` fails when one is not current.

mod briefs;
mod constants;
mod constants_table;
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

/// A file that is made, not written: its path from the repository's root, and its content.
#[derive(Debug)]
pub(crate) struct Generated {
    /// Path from the repository's root.
    pub(crate) path: &'static str,
    /// The whole content.
    pub(crate) text: String,
}

/// Whether a path from the repository's root is that of a generated file.
pub(crate) fn is_generated(path: &str) -> bool {
    PATHS.contains(&path)
}

const PATHS: [&str; 3] =
    ["include/pi/pi.h", "pi-core/src/table/prototypes.rs", "pi-core/tests/golden/constants_table.rs"];

/// Every generated file, made anew in memory.
pub(crate) fn generate(root: &Path) -> Result<Vec<Generated>> {
    let constants = constants::read(root)?;
    let types = types::read(root)?;
    let prototypes = prototypes::text();
    let header = pi_h::text(root, &types, &constants, &prototypes)?;
    let texts = [header, prototypes, constants_table::text(&constants)];
    Ok(PATHS.into_iter().zip(texts).map(|(path, text)| Generated { path, text }).collect())
}

/// `cargo xtask headers`: writes what is not current.
pub(crate) fn run(_: &HeadersArgs) -> Result<ExitCode> {
    let root = workspace::root();
    for file in generate(&root)? {
        let path = root.join(file.path);
        let current = fs::read_to_string(&path).is_ok_and(|text| text == file.text);
        if !current {
            fs::write(&path, &file.text).with_context(|| format!("cannot write {}", file.path))?;
        }
        ui::info(&format!("{} {}", file.path, if current { "is current" } else { "written" }));
    }
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
