//! Rust source as tokens: comments and texts are no code, code inside macros is.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Something in a source that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsafe {
    /// `unsafe { .. }`
    Block,
    /// `unsafe impl` or `unsafe trait`
    Impl,
    /// `unsafe fn name`, with or without `extern`
    Function,
    /// `#[unsafe(..)]`
    Attribute,
}

impl Unsafe {
    /// What it is, for a message.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Unsafe::Block => "an unsafe block",
            Unsafe::Impl => "an unsafe implementation",
            Unsafe::Function => "an unsafe function",
            Unsafe::Attribute => "an unsafe attribute",
        }
    }
}

/// The tokens of a source, every group opened, in order.
pub(super) fn flat(text: &str) -> Result<Vec<TokenTree>> {
    fn open(stream: TokenStream, all: &mut Vec<TokenTree>) {
        for token in stream {
            all.push(token.clone());
            if let TokenTree::Group(group) = token {
                open(group.stream(), all);
            }
        }
    }
    let stream = TokenStream::from_str(text).map_err(|error| anyhow!("{error}"))?;
    let mut all = Vec::new();
    open(stream, &mut all);
    Ok(all)
}

/// Every use of `unsafe` that is code, with its line. Types of function pointers and declarations of foreign functions
/// are none.
pub(super) fn unsafe_code(text: &str) -> Result<Vec<(usize, Unsafe)>> {
    let tokens = flat(text)?;
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if is_word(Some(token), "unsafe")
            && let Some(kind) = kind(&tokens[index + 1..])
        {
            found.push((token.span().start().line, kind));
        }
    }
    Ok(found)
}

fn kind(after: &[TokenTree]) -> Option<Unsafe> {
    match after.first()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(Unsafe::Block),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(Unsafe::Attribute),
        TokenTree::Ident(word) if word == "impl" || word == "trait" => Some(Unsafe::Impl),
        TokenTree::Ident(word) if word == "fn" => function(after.get(1)),
        TokenTree::Ident(word) if word == "extern" => {
            let rest = &after[1..];
            let rest = if matches!(rest.first(), Some(TokenTree::Literal(_))) { &rest[1..] } else { rest };
            if is_word(rest.first(), "fn") { function(rest.get(1)) } else { None }
        }
        _ => None,
    }
}

/// A function that is defined has a name; a pointer's type has none.
fn function(name: Option<&TokenTree>) -> Option<Unsafe> {
    matches!(name, Some(TokenTree::Ident(_) | TokenTree::Punct(_))).then_some(Unsafe::Function)
}

/// Whether a token is that word.
pub(super) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(found)) if found == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Unsafe> {
        unsafe_code(text).unwrap().into_iter().map(|(_, kind)| kind).collect()
    }

    #[test]
    fn blocks_implementations_functions_and_attributes_are_unsafe_code() {
        assert_eq!(kinds("fn f() { unsafe { g() } }"), [Unsafe::Block]);
        assert_eq!(kinds("unsafe impl Send for A {}"), [Unsafe::Impl]);
        assert_eq!(kinds("unsafe fn f() {}"), [Unsafe::Function]);
        assert_eq!(kinds("pub unsafe extern \"C\" fn f() {}"), [Unsafe::Function]);
        assert_eq!(kinds("#[unsafe(no_mangle)] fn f() {}"), [Unsafe::Attribute]);
        assert_eq!(kinds("macro_rules! m { () => { unsafe { g() } } }"), [Unsafe::Block]);
    }

    #[test]
    fn types_declarations_comments_and_texts_are_not() {
        assert!(kinds("type F = Option<unsafe extern \"C\" fn(u32) -> i32>;").is_empty());
        assert!(kinds("type F = unsafe fn(u32);").is_empty());
        assert!(kinds("unsafe extern \"C\" { fn f(); }").is_empty());
        assert!(kinds("// unsafe { }\nconst A: &str = \"unsafe {}\";").is_empty());
    }

    #[test]
    fn lines_are_those_of_the_source() {
        assert_eq!(unsafe_code("\n\nunsafe impl A for B {}").unwrap(), [(3, Unsafe::Impl)]);
    }
}
