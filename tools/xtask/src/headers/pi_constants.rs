//! The constants of pi-core, from `pi-core/golden/enums.json`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use super::files;
use super::output::{Output, first_line, golden};

const GOLDEN: &str = "pi-core/golden/enums.json";
const TYPES: &str = "pi-core/golden/structs.json";
const LONGEST_LINE: usize = 110;

/// The golden data.
#[derive(Deserialize)]
struct Enums {
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    name: String,
    value: Value,
    /// The version that the header's log names.
    since: Option<String>,
    #[serde(default)]
    older_values: Vec<OlderValue>,
}

#[derive(Deserialize)]
struct OlderValue {
    value: Value,
    up_to: String,
}

#[derive(Deserialize)]
struct Structs {
    typedefs: Vec<Typedef>,
}

#[derive(Deserialize)]
struct Typedef {
    name: String,
    #[serde(rename = "type")]
    ty: String,
}

/// The value of a constant.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub(super) enum Value {
    /// A number.
    Integer(i64),
    /// A NUL-terminated string.
    Text(String),
}

/// A constant.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    /// Its group in the golden data.
    pub(super) group: String,
    /// Its C name.
    pub(super) name: String,
    /// Its Rust type.
    pub(super) ty: String,
    /// Its value in the newest version.
    pub(super) value: Value,
    /// The first version, if the header's log names it.
    pub(super) since: Option<String>,
    /// The last older value, with the last version that has it.
    pub(super) older: Option<(Value, String)>,
}

/// Reads all constants, in the order of `pi_constants.txt`.
pub(super) fn read(root: &Path) -> Result<Vec<Constant>> {
    let (golden, structs): (Enums, Structs) = (golden(root, GOLDEN)?, golden(root, TYPES)?);
    let files = listed()?;
    let groups = files::by_name(&files, &golden.groups, |group| &group.name)?;
    let mut constants = Vec::new();
    for (name, ty) in files.iter().flat_map(|file| &file.groups) {
        let group = groups[name];
        let ty = if ty.is_empty() { type_of(group, &structs.typedefs) } else { ty };
        constants.extend(group.items.iter().map(|item| constant(group, item, ty)));
    }
    Ok(constants)
}

fn listed() -> Result<Vec<files::File<'static>>> {
    files::parse(include_str!("pi_constants.txt"))
}

/// Returns the Rust type of a group: the alias of the enumeration, the alias that has the group's name, or the C type.
fn type_of<'a>(group: &'a Group, typedefs: &'a [Typedef]) -> &'a str {
    let alias_of = |ty: &str| typedefs.iter().find(|of| of.ty.strip_prefix("enum ") == Some(ty));
    let alias = alias_of(&group.name)
        .or_else(|| typedefs.iter().find(|of| of.name == group.name))
        .or_else(|| alias_of(&group.ty));
    match (alias, &*group.ty) {
        (Some(alias), _) => &alias.name,
        (None, "uint8_t") => "u8",
        (None, "uint16_t") => "u16",
        (None, "const char *") => "&CStr",
        (None, name) => name,
    }
}

fn constant(group: &Group, item: &Item, ty: &str) -> Constant {
    Constant {
        group: group.name.clone(),
        name: item.name.clone(),
        ty: ty.to_owned(),
        value: item.value.clone(),
        since: item.since.clone(),
        older: item.older_values.last().map(|older| (older.value.clone(), older.up_to.clone())),
    }
}

/// Generates the files of constants.
pub(super) fn generate(constants: &[Constant]) -> Result<Vec<Output>> {
    let output = |file: files::File<'_>| {
        let mut body = String::new();
        for (name, _) in &file.groups {
            let _ = write!(body, "\n// {name}\n");
            for constant in constants.iter().filter(|constant| constant.group == *name) {
                write(&mut body, constant);
            }
        }
        let core = if body.contains("&CStr") { "use core::ffi::CStr;\n\n" } else { "" };
        let first = first_line(GOLDEN);
        let text = format!("{first}//! {}\n\n{core}use crate::types::*;\n{body}", file.title);
        Output { path: format!("pi-core/src/consts/{}.rs", file.name), text }
    };
    Ok(listed()?.into_iter().map(output).collect())
}

fn write(out: &mut String, constant: &Constant) {
    let Constant { group, name, ty, .. } = constant;
    let (subject, value) = match &constant.value {
        Value::Text(text) => (text, format!("c{text:?}")),
        Value::Integer(number) => (group, integer(*number, ty)),
    };
    let docs = match (&constant.older, &constant.since) {
        (Some((Value::Integer(_), until)), _) => {
            format!("; until {until} another number, see [`crate::advice`].")
        }
        (Some((Value::Text(older), until)), _) => format!(" ({older:?} up to {until})."),
        (None, Some(since)) => format!(", since PI {since}."),
        (None, None) => ".".to_owned(),
    };
    let _ = writeln!(out, "/// `{subject}`{docs}");
    let line = format!("pub const {name}: {ty} = {value};");
    if line.len() > LONGEST_LINE {
        let _ = writeln!(out, "pub const {name}: {ty} =\n    {value};");
    } else {
        let _ = writeln!(out, "{line}");
    }
}

/// Formats a number: from 10 up in base 16, for which people search.
fn integer(number: i64, ty: &str) -> String {
    match number {
        // Property keys of queues count down from the largest number.
        ..0 if ty == "pi_queue_properties" => format!("{number}i64 as u64"),
        10.. => format!("{number:#x}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(value: Value, since: Option<&str>, older: Option<(Value, &str)>) -> String {
        let constant = Constant {
            group: "_pi_x".to_owned(),
            name: "PI_A".to_owned(),
            ty: "pi_x".to_owned(),
            value,
            since: since.map(str::to_owned),
            older: older.map(|(value, until)| (value, until.to_owned())),
        };
        let mut out = String::new();
        write(&mut out, &constant);
        out
    }

    #[test]
    fn a_comment_names_the_first_version_or_the_last_with_another_value() {
        let (one, ten) = (Value::Integer(1), Value::Integer(10));
        let since = line(one.clone(), Some("12.20"), None);
        assert_eq!(since, "/// `_pi_x`, since PI 12.20.\npub const PI_A: pi_x = 1;\n");
        let older = line(ten, None, Some((one, "14.37")));
        let comment = "/// `_pi_x`; until 14.37 another number, see [`crate::advice`].\n";
        assert_eq!(older, format!("{comment}pub const PI_A: pi_x = 0xa;\n"));
    }

    #[test]
    fn texts_are_c_strings_with_their_text_in_the_comment() {
        let text = |text: &str| Value::Text(text.to_owned());
        let written = line(text("spir64"), None, Some((text("spir"), "9.11")));
        assert_eq!(written, "/// `spir64` (\"spir\" up to 9.11).\npub const PI_A: pi_x = c\"spir64\";\n");
    }

    #[test]
    fn a_group_has_the_alias_of_its_enumeration_or_its_own_name_or_its_c_type() {
        let typedefs = [("pi_a", "enum _pi_a"), ("pi_flags", "pi_bitfield")]
            .map(|(name, ty)| Typedef { name: name.to_owned(), ty: ty.to_owned() });
        let of = |name: &str, ty: &str| {
            let group = Group { name: name.to_owned(), ty: ty.to_owned(), items: Vec::new() };
            type_of(&group, &typedefs).to_owned()
        };
        assert_eq!(of("_pi_a", "int"), "pi_a");
        assert_eq!(of("pi_flags", "pi_bitfield"), "pi_flags");
        assert_eq!(of("aliases", "_pi_a"), "pi_a");
        assert_eq!([of("kind", "uint8_t"), of("texts", "const char *")], ["u8", "&CStr"]);
    }

    #[test]
    fn keys_of_queue_properties_are_unsigned() {
        assert_eq!(integer(-1, "pi_queue_properties"), "-1i64 as u64");
        assert_eq!(integer(-30, "pi_result"), "-30");
    }
}
