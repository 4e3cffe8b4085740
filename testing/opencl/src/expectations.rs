//! Expectations of each driver: tests that do not apply to it, and failures that are the driver's own.

use testing_support::Expected;

use crate::{Driver, Registry};

enum Kind {
    Skip,
    Fails,
}

const NO_SPIRV: &str = "PoCL 3.1 takes no SPIR-V";
const NO_GLOBALS: &str = "PoCL has no cl_intel_global_variable_access";

const OF_AN_ENVIRONMENT: &str = "PoCL is the system's, and this is about a driver in an environment";

/// Driver, test, expectation, reason. A name that ends with `*` stands for all names with that prefix.
const TABLE: &[(Driver, &str, Kind, &str)] = &[
    (Driver::Pocl, "spec_constants::*", Kind::Skip, NO_SPIRV),
    (Driver::Pocl, "program::the_driver_gets_the_program_s_own_spirv", Kind::Skip, NO_SPIRV),
    (Driver::Pocl, "symbol::device_globals_*", Kind::Skip, NO_GLOBALS),
    (
        Driver::Pocl,
        "queue::of_intel_that_are_released_with_commands_run_them",
        Kind::Skip,
        "PoCL crashes over the event of a queue that is gone",
    ),
    (
        Driver::Pocl,
        "program::an_unresolved_symbol_fails_the_link_and_leaves_a_program",
        Kind::Fails,
        "PoCL gives no program for a failed link",
    ),
    (Driver::Pocl, "plugin::every_opencl_library_serves_*", Kind::Skip, OF_AN_ENVIRONMENT),
    (Driver::Pocl, "plugin::variables_say_which_drivers_there_are", Kind::Skip, OF_AN_ENVIRONMENT),
    (
        Driver::Intel,
        "device_info::without_usm_shared_virtual_memory_stands_in",
        Kind::Skip,
        "Intel's CPU runtime has USM",
    ),
    (
        Driver::Intel,
        "program::spirv_is_refused_with_the_reason_where_the_driver_takes_none",
        Kind::Skip,
        "Intel's CPU runtime takes SPIR-V",
    ),
];

/// Tests that need more than the driver: a variable, and its purpose.
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

/// Returns the expectation for a test on a driver.
pub fn of(driver: Driver, name: &str) -> Expected {
    let lacks =
        NEEDS.iter().find(|(test, variable, _)| *test == name && std::env::var_os(variable).is_none());
    if let Some((_, _, reason)) = lacks {
        return Expected::Skip((*reason).to_owned());
    }
    match TABLE.iter().find(|(on, pattern, ..)| *on == driver && covers(pattern, name)) {
        None => Expected::Pass,
        Some((_, _, Kind::Skip, reason)) => Expected::Skip((*reason).to_owned()),
        Some((_, _, Kind::Fails, reason)) => Expected::Fail((*reason).to_owned()),
    }
}

/// Returns entries that match no test, so that a renamed test does not silently lose its expectation.
pub fn unknown(registry: &Registry) -> Vec<&'static str> {
    let names = TABLE.iter().map(|(_, pattern, ..)| *pattern).chain(NEEDS.iter().map(|(test, ..)| *test));
    names.filter(|pattern| !registry.names().any(|name| covers(pattern, name))).collect()
}
