//! The names that a plugin or an adapter exports.

use std::collections::BTreeSet;
use std::path::Path;

use object::{Object, ObjectSymbol};

/// Returns the names that a shared library exports.
pub fn exported_names(file: &Path) -> BTreeSet<String> {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let library = object::File::parse(&*bytes).unwrap();
    let exported = library.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    exported.map(|symbol| symbol.name().unwrap().to_owned()).collect()
}

/// Returns the names of every plugin: each entry point, both spellings of the device-variable pair, and the handshake.
pub fn plugin_names() -> BTreeSet<String> {
    use sycl_pi_core::table::{ALIASES, ENTRY_POINTS};
    let names = ENTRY_POINTS.iter().map(|entry| entry.name);
    let names = names.chain(ALIASES.iter().map(|(alias, _)| *alias)).chain(["piPluginInit"]);
    names.map(ToOwned::to_owned).collect()
}
