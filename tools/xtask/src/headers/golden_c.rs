//! `ctests/golden_abi.c`: a C program that holds the header to the golden data. It is made from the JSON files alone, so
//! that a mistake in pi-core shows.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// The whole program.
pub(super) fn text(root: &Path) -> Result<String> {
    let golden = |name: &str| -> Result<Value> {
        let path = root.join("pi-core/golden").join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))
    };
    let (functions, enums, structs) =
        (golden("functions.json")?, golden("enums.json")?, golden("structs.json")?);
    let mut out = String::from(
        "/* Holds include/pi/pi.h to the golden data: sizes, offsets, values, slots, signatures.\n\
         \x20* Written by `cargo xtask headers` from pi-core/golden. Do not edit. */\n\
         #include \"golden_abi.h\"\n",
    );
    let mut names = Vec::new();
    for group in list(&enums, "groups") {
        names.push(write_group(&mut out, group));
    }
    names.push(write_types(&mut out, &structs));
    names.push(write_structs(&mut out, &structs));
    names.push(write_prototypes(&mut out, &functions));
    for version in list(&functions, "versions").iter().filter_map(Value::as_str) {
        names.push(write_table(&mut out, &functions, version));
    }
    out.push_str("\nint main(void)\n{\n");
    for name in names {
        let _ = writeln!(out, "    check_{name}();");
    }
    out.push_str("    return report();\n}\n");
    Ok(out)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn open(out: &mut String, name: &str) {
    let _ = writeln!(out, "\nstatic void check_{name}(void)\n{{");
}

/// The values of one group of constants as of the newest version, and the size of each.
fn write_group(out: &mut String, group: &Value) -> String {
    let name = word(group, "name").trim_start_matches('_').to_owned();
    open(out, &name);
    for item in list(group, "items") {
        let name = word(item, "name");
        match &item["value"] {
            Value::String(text) => {
                let _ = writeln!(out, "    TEXT({name}, \"{text}\");");
            }
            value => {
                let _ = writeln!(out, "    VALUE({name}, {value});");
            }
        }
    }
    out.push_str("}\n");
    name
}

/// Sizes of scalars and handles; names that are no C identifier describe a parameter, not a type.
fn write_types(out: &mut String, structs: &Value) -> String {
    open(out, "types");
    for key in ["typedefs", "handles"] {
        for item in list(structs, key) {
            let name = word(item, "name");
            if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                let _ = writeln!(out, "    SIZE({name}, {});", item["size"]);
            }
        }
    }
    out.push_str("}\n");
    "types".to_owned()
}

/// Whether a version that we serve has the structure.
fn is_served(item: &Value) -> bool {
    item["present"].as_object().is_some_and(|present| present.values().any(|value| value == true))
}

fn write_structs(out: &mut String, structs: &Value) -> String {
    open(out, "structs");
    for item in list(structs, "structs").iter().filter(|item| is_served(item)) {
        let name = match (word(item, "value_typedef"), word(item, "variant")) {
            ("", _) => word(item, "name").to_owned(),
            (name, "") => name.to_owned(),
            (name, variant) => format!("{name}_{}", variant.replace('.', "_")),
        };
        let _ = writeln!(out, "    SIZE({name}, {});", item["size"]);
        let _ = writeln!(out, "    ALIGNMENT({name}, {});", item["alignment"]);
        for field in list(item, "fields") {
            let _ = writeln!(
                out,
                "    FIELD({name}, {}, {}, {});",
                word(field, "name"),
                field["offset"],
                field["size"]
            );
        }
    }
    out.push_str("}\n");
    "structs".to_owned()
}

fn parameters(params: &Value) -> String {
    let types: Vec<&str> = params.as_array().into_iter().flatten().map(|param| word(param, "type")).collect();
    types.join(", ")
}

fn write_prototypes(out: &mut String, functions: &Value) -> String {
    open(out, "prototypes");
    let _ =
        writeln!(out, "    POINTER(piPluginInit, ({}));", parameters(&functions["plugin_init"]["params"]));
    for function in list(functions, "functions") {
        let _ =
            writeln!(out, "    POINTER({}, ({}));", word(function, "name"), parameters(&function["params"]));
    }
    out.push_str("}\n");
    "prototypes".to_owned()
}

/// Every slot of one version's table, with the signature that the function has in that version.
fn write_table(out: &mut String, functions: &Value, version: &str) -> String {
    let id = version.replace('.', "_");
    open(out, &format!("table_{id}"));
    let mut slots: Vec<(u64, &Value)> = list(functions, "functions")
        .iter()
        .filter_map(|function| Some((function["slots"][version].as_u64()?, function)))
        .collect();
    slots.sort_unstable_by_key(|(slot, _)| *slot);
    for (slot, function) in &slots {
        let older = list(function, "older_signatures")
            .iter()
            .find(|older| list(older, "versions").iter().any(|of| of == version));
        let params = parameters(older.map_or(&function["params"], |older| &older["params"]));
        let _ = writeln!(out, "    SLOT({id}, {slot}, {}, ({params}));", word(function, "name"));
    }
    let _ = writeln!(out, "    SIZE(pi_function_table_{id}, {});\n}}", slots.len() * 8);
    format!("table_{id}")
}
