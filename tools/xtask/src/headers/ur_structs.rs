//! Generates the structures of ur-core from `ur-core/golden/structs.json`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::layouts;
use super::output::{Output, first_line, golden};
use super::ur_layouts::{older_suffix, presence};

const GOLDEN: &str = "ur-core/golden/structs.json";

const FOLDER: &str = "ur-core/src/structs";

const BEGINNING: &str = "\
//! Structures that cross the boundary by pointer or value.
//!
//! A plain name is the newest form. If older layouts have another form, `NAME_until_2025_1` is the form in the layouts
//! up to 2025.1.
";

const IMPORTS: &str = "
#![allow(unused_imports, reason = \"only some files need all\")]

use core::ffi::{c_char, c_int, c_void};

";

/// The files: the name, the title, the beginnings of the names of its structures without `ur_` and `exp_`, and the files that
/// these use.
#[rustfmt::skip]
const FILES: &[(&str, &str, &[&str], &[&str])] = &[
    ("bindless", "Imported memory, and samplers of bindless images", &["external", "file_descriptor", "sampler_", "win32"], &[]),
    ("command_buffer", "Command buffers", &["command_buffer"], &["kernel"]),
    ("common", "Descriptions that all others begin like, and places in code", &["base", "code_location"], &[]),
    ("context", "Contexts and platforms", &["context", "platform"], &[]),
    ("device", "Devices", &["device"], &[]),
    ("event", "Events, and what may be enqueued with them", &["event", "enqueue", "host_task"], &[]),
    ("image", "Images and samplers", &["image", "sampler"], &["mem"]),
    ("kernel", "Kernels and launches", &["kernel", "launch"], &[]),
    ("mem", "Buffers, physical memory and regions", &["buffer", "mem", "physical_mem", "rect"], &[]),
    ("program", "Programs", &["program", "specialization"], &[]),
    ("queue", "Queues", &["queue"], &[]),
    ("usm", "Unified shared memory", &["async_usm", "usm"], &[]),
];

/// The golden data.
#[derive(Deserialize)]
pub(super) struct Structs {
    layouts: Vec<String>,
    structs: Vec<Struct>,
}

#[derive(Deserialize)]
struct Struct {
    name: String,
    variants: Vec<Variant>,
}

/// The form that a structure has in some layouts.
#[derive(Deserialize)]
struct Variant {
    layouts: Vec<String>,
    kind: Kind,
    size: usize,
    alignment: usize,
    fields: Vec<Field>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Struct,
    Union,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    offset: usize,
}

/// Reads the golden data.
pub(super) fn read(root: &Path) -> Result<Structs> {
    golden(root, GOLDEN)
}

/// Generates the files of structures.
pub(super) fn generate(golden: &Structs) -> Result<Vec<Output>> {
    let file = |name: &str, text: String| Output {
        path: format!("{FOLDER}/{name}.rs"),
        text: first_line(GOLDEN) + &text,
    };
    let homes = golden.structs.iter().map(|of| home(&of.name)).collect::<Result<Vec<_>>>()?;
    let (mut modules, mut exports) = (String::new(), String::new());
    let mut outputs = Vec::new();
    for (name, title, _, uses) in FILES {
        let _ = writeln!(modules, "mod {name};");
        let _ = writeln!(exports, "pub use {name}::*;");
        let mut out = format!("//! {title}.\n{IMPORTS}");
        for used in *uses {
            let _ = writeln!(out, "use super::{used}::*;");
        }
        out += "use crate::consts::*;\nuse crate::types::*;\n";
        for (of, _) in golden.structs.iter().zip(&homes).filter(|(_, home)| *home == name) {
            write_all(&mut out, golden, of);
        }
        outputs.push(file(name, out));
    }
    outputs.push(file("mod", format!("{BEGINNING}{}\n{modules}\n{exports}", layouts::MACRO)));
    Ok(outputs)
}

/// Returns the file of a structure.
fn home(name: &str) -> Result<&'static str> {
    let rest = name.trim_start_matches("ur_").trim_start_matches("exp_");
    let beginning = |beginnings: &[&str]| beginnings.iter().any(|beginning| rest.starts_with(beginning));
    // A structure of bindless images begins like one of images.
    let is_experimental = name.starts_with("ur_exp_");
    let mut files = FILES.iter().filter(|(file, ..)| is_experimental || *file != "bindless");
    let file = files.find(|(_, _, beginnings, _)| beginning(beginnings));
    file.map(|(file, ..)| *file).with_context(|| format!("{name} belongs to no file of {FOLDER}"))
}

fn write_all(out: &mut String, golden: &Structs, of: &Struct) {
    for variant in &of.variants {
        write(out, golden, &of.name, variant);
    }
}

fn write(out: &mut String, golden: &Structs, name: &str, variant: &Variant) {
    let layouts: Vec<&str> = variant.layouts.iter().map(String::as_str).collect();
    let newest = layouts.last().copied().unwrap_or_default();
    let form = form_in(golden, name, newest);
    let presence = presence(&layouts, &golden.layouts);
    let presence = if presence.is_empty() { ".".to_owned() } else { format!(", {}", lowercase(&presence)) };
    let (keyword, debug) = match variant.kind {
        Kind::Struct => ("struct", ", Debug"),
        Kind::Union => ("union", ""),
    };
    let _ = writeln!(out, "\n/// `{name}`: {} bytes{presence}", variant.size);
    let _ = writeln!(out, "#[repr(C)]\n#[derive(Clone, Copy{debug})]\npub {keyword} {form} {{");
    for Field { name, ty, offset } in &variant.fields {
        let _ = writeln!(out, "    /// `{}` at offset {offset}.", ty.replace("_Bool", "bool"));
        let _ = writeln!(out, "    pub {}: {},", layouts::field_name(name), rust_type(golden, ty, newest));
    }
    let fields = variant.fields.iter().map(|field| (field.name.as_str(), field.offset));
    let _ = write!(out, "}}\n{}", layouts::assertion(&form, variant.size, variant.alignment, fields));
    if variant.kind == Kind::Union {
        let _ = writeln!(
            out,
            "\n/// Prints the name only, because the active member is stored elsewhere.\n\
             impl core::fmt::Debug for {form} {{\n    \
             fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{\n        \
             f.debug_struct(\"{form}\").finish_non_exhaustive()\n    }}\n}}"
        );
    }
}

fn lowercase(sentence: &str) -> String {
    sentence.chars().take(1).flat_map(char::to_lowercase).chain(sentence.chars().skip(1)).collect()
}

/// Returns the Rust name of a C type in a layout. Only structures have more than one form.
fn form_in(golden: &Structs, name: &str, layout: &str) -> String {
    let variants = golden.structs.iter().find(|of| of.name == name).map_or(&[][..], |of| &of.variants);
    match variants.iter().rposition(|variant| variant.layouts.iter().any(|of| of == layout)) {
        Some(index) if index + 1 < variants.len() => {
            let layouts: Vec<&str> = variants[index].layouts.iter().map(String::as_str).collect();
            format!("{name}{}", older_suffix(&layouts))
        }
        _ => name.to_owned(),
    }
}

/// Returns the Rust type for a C type in a layout.
pub(super) fn rust_type(golden: &Structs, c: &str, layout: &str) -> String {
    if let Some((element, length)) = c.strip_suffix(']').and_then(|c| c.split_once('[')) {
        return format!("[{}; {length}]", rust_type(golden, element, layout));
    }
    let pointee = c.trim_end_matches('*');
    let (base, outer) = pointee.strip_prefix("const ").map_or((pointee, "mut"), |base| (base, "const"));
    let mut rust = match base.trim() {
        "size_t" => "usize".to_owned(),
        "uint8_t" | "_Bool" => "u8".to_owned(),
        "int32_t" => "i32".to_owned(),
        "uint32_t" => "u32".to_owned(),
        "uint64_t" => "u64".to_owned(),
        "int" => "c_int".to_owned(),
        "float" => "f32".to_owned(),
        "char" => "c_char".to_owned(),
        "void" => "c_void".to_owned(),
        base => form_in(golden, base, layout),
    };
    for level in 0..c.len() - pointee.len() {
        rust = format!("*{} {rust}", if level == 0 { outer } else { "mut" });
    }
    rust
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden() -> Structs {
        let text = r#"{"layouts": ["2025.0", "2025.1"], "structs": [
            {"name": "ur_x_t", "variants": [
                {"layouts": ["2025.0"], "kind": "union", "size": 4, "alignment": 4, "fields": [
                    {"name": "type", "type": "int", "offset": 0}]},
                {"layouts": ["2025.1"], "kind": "struct", "size": 1, "alignment": 1, "fields": [
                    {"name": "b", "type": "_Bool", "offset": 0}]}]}]}"#;
        serde_json::from_str(text).unwrap()
    }

    fn text(golden: &Structs) -> String {
        let mut text = String::new();
        write_all(&mut text, golden, &golden.structs[0]);
        text
    }

    #[test]
    fn structures_of_bindless_images_have_a_file_of_their_own() {
        assert_eq!(home("ur_exp_sampler_mip_properties_t").unwrap(), "bindless");
        assert_eq!(home("ur_sampler_desc_t").unwrap(), "image");
        assert_eq!(home("ur_exp_image_copy_region_t").unwrap(), "image");
        assert!(home("ur_unknown_t").is_err());
    }

    #[test]
    fn types_are_spelled_as_rust_does() {
        let golden = golden();
        let rust = |c| rust_type(&golden, c, "2025.0");
        assert_eq!(rust("const uint8_t**"), "*mut *const u8");
        assert_eq!(rust("uint32_t[3]"), "[u32; 3]");
        assert_eq!(rust("ur_event_handle_t*"), "*mut ur_event_handle_t");
        assert_eq!(rust("const ur_x_t*"), "*const ur_x_t_until_2025_0");
        assert_eq!(rust_type(&golden, "ur_x_t", "2025.1"), "ur_x_t");
    }

    #[test]
    fn a_structure_is_written_with_its_layouts_and_its_layout_in_memory() {
        let expected = "/// `ur_x_t`: 1 bytes, since 2025.1.\n#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct \
            ur_x_t {\n    /// `bool` at offset 0.\n    pub b: u8,\n}\nlayout!(ur_x_t: 1 1; b 0);\n";
        let text = text(&golden());
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn an_older_union_has_a_name_of_its_own_and_prints_it() {
        let text = text(&golden());
        let union = "#[derive(Clone, Copy)]\npub union ur_x_t_until_2025_0 {\n    /// `int` at offset 0.\n    \
            pub type_: c_int,\n}\nlayout!(ur_x_t_until_2025_0: 4 4; type_ 0);\n";
        assert!(text.contains(union), "{text}");
        assert!(text.contains("f.debug_struct(\"ur_x_t_until_2025_0\")"), "{text}");
    }
}
