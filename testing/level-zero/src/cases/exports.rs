//! Checks that the plugin and the adapter export the interface and nothing else.

use std::collections::BTreeSet;

use testing_support::{exported_names, plugin_file, plugin_names};

use super::Case;

pub(crate) const CASES: &[Case] = &[
    ("the_plugin_exports_every_entry_point_and_nothing_else", plugin),
    ("ur_the_adapter_exports_every_getter_and_nothing_else", adapter),
];

fn plugin() {
    assert_eq!(exported_names(&plugin_file()), plugin_names());
}

fn adapter() {
    let older = sycl_ur_core::table::OLDER_GETTERS.iter().map(|(_, _, getter)| (*getter).to_owned());
    let getters = sycl_ur_core::TABLES.iter().map(|table| table.getter.to_owned()).chain(older);
    let adapter = plugin_file().with_file_name("libur_adapter_level_zero.so");
    assert_eq!(exported_names(&adapter), getters.collect::<BTreeSet<_>>());
}
