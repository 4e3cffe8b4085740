//! Checks that the library exports both interfaces and the stream of native commands, and nothing else.

use testing_support::{exported_names, interface_names, plugin_file};

use super::Case;

pub(crate) const CASES: &[Case] =
    &[("the_library_exports_both_interfaces_and_the_stream_of_native_commands", exports)];

fn exports() {
    let mut names = interface_names();
    names.insert("pi_cuda_native_stream".to_owned());
    assert_eq!(exported_names(&plugin_file()), names);
}
