//! What is known beforehand, per driver: tests that make no sense on it, and failures that are the driver's own.

use std::fmt;

use crate::{Driver, Registry};

/// What to do with a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is not run.
    Skip,
    /// It fails; should it pass, the run fails.
    Fails,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Skip => "skipped",
            Kind::Fails => "expected to fail",
        })
    }
}

/// An entry that applies.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// What to do.
    pub kind: Kind,
    /// Why.
    pub reason: &'static str,
}

const NO_SPIRV: &str = "PoCL 3.1 takes no SPIR-V";
const NO_GLOBALS: &str = "PoCL has no cl_intel_global_variable_access";
const NO_CLOCKS: &str = "PoCL 3.1 answers clGetDeviceAndHostTimer with CL_INVALID_OPERATION";
const PARTS_ARE_ROOTS: &str = "PoCL counts a sub-device and its root as one device of a context";

/// Driver, test, what to do, why. A name that ends with `*` stands for all that start so.
const TABLE: &[(Driver, &str, Kind, &str)] = &[
    (Driver::Pocl, "spec_constants::*", Kind::Skip, NO_SPIRV),
    (Driver::Pocl, "program::spirv_builds_and_runs", Kind::Skip, NO_SPIRV),
    (Driver::Pocl, "program::spirv_modules_link", Kind::Skip, NO_SPIRV),
    (Driver::Pocl, "symbol::device_globals_*", Kind::Skip, NO_GLOBALS),
    (Driver::Pocl, "device::clocks_advance_together", Kind::Fails, NO_CLOCKS),
    (Driver::Pocl, "device::clocks_are_optional", Kind::Fails, NO_CLOCKS),
    (Driver::Pocl, "context::takes_a_device_and_its_sub_devices", Kind::Fails, PARTS_ARE_ROOTS),
    (Driver::Pocl, "queue::a_device_outside_the_context_is_refused", Kind::Fails, PARTS_ARE_ROOTS),
    (
        Driver::Pocl,
        "program::an_unresolved_symbol_fails_the_link_and_leaves_a_program",
        Kind::Fails,
        "PoCL gives no program for a failed link",
    ),
    (
        Driver::Pocl,
        "kernel::sub_group_facts",
        Kind::Fails,
        "PoCL 3.1 answers clGetKernelSubGroupInfo with CL_INVALID_OPERATION",
    ),
    (
        Driver::Intel,
        "program::spirv_is_refused_with_the_reason_where_the_driver_takes_none",
        Kind::Skip,
        "Intel's CPU runtime takes SPIR-V",
    ),
];

/// Tests that need something beside the driver: a variable, and what it is for.
const NEEDS: &[(&str, &str, &str)] = &[(
    "device_info::matches_the_vendors_plugin",
    "PI_VENDOR_PLUGIN",
    "PI_VENDOR_PLUGIN names no vendor's plugin to compare with",
)];

fn covers(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// The expectation of a test on a driver.
pub fn of(driver: Driver, name: &str) -> Option<Expectation> {
    let needs =
        NEEDS.iter().find(|(test, variable, _)| *test == name && std::env::var_os(variable).is_none());
    if let Some((_, _, reason)) = needs {
        return Some(Expectation { kind: Kind::Skip, reason });
    }
    let entry = TABLE.iter().find(|(on, pattern, ..)| *on == driver && covers(pattern, name));
    entry.map(|(_, _, kind, reason)| Expectation { kind: *kind, reason })
}

/// Entries that no test answers to: a renamed test must not lose its expectation silently.
pub fn unknown(registry: &Registry) -> Vec<&'static str> {
    let names = TABLE.iter().map(|(_, pattern, ..)| *pattern).chain(NEEDS.iter().map(|(test, ..)| *test));
    names.filter(|pattern| !registry.cases.iter().any(|case| covers(pattern, &case.name))).collect()
}
