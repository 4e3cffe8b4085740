//! Generates the structures of pi-core from `pi-core/golden/structs.json`. `pi_plugin` is written by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use super::layouts;
use super::output::{Output, first_line, golden};
use super::pi_functions::rust_type;

const GOLDEN: &str = "pi-core/golden/structs.json";

const BEGINNING: &str = "\
//! Structures that cross the boundary by pointer or value.

use core::ffi::{c_char, c_void};

use crate::types::*;
";

/// The golden data.
#[derive(Deserialize)]
struct Structs {
    structs: Vec<Struct>,
}

#[derive(Deserialize)]
struct Struct {
    name: String,
    /// The name that C programs use instead, and this crate too.
    value_typedef: Option<String>,
    pointer_typedef: Option<String>,
    size: usize,
    alignment: usize,
    fields: Vec<Field>,
    /// For each version, whether it has the structure, if that is known.
    present: BTreeMap<String, Option<bool>>,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    offset: usize,
}

/// Generates the file of structures.
pub(super) fn generate(root: &Path) -> Result<Output> {
    let golden: Structs = golden(root, GOLDEN)?;
    let mut text = first_line(GOLDEN) + BEGINNING + layouts::MACRO;
    let is_served = |of: &&Struct| of.name != "_pi_plugin" && of.present.values().any(|is| *is == Some(true));
    for of in golden.structs.iter().filter(is_served) {
        write(&mut text, of);
    }
    Ok(Output { path: "pi-core/src/structs.rs".to_owned(), text })
}

fn write(out: &mut String, of: &Struct) {
    let name = of.value_typedef.as_ref().unwrap_or(&of.name);
    let _ = writeln!(out, "\n/// `{}`: {} bytes.", of.name, of.size);
    let fields: Vec<&str> = of.fields.iter().map(|field| field.name.as_str()).collect();
    if fields.iter().any(|field| layouts::field_name(field) != *field) {
        let _ = writeln!(out, "/// cbindgen:field-names=[{}]", fields.join(", "));
    }
    let _ = writeln!(out, "#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {name} {{");
    for Field { name, ty, offset } in &of.fields {
        let _ = writeln!(out, "    /// `{ty}` at offset {offset}.");
        let _ = writeln!(out, "    pub {}: {},", layouts::field_name(name), rust_type(name, ty));
    }
    out.push_str("}\n");
    if let Some(pointer) = &of.pointer_typedef {
        let _ = writeln!(out, "/// Pointer to [`{name}`].\npub type {pointer} = *mut {name};");
    }
    let fields = of.fields.iter().map(|field| (field.name.as_str(), field.offset));
    out.push_str(&layouts::assertion(name, of.size, of.alignment, fields));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_written_under_its_typedef_with_its_pointer_and_its_layout() {
        let golden = r#"{"name": "_pi_x", "value_typedef": "pi_x", "pointer_typedef": "pi_x_pointer", "size": 4,
            "alignment": 2, "present": {}, "fields": [{"name": "type", "type": "uint16_t", "offset": 0}]}"#;
        let mut out = String::new();
        write(&mut out, &serde_json::from_str(golden).unwrap());
        let expected = "\n/// `_pi_x`: 4 bytes.\n/// cbindgen:field-names=[type]\n#[repr(C)]\n\
            #[derive(Clone, Copy, Debug)]\npub struct pi_x {\n    /// `uint16_t` at offset 0.\n    pub type_: u16,\n}\n\
            /// Pointer to [`pi_x`].\npub type pi_x_pointer = *mut pi_x;\nlayout!(pi_x: 4 2; type_ 0);\n";
        assert_eq!(out, expected);
    }
}
