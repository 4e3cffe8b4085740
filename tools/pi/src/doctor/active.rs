//! The environment that is active: whose plugins its libsycl loads.

use std::path::Path;

use super::finding::Finding;
use crate::install::{Found, PluginState, Seen, below, tree};

/// The file of a package that ours was copied from, if it is no longer there.
fn gone_source(found: &Found) -> Option<&Path> {
    found.status.installed.as_ref()?.source.as_deref().filter(|source| !source.exists())
}

pub fn check(seen: &Seen, findings: &mut Vec<Finding>) {
    for root in &seen.active {
        let all = below(root).unwrap_or_else(|error| {
            // An environment without a libsycl is none of our business.
            if tree::folders(root).is_ok() {
                let told = Finding::warning(format!("{error:#}"));
                findings.push(told.fix(format!("correct that, then pi status {}", root.display())));
            }
            vec![]
        });
        for found in all {
            let root = root.display();
            let what = format!("{}: {}", found.file().display(), found.said());
            findings.push(match found.state() {
                PluginState::Ours => match gone_source(&found) {
                    Some(source) => Finding::warning(what)
                        .why(format!("it was copied from {}, which is gone: was the package removed first?", source.display()))
                        .fix(format!("pi uninstall {root} puts the vendor's file back; or install the package again, then pi install {root}")),
                    None => Finding::ok(what),
                },
                PluginState::Vendor => Finding::ok(what),
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
