//! The environment that is active: whose plugins its libsycl loads.

use std::path::Path;

use sycl_pi_loader::Environment;

use super::finding::Finding;
use crate::install::{PluginState, found_below};

/// The variables that name the active environment.
pub const VARIABLES: [&str; 2] = ["VIRTUAL_ENV", "CONDA_PREFIX"];

pub fn check(environment: &Environment, findings: &mut Vec<Finding>) {
    for root in VARIABLES.into_iter().filter_map(|name| environment.text(name)) {
        // An environment without a libsycl is none of our business.
        for found in found_below(Path::new(&root)).unwrap_or_default() {
            let what = format!("{}: {}", found.file().display(), found.said());
            findings.push(match found.state() {
                PluginState::Ours | PluginState::Vendor => Finding::ok(what),
                PluginState::Absent => Finding::warning(what)
                    .why("the libsycl beside it has no OpenCL devices then")
                    .fix(format!("pi install {root}, or install the vendor's package again")),
                PluginState::Replaced | PluginState::Interrupted => {
                    Finding::warning(what).fix(format!("pi install {root}"))
                }
            });
        }
    }
}
