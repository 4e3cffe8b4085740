//! pi-core is read by every other crate: it needs no standard library, opens nothing and logs nothing.

use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::TokenTree;

use super::{Findings, sources, tokens};

/// Words that begin a path to something that runs.
const FOREIGN: [&str; 6] = ["std", "alloc", "libc", "libloading", "log", "opencl_sys"];
/// Words that have no place in it at all.
const FORBIDDEN: [&str; 6] = ["dlopen", "dlsym", "println", "eprintln", "env", "option_env"];

/// Looks at every source of pi-core; its tests may do as they like.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let mut findings = Vec::new();
    for source in sources::read(root, &["pi-core/src"], &["rs"])? {
        let found = find(&source.text).with_context(|| format!("cannot read {}", source.path))?;
        findings.extend(found.into_iter().map(|(line, word)| format!("{}:{line}: {word}", source.path)));
        if source.path == "pi-core/src/lib.rs" && !source.text.contains("#![no_std]") {
            findings.push(format!("{}: #![no_std] is missing", source.path));
        }
    }
    Ok(findings)
}

fn find(text: &str) -> Result<Vec<(usize, String)>> {
    let tokens = tokens::flat(text)?;
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Ident(word) = token else { continue };
        let is_path = matches!(tokens.get(index + 1), Some(TokenTree::Punct(next)) if next.as_char() == ':')
            && matches!(tokens.get(index + 2), Some(TokenTree::Punct(next)) if next.as_char() == ':');
        let is_crate = index > 0 && tokens::is_word(tokens.get(index - 1), "crate");
        let foreign = (is_path || is_crate) && FOREIGN.iter().any(|name| word == name);
        if foreign || FORBIDDEN.iter().any(|name| word == name) {
            found.push((word.span().start().line, word.to_string()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        find(text).unwrap().into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn the_standard_library_and_effects_are_found() {
        assert_eq!(
            words("use std::fs; extern crate alloc; const A: &str = env!(\"A\");"),
            ["std", "alloc", "env"]
        );
        assert_eq!(words("fn f() { log::info!(\"\") }"), ["log"]);
    }

    #[test]
    fn the_core_library_comments_and_parameters_are_not() {
        assert!(words("use core::ffi::c_void; // std::fs\nfn f(log: u8) -> u8 { log }").is_empty());
    }
}
