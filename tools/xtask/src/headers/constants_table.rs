//! `pi-core/tests/golden/constants_table.rs`: every constant with its compiled value, for the golden test.

use super::constants::{Constant, Value};

/// The whole file.
pub(super) fn text(constants: &[Constant]) -> String {
    let mut integers = String::new();
    let mut texts = String::new();
    for Constant { name, ty, value, .. } in constants {
        match value {
            Value::Integer(_) => integers.push_str(&format!("    integer!({name}: {ty}),\n")),
            Value::Text(_) => texts.push_str(&format!("    text!({name}),\n")),
        }
    }
    format!(
        "//! Every constant as compiled. Written by `cargo xtask headers` from pi-core/src/consts. Do not edit.\n\n\
         use std::ffi::CStr;\n\nuse sycl_pi_core::*;\n\n\
         macro_rules! integer {{\n    ($name:ident: $ty:ty) => {{{{\n        let value: $ty = $name;\n        \
         (stringify!($name), stringify!($ty), size_of::<$ty>(), value as i128)\n    }}}};\n}}\n\n\
         macro_rules! text {{\n    ($name:ident) => {{\n        (stringify!($name), $name)\n    }};\n}}\n\n\
         /// Every number of the interface: name, type, size of the type, value.\n\
         pub(crate) const INTEGERS: &[(&str, &str, usize, i128)] = &[\n{integers}];\n\n\
         /// Every text of the interface.\n\
         pub(crate) const TEXTS: &[(&str, &CStr)] = &[\n{texts}];\n"
    )
}
