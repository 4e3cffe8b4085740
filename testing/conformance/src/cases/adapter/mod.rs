//! Requirements of UR for an adapter that PI does not have.

mod capture;
mod capture_rules;
mod captured;
mod codes;
mod documented;
mod enumerators;
mod features;
mod filling;
mod fills;
mod handles;
mod info;
mod kernel_args;
mod launches;
mod memory_export;
mod memory_sizes;
mod objects;
mod reusable_events;
mod sharing;
mod tables;
mod together;
mod updates;
mod wrong;

use crate::case::Case;

/// The cases of adapters, which do not apply to plugins.
pub(super) const CASES: &[&[Case]] = &[
    tables::CASES,
    handles::CASES,
    info::CASES,
    documented::CASES,
    enumerators::CASES,
    wrong::CASES,
    features::CASES,
    fills::CASES,
    sharing::CASES,
    updates::CASES,
    launches::CASES,
    memory_export::CASES,
    memory_sizes::CASES,
    capture::CASES,
    capture_rules::CASES,
    reusable_events::CASES,
    codes::CASES,
    together::CASES,
];
