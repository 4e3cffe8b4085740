//! All cases, by object and entry point.

mod adapter;
mod all_well;
mod command_buffer;
mod context;
mod device;
mod enqueue;
mod enumerator;
mod event;
mod image;
mod kernel;
mod mem;
mod native;
mod platform;
mod plugin;
mod program;
mod queue;
mod sampler;
mod symbol;
mod usm;

use crate::case::Case;

/// The families, in the order in which they run.
const FAMILIES: &[&[&[Case]]] = &[
    platform::CASES,
    device::CASES,
    context::CASES,
    queue::CASES,
    mem::CASES,
    image::CASES,
    sampler::CASES,
    program::CASES,
    kernel::CASES,
    event::CASES,
    enqueue::CASES,
    usm::CASES,
    symbol::CASES,
    native::CASES,
    command_buffer::CASES,
    enumerator::CASES,
    plugin::CASES,
];

/// Returns all cases, those of adapters last.
pub(crate) fn all() -> impl Iterator<Item = &'static Case> {
    FAMILIES.iter().copied().flatten().chain(adapter::CASES).copied().flatten()
}

/// Returns whether a case is only for adapters.
pub(crate) fn is_of_adapters(id: &str) -> bool {
    adapter::CASES.iter().copied().flatten().any(|case| case.id == id)
}

/// Returns the entry point that a case tests.
pub(crate) fn call(id: &str) -> &'static str {
    all().find(|case| case.id == id).map_or("", |case| case.call)
}
