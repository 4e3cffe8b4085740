//! The golden files.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde_json::Value;
use sycl_ur_core::Layout;

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("the golden files are JSON")
}

pub(crate) fn functions() -> Value {
    parse(include_str!("../../golden/functions.json"))
}

pub(crate) fn enums() -> Value {
    parse(include_str!("../../golden/enums.json"))
}

pub(crate) fn structs() -> Value {
    parse(include_str!("../../golden/structs.json"))
}

pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list in {value}"))
}

pub(crate) fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a text in {value}"))
}

pub(crate) fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} is a number in {value}")) as usize
}

/// Returns the strings of a list.
pub(crate) fn words<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    list(value, key).iter().map(|text| text.as_str().unwrap()).collect()
}

/// Returns the layouts of the data with their names and contents, oldest first.
pub(crate) fn layouts(functions: &Value) -> Vec<(&str, &Value)> {
    functions["layouts"].as_object().unwrap().iter().map(|(name, of)| (name.as_str(), of)).collect()
}

/// Returns the layout that has the given name in the data, which must be a supported one.
pub(crate) fn layout(name: &str) -> Layout {
    let name = if name == "2026.1.0" { "2026.0" } else { name };
    Layout::ALL.into_iter().find(|layout| layout.name() == name).unwrap_or_else(|| panic!("{name} is served"))
}

/// Maps a table name of the data to ours.
pub(crate) fn table_name(name: &str) -> &str {
    if name == "Global" { "Adapter" } else { name }
}

/// Fails with the elements that only one of the sets has.
pub(crate) fn assert_same<T: Ord + Debug>(ours: &BTreeSet<T>, golden: &BTreeSet<T>) {
    let missing: Vec<_> = golden.difference(ours).collect();
    let stray: Vec<_> = ours.difference(golden).collect();
    assert!(missing.is_empty() && stray.is_empty(), "missing: {missing:?}, too many: {stray:?}");
}
