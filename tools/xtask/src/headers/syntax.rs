//! Rust source files as syntax trees.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The text of a `///` comment, one line per line.
pub(super) fn docs(attributes: &[syn::Attribute]) -> Vec<String> {
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
pub(super) fn parse(path: &Path) -> Result<syn::File> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    syn::parse_file(&text).with_context(|| format!("cannot parse {}", path.display()))
}
