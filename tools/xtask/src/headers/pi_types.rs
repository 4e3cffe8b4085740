//! Generates the scalar types and handles of pi-core from `pi-core/golden/structs.json`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use super::output::{Output, first_line, golden};
use super::pi_constants::{Constant, Value};

const GOLDEN: &str = "pi-core/golden/structs.json";

/// An enumeration without negative constants that a variable holds with an error code nevertheless.
const SIGNED: &str = "pi_event_status";

const BEGINNING: &str = "\
//! Scalar types, opaque handles and callback types, under their C names.

use core::ffi::c_void;

";

const HANDLES: &str = "\
/// C++ `bool` as passed by the interface: one byte, which is true for any value except 0.
pub type pi_cxx_bool = u8;

macro_rules! handles {
    ($($(#[$doc:meta])* $opaque:ident $handle:ident;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $opaque { _opaque: [u8; 0] }
        $(#[$doc])*
        pub type $handle = *mut $opaque;
    )* };
}

handles! {
";

/// The golden data.
#[derive(Deserialize)]
pub(super) struct Types {
    typedefs: Vec<Typedef>,
    handles: Vec<Typedef>,
}

#[derive(Deserialize)]
struct Typedef {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    size: usize,
}

/// A scalar type.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Alias<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// The Rust type that it is an alias of.
    pub(super) ty: &'a str,
    /// The name of its C enumeration, if it has four bytes. Wider ones remain integers, because C11 has no
    /// enumeration wider than `int`.
    pub(super) enumeration: Option<&'a str>,
}

/// Reads the golden data.
pub(super) fn read(root: &Path) -> Result<Types> {
    golden(root, GOLDEN)
}

impl Types {
    /// Returns the scalars in order, with their C types and sizes.
    fn scalars<'a>(&'a self, constants: &[Constant]) -> impl Iterator<Item = (Alias<'a>, &'a Typedef)> {
        let named = self.typedefs.iter().filter(|of| is_named(of));
        named.map(|of| {
            let name = of.name.as_str();
            let tag = of.ty.strip_prefix("enum ");
            let is_negative = |of: &&Constant| of.ty == name && matches!(of.value, Value::Integer(..0));
            let is_signed = name == SIGNED || constants.iter().any(|constant| is_negative(&constant));
            let ty = match (tag, of.size) {
                (Some(_), 8) => "u64",
                (Some(_), _) if is_signed => "i32",
                (Some(_), _) => "u32",
                (None, _) => scalar(&of.ty),
            };
            (Alias { name, ty, enumeration: tag.filter(|_| of.size == 4) }, of)
        })
    }

    /// Returns the scalars in order.
    pub(super) fn aliases(&self, constants: &[Constant]) -> Vec<Alias<'_>> {
        self.scalars(constants).map(|(alias, _)| alias).collect()
    }

    /// Returns the handles: (structure that is never defined, pointer to it).
    pub(super) fn handles(&self) -> impl Iterator<Item = (String, &str)> {
        self.handles.iter().map(|of| (format!("_{}", of.name), of.name.as_str()))
    }
}

/// Generates the file of types.
pub(super) fn generate(types: &Types, constants: &[Constant]) -> Output {
    let mut text = first_line(GOLDEN) + BEGINNING;
    for (Alias { name, ty, .. }, of) in types.scalars(constants) {
        let kind =
            if of.ty.starts_with("enum ") { format!(", {} bytes", of.size) } else { " in C".to_owned() };
        let _ = writeln!(text, "/// `{}`{kind}.\npub type {name} = {ty};", of.ty);
    }
    text.push_str(HANDLES);
    for (opaque, handle) in types.handles() {
        let _ = writeln!(text, "    /// Opaque handle `{handle}`.\n    {opaque} {handle};");
    }
    text.push_str("}\n\n#[cfg(target_pointer_width = \"64\")]\nconst _: () = {\n");
    for of in types.typedefs.iter().chain(&types.handles).filter(|of| is_named(of)) {
        let _ = writeln!(text, "    assert!(size_of::<{}>() == {});", of.name, of.size);
    }
    Output { path: "pi-core/src/types.rs".to_owned(), text: text + "};\n" }
}

/// Returns whether the data names a type. A name that is no identifier describes a parameter.
fn is_named(of: &Typedef) -> bool {
    !of.name.contains(' ')
}

/// Returns the Rust type for a C type that is no enumeration.
fn scalar(c: &str) -> &str {
    match c {
        "int32_t" => "i32",
        "uint8_t" => "u8",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "intptr_t" => "isize",
        "uintptr_t" => "usize",
        "void *" => "*mut c_void",
        alias => alias,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types() -> Types {
        let text = r#"{"handles": [{"name": "pi_h", "type": "struct _pi_h *", "size": 8}], "typedefs": [
            {"name": "pi_a", "type": "enum _pi_a", "size": 4}, {"name": "pi_b", "type": "enum _pi_b", "size": 8},
            {"name": "pi_c", "type": "intptr_t", "size": 8}, {"name": "bool (parameter)", "type": "_Bool", "size": 1}]}"#;
        serde_json::from_str(text).unwrap()
    }

    fn negative() -> Constant {
        let (ty, value) = ("pi_a".to_owned(), Value::Integer(-1));
        Constant { group: "_pi_a".into(), name: "A".into(), ty, value, since: None, older: None }
    }

    #[test]
    fn only_enumerations_of_four_bytes_are_enumerations_in_c() {
        let types = types();
        let tags = types.aliases(&[]).iter().map(|alias| alias.enumeration).collect::<Vec<_>>();
        assert_eq!(tags, [Some("_pi_a"), None, None]);
    }

    #[test]
    fn an_enumeration_with_a_negative_constant_is_signed() {
        let types = types();
        let written =
            |constants: &[Constant]| types.aliases(constants).iter().map(|of| of.ty).collect::<Vec<_>>();
        assert_eq!(written(&[]), ["u32", "u64", "isize"]);
        assert_eq!(written(&[negative()]), ["i32", "u64", "isize"]);
    }

    #[test]
    fn handles_point_to_a_structure_that_is_never_defined() {
        let text = generate(&types(), &[]).text;
        assert!(text.contains("handles! {\n    /// Opaque handle `pi_h`.\n    _pi_h pi_h;\n}\n"), "{text}");
    }

    #[test]
    fn the_size_of_every_type_is_asserted() {
        let text = generate(&types(), &[]).text;
        let (_, assertions) = text.split_once("const _: () = {\n").unwrap();
        let sizes = [("pi_a", 4), ("pi_b", 8), ("pi_c", 8), ("pi_h", 8)];
        let expected = sizes.map(|(name, size)| format!("    assert!(size_of::<{name}>() == {size});\n"));
        assert_eq!(assertions, expected.concat() + "};\n");
    }
}
