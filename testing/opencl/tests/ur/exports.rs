//! What the adapter exports: the interface and what is named here.

use std::collections::BTreeSet;

use testing_support::exported_names;

use crate::host::path;

/// `libsycl` from 2025.3 on looks in the adapter's file for OpenCL's retains: `sycl::get_native` gives a reference away.
const RETAINS: [&str; 7] = [
    "clRetainDevice",
    "clRetainContext",
    "clRetainCommandQueue",
    "clRetainMemObject",
    "clRetainProgram",
    "clRetainKernel",
    "clRetainEvent",
];
/// By this one, several libraries of ours in a process share their locks.
const LOCKS: &str = "sycl_pi_opencl_locks";

#[test]
fn the_adapter_exports_every_getter_and_what_libsycl_looks_for() {
    let older = sycl_ur_core::table::OLDER_GETTERS.iter().map(|(_, _, getter)| *getter);
    let getters = sycl_ur_core::TABLES.iter().map(|table| table.getter).chain(older);
    let names = getters.chain(RETAINS).chain([LOCKS]).map(str::to_owned);
    assert_eq!(exported_names(&path()), names.collect::<BTreeSet<_>>());
}
