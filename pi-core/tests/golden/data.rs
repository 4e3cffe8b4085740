//! The golden files.

use serde_json::Value;
use sycl_pi_core::Version;

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
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

pub(crate) fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a text in {value}"))
}

pub(crate) fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} is a number in {value}")) as usize
}

/// Returns the version with the given text, which must be a supported one.
pub(crate) fn version(text: &str) -> Version {
    Version::from_text(text.as_bytes()).unwrap_or_else(|| panic!("{text} is served"))
}
