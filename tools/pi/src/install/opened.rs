//! Checks whether a libsycl opens our files. It is asked in a separate process, which loads it like programs of its
//! environment.

use std::path::PathBuf;

use sycl_pi_loader::filter;

use super::adapter_names::FORCE_LOAD;
use super::force_load;
use super::tree::LibsyclFolder;
use crate::child::ChildEnvironment;
use crate::sycl;

/// The result of the check.
pub enum Asked {
    /// The plugins and adapters that it opened.
    Opened(Vec<PathBuf>),
    /// The reason why it could not be asked.
    Unknown(String),
}

/// The variables that a user may set to restrict files or devices. They are not part of the environment.
const CHOICES: [&str; 6] = [
    filter::SELECTOR_VARIABLE,
    "SYCL_DEVICE_FILTER",
    "SYCL_DEVICE_ALLOWLIST",
    FORCE_LOAD,
    "UR_ADAPTERS_SEARCH_PATH",
    "UR_LOADER_PRELOAD_FILTER",
];

/// Asks a libsycl for its devices. To list them, it opens all plugins or adapters that it finds.
pub fn ask(libsycl: &LibsyclFolder) -> Asked {
    let variables = force_load::of_python(libsycl);
    let place = match variables {
        Ok(variables) => ChildEnvironment {
            variables,
            without: CHOICES.to_vec(),
            ..ChildEnvironment::of_programs(libsycl)
        },
        Err(error) => return Asked::Unknown(format!("{error:#}")),
    };
    match sycl::ask(libsycl, &place) {
        Ok(seen) => Asked::Opened(seen.loaded),
        Err(error) => Asked::Unknown(format!("{error:#}")),
    }
}
