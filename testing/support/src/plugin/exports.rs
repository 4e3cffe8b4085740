//! The names that a library exports.

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

/// Returns the names that a library of any backend exports: each entry point of PI, both spellings of the device-variable
/// pair and the handshake, and each getter of Unified Runtime's tables.
pub fn interface_names() -> BTreeSet<String> {
    use sycl_pi_core::table::{ALIASES, ENTRY_POINTS};
    use sycl_ur_core::table::OLDER_GETTERS;
    let names = ENTRY_POINTS.iter().map(|entry| entry.name);
    let names = names.chain(ALIASES.iter().map(|(alias, _)| *alias)).chain(["piPluginInit"]);
    let getters = sycl_ur_core::TABLES.iter().map(|table| table.getter);
    let getters = getters.chain(OLDER_GETTERS.iter().map(|(_, _, getter)| *getter));
    names.chain(getters).map(ToOwned::to_owned).collect()
}
