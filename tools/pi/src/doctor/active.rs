//! The environment that is active: whose plugins its libsycl loads.

use super::finding::Finding;
use crate::install::{PluginState, Seen, below};

pub fn check(seen: &Seen, findings: &mut Vec<Finding>) {
    for root in &seen.active {
        // An environment without a libsycl is none of our business.
        for found in below(root).unwrap_or_default() {
            let root = root.display();
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
