//! Checks the plugins that the libsycl of the active environment loads.

use std::path::Path;

use super::finding::Finding;
use crate::install::{Found, PluginState, Seen, below, tree};
use crate::shell;

/// Returns the package file that ours was copied from, if it no longer exists.
fn gone_source(found: &Found) -> Option<&Path> {
    found.status.installed.as_ref()?.source.as_deref().filter(|source| !source.exists())
}

pub fn check(seen: &Seen, findings: &mut Vec<Finding>) {
    for root in &seen.active {
        let all = below(root).unwrap_or_else(|error| {
            // An environment without libsycl is ignored.
            if tree::folders(root).is_ok() {
                let told = Finding::warning(format!("{error:#}"));
                findings.push(
                    told.fix("correct that, and look again")
                        .typed(format!("pi status {}", shell::path(root))),
                );
            }
            vec![]
        });
        for found in all {
            let root = shell::path(root);
            let what = format!("{}: {}", found.file().display(), found.said());
            findings.push(match found.state() {
                PluginState::Ours => match gone_source(&found) {
                    Some(source) => Finding::warning(what)
                        .why(format!(
                            "it was copied from {}, which is gone: was the package removed first?",
                            source.display()
                        ))
                        .fix("put the vendor's file back with any pi, or install the package and then our files again")
                        .typed(format!("pi uninstall {root}")),
                    None => Finding::ok(what),
                },
                PluginState::Vendor => Finding::ok(what),
                PluginState::Absent => Finding::warning(what)
                    .why("the libsycl next to it then has no OpenCL devices")
                    .fix("install ours, or the vendor's package again")
                    .typed(format!("pi install {root}")),
                PluginState::Replaced | PluginState::Interrupted => {
                    Finding::warning(what).typed(format!("pi install {root}"))
                }
            });
        }
    }
}
