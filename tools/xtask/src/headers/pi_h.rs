//! Generates `include/pi/pi.h` with cbindgen.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

use super::pi_constants::Constant;
use super::pi_types::Types;
use super::{prototypes, view};

const HEADER: &str = r#"/*
 * The SYCL Plugin Interface (PI), versions 9.11 to 15.47: types, constants, functions.
 *
 * Versions. A plugin serves several PI versions, whose function tables differ in order, length and, for some
 * functions, in signature. The host writes the version that it speaks into `PiVersion` of the structure that it passes
 * to `piPluginInit`; the plugin fills the table of that version. Use the structure of the version that you name:
 *
 *     pi_plugin_15_47 plugin = {.PiVersion = "15.47"};
 *     if (piPluginInit(&plugin) == PI_SUCCESS)
 *         plugin.PiFunctionTable.piPlatformsGet(0, NULL, &count);
 *
 * With dlsym, cast the symbol to `piPluginInit_fn`. Exported symbols and prototypes below are those of PI 15.47, and so
 * are the constants' values; a comment says since which version a constant exists, and where a number was another before.
 *
 * Ownership. What piXCreate, piDevicePartition and the like return holds one reference, which the caller gives back with
 * piXRelease; piXRetain takes one more. Memory of piextUSM*Alloc is freed with piextUSMFree. Arrays and texts that the
 * caller passes in are read during the call and stay the caller's, except the host memory of asynchronous commands,
 * which must live until their event is complete. Query results are written to the caller's memory: ask first with size 0
 * and a null pointer for the size. Texts from piPluginGetLastError and piPluginGetBackendOption belong to the plugin.
 * The OpenCL plugin keeps texts of what the driver refuses from the first call of piPluginGetLastError on: who wants the
 * first one too calls it once at the beginning.
 * Device images passed to piextDeviceSelectBinary stay the caller's.
 *
 * Every function returns a `pi_result`: PI_SUCCESS, or a negative number.
 */"#;

const AFTER_INCLUDES: &str = "
/* Names in device images, and extensions' names. */
";

/// Generates the header.
pub(super) fn text(root: &Path, types: &Types, structs: &str, constants: &[Constant]) -> Result<String> {
    let mut config = config();
    config.after_includes = Some(AFTER_INCLUDES.to_owned() + &view::text_macros(constants));
    let folder = tempfile::tempdir()?;
    let read = |name: &str| {
        let path = root.join("pi-core/src").join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let sources = [
        ("declarations.rs", view::declarations(types, constants)),
        ("structs.rs", view::respelled(structs)),
        ("callbacks.rs", view::respelled(&read("callbacks.rs")?)),
        ("prototypes.rs", view::respelled(&prototypes::text())),
    ];
    config.export.include = sources.iter().flat_map(|(_, source)| declared(source)).collect();
    let mut builder = Builder::new().with_config(config);
    for (name, source) in sources {
        let path = folder.path().join(name);
        fs::write(&path, source)?;
        builder = builder.with_src(path);
    }
    let bindings = builder.generate().context("cbindgen could not make the header")?;
    let mut header = Vec::new();
    bindings.write(&mut header);
    Ok(String::from_utf8(header)?.lines().map(|line| respelled(line) + "\n").collect())
}

/// Returns the rules of the header. They are no file: reading one would have its parser compiled with this program.
fn config() -> Config {
    Config {
        header: Some(HEADER.to_owned()),
        language: Language::C,
        cpp_compat: true,
        style: Style::Both,
        include_guard: Some("PI_PI_H".to_owned()),
        no_includes: true,
        sys_includes: ["stdbool.h", "stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        autogen_warning: Some("/* Written by `cargo xtask headers` from pi-core. Do not edit. */".to_owned()),
        documentation_style: DocumentationStyle::Cxx,
        line_length: 110,
        tab_width: 4,
        ..Config::default()
    }
}

/// Returns the types that a source declares. cbindgen leaves out types that no function uses, unless they are
/// named.
fn declared(source: &str) -> impl Iterator<Item = String> {
    source.lines().filter_map(|line| {
        let declaration =
            ["pub struct ", "pub enum ", "pub type "].iter().find_map(|start| line.strip_prefix(start))?;
        let end = declaration.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        Some(declaration[..end].to_owned())
    })
}

/// Rewrites a line of cbindgen's: numbers from 10 up in base 16, for which people search, and parentheses around a
/// macro with a cast.
fn respelled(line: &str) -> String {
    if let Some((name, value)) = line.strip_prefix("#define ").and_then(|define| define.split_once(' '))
        && let Some((ty, number)) = value.strip_prefix('(').and_then(|cast| cast.split_once(')'))
    {
        return format!("#define {name} (({ty}){})", base_16(number));
    }
    match line.strip_suffix(',').and_then(|item| item.split_once(" = ")) {
        Some((name, number)) if name.starts_with("    ") => format!("{name} = {},", base_16(number)),
        _ => line.to_owned(),
    }
}

fn base_16(number: &str) -> String {
    match number.parse::<u64>() {
        Ok(value) if value > 9 => format!("{value:#x}"),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_type_is_found() {
        let source =
            "pub struct a {\npub type b = u8;\n    pub c: u8,\npub enum _d {\npub const E: u8 = 1;\n";
        assert_eq!(declared(source).collect::<Vec<_>>(), ["a", "b", "_d"]);
    }

    #[test]
    fn macros_that_cast_get_parentheses() {
        assert_eq!(respelled("#define A (pi_map_flags)1"), "#define A ((pi_map_flags)1)");
        assert_eq!(respelled("#define A \"(text)\""), "#define A \"(text)\"");
        assert_eq!(respelled("typedef int a;"), "typedef int a;");
    }

    #[test]
    fn large_numbers_are_written_in_base_16() {
        assert_eq!(respelled("    PI_A = 4096,"), "    PI_A = 0x1000,");
        assert_eq!(respelled("    PI_B = -30,"), "    PI_B = -30,");
        assert_eq!(respelled("#define C (pi_x)16"), "#define C ((pi_x)0x10)");
    }
}
