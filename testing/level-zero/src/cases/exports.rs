//! Checks that the library exports both interfaces and nothing else.

use testing_support::{exported_names, interface_names, plugin_file};

use super::Case;

pub(crate) const CASES: &[Case] = &[("the_library_exports_both_interfaces_and_nothing_else", exports)];

fn exports() {
    assert_eq!(exported_names(&plugin_file()), interface_names());
}
