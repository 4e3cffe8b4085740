//! Writes the declarations of level-zero-sys, for the macros that it declares types with.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::bindgen::{Bindings, Constant, Named};
use super::output::{Output, first_line};

pub(super) fn generate(folder: &str, source: &str, bindings: &Bindings) -> Result<Vec<Output>> {
    let output = |file: &str, text: String| Output {
        path: format!("{folder}/{file}.rs"),
        text: format!("{}{text}", first_line(source)),
    };
    Ok(vec![
        output("types/constants", constants(bindings)),
        output("types/handles", handles(bindings)),
        output("types/enums", enums(bindings)?),
        output("types/flags", flags(bindings)?),
        output("types/structs", structs(bindings)),
        output("function_list", functions(bindings)),
    ])
}

fn constants(bindings: &Bindings) -> String {
    let mut text =
        "//! Sizes, names of extensions, and other names of types.\n\nuse std::ffi::CStr;\n".to_owned();
    text += "\nuse super::handles::*;\n\n";
    for Constant { of, kind, value } in bindings.constants.iter().filter(|constant| !is_value(constant)) {
        let kind = if kind == "u32" { "usize" } else { "&CStr" };
        let _ = writeln!(text, "/// {}\npub const {}: {kind} = {value};", sentence(of), of.name);
    }
    let is_plain =
        |target: &str| target == "u8" || target.starts_with("ze_") && target.ends_with("_handle_t");
    for alias in bindings.aliases.iter().filter(|alias| is_plain(&alias.target)) {
        let _ = writeln!(text, "/// {}\npub type {} = {};", sentence(&alias.of), alias.of.name, alias.target);
    }
    text
}

fn handles(bindings: &Bindings) -> String {
    let mut text = "//! Handles.\n\nhandles! {\n".to_owned();
    for alias in bindings.aliases.iter().filter(|alias| alias.target.starts_with("*mut _")) {
        let _ = writeln!(text, "    /// {}\n    {}", sentence(&alias.of), alias.of.name);
    }
    text + "}\n"
}

fn enums(bindings: &Bindings) -> Result<String> {
    let mut text = "//! Enumerations.\n\nenums! {\n".to_owned();
    for alias in bindings.aliases.iter().filter(|alias| is_enum(&alias.of.name) && !is_flag(&alias.of.name)) {
        let name = alias.of.name.trim_start_matches('_');
        let _ = writeln!(text, "    /// {}\n    {name} {{", sentence(&alias.of));
        values(&mut text, bindings, name)?;
    }
    Ok(text + "}\n")
}

fn flags(bindings: &Bindings) -> Result<String> {
    let mut text = "//! Flags.\n\nflags! {\n".to_owned();
    for alias in bindings.aliases.iter().filter(|alias| alias.of.name.ends_with("_flags_t")) {
        let (set, one) = (&alias.of.name, alias.of.name.replace("_flags_t", "_flag_t"));
        let _ = writeln!(text, "    /// {}\n    {set} | {one} {{", sentence(&alias.of));
        values(&mut text, bindings, &one)?;
    }
    Ok(text + "}\n")
}

/// Writes the values of an enumeration, and closes its brace.
fn values(text: &mut String, bindings: &Bindings, name: &str) -> Result<()> {
    let of_this = |kind: &str| kind.trim_start_matches('_').trim_end_matches("_newer") == name;
    for Constant { of, value, .. } in bindings.constants.iter().filter(|constant| of_this(&constant.kind)) {
        // The first widens the type, and the second is one of the others.
        if of.name.ends_with("_FORCE_UINT32") || of.name.ends_with("_CURRENT") {
            continue;
        }
        let number: u32 = value.parse().with_context(|| format!("{} is not a number", of.name))?;
        let _ = writeln!(text, "        /// {}\n        {} = {number:#x},", sentence(of), of.name);
    }
    text.push_str("    }\n");
    Ok(())
}

fn structs(bindings: &Bindings) -> String {
    let mut text = "//! Structures, with their sizes and the offsets of their fields.\n\n".to_owned();
    text += "use std::ffi::{c_char, c_int, c_void};\n\nuse super::constants::*;\nuse super::enums::*;\n";
    text += "use super::flags::*;\n\nstructs! {\n";
    for structure in &bindings.structs {
        let name = structure.of.name.trim_start_matches('_');
        let _ = write!(text, "    /// {}\n    {name}: {}", sentence(&structure.of), structure.size);
        if let Some(kind) = structure_type(bindings, name) {
            let _ = write!(text, " = {kind}");
        }
        text.push_str(" {\n");
        for field in &structure.fields {
            let name = match field.of.name.strip_suffix('_') {
                Some(keyword) => format!("r#{keyword}"),
                None => field.of.name.clone(),
            };
            let doc = sentence(&field.of);
            let _ = writeln!(text, "        /// {doc}\n        {name}: {} = {},", field.kind, field.offset);
        }
        text.push_str("    }\n");
    }
    text + "}\n"
}

/// Returns the name of the number in `stype` of a structure that has this field.
fn structure_type<'a>(bindings: &'a Bindings, name: &str) -> Option<&'a str> {
    let (prefix, rest) = name.strip_suffix("_t")?.split_once('_')?;
    let expected = format!("{prefix}_STRUCTURE_TYPE_{rest}").to_uppercase();
    bindings.constants.iter().map(|constant| constant.of.name.as_str()).find(|name| *name == expected)
}

fn functions(bindings: &Bindings) -> String {
    let mut text = "//! The list of functions.\n\n".to_owned();
    text += "/// Passes all functions to a macro, with their documentation, names and parameters.\n";
    text += "#[macro_export]\nmacro_rules! for_each_function {\n    ($then:ident) => {\n        $then! {\n";
    for function in &bindings.functions {
        let row: Vec<_> = function.parameters.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
        let (doc, name, row) = (sentence(&function.of), &function.of.name, row.join(", "));
        let _ = writeln!(text, "            /// {doc}\n            unsafe fn {name}({row}) -> ze_result_t;");
    }
    text + "        }\n    };\n}\n"
}

fn is_value(constant: &Constant) -> bool {
    constant.kind.starts_with('_')
}

/// Returns whether bindgen declares a name as an enumeration.
fn is_enum(name: &str) -> bool {
    name.starts_with('_') && !name.ends_with("_newer")
}

fn is_flag(name: &str) -> bool {
    name.ends_with("_flag_t")
}

/// Returns the first paragraph of a C comment as a sentence.
fn sentence(of: &Named) -> String {
    let lines = of.doc.lines().map(|line| line.trim().trim_start_matches('<').trim_start());
    let lines =
        lines.map(|line| line.strip_prefix("@brief ").unwrap_or(line)).skip_while(|line| line.is_empty());
    let lines: Vec<_> = lines.take_while(|line| !line.is_empty() && !line.starts_with('@')).collect();
    let text = lines.join(" ");
    let mut text = text.as_str();
    // Marks such as `[in]`.
    while let Some((_, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        text = rest.trim_start();
    }
    let text = text.replace('[', "\\[").replace('<', "\\<");
    let words = text.split(' ').map(|word| match word.strip_prefix("::") {
        Some(name) => {
            let (name, rest) =
                name.split_at(name.find(|c| c != '_' && !char::is_alphanumeric(c)).unwrap_or(name.len()));
            format!("`{name}`{rest}")
        }
        None => word.to_owned(),
    });
    let text = words.collect::<Vec<_>>().join(" ");
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), characters.as_str().trim_end_matches('.')),
        None => format!("`{}` of the specification.", of.name.trim_matches('_')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written as bindgen writes.
    const OUTPUT: &str = r#"
pub const ZE_MAX_NAME: u32 = 4;
pub const ZE_A_NAME: &::std::ffi::CStr = c"a";
pub type ze_bool_t = u8;
#[repr(C)]
pub struct _ze_a_handle_t { _unused: [u8; 0] }
/**
 @brief handle of an a*/
pub type ze_a_handle_t = *mut _ze_a_handle_t;
pub type ze_b_handle_t = ze_a_handle_t;
pub type ze_c_handle_t = _ze_c_handle_t;
///< ::ze_a_desc_t
pub const ZE_STRUCTURE_TYPE_A_DESC: _ze_structure_type_t = 16;
pub const ZE_STRUCTURE_TYPE_FORCE_UINT32: _ze_structure_type_t = 2147483647;
pub type _ze_structure_type_t = ::std::os::raw::c_uint;
pub use self::_ze_structure_type_t as ze_structure_type_t;
pub type ze_a_flags_t = u32;
/**< [in] one
< line*/
pub const ZE_A_FLAG_ONE: _ze_a_flag_t = 1;
pub type _ze_a_flag_t = ::std::os::raw::c_uint;
pub type ze_b_flag_t = ::std::os::raw::c_uint;
/**
 @brief describes an a.

 @details
   - more*/
#[repr(C)]
pub struct _ze_a_desc_t {
    ///< [in,out][optional] type of this, see ::zeA.
    pub stype: ze_structure_type_t,
    pub type_: [::std::os::raw::c_char; 4usize],
}
const _: () = {
    ["Size of _ze_a_desc_t"][::std::mem::size_of::<_ze_a_desc_t>() - 8usize];
    ["Alignment of _ze_a_desc_t"][::std::mem::align_of::<_ze_a_desc_t>() - 4usize];
    ["Offset of field: _ze_a_desc_t::stype"][::std::mem::offset_of!(_ze_a_desc_t, stype) - 0usize];
    [
        "Offset of field: _ze_a_desc_t::type_",
    ][::std::mem::offset_of!(_ze_a_desc_t, type_) - 4usize];
};
unsafe extern "C" {
    pub fn zeA(hA: ze_a_handle_t, desc: *const ze_a_desc_t) -> ze_result_t;
}
pub const ZE_A_FLAG_NEW: _ze_a_flag_t_newer = 2;
pub type _ze_a_flag_t_newer = ::std::os::raw::c_uint;
"#;

    fn file(name: &str) -> String {
        let outputs = generate("src", "headers", &Bindings::parse(OUTPUT).unwrap()).unwrap();
        outputs.into_iter().find(|output| output.path == format!("src/{name}.rs")).unwrap().text
    }

    #[test]
    fn enumerations_have_their_values_without_the_one_that_widens_them() {
        let expected = "enums! {
    /// `ze_structure_type_t` of the specification.
    ze_structure_type_t {
        /// `ze_a_desc_t`.
        ZE_STRUCTURE_TYPE_A_DESC = 0x10,
    }
}
";
        assert!(file("types/enums").ends_with(expected), "{}", file("types/enums"));
    }

    #[test]
    fn later_flags_follow_those_of_the_headers() {
        let expected = "flags! {
    /// `ze_a_flags_t` of the specification.
    ze_a_flags_t | ze_a_flag_t {
        /// One line.
        ZE_A_FLAG_ONE = 0x1,
        /// `ZE_A_FLAG_NEW` of the specification.
        ZE_A_FLAG_NEW = 0x2,
    }
}
";
        assert!(file("types/flags").ends_with(expected), "{}", file("types/flags"));
    }

    #[test]
    fn structures_have_their_type_size_and_offsets() {
        let expected = "structs! {
    /// Describes an a.
    ze_a_desc_t: 8 = ZE_STRUCTURE_TYPE_A_DESC {
        /// Type of this, see `zeA`.
        stype: ze_structure_type_t = 0,
        /// `type` of the specification.
        r#type: [c_char; 4] = 4,
    }
}
";
        assert!(file("types/structs").ends_with(expected), "{}", file("types/structs"));
    }

    #[test]
    fn handles_constants_and_functions_are_listed() {
        assert!(
            file("types/handles").ends_with("handles! {\n    /// Handle of an a.\n    ze_a_handle_t\n}\n")
        );
        let constants = file("types/constants");
        assert!(constants.contains("pub const ZE_MAX_NAME: usize = 4;\n"), "{constants}");
        assert!(constants.contains("pub const ZE_A_NAME: &CStr = c\"a\";\n"), "{constants}");
        assert!(constants.contains("pub type ze_bool_t = u8;\n"), "{constants}");
        assert!(constants.contains("pub type ze_b_handle_t = ze_a_handle_t;\n"), "{constants}");
        assert!(!constants.contains("ze_c_handle_t"), "{constants}");
        let row = "unsafe fn zeA(hA: ze_a_handle_t, desc: *const ze_a_desc_t) -> ze_result_t;\n";
        assert!(file("function_list").contains(row));
    }

    #[test]
    fn a_structure_without_a_layout_is_refused() {
        assert!(Bindings::parse("pub struct _ze_b_t { pub a: u32 }").is_err());
    }
}
