//! Converts the format strings of `printf` to those that `vprintf` understands.
//!
//! `vprintf` does not know OpenCL C's `hl` and `v4`, nor the lengths `z`, `j` and `t`, which Intel's drivers accept
//! too; `h` and `hh` are missing from its lists. Integers are therefore passed with 32 or 64 bits, and vectors as
//! numbers separated by commas.

use std::mem::take;

/// A conversion in the text's spelling: `%-8.3v4hld`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conversion {
    /// Flags, width and precision.
    pub(super) shape: String,
    /// The number of vector elements.
    pub(super) lanes: Option<u32>,
    /// The width of an integer in bits, if the length is below 32.
    pub(super) small: Option<u32>,
    /// The conversion specifier: `d`, `f`, `s`.
    pub(super) kind: char,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Literal text, with `%%` for a percent sign.
    Text(String),
    Conversion(Conversion),
}

impl Conversion {
    pub(super) fn is_integer(&self) -> bool {
        "diouxXc".contains(self.kind)
    }

    pub(super) fn is_signed(&self) -> bool {
        "di".contains(self.kind)
    }

    /// Returns the number of arguments before the value: each is a `*` for the width or the precision.
    pub(super) fn stars(&self) -> usize {
        self.shape.matches('*').count()
    }

    /// Returns the conversion of one number, which has either 64 bits or fewer.
    pub(super) fn text(&self, is_long: bool) -> String {
        let length = if self.is_integer() && is_long { "ll" } else { "" };
        format!("%{}{length}{}", self.shape, self.kind)
    }
}

/// Splits a text into pieces, or returns `None` if it contains a conversion that OpenCL C does not define.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece>> {
    let (mut pieces, mut plain) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        plain.push_str(before);
        if let Some(more) = after.strip_prefix('%') {
            plain.push_str("%%");
            rest = more;
            continue;
        }
        let (conversion, more) = conversion(after)?;
        pieces.extend([Piece::Text(take(&mut plain)), Piece::Conversion(conversion)]);
        rest = more;
    }
    plain.push_str(rest);
    pieces.push(Piece::Text(plain));
    Some(pieces)
}

/// Splits off the leading part that consists of these letters.
fn leading<'t>(text: &'t str, letters: &str) -> (&'t str, &'t str) {
    let end = text.find(|letter| !letters.contains(letter)).unwrap_or(text.len());
    text.split_at(end)
}

/// Parses the conversion at the start of a text, without its percent sign.
fn conversion(text: &str) -> Option<(Conversion, &str)> {
    let (shape, mut rest) = leading(text, "-+ #0123456789.*");
    let mut lanes = None;
    if let Some(vector) = rest.strip_prefix('v') {
        let (digits, more) = leading(vector, "0123456789");
        lanes = Some(digits.parse().ok().filter(|lanes| [2, 3, 4, 8, 16].contains(lanes))?);
        rest = more;
    }
    let (length, more) = leading(rest, "hlzjtL");
    let small = match length {
        "hh" => Some(8),
        "h" => Some(16),
        "" | "l" | "ll" | "hl" | "z" | "j" | "t" | "L" => None,
        _ => return None,
    };
    let mut letters = more.chars();
    let kind = letters.next().filter(|kind| "diouxXcfFeEgGaAsp".contains(*kind))?;
    Some((Conversion { shape: shape.to_owned(), lanes, small, kind }, letters.as_str()))
}
