//! Whether a libsycl opens our files, asked in a process of its own as programs of its environment load it.

use std::path::PathBuf;

use sycl_pi_loader::filter;

use super::adapter_names::FORCE_LOAD;
use super::force_load;
use super::tree::LibsyclFolder;
use crate::child::Place;
use crate::sycl;

/// What was found out.
pub enum Asked {
    /// The plugins and adapters that it opened.
    Opened(Vec<PathBuf>),
    /// Why it could not be asked.
    Unknown(String),
}

/// What a program's starter may set, to have some of the files or devices only. It is no part of the environment.
const CHOICES: [&str; 6] = [
    filter::SELECTOR_VARIABLE,
    "SYCL_DEVICE_FILTER",
    "SYCL_DEVICE_ALLOWLIST",
    FORCE_LOAD,
    "UR_ADAPTERS_SEARCH_PATH",
    "UR_LOADER_PRELOAD_FILTER",
];

/// Asks a libsycl for its devices, for which it opens all plugins or adapters that it finds.
pub fn ask(libsycl: &LibsyclFolder) -> Asked {
    let variables = force_load::of_python(libsycl);
    let place = match variables {
        Ok(variables) => Place { variables, without: CHOICES.to_vec(), ..Place::of_programs(libsycl) },
        Err(error) => return Asked::Unknown(format!("{error:#}")),
    };
    match sycl::ask(libsycl, &place) {
        Ok(seen) => Asked::Opened(seen.loaded),
        Err(error) => Asked::Unknown(format!("{error:#}")),
    }
}
