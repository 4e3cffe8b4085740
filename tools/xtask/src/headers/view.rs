//! Rust text that only cbindgen reads: the parts of pi-core that it cannot see because of macros, or that are
//! different in C.
//!
//! C has enumerations where pi-core has integer types with constants (a caller may pass any number, which a Rust `enum`
//! must not hold), `size_t` where Rust has `usize`, and `bool` where pi-core has a byte of any value.

use std::fmt::Write as _;

use sycl_pi_core::Version;

use super::pi_constants::{Constant, Value};
use super::pi_types::{Alias, Types};
use super::prototypes::id;

/// Returns scalars, handles, enumerations, constants, and `pi_plugin` of each version with the names in its table.
pub(super) fn declarations(types: &Types, constants: &[Constant]) -> String {
    let mut out = String::new();
    for (opaque, handle) in types.handles() {
        let _ = writeln!(out, "pub struct {opaque} {{ private: u8 }}\npub type {handle} = *mut {opaque};");
    }
    let mut enumerators = Vec::new();
    for alias in types.aliases(constants) {
        let values: Vec<&Constant> = constants.iter().filter(|constant| constant.ty == alias.name).collect();
        match &alias.enumeration {
            Some(tag) if !values.is_empty() => {
                write_enumeration(&mut out, tag, alias.name, &values);
                enumerators.push(alias.name);
            }
            _ => write_scalar(&mut out, &alias),
        }
    }
    for constant in constants.iter().filter(|constant| !enumerators.contains(&constant.ty.as_str())) {
        write_constant(&mut out, constant);
    }
    for version in Version::ALL {
        write_plugin(&mut out, version);
    }
    out.push_str("/// `pi_plugin` as the newest version has it. Zero it, write the version into `PiVersion`, and pass it on.\n");
    let _ = writeln!(out, "pub type pi_plugin = pi_plugin_{};", id(Version::NEWEST));
    out
}

/// Converts a source file of pi-core to C's spelling of some types.
///
/// The outer pointer of `*const *const` loses its `const`, as in the interface's own headers: unlike C++, C does not
/// convert `const char **` to `const char *const *`.
pub(super) fn respelled(source: &str) -> String {
    let words = source.replace("*const *const ", "*mut *const ").replace("pi_cxx_bool", "bool");
    let words = words.replace("[`", "`").replace("`]", "`");
    words
        .replace(": usize", ": size_t")
        .replace("*const usize", "*const size_t")
        .replace("*mut usize", "*mut size_t")
}

fn write_scalar(out: &mut String, alias: &Alias<'_>) {
    if let Some(tag) = &alias.enumeration {
        let _ = writeln!(out, "/// `{tag}`.");
    }
    let _ = writeln!(out, "pub type {} = {};", alias.name, alias.ty);
}

fn write_enumeration(out: &mut String, tag: &str, name: &str, values: &[&Constant]) {
    let _ = writeln!(out, "#[repr(C)]\npub enum {tag} {{");
    for constant in values {
        if let Value::Integer(value) = constant.value {
            write_docs(out, constant);
            let _ = writeln!(out, "    {} = {value},", constant.name);
        }
    }
    out.push_str("}\n");
    if tag != name {
        let _ = writeln!(out, "pub type {name} = {tag};");
    }
}

fn write_constant(out: &mut String, constant: &Constant) {
    if let Value::Integer(value) = constant.value {
        write_docs(out, constant);
        let (name, ty) = (&constant.name, &constant.ty);
        let _ = writeln!(out, "pub const {name}: {ty} = {value} as {ty};");
    }
}

fn write_docs(out: &mut String, constant: &Constant) {
    if let Some((_, until)) = &constant.older {
        let _ = writeln!(out, "/// Until {until} another number.");
    } else if let Some(since) = &constant.since {
        let _ = writeln!(out, "/// Since PI {since}.");
    }
}

fn write_plugin(out: &mut String, version: Version) {
    let (id, offsets, text) = (id(version), version.offsets(), version.text());
    let field = offsets.version_field;
    let _ = write!(
        out,
        "/// What `piPluginInit` is handed by a host of PI {text}: {size} bytes.\n\
         #[repr(C)]\npub struct pi_plugin_{id} {{\n\
         /// The host's version, \"{text}\". The host fills it before the call.\n\
         pub PiVersion: [c_char; {field}],\n\
         /// The plugin's version. The plugin fills it.\n\
         pub PluginVersion: [c_char; {field}],\n\
         /// Unused by every release; left alone.\n\
         pub Targets: *mut c_char,\n\
         /// The plugin fills it.\n\
         pub PiFunctionTable: pi_function_table_{id},\n",
        size = offsets.size
    );
    if offsets.sanitize_type.is_some() {
        out.push_str("/// Set by the host before the call.\npub SanitizeType: pi_sanitize_type,\n");
    }
    out.push_str("}\n");
}

/// Returns `#define`s of the strings, because cbindgen does not support string constants.
pub(super) fn text_macros(constants: &[Constant]) -> String {
    let mut out = String::new();
    for Constant { name, value, .. } in constants {
        if let Value::Text(text) = value {
            let _ = writeln!(out, "#define {name} \"{text}\"");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_spells_sizes_booleans_and_lists_of_texts_its_own_way() {
        let rust = "fn f(a: usize, b: pi_cxx_bool, c: *const *const c_char, d: *mut usize)";
        let c = "fn f(a: size_t, b: bool, c: *mut *const c_char, d: *mut size_t)";
        assert_eq!(respelled(rust), c);
    }
}
