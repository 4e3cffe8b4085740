//! Parameters, compared by a single mapping from C types to Rust types.

use serde_json::Value;
use sycl_pi_core::table::{ENTRY_POINTS, EntryPoint};
use sycl_pi_core::{Version, table::entry_point};

use crate::data::{functions, list, version, word};

/// Functions whose meaning, but not signature, differs in old versions.
const CHANGED_IN_MEANING: [(&str, Version); 2] =
    [("piEventCreate", Version::V9_11), ("piextUSMEnqueueMemAdvise", Version::V14_37)];

/// Arguments that the callee never writes through the outer pointer. Rust declares this; C's headers do not.
const READ_ONLY_LISTS: [&str; 4] = ["strings", "header_include_names", "binaries", "args_mem_loc"];

/// Returns the Rust type that pi-core uses for a C type.
fn rust_type(name: &str, c: &str) -> String {
    let c = c.trim();
    match c {
        "void (*)(const char *errinfo, const void *private_info, size_t cb, void *user_data)" => {
            return "pi_context_notify".into();
        }
        "void (*)(pi_program program, void *user_data)" => return "pi_program_notify".into(),
        "void (*)(pi_event event, pi_int32 event_command_status, void *user_data)" => {
            return "pi_event_notify".into();
        }
        "void (*)(void *)" => return "pi_native_kernel".into(),
        _ => {}
    }
    let (pointee, stars) = match c.find('*') {
        Some(at) => (c[..at].trim(), c[at..].matches('*').count()),
        None => (c, 0),
    };
    let (is_const, base) = match pointee.strip_prefix("const ") {
        Some(base) => (true, base),
        None => (false, pointee),
    };
    let mut rust = match base {
        "size_t" => "usize",
        "int32_t" => "i32",
        "uint64_t" => "u64",
        "int" => "c_int",
        "unsigned int" => "c_uint",
        "unsigned char" => "u8",
        "char" => "c_char",
        "float" => "f32",
        "void" => "c_void",
        "bool" => "pi_cxx_bool",
        base => base,
    }
    .to_owned();
    for level in 0..stars {
        let reads_only = (level == 0 && is_const) || (level == 1 && READ_ONLY_LISTS.contains(&name));
        rust = format!("*{} {rust}", if reads_only { "const" } else { "mut" });
    }
    rust
}

fn golden_parameters(params: &[Value]) -> Vec<(String, String)> {
    params
        .iter()
        .map(|param| {
            let name = word(param, "name");
            (name.to_owned(), rust_type(name, word(param, "type")))
        })
        .collect()
}

/// Returns the list's parameters with normalized spacing, because the token spacing of `stringify!` is unspecified.
fn our_parameters(params: &[(&str, &str)]) -> Vec<(String, String)> {
    params.iter().map(|(name, ty)| (name.to_string(), ty.replace("* ", "*"))).collect()
}

fn older(function: &Value) -> Option<(Version, &[Value])> {
    let older = list(function, "older_signatures").first()?;
    let last = list(older, "versions").last()?.as_str()?;
    Some((version(last), list(older, "params")))
}

#[test]
fn every_function_has_its_parameters() {
    let golden = functions();
    for function in list(&golden, "functions") {
        let name = word(function, "name");
        let ours = our_parameters(entry_point(name).unwrap().params);
        assert_eq!(ours, golden_parameters(list(function, "params")), "{name}");
    }
}

#[test]
fn every_older_signature_holds_up_to_its_last_version() {
    let golden = functions();
    for function in list(&golden, "functions") {
        let name = word(function, "name");
        let entry: &EntryPoint = entry_point(name).unwrap();
        let Some((until, params)) = older(function) else { continue };
        for version in Version::ALL.into_iter().filter(|version| entry.slot(*version).is_some()) {
            let expected = if version <= until { params } else { list(function, "params") };
            let ours = our_parameters(entry.params_in(version));
            assert_eq!(ours, golden_parameters(expected), "{name} in {version:?}");
        }
    }
}

#[test]
fn older_signatures_are_whole_runs_from_the_first_version_on() {
    let golden = functions();
    for function in list(&golden, "functions") {
        let signatures = list(function, "older_signatures");
        assert!(signatures.len() <= 1, "the list has room for one older form of {}", word(function, "name"));
        for signature in signatures {
            let versions: Vec<Version> =
                list(signature, "versions").iter().map(|text| version(text.as_str().unwrap())).collect();
            assert_eq!(versions, Version::ALL[..versions.len()], "{}", word(function, "name"));
        }
    }
}

#[test]
fn an_older_form_has_other_parameters_or_is_known_to_mean_something_else() {
    let golden = functions();
    for entry in ENTRY_POINTS {
        let Some(ours) = entry.older else { continue };
        let function =
            list(&golden, "functions").iter().find(|function| word(function, "name") == entry.name).unwrap();
        match older(function) {
            Some((until, _)) => assert_eq!(ours.until, until, "{}", entry.name),
            None => {
                assert!(CHANGED_IN_MEANING.contains(&(entry.name, ours.until)), "{}", entry.name);
                assert_eq!(our_parameters(ours.params), our_parameters(entry.params), "{}", entry.name);
            }
        }
    }
    for (name, until) in CHANGED_IN_MEANING {
        let listed = entry_point(name).and_then(|entry| entry.older).map(|older| older.until);
        assert_eq!(listed, Some(until), "{name}");
    }
}
