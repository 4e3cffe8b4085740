//! The file with the list of all functions of an interface: a macro that passes its rows to another macro.

use serde::Deserialize;

use super::files::File;
use super::output::{Output, first_line};

/// A parameter in the golden data.
#[derive(Deserialize)]
pub(super) struct Param {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
}

/// A list of entry points: one for each interface.
pub(super) struct FunctionList {
    /// The file to generate.
    pub(super) path: &'static str,
    pub(super) golden: &'static str,
    /// The documentation of the file.
    pub(super) title: &'static str,
    pub(super) macro_name: &'static str,
    /// The form of a row, for the macro's documentation.
    pub(super) row: &'static str,
}

impl FunctionList {
    /// Generates the file. `row` writes the row of a function of a family.
    pub(super) fn generate(&self, families: &[File<'_>], row: impl Fn(&mut String, &str, &str)) -> Output {
        let mut groups = Vec::new();
        for family in families {
            let mut rows = format!("            // {}\n", family.name);
            for (name, _) in &family.groups {
                row(&mut rows, family.name, name);
            }
            groups.push(rows);
        }
        let Self { path, golden, title, macro_name, row } = self;
        let (first, groups) = (first_line(golden), groups.join("\n"));
        let text = format!(
            "{first}{title}
/// Passes the whole list to the macro `consumer`, with the extra tokens in front of the rows.
///
/// `{macro_name}!(consumer, extra tokens)` expands to
/// `consumer! {{ (extra tokens) {row}; ... }}`.
#[macro_export]
macro_rules! {macro_name} {{
    ($($consumer:ident)::+ $(, $($extra:tt)*)?) => {{
        $($consumer)::+! {{ ($($($extra)*)?)
{groups}        }}
    }};
}}
"
        );
        Output { path: (*path).to_owned(), text }
    }
}
