//! The constants declared in pi-core's source. A macro cannot list them, so they are parsed: each one is a single
//! statement.

use std::fs;
use std::path::Path;

/// A constant declared in `src/consts`.
#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: String,
    /// Its type, as written.
    pub(crate) ty: String,
    /// Its value, as written.
    value: String,
}

impl Constant {
    /// Returns the number, or `None` for a text.
    pub(crate) fn number(&self) -> Option<i128> {
        let digits = self.value.split(" as ").next()?.trim_end_matches("i64").replace('_', "");
        match digits.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        }
    }
}

/// Returns every constant of the crate whose source is in the given folder.
pub(crate) fn constants(source: &Path) -> Vec<Constant> {
    let mut found = Vec::new();
    for file in fs::read_dir(source.join("consts")).unwrap() {
        found.extend(statements(&file.unwrap().path(), "pub const "));
    }
    let split = |(name, value): (String, String)| {
        let (ty, value) = value.split_once('=').unwrap();
        Constant { name, ty: ty.trim().to_owned(), value: value.trim().to_owned() }
    };
    found.into_iter().map(split).collect()
}

/// Returns the statements of a file that begin with `start`: the name, and the text from `:` or `=` up to the
/// semicolon.
fn statements(file: &Path, start: &str) -> Vec<(String, String)> {
    let text = format!("\n{}", fs::read_to_string(file).unwrap());
    let start = format!("\n{start}");
    let statements = text.split(start.as_str()).skip(1);
    let split = |statement: &str| {
        let (name, rest) = statement.split_once(';')?.0.split_once([':', '='])?;
        Some((name.trim().to_owned(), rest.trim().to_owned()))
    };
    statements.filter_map(split).collect()
}
