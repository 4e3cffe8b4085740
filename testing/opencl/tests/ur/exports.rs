//! Checks that the adapter exports the interface and the symbols named here, and nothing else.

use std::collections::BTreeSet;

use testing_support::exported_names;

use crate::host::path;

/// From 2025.3 on, `libsycl` looks up OpenCL's retain functions in the adapter's file, because `sycl::get_native`
/// returns a reference that the caller owns.
const RETAINS: [&str; 7] = [
    "clRetainDevice",
    "clRetainContext",
    "clRetainCommandQueue",
    "clRetainMemObject",
    "clRetainProgram",
    "clRetainKernel",
    "clRetainEvent",
];
/// Several of our libraries in a process share their locks through this symbol.
const LOCKS: &str = "sycl_pi_opencl_locks";

#[test]
fn the_adapter_exports_every_getter_and_what_libsycl_looks_for() {
    let older = sycl_ur_core::table::OLDER_GETTERS.iter().map(|(_, _, getter)| *getter);
    let getters = sycl_ur_core::TABLES.iter().map(|table| table.getter).chain(older);
    let names = getters.chain(RETAINS).chain([LOCKS]).map(str::to_owned);
    assert_eq!(exported_names(&path()), names.collect::<BTreeSet<_>>());
}
