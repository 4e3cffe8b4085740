//! Expands the list to plain Rust, because cbindgen does not expand macros: prototypes, pointer types and one table
//! structure for each version. `ctests/golden.py` compares the resulting header with the golden data.

use std::fmt::Write as _;

use sycl_pi_core::table::{ALIASES, entry_point, names_by_slot};
use sycl_pi_core::{ENTRY_POINTS, EntryPoint, Version};

/// Returns a version as part of an identifier, e.g. `9_11`.
pub(super) fn id(version: Version) -> String {
    version.text().replace('.', "_")
}

/// Returns the name of the pointer type for the function in `version`'s table under an entry point's name.
fn pointer(entry: &EntryPoint, version: Version) -> String {
    match entry.older {
        Some(older) if version <= older.until => older_pointer(entry.name, older.until),
        _ => format!("{}_fn", entry.name),
    }
}

fn older_pointer(name: &str, until: Version) -> String {
    format!("{name}_until_{}_fn", id(until))
}

/// Returns the parameters. Names that are keywords in Rust or C would need special treatment. The list contains
/// none, and the compilers of both would report one.
fn parameters(params: &[(&str, &str)]) -> String {
    let params: Vec<String> = params.iter().map(|(name, ty)| format!("{name}: {}", tidy(ty))).collect();
    params.join(", ")
}

/// Formats a type like rustfmt. The spacing of `stringify!` is not specified.
fn tidy(ty: &str) -> String {
    ty.replace("* const ", "*const ").replace("* mut ", "*mut ")
}

/// Describes the versions that have an entry point.
fn presence(entry: &EntryPoint) -> String {
    let versions: Vec<&str> = Version::ALL
        .into_iter()
        .filter(|version| entry.slot(*version).is_some())
        .map(Version::text)
        .collect();
    let newest = entry.slot(Version::NEWEST).is_some();
    match (versions.as_slice(), newest) {
        (all, _) if all.len() == Version::ALL.len() => "In every version.".to_owned(),
        ([only], _) => format!("PI {only} only."),
        ([first, ..], true) => format!("From PI {first} on."),
        ([.., last], false) => format!("Up to PI {last}."),
        ([], _) => "In no table.".to_owned(),
    }
}

/// Returns the complete text.
pub(super) fn text() -> String {
    let mut out = String::new();
    write_prototypes(&mut out);
    write_pointers(&mut out);
    for version in Version::ALL {
        write_table(&mut out, version);
    }
    out
}

fn write_prototypes(out: &mut String) {
    out.push_str("unsafe extern \"C\" {\n");
    out.push_str("    /// Fills the function table of `plugin_info` for the version named in its `PiVersion`.\n    ///\n");
    out.push_str("    /// The structure may be smaller than `pi_plugin`: it has the size of that version's. A version that the\n");
    out.push_str("    /// plugin does not serve is refused with `PI_ERROR_INVALID_OPERATION`, and nothing is written.\n");
    out.push_str("    pub fn piPluginInit(plugin_info: *mut pi_plugin) -> pi_result;\n");
    for entry in ENTRY_POINTS {
        let _ = writeln!(out, "    /// {}", super::pi_functions::brief(entry.name));
        let _ = writeln!(out, "    ///\n    /// {}", presence(entry));
        if let Some(older) = entry.older {
            let until = older.until.text();
            let form = if older.params == entry.params { "a meaning" } else { "parameters" };
            let _ = writeln!(out, "    /// Up to PI {until} the table's function has {form} of its own.");
        }
        let _ = writeln!(out, "    pub fn {}({}) -> pi_result;", entry.name, parameters(entry.params));
    }
    for (alias, name) in ALIASES {
        if let Some(entry) = entry_point(name) {
            let _ = writeln!(out, "    /// `{name}` under the name that its design gave it.");
            let _ = writeln!(out, "    pub fn {alias}({}) -> pi_result;", parameters(entry.params));
        }
    }
    out.push_str("}\n\n");
}

fn write_pointers(out: &mut String) {
    let mut write = |docs: String, name: String, params: &[(&str, &str)]| {
        let params = parameters(params);
        let _ = writeln!(out, "/// {docs}");
        let _ = writeln!(out, "pub type {name} = Option<unsafe extern \"C\" fn({params}) -> pi_result>;");
    };
    write(
        "Pointer to `piPluginInit`.".to_owned(),
        "piPluginInit_fn".to_owned(),
        &[("plugin_info", "*mut pi_plugin")],
    );
    for entry in ENTRY_POINTS {
        write(format!("Pointer to `{}`.", entry.name), format!("{}_fn", entry.name), entry.params);
        if let Some(older) = entry.older {
            let docs = format!("Pointer to `{}` as it is up to PI {}.", entry.name, older.until.text());
            write(docs, older_pointer(entry.name, older.until), older.params);
        }
    }
    out.push('\n');
}

fn write_table(out: &mut String, version: Version) {
    let mut slots: Vec<_> = names_by_slot(version).collect();
    slots.sort_unstable_by_key(|(slot, _)| *slot);
    let count = slots.len();
    let _ = writeln!(
        out,
        "/// The function table of PI {}: {count} functions in the order of their slots.",
        version.text()
    );
    let _ = writeln!(out, "#[repr(C)]\npub struct pi_function_table_{} {{", id(version));
    for (_, entry) in slots {
        let _ = writeln!(out, "    pub {}: {},", entry.name, pointer(entry, version));
    }
    out.push_str("}\n\n");
}
