//! The report: calls, executed commands, events that commands wait for, requests, complaints about the caller, objects
//! that were never released.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use crate::command::{AWAITED, EXECUTED};
use crate::object::table::{Census, census};
use crate::object::{context, event, fence, image, kernel, list, module, queue, virtual_memory};
use crate::{allocations, complaints, entry, requests};

/// Resets complaints, requests, and the counts of commands.
pub(crate) fn reset() {
    complaints::reset();
    requests::reset();
    EXECUTED.store(0, Ordering::Relaxed);
    AWAITED.store(0, Ordering::Relaxed);
}

/// Returns the number of created and live objects of each kind. Drivers and devices are left out because they are
/// never released.
fn objects() -> [Census; 12] {
    [
        census::<context::Context>(),
        census::<queue::Queue>(),
        census::<list::List>(),
        census::<fence::Fence>(),
        census::<event::Pool>(),
        census::<event::Event>(),
        census::<module::Module>(),
        census::<module::BuildLog>(),
        census::<kernel::Kernel>(),
        census::<image::Image>(),
        census::<image::Sampler>(),
        census::<virtual_memory::Physical>(),
    ]
}

/// Returns the report's text, with one fact per line.
pub(crate) fn text() -> String {
    let mut text = String::new();
    let mut counts = entry::counts();
    counts.sort_unstable();
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(text, "call {name} {count}");
    }
    let _ = writeln!(text, "executed {}", EXECUTED.load(Ordering::Relaxed));
    let _ = writeln!(text, "awaited {}", AWAITED.load(Ordering::Relaxed));
    for ((call, what), count) in requests::all() {
        let _ = writeln!(text, "request {call} {count} {what}");
    }
    for ((call, what), count) in complaints::all() {
        let _ = writeln!(text, "complaint {call} {count} {what}");
    }
    for Census { kind, created, live } in objects() {
        let _ = writeln!(text, "objects {kind} created {created} leaked {live}");
    }
    let (created, live, bytes) = allocations::census();
    let _ = writeln!(text, "objects allocation created {created} leaked {live} bytes {bytes}");
    text
}
