//! Reads the scalar types and handles from pi-core's source.

use std::path::Path;

use anyhow::Result;

use super::syntax;

/// A scalar type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alias {
    /// Its name.
    pub(super) name: String,
    /// The Rust type that it is an alias of.
    pub(super) ty: String,
    /// The name of its C enumeration, if it has four bytes. Wider ones remain integers, because C11 has no
    /// enumeration wider than `int`.
    pub(super) enumeration: Option<String>,
}

/// The declarations of `pi-core/src/types.rs`.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// Scalars, in order.
    pub(super) aliases: Vec<Alias>,
    /// Handles: (structure that is never defined, pointer to it).
    pub(super) handles: Vec<(String, String)>,
}

/// Reads `pi-core/src/types.rs`.
pub(super) fn read(root: &Path) -> Result<Types> {
    Ok(from_file(syntax::parse(&root.join("pi-core/src/types.rs"))?))
}

fn from_file(file: syn::File) -> Types {
    let mut types = Types::default();
    for item in file.items {
        match item {
            syn::Item::Type(item) => {
                let (name, ty) = (item.ident.to_string(), &item.ty);
                let enumeration = syntax::docs(&item.attrs).first().and_then(|line| enumeration(line));
                types.aliases.push(Alias { name, ty: quote::quote!(#ty).to_string(), enumeration });
            }
            syn::Item::Macro(item) if item.mac.path.is_ident("handles") => {
                types.handles = handles(item.mac.tokens);
            }
            _ => {}
        }
    }
    types
}

/// Returns `_pi_x` for a comment that begins with "`enum _pi_x`, 4 bytes".
fn enumeration(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("`enum ")?.split_once('`')?;
    rest.starts_with(", 4 bytes").then(|| name.to_owned())
}

/// Returns the pairs of names in the rows of `handles!`. Comments are attributes, so that they contain no
/// identifiers at this level.
fn handles(tokens: proc_macro2::TokenStream) -> Vec<(String, String)> {
    let names: Vec<String> = tokens
        .into_iter()
        .filter_map(|token| match token {
            proc_macro2::TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        })
        .collect();
    names.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_enumerations_of_four_bytes_are_enumerations_in_c() {
        let text = "/// `enum _pi_a`, 4 bytes.\npub type pi_a = u32;\n/// `enum _pi_b`, 8 bytes.\npub type pi_b = u64;";
        let types = from_file(syn::parse_file(text).unwrap());
        let found: Vec<_> = types.aliases.iter().map(|alias| alias.enumeration.as_deref()).collect();
        assert_eq!(found, [Some("_pi_a"), None]);
    }

    #[test]
    fn handles_are_read_with_their_comments_skipped() {
        let text = "handles! { /// A handle.\n _pi_a pi_a; /** Another. */ _pi_b pi_b; }";
        let types = from_file(syn::parse_file(text).unwrap());
        assert_eq!(types.handles, [("_pi_a".into(), "pi_a".into()), ("_pi_b".into(), "pi_b".into())]);
    }
}
