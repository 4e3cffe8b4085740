//! Generates the list of pi-core's functions from `pi-core/golden/functions.json`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;
use sycl_pi_core::Version;

use super::files;
use super::function_list::{FunctionList, Param};
use super::output::{Output, golden};

const GOLDEN: &str = "pi-core/golden/functions.json";

/// The families with their functions, and a line about each function.
const FAMILIES: &str = include_str!("pi_functions.txt");

/// Functions whose meaning, but not signature, differs up to a version.
const CHANGED_IN_MEANING: [(&str, &str); 2] =
    [("piEventCreate", "9.11"), ("piextUSMEnqueueMemAdvise", "14.37")];

/// Arguments that the callee never writes through the outer pointer. Rust declares this; C's headers do not.
const READ_ONLY_LISTS: [&str; 4] = ["strings", "header_include_names", "binaries", "args_mem_loc"];

const LIST: FunctionList = FunctionList {
    path: "pi-core/src/table/list.rs",
    golden: GOLDEN,
    macro_name: "for_each_entry_point",
    row: "[Family] name [slots] (args) [until VERSION => old_name (old_args)]",
    title: "\
//! The single list of entry points.
//!
//! Each column is a version that a release of DPC++ shipped. PI had other versions in between, such as 12.20. Functions
//! introduced by such a version appear in the columns from the next shipped version on, here 12.21.
//!
//! Every function of any supported PI version appears here exactly once, with its object family, C name, slot in the
//! function table of each version (in the order of [`Version::ALL`](crate::Version::ALL); `_` if the version does not
//! have the function), and its signature as of PI 15.47. If older versions gave the function another signature or
//! meaning, `until VERSION => name (signature)` names the function in the tables up to and including that version.
//!
//! Exports, tables, trace names, host-side wrappers and coverage tests are all generated from this list.
",
};

/// The golden data.
#[derive(Deserialize)]
struct Golden {
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    slots: BTreeMap<String, Option<u16>>,
    params: Vec<Param>,
    older_signatures: Vec<OlderSignature>,
}

#[derive(Deserialize)]
struct OlderSignature {
    versions: Vec<String>,
    params: Vec<Param>,
}

/// Returns the line about a function, or an empty one.
pub(super) fn brief(name: &str) -> &'static str {
    let line = |line: &'static str| line.trim().strip_prefix(name)?.strip_prefix(": ");
    FAMILIES.lines().find_map(line).unwrap_or_default()
}

/// Generates the file with the list.
pub(super) fn generate(root: &Path) -> Result<Output> {
    let golden: Golden = golden(root, GOLDEN)?;
    let families = files::parse(FAMILIES)?;
    let functions = files::by_name(&families, &golden.functions, |function| &function.name)?;
    Ok(LIST.generate(&families, |rows, family, name| write(rows, family, functions[name])))
}

fn write(out: &mut String, family: &str, function: &Function) {
    let name = &function.name;
    let slot = |version: Version| match function.slots.get(version.text()) {
        Some(Some(slot)) => slot.to_string(),
        _ => "_".to_owned(),
    };
    let slots = Version::ALL.map(slot).join(" ");
    let params = parameters(&function.params);
    let _ = write!(out, "            [{family}] {name} [{slots}]\n                ({params})");
    let signature = function.older_signatures.first();
    let older =
        signature.and_then(|older| Some((older.versions.last()?.as_str(), parameters(&older.params))));
    let changed = CHANGED_IN_MEANING.iter().find(|(changed, _)| changed == name);
    if let Some((until, params)) = older.or_else(|| changed.map(|(_, until)| (*until, params))) {
        let id = until.replace('.', "_");
        let _ = write!(out, "\n                until V{id} => {name}_until_{id}\n                ({params})");
    }
    out.push_str(";\n");
}

fn parameters(params: &[Param]) -> String {
    let params: Vec<String> =
        params.iter().map(|Param { name, ty }| format!("{name}: {}", rust_type(name, ty))).collect();
    params.join(", ")
}

/// Returns the Rust type for the C type of a parameter or a field.
pub(super) fn rust_type(name: &str, c: &str) -> String {
    let callback = match c {
        "void (*)(const char *errinfo, const void *private_info, size_t cb, void *user_data)" => {
            "pi_context_notify"
        }
        "void (*)(pi_program program, void *user_data)" => "pi_program_notify",
        "void (*)(pi_event event, pi_int32 event_command_status, void *user_data)" => "pi_event_notify",
        "void (*)(void *)" => "pi_native_kernel",
        _ => "",
    };
    if !callback.is_empty() {
        return callback.to_owned();
    }
    let pointee = c.trim_end_matches('*');
    let (base, is_const) = pointee.strip_prefix("const ").map_or((pointee, false), |base| (base, true));
    let base = match base.trim() {
        "size_t" => "usize",
        "uint8_t" | "unsigned char" => "u8",
        "uint16_t" => "u16",
        "int32_t" => "i32",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "int" => "c_int",
        "unsigned int" => "c_uint",
        "char" => "c_char",
        "float" => "f32",
        "void" => "c_void",
        "bool" => "pi_cxx_bool",
        base => base,
    };
    let mut rust = base.to_owned();
    for level in 0..c.len() - pointee.len() {
        let reads_only = (level == 0 && is_const) || (level == 1 && READ_ONLY_LISTS.contains(&name));
        rust = format!("*{} {rust}", if reads_only { "const" } else { "mut" });
    }
    rust
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_as_rust_does() {
        assert_eq!(rust_type("a", "const void *"), "*const c_void");
        assert_eq!(rust_type("a", "const unsigned char **"), "*mut *const u8");
        assert_eq!(rust_type("strings", "const char **"), "*const *const c_char");
        assert_eq!(rust_type("a", "bool"), "pi_cxx_bool");
        assert_eq!(rust_type("a", "void (*)(pi_program program, void *user_data)"), "pi_program_notify");
    }

    fn row(function: &str) -> String {
        let mut out = String::new();
        write(&mut out, "Event", &serde_json::from_str(function).unwrap());
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_older_signature_follows_with_its_last_version() {
        let row = row(r#"{"name": "piX", "slots": {"9.11": 3, "15.47": 4, "12.21": null}, "params": [],
            "older_signatures": [{"versions": ["9.11", "11.15"], "params": [{"name": "a", "type": "int"}]}]}"#);
        assert_eq!(row, "[Event] piX [3 _ _ _ _ _ 4] () until V11_15 => piX_until_11_15 (a: c_int);");
    }

    #[test]
    fn a_function_with_another_meaning_has_an_older_form_with_the_same_parameters() {
        let row = row(r#"{"name": "piEventCreate", "slots": {}, "params": [{"name": "a", "type": "float"}],
            "older_signatures": []}"#);
        let expected = "[Event] piEventCreate [_ _ _ _ _ _ _] (a: f32) until V9_11 => piEventCreate_until_9_11 (a: f32);";
        assert_eq!(row, expected);
    }

    #[test]
    fn every_entry_point_has_a_line() {
        let without = sycl_pi_core::ENTRY_POINTS.iter().filter(|entry| brief(entry.name).is_empty());
        assert_eq!(without.map(|entry| entry.name).collect::<Vec<_>>(), [""; 0]);
    }
}
