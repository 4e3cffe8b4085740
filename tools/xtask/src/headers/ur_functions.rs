//! Generates the list of ur-core's functions from `ur-core/golden/functions.json`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;
use sycl_ur_core::Layout;

use super::files;
use super::function_list::{FunctionList, Param};
use super::output::{Output, golden};
use super::ur_layouts::older_suffix;
use super::ur_structs::{Structs, rust_type};

const GOLDEN: &str = "ur-core/golden/functions.json";

const LIST: FunctionList = FunctionList {
    path: "ur-core/src/table/list.rs",
    golden: GOLDEN,
    macro_name: "for_each_function",
    row: "[Family] name Table [slots] (args) until LAYOUT => old_name (old_args) ... ",
    title: "\
//! The single list of functions.
//!
//! Every adapter function of any supported layout appears here exactly once, with its object family, C name, table,
//! slot in that table in each layout (in the order of [`Layout::ALL`](crate::Layout::ALL); `_` if the layout does not
//! have the function), and its signature as of the newest layout that has it. If older layouts gave the function
//! another signature, `until LAYOUT => name (signature)` names the function in the layouts up to and including that
//! one. A function may have several older forms, oldest first; the first one whose layout is not older than the
//! requested one applies. A form also counts as different if only the structure that it takes has another layout.
//!
//! No function moves to another table. The table called `Adapter` here was called `Global` until 2025.2; see
//! [`for_each_table`](crate::for_each_table). Slot 6 of `EnqueueExp` belongs to no function in 2025.3: no adapter fills
//! it, and no exported function of the loader uses it.
",
};

/// The golden data.
#[derive(Deserialize)]
struct Golden {
    layouts: BTreeMap<String, Tables>,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Tables {
    tables: Vec<Table>,
}

/// A table, with its functions by slot.
#[derive(Deserialize)]
struct Table {
    table: String,
    functions: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    signatures: Vec<Signature>,
}

/// The parameters that a function has in some layouts.
#[derive(Deserialize)]
struct Signature {
    layouts: Vec<String>,
    params: Vec<Param>,
}

/// Generates the file with the list.
pub(super) fn generate(root: &Path, structs: &Structs) -> Result<Output> {
    let golden: Golden = golden(root, GOLDEN)?;
    let families = files::parse(include_str!("ur_functions.txt"))?;
    let functions = files::by_name(&families, &golden.functions, |function| &function.name)?;
    Ok(LIST.generate(&families, |rows, family, name| {
        let (table, slots) = slots(&golden, name);
        let _ = write!(rows, "            [{family}] {name} {table} [{slots}]");
        write_forms(rows, functions[name], structs);
        rows.push_str(";\n");
    }))
}

/// Returns the table of a function, and its slot in each layout.
fn slots<'a>(golden: &'a Golden, name: &str) -> (&'a str, String) {
    let mut found = "";
    let slot = |layout: Layout| {
        let tables = golden.layouts.get(layout.name()).map_or(&[][..], |of| &of.tables);
        let slot = tables.iter().find_map(|Table { table, functions }| {
            let slot = functions.iter().position(|function| function.as_deref() == Some(name))?;
            found = if table == "Global" { "Adapter" } else { table };
            Some(slot.to_string())
        });
        slot.unwrap_or_else(|| "_".to_owned())
    };
    let slots = Layout::ALL.map(slot).join(" ");
    (found, slots)
}

/// Writes the parameters of the newest layout, and then the older forms, oldest first.
fn write_forms(out: &mut String, function: &Function, structs: &Structs) {
    let mut forms: Vec<(Layout, String)> = Vec::new();
    for layout in Layout::ALL {
        let is_of = |signature: &&Signature| signature.layouts.iter().any(|name| name == layout.name());
        let Some(signature) = function.signatures.iter().find(is_of) else { continue };
        let params: Vec<String> = signature
            .params
            .iter()
            .map(|Param { name, ty }| format!("{name}: {}", rust_type(structs, ty, layout.name())))
            .collect();
        let params = params.join(", ");
        match forms.last_mut() {
            Some((last, same)) if *same == params => *last = layout,
            _ => forms.push((layout, params)),
        }
    }
    let Some((_, newest)) = forms.pop() else { return };
    let _ = write!(out, "\n                ({newest})");
    for (until, params) in forms {
        let (name, suffix) = (&function.name, older_suffix(&[until.name()]));
        let _ =
            write!(out, "\n                until {until:?} => {name}{suffix}\n                ({params})");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_form_follows_the_newest_with_its_last_layout() {
        let structs = serde_json::from_str(r#"{"layouts": [], "structs": []}"#).unwrap();
        let function = r#"{"name": "urX", "signatures": [
            {"layouts": ["2025.0", "2025.1"], "params": []},
            {"layouts": ["2025.2", "2025.3"], "params": [{"name": "a", "type": "size_t*"}]}]}"#;
        let mut out = String::new();
        write_forms(&mut out, &serde_json::from_str(function).unwrap(), &structs);
        let rows = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(rows, "(a: *mut usize) until V2025_1 => urX_until_2025_1 ()");
    }

    #[test]
    fn a_slot_is_the_position_in_the_table_of_each_layout() {
        let golden = r#"{"functions": [], "layouts": {
            "2025.0": {"tables": [{"table": "Global", "functions": ["urA", null, "urB"]}]},
            "2026.2": {"tables": [{"table": "Adapter", "functions": ["urB"]}]}}}"#;
        let golden = serde_json::from_str(golden).unwrap();
        assert_eq!(slots(&golden, "urB"), ("Adapter", "2 _ _ _ _ _ 0".to_owned()));
        assert_eq!(slots(&golden, "urA"), ("Adapter", "0 _ _ _ _ _ _".to_owned()));
    }
}
