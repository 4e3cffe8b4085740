//! Generates the constants of ur-core from `ur-core/golden/enums.json`.
//!
//! A plain name has the value of the newest layout that has the constant. A value that older layouts use gets the name
//! `NAME_until_LAYOUT`.

use std::fmt::Write as _;

use anyhow::{Result, bail};

use super::files;
use super::output::{Output, first_line};
use super::ur_enums::{Enumeration, Enums, GOLDEN, Item, Value};
use super::ur_layouts::{older_suffix, presence};

/// Generates the files of constants.
pub(super) fn generate(golden: &Enums) -> Result<Vec<Output>> {
    let files = files::parse(include_str!("ur_constants.txt"))?;
    let enums = files::by_name(&files, &golden.enums, |of| &of.name)?;
    let mut outputs = Vec::new();
    for file in &files {
        let groups: Vec<String> = file
            .groups
            .iter()
            .map(|(name, docs)| enumeration(enums[name], docs, &golden.layouts))
            .collect::<Result<_>>()?;
        let body = format!("enumerations! {{\n{}}}\n", groups.join("\n"));
        outputs.push(output(file.name, file.title, &body));
    }
    let (masks, texts): (Vec<&Item>, Vec<&Item>) =
        golden.macros.iter().partition(|item| item.name.ends_with("_MASK"));
    let mut body = "use crate::types::*;\n\nmasks! {\n".to_owned();
    for item in masks {
        let ty = item.name.trim_end_matches("_MASK").to_lowercase() + "_t";
        write_forms(&mut body, "    ", item, &golden.layouts, |value| match value {
            Value::Text(text) => Ok(format!(": {ty} = {text}")),
            Value::Number(_) => bail!("the text of a macro is expected"),
        })?;
    }
    outputs.push(output("masks", "Masks of the unused bits of each set of flags.", &(body + "}\n")));
    let mut body = "texts! {\n".to_owned();
    for item in texts {
        write_forms(&mut body, "    ", item, &golden.layouts, |value| match value {
            Value::Text(text) => Ok(format!(" = c{text}")),
            Value::Number(_) => bail!("the text of a macro is expected"),
        })?;
    }
    let title = "Strings: targets of device binaries, and names of extensions.";
    outputs.push(output("texts", title, &(body + "}\n")));
    Ok(outputs)
}

fn output(name: &str, title: &str, body: &str) -> Output {
    let text = format!("{}//! {title}\n\n{body}", first_line(GOLDEN));
    Output { path: format!("ur-core/src/consts/{name}.rs"), text }
}

/// Returns the rows of an enumeration for `enumerations!`.
fn enumeration(of: &Enumeration, docs: &str, all: &[String]) -> Result<String> {
    let layouts: Vec<&str> = of.layouts.iter().map(String::as_str).collect();
    let mut out = String::new();
    let docs = format!("{docs} {}", presence(&layouts, all));
    let _ = writeln!(out, "    /// {}\n    {} {{", docs.trim_end(), of.name);
    let is_flag = of.name.ends_with("_flag_t");
    for item in &of.items {
        write_forms(&mut out, "        ", item, &of.layouts, |value| match value {
            Value::Number(value) => Ok(format!(" = {}", number(*value, is_flag))),
            Value::Text(_) => bail!("a number is expected"),
        })?;
    }
    out.push_str("    }\n");
    Ok(out)
}

/// Formats the value of an enumerator. Blocks of numbers that experimental features reserve are written in base 16.
fn number(value: u32, is_flag: bool) -> String {
    match value {
        _ if is_flag && value.is_power_of_two() => format!("1 << {}", value.trailing_zeros()),
        0x1000.. => format!("{value:#x}"),
        _ => value.to_string(),
    }
}

/// Writes an item under its plain name, and under one more name for each older value.
fn write_forms(
    out: &mut String,
    indent: &str,
    item: &Item,
    all: &[String],
    declaration: impl Fn(&Value) -> Result<String>,
) -> Result<()> {
    let forms = item.forms(all)?;
    for (number, (value, layouts)) in forms.iter().enumerate() {
        let said = presence(layouts, all);
        if !said.is_empty() {
            let _ = writeln!(out, "{indent}/// {said}");
        }
        let suffix = if number + 1 < forms.len() { older_suffix(layouts) } else { String::new() };
        let _ = writeln!(out, "{indent}{}{suffix}{};", item.name, declaration(value)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(golden: &str) -> String {
        let of: Enumeration = serde_json::from_str(golden).unwrap();
        let all = ["2025.0", "2025.1", "2026.1.1"].map(str::to_owned);
        enumeration(&of, "Kinds.", &all).unwrap()
    }

    #[test]
    fn an_older_value_has_a_name_with_its_last_layout() {
        let golden = r#"{"name": "ur_x_t", "layouts": ["2025.0", "2025.1", "2026.1.1"], "items": [
            {"name": "UR_A", "value_per_layout": {"2025.0": 1, "2025.1": 1, "2026.1.1": 4096}}]}"#;
        let expected = "    /// Kinds.\n    ur_x_t {\n        /// Until 2025.1.\n        UR_A_until_2025_1 = 1;\n        \
            /// Since 2026.1.1.\n        UR_A = 0x1000;\n    }\n";
        assert_eq!(rows(golden), expected);
    }

    #[test]
    fn flags_are_written_as_shifts() {
        assert_eq!([number(2048, true), number(2048, false)], ["1 << 11", "2048"]);
    }
}
